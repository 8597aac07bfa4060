"""The values of a figure as a person reads and types them: shown, read, stepped, suggested.

A state comes in, a state goes out, always one that the figure can draw. What cannot be used is an ``Unreadable`` with
one sentence, and nothing has changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

from tutor.figures.base import Figure
from tutor.figures.numbers import PRECISIONS
from tutor.figures.parameters import Parameter
from tutor.figures.registry import BROKEN
from tutor.figures.state import Ladder, State, along, exact_number, hidden
from tutor.playing import catalogue, reading, showing, together
from tutor.playing.unreadable import Unreadable, refused

__all__ = ["Unreadable", "named", "offered", "shown", "stepped", "suggestions", "typed"]

By = Literal[1, -1]
_TRIES = 512
"""Steps that are tried until the figure takes one: of KV heads it draws only divisors of the query heads."""
_NAMED = ("model", "gpu")


def offered(figure: Figure, state: State) -> tuple[Parameter, ...]:
    """What can be typed now: a parameter of a hidden part is not offered."""
    return tuple(one for one in figure.parameters if not one.part or not hidden(state, one.part))


def shown(figure: Figure, parameter: Parameter, state: State, kept: str = "") -> str:
    """The value as people write it: "4,096", "13B", "80 GB", "FP16", "Llama-2-13b-hf".

    Of a model or card that is no key of the state: the entry of the catalogue whose values all equal the state's, ""
    where none does. Entries may be alike (Llama 3 and 3.1): ``kept``, the name shown before, stays while it fits.
    Of a value that is not set "" as well.
    """
    if parameter.kind in _NAMED:
        named = parameter.name in figure.base
        return (
            catalogue.called(parameter, str(state[parameter.name]))
            if named
            else catalogue.matching(parameter, state, kept)
        )
    if parameter.unset and not state[parameter.name]:
        return ""
    return showing.printed(parameter, state[parameter.name])


def named(parameter: Parameter, text: str) -> str:
    """The name of the model or card that a text means, as :func:`shown` shows it; of other values "".

    Raises ``Unreadable``.
    """
    return catalogue.read(parameter, text).name if parameter.kind in _NAMED else ""


def typed(figure: Figure, parameter: Parameter, state: State, text: str) -> State:
    """The state with what was typed in it.

    Raises:
        Unreadable: not understood, out of bounds, not together with the other values, an unknown or ambiguous name.
    """
    return taken(figure, parameter, state, changes(figure, parameter, text), text)


def changes(figure: Figure, parameter: Parameter, text: str) -> Mapping[str, object]:
    """The keys of the state that a text sets, with their values. Raises ``Unreadable``."""
    if isinstance(figure.base.get(parameter.name), bool):
        return {parameter.name: reading.switch(parameter, text)}
    if parameter.kind not in _NAMED:
        return {parameter.name: reading.value(parameter, text)}
    if not text.strip() or len(text) > reading.LONGEST:
        reason = "too-long" if text.strip() else "empty"
        raise refused(reason, parameter, text, most=reading.LONGEST, example=reading.EXAMPLES[parameter.kind])
    return _filled(figure, parameter, catalogue.read(parameter, text))


def _filled(figure: Figure, parameter: Parameter, entry: catalogue.Entry) -> Mapping[str, object]:
    own = {parameter.name: entry.full} if parameter.name in figure.base else {}
    return {**own, **{key: _kind(figure.base[key], value) for key, value in entry.values.items()}}


def _kind(default: object, value: Fraction) -> object:
    return int(value) if isinstance(default, int) else value


def taken(figure: Figure, parameter: Parameter, state: State, put: Mapping[str, object], text: str) -> State:
    """The state with these values; refused where the figure would draw others. Raises ``Unreadable``."""
    made = together.put_in(figure, state, put)
    if made is not None:
        return made
    try:
        nearest = shown(figure, parameter, figure.defaults({**state, **put}))
    except BROKEN:
        nearest = ""
    raise together.refusal(figure, parameter, state, put, text, nearest)


# --- plus and minus --------------------------------------------------------------------------------------------------


def stepped(figure: Figure, parameter: Parameter, state: State, by: By) -> State:
    """The next value up or down; at an end, and where there is no next one, the same state."""
    own = figure.base.get(parameter.name)
    if isinstance(own, bool):
        return _first_taken(figure, state, [{parameter.name: by > 0}])
    if parameter.kind in _NAMED:
        return _first_taken(figure, state, _next_entries(figure, parameter, state, by))
    if parameter.kind == "choice":
        return _first_taken(figure, state, [{parameter.name: _next_choice(parameter, state, by)}])
    if parameter.kind in ("text", "list"):
        return state
    return _next_number(figure, parameter, state, by)


def _first_taken(figure: Figure, state: State, tries: Sequence[Mapping[str, object]]) -> State:
    """The first of some changes that the figure can draw as they are."""
    for put in tries:
        made = together.put_in(figure, state, put)
        if made is not None:
            return made
    return state


def _next_entries(figure: Figure, parameter: Parameter, state: State, by: By) -> list[Mapping[str, object]]:
    """The entries behind the one at hand, or before it; from none of them all, from the other end.

    Of entries with the same values the first stands for all: a step always changes something.
    """
    every: list[Mapping[str, object]] = []
    for entry in catalogue.entries(parameter):
        put = _filled(figure, parameter, entry)
        if put not in every:
            every.append(put)
    here = [place for place, put in enumerate(every) if all(state[key] == value for key, value in put.items())]
    place = here[0] if here else (-1 if by > 0 else len(every))
    return every[place + 1 :] if by > 0 else every[:place][::-1]


def _next_choice(parameter: Parameter, state: State, by: By) -> str:
    place = parameter.choices.index(str(state[parameter.name])) if state[parameter.name] in parameter.choices else -1
    return parameter.choices[max(0, min(len(parameter.choices) - 1, place + by))]


def _next_number(figure: Figure, parameter: Parameter, state: State, by: By) -> State:
    """The next number that the figure takes. Of a value that it brings back nearer, the next one is tried."""
    here = value = exact_number(state[parameter.name])
    for _ in range(_TRIES):
        coming = _beyond(parameter, value, by)
        if coming == value or not parameter.least <= coming <= parameter.most:
            return state
        value = Fraction(coming)
        try:
            made = figure.defaults({**state, parameter.name: value})
        except BROKEN:
            continue
        if (exact_number(made[parameter.name]) - here) * by > 0:
            return made
    return state


def _beyond(parameter: Parameter, value: Fraction, by: By) -> Fraction | int:
    ladder = parameter.ladder or (PRECISIONS if parameter.kind == "format" else ())
    if ladder:
        return along(ladder, value, by)
    if parameter.kind in ("params", "bytes", "speed"):
        return along(_round_values(parameter, value), value, by)
    if parameter.kind != "number":
        return value + by
    tenth = Fraction(parameter.most - parameter.least) / 10
    return max(Fraction(parameter.least), min(Fraction(parameter.most), value + by * tenth))


def _round_values(parameter: Parameter, value: Fraction) -> Ladder:
    """Round numbers around a value: 1, 1.5, 2, 3, 5 and 7 of every power of ten, from the least one that is usual."""
    usual = 6 if parameter.kind == "params" else 9
    power = max(len(str(int(abs(value)))), usual + 1)
    found = [halves * 10**place // 2 for place in range(max(power - 2, usual), power + 1) for halves in _HALVES]
    return [parameter.least, *(one for one in found if one > parameter.least)]


_HALVES = (2, 3, 4, 6, 10, 14)


# --- suggestions -----------------------------------------------------------------------------------------------------

_FORMATS = ("FP16", "BF16", "FP8", "INT8", "INT4", "FP32", "AWQ", "GPTQ")


def named_by(parameter: Parameter) -> int:
    """How many entries of the catalogue the value may be; 0 of values that are none."""
    return len(catalogue.entries(parameter)) if parameter.kind in _NAMED else 0


def suggestions(parameter: Parameter, text: str, most: int = 8) -> list[str]:
    """Names that fit what is typed, the best first; where nothing is typed yet, the first of all that there are."""
    from tutor.diagnoser.search import suggest

    if parameter.kind in ("choice", "format"):
        every = parameter.choices or _FORMATS
        return [one.text for one in suggest("choice", every, text, most)] if text.strip() else list(every)
    if parameter.kind not in _NAMED:
        return []
    drawn = [one.name for one in catalogue.entries(parameter)]
    if not text.strip():
        return drawn[:most]
    return [one.text for one in suggest(parameter.kind, (), text, len(drawn) + 99) if one.text in drawn][:most]
