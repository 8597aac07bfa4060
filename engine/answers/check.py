"""The door: an answer checked against what is expected."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.answers.model import Expectation, Verdict
from engine.answers.numeric import check_number, right_value
from engine.formulas import registry

NUMERIC = frozenset(("number", "integer", "percent", "factor"))


def check(expect: Expectation, typed: str, earlier: Mapping[str, Fraction] | None = None) -> Verdict:
    """The verdict on a typed answer; never evaluates it, never raises for it.

    Args:
        expect: what would be right.
        typed: the answer as typed.
        earlier: the learner's own values of formulas that this one builds on, in base units, where they differ from
            the right ones. An answer that follows from them is correct, with the note "follow-through".

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
    if verdict.verdict != "incorrect" or not earlier:
        return verdict
    return _follow(expect, typed, earlier) or verdict


def _follow(expect: Expectation, typed: str, earlier: Mapping[str, Fraction]) -> Verdict | None:
    """The verdict when the answer is right from the learner's own earlier values."""
    below = set(registry.all_references(expect.formula)) if expect.formula else set()
    own = {name: value for name, value in earlier.items() if name in below}
    if not own:
        return None
    try:
        carried = registry.result(expect.formula, expect.given, own)
    except registry.FormulaError:
        return None
    if carried == right_value(expect):
        return None
    verdict = check_number(expect, typed, carried)
    if verdict.verdict != "correct":
        return None
    return verdict._replace(notes=(*verdict.notes, "follow-through"), params={"earlier": " ".join(own)})
