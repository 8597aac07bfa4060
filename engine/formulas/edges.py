"""Points at which a rounding just changes: exactly at a step, and beside it by next to nothing.

floor(a/b + 1/1000) is floor(a/b) nearly everywhere. Between two formulas that round, the difference lies at the steps
of what they round, so one symbol is solved for there, and the others are drawn. Counts stay whole numbers, as far
apart from a step as these come: floor((a + b - 1)/b) is ceil(a/b) for whole numbers, and for these alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from typing import Final, NamedTuple

from engine.formulas.symbols import SYMBOLS
from engine.tree import Bin, Call, EvalError, Tree, evaluate, symbols, walk

MOST: Final = 48
"""So many points at most: each costs two evaluations."""
_NEAR: Final = Fraction(1, 10**15)
_TURNS: Final = 3
_LARGE: Final = 2**45
"""One of the other symbols is so large in a turn: whole numbers come near to a step only over a large one."""

Draw = Callable[[str], int]
"""A large number for a text, always the same."""


def whole(name: str) -> bool:
    """Whether a symbol stands for whole numbers. Of one that is not ours nobody says so."""
    return name in SYMBOLS and SYMBOLS[name].whole


def beside(trees: tuple[Tree, ...], fixed: frozenset[str], draw: Draw) -> Iterator[Mapping[str, Fraction]]:
    """Points beside the steps of everything that these formulas round; symbols in ``fixed`` (exponents) stay small."""
    names = sorted({name for tree in trees for name in symbols(tree)})
    found = (
        point
        for turn in range(_TURNS)
        for inside, offset in _rounded(trees)
        for name in symbols(inside)
        if name not in fixed
        for point in _around(inside, offset, name, _others(names, name, turn, fixed, draw), draw)
    )
    yield from islice(found, MOST)


def _rounded(trees: tuple[Tree, ...]) -> tuple[tuple[Tree, Fraction], ...]:
    """What is rounded, each once, and how far beyond a whole number its steps lie."""
    found: dict[tuple[Tree, Fraction], None] = {}
    for tree in trees:
        for node in walk(tree):
            match node:
                case Call("round", inside):
                    found[inside, Fraction(1, 2)] = None
                case Call("floor" | "ceil" | "int", inside):
                    found[inside, Fraction(0)] = None
                case Bin("//", left, right):
                    found[Bin("/", left, right), Fraction(0)] = None
    return tuple(found)


def _others(names: list[str], solved: str, turn: int, fixed: frozenset[str], draw: Draw) -> dict[str, Fraction]:
    """Small values of all symbols but one; after the first turn one of them is large."""
    values = {name: Fraction(2 + draw(f"{solved}/{turn}/{name}") % 8) for name in names if name != solved}
    free = [name for name in values if name not in fixed]
    if turn and free:
        values[free[(turn - 1) % len(free)]] += _LARGE + draw(f"{solved}/{turn}") % _LARGE
    return values


def _around(
    inside: Tree, offset: Fraction, name: str, others: dict[str, Fraction], draw: Draw
) -> Iterator[Mapping[str, Fraction]]:
    """Points at a step of ``inside`` and beside it, reached by the value of one symbol."""
    line = _line(inside, name, others)
    if line is None:
        return
    step = 2 + draw(f"{name}/{sorted(others.items())}") % 7 + offset
    exact = whole(name)
    for target in (step,) if exact else (step - _NEAR, step, step + _NEAR):
        value = line.reaches(target)
        if value is None:
            return
        lowest = math.floor(value)
        for one in (lowest - 1, lowest, lowest + 1, lowest + 2) if exact else (value,):
            if one > 0:
                yield {**others, name: Fraction(one)}


class _Line(NamedTuple):
    """A formula as a line in one symbol, or in one over it."""

    turned: bool
    start: Fraction
    slope: Fraction

    def reaches(self, target: Fraction) -> Fraction | None:
        """The value of the symbol that gives the formula a value; ``None`` if none above nought does."""
        place = (target - self.start) / self.slope
        if place <= 0:
            return None
        return 1 / place if self.turned else place


def _line(inside: Tree, name: str, others: Mapping[str, Fraction]) -> _Line | None:
    """``None`` for a formula that is neither: three points of it do not lie on a line."""
    one = _value(inside, name, others, Fraction(1))
    for turned in (False, True):
        two, four = (_value(inside, name, others, Fraction(1, n) if turned else Fraction(n)) for n in (2, 4))
        if one is None or two is None or four is None or one == two:
            return None
        if four - two == 2 * (two - one):
            return _Line(turned, 2 * one - two, two - one)
    return None


def _value(tree: Tree, name: str, others: Mapping[str, Fraction], value: Fraction) -> Fraction | None:
    try:
        return evaluate(tree, {**others, name: value})
    except EvalError:
        return None
