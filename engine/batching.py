"""Static against continuous batching: a small exact simulation of which slot serves which request at which step.

The model is the one that the course draws: every request needs a fixed number of decode steps, a server has a fixed
number of slots, one step moves every running request by one token, and requests wait in arrival order. Prefill and the
differing length of real steps are left out on purpose; the idle cells are what the two schedules differ in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Mode = Literal["static", "continuous"]

MAX_CELLS = 1_000_000
"""Most slot-steps that a simulation may hold (a guard against a typed length of a billion)."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """What a schedule did.

    ``rows[slot][step]`` is the request served there (its place in ``lengths``), or ``None`` where the slot was idle.
    """

    mode: Mode
    lengths: tuple[int, ...]
    rows: tuple[tuple[int | None, ...], ...]

    @property
    def slots(self) -> int:
        """How many requests can run at once."""
        return len(self.rows)

    @property
    def steps(self) -> int:
        """Steps until the last request is done."""
        return len(self.rows[0])

    @property
    def busy(self) -> int:
        """Slot-steps that made a token."""
        return sum(self.lengths)

    @property
    def idle(self) -> int:
        """Slot-steps that made nothing."""
        return self.slots * self.steps - self.busy

    @property
    def idle_share(self) -> Fraction:
        """Idle slot-steps as a share of all; 0 when there was nothing to do."""
        return Fraction(self.idle, self.slots * self.steps) if self.steps else Fraction(0)

    def idle_by(self, step: int) -> int:
        """Slot-steps of the first ``step`` steps that made nothing."""
        return sum(row[:step].count(None) for row in self.rows)

    def idle_share_by(self, step: int) -> Fraction:
        """The idle share of the first ``step`` steps; 0 of none."""
        passed = self.slots * min(step, self.steps)
        return Fraction(self.idle_by(step), passed) if passed else Fraction(0)

    def start(self, request: int) -> int:
        """The first step that serves a request, counted from 1. Raises ``IndexError`` for no such request."""
        if not 0 <= request < len(self.lengths):
            raise IndexError(request)
        return min(row.index(request) for row in self.rows if request in row) + 1

    def finish(self, request: int) -> int:
        """Steps until a request is done, its waiting included. Raises ``IndexError`` for no such request."""
        if not 0 <= request < len(self.lengths):
            raise IndexError(request)
        return max(step for row in self.rows for step, served in enumerate(row, start=1) if served == request)


def simulate(lengths: Sequence[int], slots: int, mode: Mode) -> Timeline:
    """Serve requests of the given lengths (steps, in order of arrival) in ``slots`` slots.

    Raises ``ValueError`` for no slot, for a length under 1, and for more than :data:`MAX_CELLS` slot-steps.
    """
    if slots < 1 or any(length < 1 for length in lengths):
        raise ValueError("slots and lengths must be at least 1")
    if slots * sum(lengths) > MAX_CELLS:
        raise ValueError("too many steps to simulate")
    rows = _static(lengths, slots) if mode == "static" else _continuous(lengths, slots)
    steps = max(len(row) for row in rows)
    return Timeline(mode, tuple(lengths), tuple((*row, *[None] * (steps - len(row))) for row in rows))


def _static(lengths: Sequence[int], slots: int) -> list[list[int | None]]:
    """A batch starts together and the next one waits for its slowest request."""
    rows: list[list[int | None]] = [[] for _ in range(slots)]
    for first in range(0, len(lengths), slots):
        batch = lengths[first : first + slots]
        longest = max(batch)
        for slot, row in enumerate(rows):
            own = batch[slot] if slot < len(batch) else 0
            row += [first + slot] * own + [None] * (longest - own)
    return rows


def _continuous(lengths: Sequence[int], slots: int) -> list[list[int | None]]:
    """A slot that falls free takes the next waiting request at the next step; of several, the first slot is first."""
    rows: list[list[int | None]] = [[] for _ in range(slots)]
    for request, length in enumerate(lengths):
        min(rows, key=len).extend([request] * length)
    return rows
