"""The roofline as a drawing: log against log, the roof of one card, and where steps stand under it.

The only such drawing: the figure, the diagnoser and whoever else shows a roof take it from here. Points are letters, so
that nothing hangs on colour. Lines are Braille dots, or strokes where only ASCII is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log10
from typing import TYPE_CHECKING, NamedTuple

from tutor.figures.pen import DIM
from tutor.figures.plot import Window
from tutor.figures.roof_plot import WELL_BELOW, plot, spans, styled

if TYPE_CHECKING:
    from textual.content import Content

    from engine.flops import Piece
    from engine.steps import Setup

ROWS = 8
"""Rows between the axes where the caller has no wish of its own."""
WIDEST = 96
"""Columns from which a wider drawing would only be emptier."""
NARROWEST = 24
GUTTER_FROM = 34
"""Columns from which the upright axis has numbers."""
ROWS_A_POWER = 2
"""Rows from one power of ten to the next at least, for the upright axis to have numbers: with fewer a letter would
stand at a number that it is far from."""
LEAST, MOST = 0.7, 7000.0
"""FLOPs a byte that the level axis reaches in any case, so that it stands still while a point moves."""


@dataclass(frozen=True, slots=True)
class Point:
    """A step: FLOPs a byte that it asks for, FLOPs a second that it gets."""

    letter: str
    intensity: Fraction
    rate: Fraction


class Reach(NamedTuple):
    """The shares of the roof that steps usually get: the least and the most of its bandwidth, then of its rate."""

    bytes_low: Fraction
    bytes_high: Fraction
    math_low: Fraction
    math_high: Fraction


@dataclass(frozen=True, slots=True)
class Roof:
    """A card's two ceilings, and the points under them."""

    bandwidth: Fraction
    peak: Fraction
    points: tuple[Point, ...]
    measured: bool = False
    """Whether the ceilings are what this card reached, not its data sheet."""
    reach: Reach | None = None
    """The quiet band below the roof."""
    second: Fraction | None = None
    """The rate of a faster unit of the card: a second flat part, that some of the points stand under."""

    @property
    def ridge(self) -> Fraction:
        """FLOPs a byte at which the roof turns."""
        return ridge_of(self.peak, self.bandwidth)


def ridge_of(peak: Fraction, bandwidth: Fraction) -> Fraction:
    """The ridge of two ceilings, as the engine has it."""
    from engine import roofline

    return roofline.ridge(peak, bandwidth)


def point(letter: str, setup: Setup, pieces: Sequence[Piece], seconds: Fraction) -> Point:
    """Where a step of these pieces stands that takes so many seconds. Raises as :func:`engine.steps.demand`."""
    from engine import steps

    asked = steps.demand(setup, pieces)
    return Point(letter, asked.intensity, asked.flops / seconds)


def reach_of(setup: Setup) -> Reach:
    """What the engine expects of a setup's steps, matrices and the reading of weights."""
    of = setup.efficiency
    return Reach(of.weights.low, of.weights.high, of.math.low, of.math.high)


class Words(NamedTuple):
    """What stands on the drawing. ``sides``: names for left and right of the ridge, the longest pair first;
    ``flat_short``: for where the flat part is short and the axis says the unit; ``second``, ``band``: of the second
    flat part and of the dots below the roof, the longest first."""

    flat: str
    slope: str
    ridge: str
    second: tuple[str, ...] = ()
    flat_short: str = ""
    sides: tuple[tuple[str, str], ...] = ()
    rate: str = "TFLOP/s"
    intensity: str = "FLOP/byte"
    band: tuple[str, ...] = ()


def sides(say: Callable[[str], str]) -> tuple[tuple[str, str], ...]:
    """The names of both sides of the ridge; ``say``: the figures' words."""
    return tuple((say(f"roofline.left.{size}"), say(f"roofline.right.{size}")) for size in ("long", "short"))


def dots(say: Callable[[str], str]) -> tuple[str, ...]:
    """What the dots below the roof are, the longest first; ``say``: the figures' words."""
    return tuple(say(f"roofline.dots.{size}") for size in ("long", "short", "shortest"))


class Drawn(NamedTuple):
    """The drawing by its parts, so that a short window can do without some of them."""

    top: Content
    plot: tuple[Content, ...]
    axis: Content
    ticks: Content

    @property
    def all(self) -> tuple[Content, ...]:
        """All lines from the top."""
        return (self.top, *self.plot, self.axis, self.ticks)


FRAME = 3
"""Lines of a whole drawing besides its plot."""


