"""Under the pile of FI-4: what goes through the model in each step, with a cache and without, one row a step."""

from __future__ import annotations

from collections.abc import Sequence

from engine.units import grouped
from tutor.figures.pen import DIM, KV, STRONG, Part, Pen
from tutor.figures.rows import GAP, Row, apportion

_RANK = 4
"""Rank of the steps."""
_LEGEND = 8
_MOST = 12
"""Rows of steps at most: more of the same say nothing new."""


_HELD = 4
"""Rows that are kept for steps from the first one on, so that what stands below them stays."""


def with_steps(
    tops: Sequence[Row], cached: Sequence[int], whole: Sequence[int], height: int, least: int, pen: Pen, *, noted: bool
) -> list[Row]:
    """``tops`` and below them the steps in ``height`` lines; nothing where not ``least`` steps have room, 3 or more.

    Whether the legend and the empty lines have room beside the steps is settled for all of them at once. ``noted``: a
    sentence with an empty line before it follows.
    """
    bare = [row for row in tops if row.rank < GAP]
    gaps, legend = len(tops) - len(bare) + 1 + noted, len(_legend(pen, kept=True))
    for above, airy, told in ((tops, True, True), (bare, False, True), (bare, False, False)):
        room = height - 1 - len(bare) - gaps * airy - legend * told
        if room >= least:
            held = _HELD if airy else min(room, _MOST)
            rows = step_rows(cached, whole, min(room, _MOST), held, pen)
            return [*above, *([pen.gap()] if airy else []), *(_legend(pen, len(whole) > 1) if told else []), *rows]
    return []


def step_rows(cached: Sequence[int], whole: Sequence[int], most: int, held: int, pen: Pen) -> list[Row]:
    """The first step and the last ones in at most ``most`` rows below their heading, and no fewer than ``held``.

    ``cached`` and ``whole`` hold the tokens that go through the model in each step, with a cache and without.
    Where steps are left out a row of dots stands for them.
    """
    count = min(most, len(whole))
    last = whole[-1]
    label = max(len(pen.say("cache-steps.step")), len(str(len(whole)))) + 1
    half = (pen.width - label - 2) // 2
    size = scale(last, max(1, half - len(grouped(last)) - 1))
    names = pen.say("cache-steps.with").ljust(half + 2) + pen.say("cache-steps.without")
    cell = f"  █ = {grouped(size)}"
    names += cell if size > 1 and label + len(names) + len(cell) <= pen.width else ""
    rows = [pen.art((pen.say("cache-steps.step").ljust(label), DIM), names, rank=_RANK)]
    for step in _shown(len(whole), count):
        if step is None:
            rows.append(pen.art(("..." if pen.ascii else "…", DIM), rank=_RANK))
            continue
        new, all = cached[step], whole[step]
        drawn = max(2 if all > new else 1, round(all / size))
        left = _bar(apportion([all - new, new], drawn), new, half + 2)
        right = _bar((0, drawn), all, 0)
        rows.append(pen.art((str(step + 1).ljust(label), DIM), *left, *right, rank=_RANK))
    return [*rows, *[pen.art("", rank=_RANK)] * (held - count)]


def scale(most: int, room: int) -> int:
    """Tokens of one cell, a round number, so that ``most`` of them go into ``room``."""
    size = 1
    while most > size * room:
        size = size * 5 // 2 if str(size).startswith("2") else size * 2
    return size


def _shown(steps: int, rows: int) -> list[int | None]:
    """Steps for so many rows: all, or the first, dots, and the last ones."""
    if steps <= rows:
        return list(range(steps))
    return [0, None, *range(steps - rows + 2, steps)]


def _legend(pen: Pen, kept: bool) -> list[Row]:
    """What the signs mean, always over as many rows; in the first step nothing that was ``kept`` is drawn."""
    every = pen.wrapped(pen.say("cache-steps.legend", sign="█"), DIM, _LEGEND)
    shown = every if kept else pen.wrapped(pen.say("cache-steps.legend-first", sign="█"), DIM, _LEGEND)
    rows = [*(Row(row.content, row.rank, "") for row in shown)]
    return [*rows, *[pen.art("", rank=_LEGEND)] * (len(every) - len(rows))]


def _bar(cells: Sequence[int], count: int, room: int) -> list[Part]:
    """What a step takes from the cache, what goes through the model in it, and how many tokens that is."""
    kept, pushed = cells
    text = f" {grouped(count)}"
    parts: list[Part] = [("k" * kept, KV)] if kept else []
    return [*parts, "█" * pushed, (text, STRONG), " " * (room - kept - pushed - len(text))]
