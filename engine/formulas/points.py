"""Two formulas compared at points, exactly: different values at one point prove that they differ.

Three kinds of points. *Fixed* ones, chosen by the names of the symbols, are cheap and refute nearly every wrong
formula. *Drawn* ones depend on both formulas (a SHA-256 of their texts), so nobody can write a formula that fits the
points it will be tried at: two different rational functions of degree d agree at one drawn point with a probability of
at most d / 2**32 (Schwartz and Zippel). *Rounding* ones are for floor and ceil: small numbers that divide each other
or just do not, one huge number among small ones, so that what is rounded is not always nought, and the steps of what
is rounded.

A point where a formula has no value (a division by zero, a number too large) says nothing and is passed over.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, islice
from typing import NamedTuple

from engine.formulas import edges
from engine.tree import Bin, Call, EvalError, Tree, evaluate, symbols, text, walk

Point = Mapping[str, Fraction]
Print = tuple[Fraction | str, ...]
"""A formula's values at some points, or the reason why it has none there."""

_FIXED = 3
_FEW, _MANY = 2, 12
"""So many drawn points when a proof is still to come, and when there will be none."""
_CLOSE = 20
_LIFTED = 6
_WIDTHS = (2**32, 2**8, 2**16, 2**4)
"""The ranges of drawn coordinates in turn: a formula of a high degree has a value only at small ones."""
_HUGE = 2520**9
"""Divisible by the product of any nine numbers up to ten: then nothing is left to round."""


class Traits(NamedTuple):
    """What decides which points make sense for two formulas."""

    names: tuple[str, ...]
    exponents: frozenset[str]
    rounds: bool
    seed: str


def witnesses(tree: Tree) -> tuple[Point, ...]:
    """Points at which formulas that should be like this one are looked at first; of a rounding formula also those at
    which its value is largest, so that rounding hides nothing. A symbol that a point does not know is small there."""
    found: list[Point] = [{name: _fixed(name, place) for name in symbols(tree)} for place in range(_FIXED)]
    if rounds(tree):
        traits = _traits(tree, tree)
        lifted = (point for big in traits.names for point in _lifted(traits, big))
        valued = ((_value(tree, point), point) for point in lifted)
        sized = [(abs(value), point) for value, point in valued if isinstance(value, Fraction)]
        found += [point for _, point in sorted(sized, key=lambda pair: pair[0], reverse=True)[:_LIFTED]]
    return tuple(found)


def fingerprint(tree: Tree, at: Sequence[Point]) -> Print:
    """The values of a formula at some points."""
    names = symbols(tree)
    return tuple(
        _value(tree, {name: point[name] if name in point else _fixed(name, place % _FIXED) for name in names})
        for place, point in enumerate(at)
    )


def differ(one: Print, other: Print) -> bool:
    """Whether two fingerprints prove two formulas different."""
    return any(left != right for left, right in _valued(one, other))


def same(one: Print, other: Print) -> bool:
    """Whether two fingerprints are alike at two points or more, and different at none."""
    valued = _valued(one, other)
    return len(valued) > 1 and all(left == right for left, right in valued)


def _valued(one: Print, other: Print) -> list[tuple[Fraction | str, Fraction | str]]:
    return [pair for pair in zip(one, other, strict=True) if not (_none(pair[0]) or _none(pair[1]))]


def no_value(found: Print) -> str | None:
    """Why a formula has a value at none of the points; ``None`` when it has one."""
    reasons = [value for value in found if isinstance(value, str)]
    return reasons[0] if len(reasons) == len(found) else None


def refuted(one: Tree, other: Tree) -> bool:
    """Whether a few drawn points prove two formulas different: the quick look before a proof that they are not."""
    return any(_at(one, other, point) is False for point in _drawn(_traits(one, other), _FEW))


def agree(one: Tree, other: Tree) -> bool:
    """Whether two formulas agree at many points, for when there is no other proof; where something is rounded, at
    points made for that too."""
    traits = _traits(one, other)
    said = [_at(one, other, point) for point in _drawn(traits, _MANY)]
    if False in said or said.count(True) < _MANY // 4:
        return False
    return not traits.rounds or _round_alike(one, other, traits)


