"""A figure and its state as words of a command line, and back: ``two-buckets model=llama-2-13b B=16``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from tutor.commands.context import quoted
from tutor.figures.base import Figure
from tutor.figures.parameters import Kind, Parameter
from tutor.figures.registry import UnknownFigure, get, names
from tutor.figures.state import State
from tutor.playing import catalogue, reading, showing, values
from tutor.playing.unreadable import Unreadable

_KINDS: tuple[tuple[type, Kind], ...] = ((int, "count"), (Fraction, "number"), (str, "text"))
_WIDEST = 10**6
"""How far a value without bounds of its own may go, or a thousand times its default."""


class Opened(NamedTuple):
    """What the words of a command line open; ``named``: the models and cards that they name, by parameter."""

    figure: str
    state: State
    named: Mapping[str, str] = MappingProxyType({})


def read(words: Sequence[str]) -> Opened:
    """The figure and the state that words name; without words the first figure as it starts.

    What is typed for a value outranks what a model or a card fills in, in whichever order they stand.

    Raises:
        Unreadable: no such figure, no such value, a value that cannot be read or drawn, one that is given twice.
    """
    figure = _figure(words[0]) if words else get(names()[0])
    filled: dict[str, object] = {}
    own: dict[str, object] = {}
    asked: list[tuple[Parameter, str]] = []
    for parameter, text in _pairs(figure, words[1:]):
        put = _put(figure, parameter, text)
        (filled if parameter.kind in ("model", "gpu") else own).update(put)
        asked.append((parameter, text))
    state = figure.defaults()
    for parameter, text in asked:
        state = values.taken(figure, parameter, figure.defaults(), {**filled, **own}, text)
    named = {one.name: values.named(one, text) for one, text in asked if one.kind in ("model", "gpu")}
    return Opened(figure.name, state, named)


def arguments(name: str, state: State) -> tuple[str, ...]:
    """The words that open the same state again: the figure, and every value that is not as it starts.

    A model or card that has just these values stands for them.
    """
    figure = get(name)
    start = figure.defaults()
    changed = dict.fromkeys(key for key in figure.base if state[key] != start[key])
    said = [figure.name]
    for parameter in _settable(figure):
        if parameter.kind in ("model", "gpu") and parameter.name not in figure.base:
            entry = catalogue.fitting(parameter, state)
            if entry is None or not changed.keys() & entry.values.keys():
                continue
            said.append(f"{parameter.name}={entry.name}")
            for key in entry.values:
                changed.pop(key, None)
    for parameter in _settable(figure):
        if parameter.name in changed:
            said.append(f"{parameter.name}={_written(parameter, state[parameter.name])}")
    return tuple(said)


def _put(figure: Figure, parameter: Parameter, text: str) -> Mapping[str, object]:
    """The keys that one word sets."""
    put = values.changes(figure, parameter, text)
    if parameter.kind == "text" and isinstance(figure.base[parameter.name], tuple):
        return {parameter.name: tuple(piece for piece in str(put[parameter.name]).split(",") if piece)}
    return put


def _written(parameter: Parameter, value: object) -> str:
    """A value for a command line: without thousands separators, and without blanks where none are needed."""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    text = showing.printed(parameter, value)
    return text if isinstance(value, str) else text.replace(",", "").replace(" ", "")


# --- names -----------------------------------------------------------------------------------------------------------


def _figure(text: str) -> Figure:
    wanted = "-".join(text.strip().lower().replace("_", " ").split())
    try:
        return get(wanted)
    except UnknownFigure as error:
        key = "figure-near" if error.close else "figure"
        raise Unreadable(key, text=quoted(text), close=", ".join(error.close), known=", ".join(names())) from None


def _pairs(figure: Figure, words: Iterable[str]) -> list[tuple[Parameter, str]]:
    known = _settable(figure)
    found: list[tuple[Parameter, str]] = []
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name.strip():
            raise Unreadable("pair", text=quoted(word))
        parameter = _named(figure, known, name.strip())
        if any(one.name == parameter.name for one, _ in found):
            raise Unreadable("twice", text=quoted(name.strip()))
        found.append((parameter, text))
    return found


def _named(figure: Figure, known: Sequence[Parameter], name: str) -> Parameter:
    """A value by its name, exactly or, where that is clear, in any case."""
    found = [one for one in known if one.name == name] or [
        one for one in known if one.name.lower() == name.lower().replace("-", "_")
    ]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(one.name for one in known)
    raise Unreadable("value" if known else "no-values", figure=figure.name, text=quoted(name), known=listed)


def _settable(figure: Figure) -> tuple[Parameter, ...]:
    """The figure's parameters, and further values of its state that a word can say."""
    own = {parameter.name for parameter in figure.parameters}
    more = (_of_state(key, value) for key, value in figure.base.items() if key not in own)
    return (*figure.parameters, *(parameter for parameter in more if parameter is not None))


def _of_state(key: str, default: object) -> Parameter | None:
    """A value that the panel does not offer (a dial, a shape that a model fills), to be typed as what it is."""
    if isinstance(default, bool):
        return Parameter(key, "choice", choices=(showing.OFF, showing.ON))
    if isinstance(default, tuple):
        return Parameter(key, "text", most=reading.LONGEST) if all(isinstance(one, str) for one in default) else None
    kind = next((kind for of, kind in _KINDS if isinstance(default, of)), None)
    if kind is None:
        return None
    if isinstance(default, str):
        return Parameter(key, kind, most=reading.LONGEST)
    assert isinstance(default, int | Fraction)
    most = max(_WIDEST, 1000 * int(abs(Fraction(default))))
    return Parameter(key, kind, least=-most, most=most)
