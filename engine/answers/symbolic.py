"""Verdicts on formulas: refuted at exact random points, confirmed by sympy; slips are formulas broken the same way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from engine.answers.model import Expectation, Expected, Read, Verdict
from engine.answers.slips import broken_trees
from engine.formulas import registry, symbolic
from engine.reader.errors import ReadError
from engine.reader.parse import Names
from engine.reader.read import formula_tree, read
from engine.tree import Bin, EvalError, Sym, Tree, evaluate, factors, substitute, symbols, text, walk

_POINTS: tuple[tuple[int, ...], ...] = (
    (3, 5, 7, 11, 13, 17, 19, 23, 29, 31),
    (8, 3, 10, 7, 5, 9, 4, 6, 11, 2),
    (2, 9, 4, 3, 6, 5, 8, 7, 10, 12),
)
"""Small whole numbers: powers of them stay within the evaluation's bound."""

_UNIT_BEHIND = re.compile(r"\s+bytes?[\s.]*$", re.IGNORECASE)


def check_formula(expect: Expectation, typed: str) -> Verdict:
    """The verdict on a typed formula."""
    right = expected_tree(expect)
    expected = Expected(None, None, text(right))
    reading = read_formula(expect, typed)
    if reading.verdict == "invalid":
        return reading._replace(expected=expected)
    tree = _tree(expect, typed)
    base = reading._replace(expected=expected)
    if same_function(tree, right, expect.identities):
        return base._replace(verdict="correct")
    slips = tuple(dict.fromkeys(_slips(expect, tree)))
    return base._replace(slips=slips, ambiguous=len(slips) > 1)


def read_formula(expect: Expectation, typed: str) -> Verdict:
    """How a typed formula reads, unjudged: incorrect stands for readable."""
    try:
        tree = _tree(expect, typed)
    except ReadError as error:
        return Verdict("invalid", error.reason, span=(error.start, error.end), params=error.params)
    if not symbols(tree):
        known = ", ".join(dict.fromkeys(expect.symbols.values()))
        return Verdict("invalid", "needs-formula", span=(0, len(typed)), params={"symbols": known})
    return Verdict("incorrect", read=Read(text(tree), None, None, None))


def _tree(expect: Expectation, typed: str) -> Tree:
    return read(_without_unit(typed), Names(expect.symbols, units=False)).tree


def expected_tree(expect: Expectation) -> Tree:
    """The right formula, in the symbols that the question uses."""
    if registry.is_formula(expect.formula):
        return registry.multi_head(registry.expanded(expect.formula), expect.given)
    return formula_tree(expect.formula)


def same_function(one: Tree, other: Tree, identities: tuple[tuple[str, str], ...]) -> bool:
    """Whether two trees are one function under the identities: points refute, sympy confirms."""
    replace = {name: formula_tree(value) for name, value in identities}
    left, right = substitute(one, replace), substitute(other, replace)
    if left == right:
        return True
    return agrees(left, right) and symbolic.equal(left, right)


def agrees(one: Tree, other: Tree) -> bool:
    """Whether two trees have one value at every test point; exact, and cheap enough for every keystroke."""
    names = sorted({*symbols(one), *symbols(other)})
    for point in _POINTS:
        at = {name: Fraction(point[place % len(point)] + place // len(point)) for place, name in enumerate(names)}
        if _value(one, at) != _value(other, at):
            return False
    return True


def _value(tree: Tree, at: Mapping[str, Fraction]) -> Fraction | str:
    try:
        return evaluate(tree, at)
    except EvalError as error:
        return error.reason


def _slips(expect: Expectation, tree: Tree) -> Iterator[str]:
    """The broken calculations that are the typed function."""
    name = expect.formula if registry.is_formula(expect.formula) else _registered(expect)
    if name is None:
        return
    # No values: a symbol is not 1 just because an exercise sets it so; d_model alone says which case is meant.
    known = {"d_model": Fraction(7, 3)} if "d_model" in symbols(expected_tree(expect)) else {}
    replace = {symbol: formula_tree(value) for symbol, value in expect.identities}
    mine = substitute(tree, replace)
    for slip, broken, _ in broken_trees(name, known):
        if agrees(mine, substitute(registry.multi_head(broken, known), replace)):
            yield slip
    if _has_sum_of_factors(tree, expected_tree(expect)):
        yield "sum-for-product"


def _registered(expect: Expectation) -> str | None:
    """The registered formula that a formula text is, so that its slips are known."""
    tree = expected_tree(expect)
    given = ("d_model",)
    return next(
        (name for name in registry.names() if registry.multi_head(registry.expanded(name), given) == tree), None
    )


def _has_sum_of_factors(tree: Tree, right: Tree) -> bool:
    """Whether plus signs stand where the right formula, a pure product, has none, over the same symbols."""
    pure = all(not (isinstance(node, Bin) and node.op == "+") for node in walk(right)) and len(factors(right)) > 2
    plus = any(isinstance(node, Bin) and node.op == "+" for node in walk(tree))
    leaves = sorted(n.name for n in walk(tree) if isinstance(n, Sym))
    return pure and plus and leaves == sorted(n.name for n in walk(right) if isinstance(n, Sym))


def _without_unit(typed: str) -> str:
    """A typed formula without the word "bytes" behind it."""
    return _UNIT_BEHIND.sub("", typed)
