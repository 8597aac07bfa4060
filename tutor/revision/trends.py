"""Slips over time: which were made lately, and whether they get fewer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final, Literal, NamedTuple

from tutor.progress import Memory
from tutor.revision.schedule import Plan, due_day

SPAN: Final = 14
"""Days that are set beside as many days before them."""


class SlipTrend(NamedTuple):
    """A slip: how often it was made at all, in the last :data:`SPAN` days and in those before them; the last day; and
    when it is asked again, ``None`` where it is no item yet."""

    slip: str
    times: int
    recent: int
    before: int
    trend: Literal["more", "fewer", "same"]
    last: date
    due: date | None


def slips(made: Mapping[str, Sequence[date]], memories: Mapping[str, Memory], plan: Plan) -> tuple[SlipTrend, ...]:
    """The trends of slips, those made most in the last days first.

    Args:
        made: slip -> the day of each time.
        memories: by item id.
        plan: today.
    """
    items = {id_.partition("/slip/")[2]: memory for id_, memory in memories.items() if "/slip/" in id_}
    found = [_trend(slip, days, items.get(slip), plan) for slip, days in made.items() if days]
    return tuple(sorted(found, key=lambda one: (-one.recent, -one.last.toordinal(), -one.times, one.slip)))


def _trend(slip: str, days: Sequence[date], memory: Memory | None, plan: Plan) -> SlipTrend:
    edge = plan.today - timedelta(days=SPAN)
    recent = sum(day > edge for day in days)
    before = sum(edge - timedelta(days=SPAN) < day <= edge for day in days)
    trend: Literal["more", "fewer", "same"] = "more" if recent > before else "fewer" if recent < before else "same"
    return SlipTrend(slip, len(days), recent, before, trend, max(days), due_day(memory, plan) if memory else None)
