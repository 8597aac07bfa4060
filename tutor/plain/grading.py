"""The grade in lines: what counts, and the learner's word against it ("grade hard")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from content.lang import LANGS
from content.words import say
from tutor import quizzed
from tutor.plain.orders import word
from tutor.plain.reader import Reader
from tutor.progress import Grade

if TYPE_CHECKING:
    from content.quiz.model import Question
    from tutor.revision.model import Answered
    from tutor.revision.run import Run

GRADES: tuple[Grade, ...] = ("again", "hard", "good", "easy")


def grade_of(typed: str) -> Grade | None:
    """The grade that a line names: "grade hard", or in either language the word alone."""
    words = typed.lower().removeprefix(":").split()
    if words and words[0] == word("grade", "en"):
        words = words[1:]
    wanted = " ".join(words)
    named = {say(f"quiz.grade.{grade}.name", lang).lower(): grade for grade in GRADES for lang in LANGS}
    named |= {grade: grade for grade in GRADES}
    return named.get(wanted)


def is_said(typed: str) -> bool:
    """Whether a line speaks of a grade, whichever it names."""
    return typed.lower().removeprefix(":").split()[:1] == [word("grade", "en")]


def outcome(reader: Reader, answered: Answered) -> None:
    """The grade with its reasons, when it comes back, and the lesson of what keeps slipping away."""
    for sentence in (quizzed.outcome(answered, reader.session, reader.lang), quizzed.leech(answered, reader.lang)):
        if sentence:
            reader.out.say(sentence)


def overruled(reader: Reader, asked: Run, answered: Answered | None, typed: str) -> Answered | None:
    """What came of a line that names a grade; ``None`` for one that names none, or that comes too early."""
    grade = grade_of(typed)
    if answered is None or answered.graded is None or grade is None:
        return None
    changed = asked.overrule(grade)
    outcome(reader, changed)
    return changed


def help(reader: Reader, answered: Answered | None) -> None:
    """The grade as it stands, and how another one is given; before an answer, when there will be one."""
    if answered is None or answered.graded is None:
        reader.out.say(reader.say("quiz.no_grade_yet"))
        return
    outcome(reader, answered)
    reader.out.say(reader.say("quiz.overrule", grades=", ".join(f"grade {one}" for one in GRADES)))


def lesson(reader: Reader, question: Question) -> str:
    """Which lesson explains a question, and how it is opened; a quiz itself is not left for it."""
    id = quizzed.lesson_of(question)
    return reader.say("quiz.lesson", lesson=quizzed.lesson_name(id, reader.lang), id=id)
