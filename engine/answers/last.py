"""What explains a value that no slip of the formula gives.

An old value in one place, a gain in place of a factor, a typed calculation from values that were rounded: these are
looked for last, and only there: each would come near many values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine import units
from engine.answers.breaks import OLD_BELOW, OLD_VALUE
from engine.answers.model import Expectation, Verdict
from engine.answers.numeric import matched, reading_of, right_value
from engine.answers.slips import Broken, rounded
from engine.formulas import registry
from engine.reader.read import is_literal
from engine.tree import EvalError, Tree, evaluate, number, substitute, symbols

GAIN = "gain-for-factor"


def last(expect: Expectation, typed: str, verdict: Verdict) -> Verdict:
    """The verdict on a wrong value, with what explains it after all."""
    if not expect.formula:
        return verdict
    known = (*gains(expect), *old_values(expect), *_rounded(expect, typed))
    found = matched(expect, typed, None, known) if known else None
    if found is None or not found.slips:
        return verdict
    return verdict._replace(slips=found.slips, ambiguous=found.ambiguous, notes=found.notes)


def gains(expect: Expectation) -> Iterator[Broken]:
    """How much more it is, where the question is how many times as much: 32 % for a factor of 1.32."""
    right = right_value(expect)
    if units.get(expect.unit).dimension == "factor" and right > 1:
        yield Broken(GAIN, number(right - 1), right - 1, 1)


def old_values(expect: Expectation) -> Iterator[Broken]:
    """The right calculation with a value from before in one place, where the symbol has several."""
    known = registry.values(expect.given)
    for symbol, old in expect.kept.items():
        put = {symbol: number(old)}
        for slip, tree in _one_place(expect.formula, symbol, put):
            whole = registry.multi_head(tree, known)
            try:
                yield Broken(slip, whole, evaluate(whole, known), 1)
            except EvalError:
                continue


def _rounded(expect: Expectation, typed: str) -> Iterator[Broken]:
    """A typed calculation from rounded values, also where a number alone would pass for the right one in few digits."""
    if is_literal(reading_of(expect, typed).tree):
        return
    known = registry.values(expect.given)
    for slip, tree, rank in rounded(expect.formula, known, coarse=True):
        whole = registry.multi_head(tree, known)
        if slip not in (*expect.drop, *expect.equal):
            yield Broken(slip, whole, evaluate(whole, known), rank)


def _one_place(name: str, symbol: str, put: Mapping[str, Tree]) -> Iterator[tuple[str, Tree]]:
    """The places of a symbol: where the formula itself names it, and each step below in which it stands."""
    own, below = registry.get(name).tree, registry.references(name)
    steps = {ref: registry.expanded(ref) for ref in below}
    having = [ref for ref, tree in steps.items() if symbol in symbols(tree)]
    itself = symbol in symbols(own)
    if itself + len(having) < 2:
        return
    if itself:
        yield OLD_VALUE, substitute(substitute(own, put), steps)
    for ref in having:
        slip = OLD_BELOW.get((name, symbol), OLD_VALUE) if itself and len(having) == 1 else OLD_VALUE
        yield slip, substitute(own, {**steps, ref: substitute(steps[ref], put)})
