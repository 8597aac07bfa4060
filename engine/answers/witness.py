"""What a learner answered elsewhere, as evidence: it tells slips apart that give one and the same value here.

Whoever halves the cache in one exercise and in the next leaves the 2 out; whoever halves only the second one kept the
length of the first. A value that shows a slip is evidence for it; one that is right where the slip would have shown
is evidence against it, and no more than that: people slip once and not always.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine.answers.matching import CLOSE
from engine.answers.model import Expectation, Verdict
from engine.answers.numeric import broken_values, right_value, tolerance
from engine.answers.pairs import turned
from engine.answers.slips import ROUNDED, steps

Witness = tuple[Expectation, Fraction]
"""What was asked elsewhere, and the value that was answered, in base units."""

SEEN = "seen-in-sibling"
"""The note that another answer shows the same slip."""
POSSIBLE = "possible"
"""The note that what is named is only what other answers leave over."""


class Evidence(NamedTuple):
    """Of some slips, those that a value shows and those that it speaks against."""

    shown: frozenset[str]
    against: frozenset[str]


def weigh(verdict: Verdict, wide: Sequence[str], witnesses: Iterable[Witness]) -> Verdict:
    """The verdict after hearing witnesses.

    Args:
        verdict: one that names slips.
        wide: all slips of the typed value, the less likely ones too.
        witnesses: other answers of the learner; the place of the one that shows a slip becomes ``params["witness"]``.
    """
    slips = tuple(dict.fromkeys((*verdict.slips, *wide)))
    heard = [evidence(expect, value, slips) for expect, value in witnesses]
    against = frozenset[str]().union(*(one.against for one in heard))
    shown = [slip for slip in slips if any(slip in one.shown for one in heard)]
    if shown:
        return _shown(verdict, [slip for slip in shown if slip not in against] or shown, heard)
    rest = tuple(slip for slip in verdict.slips if slip not in against)
    if verdict.ambiguous and rest and rest != verdict.slips:
        return verdict._replace(slips=rest, notes=(*verdict.notes, POSSIBLE))
    return verdict


def _shown(verdict: Verdict, best: list[str], heard: Sequence[Evidence]) -> Verdict:
    """The verdict for slips that other answers show too: one is named if some answer shows it and nothing else."""
    places = [place for place, one in enumerate(heard) if set(best) & one.shown]
    params = {**verdict.params, "witness": str(places[-1])}
    if len(best) > 1:
        return verdict._replace(slips=tuple(best), ambiguous=True, notes=(*verdict.notes, SEEN), params=params)
    alone = [place for place in places if heard[place].shown == set(best)]
    if not alone:
        return verdict._replace(slips=tuple(best), ambiguous=True, notes=(*verdict.notes, POSSIBLE))
    params["witness"] = str(alone[-1])
    return verdict._replace(slips=tuple(best), ambiguous=False, notes=(*verdict.notes, SEEN), params=params)


def evidence(expect: Expectation, value: Fraction, slips: Sequence[str]) -> Evidence:
    """What a value answered elsewhere says about slips."""
    wanted = set(slips) & possible(expect)
    if not wanted:
        return Evidence(frozenset(), frozenset())
    right = right_value(expect)
    reach = Fraction(0) if expect.kind == "integer" else tolerance(expect, right)
    known = [(b.slip, b.value) for b in broken_values(expect)]
    known += [(slip, turn) for slip, turn, _ in turned(expect.unit, right)]
    telling = [
        (slip, wrong) for slip, wrong in known if slip in wanted and abs(wrong - right) > max(reach, _close(right))
    ]
    applies = frozenset(slip for slip, _ in telling)
    if abs(value - right) <= reach:
        return Evidence(frozenset(), applies)
    shown = frozenset(slip for slip, wrong in telling if abs(value - wrong) <= _close(wrong))
    explained = any(abs(value - wrong) <= _close(wrong) for _, wrong in known)
    return Evidence(shown, applies - shown if explained else frozenset())


def _close(value: Fraction) -> Fraction:
    return abs(value) * CLOSE


def possible(expect: Expectation) -> frozenset[str]:
    """The slips that can happen in a formula at all: cheap to know, so that few witnesses have to be computed."""
    if not expect.formula:
        return frozenset()
    carried = {slip for _, slip in expect.carry.values()} | {expect.carry_all or ""}
    return (_of_formula(expect.formula, expect.unit) | carried).difference(expect.drop)


@lru_cache(maxsize=256)
def _of_formula(name: str, unit: str) -> frozenset[str]:
    turns = {slip for slip, _, _ in turned(unit, Fraction(1))}
    return frozenset({step.slip for step in steps(name)} | turns | {ROUNDED})
