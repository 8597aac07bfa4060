"""When an item is due: its memory, the recall that the learner wants, an exam perhaps. Pure arithmetic.

The forgetting curve is that of FSRS-6: recall after t days at stability S is (1 + F t / S) ** -D, with F such that it
is 0.9 at t = S. (The package fsrs has it too; importing that takes longer than all of this.)
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from tutor.progress import Memory

DECAY: Final = 0.1542
"""D: the published default of FSRS-6, its last parameter."""
FACTOR: Final = 0.9 ** (-1 / DECAY) - 1
LONGEST: Final = 36500
"""Days of the longest interval, as in FSRS."""

SPREAD: Final = ((2.5, 7.0, 0.15), (7.0, 20.0, 0.1), (20.0, float("inf"), 0.05))
"""From, to (days), share: an interval varies by the shares of its parts, as in Anki, so that what was learnt together
does not come back on one day for ever."""

LAST_DAYS: Final = 7
"""Days before an exam over which a last pass is spread."""
EXAM_RECALL: Final = 0.95
"""What would stand below this on the day of the exam gets a last pass."""

LEECH: Final = 4
"""So often known and forgotten again: more questions do not help then. (Anki suspends at eight; answers that are
worked out say more than answers that are recognised.)"""
CURED: Final = 2
"""Right answers in a row after which a leech is none any more."""


class Plan(NamedTuple):
    """What due means for this learner today.

    Attributes:
        today: the day of study.
        now: the moment.
        retention: the wanted chance of a right answer when an item comes up, 0 to 1.
        exam: day of the exam; ``None`` for none. A day that is past plays no role.
    """

    today: date
    now: datetime
    retention: float = 0.9
    exam: date | None = None


def recall(memory: Memory, day: date) -> float:
    """The chance of a right answer on a day without further revision, 0 to 1."""
    return float((1 + FACTOR * max((day - memory.day).days, 0) / memory.stability) ** -DECAY)


def interval_days(stability: float, retention: float) -> int:
    """Whole days after which recall has fallen to ``retention``, at least one."""
    days = round(stability / FACTOR * (float(retention ** (-1 / DECAY)) - 1))
    return min(max(days, 1), LONGEST)


def due_day(memory: Memory, plan: Plan) -> date:
    """The day on which an item comes up. A memory from a day that has not come yet (a clock was ahead) is due today."""
    if memory.day > plan.today:
        return plan.today
    if memory.again_at is not None:
        return memory.day
    due = memory.day + timedelta(days=_spread(memory, interval_days(memory.stability, plan.retention)))
    return min(due, _last_pass(memory, plan) or due)


def is_due(memory: Memory, plan: Plan) -> bool:
    """Whether an item is to be asked now: its day has come, or its minutes are over."""
    if memory.again_at is not None and memory.day == plan.today:
        return memory.again_at <= plan.now
    return due_day(memory, plan) <= plan.today


def forecast(memories: Iterable[Memory], plan: Plan, days: int) -> tuple[int, ...]:
    """How many come up on each day from today on; what is overdue stands in the first."""
    counts = [0] * days
    for memory in memories:
        place = max((due_day(memory, plan) - plan.today).days, 0)
        if place < days:
            counts[place] += 1
    return tuple(counts)


def is_leech(memory: Memory) -> bool:
    """Whether an item was known and forgotten so often that its lesson is worth more than another question."""
    return memory.lapses >= LEECH and memory.streak < CURED


def new_today(wished: int, waiting: int, plan: Plan) -> int:
    """How many new items a day takes in: the learner's number, or more where an exam leaves too few days for all."""
    if plan.exam is None or plan.exam <= plan.today:
        return wished
    days = max((plan.exam - plan.today).days - LAST_DAYS, 1)
    return max(wished, -(-waiting // days))


def _last_pass(memory: Memory, plan: Plan) -> date | None:
    """The day of the last pass before the exam; ``None`` where there is no need, or it was reviewed in those days."""
    if plan.exam is None or plan.exam <= plan.today:
        return None
    first = plan.exam - timedelta(days=LAST_DAYS)
    if memory.day >= first or recall(memory, plan.exam) >= max(EXAM_RECALL, plan.retention):
        return None
    return first + timedelta(days=int(_chance(memory.item) * LAST_DAYS))


def _spread(memory: Memory, days: int) -> int:
    """The interval, longer or shorter by a little: the same for the same review, on every machine."""
    reach = sum(share * max(min(days, end) - start, 0.0) for start, end, share in SPREAD)
    if reach < 1:
        return days
    chance = _chance(f"{memory.item} {memory.reviews} {memory.day}")
    return max(round(days + (2 * chance - 1) * reach), 2)


def _chance(key: str) -> float:
    """A number from 0 to below 1 that a text decides."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:6], "big") / 2**48
