"""What progress is made of: attempts, marks, the place to resume. Plain facts; the store keeps them."""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from fractions import Fraction
from pathlib import Path
from typing import Literal, NamedTuple

Status = Literal["new", "tried", "solved", "shown", "skipped"]
Mark = Literal["hint", "shown", "skipped"]
Kind = Literal["newer", "damaged", "readonly", "full", "locked", "no_file", "nowhere", "unmigrated", "unsaved"]
"""What is wrong: ``no_file`` is a folder, a pipe or a device under the file's name; ``nowhere`` a link into a folder
that is not there; ``unmigrated`` an older file whose tables could not be brought up to date, and that stays as it was;
``unsaved`` is said at the end of a run whose writes never found the disk willing."""

Grade = Literal["again", "hard", "good", "easy"]
Source = Literal["quiz", "test", "study", "slip"]


def now() -> datetime:
    """The present moment with its zone: every stored time is UTC."""
    return datetime.now(UTC)


class Attempt(NamedTuple):
    """One judged answer. An answer that could not be read (``invalid``) is no attempt and is never stored.

    ``part`` is an address ("core/L2.1@3/kv"), and ``variant`` the number in it (0: the values as written);
    ``value`` is what was read, in base units, for judging later parts from the learner's own result;
    ``ticked`` are the rubric points that the learner claims in a self-marked part; ``reasons`` the ids of the reasons
    chosen for a right yes or no, in the order in which they were tried.
    """

    part: str
    answer: str
    verdict: Literal["correct", "incorrect"]
    slips: tuple[str, ...]
    hints_used: int
    seconds: float
    variant: int
    when: datetime
    value: Fraction | None = None
    ticked: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


class PartState(NamedTuple):
    """Where one part stands. ``shown``: the solution was seen before a right answer, so it does not count as solved.

    ``reasons`` are those chosen after the last answer.
    """

    status: Status = "new"
    attempts: int = 0
    hints: int = 0
    last_answer: str | None = None
    value: Fraction | None = None
    reasons: tuple[str, ...] = ()


class Place(NamedTuple):
    """Where the learner is; ``draft`` is what stands typed and unsent in the answer line.

    In a variant ``id`` and ``part`` are its addresses.
    """

    screen: Literal["home", "lesson", "exercise"]
    id: str = ""
    section: str = ""
    part: str = ""
    draft: str = ""


class Slip(NamedTuple):
    """A slip that was made ``times`` times, last in ``part`` (an address)."""

    slip: str
    times: int
    part: str


class Unexplained(NamedTuple):
    """A wrong answer that no slip explains: given ``times`` times to ``part`` (an address), last at ``when``.

    ``value`` is what was read, in base units; none for a formula.
    """

    part: str
    answer: str
    value: Fraction | None
    times: int
    when: datetime


class Review(NamedTuple):
    """One graded answer to an item of revision. Reviews are what happened; a :class:`Memory` follows from them.

    Attributes:
        item: id of the item ("core/L2.1/kv", "core/card/token", "core/slip/gib-for-gb").
        when: the moment, UTC.
        day: the learner's day of study then; memory counts whole days, whatever the clock or the zone does later.
        grade: what counts.
        proposed: what the evidence said; another one where the learner overruled it.
        source: "quiz" or "test"; "study" where an exercise was evidence; "slip" where a slip was made elsewhere.
        answer: as typed, or ids of what was ticked.
        right: what the verdict was; ``None`` where the learner ticked what was there.
        seconds, hints: what it took.
        variant: the numbers that were asked; 0 are the values as written.
        slips: named slips of an answer that is no attempt at a part (of an attempt they stand there).
        attempt: uid of the attempt that was recorded with it; "" for none, and until the store sets it.
    """

    item: str
    when: datetime
    day: date
    grade: Grade
    proposed: Grade
    source: Source
    answer: str = ""
    right: bool | None = None
    seconds: float = 0.0
    hints: int = 0
    variant: int = 0
    slips: tuple[str, ...] = ()
    attempt: str = ""


class Memory(NamedTuple):
    """What the reviews of an item add up to (FSRS: stability, difficulty).

    Attributes:
        item: id of the item.
        state: "learning" and "relearning" come again within minutes (``again_at``), "review" after days.
        step: place among the steps of minutes; ``None`` in "review".
        stability: days after which recall is 90 %.
        difficulty: 1 easy to 10 hard.
        day, when: day and moment of the last review.
        again_at: the moment at which it comes again, in minutes; ``None`` in "review".
        reviews, lapses: how many reviews, and how often it was known before and then forgotten.
        streak: right answers in a row up to the last review.
    """

    item: str
    state: Literal["learning", "review", "relearning"]
    step: int | None
    stability: float
    difficulty: float
    day: date
    when: datetime
    again_at: datetime | None
    reviews: int
    lapses: int
    streak: int


After = Callable[["Memory | None", Review], Memory]
"""What a memory is after a further review; the store does not know how that is computed."""


_PERMISSION = (0, errno.EACCES, errno.EPERM)
"""Refusals that permissions mend, and that of which nothing is known."""


class ProgressProblem(Exception):
    """The stored progress cannot be used as it is; nothing was lost.

    ``aside`` is where a damaged file now lies, or the copy of one that could not be brought up to date; ``saved`` how
    many answers of a damaged one could be read and are in the new one; ``code`` the errno that a ``readonly`` one is
    refused with, 0 where the system has not said.
    """

    def __init__(
        self, kind: Kind, path: Path, aside: Path | None = None, saved: int = 0, code: int | None = None
    ) -> None:
        super().__init__(kind, str(path))
        self.kind, self.path, self.aside, self.saved, self.code = kind, path, aside, saved, code or 0

    @property
    def said(self) -> str:
        """The last word of the key of its sentence."""
        if self.kind == "readonly" and self.code not in _PERMISSION:
            return "no_home" if self.code in (errno.EEXIST, errno.ENOTDIR) else "unwritable"
        if self.kind != "damaged":
            return self.kind
        if self.aside is None:
            return "damaged_kept"
        return "damaged_saved" if self.saved else "damaged"


class ImportProblem(Exception):
    """A document is no export of ours: ``where`` in it, and the id of the reason."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(where, reason)
        self.where, self.reason = where, reason


States = Mapping[str, PartState]
