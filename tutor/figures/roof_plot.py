"""The cells of a roofline's plot: the roof, its band, a second flat part, the ridge, labels, points.

What they mean, and the axes around them, is :mod:`tutor.figures.roof`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, pairwise
from math import log10
from typing import TYPE_CHECKING, NamedTuple

from tutor.figures.pen import DIM
from tutor.figures.plot import Art, Height, Marks, Window, label, line, over, shade

if TYPE_CHECKING:
    from textual.content import Content

    from tutor.figures.roof import Point, Roof, Words


def _ceiling(roof: Roof, bytes_share: Fraction | int = 1, math_share: Fraction | int = 1) -> Callable[[float], float]:
    """Power of ten of the roof, or of a share of it, over a power of ten of the intensity."""
    slope, flat = log10(float(roof.bandwidth * bytes_share)), log10(float(roof.peak * math_share))
    return lambda x: min(x + slope, flat)


def _second(roof: Roof) -> Height:
    """Power of ten of the second flat part and of the slope up to it, beyond the roof's ridge."""
    if roof.second is None:
        return lambda _: None
    slope, flat, first = log10(float(roof.bandwidth)), log10(float(roof.second)), log10(float(roof.peak))
    return lambda x: min(x + slope, flat) if min(x + slope, flat) != min(x + slope, first) else None


def plot(roof: Roof, window: Window, cells: int, rows: int, words: Words, ascii_only: bool) -> tuple[Art, Marks]:
    """The cells with lines, band, ridge and labels, and the points by their place."""
    turn = window.x(float(roof.ridge), cells)
    empty = _empty(replace(roof, points=()), window, cells, rows, ascii_only)
    art = [list(row) for row in empty.art]
    marks = _marks(roof, window, cells, rows)
    if roof.second is not None and words.second:
        _on_the_line(art, marks, words.second, window.y(float(roof.second), rows))
    usual = roof.peak * (roof.reach.math_low if roof.reach else 1)
    flat = words.flat_short if words.flat_short and len(words.flat) + 2 > cells - turn else words.flat
    label(art, marks, flat, window.y(float(usual), rows) + 1, cells - len(flat))
    label(art, marks, words.slope, rows // 2, max(0, empty.slope - len(words.slope) - 2))
    told = next((text for text in words.band if len(text) + 3 <= cells - turn), "")
    if roof.reach is not None and told:
        label(art, marks, told, rows - 2, cells - len(told))
    return art, marks


class _Empty(NamedTuple):
    """A plot without points and labels, and the column where the roof begins in its middle row."""

    art: tuple[tuple[str, ...], ...]
    slope: int


@lru_cache(maxsize=16)  # most keys move a point, and leave card and window as they are
def _empty(roof: Roof, window: Window, cells: int, rows: int, ascii_only: bool) -> _Empty:
    """Lines, band and ridge of a roof; its points are not looked at."""
    turn = window.x(float(roof.ridge), cells)
    main = line(_ceiling(roof), window, cells, rows, ascii_only)
    other = line(_second(roof), window, cells, rows, ascii_only)
    if ascii_only:
        main = [["/-"[column > turn] if cell == "." else cell for column, cell in enumerate(row)] for row in main]
    art = over(main, _dashed(other))
    if roof.reach is not None:
        of = roof.reach
        low, high = (of.bytes_low, of.math_low), (of.bytes_high, of.math_high)
        band = shade(_ceiling(roof, *low), _ceiling(roof, *high), window, cells, rows, ascii_only)
        art = over(art, band)
    post = "'" if ascii_only else "┊"
    for row in range(rows):
        if row > window.y(float(roof.peak), rows) and art[row][turn] == " ":
            art[row][turn] = post
    slope = next((column for column, cell in enumerate(main[rows // 2]) if cell != " "), 0)
    return _Empty(tuple(tuple(row) for row in art), slope)


def _dashed(art: Art) -> Art:
    """Every third cell left out."""
    return [[" " if column % 3 == 2 else cell for column, cell in enumerate(row)] for row in art]


def _marks(roof: Roof, window: Window, cells: int, rows: int) -> dict[tuple[int, int], str]:
    """The points by their place; two points of one cell stand side by side."""
    marks: dict[tuple[int, int], str] = {}
    for one in roof.points:
        if one.intensity > 0 and one.rate > 0:
            at = window.x(float(one.intensity), cells), _row(one, roof, window, rows)
            while at in marks:
                at = (at[0] + 1 if at[0] + 1 < cells else 0), at[1]
            marks[at] = one.letter
    return marks


def _row(one: Point, roof: Roof, window: Window, rows: int) -> int:
    """The row of a point. One that is well below the flat part does not stand in its row, as if it were on it: there is
    no row between them, and the next one is as near."""
    row = window.y(float(one.rate), rows)
    below = one.intensity >= roof.ridge and one.rate < WELL_BELOW * roof.peak
    return row + (below and row + 1 < rows and row == window.y(float(roof.peak), rows))


WELL_BELOW = Fraction(3, 4)
"""Of a flat part: a step that reaches less of it is drawn below it."""
_SEEN = 6
"""Cells of a line that stay free of its label, so that it is seen to be a line."""


def _on_the_line(art: Art, marks: Marks, texts: Sequence[str], row: int) -> None:
    """Write a label into the right end of a line, behind all points on it; where that is too short, near by."""
    cells = len(art[row])
    first = next((column for column, cell in enumerate(art[row]) if cell not in " ┊'"), 0)
    behind = max([first + _SEEN, *(column + 3 for column, y in marks if y == row)])
    for text in texts:
        start = cells - len(text)
        if start > behind:
            art[row][start - 1 :] = list(f" {text}")
            return
    label(art, marks, texts[-1], row - 1, cells - len(texts[-1]))


def styled(row: int, art: Art, marks: Marks, spans: Sequence[range]) -> Content:
    """A row: points stand out, the roof (``spans``) is plain, everything else is quiet."""
    from textual.content import Content

    from tutor.figures.pen import ACCENT

    cells = art[row]
    looks = ["" if row in spans[column] and not cell.isalnum() else DIM for column, cell in enumerate(cells)]
    here = {column: letter for (column, at), letter in marks.items() if at == row}
    for column in here:
        looks[column] = ACCENT
    text = "".join(here.get(column, cell) for column, cell in enumerate(cells)) if here else "".join(cells)
    joined, start = list[tuple[str, str]](), 0
    for look, run in groupby(looks):
        end = start + sum(1 for _ in run)
        joined.append((text[start:end], look))
        start = end
    return Content.assemble(*joined)


def spans(roof: Roof, window: Window, cells: int, rows: int) -> list[range]:
    """The rows through which the roof goes, for each column."""
    height, step = _ceiling(roof), (window.right - window.left) / cells
    ends = [window.y(10.0 ** height(window.left + step * column), rows) for column in range(cells + 1)]
    return [range(high, low + 1) for low, high in pairwise(ends)]
