"""Which exercise asks for what a figure shows: "make this an exercise"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import log2
from typing import TYPE_CHECKING, NamedTuple

from tutor.figures.registry import BROKEN, get
from tutor.figures.state import State

if TYPE_CHECKING:
    from content.course import Course
    from content.schema import Exercise, FigureRef

VARIANTS = 16
"""So many variants of an exercise are looked at."""
_APART = 1.0
"""How far two texts, or two numbers of different signs, lie apart; as far as a number and its double."""
_LOOKS = frozenset(("hide", "other", "note", "strip", "unit", "dial", "last"))
"""Keys of a state that say how it is looked at, and nothing of the situation."""

Values = Mapping[str, object]


class Match(NamedTuple):
    """An exercise, or a variant of it.

    Attributes:
        address: "core/L4.1", or that of a variant, "core/L4.1@3".
        exact: whether the figure shows everything that the exercise gives (parameters to the digits that it prints).
        varies: whether it comes with other numbers too; without, there is no nearest among them.
    """

    address: str
    exact: bool
    varies: bool = True


def matches(figure_name: str, state: State) -> tuple[Match, ...]:
    """Exercises whose figure is this one, of each the values that are nearest to the state; the nearest first.

    Draws variants, the first time for a second or more: to be called in a worker thread.
    """
    ranked: list[tuple[float, int, Match]] = []
    for place, candidates in enumerate(_candidates(figure_name)):
        far, _, address = min(
            (_distance(values, state), number, address) for number, (address, values) in enumerate(candidates)
        )
        ranked.append((far, place, Match(address, not far, len(candidates) > 1)))
    return tuple(match for *_, match in sorted(ranked))


def asked(figure: str) -> bool:
    """Whether an exercise stands on a figure."""
    from content import course

    return any(entry.figure == figure for track in course.index().tracks for entry in track.exercises)


@lru_cache(maxsize=32)
def _candidates(figure_name: str) -> tuple[tuple[tuple[str, Values], ...], ...]:
    """Of each exercise with this figure: addresses, each with the values of the state that are the situation's."""
    from content.course import Course

    course = Course()  # of its own, since the app draws variants at the same time
    found = []
    for track in course.index.tracks:
        for entry in track.exercises:
            if entry.figure == figure_name:
                found.append(tuple(_drawn(course, entry.id)))
    return tuple(one for one in found if one)


def _drawn(course: Course, exercise_id: str) -> Iterator[tuple[str, Values]]:
    """The exercise as written, and its first variants."""
    from content import address
    from content.course import UnknownVariant, can_vary

    written = course.exercise(exercise_id)
    for number in range(VARIANTS + 1 if can_vary(written) else 1):
        try:
            made = course.exercise(address.join(exercise_id, number))
            yield made.id, _situation(made)
        except (UnknownVariant, *BROKEN):
            continue


def _situation(exercise: Exercise) -> Values:
    """What the figure shows of the exercise's givens; without any, what its author wrote. Raises those of `BROKEN`."""
    from content import beside

    ref = exercise.figure
    assert ref is not None, exercise.id
    figure = get(ref.name)
    given = beside.state(exercise, ref, ())
    made = figure.defaults(given)
    keys = dict.fromkeys(key for key in figure.base if key in (ref.given or ref.state) and key not in _LOOKS)
    for key in _standing_for_others(ref, given, figure.base):
        changed = figure.defaults({**given, key: 2 * Fraction(str(given[key]))})
        keys |= dict.fromkeys(name for name in figure.base if changed[name] != made[name])
    return {key: made[key] for key in keys}


def _standing_for_others(ref: FigureRef, given: Values, base: State) -> list[str]:
    """Given numbers that are no keys of the state themselves, as ``d_model``, which heads of 128 numbers stand for."""
    return [key for key in (ref.given or ref.state) if key in given and key not in base and key not in _LOOKS]


# --- how near --------------------------------------------------------------------------------------------------------


def _distance(values: Values, state: State) -> float:
    """The sum of how far the values lie apart, a doubling being 1; 0 where all are the same."""
    return sum(_apart(key, value, state[key]) for key, value in values.items())


def _apart(key: str, drawn: object, shown: object) -> float:
    if not isinstance(drawn, int | Fraction) or not isinstance(shown, int | Fraction):
        return 0 if drawn == shown else _APART
    if drawn == shown or (key == "N" and Fraction(drawn) == _as_drawn(shown)):
        return 0
    return abs(log2(drawn / shown)) if drawn > 0 and shown > 0 else _APART


def _as_drawn(value: int | Fraction) -> Fraction:
    """A parameter count to the digits that a variant has of it."""
    from content.draws import rounded

    return rounded(Fraction(value))
