"""What an exercise says about the task at hand: question, verdict, hints, solution, nuance, and what comes next.

Each function gives paragraphs or rows for the screen's present state and language; nothing is stored here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.content import Content

from content import course, fill
from content.lang import Lang
from content.schema import Part
from content.words import say
from tutor import coursemap, nextup
from tutor.placement.where import place_name
from tutor.progress import PartState
from tutor.widgets.ink import ACCENT, QUIET, STRONG, plainer
from tutor.widgets.prose import Piece, paired, pieces
from tutor.widgets.rows import Row

if TYPE_CHECKING:
    from tutor.screens.desk import Desk, Told
    from tutor.screens.exercise_page import ExercisePage


def _state(screen: Desk, part: Part) -> PartState:
    return screen.states.get(part.id, PartState())


def question(screen: Desk) -> Sequence[Piece]:
    """The question of the part, or its name where the prompt has asked already."""
    part = screen.current.first
    if screen.current.grouped:
        return pieces(screen.tell("exercise.match_how"))
    made = list(screen.read(part.ask, fill.of_part(screen.exercise, part))) if part.ask is not None else []
    if not made and screen.named():
        made = [Piece(Content.styled(part.label[screen.lang], STRONG))]
    if part.kind in ("order", "classify"):
        made += [Piece(Content.styled(screen.tell(f"exercise.{part.kind}_how"), QUIET), tight=bool(made))]
    return made


def _message(screen: Desk, one: Told, lang: Lang) -> str:
    """The verdict; once the learner has said which slip it was, what there is to say to that."""
    picked = screen.picked.get(one.part)
    return one.message(lang) if picked is None else picked.message(lang)


def verdict(screen: Desk) -> Sequence[Piece]:
    """The verdict on each part handed in; with the peek on, in both languages."""
    first = _verdict(screen, screen.lang)
    if not screen.tutor.peek:
        return first
    second = _verdict(screen, screen.tutor.other_language)
    quiet = [replace(piece, content=piece.content.stylize(QUIET), lead=" " * len(piece.lead)) for piece in second]
    return paired(first, quiet)


def _verdict(screen: Desk, lang: Lang) -> list[Piece]:
    """The verdict on each part, with its mark; in a match the right ones share a line."""
    told = [(part, screen.told[part.id]) for part in screen.current.parts if part.id in screen.told]
    made: list[Piece] = []
    for part, one in told:
        if screen.current.grouped and one.verdict.verdict == "correct" and len(told) > 1:
            continue
        lead = {"correct": "✓ ", "incorrect": "✗ "}.get(one.verdict.verdict, "? ")
        said = [Piece(Content(line)) for line in _message(screen, one, lang).splitlines() if line.strip()]
        if screen.current.grouped and said:
            said[0] = Piece(Content.assemble((f"{part.label[lang]}: ", STRONG), said[0].content))
        for number, piece in enumerate(said):
            first = plainer(lead, screen.session.ascii) if not number else "  "
            made.append(Piece(piece.content, first, tight=bool(made), mark=not number))
    for part, _ in told:
        reasons = _state(screen, part).reasons
        if reasons and part.reason:
            held = reasons[-1] == part.reason
            sign = plainer("✓ " if held else "✗ ", screen.session.ascii)
            words = say("app.exercise.reason.right", lang) if held else _other_reason(part, reasons[-1], lang)
            made.append(Piece(Content(words), sign, True, mark=True))
    right = sum(one.verdict.verdict == "correct" for _, one in told)
    if screen.current.grouped and told:
        count = say("app.exercise.match_right", lang, n=right, m=len(screen.current.parts))
        made.insert(0, Piece(Content.styled(count, STRONG)))
        made += [Piece(Content(line), "  ", tight=True) for line in _twice(told, lang)]
    for part in (part for part in screen.current.parts if part.id in screen.marked):
        right, all_ = len(screen.marked[part.id]), len(part.rubric)
        sign = plainer("✓ " if right == all_ else "◐ ", screen.session.ascii)
        made.append(Piece(Content(say("app.exercise.rubric.kept", lang, n=right, m=all_)), sign, mark=True))
    if not made and not told and all(_state(screen, part).status == "solved" for part in screen.current.parts):
        solved = say("app.exercise.solved_before", lang, shortcut=screen.pressed("solution"))
        made = [Piece(Content(solved), plainer("● ", screen.session.ascii), mark=True)]
    return made


def _other_reason(part: Part, picked: str, lang: Lang) -> str:
    """That the reason is another one, and what the one that was picked gets wrong."""
    why = next((option.but[lang] for option in part.reasons if option.id == picked and option.but), "")
    return say(f"app.exercise.reason.{'other_why' if why else 'other'}", lang, why=why)


def _twice(told: Sequence[tuple[Part, Told]], lang: Lang) -> Iterator[str]:
    """Options that several parts of a group were given, where no two have the same one."""
    answers = [part.answer for part, _ in told]
    if len(set(answers)) < len(answers):
        return
    picked: dict[str, list[str]] = {}
    for part, one in told:
        if one.verdict.read is not None:
            picked.setdefault(one.verdict.read.text, []).append(part.label[lang])
    for labels in picked.values():
        if len(labels) == 2:
            yield say("app.exercise.match_twice_two", lang, one=labels[0], other=labels[1])
        elif len(labels) > 2:
            yield say("app.exercise.match_twice", lang, labels=", ".join(labels))


def hints(screen: Desk) -> Sequence[Piece]:
    """The hints read so far, numbered."""
    made: list[Piece] = []
    part = screen.helped()
    scope = fill.of_part(screen.exercise, part)
    for number in range(min(_state(screen, part).hints, len(part.hints))):
        head = screen.tell("exercise.hint", n=number + 1, m=len(part.hints))
        head = f"{part.label[screen.lang]}: {head}" if screen.current.grouped else head
        said = list(screen.read(part.hints[number], scope))
        said[0] = Piece(Content.assemble((f"{head}  ", ACCENT), said[0].content), tight=bool(made))
        made += said
    return made


def solution(screen: Desk) -> Sequence[Piece]:
    """The warning, or the working and what it means."""
    if screen.confirming:
        return pieces(screen.warning())
    part = screen.aimed()
    if part.id not in screen.revealed:
        return []
    head = Piece(Content.styled(screen.tell("exercise.solution"), STRONG))
    working, said = screen.worked(part)
    lines = [Piece(Content(line), "  ", tight=True) for line in working]
    answer = [] if lines or not part.answer else [Piece(Content(right_answer(part, screen.lang)), "  ", tight=True)]
    last = pieces(screen.shown(), quiet=True) if _state(screen, part).status == "shown" else []
    return [head, *lines, *answer, *said, *last]


def right_answer(part: Part, lang: Lang) -> str:
    """The right options in words."""
    from tutor.widgets.tasks import answer_shown

    if part.kind == "order":
        words = {step.id: step.text[lang] for step in part.steps}
        return "\n".join(f"{n}. {words[id]}" for n, id in enumerate(part.answer, 1))
    return answer_shown(part, " ".join(part.answer), lang)


def nuances(screen: Desk) -> Sequence[Piece]:
    """Where the source simplifies: once the part and its reason are settled, so that it gives nothing away."""
    made: list[Piece] = []
    if screen.current.asks_reason(screen.states) and screen.current.first.id not in screen.revealed:
        return made
    for part in screen.current.parts:
        if _state(screen, part).status not in ("solved", "shown"):
            continue
        scope = fill.of_part(screen.exercise, part)
        for nuance in part.nuances:
            said = list(screen.read(nuance.text, scope))
            head = "" if made else f"{screen.tell('exercise.nuance')}  "
            said[0] = Piece(Content.assemble((head, ACCENT), said[0].content))
            made += [*said, *screen.source(nuance.source)]
    return made


def offers(screen: ExercisePage) -> list[Row]:
    """What can come next. Nothing of it happens by itself."""
    lang, rows = screen.lang, [Row(text=Content(screen.tell("exercise.done")))]
    if screen.extra:
        waiting = sum(len(task.parts) for task in screen.extra)
        rows.append(Row("followups", Content(screen.tell("exercise.offer.followups", n=waiting))))
    following = coursemap.next_exercise(screen.exercise.id)
    known = coursemap.states(screen.session)
    for key, id in nextup.onward(screen.exercise.id, known, following.id if following is not None else ""):
        rows.append(Row(id, Content(screen.tell(f"exercise.offer.{key}", name=place_name(id, lang)))))
    if course.can_vary(screen.exercise):
        rows.append(Row("variant", Content(screen.tell("exercise.offer.variant"))))
    if screen.exercise.variant:
        rows.append(Row("as-written", Content(screen.tell("exercise.offer.as_written"))))
    rows.append(Row("results", Content(screen.tell("exercise.offer.results"))))
    lesson = screen.exercise.lesson
    rows.append(Row(lesson, Content(screen.tell("exercise.offer.lesson", name=place_name(lesson, lang)))))
    rows.append(Row("home", Content(screen.tell("exercise.offer.home"))))
    return rows
