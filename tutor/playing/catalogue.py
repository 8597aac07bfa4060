"""Models and cards of the catalogue as values of a figure: by any usual name, and back from the values to the name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from tutor.figures.state import exact_number
from tutor.playing.unreadable import refused

if TYPE_CHECKING:
    from engine.catalog import Gpu, Model
    from tutor.figures.parameters import Parameter
    from tutor.figures.state import State

_LEFT_OUT = frozenset(("p", "p_w"))
"""What an entry may not know and the reader's own value stands for: the format of its numbers."""
_MOST_OPTIONS = 6


class Entry(NamedTuple):
    """An entry by the name that people call it and by its full one, with the values that it fills."""

    name: str
    full: str
    values: Mapping[str, Fraction]


def read(parameter: Parameter, text: str) -> Entry:
    """The entry that a text names. Raises ``Unreadable``: unknown, ambiguous, or without the numbers that are drawn."""
    found = _gpu(parameter, text) if parameter.kind == "gpu" else _model(parameter, text)
    entry, missing = _entry(parameter, found)
    if entry is None:
        raise refused(f"lacks-{missing}", parameter, text)
    return entry


def entries(parameter: Parameter) -> tuple[Entry, ...]:
    """Every entry that the figure can draw, in the order of the catalogue."""
    return _entries(parameter.kind, parameter.fills)


def matching(parameter: Parameter, state: State, kept: str = "") -> str:
    """The name of the entry whose values all equal the state's; "" where none does."""
    entry = fitting(parameter, state, kept)
    return entry.name if entry is not None else ""


def fitting(parameter: Parameter, state: State, kept: str = "") -> Entry | None:
    """The first entry whose values all equal the state's.

    ``kept``: a name that stood there; it stays while its values fit, where several entries are alike. Of a part of a
    name, as "A100", an entry that begins so.
    """
    found = _alike(parameter.kind, parameter.fills, tuple(exact_number(state[key]) for key in parameter.fills))
    named = [one for one in found if one.name == kept] or [one for one in found if kept and one.name.startswith(kept)]
    return next(iter((*named, *found)), None)


@lru_cache(maxsize=64)
def _alike(kind: Literal["model", "gpu"], fills: tuple[str, ...], own: tuple[Fraction, ...]) -> Sequence[Entry]:
    """Every entry with these values: asked for several times at each key, and few keys change them."""
    given = dict(zip(fills, own, strict=True))
    return [one for one in _entries(kind, fills) if all(given[key] == value for key, value in one.values.items())]


@lru_cache(maxsize=32)
def _entries(kind: Literal["model", "gpu"], fills: tuple[str, ...]) -> tuple[Entry, ...]:
    from engine import catalog
    from tutor.figures.parameters import Parameter

    every: tuple[Gpu | Model, ...] = catalog.gpus() if kind == "gpu" else catalog.models()
    asked = Parameter(kind, kind, fills=fills)
    return tuple(entry for one in every if (entry := _entry(asked, one)[0]) is not None)


def _entry(parameter: Parameter, found: Gpu | Model) -> tuple[Entry | None, str]:
    """An entry with its values, or why it has none: "layers" that no formula here sizes, or "numbers" not known."""
    from engine import catalog

    try:
        values = catalog.formula_values(found, parameter.fills)
    except catalog.NoValues:
        return None, "layers"
    if set(parameter.fills) - values.keys() - _LEFT_OUT:
        return None, "numbers"
    full = found.name if isinstance(found, catalog.Gpu) else found.id
    return Entry(called(parameter, full), full, values), ""


def called(parameter: Parameter, full: str) -> str:
    """A full name as people call it: a model's without its owner, where that is one model only."""
    from tutor.diagnoser.search import short_name

    return short_name(full) if parameter.kind == "model" else full


# --- by name ---------------------------------------------------------------------------------------------------------


def _gpu(parameter: Parameter, text: str) -> Gpu:
    from engine.diagnosis.reading import cards

    found = cards.read(text)
    if found.gpu is not None:
        return found.gpu
    if found.options:
        raise refused("ambiguous", parameter, text, options=_some(found.options))
    raise _unknown(parameter, text, cards.near(text))


def _model(parameter: Parameter, text: str) -> Model:
    from engine import catalog
    from engine.diagnosis.reading import named

    options: tuple[str, ...] = ()
    close: tuple[str, ...] = ()
    try:
        return catalog.model(text)
    except catalog.AmbiguousName as error:
        options = error.options
    except catalog.UnknownName as error:
        close = error.close
    found = named.of_name(text)
    if found.model is not None and not found.stand_in:
        return found.model
    options = options or found.options
    if options:
        raise refused("ambiguous", parameter, text, options=_some(options))
    raise _unknown(parameter, text, close)


def _some(options: tuple[str, ...]) -> str:
    return ", ".join(options[:_MOST_OPTIONS]) + (", …" if len(options) > _MOST_OPTIONS else "")


def _unknown(parameter: Parameter, text: str, close: tuple[str, ...]) -> Exception:
    key = f"unknown-{parameter.kind}" + ("-near" if close else "")
    return refused(key, parameter, text, close=", ".join(close))
