"""What the reader has set in the playground, and how it goes along from figure to figure.

A value goes to every figure that knows it under the same name; a model or a card goes by its name. The one that was set
last holds. What a figure cannot draw it leaves out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from tutor.figures.base import Figure
from tutor.figures.parameters import Parameter
from tutor.figures.registry import BROKEN, get, names
from tutor.figures.state import State
from tutor.playing import catalogue, showing, together, values
from tutor.playing.played import Played
from tutor.playing.unreadable import Unreadable

NAMED = ("model", "gpu")
_WEIGHTS = ("p_w", "weights", "bits")
"""One and the same thing, the format of the weights, as the figures have it."""

Meaning = tuple[str, str]
"""What a value is, the same in all figures that have it."""


class OwnValue(NamedTuple):
    """One value that was set.

    Attributes:
        at: the how manieth of all that were set.
        figure: where.
        value: as the state holds it; of models and cards the name, of a format of weights its name.
    """

    at: int
    figure: str
    value: object


class OwnValues(NamedTuple):
    """All of them; ``last`` counts every one that was ever set."""

    last: int = 0
    found: Mapping[Meaning, OwnValue] = MappingProxyType({})


def meaning(parameter: Parameter) -> Meaning:
    """What a value of this parameter is. Counts of one name may count different things, and are then called so."""
    if parameter.name in _WEIGHTS:
        return ("weights", "format")
    told_apart = parameter.called if parameter.kind == "count" else ""
    return (told_apart or parameter.name, parameter.kind)


# --- what was set ----------------------------------------------------------------------------------------------------


def opened(own: OwnValues, played: Played) -> OwnValues:
    """With what words of a command line set in a figure."""
    start = get(played.name).defaults()
    return noted(own, Played(played.name, start, start), played, also=played.given)


def noted(own: OwnValues, before: Played, after: Played, *, also: Iterable[str] = ()) -> OwnValues:
    """With what was set in a figure between two moments; ``also``: parameters that were set to what they were."""
    figure, also, at = get(after.name), frozenset(also), own.last + 1
    found, filled = dict(own.found), set[str]()
    for one in figure.parameters:
        if one.kind not in NAMED:
            continue
        name = name_of(figure, one, after)
        if name and (name != name_of(figure, one, before) or one.name in also or _said_so(one, name, before, after)):
            filled |= set(one.fills)
            for covered in _covered(one.kind):
                found.pop(covered, None)
            found[meaning(one)] = OwnValue(at, figure.name, name)
    for one in figure.parameters:
        changed = one.name in figure.base and (one.name in also or after.state[one.name] != before.state[one.name])
        if changed and one.kind not in NAMED and one.name not in filled:
            found[meaning(one)] = OwnValue(at, figure.name, _kept(one, after.state[one.name]))
    return own if found == own.found else OwnValues(at, MappingProxyType(found))


def reset(own: OwnValues, after: Played) -> OwnValues:
    """Without what was set in a figure, after it went back to its beginning; with what that has of the reader's own."""
    left = {key: value for key, value in own.found.items() if value.figure != after.name}
    return opened(own._replace(found=MappingProxyType(left)), after)


def name_of(figure: Figure, parameter: Parameter, played: Played) -> str:
    """The model or card that was named and holds; "" where none was, or its values are others now."""
    if parameter.name in figure.base:
        return str(played.state[parameter.name])
    kept = played.named.get(parameter.name, "")
    return kept if kept and catalogue.matching(parameter, played.state, kept) == kept else ""


def _said_so(one: Parameter, name: str, before: Played, after: Played) -> bool:
    """Whether a name was just given to what stood there already."""
    given = after.named.get(one.name, "")
    return given != before.named.get(one.name, "") and given == catalogue.called(one, name)


def learn() -> None:
    """Look up once what models and cards stand for: a key that waits for all figures to be read comes too late."""
    for kind in NAMED:
        _covered(kind)


@cache
def _covered(kind: str) -> frozenset[Meaning]:
    """The values that a model or card stands for, in all figures."""
    found: set[Meaning] = set()
    for figure in map(get, names()):
        filled = {key for one in figure.parameters if one.kind == kind for key in one.fills}
        found |= {meaning(one) for one in figure.parameters if one.name in filled}
    return frozenset(found)


def _kept(parameter: Parameter, value: object) -> object:
    """A value as it goes along."""
    if parameter.name == "bits":
        return f"{value}-bit"
    return showing.printed(parameter, value) if parameter.name in _WEIGHTS else value


# --- going along -----------------------------------------------------------------------------------------------------


def carried(own: OwnValues, played: Played) -> Played:
    """A figure with what was set elsewhere since it was looked at last, as far as it can draw that."""
    figure = get(played.name)
    coming = {one.name: own.found[meaning(one)] for one in figure.parameters if meaning(one) in own.found}
    news = sorted(
        (one for one in figure.parameters if one.name in coming and coming[one.name].at > played.seen),
        key=lambda one: (coming[one.name].at, one.kind not in NAMED),
    )
    made, waiting = played, list[Parameter]()
    for one in news:
        taken = _taken(figure, one, made, coming[one.name].value)
        made = taken or made
        waiting += [] if taken else [one]
    for one in waiting:  # some can stand only beside another one
        made = _taken(figure, one, made, coming[one.name].value) or made
    return made._replace(seen=own.last)


def _taken(figure: Figure, one: Parameter, played: Played, value: object) -> Played | None:
    """The figure with one more value; nothing where it cannot draw that."""
    try:
        state = _state(figure, one, played.state, value)
        if state is None:
            return None
        figure.draw(state, 60, 16, "en")
        called = values.named(one, str(value))
    except (Unreadable, *BROKEN):
        return None
    named = {**played.named, one.name: called} if called else played.named
    return played._replace(state=state, named=MappingProxyType(dict(named)))


def _state(figure: Figure, one: Parameter, state: State, value: object) -> State | None:
    if one.kind in NAMED or one.name in _WEIGHTS:
        return values.typed(figure, one, state, str(value))
    return together.put_in(figure, state, {one.name: value}) if _within(one, value) else None


def _within(one: Parameter, value: object) -> bool:
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return one.least <= value <= one.most and (not one.only or value in one.ladder)
    return not one.choices or value in one.choices or isinstance(value, bool)
