"""The parts that a figure can leave out: those that the content lists are those that the figure asks about."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from content.beside import SENTENCE
from content.files import shipped
from tests.tutor.test_figures import STATES
from tutor.figures import card
from tutor.figures.pen import Pen
from tutor.figures.plain import plain
from tutor.figures.registry import get, names
from tutor.figures.state import State, put

TABLE: Mapping[str, Any] = shipped("figures.toml")
LISTED = [(name, hide) for name in names() for hide in TABLE[name].get("hide", ())]
ROOMS = ((34, 8), (60, 30), (110, 40))


class Asked(str):
    """A part that nothing is called, and that notes what it is compared with: the parts that a figure looks for."""

    parts: set[str]

    def __new__(cls, parts: set[str]) -> Asked:
        """With the set in which it notes."""
        made = super().__new__(cls, "nothing")
        made.parts = parts
        return made

    def __str__(self) -> str:
        return self

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            self.parts.add(str.__str__(other))
        return False

    def __hash__(self) -> int:
        return str.__hash__(self)


def states(name: str) -> list[State]:
    """States of a figure, and where each of its keys leads from them; some have their own parts hidden."""
    figure = get(name)
    starts = [figure.defaults(), *(figure.defaults(given) for given in STATES.get(name, ()))]
    starts = [put(state, hide=()) for state in starts if "hide" in state]
    return [*starts, *(key.change(start) for start in starts for key in figure.keys)]


@cache
def looked_for(name: str) -> frozenset[str]:
    """The parts that a figure asks about, while it is drawn or offers its keys and values."""
    figure, found = get(name), set[str]()
    for state in states(name):
        spied = put(state, hide=(Asked(found),))
        for width, height in ROOMS:
            figure.rows(spied, Pen(width, height, "en"))
        figure.shown(spied)
        figure.commands(spied)
    return frozenset(found | {one.part for one in (*figure.keys, *figure.parameters) if one.part})


@pytest.mark.parametrize("name", names())
def test_what_a_figure_can_hide_is_listed(name: str) -> None:
    own = set(card.FOLLOWS) if name == "two-buckets" else set[str]()  # there by what follows from what
    assert looked_for(name) | own - {SENTENCE} <= {*TABLE[name].get("hide", ()), SENTENCE}


@pytest.mark.parametrize(("name", "hide"), LISTED)
def test_what_is_listed_can_be_hidden(name: str, hide: str) -> None:
    figure = get(name)
    for state in states(name):
        quiet = put(state, hide=(hide,))
        if figure.shown(state) != figure.shown(quiet) or any(one.part == hide for one in figure.parameters):
            return
        if plain(name, dict(state), 110, "en") != plain(name, dict(quiet), 110, "en"):
            return
        if any(figure.draw(state, *room, "en") != figure.draw(quiet, *room, "en") for room in ROOMS):
            return
    pytest.fail(f"{name} looks the same without {hide}")


def test_every_figure_that_is_listed_exists_and_the_sentence_is_listed_nowhere() -> None:
    assert set(TABLE) == set(names())
    assert not [name for name, hide in LISTED if hide == SENTENCE]
