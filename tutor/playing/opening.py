"""A figure and its state as words of a command line, and back: ``two-buckets model=llama-2-13b B=16``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from tutor.commands.context import quoted
from tutor.figures.base import Figure
from tutor.figures.parameters import Parameter
from tutor.figures.registry import UnknownFigure, get, names
from tutor.figures.shell import Shell
from tutor.figures.state import State
from tutor.playing import catalogue, kept, showing, values
from tutor.playing.unreadable import Unreadable, refused


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
    every = {**filled, **own}
    for parameter, text in asked:  # each by itself: the one that cannot stand beside the others is told
        put = {key: every[key] for key in _put(figure, parameter, text)}
        state = values.taken(figure, parameter, MappingProxyType({**figure.defaults(), **every}), put, text)
    named = {one.name: values.named(one, text) for one, text in asked if one.kind in ("model", "gpu")}
    return Opened(figure.name, state, named)


def given(words: Sequence[str]) -> tuple[str, ...]:
    """The names of the values that words set. Raises ``Unreadable``."""
    return tuple(parameter.name for parameter, _ in _pairs(_figure(words[0]), words[1:])) if words else ()


def commands(name: str, state: State, named: Mapping[str, str]) -> tuple[str, ...]:
    """The command lines of a figure's numbers, its model and card as they were named where they still fit."""
    figure = get(name)
    meant = {}
    for parameter in figure.parameters:
        kept = named.get(parameter.name, "")
        entry = catalogue.fitting(parameter, state, kept) if kept and parameter.name not in figure.base else None
        if entry is not None and entry.name == kept:
            meant[f"--{parameter.name}"] = entry.full
    return tuple(Shell(_named_so(shell.words, meant)).line for shell in figure.commands(state))


def _named_so(words: Sequence[str], meant: Mapping[str, str]) -> tuple[str, ...]:
    """The words of a command, with other names behind some options."""
    return tuple(meant.get(before, word) for before, word in zip(("", *words), words, strict=False))


def arguments(name: str, state: State, named: Mapping[str, str] = MappingProxyType({})) -> tuple[str, ...]:
    """The words that open the same state again: the figure, and every value that is not as it starts.

    A model or card that has just these values stands for them; of several the one that was ``named``.
    """
    figure = get(name)
    start = figure.defaults()
    changed = dict.fromkeys(key for key in figure.base if state[key] != start[key])
    said = [figure.name]
    for parameter in _settable(figure):
        if parameter.kind in ("model", "gpu") and parameter.name not in figure.base:
            entry = catalogue.fitting(parameter, state, named.get(parameter.name, ""))
            if entry is None or not changed.keys() & entry.values.keys():
                continue
            said.append(f"{parameter.name}={entry.name}")
            for key in entry.values:
                changed.pop(key, None)
    for parameter in _settable(figure):
        if parameter.name in changed and state[parameter.name] != "":
            said.append(f"{parameter.name}={_written(parameter, state[parameter.name])}")
    return tuple(said)


def _put(figure: Figure, parameter: Parameter, text: str) -> Mapping[str, object]:
    """The keys that one word sets."""
    put = values.changes(figure, parameter, text)
    if parameter.kind == "text" and isinstance(figure.base[parameter.name], tuple):
        pieces = tuple(piece.strip() for piece in str(put[parameter.name]).split(",") if piece.strip())
        if not set(pieces) <= set(parameter.choices):
            raise refused("choice", parameter, text, known=", ".join(parameter.choices))
        return {parameter.name: pieces}
    return {**put, **kept.instead(figure, parameter)}


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
    listed = ", ".join(one.name for one in values.offered(figure, figure.defaults()))
    raise Unreadable("value" if listed else "no-values", figure=figure.name, text=quoted(name), known=listed)


def _settable(figure: Figure) -> tuple[Parameter, ...]:
    """The figure's parameters, and further values of its state that a word can say."""
    own = {parameter.name for parameter in figure.parameters}
    return (*figure.parameters, *(one for one in kept.further(figure) if one.name not in own))
