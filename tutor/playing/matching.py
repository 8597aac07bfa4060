"""Which exercise asks for what a figure shows: "make this an exercise"."""

from __future__ import annotations

from typing import NamedTuple

from tutor.figures.state import State


class Match(NamedTuple):
    """An exercise, or a variant of it.

    Attributes:
        address: "core/L4.1", or that of a variant, "core/L4.1@3".
        exact: whether everything that the exercise gives is as the figure shows it.
    """

    address: str
    exact: bool


def matches(figure_name: str, state: State) -> tuple[Match, ...]:
    """Exercises whose figure is this one, of each the values that are nearest to the state; exact ones first.

    Draws variants, which takes a moment: to be called in a worker thread.
    """
    return ()
