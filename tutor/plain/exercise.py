"""An exercise in lines: the situation, then part after part until each is solved, shown or skipped."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from content import address, course
from content.fill import fill, of_part
from content.markup import plain
from content.schema import Exercise, Part
from content.words import counted, say
from tutor.plain import asking, marking, reasoning
from tutor.plain.announcing import announced
from tutor.plain.beside import Beside
from tutor.plain.orders import Order, word
from tutor.plain.reader import Reader
from tutor.plain.study import Leave, Student
from tutor.plain.which import Which
from tutor.progress import Place


def visit(reader: Student, place: Place) -> Place:
    """Work through an exercise, from the part of the place on; then say how it went and ask what next."""
    exercise = course.exercise(place.id)
    reader.heading(exercise.title[reader.lang], exercise.id)
    reader.out.say("\n" + asking.prompt(exercise, reader.lang))
    figure = Beside(reader, exercise)
    figure.tell()
    followups = any(part.id == place.part and part.followup for part in exercise.parts)
    parts = [part for part in exercise.parts if part.followup == followups]
    names = [part.id for part in parts]
    start = names.index(place.part) if place.part in names else 0
    asked = place.part if place.part in names else ""
    for part in parts[start:]:
        # a part that was named is asked again even when it is solved
        if part.id == asked or reader.session.state(part.id).status not in ("solved", "shown"):
            _part(reader, exercise, part, (names.index(part.id) + 1, len(names)))
            figure.found()
    return _after(reader, exercise, followups)


def _part(reader: Student, exercise: Exercise, part: Part, place: tuple[int, int]) -> None:
    reader.session.set_place(Place("exercise", exercise.id, part=part.id))
    count = reader.say("plain.part", n=place[0], of=place[1])
    label = plain(part.label[reader.lang])
    named = f'"{label}"' if part.kind == "match" else label  # there it may be a bare letter or number
    reader.out.say(f"\n{count}: {named} ({part.id})")
    _ask_again(reader, exercise, part)
    began = time.monotonic()
    which = Which(reader, part, lambda slip: reader.session.settle(part.id, slip))
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


def _ask_again(reader: Student, exercise: Exercise, part: Part) -> None:
    text = asking.question(exercise, part, reader.lang)
    if text:
        reader.out.say(text)


def _aside(reader: Student, exercise: Exercise, part: Part, order: Order) -> None:
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
    else:
        reader.out.say(reader.say("plain.elsewhere", word=word(order, reader.lang), skip=word("skip", reader.lang)))


def _fresh(reader: Student, exercise: Exercise, part: str) -> None:
    """Leave for the next fresh variant, or say that there is none."""
    try:
        fresh = reader.session.fresh(exercise.id)
    except course.UnknownVariant:
        reader.out.say(reader.say("plain.no_variant"))
        return
    raise Leave(Place("exercise", fresh, part=f"{fresh}/{part}"))


def _answered(reader: Student, exercise: Exercise, part: Part, typed: str, seconds: float, which: Which) -> bool:
    """Judge what was typed; whether the part is done with."""
    if part.kind == "rubric":
        return _self_marked(reader, exercise, part, typed, seconds)
    checked = reader.session.check(part.id, typed, seconds)
    reader.out.say(announced(checked.verdict.verdict, plain(checked.message(reader.lang)), reader.lang))
    which.of(checked)
    if checked.verdict.verdict != "correct":
        return False
    if part.reasons:
        _reason(reader, exercise, part)
    nuances(reader, exercise, part)
    return True


def _agreed(reader: Student, part: Part) -> bool:
    """Whether the solution may be shown: it costs the part, so it is asked for twice, unless nothing is at stake."""
    if reader.session.state(part.id).status in ("solved", "shown"):
        return True
    order, typed = reader.listen(reader.say("plain.solution_sure"))
    if order == "solution" or typed.lower() in marking.YES:
        return True
    reader.out.say(reader.say("plain.solution_kept"))
    return False


def _reason(reader: Student, exercise: Exercise, part: Part) -> None:
    """Why: asked after a right yes or no. Each reason that is tried is recorded."""
    reasoning.ask(
        reader,
        part,
        lambda reason: reader.session.give_reason(part.id, reason),
        lambda order: _aside(reader, exercise, part, order),
    )


def _self_marked(reader: Student, exercise: Exercise, part: Part, typed: str, seconds: float) -> bool:
    """Free text: the model answer is shown, and the learner says point by point what was there."""
    marked = marking.ticked(reader, exercise, part)
    reader.session.self_mark(part.id, typed, marked, seconds)
    reader.out.say(marking.told(reader, part, marked))
    nuances(reader, exercise, part)
    return True


def _solution(reader: Student, exercise: Exercise, part: Part) -> None:
    solved = reader.session.state(part.id).status == "solved"
    solution = reader.session.solution(part.id)
    for line in solution.working:
        reader.out.say(line)
    reader.out.say(plain(solution.text))
    nuances(reader, exercise, part)
    if not solved:
        reader.out.say(reader.say("plain.shown"))


def nuances(reader: Reader, exercise: Exercise, part: Part) -> None:
    """Where the simple story simplifies."""
    for nuance in part.nuances:
        text = plain(fill(nuance.text[reader.lang], reader.lang, of_part(exercise, part)))
        reader.out.say(f"{say('app.exercise.nuance', reader.lang)}: {text}")
        reader.source(nuance.source)


def _after(reader: Student, exercise: Exercise, followups: bool) -> Place:
    results = reader.session.results(exercise.id)
    parts = counted("parts", len(results.parts), reader.lang)
    reader.out.say(f"\n{reader.say('plain.results', id=exercise.id, solved=results.solved, parts=parts)}")
    waiting = [part for part, state in results.followups.items() if state.status in ("new", "tried")]
    if waiting and not followups:
        reader.out.say(reader.say("plain.followups", ids=", ".join(waiting)))
    last = exercise.parts[-1].id if followups else list(results.parts)[-1]
    return reader.choose(_following(reader, last), _again(reader, exercise))


def _following(reader: Student, last: str) -> str | None:
    """The next open part, or the lesson that is to be read before it."""
    from tutor import coursemap, nextup

    waiting = reader.session.next_unsolved(last) or ""
    there, here = (id.rpartition("/")[0] for id in (waiting, last))
    ways = nextup.onward(here, coursemap.states(reader.session), there)
    following = next((id for _, id in ways), None)
    return waiting if following == there else following


def _again(reader: Student, exercise: Exercise) -> Mapping[Order, Callable[[], Place | None]]:
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
