"""Formulas for sympy: trees that we built, never text. The only module that imports sympy, and only when called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.tree import Bin, Call, Neg, Num, Qty, Sym, Tree

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


def equal(one: Tree, other: Tree) -> bool:
    """Whether two trees are the same function of their symbols, decided by sympy."""
    import sympy

    difference = sympy.simplify(sympy.expand(expression(one) - expression(other)))
    return bool(difference == 0)


def latex(tree: Tree) -> str:
    """A tree as LaTeX, for export."""
    import sympy

    return str(sympy.latex(expression(tree)))
