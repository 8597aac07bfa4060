"""From reviews to a memory, by FSRS (the package fsrs): what the store calls its ``After``.

Each review is fed to FSRS at noon of its day of study, so that the days between two reviews are counted exactly; hours
within a day make no difference to FSRS.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from tutor.progress import Memory, Review

if TYPE_CHECKING:
    from fsrs import Card, Scheduler

AGAIN_IN: Final = timedelta(minutes=10)
"""What was not known comes again after this. One step is enough: a right answer here was worked out, not recognised."""

_STATES: Final[dict[int, Literal["learning", "review", "relearning"]]] = {1: "learning", 2: "review", 3: "relearning"}


def after(memory: Memory | None, review: Review) -> Memory:
    """What is remembered of an item after a further review.

    A review on an earlier day than the last one (the clock was set back) counts as one of the same day, and the memory
    goes on from the day that the clock now says.
    """
    from fsrs import Rating

    elapsed = max((review.day - memory.day).days, 0) if memory is not None else 0
    rating = Rating[review.grade.capitalize()]
    card, _ = _scheduler().review_card(_card(memory), rating, _noon(_EPOCH + timedelta(days=elapsed)))
    state, missed = _STATES[int(card.state)], review.grade == "again"
    known, before = memory is not None and memory.state == "review", memory or _NOTHING
    return Memory(
        review.item,
        state,
        card.step,
        card.stability or 0.0,
        card.difficulty or 0.0,
        review.day,
        review.when,
        None if state == "review" else review.when + (card.due - _noon(_EPOCH + timedelta(days=elapsed))),
        before.reviews + 1,
        before.lapses + (1 if missed and known else 0),
        0 if missed else before.streak + 1,
    )


_EPOCH: Final = date(2000, 1, 1)
"""FSRS is told days since the last review only; which days they are is nobody's business there."""

_NOTHING: Final = Memory("", "learning", 0, 0.0, 0.0, _EPOCH, datetime(2000, 1, 1, tzinfo=UTC), None, 0, 0, 0)


@lru_cache(maxsize=1)
def _scheduler() -> Scheduler:
    """FSRS with its published parameters. Neither the wished-for recall nor chance play a role in a memory: both
    decide only when it is asked for, see :mod:`tutor.revision.schedule`."""
    from fsrs import Scheduler

    return Scheduler(learning_steps=(AGAIN_IN,), relearning_steps=(AGAIN_IN,), enable_fuzzing=False)


def _card(memory: Memory | None) -> Card:
    from fsrs import Card, State

    if memory is None:
        return Card(card_id=0)
    state = State[memory.state.capitalize()]
    last = _noon(_EPOCH)
    return Card(0, state, memory.step, memory.stability, memory.difficulty, last, last)


def _noon(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)
