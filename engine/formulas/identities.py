"""Identities between symbols, solved once: which symbols they make superfluous, and what stands for each.

"d_model = n_head*d_head" lets a formula be written with either side. Every identity removes one symbol: the one that
stands alone on a side, or else a factor of a side that is a product. What is left in a formula is free to vary, so
that two formulas are the same under the identities exactly when they are the same once all replacements are made.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from engine.formulas import points
from engine.reader.read import formula_tree
from engine.tree import Bin, Sym, Tree, factors, product, substitute, symbols, walk

Pairs = tuple[tuple[str, str], ...]
"""Identities as the texts of their two sides."""


MOST_NODES = 60
"""The largest tree that may stand for a symbol: a chain of squares would double with every identity."""


class IdentityError(Exception):
    """An identity that removes no symbol: a sum on both sides, one that contradicts those before it, or too long."""

    def __init__(self, left: str, right: str) -> None:
        super().__init__(left, right)
        self.left, self.right = left, right


@lru_cache(maxsize=128)
def solved(pairs: Pairs) -> Mapping[str, Tree]:
    """Symbol -> the tree that stands for it, none of which holds a symbol that is itself replaced.

    Raises:
        IdentityError: an identity cannot be solved for a symbol.
        ReadError: a side cannot be read.
    """
    replace: dict[str, Tree] = {}
    for left, right in pairs:
        sides = substitute(formula_tree(left), replace), substitute(formula_tree(right), replace)
        if sides[0] == sides[1] or points.agree(*sides):
            continue  # said already
        found = _solve(*sides) or _solve(*sides[::-1]) or _isolate(*sides) or _isolate(*sides[::-1])
        if found is None:
            raise IdentityError(left, right)
        symbol, stands = found
        replace = {name: substitute(tree, {symbol: stands}) for name, tree in replace.items()} | {symbol: stands}
        if any(sum(1 for _ in walk(tree)) > MOST_NODES for tree in replace.values()):
            raise IdentityError(left, right)
    return replace


def _solve(side: Tree, other: Tree) -> tuple[str, Tree] | None:
    """The symbol that is a whole side, if the other side is free of it."""
    return (side.name, other) if isinstance(side, Sym) and side.name not in symbols(other) else None


def _isolate(side: Tree, other: Tree) -> tuple[str, Tree] | None:
    """A symbol that is one factor of a side and stands nowhere else: "a*b = c" gives b = c/a."""
    parts = factors(side)
    for place in reversed(range(len(parts))):
        rest = product(parts[:place] + parts[place + 1 :])
        taken = parts[place]
        if isinstance(taken, Sym) and taken.name not in (*symbols(rest), *symbols(other)):
            return taken.name, Bin("/", other, rest)
    return None
