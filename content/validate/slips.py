"""Slips of a computed part: none equals the right answer unseen, none is in reach of the tolerance, all have words."""

from __future__ import annotations

from collections.abc import Container
from fractions import Fraction

from content.checking import expectation
from content.schema import Exercise, Part
from content.validate.source import Source
from engine import units
from engine.answers.model import Expectation
from engine.answers.numeric import right_value, tolerance
from engine.answers.slips import Broken, broken

CAP_SHARE = Fraction(1, 100)
CAP_POINTS = Fraction(1, 5)
CAP_BYTES = Fraction(10**8)
"""No part declares a wider tolerance: 1 % of the value, 0.2 points of a percentage, 0.1 GB."""


def computed(source: Source, where: tuple[str, ...], exercise: Exercise, part: Part, words: Container[str]) -> None:
    """Check the slips that the formula of a part implies."""
    expect = expectation(exercise, part)
    right = right_value(expect)
    known = broken(part.formula, part.given, expect.carry, expect.carry_all)
    _words_of(source, where, known, words)
    _equal(source, where, part, known, right)
    apart = [b for b in known if b.slip not in {*part.equal, *part.drop} and b.value != right]
    _caps(source, where, part, right)
    if part.kind != "integer":
        _reach(source, where, expect, right, apart)


def _words_of(source: Source, where: tuple[str, ...], known: tuple[Broken, ...], words: Container[str]) -> None:
    for slip in dict.fromkeys(b.slip for b in known):
        if slip not in words:
            source.report((*source.find(where), "formula"), "slip-without-words", slip=slip)


def _equal(source: Source, where: tuple[str, ...], part: Part, known: tuple[Broken, ...], right: Fraction) -> None:
    """A value that two calculations share must be declared, or the right one would be called a slip."""
    declared = {*part.equal, *part.drop}
    for slip in dict.fromkeys(b.slip for b in known if b.value == right):
        if slip not in declared:
            source.report(source.find((*where, "equal")), "slip-equals-answer", slip=slip)


def _caps(source: Source, where: tuple[str, ...], part: Part, right: Fraction) -> None:
    """A declared tolerance stays within what this house allows; the engine would cut it off silently."""
    if part.tolerance is None:
        return
    percent, size = part.kind == "percent", units.get(part.unit).dimension == "bytes"
    over = ""
    if part.tolerance > (CAP_POINTS if percent else CAP_SHARE):
        over = "0.2 %" if percent else "0.01"
    elif size and part.tolerance * abs(right) > CAP_BYTES:
        over = "0.1 GB"
    if over:
        source.report(source.find((*where, "tolerance")), "tolerance-over-cap", cap=over)


def _reach(source: Source, where: tuple[str, ...], expect: Expectation, right: Fraction, apart: list[Broken]) -> None:
    """The tolerance must stay under half the distance to the nearest slip that may be named."""
    if not apart:
        return
    nearest = min(apart, key=lambda b: abs(b.value - right))
    reach, distance = tolerance(expect, right), abs(nearest.value - right)
    if reach >= distance / 2:
        shown = (units.quantity(value, expect.unit, 3) for value in (reach, distance / 2))
        params = dict(zip(("reach", "most"), shown, strict=True))
        source.report(source.find((*where, "tolerance")), "tolerance-reaches-slip", slip=nearest.slip, **params)


def named(source: Source, where: tuple[str, ...], part: Part, words: Container[str]) -> None:
    """Every slip that a part names has words."""
    lists = (("equal", part.equal), ("drop", part.drop), ("slips", tuple(part.slips.values())))
    for key, slips in lists:
        for slip in dict.fromkeys(slips):
            if slip not in words:
                source.report_in(source.find((*where, key)), slip, "unknown-slip", slip=slip)
