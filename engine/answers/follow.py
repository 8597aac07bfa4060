"""Follow-through: an answer judged from the learner's own earlier values, so that one slip is charged once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

from engine.answers.model import Expectation, Verdict
from engine.answers.numeric import check_number, matched, right_value
from engine.answers.slips import Broken, rebuilt, steps
from engine.formulas import registry
from engine.tree import EvalError, Tree, evaluate, number

Own = Mapping[str, Fraction]
"""Formula -> the learner's own value of it, in base units."""


def follow(expect: Expectation, typed: str, own: Own) -> Verdict | None:
    """The verdict when the answer is right from the learner's own earlier values, with the note "follow-through"."""
    for used, carried in _carried(expect, own):
        verdict = check_number(expect, typed, carried)
        if verdict.verdict == "correct":
            right = check_number(expect, typed).expected
            notes = (*verdict.notes, "follow-through")
            return verdict._replace(notes=notes, params={"earlier": " ".join(used)}, expected=right)
    return None


def follow_with_slip(expect: Expectation, typed: str, own: Own, verdict: Verdict) -> Verdict | None:
    """The verdict when one slip explains the answer once it is counted from the learner's own earlier values."""
    for used, carried in _carried(expect, own):
        known = _broken(expect.formula, tuple(registry.values(expect.given).items()), tuple(used.items()), expect.drop)
        found = matched(expect, typed, carried, tuple(b for b in known if b.value != carried))
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
