"""Numbers that programs print, as a person reads them.

They stay in the unit they are read in, so that they can be found again in the text: GiB stays GiB here.
"""

from __future__ import annotations

from fractions import Fraction

from content import words
from content.diagnosing.words import quantity
from content.lang import Lang
from engine import units

_DIGITS = 4
_SAID: dict[str, str] = {"fraction": "%", "fraction/s": "%", "C": "°C", "count": "", "x": "x", "": ""}
"""Units whose sign is another one than their name."""
_LADDERED = frozenset(("bytes/s", "FLOP/s", "FLOP"))


def number(value: float | int | Fraction, digits: int = _DIGITS) -> str:
    """A number: whole ones in full, grouped when they are long; others with four digits."""
    exact = Fraction(value)
    if exact.denominator == 1 and abs(exact) < 10**18:
        return units.grouped(int(exact))
    if units.GROUPED_FROM <= abs(exact) < 10**15:
        return units.grouped(units.round_half_up(exact))
    return units.number(exact, digits)


def amount(value: float | int | Fraction, unit: str, lang: Lang) -> str:
    """A value with its unit: a share in percent, a count with its noun."""
    exact = Fraction(value)
    if unit in _LADDERED or (unit == "bytes" and abs(exact) >= 10**7):
        return quantity(exact, unit, lang)
    shown = number(exact * 100 if unit in ("fraction", "fraction/s") else exact, _DIGITS + (unit == "tokens"))
    if unit in units.COUNTS or unit in ("bytes", "bits"):
        return f"{shown} {words.noun(unit, shown, lang)}"
    sign = _SAID.get(unit, unit)
    return f"{shown}{sign}" if sign in ("", "x") else f"{shown} {sign}"


def billions(value: float | int) -> str:
    """So many parameters."""
    exact = Fraction(value)
    if abs(exact) < 10**6:
        return number(exact)
    step, name = (10**9, "billion") if abs(exact) >= 10**9 else (10**6, "million")
    return f"{units.number(exact / step, 4)} {name}"


def bare(low: str, high: str) -> str:
    """The lower one of two amounts without the unit that both have."""
    shown, _, unit = low.rpartition(" ")
    return shown if shown and high.endswith(f" {unit}") else low
