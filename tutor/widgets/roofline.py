"""The roofline: log against log, the roof of one card, and where decode and prefill stand under it.

Points are letters, so that nothing hangs on colour: D decode, P prefill, M decode as measured. The line is drawn in
Braille dots, or in full stops where only ASCII is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log10

from textual.content import Content

from tutor.figures.pen import DIM
from tutor.widgets.plot import Art, Window, hooked, label, line, styled

ROWS = 7
WIDEST = 64
"""Columns from which a wider drawing would only be emptier."""
NARROWEST = 24


@dataclass(frozen=True, slots=True)
class Point:
    """A step: FLOPs a byte that it asks for, FLOPs a second that it gets."""

    letter: str
    intensity: Fraction
    rate: Fraction


@dataclass(frozen=True, slots=True)
class Roof:
    """A card's two ceilings, and the points under them."""

    bandwidth: Fraction
    peak: Fraction
    points: tuple[Point, ...]
    measured: bool = False
    """Whether the ceilings are what this card reached, not its data sheet."""

    @property
    def ridge(self) -> Fraction:
        """FLOPs a byte at which the roof turns."""
        return self.peak / self.bandwidth


def _frame(roof: Roof) -> Window:
    """All points and the ridge are inside, with a little room; whole steps would waste half of a small drawing."""
    ridge = float(roof.ridge)
    xs = [float(p.intensity) for p in roof.points if p.intensity > 0] or [ridge]
    ys = [float(p.rate) for p in roof.points if p.rate > 0] or [float(roof.peak)]
    left = log10(min(*xs, ridge) if len(xs) > 1 else min(xs[0], ridge)) - 0.35
    right = log10(max([*xs, ridge])) + 0.6
    floor = min([*ys, float(roof.bandwidth) * 10**left])
    return Window(left, right, log10(floor) - 0.1, log10(float(roof.peak)) + 0.12)


def draw(roof: Roof, width: int, words: tuple[str, str, str], ascii_only: bool = False) -> Sequence[Content]:
    """The drawing; ``words`` are the label of the flat part, of the slope, and of the ridge under the line."""
    cells = max(NARROWEST, min(WIDEST, width))
    frame = _frame(roof)
    art = line(lambda x: _height(roof, x), frame, cells, ROWS, ascii_only)
    flat, slope, ridge = words
    turn = frame.x(float(roof.ridge), cells)
    marks: dict[tuple[int, int], str] = {}
    for point in roof.points:
        if point.intensity > 0 and point.rate > 0:
            at = frame.x(float(point.intensity), cells), frame.y(float(point.rate), ROWS)
            while at in marks:  # two points in one cell stand side by side
                at = min(cells - 1, at[0] + 1) if at[0] + 1 < cells else at[0] - 1, at[1]
            marks[at] = point.letter
    label(art, marks, flat, 1, cells - len(flat))
    label(art, marks, slope, *_under_the_slope(art, turn))
    lines = [styled(cells_of, {x: letter for (x, y), letter in marks.items() if y == number}).rstrip()
             for number, cells_of in enumerate(art)]  # fmt: skip
    return [*lines, _axis(turn, cells, ridge, ascii_only)]


def _under_the_slope(art: Art, turn: int) -> tuple[int, int]:
    """Where a label fits to the right of the slope, in the row in the middle."""
    row = len(art) // 2 + 1
    filled = [place for place, cell in enumerate(art[row]) if cell != " "]
    return row, (max(filled) + 3 if filled else turn + 3)


def _axis(turn: int, cells: int, ridge: str, ascii_only: bool) -> Content:
    """The ridge under the drawing, its label where there is room."""
    start, told = hooked(ridge, turn, cells, "^^" if ascii_only else "└┘")
    return Content.styled(" " * start + told, DIM)


def _height(roof: Roof, x: float) -> float:
    """Power of ten of the roof over a power of ten of the intensity."""
    return min(x + log10(float(roof.bandwidth)), log10(float(roof.peak)))
