"""The line of tokens in flight under the two phases: logarithmic, with the crossing and where we are on it."""

from __future__ import annotations

from fractions import Fraction
from math import log2

from tutor.figures.pen import ACCENT, DIM, Pen
from tutor.figures.rows import Row
from tutor.figures.state import between

MOST = 8192
"""The tokens at the right end of the line."""
_TICKS = (1, 10, 100, 1000, MOST)


def at(tokens: float, width: int) -> int:
    """The column of a number of tokens."""
    return between(round(log2(max(1.0, tokens)) / log2(MOST) * (width - 1)), 0, width - 1)


def scale(tokens: int, edge: Fraction | None, ridge: bool, sides: bool, pen: Pen) -> list[Row]:
    """The line.

    Args:
        tokens: where we are.
        edge: the crossing, ``None`` where it is not told.
        ridge: whether it is the card's ridge.
        sides: whether both sides are named, and have the patterns of the reading's and the math's bar.
        pen: where to.
    """
    width, here = pen.width, at(tokens, pen.width)
    mark = pen.art((_mark(here, pen.say("phases.here", tokens=pen.count("tokens", tokens)), pen), ACCENT), rank=4)
    ticks = pen.art((_ticks(width), DIM), rank=6)
    if edge is None or edge > MOST:
        return [pen.art(("─" * width, DIM), rank=4), mark, ticks]
    place = at(float(edge), width)
    name = pen.say("phases.ridge-mark" if ridge else "phases.crossing-mark")
    read, math = "▒█" if sides else "──"
    line = read * place + "┼" + math * (width - place - 1)
    return [pen.art((_above(place, name, sides, pen), DIM), rank=5), pen.art((line, DIM), rank=4), mark, ticks]


def _mark(here: int, name: str, pen: Pen) -> str:
    """Where we are, and what the line counts: behind the mark, before it where there is no room."""
    mark = "^" if pen.ascii else "▲"
    if here + 2 + len(name) <= pen.width:
        return f"{' ' * here}{mark} {name}"
    return f"{name} {mark}".rjust(here + 1) if len(name) < here else " " * here + mark


def _above(place: int, name: str, sides: bool, pen: Pen) -> str:
    """The name over the crossing and, where there is room, those of both sides."""
    start = between(place - len(name) // 2, 0, pen.width - len(name))
    made = name.rjust(start + len(name))
    for size in ("long", "short") if sides else ():
        left, right = pen.say(f"roofline.left.{size}"), pen.say(f"roofline.right.{size}")
        before, behind = start - len(left), pen.width - len(made) - len(right)
        if before >= 4 and behind >= 4:
            return (" " * (before // 2) + left).ljust(start) + name + " " * (behind // 2) + right
    return made


def _ticks(width: int) -> str:
    made = ""
    for tokens in _TICKS:
        text = str(tokens)
        start = between(at(tokens, width) - len(text) // 2, 0, width - len(text))
        if start > len(made) or not made:
            made = made.ljust(start) + text
    return made
