"""What the content says about figures agrees with the figures, and every state in the course can be drawn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from content import course
from content.files import shipped
from content.schema import FigureRef
from tutor.figures import registry

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
        assert set(table[name]["state"]) == set(figure.base) | figure.also, name


@pytest.mark.parametrize(("place", "ref"), list(refs()), ids=lambda value: value if isinstance(value, str) else "")
def test_a_figure_takes_the_state_that_the_course_gives_it(place: str, ref: FigureRef) -> None:
    figure = registry.get(ref.name)
    assert figure.unknown(ref.state) == ()
    assert figure.defaults(ref.state)
