"""Readings beside the data sheet: those that no memory can give, and those that forbid a verdict.

Sources: probe.md sections 0.5 (a cache answers in memory's place) and 2.7 (its two limits).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from engine.catalog import Gpu
from engine.probe.readings import Note, Run

CACHE = 1.02
"""Over this share of the data sheet's bandwidth it was a cache that answered."""
SLOW = 0.4
"""Under this share, copies too, something other than the card sets the pace."""

_One = TypeVar("_One")


def believed(run: Run, card: Gpu | None) -> tuple[Run, tuple[Note, ...]]:
    """The run without what was read faster than memory can be, and a note for each kind of reading that was."""
    if card is None:
        return run, ()
    bandwidth = card.bandwidth
    notes: list[Note] = []

    def kept(what: str, readings: Iterable[_One], rate: Callable[[_One], float]) -> tuple[_One, ...]:
        every = tuple(readings)
        too_fast = [rate(one) / bandwidth for one in every if rate(one) > CACHE * bandwidth]
        if too_fast:
            notes.append(Note("cache-reading", {"what": what, "share": max(too_fast)}))
        return tuple(one for one in every if rate(one) <= CACHE * bandwidth)

    copies = kept("copy", (one for one in run.moved if one.what == "copy"), lambda one: one.rate)
    reads = kept("read", (one for one in run.moved if one.what == "read"), lambda one: one.rate)
    linear = kept("linear", run.linear, lambda one: one.bytes / one.time.seconds)
    caches = kept("kv", run.caches, lambda one: one.rate)
    return replace(run, moved=(*copies, *reads), linear=linear, caches=caches), tuple(notes)


def slow_memory(run: Run, card: Gpu | None) -> Note | None:
    """A note where even copies reach under :data:`SLOW` of the data sheet: the driver's spill into host memory, a power
    state, another process. No verdict holds then."""
    rates = [one.rate for one in run.moved]
    if card is None or not any(one.what == "copy" for one in run.moved):
        return None
    share = max(rates) / card.bandwidth
    return Note("slow-memory", {"share": share}) if share < SLOW else None
