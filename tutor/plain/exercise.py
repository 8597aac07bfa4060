"""An exercise in lines: the situation, then part after part until each is solved, shown or skipped."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from content import address, course
from content.fill import fill, of_part
from content.markup import plain
from content.schema import Exercise, Option, Part
from content.words import say
from tutor import letters
from tutor.plain import asking
from tutor.plain.orders import Order, word
from tutor.plain.study import Leave, Reader
from tutor.plain.which import Which
from tutor.progress import Place

YES = ("y", "yes", "haan", "ha", "han")
REASON_TRIES = 2
"""So often a reason may be tried before it is told."""


def visit(reader: Reader, place: Place) -> Place:
    """Work through an exercise, from the part of the place on; then say how it went and ask what next."""
    exercise = course.exercise(place.id)
    reader.heading(exercise.title[reader.lang], exercise.id)
    reader.out.say("\n" + asking.prompt(exercise, reader.lang))
    if exercise.figure is not None:
        reader.figure(exercise.figure)
    followups = any(part.id == place.part and part.followup for part in exercise.parts)
    parts = [part for part in exercise.parts if part.followup == followups]
    names = [part.id for part in parts]
    start = names.index(place.part) if place.part in names else 0
    asked = place.part if place.part in names else ""
    for part in parts[start:]:
        # a part that was named is asked again even when it is solved
        if part.id == asked or reader.session.state(part.id).status not in ("solved", "shown"):
            _part(reader, exercise, part, (names.index(part.id) + 1, len(names)))
    return _after(reader, exercise, followups)


def _part(reader: Reader, exercise: Exercise, part: Part, place: tuple[int, int]) -> None:
    reader.session.set_place(Place("exercise", exercise.id, part=part.id))
    count = reader.say("plain.part", n=place[0], of=place[1])
    label = plain(part.label[reader.lang])
    named = f'"{label}"' if part.kind == "match" else label  # there it may be a bare letter or number
    reader.out.say(f"\n{count}: {named} ({part.id})")
    _ask_again(reader, exercise, part)
    began = time.monotonic()
    which = Which(reader, part)
    while True:
        order, typed = reader.listen(asking.how(part, reader.lang))
        if order == "skip" or order == "next":
            reader.session.skip(part.id)
            reader.out.say(reader.say("plain.skipped"))
            return
        if order == "solution":
            if not _agreed(reader, part):
                continue
            _solution(reader, exercise, part)
            return
        if order is not None:
            _aside(reader, exercise, part, order)
            if order in ("repeat", "lang"):
                which.ask()
        elif not typed or which.picked(typed):
            continue
        elif _answered(reader, exercise, part, typed, time.monotonic() - began, which):
            return


def _ask_again(reader: Reader, exercise: Exercise, part: Part) -> None:
    text = asking.question(exercise, part, reader.lang)
    if text:
        reader.out.say(text)


def _aside(reader: Reader, exercise: Exercise, part: Part, order: str) -> None:
    """What may be asked for without leaving the part."""
    if order == "hint":
        hint = reader.session.next_hint(part.id)
        if hint is None:
            for old in reader.session.hints(part.id):
                reader.out.say(reader.say("plain.hint", n=old.n, of=old.of, text=plain(old.text)))
            reader.out.say(reader.say("plain.no_hint"))
        else:
            reader.out.say(reader.say("plain.hint", n=hint.n, of=hint.of, text=plain(hint.text)))
    elif order == "repeat":
        reader.out.say(asking.prompt(exercise, reader.lang))
        _ask_again(reader, exercise, part)
    elif order == "lang":
        _ask_again(reader, exercise, part)
    elif order == "lesson":
        raise Leave(Place("lesson", exercise.lesson))
    elif order in ("list", "back"):
        raise Leave(Place("home"))
    elif order == "variant":
        _fresh(reader, exercise, part.name)
    elif order == "original":
        if exercise.variant:
            raise Leave(Place("exercise", address.plain(exercise.id), part=address.plain(part.id)))
        reader.out.say(reader.say("plain.no_original"))


def _fresh(reader: Reader, exercise: Exercise, part: str) -> None:
    """Leave for the next fresh variant, or say that there is none."""
    try:
        fresh = reader.session.fresh(exercise.id)
    except course.UnknownVariant:
        reader.out.say(reader.say("plain.no_variant"))
        return
    raise Leave(Place("exercise", fresh, part=f"{fresh}/{part}"))


def _answered(reader: Reader, exercise: Exercise, part: Part, typed: str, seconds: float, which: Which) -> bool:
    """Judge what was typed; whether the part is done with."""
    if part.kind == "rubric":
        return _self_marked(reader, exercise, part, typed, seconds)
    checked = reader.session.check(part.id, typed, seconds)
    reader.out.say(plain(checked.message(reader.lang)))
    which.of(checked)
    if checked.verdict.verdict != "correct":
        return False
    if part.reasons:
        _reason(reader, exercise, part)
    _nuances(reader, exercise, part)
    return True


def _agreed(reader: Reader, part: Part) -> bool:
    """Whether the solution may be shown: it costs the part, so it is asked for twice, unless nothing is at stake."""
    if reader.session.state(part.id).status in ("solved", "shown"):
        return True
    order, typed = reader.listen(reader.say("plain.solution_sure"))
    if order == "solution" or typed.lower() in YES:
        return True
    reader.out.say(reader.say("plain.solution_kept"))
    return False


def _reason(reader: Reader, exercise: Exercise, part: Part) -> None:
    """Why: asked after a right yes or no, a second time where the reason is another one. Each is recorded."""
    reader.out.say(reader.say("plain.why"))
    _reasons(reader, part)
    tries = 0
    while tries < REASON_TRIES:
        order, typed = reader.listen(reader.say("plain.how.choice"))
        if order in ("skip", "next", "solution") or not typed:
            break
        if order in ("repeat", "lang"):
            _reasons(reader, part)
            continue
        if order is not None:
            _aside(reader, exercise, part, order)
            continue
        chosen = _chosen(part, typed)
        if chosen is None:
            wanted = letters.spoken([option.letter for option in part.reasons], reader.lang)
            reader.out.say(reader.say("plain.reason_letter", letters=wanted, skip=word("skip", reader.lang)))
            _reasons(reader, part)
            continue
        tries += 1
        if reader.session.give_reason(part.id, chosen.id):
            reader.out.say(reader.say("plain.reason_right"))
            return
        if tries < REASON_TRIES:
            reader.out.say(reader.say("plain.reason_other"))
    right = next(option for option in part.reasons if option.id == part.reason)
    reader.out.say(reader.say("plain.reason_is", reason=plain(right.text[reader.lang])))


def _reasons(reader: Reader, part: Part) -> None:
    for option in part.reasons:
        reader.out.say(f"  {option.letter}. {plain(option.text[reader.lang])}")


def _chosen(part: Part, typed: str) -> Option | None:
    listed = [letters.Lettered(option.letter.lower(), option.id, option.text) for option in part.reasons]
    wanted = letters.of(typed, listed) or typed.strip().lower()
    return next((option for option in part.reasons if wanted in (option.letter.lower(), option.id.lower())), None)


def _self_marked(reader: Reader, exercise: Exercise, part: Part, typed: str, seconds: float) -> bool:
    """Free text: the model answer is shown, and the learner says point by point what was there."""
    lang, scope = reader.lang, of_part(exercise, part)
    if part.model:
        reader.out.say(f"\n{reader.say('plain.model')}\n{plain(fill(part.model[lang], lang, scope))}")
    reader.out.say(f"\n{reader.say('plain.tick')}")
    ticked = []
    for point in part.rubric:
        reader.out.say(f"- {plain(fill(point.text[lang], lang, scope))}")
        _, said = reader.listen(reader.say("plain.how.judge"))
        if said.lower() in YES:
            ticked.append(point.id)
    reader.session.self_mark(part.id, typed, ticked, seconds)
    reader.out.say(reader.say("plain.ticked", n=len(ticked), of=len(part.rubric)))
    _nuances(reader, exercise, part)
    return True


def _solution(reader: Reader, exercise: Exercise, part: Part) -> None:
    solved = reader.session.state(part.id).status == "solved"
    solution = reader.session.solution(part.id)
    for line in solution.working:
        reader.out.say(line)
    reader.out.say(plain(solution.text))
    _nuances(reader, exercise, part)
    if not solved:
        reader.out.say(reader.say("plain.shown"))


def _nuances(reader: Reader, exercise: Exercise, part: Part) -> None:
    for nuance in part.nuances:
        text = plain(fill(nuance.text[reader.lang], reader.lang, of_part(exercise, part)))
        reader.out.say(f"{say('app.exercise.nuance', reader.lang)}: {text}")
        reader.source(nuance.source)


def _after(reader: Reader, exercise: Exercise, followups: bool) -> Place:
    results = reader.session.results(exercise.id)
    reader.out.say(f"\n{reader.say('plain.results', id=exercise.id, solved=results.solved, of=len(results.parts))}")
    waiting = [part for part, state in results.followups.items() if state.status in ("new", "tried")]
    if waiting and not followups:
        reader.out.say(reader.say("plain.followups", ids=", ".join(waiting)))
    last = exercise.parts[-1].id if followups else list(results.parts)[-1]
    return reader.choose(reader.session.next_unsolved(last), _again(reader, exercise))


def _again(reader: Reader, exercise: Exercise) -> Mapping[Order, Callable[[], Place | None]]:
    """The same exercise once more, with other values: said, and offered as orders."""
    more: dict[Order, Callable[[], Place | None]] = {}
    if course.can_vary(exercise):
        first = exercise.parts[0].name
        more["variant"] = lambda: _fresh(reader, exercise, first)
        reader.out.say(reader.say("plain.offer_variant", word=word("variant", reader.lang)))
    if exercise.variant:
        written = Place("exercise", address.plain(exercise.id), part=address.plain(exercise.parts[0].id))
        more["original"] = lambda: written  # asked again, solved or not
        reader.out.say(reader.say("plain.offer_original", word=word("original", reader.lang)))
    return more
