"""Why a value that lies within its own bounds cannot be drawn: which other value stands against it.

No figure says so itself. The other values are tried one by one: the one with whose change the figure takes what was
typed is the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from tutor.figures.base import Figure
from tutor.figures.parameters import Parameter
from tutor.figures.registry import BROKEN
from tutor.figures.state import State
from tutor.playing import showing
from tutor.playing.unreadable import Name, Unreadable, refused

_TRIES = 16
"""Values of another parameter that are tried."""


def put_in(figure: Figure, state: State, changes: Mapping[str, object]) -> State | None:
    """The state with these values, as they are; nothing where the figure would draw others."""
    made = _made(figure, state, changes)
    return made if made is not None and _holds(made, changes) else None


def refusal(
    figure: Figure, parameter: Parameter, state: State, changes: Mapping[str, object], text: str, nearest: str = ""
) -> Unreadable:
    """Why ``changes`` cannot be put into the state. ``nearest``: what the figure would draw instead, as it is shown."""
    made, wanted = _made(figure, state, changes), changes.get(parameter.name)
    cut = made[parameter.name] if made is not None and parameter.name in made else None
    if isinstance(wanted, tuple) and isinstance(cut, tuple) and wanted[: len(cut)] == cut:
        return refused("too-many", parameter, text, most=len(cut))
    other = _against(figure, parameter, state, changes)
    key = ("beside" if other else "alone") + ("-nearest" if nearest else "")
    told = {"other": Name(other), "value": showing.printed(other, state[other.name])} if other else {}
    return refused(key, parameter, text, nearest=nearest, **told)


def _against(figure: Figure, parameter: Parameter, state: State, changes: Mapping[str, object]) -> Parameter | None:
    """The first of the other values with whose change the figure takes these."""
    for other in figure.parameters:
        if other.name in changes or other.name not in figure.base or other.kind in ("model", "gpu"):
            continue
        for value in _tried(figure, other, changes.get(parameter.name)):
            if put_in(figure, state, {**changes, other.name: value}) is not None:
                return other
    return None


def _tried(figure: Figure, other: Parameter, wanted: object) -> Iterator[object]:
    """Values of a parameter: its ends, the one that was typed for the other, its steps, what it starts with."""
    default = figure.base[other.name]
    if isinstance(default, bool):
        yield from (True, False)
    elif isinstance(default, int | Fraction):
        ends = (other.least, other.most)
        typed = (wanted,) if isinstance(wanted, int | Fraction) and ends[0] <= wanted <= ends[1] else ()
        kind = int if isinstance(default, int) else Fraction
        yield from (kind(value) for value in (*ends, *typed, *other.ladder[:_TRIES]))
    else:
        yield from other.choices[:_TRIES]
    yield default


def _made(figure: Figure, state: State, changes: Mapping[str, object]) -> State | None:
    try:
        return figure.defaults({**state, **changes})
    except BROKEN:
        return None


def _holds(made: State, changes: Mapping[str, object]) -> bool:
    return all(made[key] == value for key, value in changes.items())
