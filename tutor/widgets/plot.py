"""What drawings on logarithmic axes share: a window, a line in dots, labels that cover nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log10

from textual.content import Content

from tutor.figures.pen import ACCENT, DIM

Art = list[list[str]]
"""The cells of a drawing, row by row from the top."""
Marks = Mapping[tuple[int, int], str]
"""Letters by place (column, row): they stand before everything else."""
Height = Callable[[float], float | None]
"""Power of ten of a line over a power of ten of the other axis; ``None`` where there is no line."""

_BITS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""The dots of a Braille cell: two columns of four."""


@dataclass(frozen=True, slots=True)
class Window:
    """What of both axes is seen, as powers of ten."""

    left: float
    right: float
    bottom: float
    top: float

    def x(self, value: float, cells: int) -> int:
        """The column of a value."""
        return place((log10(value) - self.left) / (self.right - self.left), cells)

    def y(self, value: float, cells: int) -> int:
        """The row of a value."""
        return place((self.top - log10(value)) / (self.top - self.bottom), cells)


def place(share: float, cells: int) -> int:
    """The cell at a share of the way, within the drawing."""
    return min(cells - 1, max(0, round(share * (cells - 1))))


def line(height: Height, window: Window, cells: int, rows: int, ascii_only: bool) -> Art:
    """The cells of a line, blank where it is not."""
    return _ascii(height, window, cells, rows) if ascii_only else _braille(height, window, cells, rows)


def _braille(height: Height, window: Window, cells: int, rows: int) -> Art:
    dots = [[0] * cells for _ in range(rows)]
    before: int | None = None
    for column in range(2 * cells):
        reached = height(window.left + (window.right - window.left) * column / (2 * cells - 1))
        if reached is None:
            before = None
            continue
        high = place((window.top - reached) / (window.top - window.bottom), 4 * rows)
        for y in _between(high, before):
            dots[y // 4][column // 2] |= _BITS[column % 2][y % 4]
        before = high
    return [[chr(0x2800 + cell) if cell else " " for cell in row] for row in dots]


def _between(here: int, before: int | None) -> range:
    """The dots from a line's height to its last one, so that a steep line has no holes."""
    if before is None or before == here:
        return range(here, here + 1)
    return range(here, before) if before > here else range(before + 1, here + 1)


def _ascii(height: Height, window: Window, cells: int, rows: int) -> Art:
    art = [[" "] * cells for _ in range(rows)]
    for column in range(cells):
        reached = height(window.left + (window.right - window.left) * column / (cells - 1))
        if reached is not None:
            art[place((window.top - reached) / (window.top - window.bottom), rows)][column] = "."
    return art


def label(art: Art, marks: Marks, text: str, row: int, column: int) -> None:
    """Put a label at a place, or at the nearest one where it covers nothing and no point stands against it."""
    rows, last = len(art), len(art[0]) - len(text)
    near = sorted(
        ((y, x) for y in range(rows) for x in range(max(0, last + 1))),
        key=lambda at: (3 * abs(at[0] - row) + abs(at[1] - column), at),
    )
    for y, x in near:
        around = range(max(0, x - 1), min(len(art[y]), x + len(text) + 1))
        if all(art[y][cell] == " " and (cell, y) not in marks for cell in around):
            art[y][x : x + len(text)] = list(text)
            return


def hooked(text: str, column: int, cells: int, hooks: str) -> tuple[int, str]:
    """A label that hangs below a column, to its right or, where the room ends, to its left: where it starts, and it.

    ``hooks``: the sign that points up from a label at its right, then from one at its left.
    """
    if column + 2 + len(text) <= cells:
        return column, f"{hooks[0]} {text}"
    return max(0, column - len(text) - 1), f"{text} {hooks[1]}"


def styled(cells: Sequence[str], marks: Mapping[int, str], strong: str = ACCENT) -> Content:
    """A row: its letters by column, the rest quiet."""
    joined: list[tuple[str, str]] = []
    for column, cell in enumerate(cells):
        text, style = (marks[column], strong) if column in marks else (cell, DIM)
        if joined and joined[-1][1] == style:
            joined[-1] = (joined[-1][0] + text, style)
        else:
            joined.append((text, style))
    return Content.assemble(*joined)
