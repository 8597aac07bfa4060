"""The rows of FI-11: one slot a row, a letter for each request, a dot where the slot is idle, a line where time is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from engine.batching import Timeline
from tutor.figures.pen import DIM, STRONG, Part, Pen
from tutor.figures.rows import Row
from tutor.figures.state import between

SHADES = ("$text-primary", "$text-secondary")
"""Requests that follow each other in a slot differ in shade as in letter; the buckets' colours would say something
else."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_WIDEST = 8
"""Columns of a step at most."""
_LABEL = 2
_TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
_APART = 5
"""Columns from one number under the steps to the next."""


def letter(request: int) -> str:
    """The name of a request."""
    return _LETTERS[request % len(_LETTERS)]


class Scale(NamedTuple):
    """How steps become columns: several columns a step, or several steps a column."""

    each: int
    steps: int

    @staticmethod
    def of(steps: int, width: int) -> Scale:
        """The scale that fits so many steps beside the slot's number and the line of time."""
        room = width - _LABEL - 1
        if steps <= room:
            return Scale(between(room // max(1, steps), 1, _WIDEST), 1)
        return Scale(1, -(-steps // room))

    def column(self, step: int) -> int:
        """The column at which a number of steps ends; something that has happened has a column."""
        return max(1, round(step * self.each / self.steps)) if step else 0


def _ends(row: Sequence[int | None], scale: Scale) -> list[tuple[int | None, int]]:
    """Who has the slot up to which column: every stay has a column of its own, and the last one ends on time."""
    stays, step = list[tuple[int | None, int]](), 0
    for who, run in groupby(row):
        step += len(list(run))
        stays.append((who, scale.column(step)))
    ends, last = list[int](), 0
    for _, end in stays:
        last = max(end, last + 1)
        ends.append(last)
    limit = max(scale.column(step), len(ends))
    for place in reversed(range(len(ends))):
        ends[place] = limit = min(ends[place], limit)
        limit -= 1
    return [(who, end) for (who, _), end in zip(stays, ends, strict=True)]


def slot_rows(line: Timeline, passed: int, scale: Scale, pen: Pen) -> list[Row]:
    """Each slot up to the steps that have passed, and the line of time at its end."""
    rows, now = [], scale.column(passed)
    for place, row in enumerate(line.rows, start=1):
        parts: list[Part] = [(f"{place} ", DIM)]
        start = served = 0
        for who, end in _ends(row, scale):
            cells = max(0, min(end, now) - start)
            served += who is not None
            sign, style = (pen.dot, DIM) if who is None else (letter(who), SHADES[served % 2])
            parts.append((sign * cells, style))
            start += cells
        rows.append(pen.art(*parts, ("│", STRONG)))
    return rows


def axis_row(steps: int, scale: Scale, pen: Pen) -> Row:
    """The numbers of some steps, each ending where its step ends."""
    apart = next(n for n in _TICKS if scale.column(n) >= _APART or n >= steps)
    text = ""
    for step in range(apart, steps + 1, apart):
        text = text.ljust(scale.column(step) - len(str(step))) + str(step)
    word = f" {pen.say('batching-timeline.steps')}"
    room = pen.width - _LABEL - len(text)
    return pen.art((" " * _LABEL + text + (word if len(word) <= room else ""), DIM), rank=6)
