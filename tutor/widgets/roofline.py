"""The roofline: log against log, the roof of one card, and where decode and prefill stand under it.

Points are letters, so that nothing hangs on colour: D decode, P prefill, M decode as measured. The line is drawn in
Braille dots, or in full stops where only ASCII is wanted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log10

from textual.content import Content

from tutor.figures.pen import ACCENT, DIM

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

    @property
    def ridge(self) -> Fraction:
        """FLOPs a byte at which the roof turns."""
        return self.peak / self.bandwidth


@dataclass(frozen=True, slots=True)
class _Frame:
    """The window of the drawing, as powers of ten."""

    left: float
    right: float
    bottom: float
    top: float

    def x(self, value: float, cells: int) -> int:
        return _place((log10(value) - self.left) / (self.right - self.left), cells)

    def y(self, value: float, cells: int) -> int:
        return _place((self.top - log10(value)) / (self.top - self.bottom), cells)


def _place(share: float, cells: int) -> int:
    return min(cells - 1, max(0, round(share * (cells - 1))))


def _frame(roof: Roof) -> _Frame:
    """All points and the ridge are inside, with a little room; whole steps would waste half of a small drawing."""
    ridge = float(roof.ridge)
    xs = [float(p.intensity) for p in roof.points if p.intensity > 0] or [ridge]
    ys = [float(p.rate) for p in roof.points if p.rate > 0] or [float(roof.peak)]
    left = log10(min(*xs, ridge) if len(xs) > 1 else min(xs[0], ridge)) - 0.35
    right = log10(max([*xs, ridge])) + 0.6
    floor = min([*ys, float(roof.bandwidth) * 10**left])
    return _Frame(left, right, log10(floor) - 0.1, log10(float(roof.peak)) + 0.12)


def draw(roof: Roof, width: int, words: tuple[str, str, str], ascii_only: bool = False) -> Sequence[Content]:
    """The drawing; ``words`` are the label of the flat part, of the slope, and of the ridge under the line."""
    cells = max(NARROWEST, min(WIDEST, width))
    frame = _frame(roof)
    art = _roof_ascii(roof, frame, cells) if ascii_only else _roof_braille(roof, frame, cells)
    flat, slope, ridge = words
    turn = frame.x(float(roof.ridge), cells)
    marks: dict[tuple[int, int], str] = {}
    for point in roof.points:
        if point.intensity > 0 and point.rate > 0:
            at = frame.x(float(point.intensity), cells), frame.y(float(point.rate), ROWS)
            while at in marks:  # two points in one cell stand side by side
                at = min(cells - 1, at[0] + 1) if at[0] + 1 < cells else at[0] - 1, at[1]
            marks[at] = point.letter
    _label(art, marks, flat, 1, cells - len(flat))
    _label(art, marks, slope, *_under_the_slope(art, turn))
    lines = [_line(cells_of, {x: letter for (x, y), letter in marks.items() if y == number})
             for number, cells_of in enumerate(art)]  # fmt: skip
    return [*lines, _axis(turn, cells, ridge, ascii_only)]


def _label(art: list[list[str]], marks: Mapping[tuple[int, int], str], text: str, row: int, column: int) -> None:
    """Put a label at a place, or at the nearest one where it covers nothing and no point stands against it."""
    rows, last = len(art), len(art[0]) - len(text)
    near = sorted(
        ((y, x) for y in range(rows) for x in range(max(0, last + 1))),
        key=lambda at: (3 * abs(at[0] - row) + abs(at[1] - column), at),
    )
    for y, x in near:
        around = range(max(0, x - 1), min(len(art[y]), x + len(text) + 1))
        if all(art[y][place] == " " and (place, y) not in marks for place in around):
            art[y][x : x + len(text)] = list(text)
            return


def _under_the_slope(art: list[list[str]], turn: int) -> tuple[int, int]:
    """Where a label fits to the right of the slope, in the row in the middle."""
    row = len(art) // 2 + 1
    filled = [place for place, cell in enumerate(art[row]) if cell != " "]
    return row, (max(filled) + 3 if filled else turn + 3)


def _line(cells: list[str], marks: dict[int, str]) -> Content:
    parts: list[tuple[str, str]] = []
    for place, cell in enumerate(cells):
        parts.append((marks[place], ACCENT) if place in marks else (cell, DIM))
    joined: list[tuple[str, str]] = []
    for text, style in parts:
        if joined and joined[-1][1] == style:
            joined[-1] = (joined[-1][0] + text, style)
        else:
            joined.append((text, style))
    return Content.assemble(*joined).rstrip()


def _axis(turn: int, cells: int, ridge: str, ascii_only: bool) -> Content:
    """The ridge under the drawing, its label where there is room."""
    line = f"{'^' if ascii_only else '└'} {ridge}"
    if turn + len(line) > cells:
        line = f"{ridge} {'^' if ascii_only else '┘'}"
        return Content.styled(line.rjust(turn + 1), DIM)
    return Content.styled(" " * turn + line, DIM)


def _height(roof: Roof, x: float) -> float:
    """Power of ten of the roof over a power of ten of the intensity."""
    return min(x + log10(float(roof.bandwidth)), log10(float(roof.peak)))


def _roof_braille(roof: Roof, frame: _Frame, cells: int) -> list[list[str]]:
    """Two dots across and four down in every cell."""
    dots = [[0] * cells for _ in range(ROWS)]
    bits = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
    before = None
    for place in range(2 * cells):
        x = frame.left + (frame.right - frame.left) * place / (2 * cells - 1)
        high = _place((frame.top - _height(roof, x)) / (frame.top - frame.bottom), 4 * ROWS)
        for y in range(high, high + 1 if before is None else max(high + 1, before)):  # no holes in a steep line
            dots[y // 4][place // 2] |= bits[place % 2][y % 4]
        before = high
    return [[chr(0x2800 + cell) if cell else " " for cell in row] for row in dots]


def _roof_ascii(roof: Roof, frame: _Frame, cells: int) -> list[list[str]]:
    art = [[" "] * cells for _ in range(ROWS)]
    for place in range(cells):
        x = frame.left + (frame.right - frame.left) * place / (cells - 1)
        art[_place((frame.top - _height(roof, x)) / (frame.top - frame.bottom), ROWS)][place] = "."
    return art
