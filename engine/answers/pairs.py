"""Two slips in one answer: the common ones that meet, and when a value is good enough evidence for them.

Two slips are a bold guess, since some pair comes near almost any value. So a pair is named only where no single slip
fits, where the typed digits are those of the pair's value and of no other pair's, and where so many pairs do not lie
around the value that one would fit it by chance. Where too many do, only the pairs of the most frequent slips count:
they are few, so that one of them is still good evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import inf, log
from typing import NamedTuple

from engine import units
from engine.answers.breaks import COMMON, FREQUENT
from engine.answers.edits import Known
from engine.answers.model import Expectation
from engine.answers.nearness import close
from engine.answers.slips import Carried, Step, broken, rebuilt, steps
from engine.formulas import registry
from engine.tree import EvalError, Tree, evaluate, number, substitute, symbols

CHANCE = 0.03
"""The greatest share of arbitrary values about as large as the typed one that some pair may explain."""
AROUND = 2
"""A pair lies around a value when it is at most so many times as large, and at least so small a part of it."""
TWINS = (("MB", "MiB"), ("GB", "GiB"))
"""Decimal units of bytes with the binary ones that they are taken for."""
DIGITS, FEWEST = 3, 2
"""Typed digits that a rounded number must have; for the pairs of the most frequent slips fewer are enough."""


class Pair(NamedTuple):
    """Two slips at once.

    Attributes:
        slips: their ids, in the order of the steps.
        tree: what was calculated, where that can be written down.
        value: the result, in base units.
        about: the result again, inexact and quick to compare.
        apart: whether no single slip gives the value too; otherwise only the working can show the pair.
        unit: what a number must have been typed in: a unit, none at all (""), or "any".
    """

    slips: tuple[str, str]
    tree: Tree | None
    value: Fraction
    about: float
    apart: bool = True
    unit: str = "any"


class Together(NamedTuple):
    """The pairs behind a value: the slip that all of them share first, then what may have gone with it.

    Two slips are one pair; three and more are pairs of one value, and nothing typed tells them apart.
    """

    slips: tuple[str, ...]

    @property
    def ambiguous(self) -> bool:
        """Whether several pairs give the value."""
        return len(self.slips) > 2


def pairs(expect: Expectation) -> tuple[Pair, ...]:
    """The common pairs of an expectation."""
    known = registry.values(expect.given)
    return _pairs(expect.formula, tuple(known.items()), tuple(expect.carry.items()), expect.carry_all, expect.drop,
                  expect.unit)  # fmt: skip


@lru_cache(maxsize=16)  # each holds the trees of some hundred pairs
def _pairs(
    name: str,
    items: tuple[tuple[str, Fraction], ...],
    carry: tuple[tuple[str, tuple[Fraction, str]], ...],
    carry_all: str | None,
    dropped: tuple[str, ...],
    unit: str,
) -> tuple[Pair, ...]:
    known, carried = dict(items), dict(carry)
    alone = broken(name, known, carried, carry_all)
    single = {b.value for b in alone} | {registry.result(name, known)}
    found: dict[tuple[frozenset[str], Fraction, str], Pair] = {}
    often = (COMMON | {slip for _, slip in carried.values()} | {carry_all}).difference(dropped)
    trees = (*_two_steps(name, known, dropped), *_with_carried(name, known, carried, carry_all, dropped))
    for slips, tree in trees:
        whole = registry.multi_head(tree, known)
        try:
            value = evaluate(whole, known)
        except EvalError:
            continue
        found.setdefault(
            (frozenset(slips), value, "any"), Pair(slips, whole, value, _about(value), value not in single)
        )
    for one in alone:
        if one.rank < 2 and one.slip in often:
            for slip, value, typed_in in turned(unit, one.value):
                if value not in single and slip != one.slip:
                    pair = Pair((one.slip, slip), None, value, _about(value), True, typed_in)
                    found.setdefault((frozenset(pair.slips), value, typed_in), pair)
    return tuple(found.values())


def _about(value: Fraction) -> float:
    """A value in floating point; infinite where that has no number so large."""
    try:
        return float(value)
    except OverflowError:
        return inf


def _common(name: str, dropped: tuple[str, ...], often: frozenset[str] = COMMON) -> list[Step]:
    return [step for step in steps(name) if step.slip in often and step.slip not in dropped]


def _two_steps(
    name: str, known: Known, dropped: tuple[str, ...], often: frozenset[str] = COMMON
) -> Iterator[tuple[tuple[str, str], Tree]]:
    """Two broken steps, in one formula or in two."""
    common = _common(name, dropped, often)
    alone = {step: rebuilt(name, known, {step.family: (step.edit,)}) for step in common}
    for one, other in combinations([step for step in common if alone[step] is not None], 2):
        if one.slip == other.slip:
            continue
        tree = _both(name, known, one, other)
        if tree is not None and tree == alone[other]:
            tree = _both(name, known, other, one)  # the second calculates anew, so it has to come first
        if tree is not None and tree not in (alone[one], alone[other]):
            yield (one.slip, other.slip), tree


def _both(name: str, known: Known, one: Step, other: Step) -> Tree | None:
    if one.family == other.family:
        return rebuilt(name, known, {one.family: (one.edit, other.edit)})
    return rebuilt(name, known, {one.family: (one.edit,), other.family: (other.edit,)})


def _with_carried(
    name: str, known: Known, carry: Carried, carry_all: str | None, dropped: tuple[str, ...]
) -> Iterator[tuple[tuple[str, str], Tree]]:
    """A value carried over beside a broken step, or beside a second carried value."""
    right = registry.multi_head(registry.expanded(name), known)
    used = {symbol: number(value) for symbol, (value, _) in carry.items() if symbol in symbols(right)}
    puts = [(carry[symbol][1], {symbol: tree}) for symbol, tree in used.items()]
    if len(used) > 2 or not carry_all:
        for (one, put), (other, more) in combinations(puts, 2):
            yield (one, other), substitute(right, {**put, **more})
    if carry_all and len(used) > 1:
        puts.append((carry_all, dict(used)))
    for step in _common(name, dropped) if puts else ():
        tree = rebuilt(name, known, {step.family: (step.edit,)})
        whole = None if tree is None else registry.multi_head(tree, known)
        for slip, put in puts:
            if whole is not None and set(put) <= set(symbols(whole)):
                yield (step.slip, slip), substitute(whole, put)


def turned(unit: str, value: Fraction) -> Iterator[tuple[str, Fraction, str]]:
    """A value after a mix-up of units: the slip, the value that is read then, the unit it has to be typed in."""
    dimension, factor = units.get(unit).dimension, units.get(unit).factor
    if dimension == "bytes":
        for decimal, binary in TWINS:
            ratio = units.get(binary).factor / units.get(decimal).factor
            yield "gib-for-gb", value / ratio, decimal
            yield "gb-for-gib", value * ratio, binary
        if factor != 1:
            yield "bytes-as-gb", value * factor, ""
    if dimension == "share":
        yield "percent-twice", value / 100, "any"
        yield "percent-twice", value * 100, "any"
    if dimension in ("factor", "number") and value != 0:
        yield "factor-inverted", 1 / value, "any"


class Typed(NamedTuple):
    """What evidence a typed value is: base units, half its last digit (0 when exact), its digits, and its unit."""

    value: Fraction
    half_digit: Fraction
    digits: int | None
    unit: str | None


def by_value(expect: Expectation, typed: Typed, right: Fraction) -> Together | None:
    """The pair that gives a typed value, if it is good evidence for one."""
    if expect.kind == "integer":
        typed = typed._replace(half_digit=Fraction(0))  # a count is meant to the last one
    digits = DIGITS if typed.digits is None or expect.kind == "integer" else typed.digits
    if _about(typed.value) in (0, inf, -inf) or digits < FEWEST:
        return None
    if close(typed.value, right, expect.unit):
        return None  # a little off: a slip of the pen or of rounding is likelier than two slips that nearly cancel
    size = abs(_about(typed.value))
    around = [
        pair
        for pair in pairs(expect)
        if pair.apart and size / AROUND <= abs(pair.about) <= size * AROUND and _unit_fits(expect, pair, typed)
    ]
    frequent = [pair for pair in around if FREQUENT.issuperset(pair.slips)]
    for some in (around, frequent) if digits >= DIGITS else (frequent,):
        fitting = [pair for pair in some if abs(pair.value - typed.value) <= typed.half_digit]
        found = shared(fitting) if fitting and _chance(some, typed) <= CHANCE else None
        if found is not None:
            return found
    return None


def beside(expect: Expectation, value: Fraction) -> tuple[str, str] | None:
    """The one pair of the most frequent slips that gives a value which rarer ones, none of them frequent, give too."""
    known, found = registry.values(expect.given), {}
    for both, tree in _two_steps(expect.formula, known, expect.drop, FREQUENT):
        with suppress(EvalError):
            if evaluate(registry.multi_head(tree, known), known) == value:
                found[frozenset(both)] = both
    return next(iter(found.values())) if len(found) == 1 else None


def _unit_fits(expect: Expectation, pair: Pair, typed: Typed) -> bool:
    if pair.unit == "":
        return typed.unit is None
    return pair.unit in ("any", typed.unit or expect.unit)


def _chance(around: Sequence[Pair], typed: Typed) -> float:
    """How likely some pair would explain an arbitrary value of this size, typed in as many digits."""
    half = typed.half_digit if typed.half_digit or typed.digits is None else Fraction(1, 2)
    return len({pair.about for pair in around}) * float(2 * half / abs(typed.value)) / log(AROUND * AROUND)


def shared(fitting: Sequence[Pair]) -> Together | None:
    """One pair, or pairs that share a slip and differ in the other."""
    sets = list(dict.fromkeys(frozenset(pair.slips) for pair in fitting))
    if len(sets) == 1:
        return Together(fitting[0].slips)
    common = frozenset.intersection(*sets) if sets else frozenset()
    if len(common) != 1 or len(sets) > 3:
        return None
    (both,) = common
    others = (slip for pair in fitting for slip in pair.slips if slip != both)
    return Together((both, *dict.fromkeys(others)))
