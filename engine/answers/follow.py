"""Follow-through: an answer judged from the learner's own earlier values, so that one slip is charged once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

from engine import units
from engine.answers.model import Expectation, Verdict
from engine.answers.numeric import check_number, matched, right_value
from engine.answers.slips import Broken, rebuilt, steps
from engine.formulas import registry
from engine.tree import EvalError, Tree, evaluate, number

Own = Mapping[str, Fraction]
"""Formula -> the learner's own value of it, in base units."""
IMPOSSIBLE = "follow-through-impossible"
"""The note that an answer follows from own values which cannot be, since this one cannot."""


def follow(expect: Expectation, typed: str, own: Own) -> Verdict | None:
    """The verdict when the answer is what comes out of the learner's own earlier values.

    It is right then, with the note "follow-through", unless no such amount can be: minus 8 slots follow from too few
    blocks, but they are the sign to look at the blocks again.
    """
    refused = None
    for used, carried in _carried(expect, own):
        verdict = check_number(expect, typed, carried)
        if verdict.verdict != "correct":
            continue
        right = check_number(expect, typed).expected
        params = {"earlier": " ".join(used)}
        wrong = impossible(expect, carried)
        if not wrong:
            return verdict._replace(notes=(*verdict.notes, "follow-through"), params=params, expected=right)
        params["impossible"] = wrong
        refused = refused or Verdict("incorrect", None, verdict.read, (), False, (IMPOSSIBLE,), right, None, params)
    return refused


def impossible(expect: Expectation, value: Fraction) -> str:
    """Why a value cannot be an answer, whatever was given; empty where it can."""
    right, dimension = right_value(expect), units.get(expect.unit).dimension
    if value * right < 0 or (value < 0 and (expect.kind == "integer" or dimension in units.COUNTS)):
        return "below-zero" if value < 0 else "above-zero"
    if expect.kind == "integer" and value.denominator != 1:
        return "not-whole"
    return "over-whole" if dimension == "share" and 0 <= right <= 1 < value else ""


def follow_with_slip(expect: Expectation, typed: str, own: Own, verdict: Verdict) -> Verdict | None:
    """The verdict when one slip explains the answer once it is counted from the learner's own earlier values."""
    for used, carried in _carried(expect, own):
        known = _broken(expect.formula, tuple(registry.values(expect.given).items()), tuple(used.items()), expect.drop)
        found = matched(expect, typed, carried, tuple(b for b in known if b.value != carried))
        sure = {b.slip for b in known}
        if found is not None and impossible(expect, carried) and not sure.issuperset(found.slips):
            continue  # a wrong sign or unit of what cannot be anyway
        if found is not None and found.slips and "truncated" not in found.slips:
            return verdict._replace(
                slips=found.slips,
                ambiguous=found.ambiguous,
                notes=(*found.notes, "follow-through-slip"),
                params={**verdict.params, "earlier": " ".join(used)},
            )
    return None


def _carried(expect: Expectation, own: Own) -> Iterator[tuple[dict[str, Fraction], Fraction]]:
    """What follows from all own values at once, then from each alone, where that differs from the right value."""
    if not expect.formula:
        return
    below = {name: value for name, value in own.items() if name in registry.all_references(expect.formula)}
    every = {name: below[name] for name in _reached(expect.formula, below)}
    sets = [every, *({name: value} for name, value in below.items() if {name: value} != every)]
    right = right_value(expect)
    for used in sets if every else ():
        try:
            carried = registry.result(expect.formula, expect.given, used)
        except registry.FormulaError:
            continue
        if carried != right:
            yield used, carried


def _reached(name: str, own: Own) -> Iterator[str]:
    """The own values that a formula meets on its way down; what lies below one of them plays no part."""
    for ref in registry.references(name):
        if ref in own:
            yield ref
        else:
            yield from _reached(ref, own)


@lru_cache(maxsize=64)
def _broken(
    name: str,
    given: tuple[tuple[str, Fraction], ...],
    own: tuple[tuple[str, Fraction], ...],
    dropped: tuple[str, ...],
) -> tuple[Broken, ...]:
    """The calculations from the learner's own values with one further step broken."""
    known = dict(given)
    instead: dict[str, Tree] = {formula: number(value) for formula, value in own}
    found: list[Broken] = []
    for step in steps(name):
        tree = None if step.slip in dropped else rebuilt(name, known, {step.family: (step.edit,)}, instead)
        if tree is None:
            continue
        whole = registry.multi_head(tree, known)
        try:
            found.append(Broken(step.slip, whole, evaluate(whole, known), step.rank))
        except EvalError:
            continue
    return tuple(found)
