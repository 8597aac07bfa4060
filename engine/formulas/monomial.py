"""Products as they are collected: a number, and the power of each symbol beside it.

Two of them are one function exactly when they are alike, which shows most right answers to be right without anything
heavier.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.tree import MAX_BITS, Bin, Neg, Num, Sym, Tree

MAX_POWER = 64
"""The largest power that is collected."""

Monomial = tuple[Fraction, Mapping[str, Fraction]]
"""A number, and the power of each symbol beside it."""


def monomial(tree: Tree) -> Monomial | None:
    """A product of numbers and powers of symbols, collected; ``None`` for any other tree."""
    match tree:
        case Num(value):
            return value, {}
        case Sym(name):
            return Fraction(1), {name: Fraction(1)}
        case Neg(arg):
            return _times(monomial(arg), (Fraction(-1), {}))
        case Bin("*", left, right):
            return _times(monomial(left), monomial(right))
        case Bin("/", left, right):
            return _times(monomial(left), _raised(monomial(right), Fraction(-1)))
        case Bin("^", base, Num(value)) if abs(value) <= MAX_POWER:
            return _raised(monomial(base), value)
    return None


def _times(one: Monomial | None, other: Monomial | None) -> Monomial | None:
    if one is None or other is None or bits(one[0]) + bits(other[0]) > MAX_BITS:
        return None
    value = one[0] * other[0]
    if value == 0:
        return value, {}
    powers = {name: one[1].get(name, Fraction(0)) + other[1].get(name, Fraction(0)) for name in {**one[1], **other[1]}}
    return value, {name: power for name, power in powers.items() if power}


def _raised(one: Monomial | None, power: Fraction) -> Monomial | None:
    """A power; a root only where no number stands under it, since symbols are positive and most numbers have none."""
    if one is None or one[0] == 0 or bits(one[0]) * abs(power) > MAX_BITS:
        return None
    if power.denominator != 1 and one[0] != 1:
        return None
    number = one[0] ** power.numerator if power.denominator == 1 else one[0]
    return number, {name: times * power for name, times in one[1].items() if power}


def bits(value: Fraction) -> int:
    """The length of a number."""
    return max(value.numerator.bit_length(), value.denominator.bit_length())
