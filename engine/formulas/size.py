"""How large a formula becomes when it is expanded, known without expanding it."""

from __future__ import annotations

import math
from typing import NamedTuple

from engine.formulas.monomial import bits
from engine.tree import MAX_BITS, Bin, Call, Neg, Num, Qty, Sym, Tree

MAX_TERMS = 2000
"""The most terms that a formula may expand to, above its line or below."""
MAX_DEGREE = 1000


class Size(NamedTuple):
    """At most how large a tree is as one quotient of two sums: terms above and below the line, degree, bits."""

    above: int
    below: int
    degree: int
    bits: int

    @property
    def bounded(self) -> bool:
        """Whether sympy may expand it."""
        return max(self.above, self.below) <= MAX_TERMS and self.degree <= MAX_DEGREE and self.bits <= MAX_BITS

    def plus(self, other: Size) -> Size:
        """The size of a sum, brought over one denominator."""
        above = self.above * other.below + other.above * self.below
        return _capped(above, self.below * other.below, self.degree + other.degree, self.bits + other.bits + 1)

    def times(self, other: Size) -> Size:
        """The size of a product; of several products that fall together the numbers add up."""
        above, below = self.above * other.above, self.below * other.below
        more = max(above, below).bit_length()
        return _capped(above, below, self.degree + other.degree, self.bits + other.bits + more)

    def over(self, other: Size) -> Size:
        """The size of a quotient."""
        return self.times(other._replace(above=other.below, below=other.above))

    def power(self, exponent: int) -> Size:
        """The size of a whole power: one term per way to spread it over the terms."""
        times = min(abs(exponent), MAX_DEGREE + 1)
        above, below = (_spread(terms, times) for terms in (self.above, self.below))
        bits = times * (self.bits + max(self.above, self.below).bit_length())
        raised = _capped(above, below, self.degree * times, bits)
        return raised if exponent >= 0 else raised._replace(above=below, below=above)


def _capped(above: int, below: int, degree: int, bits: int) -> Size:
    """A size whose numbers stay small however large the tree is."""
    return Size(min(above, MAX_TERMS + 1), min(below, MAX_TERMS + 1), min(degree, MAX_DEGREE + 1), min(bits, 10**6))


def _spread(terms: int, times: int) -> int:
    return 1 if terms == 1 else math.comb(terms + times - 1, times) if terms + times < 10**4 else MAX_TERMS + 1


def size(tree: Tree) -> Size:
    """The size of a tree, without expanding it."""
    match tree:
        case Num(value):
            return Size(1, 1, 0, bits(value))
        case Sym():
            return Size(1, 1, 1, 1)
        case Neg(arg):
            return size(arg)
        case Qty(arg, _, factor):
            return size(arg).times(size(Num(factor)))
        case Call(_, arg):
            return _atom(size(arg))
        case Bin("^", base, Num(value)) if value.denominator == 1:
            return size(base).power(int(value))
        case Bin("^", base, power):
            return _atom(size(base).times(size(power)))
        case Bin("+" | "-", left, right):
            return size(left).plus(size(right))
        case Bin("*", left, right):
            return size(left).times(size(right))
        case Bin(_, left, right):
            return size(left).over(size(right))


def _atom(inside: Size) -> Size:
    """What cannot be opened counts as one term where its inside is small enough, and as too much where it is not."""
    return Size(1, 1, inside.degree + 1, inside.bits) if inside.bounded else _capped(MAX_TERMS + 1, 1, 0, 0)
