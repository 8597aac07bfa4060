"""Seconds of a step against the batch, log against log: the flat part, the knee with its band, the slope.

Points are letters by class, so that nothing hangs on colour: M memory, K knee, C compute, O overhead. A second curve
stands behind in small letters. A pure function from frozen data to text cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, product, takewhile
from math import log10
from typing import NamedTuple

from textual.content import Content

from tutor.figures.pen import ACCENT, DIM, STRONG
from tutor.figures.plot import Window, hooked, line, styled

LETTERS = {"memory": "M", "knee": "K", "compute": "C", "overhead": "O"}
"""Letter of a class; a point without one is an x."""
ROWS, MORE_ROWS = 8, 12
"""Rows between the axes, and where the drawing is wide."""
WIDE = 72
"""Columns from which it has more rows."""
WIDEST = 92
"""Columns from which a wider drawing would only be emptier."""
NARROWEST = 34
LEAST = 0.75
"""Powers of ten that the upright axis spans at least: a flat curve must look flat."""
BEYOND = 8
"""So many times the last batch a mark may lie and still widen the axis."""
_APART = 1
"""Blanks around a batch that stands under the axis beyond the even steps."""
_NEAR = 0.08
"""Powers of ten that a point may lie from the round number of its row: a fifth."""
_MANTISSAS = ((1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 5.0, 7.0))
_UNITS = (("s", 1.0), ("ms", 1e-3), ("us", 1e-6))
_MS_FROM = 5e-5
"""Seconds from which milliseconds are used: parts of one are easier to compare than microseconds."""


class Dot(NamedTuple):
    """A step of so many tokens: its seconds, and its class ("" where that is not known yet)."""

    batch: int
    seconds: float
    label: str = ""


class Band(NamedTuple):
    """The knee in tokens, and where it ends within its error."""

    batch: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Curve:
    """What is drawn.

    Attributes:
        dots: by rising batch.
        knee: ``None`` where there is none.
        at: a batch to point at.
        behind: a second curve, quieter.
        until: a batch that the axis reaches in any case, for a curve that still grows; 0 for none.
    """

    dots: tuple[Dot, ...]
    knee: Band | None = None
    at: int | None = None
    behind: tuple[Dot, ...] = ()
    until: int = 0

    @property
    def unit(self) -> tuple[str, float]:
        """Unit of the upright axis, and its seconds."""
        longest = max(one.seconds for one in (*self.dots, *self.behind))
        return _UNITS[0] if longest >= 1 else _UNITS[1] if longest >= _MS_FROM else _UNITS[2]


class Words(NamedTuple):
    """What stands above the upright axis, beside the level one, at the batch pointed at, and at the knee, the longest
    form first."""

    seconds: str
    batch: str
    at: str = ""
    knee: tuple[str, ...] = ()


FRAME = 4
"""Lines of a drawing besides its rows: above the axis, the axis, the batches, the marks (two where both have words)."""


def draw(
    curve: Curve, width: int, words: Words, ascii_only: bool = False, rows: int | None = None
) -> Sequence[Content]:
    """The drawing, no wider than ``width`` (34 and more); nothing without a point. ``rows``: between the axes."""
    if not curve.dots:
        return ()
    room = max(NARROWEST, min(WIDEST, width))
    rows = rows or (MORE_ROWS if room >= WIDE else ROWS)
    window = _settled(_window(curve, room), curve, rows)
    row_of = _rows_of(window, rows, ascii_only)
    ticks = _levels(curve, window, rows, row_of)
    gutter = max(len(words.batch), *(len(text) for text in ticks.values()))
    cells = room - gutter - 2
    bar = "|" if ascii_only else "│"
    made = [Content.styled(words.seconds.rjust(gutter) if len(words.seconds) <= gutter else words.seconds, DIM)]
    for row, content in enumerate(_plot(replace(curve, at=None), window, cells, rows, ascii_only)):
        edge = ("+" if ascii_only else "┤") if row in ticks else bar
        made.append(Content.styled(f"{ticks.get(row, ''):>{gutter}} {edge}", DIM) + content)
    made.append(_axis(curve, window, cells, gutter, words, ascii_only))
    made.append(Content.styled(f"{words.batch:>{gutter}}  {_batches(curve, window, cells)}", DIM))
    made += [Content(" " * (gutter + 2)) + one for one in _marks(curve, window, cells, words, ascii_only)]
    return [one.rstrip() for one in made]


def legend(curve: Curve, name: Callable[[str], str], behind: str = "") -> Content:
    """The letters that are there with their names; ``behind``: what the small letters are."""
    parts: list[tuple[str, str]] = []
    for label, letter in LETTERS.items():
        if any(one.label == label for one in curve.dots):
            parts += [("   " if parts else "", ""), (letter, ACCENT), (f" {name(label)}", DIM)]
    if curve.behind and behind:
        parts.append(("   " * bool(parts) + behind, DIM))
    return Content.assemble(*parts)


# --- the window ------------------------------------------------------------------------------------------------------


def _window(curve: Curve, cells: int) -> Window:
    batches = [one.batch for one in (*curve.dots, *curve.behind)]
    last = max(*batches, curve.until) if curve.until else max(batches)
    wanted = [float(curve.at)] if curve.at else []
    if curve.knee is not None:
        wanted.append(curve.knee.batch)
    right = log10(max([last, *(one for one in wanted if one <= BEYOND * last)]))
    left = log10(min([*batches, *(one for one in wanted if one >= 1)]))
    right = max(right, left + 1)
    air = 1.5 * (right - left) / cells
    times = [log10(one.seconds) for one in (*curve.dots, *curve.behind)]
    bottom, top = min(times), max(times)
    top = max(top, bottom + LEAST)
    return Window(left - air, right + air, bottom - 0.07, top + 0.07)


_QUARTER = 4
"""Dots of a cell, one above the other."""


def _settled(window: Window, curve: Curve, rows: int) -> Window:
    """The window moved by less than a row, so that the curve goes through the middle of the rows where its letters are.

    A letter fills its row: on a line that runs along the edge between two rows letters would stand above and below it.
    """
    times, row = [log10(one.seconds) for one in curve.dots], (window.top - window.bottom) / rows
    every = [*times, *(log10(one.seconds) for one in curve.behind)]

    def apart(quarters: int) -> float:
        top = window.top + quarters * row / _QUARTER
        return sum(abs((top - one) / row % 1 - 0.5) for one in times)

    def holds(quarters: int) -> bool:
        by = quarters * row / _QUARTER
        return window.bottom + by <= min(every) and max(every) <= window.top + by

    best = min((one for one in (0, 1, -1, 2, -2) if holds(one)), key=apart, default=0)
    by = best * row / _QUARTER
    return replace(window, bottom=window.bottom + by, top=window.top + by) if best else window


def _rows_of(window: Window, rows: int, ascii_only: bool) -> Callable[[float], int]:
    """The row of a time: that of the line's own dot."""
    return lambda seconds: window.y(seconds, rows) if ascii_only else window.y(seconds, 4 * rows) // 4


