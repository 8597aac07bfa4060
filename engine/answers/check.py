"""The door: an answer checked against what is expected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from engine.answers.model import Expectation, Verdict
from engine.answers.numeric import check_number, matched, two_at_once

NUMERIC = frozenset(("number", "integer", "percent", "factor"))


def check(
    expect: Expectation,
    typed: str,
    earlier: Mapping[str, Fraction] | None = None,
    witnesses: Iterable[tuple[Expectation, Fraction]] = (),
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
    return _explained(expect, typed, earlier or {}, witnesses, verdict)


def _explained(
    expect: Expectation,
    typed: str,
    earlier: Mapping[str, Fraction],
    witnesses: Iterable[tuple[Expectation, Fraction]],
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
        return _pair_witnessed(both, witnesses) if pair.ambiguous and witnesses != () else both
    if not verdict.slips:
        return verdict
    return _witnessed(expect, typed, witnesses, verdict)


def _pair_witnessed(verdict: Verdict, witnesses: Iterable[tuple[Expectation, Fraction]]) -> Verdict:
    """Two slips of which one is sure, after hearing the witnesses on the other."""
    from engine.answers.witness import weigh

    sure, *others = verdict.slips
    heard = weigh(verdict._replace(slips=tuple(others)), others, witnesses)
    return heard._replace(slips=(sure, *heard.slips))


def _witnessed(
    expect: Expectation, typed: str, witnesses: Iterable[tuple[Expectation, Fraction]], verdict: Verdict
) -> Verdict:
    """A verdict that names slips, after hearing the witnesses where there is something to tell apart."""
    if witnesses == () or not expect.formula:
        return verdict
    found = matched(expect, typed)
    if found is None or len(found.wide) < 2:
        return verdict
    from engine.answers.witness import weigh

    return weigh(verdict, found.wide, witnesses)
