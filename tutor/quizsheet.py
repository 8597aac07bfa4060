"""The result sheet of a quiz as lines of text: the sum, each question, levels and kinds, slips, and what waits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING

from content import course
from content.address import plain
from content.lang import Lang
from content.words import say
from tutor import quizzed
from tutor.revision import sheet as counted
from tutor.revision.days import day_of

if TYPE_CHECKING:
    from tutor.revision.model import Line, Sheet
    from tutor.revision.sheet import Share


def lines(sheet: Sheet, lang: Lang) -> Iterator[str]:
    """The whole sheet; what belongs under a heading is indented."""
    test = sheet.wanted.mode == "test"
    yield say("quiz.sheet.title_test" if test else "quiz.sheet.title", lang)
    if not sheet.asked:
        yield say("quiz.sheet.none", lang)
        return
    yield "; ".join(_sum(sheet, lang)) + "."
    yield say("quiz.sheet.questions", lang)
    today = day_of(sheet.began)
    for line in sheet.lines:
        yield f"  {question(line, today, lang)}"
        yield from (f"    {note}" for note in notes(line, lang))
    yield from _shares(say("quiz.sheet.by_level", lang), _levels(sheet, lang), lang)
    yield from _shares(say("quiz.sheet.by_kind", lang), _kinds(sheet, lang), lang)
    yield from _slips(sheet, lang)
    yield from _ahead(sheet, lang)


def _sum(sheet: Sheet, lang: Lang) -> Iterator[str]:
    yield say("quiz.sheet.right", lang, right=sheet.right, of=len(sheet.asked))
    time = quizzed.duration(sheet.seconds)
    if sheet.limit_s is None:
        yield say("quiz.sheet.time", lang, time=time)
    else:
        yield say("quiz.sheet.time_of", lang, time=time, limit=quizzed.duration(sheet.limit_s))
    if sheet.over:
        yield say("quiz.sheet.over", lang)
    if sheet.unasked:
        yield say("quiz.sheet.unasked", lang, n=sheet.unasked)


def question(line: Line, today: date, lang: Lang) -> str:
    """One question: what it was, how it went, the grade, and when it comes back."""
    name = quizzed.name(line.item, lang)
    if line.right is None:
        return f"{name}: {ungraded(line, lang)}"
    pieces = [say("quiz.sheet.right_mark" if line.right else "quiz.sheet.wrong_mark", lang)]
    pieces += [quizzed.grade_name(line.graded.grade, lang)] if line.graded is not None else []
    pieces += [quizzed.back_on(line.due, today, lang)] if line.due is not None else []
    return f"{name}: {', '.join(pieces)}"


def ungraded(line: Line, lang: Lang) -> str:
    """Why a question has no grade: it was passed over, or never shown."""
    return say("quiz.sheet.skipped" if line.reached else "quiz.sheet.ungraded", lang)


def back(line: Line, today: date, lang: Lang) -> str:
    """When it comes back, in a word or two; what was missed today comes back today."""
    if line.due is None:
        return ""
    return say("quiz.when.today", lang) if line.due <= today else quizzed.when(line.due, today, lang)


def notes(line: Line, lang: Lang) -> Iterator[str]:
    """Of an answer that was not right, or not given: what was written, what is right, which slip it was."""
    if line.right is not False:
        return
    written, right = written_and_right(line, lang)
    if written or right:
        yield "; ".join(filter(None, (written, right)))
    named = [name for slip in line.slips if (name := quizzed.slip_name(slip, lang))]
    if len(line.slips) == 1:
        yield from named
    elif named:
        yield say("quiz.sheet.perhaps", lang, slips="; ".join(named))
    if line.leech:
        yield say("quiz.leech_short", lang)


def written_and_right(line: Line, lang: Lang) -> tuple[str, str]:
    """The answer as it was typed, and the right one; nothing where that cannot be said in a line."""
    typed, right = written(line, lang) if line.answer else "", quizzed.right_answer(line, lang)
    return (
        say("quiz.sheet.answered", lang, answer=typed) if typed else "",
        say("quiz.sheet.answer", lang, answer=right) if right else "",
    )


def written(line: Line, lang: Lang) -> str:
    """An answer as the learner saw it: an option in its words, anything else as it was typed; no free text."""
    from content import verdicts_read
    from content.quiz import questions
    from content.schema import COMPUTED

    part = questions.question(line.item, line.variant, plain(line.place)).part
    if part is None or part.kind in ("rubric", "order"):
        return ""
    if part.kind in COMPUTED or part.kind == "formula":
        return " ".join(line.answer.split())
    letters = {option.letter.lower(): option.id for option in part.options}
    reading = letters.get(line.answer.strip().lower(), line.answer)
    return verdicts_read.option_text(part._replace(kind="choice") if part.kind == "match" else part, reading, lang)


def _levels(sheet: Sheet, lang: Lang) -> Mapping[str, Share]:
    titles = {level.id: level.title[lang] for track in course.index().tracks for level in track.levels}
    return {
        f"{id.rpartition('/')[2]} {titles[id]}" if id in titles else say("quiz.sheet.no_level", lang): share
        for id, share in counted.by_level(sheet).items()
    }


def _kinds(sheet: Sheet, lang: Lang) -> Mapping[str, Share]:
    return {say(f"quiz.kind.{kind}.many", lang): share for kind, share in counted.by_kind(sheet).items()}


def _shares(title: str, shares: Mapping[str, Share], lang: Lang) -> Iterator[str]:
    """A heading and a line for each group; nothing where there is one group only, for that is the sum."""
    if len(shares) < 2:
        return
    yield title
    for name, share in shares.items():
        yield f"  {name}: {say('quiz.sheet.share', lang, right=share.right, of=share.of)}"


def _slips(sheet: Sheet, lang: Lang) -> Iterator[str]:
    named = {quizzed.slip_name(slip, lang): times for slip, times in counted.slips(sheet).items()}
    if any(named):
        yield say("quiz.sheet.slips", lang)
        yield from (f"  {name}: {times}" for name, times in named.items() if name)


def _ahead(sheet: Sheet, lang: Lang) -> Iterator[str]:
    yield from ahead(sheet, day_of(sheet.began), lang)


def ahead(sheet: Sheet, today: date, lang: Lang) -> Iterator[str]:
    """What waits still, and when something comes back where nothing waits."""
    if sheet.due_left:
        yield say("quiz.sheet.left", lang, n=sheet.due_left)
    if sheet.soon:
        yield say("quiz.sheet.soon", lang, n=sheet.soon)
    if not sheet.due_left and not sheet.soon:
        yield say("quiz.sheet.all_done", lang)
        if sheet.next_due is not None:
            yield say("quiz.sheet.next_when", lang, when=quizzed.when(sheet.next_due, today, lang))
