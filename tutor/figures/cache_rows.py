"""Under the pile of FI-4: what each step pushes through the network, with a cache and without, one row a step."""

from __future__ import annotations

from collections.abc import Sequence

from engine.units import grouped
from tutor.figures.pen import DIM, KV, STRONG, TEAL, Part, Pen
from tutor.figures.rows import Row, apportion

_MOST = 12
"""Steps shown at most: more of the same say nothing new."""
_LEAST = 2
_HEAD = 3
"""Rows above the steps: a gap, what the letters mean, the names of the columns."""
_RANK = 6


def step_rows(cached: Sequence[int], whole: Sequence[int], room: int, pen: Pen) -> list[Row]:
    """The last steps in at most ``room`` rows; nothing where two would not fit.

    ``cached`` and ``whole`` hold the positions that each step pushes through, with a cache and without.
    """
    count = min(room - _HEAD, _MOST, len(whole))
    if count < min(_LEAST, len(whole)):
        return []
    first = len(whole) - count
    name = pen.say("cache-steps.step")
    label = max(len(name), len(str(len(whole)))) + 1
    half = (pen.width - label - 2) // 2
    bar = half - len(grouped(whole[-1])) - 1
    apart = bar >= 3 * whole[-1]
    bar = whole[-1] if apart else min(bar, whole[-1])
    heads: list[Part] = [(name.ljust(label), DIM), pen.say("cache-steps.with").ljust(half + 2)]
    rows = [
        pen.gap(),
        *[Row(row.content, _RANK + 2, "") for row in pen.wrapped(pen.say("cache-steps.legend"), DIM)[:1]],
        pen.art(*heads, pen.say("cache-steps.without"), rank=_RANK),
    ]
    for step in range(first, len(whole)):
        new, all = cached[step], whole[step]
        cells = max(2 if all > new else 1, round(bar * all / whole[-1]))
        left, right = apportion([all - new, new], cells), (0, cells)
        rows.append(
            pen.art(
                (str(step + 1).ljust(label), DIM),
                *_bar(left, new, TEAL, apart, half + 2),
                *_bar(right, all, "", apart, half),
                rank=_RANK,
            )
        )
    return rows


def _bar(cells: Sequence[int], count: int, style: str, apart: bool, room: int) -> list[Part]:
    """What a step takes from the cache, what it pushes through, and how many positions that is."""
    kept, pushed = cells
    each, between = (2, " ") if apart else (1, "")
    parts: list[Part] = [part for _ in range(kept) for part in (("k" * each, KV), between)]
    parts.append((("█" * each + between) * pushed, style))
    text = f"{'' if apart else ' '}{grouped(count)}"
    used = (kept + pushed) * (each + len(between)) + len(text)
    return [*parts, (text, STRONG), " " * (room - used)]