def alike(one: Tree, other: Tree) -> bool:
    """Whether two formulas of one fingerprint, which is nearly proof enough, agree at a few points more."""
    traits = _traits(one, other)
    points = chain(_drawn(traits, _FEW), islice(_close(traits), _FEW if traits.rounds else 0))
    return all(_at(one, other, point) is not False for point in points)


def _round_alike(one: Tree, other: Tree, traits: Traits) -> bool:
    """Whether no point made for rounding proves a difference."""
    for big in traits.names:
        for place, point in enumerate(_lifted(traits, big)):
            left, right = _value(one, point), _value(other, point)
            if left != right and not (_none(left) or _none(right)):
                return False
            if place == 0 and left == right == 0:
                break  # what is huge stands below the line: all it can show is nought
    steps = edges.beside((one, other), traits.exponents, lambda words: _digest(f"{traits.seed}/{words}"))
    return all(_at(one, other, point) is not False for point in chain(_close(traits), steps))


def rounds(tree: Tree) -> bool:
    """Whether a formula rounds somewhere."""
    return any(isinstance(node, Call) or (isinstance(node, Bin) and node.op == "//") for node in walk(tree))


# --- which points -----------------------------------------------------------------------------------------------------


def _traits(one: Tree, other: Tree) -> Traits:
    names = tuple(sorted({*symbols(one), *symbols(other)}))
    powers = (node.right for tree in (one, other) for node in walk(tree) if isinstance(node, Bin) and node.op == "^")
    raised = frozenset(name for power in powers for name in symbols(power))
    seed = hashlib.sha256(f"{text(one)}\n{text(other)}".encode()).hexdigest()
    return Traits(names, raised, rounds(one) or rounds(other), seed)


def _fixed(name: str, place: int) -> Fraction:
    """Small whole numbers: powers of them stay within the evaluation's bound."""
    return Fraction(2 + _digest(f"{name}/{place}") % (29, 17, 11)[place])


def _drawn(traits: Traits, count: int) -> Iterator[Point]:
    """Whole numbers of some widths; what stands in an exponent stays small, or nothing would have a value."""
    for place in range(count):
        width = _WIDTHS[place % len(_WIDTHS)]
        yield {
            name: Fraction(2 + _digest(f"{traits.seed}/{place}/{name}") % (10 if name in traits.exponents else width))
            for name in traits.names
        }


def _lifted(traits: Traits, big: str) -> Iterator[Point]:
    """One symbol huge beside small ones, so that the quotient that is rounded is large and an error in it shows; first
    such that nothing is left to round, one more, and one less."""
    if big in traits.exponents:
        return
    for place in range(_LIFTED):
        at = {name: Fraction(2 + _digest(f"{traits.seed}/{big}/{place}/{name}") % 9) for name in traits.names}
        drawn = _digest(f"{traits.seed}/{big}/{place}")
        at[big] = Fraction(_HUGE * (1 + drawn % 97) + (drawn if place > 2 else (0, 1, -1)[place]))
        yield at


def _close(traits: Traits) -> Iterator[Point]:
    """Numbers up to eight, of which many divide each other; of what need not be whole also halves and thirds."""
    for lonely in ("", *traits.names):  # all ones, and each number alone among ones: where most roundings change
        yield {name: Fraction(5 if name == lonely else 1) for name in traits.names}
        yield {name: Fraction(1 if name == lonely else 2) for name in traits.names}
    for place in range(_CLOSE):
        at = {}
        for name in traits.names:
            drawn = _digest(f"{traits.seed}/close/{place}/{name}")
            whole = name in traits.exponents or place % 2 == 0 or edges.whole(name)
            at[name] = Fraction(1 + drawn % 8, 1 if whole else 1 + drawn // 8 % 3)
        yield at


def _digest(words: str) -> int:
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:24], "big")


# --- what they say ----------------------------------------------------------------------------------------------------


def _at(one: Tree, other: Tree, point: Point) -> bool | None:
    """Whether two formulas have one value at a point; ``None`` when one of them has none."""
    left = _value(one, point)
    if _none(left):
        return None
    right = _value(other, point)
    return None if _none(right) else left == right


def _value(tree: Tree, point: Point) -> Fraction | str:
    try:
        return evaluate(tree, point)
    except EvalError as error:
        return error.reason


def _none(value: Fraction | str) -> bool:
    return isinstance(value, str)
