"""Under the pile of FI-4: what each step pushes through the network, with a cache and without, one row a step."""

from __future__ import annotations

from collections.abc import Sequence

from engine.units import grouped
from tutor.figures.pen import DIM, KV, STRONG, Part, Pen
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
    first, last = len(whole) - count, whole[-1]
    label = max(len(pen.say("cache-steps.step")), len(str(len(whole)))) + 1
    half = (pen.width - label - 2) // 2
    room = half - len(grouped(last)) - 1
    cells, apart = (last, True) if room >= 3 * last else (min(room, last), False)
    rows = _heads(label, half, pen)
    for step in range(first, len(whole)):
        new, all = cached[step], whole[step]
        drawn = max(2 if all > new else 1, round(cells * all / last))
        left = _bar(apportion([all - new, new], drawn), new, apart, half + 2)
        right = _bar((0, drawn), all, apart, 0)
        rows.append(pen.art((str(step + 1).ljust(label), DIM), *left, *right, rank=_RANK))
    return rows


def _heads(label: int, half: int, pen: Pen) -> list[Row]:
    """What the signs mean, and the names of the columns."""
    names = pen.say("cache-steps.with").ljust(half + 2) + pen.say("cache-steps.without")
    return [
        pen.gap(),
        pen.art((pen.say("cache-steps.legend", sign="█"), DIM), rank=_RANK + 2),
        pen.art((pen.say("cache-steps.step").ljust(label), DIM), names, rank=_RANK),
    ]


def _bar(cells: Sequence[int], count: int, apart: bool, room: int) -> list[Part]:
    """What a step takes from the cache, what it pushes through, and how many positions that is.

    With ``apart`` each position is two signs and a blank, so that it can be counted.
    """
    kept, pushed = cells
    sign, between = (2, " ") if apart else (1, "")
    parts: list[Part] = [part for _ in range(kept) for part in (("k" * sign, KV), between)]
    parts.append(("█" * sign + between) * pushed)
    text = f"{'' if apart else ' '}{grouped(count)}"
    used = (kept + pushed) * (sign + len(between)) + len(text)
    return [*parts, (text, STRONG), " " * (room - used)]
