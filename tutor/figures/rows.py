"""Rows of a drawing, and the choice of those that fit a height."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from tutor.figures.state import exact_number

if TYPE_CHECKING:
    from textual.content import Content

GAP = 9
"""Rank of an empty line between two parts: the first thing to go when height is short."""
CAPTION = 7
"""Rank of the sentence under a drawing."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a drawing.

    ``rank`` 0 always stays; higher ranks leave first, all rows of a rank together, so that no sentence is cut.
    ``said`` is what the plain mode prints instead: ``None`` the same text, ``""`` nothing (a drawing says nothing to a
    screen reader; the numbers beside it do).
    """

    content: Content
    rank: int = 0
    said: str | None = None

    @property
    def plain(self) -> str:
        """The text of this row without a drawing."""
        return self.content.plain.rstrip() if self.said is None else self.said


def fit(rows: Sequence[Row], height: int) -> list[Row]:
    """The rows that stay in ``height`` lines: whole ranks leave, the highest first, rank 0 never."""
    kept = list(rows)
    while len(kept) > height and (worst := max(row.rank for row in kept)) > 0:
        kept = [row for row in kept if row.rank < worst]
    return kept


def apportion(amounts: Sequence[object], cells: int) -> tuple[int, ...]:
    """Whole cells for each amount, in proportion, that sum to ``cells`` exactly.

    The largest remainders get the cells that rounding leaves over. An amount above zero gets one cell at least while
    there are cells enough, taken from the widest: what exists must be seen.
    """
    shares = [max(Fraction(0), exact_number(amount)) for amount in amounts]
    unit = lcm(*(share.denominator for share in shares))
    parts = [share.numerator * (unit // share.denominator) for share in shares]
    total = sum(parts)
    if not total or cells <= 0:
        return tuple(0 for _ in shares)
    whole = [part * cells // total for part in parts]
    order = sorted(range(len(parts)), key=lambda i: (-(parts[i] * cells % total), i))
    for place in order[: cells - sum(whole)]:
        whole[place] += 1
    for place, share in enumerate(shares):
        widest = max(range(len(whole)), key=whole.__getitem__)
        if share and not whole[place] and whole[widest] > 1:
            whole[place], whole[widest] = 1, whole[widest] - 1
    return tuple(whole)
