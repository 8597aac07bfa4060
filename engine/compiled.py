"""Trees as functions: for those that are evaluated again and again, the registry's formulas.

:func:`engine.tree.evaluate` walks a tree anew each time and reduces every fraction on the way. A function made here
hands numerators and denominators on as they are, and reduces the result alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from engine.tree import FUNCTIONS, MAX_BITS, Bin, Call, Neg, Num, Qty, Sym, Tree, evaluate, factors

Numbers = Mapping[str, Fraction | int]
Pair = tuple[int, int]
"""A numerator and a denominator above zero, not reduced."""
Node = Callable[[Numbers], Pair]


class _Unsure(Exception):
    """Numbers that have no quotient or power, or are too long before they are reduced: ``evaluate`` decides."""


def compiled(tree: Tree) -> Callable[[Numbers], Fraction]:
    """A function that answers, and raises, what ``evaluate(tree, numbers)`` does.

    A number is never shorter before it is reduced. So where those of a function stay under :data:`MAX_BITS`, those of
    ``evaluate`` do; wherever they do not, or anything else is in the way, ``evaluate`` itself gives the answer.
    """
    node = _node(tree)

    def value(numbers: Numbers) -> Fraction:
        try:
            return Fraction(*node(numbers))
        except (_Unsure, KeyError):
            return evaluate(tree, {name: Fraction(number) for name, number in numbers.items()})

    return value


def _node(tree: Tree) -> Node:
    match tree:
        case Num(number):
            written = number.as_integer_ratio()
            return lambda _: written
        case Sym(name):
            return lambda numbers: numbers[name].as_integer_ratio()
        case Neg(arg):
            return _after(_node(arg), lambda top, bottom: (-top, bottom))
        case Qty(arg, _, factor):
            times, over = factor.as_integer_ratio()
            return _after(_node(arg), lambda top, bottom: (top * times, bottom * over))
        case Call(name, arg):
            return _after(_node(arg), _CALLS.get(name) or _called(FUNCTIONS[name]))
        case Bin("*" | "/"):
            return _product(tree)
        case Bin(op, left, right):
            return _joined(_node(left), _node(right), _JOINS[op])


def _after(inner: Node, then: Callable[[int, int], Pair]) -> Node:
    return lambda numbers: then(*inner(numbers))


def _called(function: Callable[[Fraction], Fraction]) -> Callable[[int, int], Pair]:
    return lambda top, bottom: function(Fraction(top, bottom)).as_integer_ratio()


_CALLS: Mapping[str, Callable[[int, int], Pair]] = {
    "floor": lambda top, bottom: (top // bottom, 1),
    "ceil": lambda top, bottom: (-(-top // bottom), 1),
}
"""The two functions that formulas call most, without a fraction in between."""


def _product(tree: Bin) -> Node:
    """Products and quotients in one go. The digits of all factors together are no fewer than those of any two that
    ``evaluate`` multiplies on its way."""
    parts = [(part.name if isinstance(part, Sym) else "", _node(part), over) for part, over in _factors(tree)]

    def product(numbers: Numbers) -> Pair:
        top = bottom = 1
        digits = 0
        for name, part, over in parts:
            a, b = numbers[name].as_integer_ratio() if name else part(numbers)
            digits += a.bit_length() + b.bit_length()
            if over:
                top *= b
                bottom *= a
            else:
                top *= a
                bottom *= b
        if not bottom or digits > MAX_BITS:
            raise _Unsure
        return (top, bottom) if bottom > 0 else (-top, -bottom)

    return product


def _factors(tree: Tree) -> Iterator[tuple[Tree, bool]]:
    """The factors of a product or quotient, and whether each is divided by: a quotient below the line stays one."""
    match tree:
        case Bin("*", left, right):
            yield from (*_factors(left), *_factors(right))
        case Bin("/", left, right):
            yield from _factors(left)
            yield from ((one, True) for one in factors(right))
        case _:
            yield tree, False


_Join = Callable[[int, int, int, int], Pair]


def _joined(left: Node, right: Node, join: _Join) -> Node:
    def both(numbers: Numbers) -> Pair:
        a, b = left(numbers)
        c, d = right(numbers)
        if a.bit_length() + b.bit_length() + c.bit_length() + d.bit_length() > MAX_BITS:
            raise _Unsure
        return join(a, b, c, d)

    return both


def _floored(a: int, b: int, c: int, d: int) -> Pair:
    if c == 0:
        raise _Unsure
    return a * d // (b * c), 1


def _power(a: int, b: int, c: int, d: int) -> Pair:
    if c % d or (c < 0 and a == 0) or (a.bit_length() + b.bit_length()) * abs(c // d) > MAX_BITS:
        raise _Unsure
    power = c // d
    if power >= 0:
        return a**power, b**power
    return (b**-power, a**-power) if a > 0 or power % 2 == 0 else (-(b**-power), -(a**-power))


_JOINS: Mapping[str, _Join] = {
    "+": lambda a, b, c, d: (a * d + c * b, b * d),
    "-": lambda a, b, c, d: (a * d - c * b, b * d),
    "//": _floored,
    "^": _power,
}
