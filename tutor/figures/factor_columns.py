"""The columns of the six factors: what a row says, which of it a width has room for, and the pieces of the bars."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import log2
from typing import NamedTuple

from tutor.figures.factors import width
from tutor.figures.state import State, number, whole

WIDE, WIDEST = 78, 104
"""Columns from which a row says what its product is, and from which it gives the exact bytes too."""
_LEAST_BAR = 6
"""Cells of the shortest bar, one for each factor."""


class Line(NamedTuple):
    """What one factor has to say."""

    sign: str
    value: str
    short: str
    """The value without its nouns."""
    meaning: str
    amount: str
    exact: str


class Columns(NamedTuple):
    """Cells of each column, blanks between them included; 0 where it has no room."""

    sign: int
    value: int
    meaning: int
    amount: int
    exact: int
    bar: int
    nouns: bool
    """Whether a value stands with its noun."""


def columns_for(lines: Sequence[Line], wide: int, *, bars: bool = True) -> Columns:
    """The columns that a width has room for: what each product is, its exact bytes and the bar leave in that order.

    Without ``bars`` the texts have the whole row.
    """

    def cells(texts: Iterable[str], between: int) -> int:
        return max(map(len, texts)) + between

    sign = cells((one.sign for one in lines), 1)
    amount = cells((one.amount for one in lines), 1)
    value = cells((one.value for one in lines), 0)
    if nouns := sign + value + amount <= wide:
        room = wide - sign - value - amount
    else:
        value = cells((one.short for one in lines), 0)
        room = wide - sign - value - amount
    meaning = cells((one.meaning for one in lines), 2)
    if not bars:
        return Columns(sign, value, meaning if meaning <= room else 0, amount, 0, 0, nouns)
    meaning = meaning if wide >= WIDE else 0
    exact = cells((one.exact for one in lines), 2) if wide >= WIDEST else 0
    bar = room - meaning - exact - 1
    if bar < _LEAST_BAR and exact:
        exact, bar = 0, bar + exact
    if bar < _LEAST_BAR and meaning:
        meaning, bar = 0, bar + meaning
    return Columns(sign, value, meaning, amount, exact, bar if bar >= _LEAST_BAR else 0, nouns)


def bar_start(state: State) -> Fraction:
    """Bytes at which the bars start: one, or where a number is less than that, the number."""
    return min(Fraction(1), number(state, "p"))


def pieces(state: State, room: int) -> tuple[int, ...]:
    """Cells that each factor lengthens the bar by: as many for each doubling, so that equal factors look equal.

    A factor above 1 gets one cell at least; together they are as many as go into ``room``, which is 6 and more.
    """
    factors = [
        number(state, "p") / bar_start(state),
        width(state),
        2,
        *(whole(state, name) for name in ("L", "S", "B")),
    ]
    doublings = [log2(factor) for factor in factors]
    each = room / sum(doublings)
    while sum(cells := [max(1, round(each * one)) if one else 0 for one in doublings]) > room:
        each *= 0.98
    return tuple(cells)
