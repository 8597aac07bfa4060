"""The door: an answer checked against what is expected."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from engine.answers.model import Expectation, Verdict
from engine.answers.numeric import broken_values, check_number, matched, two_at_once

if TYPE_CHECKING:
    from engine.answers.matching import Match

NUMERIC = frozenset(("number", "integer", "percent", "factor"))


ENOUGH = 3
"""So many slips of one count leave no room for less likely ones."""


class _Heard(NamedTuple):
    """What is known of the learner beside the answer: other answers, and slips made before."""

    witnesses: Iterable[tuple[Expectation, Fraction]]
    made: Collection[str]

    def __bool__(self) -> bool:
        return self.witnesses != () or bool(self.made)


def check(
    expect: Expectation,
    typed: str,
    earlier: Mapping[str, Fraction] | None = None,
    witnesses: Iterable[tuple[Expectation, Fraction]] = (),
    made: Collection[str] = frozenset(),
) -> Verdict:
    """The verdict on a typed answer; never evaluates it, never raises for it.

    A wrong value is explained by the first that can: the numbers typed in a calculation, a single slip, a slip
    counted from the learner's own earlier values, two common slips at once.

    Args:
        expect: what would be right.
        typed: the answer as typed.
        earlier: the learner's own values of formulas that this one builds on, in base units, where they differ from
            the right ones. An answer that follows from them is correct, with the note "follow-through".
        witnesses: what the learner answered elsewhere, in base units. Asked for only where slips share the value.
        made: slips that the learner is known to have made before.

    Raises:
        FormulaError: the expectation itself cannot be computed.
    """
    if expect.kind == "formula":
        from engine.answers.symbolic import check_formula

        return check_formula(expect, typed)
    if expect.kind not in NUMERIC:
        from engine.answers.wording import check_words

        return check_words(expect, typed)
    verdict = check_number(expect, typed)
    if verdict.verdict != "incorrect":
        return verdict
    verdict = _explained(expect, typed, earlier or {}, _Heard(witnesses, made), verdict)
    return _or_together(expect, verdict)


def _explained(
    expect: Expectation,
    typed: str,
    earlier: Mapping[str, Fraction],
    known: _Heard,
    verdict: Verdict,
) -> Verdict:
    """A wrong answer in the light of everything else that is known."""
    if earlier:
        from engine.answers.follow import follow, follow_with_slip

        followed = follow(expect, typed, earlier)
        if followed is not None:
            return followed
        if not verdict.slips:
            followed = follow_with_slip(expect, typed, earlier, verdict)
        if followed is not None:
            return followed
    if "seen-in-working" in verdict.notes:
        return verdict
    found = two_at_once(expect, typed, alone=not verdict.slips)
    if found is not None:
        pair, notes = found
        both = verdict._replace(slips=pair.slips, ambiguous=pair.ambiguous, notes=notes)
        return _pair_witnessed(both, known) if pair.ambiguous and known else both
    if not verdict.slips:
        from engine.answers.last import last

        return last(expect, typed, verdict)
    return _witnessed(expect, typed, known, verdict)


def _pair_witnessed(verdict: Verdict, known: _Heard) -> Verdict:
    """Two slips of which one is sure, after hearing the witnesses on the other."""
    from engine.answers.witness import weigh

    sure, *others = verdict.slips
    heard = weigh(verdict._replace(slips=tuple(others)), others, known.witnesses, known.made)
    return heard._replace(slips=(sure, *heard.slips))


def _witnessed(expect: Expectation, typed: str, known: _Heard, verdict: Verdict) -> Verdict:
    """A verdict that names slips, after hearing the witnesses where there is something to tell apart."""
    whole = expect.kind == "integer"
    if not expect.formula or not (whole or known):
        return verdict
    found = matched(expect, typed)
    if found is None or len(found.wide) < 2:
        return verdict
    if whole:
        verdict = _counted(verdict, found)
    if not known:
        return verdict
    from engine.answers.witness import weigh

    return weigh(verdict, found.wide, known.witnesses, known.made)


def _counted(verdict: Verdict, found: Match) -> Verdict:
    """The verdict on a count with the less likely slips too: many calculations end in one and the same small number.

    Of so many the common slips come first. Where several likelier ones give the number already, that is enough.
    """
    from engine.answers.breaks import COMMON
    from engine.answers.slips import ROUNDED

    wide = [slip for slip in found.wide if slip in verdict.slips or slip != ROUNDED]
    if set(wide) <= set(verdict.slips) or len(verdict.slips) >= ENOUGH:
        return verdict
    wide.sort(key=lambda slip: slip not in COMMON)
    slips = tuple(dict.fromkeys((*wide, *verdict.slips)))
    return verdict._replace(slips=slips, ambiguous=True)


def _or_together(expect: Expectation, verdict: Verdict) -> Verdict:
    """The verdict on a value that rare slips give, with the two frequent ones that give it at once."""
    value = verdict.read.base_value if verdict.read else None
    if not verdict.ambiguous or value is None or not expect.formula or "together" in verdict.notes:
        return verdict
    from engine.answers.breaks import FREQUENT

    if FREQUENT.intersection(verdict.slips):  # as likely alone; the pairs need not even be looked up
        return verdict
    from engine.answers.pairs import beside

    exact = (b.value for b in broken_values(expect) if b.slip == verdict.slips[0])
    nearest = min(exact, key=lambda one: abs(one - value), default=value)
    pair = beside(expect, nearest)
    if pair is None:
        return verdict
    params = {**verdict.params, "pair": " ".join(pair)}
    return verdict._replace(slips=(*verdict.slips, *pair), notes=(*verdict.notes, "or-together"), params=params)
