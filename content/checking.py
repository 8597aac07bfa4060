"""A part of the course as an expectation of the engine, and its checks."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from content import course
from content.schema import COMPUTED, LETTERS, Exercise, Option, Part
from engine.answers.check import check
from engine.answers.model import Expectation, Verdict
from engine.answers.model import Option as Named

FORMULA_SYMBOLS: Mapping[str, str] = {
    **{name: name for name in ("B", "S", "L", "d_model", "p", "n_head", "d_head")},
    **dict.fromkeys(("d", "dmodel", "dm", "hidden", "hidden_size"), "d_model"),
    **dict.fromkeys(("n_heads", "nhead", "num_heads", "H"), "n_head"),
    **dict.fromkeys(("dhead", "head_dim"), "d_head"),
}
"""Spellings of symbols that learners type in formulas."""

IDENTITIES = (("d_model", "n_head*d_head"),)
"""What may stand for what in a formula: the heads together are as wide as the model."""


def expectation(exercise: Exercise, part: Part) -> Expectation:
    """What the engine needs to check a part."""
    if part.kind in COMPUTED:
        carry = exercise.carry
        return Expectation(
            part.kind, part.formula, part.given, unit=part.unit, digits=part.digits, rel_tol=part.tolerance,
            carry=carry.symbols if carry else {}, carry_all=carry.all if carry else None,
            equal=part.equal, drop=part.drop,
        )  # fmt: skip
    if part.kind == "formula":
        return Expectation("formula", part.formula, part.given, symbols=FORMULA_SYMBOLS, identities=IDENTITIES)
    return _worded(part)


def _worded(part: Part) -> Expectation:
    answers = (part.answer, *part.accept)
    if part.kind == "classify":
        options = _lettered_on(tuple(_named(attribute) for attribute in part.attributes))
    elif part.kind == "order":
        options = (_named(shuffled_steps(part)),)
    else:
        options = (_named(part.options),) if part.options else ()
    return Expectation(part.kind, options=options, answers=answers, slips=part.slips)


def _lettered_on(attributes: tuple[tuple[Named, ...], ...]) -> tuple[tuple[Named, ...], ...]:
    """Attributes whose letters run on, as the app shows them: a, b for the first, c, d for the second."""
    letters = iter(LETTERS)
    return tuple(tuple(option._replace(letter=next(letters)) for option in options) for options in attributes)


def _named(options: tuple[Option, ...]) -> tuple[Named, ...]:
    return tuple(Named(o.id, o.letter, (o.text.en, o.text.hi, *o.also)) for o in options)


def shuffled_steps(part: Part) -> tuple[Option, ...]:
    """The steps of an order task as lettered options, in an order fixed by the part's id, never the right one."""
    count = len(part.steps)
    turn = sum(map(ord, part.id)) % (count - 1) + 1 if count > 1 else 0
    order = sorted(range(count), key=lambda place: ((place * 7 + 3 * turn) % count, place))
    if order == list(range(count)):
        order = [*order[1:], order[0]]
    return tuple(Option(part.steps[place].id, LETTERS[n], part.steps[place].text, ()) for n, place in enumerate(order))


def check_part(part_id: str, answer: str, earlier: Mapping[str, Fraction] | None = None) -> Verdict:
    """The verdict on an answer to a part.

    Args:
        part_id: any accepted spelling of a part's id.
        answer: as typed.
        earlier: the learner's own base-unit values of other parts of the same exercise, by part id, for
            follow-through.

    Raises:
        UnknownId: no such part.
    """
    exercise, part = course.part(part_id)
    verdict = check(expectation(exercise, part), answer, own_formulas(exercise, part, earlier or {}))
    if verdict.verdict == "incorrect" and not verdict.slips:
        return _of_another_part(exercise, part, verdict)
    return verdict


def _of_another_part(exercise: Exercise, part: Part, verdict: Verdict) -> Verdict:
    """The same verdict, with a note when the value is what another part of the exercise asks for."""
    from engine.formulas import registry

    value = verdict.read.base_value if verdict.read else None
    if value is None or part.kind not in COMPUTED:
        return verdict
    for sibling in exercise.parts:
        if sibling.id == part.id or sibling.kind not in COMPUTED:
            continue
        right = registry.result(sibling.formula, sibling.given)
        if right and abs(value - right) <= abs(right) / 400:
            params = {**verdict.params, "other": sibling.id}
            return verdict._replace(notes=(*verdict.notes, "other-part"), params=params)
    return verdict


def read_only(part_id: str, typed: str) -> Verdict:
    """How a typed text reads, without judging it: for the echo line. Correct and incorrect mean "readable" here."""
    exercise, part = course.part(part_id)
    expect = expectation(exercise, part)
    if part.kind in COMPUTED:
        from engine.answers.numeric import read_number

        return read_number(expect, typed)
    if part.kind == "formula":
        from engine.answers.symbolic import read_formula

        return read_formula(expect, typed)
    return check(expect, typed)


def own_formulas(exercise: Exercise, part: Part, earlier: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The learner's wrong earlier values as values of the formulas they stand for."""
    from engine.formulas import registry

    own: dict[str, Fraction] = {}
    for sibling in exercise.parts:
        if sibling.id not in earlier or sibling.id == part.id or sibling.kind not in COMPUTED:
            continue
        if earlier[sibling.id] != registry.result(sibling.formula, sibling.given):
            own[sibling.formula] = earlier[sibling.id]
    return own
