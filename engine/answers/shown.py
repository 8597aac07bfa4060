"""Which slips a question can bring to light: those that lead to another answer than the right one there."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from engine import units
from engine.answers.last import gains, old_values
from engine.answers.model import Expectation
from engine.answers.numeric import broken_values, digits_wanted, right_value, tolerance
from engine.answers.variants import passes_for_right
from engine.formulas import registry
from engine.tree import Bin, walk

_BINARY = {"KB": 2**10, "MB": 2**20, "GB": 2**30, "TB": 2**40}
"""Decimal units of memory, and the bytes of the binary ones that are taken for them."""


def shown_slips(expect: Expectation) -> frozenset[str]:
    """The slips whose value in a computed question is another one than the right one, and could not pass for it.

    Raises:
        FormulaError: the expectation itself cannot be computed.
    """
    right = right_value(expect)
    values = [(b.slip, b.value) for b in (*broken_values(expect), *gains(expect), *old_values(expect))]
    apart = {slip for slip, value in values if not passes_for_right(expect, value, right)}
    apart |= {slip for slip, value in _general(expect, right) if not passes_for_right(expect, value, right)}
    if _cut_shows(expect, right):
        apart.add("truncated")
    return frozenset(apart - set(expect.drop))


def _general(expect: Expectation, right: Fraction) -> Iterator[tuple[str, Fraction]]:
    """Slips of units, sign and direction, which no formula implies, with the value that each gives."""
    unit = units.get(expect.unit)
    if expect.unit in _BINARY:
        binary = _BINARY[expect.unit] / unit.factor
        yield "gib-for-gb", right / binary
        yield "gb-for-gib", right * binary
        yield "bytes-as-gb", right * unit.factor
        yield "power-of-ten", right * 1000
        yield "exponent-sign", right / 1000
    if unit.dimension == "share":
        yield "percent-twice", right / 100
    if unit.dimension == "factor" and right:
        yield "factor-inverted", 1 / right
    tree = registry.expanded(expect.formula) if expect.formula else None
    if tree is not None and any(isinstance(node, Bin) and node.op == "-" for node in walk(tree)):
        yield "sign-flipped", -right


def _cut_shows(expect: Expectation, right: Fraction) -> bool:
    """Whether the right number with its last digit cut off, where it should be rounded, is no longer right."""
    if expect.kind == "integer" or not right:
        return False
    shown = right / units.get(expect.unit).factor
    step = Fraction(10) ** (units.exponent(shown) - digits_wanted(expect, right) + 1)
    cut = abs(shown) // step * step
    off = (abs(shown) - cut) * units.get(expect.unit).factor
    return off > max(tolerance(expect, right), step * units.get(expect.unit).factor / 2)