def draw(roof: Roof, width: int, words: Words, ascii_only: bool = False, rows: int = ROWS) -> Drawn:
    """The drawing, no wider than ``width`` (24 and more)."""
    from textual.content import Content

    room = max(NARROWEST, min(WIDEST, width))
    window = frame(roof, rows)
    levels = _levels(window, rows) if room >= GUTTER_FROM else {}
    gutter = (max(map(len, levels.values())) + 2 if levels else 1) if room >= GUTTER_FROM else 0
    cells = room - gutter
    turn = window.x(float(roof.ridge), cells)
    art, marks = plot(roof, window, cells, rows, words, ascii_only)
    through = spans(roof, window, cells, rows)
    corner, flat, cross, post, tick = "+-+|+" if ascii_only else "└─┴│┤"

    def left(text: str, edge: str) -> Content:
        return Content.styled(f"{text} {edge}".rjust(gutter)[-gutter:] if gutter else "", DIM)

    return Drawn(
        Content.styled(_top(words, turn, gutter, cells), DIM).rstrip(),
        tuple(
            (left(levels.get(row, ""), tick if row in levels else post) + styled(row, art, marks, through)).rstrip()
            for row in range(rows)
        ),
        left("", corner) + _level(turn, cells, words.ridge, flat, cross),
        Content.styled(" " * gutter + _powers(window, cells, words.intensity), DIM).rstrip(),
    )


def _level(turn: int, cells: int, name: str, flat: str, cross: str) -> Content:
    """The level axis, with the ridge's name in it: to its right, or to its left where that is too short."""
    from textual.content import Content

    told = f" {name} " if name else ""
    if turn + 1 + len(told.rstrip()) <= cells:
        before, behind = "", told[: cells - turn - 1]
    elif len(told) < turn:
        before, behind = told, ""
    else:
        before, behind = "", ""
    return Content.assemble(
        (flat * (turn - len(before)), DIM), before, (cross, DIM), behind, (flat * (cells - turn - 1 - len(behind)), DIM)
    )


# --- the window ------------------------------------------------------------------------------------------------------


def frame(roof: Roof, rows: int) -> Window:
    """All points, the ridge and both flat parts are inside, with a little room.

    Where there are rows enough, each power of ten of the upright axis is about the middle of a row, and as many rows
    from the next.
    """
    there = [one for one in roof.points if one.intensity > 0 and one.rate > 0]
    xs = [float(one.intensity) for one in there]
    peak = log10(float(max(roof.peak, roof.second or 0)))
    left = min(log10(LEAST), *(log10(x) - 0.15 for x in xs)) if xs else log10(LEAST)
    right = max([log10(MOST), log10(float(roof.ridge)) + 0.6, *(log10(x) + 0.15 for x in xs)])
    low = min([log10(float(roof.bandwidth)) + left, *(log10(float(one.rate)) - 0.12 for one in there)])
    for each in range(rows, ROWS_A_POWER - 1, -1):
        first, last = round((low - 0.01) * each), round((peak + 0.05) * each)
        spare = rows - (last - first + 1)
        if spare >= 0:
            ends = (first - spare // 2 - 0.5) / each, (last + (spare + 1) // 2 + 0.5) / each
            found = [Window(left, right, *(end + shift / each for end in ends)) for shift in _SHIFTS]
            inside = [one for one in found if one.bottom < low and peak < one.top]
            return min(inside or found[:1], key=lambda one: _touching(roof, one, rows))
    return Window(left, right, low - 0.05, peak + 0.2)


_SHIFTS = (0.0, 0.1, -0.1, 0.2, -0.2)
"""Parts of a row by which the rows may lie beside the powers of ten."""


def _touching(roof: Roof, window: Window, rows: int) -> int:
    """How many points stand in the row of the second flat part that are well below it."""
    second = roof.second or Fraction(0)
    low = [float(one.rate) for one in roof.points if 0 < one.rate < WELL_BELOW * second]
    return sum(window.y(rate, rows) == window.y(float(second), rows) for rate in low)


def _levels(window: Window, rows: int) -> dict[int, str]:
    """Powers of ten of the upright axis in TFLOP/s, by their row; none where rows are too few."""
    if rows / (window.top - window.bottom) < ROWS_A_POWER - 1e-6:
        return {}
    tera, found = 12, dict[int, str]()
    for power in range(int(window.bottom) - tera - 1, int(window.top) - tera + 2):
        if window.bottom <= power + tera <= window.top:
            exact = (window.top - power - tera) / (window.top - window.bottom) * rows - 0.5
            if abs(exact - round(exact)) > _SHIFTS[-2] + 1e-6:
                return {}
            found[round(exact)] = f"{10.0**power:g}"
    return found


def _powers(window: Window, cells: int, unit: str) -> str:
    """Powers of ten of the level axis, each under its place, then the unit where it has room."""
    made = ""
    for power in range(int(window.left) - 1, int(window.right) + 1):
        text = f"{10.0**power:g}"
        start = window.x(10.0**power, cells) - len(text) // 2 if window.left <= power <= window.right else -1
        if start >= len(made) + bool(made) and start + len(text) <= cells:
            made = made.ljust(start) + text
    return f"{made.ljust(cells - len(unit))}{unit}" if len(made) + 2 + len(unit) <= cells else made


def _top(words: Words, turn: int, gutter: int, cells: int) -> str:
    """Above the plot: the unit of the upright axis, and the names of both sides of the ridge."""
    made = words.rate if gutter else ""
    for left, right in words.sides:
        at = gutter + max(0, (turn - len(left)) // 2)
        behind = gutter + turn + 1 + max(0, (cells - turn - 1 - len(right)) // 2)
        if (
            at >= len(made) + 2 * bool(made)
            and at + len(left) < gutter + turn
            and behind + len(right) <= gutter + cells
        ):
            return (made.ljust(at) + left).ljust(behind) + right
    return made