def _levels(curve: Curve, window: Window, rows: int, row_of: Callable[[float], int]) -> dict[int, str]:
    """Round numbers of the upright axis by their row, at least two rows apart; none in a row of points that are far
    from it, as long as two others are left: the points would be read as having it."""
    shown: dict[int, str] = {}
    unit, points = curve.unit[1], [(row_of(one.seconds), log10(one.seconds / curve.unit[1])) for one in curve.dots]
    low, high = window.bottom - log10(unit), window.top - log10(unit)
    for near, mantissas in product((_NEAR, high - low), _MANTISSAS):
        values = [m * 10.0**power for power in range(int(low) - 2, int(high) + 2) for m in mantissas]
        shown, before = {}, rows + 2
        for value in values:
            row, at = row_of(value * unit), log10(value)
            apart = min((abs(point - at) for of, point in points if of == row), default=0.0)
            if low <= at <= high and before - row >= 2 and apart <= near:
                shown[row], before = f"{value:g}", row
        if len(shown) > 1:
            break
    return shown or {rows - 1: f"{10**low:.3g}"}


# --- the parts of the drawing ----------------------------------------------------------------------------------------


@lru_cache(maxsize=8)  # pointing at another batch leaves it as it is
def _plot(curve: Curve, window: Window, cells: int, rows: int, ascii_only: bool) -> tuple[Content, ...]:
    row_of = _rows_of(window, rows, ascii_only)
    art = line(lambda x: _height(curve.dots, x), window, cells, rows, ascii_only)
    marks: dict[tuple[int, int], str] = {}
    for one in curve.dots:
        marks[window.x(one.batch, cells), row_of(one.seconds)] = LETTERS.get(one.label, "x")
    for one in curve.behind:
        column, row = window.x(one.batch, cells), row_of(one.seconds)
        if (column, row) not in marks:
            art[row][column] = LETTERS.get(one.label, "x").lower()
    if curve.knee is not None:
        column = window.x(curve.knee.batch, cells)
        for row in range(rows):
            if art[row][column] == " ":
                art[row][column] = ":" if ascii_only else "┊"
    return tuple(
        styled(line_of, {x: letter for (x, y), letter in marks.items() if y == row}) for row, line_of in enumerate(art)
    )


