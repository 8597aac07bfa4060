"""Make this an exercise: what a figure shows leads to the exercise that gives it, or to the nearest variant."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

from content import beside, course
from content.schema import Exercise
from tutor.figures.registry import get, names
from tutor.figures.state import State, put
from tutor.playing.matching import VARIANTS, Match, matches


def _exercises() -> Iterator[Exercise]:
    for track in course.index().tracks:
        for entry in track.exercises:
            made = course.exercise(entry.id)
            if made.figure is not None:
                yield made


WITH_FIGURE = tuple(_exercises())
VARYING = tuple(one for one in WITH_FIGURE if one.figure is not None and one.figure.given and course.can_vary(one))


def beside_it(exercise: Exercise) -> State:
    """The figure as it stands beside an exercise."""
    assert exercise.figure is not None
    return get(exercise.figure.name).defaults(beside.state(exercise, exercise.figure, ()))


@pytest.mark.parametrize("exercise", WITH_FIGURE, ids=lambda one: one.id)
def test_the_figure_of_an_exercise_leads_back_to_it(exercise: Exercise) -> None:
    assert exercise.figure is not None
    found = matches(exercise.figure.name, beside_it(exercise))
    assert Match(exercise.id, True, course.can_vary(exercise)) in found
    assert found[0].exact


@pytest.mark.parametrize("exercise", VARYING, ids=lambda one: one.id)
@pytest.mark.parametrize("variant", [1, VARIANTS])
def test_the_figure_of_a_variant_leads_to_the_same_numbers(exercise: Exercise, variant: int) -> None:
    made = course.exercise(f"{exercise.id}@{variant}")
    assert made.figure is not None
    found = {course_id(one.address): one for one in matches(made.figure.name, beside_it(made))}
    match = found[exercise.id]
    assert match.exact
    same = course.exercise(match.address)
    given = set(made.figure.given.values()) & set(made.given)
    assert {key: same.given[key] for key in given} == {key: made.given[key] for key in given}


def course_id(address: str) -> str:
    return address.partition("@")[0]


@pytest.mark.parametrize("name", names())
def test_every_exercise_with_the_figure_is_offered_once_and_exists(name: str) -> None:
    found = matches(name, get(name).defaults())
    assert sorted(course_id(one.address) for one in found) == sorted(
        one.id for one in WITH_FIGURE if one.figure is not None and one.figure.name == name
    )
    for match in found:
        assert course.exercise(match.address).id == match.address
    assert [one.exact for one in found] == sorted((one.exact for one in found), reverse=True)


def test_of_the_variants_the_nearest_is_chosen() -> None:
    state = beside_it(course.exercise("core/L4.1"))
    for number in range(1, VARIANTS + 1, 5):
        made = course.exercise(f"core/L4.1@{number}")
        near = put(beside_it(made), B=int(made.given["B"]) + 1)
        found = next(one for one in matches("two-buckets", near) if course_id(one.address) == "core/L4.1")
        assert not found.exact
        assert course.exercise(found.address).given["N"] == made.given["N"]
    assert matches("two-buckets", put(state, B=17))[0] == Match("core/L4.1", False)


def test_parameters_count_as_the_exercise_prints_them() -> None:
    state = beside_it(course.exercise("core/L4.1@3"))
    rounded = state["N"]
    assert isinstance(rounded, int)
    near = put(state, N=rounded + 10**6)
    assert next(one for one in matches("two-buckets", near)).exact
    assert not next(one for one in matches("two-buckets", put(state, N=rounded + 10**9))).exact


def test_how_a_figure_is_looked_at_changes_nothing() -> None:
    state = beside_it(course.exercise("core/L4.1"))
    looked = put(state, hide=("kv",), dial="S", unit="GiB", last="paging")
    assert matches("two-buckets", looked) == matches("two-buckets", state)


def test_a_number_of_another_sign_is_far() -> None:
    state = beside_it(course.exercise("core/L3.2"))
    assert not matches("ruler", put(state, r_min=Fraction(-5)))[0].exact
    assert matches("ruler", state)[0] == Match("core/L3.2", True)


def test_a_figure_without_an_exercise_has_no_match() -> None:
    assert matches("map", get("map").defaults()) == ()


def test_an_exercise_without_variants_has_no_nearest_one() -> None:
    fixed = [one for one in WITH_FIGURE if not course.can_vary(one)]
    assert fixed and VARYING
    for exercise in fixed:
        assert exercise.figure is not None
        found = next(
            one
            for one in matches(exercise.figure.name, get(exercise.figure.name).defaults())
            if one.address == exercise.id
        )
        assert not found.varies
    assert next(one for one in matches("two-buckets", get("two-buckets").defaults())).varies
