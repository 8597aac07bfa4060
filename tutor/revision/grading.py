"""A grade from evidence: what the verdict was, which help was used, how long it took beside the learner's own pace.

Nobody is asked to grade themselves; whoever knows better may overrule (see ``Run.overrule``).
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final, NamedTuple

from content.slips import only
from engine.answers.model import Verdict
from engine.answers.nearness import close
from tutor.progress import Grade
from tutor.revision.model import Graded

FAST, SLOW = 0.5, 3.0
"""Times the learner's own median: faster was easy, slower was hard."""
ENOUGH: Final = 5
"""Answers that make a pace."""
OWN: Final = 3
"""Answers to this very item that make one."""
AWAY_S: Final = 900.0
"""Seconds after which the time says that somebody went away, and nothing else."""
HALF: Final = 0.5
"""Share of a card's ideas below which it was not known."""


class Evidence(NamedTuple):
    """What is known about an answer.

    Attributes:
        right: whether it was right.
        near: wrong, but only in the reckoning.
        unit: wrong, but only in that its unit is missing.
        slip_again: the very slip that this item is about was made again.
        other: an item about a slip was answered wrong in another way.
        hints, ladder: hints read for it, and how many there are.
        shown: the solution was seen before.
        gave_up: the learner said "I do not know".
        seconds: how long it took; 0 where nobody measured.
        pace: the learner's median for such items in seconds; ``None`` before there is one.
        ticked: ideas that were there, of how many; ``None`` where the answer was checked.
        test: whether it was a test, where there is no help.
        study: whether it was an exercise.
    """

    right: bool
    near: bool = False
    unit: bool = False
    slip_again: bool = False
    other: bool = False
    hints: int = 0
    ladder: int = 0
    shown: bool = False
    gave_up: bool = False
    seconds: float = 0.0
    pace: float | None = None
    ticked: tuple[int, int] | None = None
    test: bool = False
    study: bool = False


def grade(evidence: Evidence) -> Graded:
    """The grade of an answer with its reasons."""
    kind, reasons = _grade(evidence)
    where = ("test",) if evidence.test else ("study",) if evidence.study else ()
    return Graded(kind, kind, (*reasons, *where))


def _grade(e: Evidence) -> tuple[Grade, tuple[str, ...]]:
    if e.gave_up:
        return "again", ("gave-up",)
    if e.ticked is not None:
        return _ticked(*e.ticked)
    if not e.right:
        if e.slip_again or e.other:
            return "again", ("slip-again" if e.slip_again else "other-slip",)
        if (e.near or e.unit) and not e.hints and not e.shown:
            return "hard", ("unit" if e.unit else "near",)
        return "again", ("wrong",)
    if e.shown:
        return "again", ("right", "shown-before")
    if e.hints:
        return ("again", ("right", "all-hints")) if e.hints >= e.ladder > 1 else ("hard", ("right", "some-hints"))
    return _by_pace(e)


def _by_pace(e: Evidence) -> tuple[Grade, tuple[str, ...]]:
    if e.pace is None or not 0 < e.seconds < AWAY_S:
        return "good", ("right", "no-pace")
    if e.seconds > SLOW * e.pace:
        return "hard", ("right", "slow")
    if e.seconds < FAST * e.pace:
        return "easy", ("right", "fast")
    return "good", ("right", "usual")


def _ticked(there: int, of: int) -> tuple[Grade, tuple[str, ...]]:
    if there >= of:
        return "good", ("ticked-all",)
    return ("hard", ("ticked-some",)) if there > HALF * of else ("again", ("ticked-few",))


def near(verdict: Verdict) -> bool:
    """Whether a wrong number shows the right method: close to the right one, and no slip gives it."""
    read, expected = verdict.read, verdict.expected
    if verdict.verdict != "incorrect" or verdict.slips or read is None or expected is None:
        return False
    if read.base_value is None or not expected.value:
        return False
    return close(read.base_value, expected.value, expected.unit or "none")


def unit_missing(verdict: Verdict) -> bool:
    """Whether a number is right in bytes, and only its unit is missing."""
    wrong = verdict.verdict == "incorrect" and not verdict.ambiguous
    return wrong and bool(verdict.slips) and only(verdict.slips[0]) == "unit"


def pace(own: Sequence[float], alike: Sequence[float]) -> float | None:
    """The learner's median time in seconds: for this very item where there are enough, else for items of its kind."""
    for times, enough in ((own, OWN), (alike, ENOUGH)):
        known = [seconds for seconds in times if 0 < seconds < AWAY_S]
        if len(known) >= enough:
            return median(known)
    return None
