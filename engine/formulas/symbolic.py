"""Formulas for sympy: trees that we built, never text. The only module that imports sympy, and only when called."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from engine.tree import Bin, Call, EvalError, Neg, Num, Qty, Sym, Tree, evaluate, symbols

if TYPE_CHECKING:
    import sympy


def expression(tree: Tree) -> sympy.Expr:
    """A tree as a sympy expression over positive symbols (counts and sizes are positive)."""
    import sympy

    match tree:
        case Num(value):
            return sympy.Rational(value.numerator, value.denominator)
        case Sym(name):
            return sympy.Symbol(name, positive=True)
        case Neg(arg):
            return -expression(arg)
        case Qty(arg, _, factor):
            return expression(arg) * sympy.Rational(factor.numerator, factor.denominator)
        case Call(name, arg):
            return _function(name, expression(arg))
        case Bin(op, left, right):
            return _operation(op, expression(left), expression(right))


def _function(name: str, arg: sympy.Expr) -> sympy.Expr:
    import sympy

    table = {
        "floor": sympy.floor,
        "int": sympy.floor,
        "ceil": sympy.ceiling,
        "abs": sympy.Abs,
        "round": lambda value: sympy.floor(value + sympy.Rational(1, 2)),
    }
    return table[name](arg)


def _operation(op: str, left: sympy.Expr, right: sympy.Expr) -> sympy.Expr:
    import sympy

    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right
        case "//":
            return sympy.floor(left / right)
        case _:
            return left**right


MAX_TERMS = 500
"""Trees that would expand to more terms than this are compared at points instead: sympy could take minutes."""

_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71)


def equal(one: Tree, other: Tree) -> bool:
    """Whether two trees are the same function of their symbols, decided by sympy; for trees too large to expand, by
    their exact values at twenty points."""
    if expanded_terms(one) + expanded_terms(other) > MAX_TERMS:
        return _equal_at_points(one, other)
    import sympy

    difference = sympy.simplify(sympy.expand(expression(one) - expression(other)))
    return bool(difference == 0)


def expanded_terms(tree: Tree) -> int:
    """At most how many terms a tree expands to, without expanding it; counting stops above :data:`MAX_TERMS`."""
    match tree:
        case Num() | Sym():
            return 1
        case Neg(arg) | Qty(arg, _, _) | Call(_, arg):
            return expanded_terms(arg)
        case Bin("^", base, power):
            return _power_terms(expanded_terms(base), power)
        case Bin("+" | "-", left, right):
            count = expanded_terms(left) + expanded_terms(right)
        case Bin(_, left, right):
            count = expanded_terms(left) * expanded_terms(right)
    return min(count, MAX_TERMS + 1)


def _power_terms(base: int, power: Tree) -> int:
    """The terms of a sum to a whole power: one per way to spread the power over its terms."""
    if base == 1:
        return 1
    if not isinstance(power, Num) or power.value > MAX_TERMS:
        return MAX_TERMS + 1
    degree = max(int(abs(power.value)), 1)
    return min(math.comb(base + degree - 1, degree), MAX_TERMS + 1)


def _equal_at_points(one: Tree, other: Tree) -> bool:
    names = sorted({*symbols(one), *symbols(other)})
    for shift in range(len(_PRIMES)):
        at = {name: Fraction(_PRIMES[(shift + 3 * place) % len(_PRIMES)]) for place, name in enumerate(names)}
        try:
            if evaluate(one, at) != evaluate(other, at):
                return False
        except EvalError:
            return False
    return True
