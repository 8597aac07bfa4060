"""What a quiz is asked for, what an answer was worth, and the sheet at its end."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Literal, NamedTuple

from content.quiz.model import Item, Question
from tutor.progress import Grade, Memory

if TYPE_CHECKING:
    from engine.answers.model import Verdict
    from tutor.checked import Checked

Mode = Literal["due", "level", "track", "weak", "test"]
Stage = Literal["open", "answered", "settled"]
"""Of a question: nothing graded yet; graded, and wrong, so that another try is worth it; nothing more to do."""


class Wanted(NamedTuple):
    """What the learner asks to be quizzed on.

    Attributes:
        mode: "due" what begins to be forgotten, and a few new ones; "weak" what is shakiest, due or not; "level" and
            "track" everything there, due or not; "test" a mixture under a clock, with no help.
        track, level: where from ("core", "core/L2"); "" for anywhere. Any mode may be narrowed.
        most: most questions, learning steps that come again not counted; ``None`` for the setting.
        minutes: of a test; ``None`` for as long as it takes elsewhere and for the usual time of the items in a test.
    """

    mode: Mode = "due"
    track: str = ""
    level: str = ""
    most: int | None = None
    minutes: float | None = None


class Graded(NamedTuple):
    """What an answer was worth, and why.

    Attributes:
        grade: what counts.
        proposed: what the evidence said.
        reasons: ids of what was weighed, most important first; their words are ``quiz.reason.<id>``.
    """

    grade: Grade
    proposed: Grade
    reasons: tuple[str, ...]


class Answered(NamedTuple):
    """What came of an answer.

    Attributes:
        question: what was asked.
        stage: where the question stands now.
        verdict: of a checked answer; ``None`` where the learner ticked, or gave up.
        checked: of an answer to a part of the course, with the words of the whole course; ``None`` elsewhere.
        graded: what counts so far; ``None`` while nothing could be read.
        memory: what is remembered of the item now.
        leech: whether it keeps slipping away: its lesson is worth more than another question.
        test: whether this is a test, in which nothing is told before its end.
    """

    question: Question
    stage: Stage
    verdict: Verdict | None = None
    checked: Checked | None = None
    graded: Graded | None = None
    memory: Memory | None = None
    leech: bool = False
    test: bool = False


class Line(NamedTuple):
    """One question on the sheet.

    Attributes:
        item, variant: what was asked, and in which numbers.
        answer: the first answer, as typed.
        right: whether it was right; ``None`` where none was given.
        graded: what it was worth, and why.
        slips: those that it may show; one alone is sure.
        seconds: how long it took.
        due: the day on which the item comes back.
        leech: whether it keeps slipping away.
        place: the address of the part that was asked; "" for a card.
        reached: whether it was shown at all: with no answer it was then passed over.
    """

    item: Item
    variant: int
    answer: str
    right: bool | None
    graded: Graded | None
    slips: tuple[str, ...]
    seconds: float
    due: date | None
    leech: bool
    place: str = ""
    reached: bool = True


class Sheet(NamedTuple):
    """How a quiz went.

    Attributes:
        wanted: what was asked for.
        began, seconds: when it began, and how long it took.
        lines: its questions.
        limit_s, over: the time of a test in seconds, and whether it ran out.
        due_left: how many are due now.
        next_due: the first day after today on which something is due.
        soon: how many did not go well today, in quizzes and exercises, and come back within minutes.
        unasked: of a quiz that was left early, how many of its questions were never shown. In a test they are lines.
    """

    wanted: Wanted
    began: datetime
    seconds: float
    lines: tuple[Line, ...]
    limit_s: float | None = None
    over: bool = False
    due_left: int = 0
    next_due: date | None = None
    soon: int = 0
    unasked: int = 0

    @property
    def asked(self) -> tuple[Line, ...]:
        """The lines that were graded."""
        return tuple(line for line in self.lines if line.right is not None)

    @property
    def right(self) -> int:
        """How many of them were right at the first answer."""
        return sum(line.right is True for line in self.lines)


class Due(NamedTuple):
    """What waits now.

    Attributes:
        items: how many are due, backlog and all.
        new: how many new ones would come with them today.
        minutes: what one session would take, at the learner's own pace.
        offered: how many one session holds: a backlog comes in pieces.
        next: the day on which something is due, where nothing is now.
    """

    items: int
    new: int
    minutes: int
    offered: int
    next: date | None
