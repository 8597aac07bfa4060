"""A part of the course as an expectation of the engine, and its checks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction

from content import course
from content.files import ContentError
from content.schema import COMPUTED, LETTERS, Exercise, Given, Option, Part
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
            equal=part.equal, drop=part.drop, kept=_replaced(exercise, part),
        )  # fmt: skip
    if part.kind == "formula":
        return Expectation("formula", part.formula, part.given, symbols=FORMULA_SYMBOLS, identities=IDENTITIES)
    return _worded(part)


def digits_wanted(part: Part) -> int:
    """The digits that an answer to a computed part must have at least."""
    from engine.answers import numeric

    expect = Expectation(part.kind, part.formula, part.given, unit=part.unit, digits=part.digits)
    return numeric.digits_wanted(expect, numeric.right_value(expect))


def _replaced(exercise: Exercise, part: Part) -> Given:
    """The exercise's values that a part replaces by its own."""
    if part.given is exercise.given:
        return {}
    return {name: value for name, value in exercise.given.items() if part.given.get(name, value) != value}


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


def check_part(
    part_id: str, answer: str, earlier: Mapping[str, Fraction] | None = None, made: Collection[str] = frozenset()
) -> Verdict:
    """The verdict on an answer to a part.

    Args:
        part_id: any accepted spelling of a part's id or address.
        answer: as typed.
        earlier: the learner's own base-unit values of other parts, of any exercise, by part id or address: for
            follow-through, and as witnesses where slips share the typed value.
        made: slips that the learner is known to have made before, by id.

    Raises:
        UnknownId: no such part.
    """
    exercise, part = course.part(part_id)
    expect = expectation(exercise, part)
    verdict = check(expect, answer)
    if verdict.verdict == "correct" and part.equal:
        return _same_value(part, expect, answer, earlier or {}, verdict)
    if verdict.verdict != "incorrect":
        return verdict
    if (earlier or made) and part.kind in COMPUTED:
        verdict = _with_earlier(exercise, part, answer, earlier or {}, made)
    if verdict.slips or verdict.verdict != "incorrect" or "impossible" in verdict.params:
        return verdict
    return _of_another_part(exercise, part, verdict)


def _with_earlier(
    exercise: Exercise, part: Part, answer: str, earlier: Mapping[str, Fraction], made: Collection[str]
) -> Verdict:
    """The verdict in the light of what the learner answered before; its params name the parts that played a role."""
    own = own_parts(exercise, part, earlier)
    heard: list[str] = []
    verdict = check(
        expectation(exercise, part),
        answer,
        {formula: earlier[place] for formula, place in own.items()},
        _witnesses(part, earlier, heard),
        made,
    )
    params = dict(verdict.params)
    if "witness" in params:
        params["sibling"] = heard[int(params.pop("witness"))]
    if "earlier" in params:
        used = [own[formula] for formula in params["earlier"].split()]
        params["earlier_parts"] = " ".join(used)
        if all(_counts_as_right(place, earlier[place]) for place in used):
            verdict = verdict._replace(notes=(*verdict.notes, "rounded-before"))
    return verdict._replace(params=params)


def _witnesses(part: Part, earlier: Mapping[str, Fraction], heard: list[str]) -> Iterator[tuple[Expectation, Fraction]]:
    """What the learner answered in other parts, the parts noted in ``heard`` as they are asked for."""
    for place, value in earlier.items():
        found = _computed(place)
        if found is not None and found[1].id != part.id:
            heard.append(found[1].id)
            yield expectation(*found), value


def _computed(place: str) -> tuple[Exercise, Part] | None:
    """A part with a number for an answer; ``None`` for another kind, or one that the course no longer has."""
    try:
        found = course.part(place)
    except (course.UnknownId, course.UnknownVariant, ContentError):
        return None
    return found if found[1].kind in COMPUTED else None


def _counts_as_right(place: str, value: Fraction) -> bool:
    """Whether a value was right where it was asked for, though rounded."""
    from engine.answers.numeric import right_value, tolerance

    expect = expectation(*course.part(place))
    right = right_value(expect)
    return abs(value - right) <= (0 if expect.kind == "integer" else max(tolerance(expect, right), abs(right) / 100))


def _same_value(
    part: Part, expect: Expectation, answer: str, earlier: Mapping[str, Fraction], verdict: Verdict
) -> Verdict:
    """A right verdict with a note where a slip leads to the very same number, unless the learner's other answers show
    that it was not made."""
    from content.slips import asked_after
    from engine.answers.numeric import same_value

    slips = [slip for slip in part.equal if asked_after(slip)]
    slips = [slip for slip in same_value(expect, answer) if slip in slips] if slips else []
    if slips and earlier:
        from engine.answers.witness import evidence

        heard = [evidence(*witness, slips) for witness in _witnesses(part, earlier, [])]
        slips = [s for s in slips if not any(s in one.against for one in heard)]
    if not slips:
        return verdict
    return verdict._replace(notes=(*verdict.notes, "same-value"), params={**verdict.params, "same": " ".join(slips)})


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


def own_parts(exercise: Exercise, part: Part, earlier: Mapping[str, Fraction]) -> dict[str, str]:
    """Formula below a part's -> the earlier part that asked for that very value: the same formula (or another case of
    the one it derives from) with the same right value under this part's givens. The own exercise comes first."""
    from engine.formulas import registry

    own: dict[str, str] = {}
    below = registry.all_references(part.formula) if part.kind in COMPUTED else ()
    for place in sorted(earlier, key=lambda place: place.rpartition("/")[0] != exercise.id):
        found = _computed(place) if below else None
        if found is None or found[1].id == part.id:
            continue
        asked = found[1]
        alike = [formula for formula in below if formula not in own and _alike(formula, asked.formula)]
        right = registry.result(asked.formula, asked.given) if alike else None
        for formula in alike if earlier[place] != right else ():
            if _value(formula, part.given) == right:
                own[formula] = place
    return own


def _alike(one: str, other: str) -> bool:
    from engine.answers.slips import family_of

    return one == other or family_of(one) == family_of(other)


def _value(formula: str, given: Mapping[str, Fraction]) -> Fraction | None:
    from engine.formulas import registry

    try:
        return registry.result(formula, given)
    except registry.FormulaError:
        return None
