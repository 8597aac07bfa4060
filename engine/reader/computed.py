"""Functions that give a number at once, since a tree has none for them: sqrt, log2, log10, min, max, round to places.

Roots and logarithms are exact where they are rational, else to 15 digits, which is more than any answer needs.
"""

from __future__ import annotations

import math
from fractions import Fraction

from engine.reader.errors import ReadError
from engine.reader.parse import COMPUTED
from engine.reader.tokens import Token
from engine.tree import Num, Qty, Tree, evaluate

_MOST_PLACES = 30


def call(name: str, arguments: list[Tree], token: Token) -> Tree:
    """The value of a call. Raises ``ReadError`` when the function does not take these arguments."""
    values = [evaluate(argument) for argument in arguments]
    if name in ("min", "max") and len(values) > 1:
        if len({isinstance(argument, Qty) for argument in arguments}) > 1:  # of 37 and 1 GB neither is the smaller
            raise ReadError("two-values", token.start, token.end, word=token.text)
        return arguments[values.index(min(values) if name == "min" else max(values))]
    if name == "round" and len(values) == 2:
        return _rounded(arguments[0], values[1], token)
    if name not in COMPUTED or len(values) != 1 or name in ("min", "max", "round"):
        raise ReadError("unknown-word", token.start, token.end, word=token.text, more="function")
    value = values[0]
    if value < 0 or (value == 0 and name != "sqrt"):
        raise ReadError("not-finite", token.start, token.end, word=token.text)
    result = _root(value) if name == "sqrt" else _logarithm(value, 2 if name == "log2" else 10)
    return Num(result, f"{name}({arguments[0].text})" if isinstance(arguments[0], Num) else "")


def _rounded(tree: Tree, places: Fraction, token: Token) -> Tree:
    """``round(1.0737, 2)``: to a number of decimal places, halves away from zero, in the unit that was typed."""
    if places.denominator != 1 or abs(places) > _MOST_PLACES:
        raise ReadError("unknown-word", token.start, token.end, word=token.text, more="function")
    step = Fraction(10) ** -places.numerator
    if isinstance(tree, Qty):
        return Qty(_rounded(tree.arg, places, token), tree.unit, tree.factor)
    value = evaluate(tree)
    whole = int(abs(value) / step + Fraction(1, 2))
    return Num((-whole if value < 0 else whole) * step)


def _root(value: Fraction) -> Fraction:
    above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if above**2 == value.numerator and below**2 == value.denominator:
        return Fraction(above, below)
    shift = max(0, 128 - value.numerator.bit_length() + value.denominator.bit_length())
    scaled = (value.numerator << (2 * shift)) // value.denominator
    return Fraction(math.isqrt(scaled), 1 << shift)


def _logarithm(value: Fraction, base: int) -> Fraction:
    exact = _exact_logarithm(value.numerator, base), _exact_logarithm(value.denominator, base)
    if exact[0] is not None and exact[1] is not None:
        return Fraction(exact[0] - exact[1])
    log = math.log2 if base == 2 else math.log10
    return Fraction(log(value.numerator) - log(value.denominator)).limit_denominator(10**15)


def _exact_logarithm(value: int, base: int) -> int | None:
    power = round(math.log(value, base)) if value > 0 else -1
    return power if power >= 0 and base**power == value else None
