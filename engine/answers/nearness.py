"""When a wrong value is only a little off: the way was right, and the reckoning was not."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from engine import units

NEAR: Final = Fraction(1, 50)
"""Relative distance up to which a wrong value is a little off; a choice of this course."""


def close(value: Fraction, right: Fraction, unit: str) -> bool:
    """Whether a wrong value, both in base units, is only a little off the right one.

    A share is judged by the smaller of itself and what is left of the whole: beside 97.4 % wasted, 98.7 % is half of
    what was used, and so nowhere near.
    """
    return abs(value - right) <= NEAR * _size(right, unit)


def _size(right: Fraction, unit: str) -> Fraction:
    """What a distance is compared with."""
    if units.get(unit).dimension == "share" and 0 <= right <= 1:
        return min(right, 1 - right)
    return abs(right)
