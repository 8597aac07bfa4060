"""What the content says about figures agrees with the figures, and every state in the course can be drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from content import beside, course
from content.files import shipped
from content.schema import COMPUTED, Exercise, ExerciseEntry, FigureRef
from engine.formulas.worked import result_text
from tutor.figures import registry
from tutor.figures.base import COMMON, Figure
from tutor.figures.pen import Pen
from tutor.figures.state import State

TRACK = course.index().tracks[0]


def refs() -> Iterator[tuple[str, FigureRef]]:
    for entry in TRACK.lessons:
        for section in course.lesson(entry.id).sections:
            if section.figure is not None:
                yield f"{entry.id}/{section.id}", section.figure
    for exercise in TRACK.exercises:
        figure = course.exercise(exercise.id).figure
        if figure is not None:
            yield exercise.id, figure


def test_names_and_values_agree() -> None:
    table = shipped("figures.toml")
    assert set(table) == set(registry.names())
    for name in registry.names():
        figure = registry.get(name)
        assert set(table[name]["state"]) == set(figure.base) | figure.also | COMMON, name


@pytest.mark.parametrize(("place", "ref"), list(refs()), ids=lambda value: value if isinstance(value, str) else "")
def test_a_figure_takes_the_state_that_the_course_gives_it(place: str, ref: FigureRef) -> None:
    figure = registry.get(ref.name)
    assert figure.unknown(ref.state) == ()
    assert figure.defaults(ref.state)


def answers(exercise: Exercise) -> set[str]:
    """The amounts that an exercise asks for, as a figure would print them; bare counts are too common to look for."""
    found = {
        result_text(part.formula, part.given, part.unit, 4)
        for part in exercise.parts
        if part.kind in COMPUTED and part.unit not in ("tokens", "slots", "blocks", "requests", "sessions")
    }
    return {text for text in found if not text.isdigit()}


@pytest.mark.parametrize("entry", TRACK.exercises, ids=lambda entry: str(entry.id))
def test_a_figure_beside_an_exercise_never_prints_its_answer(entry: ExerciseEntry) -> None:
    exercise = course.exercise(entry.id)
    if exercise.figure is None:
        pytest.skip("no figure")
    figure = registry.get(exercise.figure.name)
    start = figure.defaults(beside.state(exercise, exercise.figure, ()))
    coming = TRACK.exercises[TRACK.exercises.index(entry) :]  # what went before may be given now
    assert printed(figure, start, set[str]().union(*(answers(course.exercise(other.id)) for other in coming))) == []
    for key in figure.shown(start):
        state = start
        for _ in range(12):
            state = key.change(state)
            assert printed(figure, state, answers(exercise)) == [], key.action


def printed(figure: Figure, state: State, texts: set[str]) -> list[str]:
    said = "\n".join(row.plain for row in figure.rows(state, Pen(80, 60, "en")))
    return [text for text in texts if re.search(rf"(?<![-−\d.,]){re.escape(text)}(?![\d.,])", said)]
