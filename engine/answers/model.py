"""What is expected, and what a check says about an answer."""

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from engine.formulas.registry import Given

NOTHING: Mapping[str, Any] = MappingProxyType({})
VerdictName = Literal["correct", "incorrect", "invalid"]
MOST_ASKED = 3
"""Digits that a typed number must have at most, where nothing else is said."""
LONGEST_PROSE = 4000
"""Characters of an explanation in one's own words. Nobody reads it but the learner, so its bound is one of memory."""


class Option(NamedTuple):
    """An option of a choice: its id, its letter, and every text that means it."""

    id: str
    letter: str
    names: tuple[str, ...]


class Expectation(NamedTuple):
    """What would be right.

    Attributes:
        kind: number, integer, percent, factor, formula, choice, classify, match, order, judge or rubric.
        formula, given: the calculation, for kinds that have one.
        value: the right value in base units where there is no formula.
        unit: the unit asked for; a bare number is read in it.
        digits: significant digits that a typed number must have (digit rule); ``None`` switches the rule off.
        most_asked: digits that are asked for at most, however many the course displays: 79.7 is right for 79.69.
        rel_tol, abs_tol: tolerance; relative, or in units of ``unit``.
        carry: values a learner may have carried over: symbol -> (value, slip); ``carry_all`` is that of all at once.
        kept: values from before that this question replaces: a learner may leave one in some place of the working.
        equal: slips whose value may equal the right answer; where it does, they are never asserted.
        drop: slips that the formula implies and that make no sense here.
        options: one tuple per attribute; choices have one.
        answers: right readings, each an option id per attribute (for order: all ids in order).
        slips: a wrong reading (option ids joined by a space) -> slip.
        symbols: spelling -> symbol, for formulas; identities as (symbol, formula text) pairs.
    """

    kind: str
    formula: str = ""
    given: Given = NOTHING
    value: Fraction | None = None
    unit: str = "none"
    digits: int | None = 3
    most_asked: int = MOST_ASKED
    rel_tol: Fraction | None = None
    abs_tol: Fraction | None = None
    carry: Mapping[str, tuple[Fraction, str]] = NOTHING
    carry_all: str | None = None
    equal: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    options: tuple[tuple[Option, ...], ...] = ()
    answers: tuple[tuple[str, ...], ...] = ()
    slips: Mapping[str, str] = NOTHING
    symbols: Mapping[str, str] = NOTHING
    identities: tuple[tuple[str, str], ...] = ()
    kept: Mapping[str, Fraction] = NOTHING


class Read(NamedTuple):
    """How an answer was read: its text, the number in ``unit``, and the value in base units."""

    text: str
    value: Fraction | None
    unit: str | None
    base_value: Fraction | None


class Expected(NamedTuple):
    """The right answer: exact in base units where it is a number, and as the course displays it."""

    value: Fraction | None
    unit: str | None
    display: str


class Verdict(NamedTuple):
    """What a check says.

    Attributes:
        verdict: correct, incorrect, or invalid (no attempt lost).
        reason: of an invalid answer, an id.
        read: how it was read, when it could be.
        slips: named slips, most likely first.
        ambiguous: several slips give this value, and nothing typed tells them apart.
        notes: ids of things worth saying. On a right answer "follow-through" (from the learner's own earlier value),
            "same-value" (a slip leads there too), "by-luck" ...; on slips how they are known: "seen-in-working" (the
            typed expression), "seen-in-sibling" (another answer shows them), "possible" (other answers make some of
            them likelier: ``params["likely"]``, and the rest stands behind), "together" (two at once: the first is
            sure, of the further ones it is one), "or-together" (two of them, ``params["pair"]``, explain the value
            only at once), "follow-through-slip"; without slips "follow-through-impossible": what follows from the
            learner's own earlier value, though it cannot be (``params["impossible"]`` says why).
        expected: the right answer.
        span: the place of a reading error in the typed text.
        params: values for the sentences.
    """

    verdict: VerdictName
    reason: str | None = None
    read: Read | None = None
    slips: tuple[str, ...] = ()
    ambiguous: bool = False
    notes: tuple[str, ...] = ()
    expected: Expected | None = None
    span: tuple[int, int] | None = None
    params: Mapping[str, str] = NOTHING
