"""What a learner answered elsewhere, as evidence: it tells slips apart that give one and the same value here.

Whoever halves the cache in one exercise and in the next leaves the 2 out; whoever halves only the second one kept the
length of the first. A value that shows a slip is evidence for it; one that is right where the slip would have shown
is evidence against it, and no more than that: people slip once and not always.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
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
"""The note that other answers only make what is named first the likelier."""


class Evidence(NamedTuple):
    """Of some slips, those that a value shows and those that it speaks against."""

    shown: frozenset[str]
    against: frozenset[str]


def weigh(
    verdict: Verdict, wide: Sequence[str], witnesses: Iterable[Witness], made: Collection[str] = frozenset()
) -> Verdict:
    """The verdict after hearing witnesses; where they only make some slips likelier, ``params["likely"]`` names those.

    What speaks for a slip may leave out those that nothing speaks for. What speaks against one is weak, since people
    slip once and not always: it puts the slip last and takes none away.

    Args:
        verdict: one that names slips.
        wide: all slips of the typed value, the less likely ones too.
        witnesses: other answers of the learner; the place of the one that shows a slip becomes ``params["witness"]``.
        made: slips that the learner is known to have made before. That outweighs a right answer given since.
    """
    slips = tuple(dict.fromkeys((*verdict.slips, *wide)))
    heard = [evidence(expect, value, slips) for expect, value in witnesses]
    against = frozenset[str]().union(*(one.against for one in heard)).difference(made)
    shown = [slip for slip in slips if any(slip in one.shown for one in heard)]
    if shown:
        return _shown(verdict, shown, against, [slip for slip in slips if slip in made], heard)
    if not verdict.ambiguous:
        return verdict
    before = [slip for slip in slips if slip in made]
    clear = [slip for slip in verdict.slips if slip not in before and slip not in against]
    return _likely(verdict, before or clear, (*before, *clear, *verdict.slips))


def _likely(verdict: Verdict, likely: Sequence[str], slips: Iterable[str]) -> Verdict:
    """The verdict with some slips first, as possible and no more; the same verdict where that singles none out."""
    ordered = tuple(dict.fromkeys((*likely, *slips)))
    if not likely or len(likely) == len(ordered):
        return verdict
    params = {**verdict.params, "likely": " ".join(likely)}
    return verdict._replace(slips=ordered, ambiguous=True, notes=(*verdict.notes, POSSIBLE), params=params)


def _shown(
    verdict: Verdict, shown: list[str], against: frozenset[str], made: list[str], heard: Sequence[Evidence]
) -> Verdict:
    """The verdict for slips that other answers show too: one is named if some answer shows it and nothing else, or if
    it is the one of them that was made before."""
    clear = [slip for slip in shown if slip not in against] or shown
    best = [slip for slip in clear if slip in made] or clear
    rest = tuple(slip for slip in (*made, *shown) if slip not in best)
    places = [place for place, one in enumerate(heard) if set(best) & one.shown]
    if len(best) == 1 and best[0] not in made:
        places = [place for place in places if heard[place].shown == set(best)]
        if not places:
            return _likely(verdict, best, (*shown, *verdict.slips))
    params = {**verdict.params, "witness": str(places[-1])}
    if len(best) > 1 and rest:
        params["likely"] = " ".join(best)
    slips = tuple(dict.fromkeys((*best, *rest)))
    return verdict._replace(slips=slips, ambiguous=len(best) > 1, notes=(*verdict.notes, SEEN), params=params)


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
