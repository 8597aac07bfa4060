"""Under the pile of FI-4: what goes through the model in each step, with a cache and without, one row a step."""

from __future__ import annotations

from collections.abc import Sequence

from engine.units import grouped
from tutor.figures.pen import DIM, KV, STRONG, Part, Pen
from tutor.figures.rows import Row, apportion

_RANK = 4
"""Rank of the steps."""
_LEGEND = 8
_MOST = 12
"""Rows of steps at most: more of the same say nothing new."""


def step_rows(cached: Sequence[int], whole: Sequence[int], room: int, least: int, pen: Pen) -> list[Row]:
    """The first step and the last ones in at most ``room`` rows; nothing where not ``least`` of them fit, 3 or more.

    ``cached`` and ``whole`` hold the tokens that go through the model in each step, with a cache and without.
    Where steps are left out a row of dots stands for them.
    """
    count = min(room - 1, _MOST, len(whole))
    if count < min(least, len(whole)):
        return []
    last = whole[-1]
    label = max(len(pen.say("cache-steps.step")), len(str(len(whole)))) + 1
    half = (pen.width - label - 2) // 2
    cells = min(half - len(grouped(last)) - 1, last)
    rows = _heads(label, half, pen, kept=len(whole) > 1)
    for step in _shown(len(whole), count):
        if step is None:
            rows.append(pen.art(("..." if pen.ascii else "…", DIM), rank=_RANK))
            continue
        new, all = cached[step], whole[step]
        drawn = max(2 if all > new else 1, round(cells * all / last))
        left = _bar(apportion([all - new, new], drawn), new, half + 2)
        right = _bar((0, drawn), all, 0)
        rows.append(pen.art((str(step + 1).ljust(label), DIM), *left, *right, rank=_RANK))
    return rows


def _shown(steps: int, rows: int) -> list[int | None]:
    """Steps for so many rows: all, or the first, dots, and the last ones."""
    if steps <= rows:
        return list(range(steps))
    return [0, None, *range(steps - rows + 2, steps)]


def _heads(label: int, half: int, pen: Pen, *, kept: bool) -> list[Row]:
    """What the signs mean, and the names of the columns; in the first step nothing that was ``kept`` is drawn."""
    names = pen.say("cache-steps.with").ljust(half + 2) + pen.say("cache-steps.without")
    legend = pen.wrapped(pen.say("cache-steps.legend" if kept else "cache-steps.legend-first", sign="█"), DIM, _LEGEND)
    return [
        pen.gap(),
        *(Row(row.content, row.rank, "") for row in legend),
        pen.art((pen.say("cache-steps.step").ljust(label), DIM), names, rank=_RANK),
    ]


def _bar(cells: Sequence[int], count: int, room: int) -> list[Part]:
    """What a step takes from the cache, what goes through the model in it, and how many tokens that is."""
    kept, pushed = cells
    text = f" {grouped(count)}"
    parts: list[Part] = [("k" * kept, KV)] if kept else []
    return [*parts, "█" * pushed, (text, STRONG), " " * (room - kept - pushed - len(text))]
