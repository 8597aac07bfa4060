"""A course of figures in one row of cells, a cell for each; the newest stands at the right end of what is drawn."""

from __future__ import annotations

from collections.abc import Sequence

BLOCKS = "▁▂▃▄▅▆▇"
PLAIN = "_.:-=+*"


def spark(values: Sequence[float | None], width: int, top: float | None = None, ascii_only: bool = False) -> str:
    """The last ``width`` figures, from nought at the lowest sign up to ``top``, or to the largest that is drawn.

    Args:
        values: oldest first; ``None`` where there is no figure, which stays blank.
        width: cells.
        top: what the highest sign stands for.
        ascii_only: in plain signs.
    """
    drawn = values[-width:] if width > 0 else ()
    high = top if top is not None else max((one for one in drawn if one is not None), default=0.0)
    signs = PLAIN if ascii_only else BLOCKS
    return "".join(" " if one is None else signs[_level(one, high, len(signs))] for one in drawn)


def _level(value: float, high: float, levels: int) -> int:
    """The sign of a value; whatever is there at all stands above nought."""
    if high <= 0 or value <= 0:
        return 0
    return min(levels - 1, max(1, round(value / high * (levels - 1))))
