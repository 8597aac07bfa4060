"""Which of the numbers around it a unit belongs to: a factor, the whole product, every bare term of a sum."""

from __future__ import annotations

from engine import units
from engine.reader.errors import ReadError
from engine.reader.tokens import Token
from engine.tree import Bin, Call, Neg, Num, Qty, Tree


def has_unit(tree: Tree) -> bool:
    """Whether a unit stands anywhere in a tree."""
    if isinstance(tree, Qty):
        return True
    match tree:
        case Bin(_, left, right):
            return has_unit(left) or has_unit(right)
        case Neg(arg) | Call(_, arg):
            return has_unit(arg)
    return False


def attach(left: Tree, unit: units.Unit, token: Token) -> Tree:
    """Put a unit on the whole product, or on its last factor when the product has one already."""
    name = next(key for key, value in units.UNITS.items() if value == unit)
    if not has_unit(left):
        return Qty(left, name, unit.factor)
    if isinstance(left, Bin) and left.op == "/" and not has_unit(left.right):
        return Bin(left.op, left.left, Qty(left.right, name, unit.factor))
    raise ReadError("unit-twice", token.start, token.end, unit=token.text)


def spread_unit(terms: list[tuple[str, Tree]]) -> list[tuple[str, Tree]]:
    """Give the bare terms of a sum the one unit that is in it: ``53.687 + 6.5 GB`` and ``80 GB - 79.7`` are all GB.

    A bare 1 beside a share is the whole, not one percent.
    """
    named = [term for _, term in terms if has_unit(term)]
    if len(terms) == 1 or not named or len({term.unit if isinstance(term, Qty) else "" for term in named}) > 1:
        return terms
    one = named[-1]
    if not isinstance(one, Qty):
        return terms
    ends = has_unit(terms[-1][1])  # behind it only plain numbers are of its kind: "100 % - 120/2048" has a ratio
    bare = [not _keeps_unit(term, one) and (ends or isinstance(term, Num)) for _, term in terms]
    return [(op, Qty(term, one.unit, one.factor) if b else term) for b, (op, term) in zip(bare, terms, strict=True)]


def _keeps_unit(term: Tree, last: Qty) -> bool:
    whole = last.unit == "%" and isinstance(term, Num) and term.value == 1
    return whole or isinstance(term, Qty)


def join_sum(terms: list[tuple[str, Tree]]) -> Tree:
    """One tree of the terms, from left to right."""
    tree = terms[0][1]
    for op, term in terms[1:]:
        tree = Bin(op, tree, term)
    return tree
