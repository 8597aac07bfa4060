"""Trees as functions: for those that are evaluated again and again, the registry's formulas.

:func:`engine.tree.evaluate` walks a tree anew each time and reduces every fraction on the way. A function made here
hands numerators and denominators on as they are, and reduces the result alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from engine.tree import FUNCTIONS, MAX_BITS, Bin, Call, Neg, Num, Qty, Sym, Tree, evaluate

Numbers = Mapping[str, Fraction | int]
Pair = tuple[int, int]
"""A numerator and a denominator above zero, not reduced."""


class _Unsure(Exception):
    """Numbers that have no quotient or power, or are too long before they are reduced: ``evaluate`` decides."""


def compiled(tree: Tree) -> Callable[[Numbers], Fraction]:
    """A function that answers, and raises, what ``evaluate(tree, values)`` does.

    A number is never shorter before it is reduced. So where those of a function stay under :data:`MAX_BITS`, those of
    ``evaluate`` do; wherever they do not, or anything else is in the way, ``evaluate`` itself gives the answer.
    """
    pair = _compiled(tree)

    def value(values: Numbers) -> Fraction:
        try:
            return Fraction(*pair(values))
        except (_Unsure, KeyError):
            return evaluate(tree, {name: Fraction(number) for name, number in values.items()})

    return value


def _compiled(tree: Tree) -> Callable[[Numbers], Pair]:
    match tree:
        case Num(number):
            written = number.as_integer_ratio()
            return lambda _: written
        case Sym(name):
            return lambda values: values[name].as_integer_ratio()
        case Neg(arg):
            return _after(_compiled(arg), lambda top, bottom: (-top, bottom))
        case Qty(arg, _, factor):
            times, over = factor.as_integer_ratio()
            return _after(_compiled(arg), lambda top, bottom: (top * times, bottom * over))
        case Call(name, arg):
            return _after(_compiled(arg), _CALLS.get(name) or _called(FUNCTIONS[name]))
        case Bin(op, left, right):
            return _joined(_compiled(left), _compiled(right), _power) if op == "^" else _bounded(op, left, right)


def _after(inner: Callable[[Numbers], Pair], then: Callable[[int, int], Pair]) -> Callable[[Numbers], Pair]:
    return lambda values: then(*inner(values))


def _called(function: Callable[[Fraction], Fraction]) -> Callable[[int, int], Pair]:
    return lambda top, bottom: function(Fraction(top, bottom)).as_integer_ratio()


_CALLS: Mapping[str, Callable[[int, int], Pair]] = {
    "floor": lambda top, bottom: (top // bottom, 1),
    "ceil": lambda top, bottom: (-(-top // bottom), 1),
}
"""The two functions that formulas call most, without a fraction in between."""

_Join = Callable[[int, int, int, int], Pair]


def _joined(left: Callable[[Numbers], Pair], right: Callable[[Numbers], Pair], join: _Join) -> Callable[[Numbers], Pair]:
    return lambda values: join(*left(values), *right(values))


def _bounded(op: str, left: Tree, right: Tree) -> Callable[[Numbers], Pair]:
    """Both sides joined, where all their digits together are few enough."""
    first, second, join = _compiled(left), _compiled(right), _JOINS[op]

    def both(values: Numbers) -> Pair:
        a, b = first(values)
        c, d = second(values)
        if a.bit_length() + b.bit_length() + c.bit_length() + d.bit_length() > MAX_BITS:
            raise _Unsure
        return join(a, b, c, d)

    return both


def _over(a: int, b: int, c: int, d: int) -> Pair:
    if c == 0:
        raise _Unsure
    return (a * d, b * c) if c > 0 else (-a * d, -b * c)


def _floored(a: int, b: int, c: int, d: int) -> Pair:
    top, bottom = _over(a, b, c, d)
    return top // bottom, 1


def _power(a: int, b: int, c: int, d: int) -> Pair:
    if c % d or (c < 0 and a == 0):
        raise _Unsure
    power = abs(c // d)
    if (a.bit_length() + b.bit_length()) * power > MAX_BITS:
        raise _Unsure
    raised = a**power, b**power
    return raised if c >= 0 else _over(1, 1, *raised)


_JOINS: Mapping[str, _Join] = {
    "+": lambda a, b, c, d: (a * d + c * b, b * d),
    "-": lambda a, b, c, d: (a * d - c * b, b * d),
    "*": lambda a, b, c, d: (a * c, b * d),
    "/": _over,
    "//": _floored,
}
