"""Whether drawn values make a fair question: the right answer apart from every slip's, and slips from each other.

Collisions that hold for every draw are declared, by the questions that split them; a draw with any other is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import NamedTuple

from engine import units
from engine.answers.model import Expectation
from engine.answers.numeric import digits_wanted, right_value, tolerance
from engine.answers.slips import Broken, broken

CLOSE = Fraction(1, 200)
"""Two values this near to each other are one to whoever rounds."""

Together = Collection[frozenset[str]]
"""Sets of slips that may share a value, since a question tells them apart."""


class Clash(NamedTuple):
    """What makes values unfair: a slip that gives the right answer (alone), or two slips that give one value."""

    slips: frozenset[str]
    value: Fraction


def clashes(expect: Expectation, together: Together) -> Iterator[Clash]:
    """Everything that makes the given values unfair, slips of one use only left out: they are named last anyway.

    Raises:
        FormulaError: the values do not allow an answer at all.
    """
    right = right_value(expect)
    known = [b for b in broken(expect.formula, expect.given, expect.carry, expect.carry_all) if b.rank < 2]
    known = [b for b in known if b.slip not in expect.drop]
    near = [b for b in known if passes_for_right(expect, b.value, right)]
    yield from (Clash(frozenset((b.slip,)), b.value) for b in near if b.slip not in expect.equal)
    yield from _pairs(expect, [b for b in known if b not in near], together)


def passes_for_right(expect: Expectation, value: Fraction, right: Fraction) -> bool:
    """Whether a slip's value passes for the right one: within reach of the tolerance, or one with it as displayed."""
    if expect.kind == "integer":
        return value == right
    if abs(value - right) <= 2 * tolerance(expect, right):
        return True
    digits = digits_wanted(expect, right)
    one, other = (units.number(v / units.get(expect.unit).factor, digits) for v in (value, right))
    return one == other


def _pairs(expect: Expectation, known: list[Broken], together: Together) -> Iterator[Clash]:
    ordered = sorted(known, key=lambda b: b.value)
    for place, one in enumerate(ordered):
        width = Fraction(0) if expect.kind == "integer" else abs(one.value) * CLOSE
        for other in ordered[place + 1 :]:
            if other.value - one.value > width:
                break
            pair = frozenset((one.slip, other.slip))
            if len(pair) == 2 and not any(pair <= row for row in together):
                yield Clash(pair, one.value)
