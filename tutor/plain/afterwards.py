"""After a test in lines: what was not right, one question at a time, with what went wrong and the solution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from content.markup import plain
from content.words import say
from tutor import quizzed
from tutor.plain.announcing import announced
from tutor.plain.reader import Reader

if TYPE_CHECKING:
    from tutor.revision.model import Answered


def go_through(reader: Reader, given: Sequence[tuple[str, Answered]]) -> None:
    """Offer the solutions of wrong answers and tell them as long as the learner goes on.

    Args:
        reader: who took the test.
        given: what was typed, "" where the learner gave up, and what came of it.

    Raises:
        Quit, EOFError: the learner has seen enough.
    """
    wrong = [(typed, answered) for typed, answered in given if not _right(answered)]
    for number, (typed, answered) in enumerate(wrong, start=1):
        _wait(reader, "quiz.test_next" if number > 1 else "quiz.test_first", number, len(wrong))
        for line in _told(reader, typed, answered):
            reader.out.say(line)


def _wait(reader: Reader, key: str, number: int, of: int) -> None:
    """Until the learner wants to go on; nothing else can be done here."""
    while True:
        order, typed = reader.listen(reader.say(key, n=number, of=of))
        if order == "next" or not typed:
            return
        reader.out.say(reader.say("quiz.test_over"))


def _right(answered: Answered) -> bool:
    return answered.verdict is not None and answered.verdict.verdict == "correct"


def _told(reader: Reader, typed: str, answered: Answered) -> Sequence[str]:
    from content.quiz import questions

    lang, question = reader.lang, answered.question
    lines = [f"\n{quizzed.name(question.item, lang)}"]
    if typed:
        lines.append(say("quiz.sheet.answered", lang, answer=typed))
    if typed and answered.verdict is not None:
        lines.append(announced(answered.verdict.verdict, plain(quizzed.message(answered, lang)), lang))
    working, text = questions.solution(question, lang)
    return [*lines, *working, plain(text)]
