"""Bytes in a unit that people can read: the reader's own family, GB or GiB, unless the amount is far from it."""

from __future__ import annotations

from fractions import Fraction

from tutor.figures.pen import Pen

LEAST, MOST = 10**7, 10**15
"""Bytes from which, and below which, an amount prints well in GB and in GiB."""
_DECIMAL, _BINARY = ("KB", "MB", "GB", "TB", "PB"), ("KiB", "MiB", "GiB", "TiB", "PiB")


def sized(value: Fraction, unit: str) -> str:
    """The unit of the same family (powers of 1000 or 1024) in which an amount has few digits."""
    family, base = (_BINARY, 1024) if unit in _BINARY else (_DECIMAL, 1000)
    place = 0
    while place < len(family) - 1 and abs(value) >= base ** (place + 2):
        place += 1
    return family[place]


def suited(value: Fraction, unit: str) -> str:
    """The reader's unit, or for what is far too little or too much for it another of its family."""
    return unit if value == 0 or LEAST <= abs(value) < MOST else sized(value, unit)


def amount(value: Fraction, unit: str, pen: Pen, digits: int = 4) -> str:
    """Bytes in the unit that suits them; four digits where amounts are to add up, else three, as the lessons have."""
    return pen.amount(value, suited(value, unit), digits)
