"""What drawings on logarithmic axes share: a window, a line in dots, labels that cover nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import floor, log10
from typing import TYPE_CHECKING

from tutor.figures.pen import ACCENT, DIM

if TYPE_CHECKING:
    from textual.content import Content

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
    """The cell that holds a share of the way, within the drawing: its middle is at most half a cell from there.

    A cell holds the same part of the way as its dots do, so that a letter on a line stands on the line.
    """
    return min(cells - 1, max(0, floor(share * cells)))


def line(height: Height, window: Window, cells: int, rows: int, ascii_only: bool) -> Art:
    """The cells of a line, blank where it is not."""
    return _ascii(height, window, cells, rows) if ascii_only else _braille(height, window, cells, rows)


def _braille(height: Height, window: Window, cells: int, rows: int) -> Art:
    dots = [[0] * cells for _ in range(rows)]
    before: int | None = None
    for column in range(2 * cells):
        reached = height(window.left + (window.right - window.left) * (column + 0.5) / (2 * cells))
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
        reached = height(window.left + (window.right - window.left) * (column + 0.5) / cells)
        if reached is not None:
            art[place((window.top - reached) / (window.top - window.bottom), rows)][column] = "."
    return art


def shade(low: Height, high: Height, window: Window, cells: int, rows: int, ascii_only: bool) -> Art:
    """The cells between two lines: every other dot, or colons where only ASCII is wanted."""
    across, down = (1, 1) if ascii_only else (2, 4)
    dots = [[0] * cells for _ in range(rows)]
    for column in range(across * cells):
        x = window.left + (window.right - window.left) * (column + 0.5) / (across * cells)
        below, above = low(x), high(x)
        if below is None or above is None:
            continue
        top, bottom = (
            place((window.top - reached) / (window.top - window.bottom), down * rows) for reached in (above, below)
        )
        for y in range(top, bottom + 1):
            if ascii_only or (column + y) % 2 == 0:
                dots[y // down][column // across] |= _BITS[column % across][y % down]
    return [[(":" if ascii_only else chr(0x2800 + cell)) if cell else " " for cell in row] for row in dots]


def over(front: Art, behind: Art) -> Art:
    """Two drawings in one: the dots of both, and of other signs the one in front."""
    return [_row_over(*rows) for rows in zip(front, behind, strict=True)]


def _row_over(front: list[str], behind: list[str]) -> list[str]:
    if set(front) == {" "} or set(behind) == {" "}:
        return list(behind if set(front) == {" "} else front)
    return [_both(*cells) for cells in zip(front, behind, strict=True)]


def _both(front: str, behind: str) -> str:
    if behind == " " or front == " ":
        return front if behind == " " else behind
    codes = [ord(cell) - 0x2800 for cell in (front, behind)]
    if all(0 <= code < 0x100 for code in codes):
        return chr(0x2800 + (codes[0] | codes[1]))
    return front


def label(art: Art, marks: Marks, text: str, row: int, column: int) -> None:
    """Put a label at a place, or at the nearest one where it covers nothing and no point stands against it."""
    found: tuple[int, int, int] | None = None
    for y in sorted(range(len(art)), key=lambda y: abs(y - row)):
        if found is not None and _FLAT * abs(y - row) > found[0]:
            break
        free = [(_FLAT * abs(y - row) + abs(x - column), y, x) for x in _free(art[y], marks, y, len(text))]
        found = min([found, *free] if found else free, default=None)
    if found is not None:
        _, y, x = found
        art[y][x : x + len(text)] = list(text)


_FLAT = 3
"""A row counts as so many columns, where it is asked what is near: a cell is taller than wide."""


def _free(cells: Sequence[str], marks: Marks, y: int, length: int) -> Iterator[int]:
    """The columns of a row from which so many cells are blank, and one more at either side."""
    taken = list(accumulate((cell != " " or (x, y) in marks for x, cell in enumerate(cells)), initial=0))
    return (x for x in range(len(cells) - length + 1) if taken[max(0, x - 1)] == taken[min(len(cells), x + length + 1)])


def hooked(text: str, column: int, cells: int, hooks: str) -> tuple[int, str]:
    """A label that hangs below a column, to its right or, where the room ends, to its left: where it starts, and it.

    ``hooks``: the sign that points up from a label at its right, then from one at its left.
    """
    if column + 2 + len(text) <= cells:
        return column, f"{hooks[0]} {text}"
    return max(0, column - len(text) - 1), f"{text} {hooks[1]}"


def styled(cells: Sequence[str], marks: Mapping[int, str], strong: str = ACCENT) -> Content:
    """A row: its letters by column, the rest quiet."""
    from textual.content import Content

    row, parts, begun = "".join(cells), list[tuple[str, str]](), 0
    for column in sorted(column for column in marks if column < len(cells)):
        parts += [(row[begun:column], DIM), (marks[column], strong)]
        begun = column + 1
    return Content.assemble(*parts, (row[begun:], DIM))
