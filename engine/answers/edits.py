"""Edits of a formula's tree: the ways in which one step of a calculation goes wrong.

An edit takes the tree and the given values and returns the broken tree, or ``None`` when it does not apply here
(the symbol is not in the formula, or the change would change nothing). Texts are read when an edit is first made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from engine.reader.read import formula_tree
from engine.tree import Bin, Call, EvalError, Num, Tree, evaluate, factors, number, product, substitute, symbols

Known = Mapping[str, Fraction]
Edit = Callable[[Tree, Known], Tree | None]


def put(**changes: str) -> Edit:
    """Put an expression in a symbol's place: ``put(p="1")`` forgets the bytes per number."""

    def edit(tree: Tree, known: Known) -> Tree | None:
        trees = {name: formula_tree(text) for name, text in changes.items()}
        if not set(trees) <= set(symbols(tree)) or all(_same(known, name, new) for name, new in trees.items()):
            return None
        return substitute(tree, trees)

    return edit


def _same(known: Known, name: str, new: Tree) -> bool:
    try:
        return known.get(name) == evaluate(new, known)
    except EvalError:
        return False


def form(text: str) -> Edit:
    """Calculate another expression over the same givens."""

    def edit(tree: Tree, known: Known) -> Tree | None:
        new = formula_tree(text)
        return None if new == tree else new

    return edit


def drop(constant: int) -> Edit:
    """Forget a constant factor."""

    def edit(tree: Tree, known: Known) -> Tree | None:
        parts = list(factors(tree))
        for part in parts:
            if isinstance(part, Num) and part.value == constant:
                parts.remove(part)
                return product(tuple(parts))
        return None

    return edit


def times(text: str) -> Edit:
    """Multiply the result by something that does not belong there."""
    return lambda tree, known: Bin("*", tree, formula_tree(text))


def over(text: str) -> Edit:
    """Divide the result by something that does not belong there."""
    return lambda tree, known: Bin("/", tree, formula_tree(text))


def add_factors(tree: Tree, known: Known) -> Tree | None:
    """Add the factors instead of multiplying them."""
    parts = factors(tree)
    if len(parts) < 3:
        return None
    total = parts[0]
    for part in parts[1:]:
        total = Bin("+", total, part)
    return total


def rounding(function: str | None) -> Edit:
    """Round the other way, to the nearest, or (``None``) not at all, where the formula ends in floor or ceil."""

    def edit(tree: Tree, known: Known) -> Tree | None:
        if not isinstance(tree, Call) or tree.name not in ("floor", "ceil") or tree.name == function:
            return None
        return tree.arg if function is None else Call(function, tree.arg)

    return edit


def when(condition: Callable[[Known], bool], edit: Edit) -> Edit:
    """An edit that applies only to some given values."""
    return lambda tree, known: edit(tree, known) if condition(known) else None


def power_of(symbol: str, exponent: str) -> Edit:
    """``symbol ^ exponent`` where the two should be multiplied."""

    def edit(tree: Tree, known: Known) -> Tree | None:
        if not {symbol, exponent} <= set(symbols(tree)):
            return None
        raised = formula_tree(f"{symbol}^{exponent}")
        return substitute(tree, {symbol: raised, exponent: number(1)})

    return edit
