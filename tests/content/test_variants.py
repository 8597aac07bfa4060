"""Variants: the same number always draws the same, every draw is fair and true, and its slips are named."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content import address, course, fill
from content.address import join
from content.checking import check_part, expectation
from content.course import Course, UnknownId, UnknownVariant, can_vary
from content.lang import LANGS
from content.schema import COMPUTED, Exercise, Part
from content.slips import together
from engine import units
from engine.answers.numeric import broken_values, right_value
from engine.answers.variants import clashes
from engine.formulas import registry
from tests.drawn import draw

EXERCISES = [entry.id for track in course.index().tracks for entry in track.exercises]
VARYING = [id_ for id_ in EXERCISES if can_vary(course.exercise(id_))]
FIXED = [id_ for id_ in EXERCISES if id_ not in VARYING]
NUMBERS = range(1, 13)


def computed(exercise: Exercise) -> list[Part]:
    return [part for part in exercise.parts if part.kind in COMPUTED]


# --- addresses ------------------------------------------------------------------------------------------------------


@given(id_=st.sampled_from(["core/L2.1", "core/L2.1/kv", "core/L5.1a/paged_waste"]), n=st.integers(0, address.MOST))
def test_an_address_comes_apart_as_it_was_put_together(id_: str, n: int) -> None:
    assert address.split(join(id_, n)) == (id_, n)
    assert join(id_, 0) == id_


@pytest.mark.parametrize("id_", ["core", "core/L2", "core/L2/x/y/z"])
def test_only_exercises_and_parts_have_variants(id_: str) -> None:
    assert address.split(id_) == (id_, 0)
    if id_.count("/") == 0:
        assert join(id_, 4) == id_


def test_ids_with_a_number_resolve_in_any_case_and_without_the_track() -> None:
    place = course.resolve("l2.1@3/KV")
    assert place == ("part", "core/L2.1@3/kv")
    assert course.resolve("core/L2.1@0") == ("exercise", "core/L2.1")
    for text in ("core/L2@3", "core/C2@3", "core@1", "core/L9.9@1", "core/L2.1@x"):
        with pytest.raises(UnknownId):
            course.resolve(text)


@pytest.mark.parametrize("id_", FIXED)
def test_an_exercise_without_numbers_has_no_variants(id_: str) -> None:
    assert not computed(course.exercise(id_))
    with pytest.raises(UnknownVariant):
        course.exercise(join(id_, 1))


# --- draws ----------------------------------------------------------------------------------------------------------


def test_every_exercise_that_asks_for_numbers_varies() -> None:
    assert VARYING
    assert all(can_vary(course.exercise(id_)) for id_ in EXERCISES if computed(course.exercise(id_)))


@pytest.mark.parametrize("id_", VARYING)
def test_the_same_number_draws_the_same(id_: str) -> None:
    for n in (1, 7, 999_999):
        anew = Course()
        assert anew.exercise(id_) == course.exercise(id_)
        assert draw(anew, id_, n) == course.exercise(join(id_, n))


@pytest.mark.parametrize("id_", VARYING)
def test_numbers_differ_from_each_other_and_from_the_values_as_written(id_: str) -> None:
    first = course.exercise(id_)
    drawn = [course.exercise(join(id_, n)) for n in NUMBERS]
    for place, part in enumerate(first.parts):
        if part.kind in COMPUTED:
            rights = {right_value(expectation(one, one.parts[place])) for one in drawn}
            assert len(rights) > 1, part.id
    assert len({tuple(tuple(part.given.items()) for part in one.parts) for one in drawn}) > len(NUMBERS) // 2
    assert all([p.given for p in one.parts] != [p.given for p in first.parts] for one in drawn)


@pytest.mark.parametrize("id_", VARYING)
def test_a_draw_is_the_exercise_under_its_address(id_: str) -> None:
    first, one = course.exercise(id_), course.exercise(join(id_, 2))
    assert (one.id, one.variant, one.lesson) == (join(id_, 2), 2, first.lesson)
    assert [part.id for part in one.parts] == [join(part.id, 2) for part in first.parts]
    assert {part.exercise for part in one.parts} == {one.id}
    assert all(not nuance.base_only for part in one.parts for nuance in part.nuances)


@pytest.mark.parametrize("id_", VARYING)
def test_every_draw_is_fair(id_: str) -> None:
    for n in NUMBERS:
        one = course.exercise(join(id_, n))
        for part in computed(one):
            assert not list(clashes(expectation(one, part), together())), part.id


@pytest.mark.parametrize("id_", VARYING)
def test_texts_of_every_draw_fill_and_leave_no_braces(id_: str) -> None:
    for n in NUMBERS:
        one = course.exercise(join(id_, n))
        texts = [(fill.of_exercise(one), one.prompt)]
        for part in one.parts:
            scope = fill.of_part(one, part)
            texts += [(scope, text) for text in (part.ask, part.solution, part.label, *part.hints) if text is not None]
            texts += [(scope, nuance.text) for nuance in part.nuances]
            texts += [(scope, option.text) for option in (*part.options, *part.reasons)]
        for scope, text in texts:
            for lang in LANGS:
                assert not re.search(r"[{}]", fill.fill(text[lang], lang, scope))


@pytest.mark.parametrize("id_", VARYING)
def test_the_answer_as_displayed_is_right(id_: str) -> None:
    for n in NUMBERS:
        one = course.exercise(join(id_, n))
        for part in computed(one):
            shown = fill.answer_text(part)
            verdict = check_part(part.id, shown)
            assert verdict.verdict == "correct", (part.id, shown, verdict)


def test_what_the_texts_claim_holds_for_every_draw() -> None:
    for n in range(1, 41):
        ratio = course.exercise(join("core/L3.2", n)).part("ratio")
        lost = ratio.given["b_high"] - ratio.given["b_low"]
        assert 6 < 20 * math.log10(right_value(expectation(course.exercise(join("core/L3.2", n)), ratio))) / lost < 7
        card = course.exercise(join("core/L4.2", n))
        before, shrink = (registry.result(v.formula, v.given) for v in (card.values["before"], card.values["shrink"]))
        assert 1 < before / right_value(expectation(card, card.part("total"))) < shrink


# --- slips ----------------------------------------------------------------------------------------------------------

PLACES = [(id_, part.name) for id_ in VARYING for part in computed(course.exercise(id_))]


def together_with(slip: str) -> set[str]:
    """The slips that may share a value with one."""
    return {other for row in together() if slip in row for other in row}


@settings(max_examples=120, deadline=None)
@given(place=st.sampled_from(PLACES), n=st.integers(1, 400), data=st.data())
def test_the_value_of_any_slip_on_any_variant_is_named(place: tuple[str, str], n: int, data: st.DataObject) -> None:
    id_, name = place
    one = course.exercise(join(id_, n))
    part = one.part(name)
    expect = expectation(one, part)
    right = right_value(expect)
    known = [b for b in broken_values(expect) if b.rank < 2 and b.value != 0 and b.value != right]
    slip = data.draw(st.sampled_from(known))
    typed = units.quantity(slip.value, part.unit, 9)
    verdict = check_part(part.id, typed)
    if verdict.reason == "more-digits":  # a short number may be the right one rounded: the slip is named beside that
        assert verdict.params["also_slip"] == slip.slip or verdict.params["also_slip"] in together_with(slip.slip)
        return
    assert verdict.verdict == "incorrect", (part.id, typed, slip.slip)
    assert slip.slip in verdict.slips, (part.id, typed, slip, verdict)