def _height(dots: Sequence[Dot], x: float) -> float | None:
    """The straight line between the two points around a place, on both logarithmic axes."""
    for one, other in pairwise(dots):
        left, right = log10(one.batch), log10(other.batch)
        if left <= x <= right:
            share = (x - left) / (right - left)
            return log10(one.seconds) + share * (log10(other.seconds) - log10(one.seconds))
    return None


def _axis(curve: Curve, window: Window, cells: int, gutter: int, words: Words, ascii_only: bool) -> Content:
    """The level axis, thick along the knee's band; a batch that has no words of its own is pointed at on it."""
    corner, thin, thick, cross = "+-=#" if ascii_only else "└─━┿"
    made = [thin] * cells
    if curve.knee is not None:
        for column in range(window.x(curve.knee.low, cells), window.x(curve.knee.high, cells) + 1):
            made[column] = thick
        made[window.x(curve.knee.batch, cells)] = cross
    axis = Content.styled(f"{'':>{gutter}} {corner}{''.join(made)}", DIM)
    if curve.at is None or words.at:
        return axis
    place = gutter + 2 + window.x(curve.at, cells)
    return axis[:place] + Content.styled("^" if ascii_only else "▲", ACCENT) + axis[place + 1 :]


def _batches(curve: Curve, window: Window, cells: int) -> str:
    """The batches under the axis: as many as stand apart at even steps, then each other one that has room between."""
    batches = sorted({one.batch for one in (*curve.dots, *curve.behind)} | ({curve.until} if curve.until else set()))
    spans = {}
    for batch in batches:
        width = len(str(batch))
        start = min(max(0, window.x(batch, cells) - (width - 1) // 2), cells - width)
        spans[batch] = (start, start + width)
    for step in range(1, len(batches) + 1):
        shown = batches[::step]
        if all(spans[one][1] < spans[other][0] for one, other in pairwise(shown)):
            break
    for batch in batches:
        start, end = spans[batch]
        if all(end + _APART <= spans[one][0] or spans[one][1] + _APART <= start for one in shown):
            shown = [*shown, batch]
    made = ""
    for batch in sorted(shown):
        made = made.ljust(spans[batch][0]) + str(batch)
    return made


def _marks(curve: Curve, window: Window, cells: int, words: Words, ascii_only: bool) -> list[Content]:
    """The knee and the batch pointed at, in one line where both have room."""
    told: list[tuple[int, str, str]] = []
    if curve.at is not None and words.at:
        told.append((*hooked(words.at, window.x(curve.at, cells), cells, "^^" if ascii_only else "▲▲"), ACCENT))
    if curve.knee is not None and words.knee:
        column = window.x(curve.knee.batch, cells)
        fitting = (one for one in words.knee if column + 2 + len(one) <= cells or column > len(one))
        knee = next(fitting, words.knee[-1])
        told.append((*hooked(knee, column, cells, "''" if ascii_only else "└┘"), STRONG))
    told.sort()
    if len(told) == 2 and told[0][0] + len(told[0][1]) + 2 > told[1][0]:
        return [Content(" " * start) + Content.styled(text, style) for start, text, style in told]
    made = Content("")
    for start, text, style in told:
        made = made + Content(" " * (start - made.cell_length)) + Content.styled(text, style)
    return [made] if told else []


# --- what to notice --------------------------------------------------------------------------------------------------

FLAT = 1.25
"""A step that takes at most so many times the shortest still counts as flat."""


class Notice(NamedTuple):
    """What there is to see: an id, and the numbers for its sentence (``rise`` as a share)."""

    id: str
    first: int = 0
    last: int = 0
    rise: float = 0.0


def notice(curve: Curve) -> Notice:
    """Which of the sentences of ``figures.decode-curve.notice`` the curve deserves.

    A batch of one is left out where there are others: it runs other kernels than the rest.
    """
    dots = [one for one in curve.dots if one.batch > 1] or list(curve.dots)
    if len(dots) < 2:
        return Notice("few")
    start = min(dots[:2], key=lambda one: one.seconds)
    flat = list(takewhile(lambda one: one.seconds <= FLAT * start.seconds, dots)) or dots[:1]
    last = flat[-1]
    rise = max(one.seconds for one in flat) / start.seconds - 1
    if last.batch <= dots[0].batch:
        return Notice("steep", dots[0].batch, dots[-1].batch, dots[-1].seconds / dots[0].seconds - 1)
    if last is dots[-1]:
        return Notice("flat", dots[0].batch, last.batch, rise)
    return Notice("knee" if curve.knee is not None else "bend", dots[0].batch, last.batch, rise)
