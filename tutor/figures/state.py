"""The state of a figure: a mapping of plain values, read with the kind one expects, changed by making a new one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

State = Mapping[str, object]
"""Values are int, Fraction, bool, str, tuple or a mapping. Never changed in place; those made here are frozen."""


def filled(base: State, given: Mapping[str, object]) -> State:
    """``base`` with the given values in it, each brought to the kind of the default it replaces."""
    return MappingProxyType(
        {name: _like(default, given[name], name) if name in given else default for name, default in base.items()}
    )


def _like(default: object, value: object, name: str) -> object:
    """``value`` in the kind of ``default``: TOML gives 13e9 as a float and exact values as text ("1/2", "80e9")."""
    try:
        if isinstance(default, bool):
            return bool(value)
        if isinstance(default, int):
            return int(exact_number(value))
        if isinstance(default, Fraction):
            return exact_number(value)
        if isinstance(default, tuple):
            return tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else (value,)
        if isinstance(default, Mapping):
            return dict(value) if isinstance(value, Mapping) else default
    except (TypeError, ValueError, ZeroDivisionError) as error:
        raise ValueError(f"{name} = {value!r}") from error
    return str(value)


def exact_number(value: object) -> Fraction:
    """A number that an author wrote, exactly: 0.1 is one tenth, not its nearest float."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int):
        return Fraction(value)
    return Fraction(str(value).strip())


def whole(state: State, name: str) -> int:
    """A value that is a whole number."""
    value = state[name]
    assert isinstance(value, int), name
    return value


def number(state: State, name: str) -> Fraction:
    """A value that is a number, exactly."""
    return exact_number(state[name])


def word(state: State, name: str) -> str:
    """A value that is a text."""
    return str(state[name])


def on(state: State, name: str) -> bool:
    """A value that is a switch."""
    return bool(state[name])


def names(state: State, name: str) -> tuple[str, ...]:
    """A value that is a list of texts."""
    value = state[name]
    return tuple(str(item) for item in value) if isinstance(value, tuple) else ()


def hidden(state: State, name: str) -> bool:
    """Whether an author left out this part of the drawing (state key ``hide``): it would answer a question."""
    return name in names(state, "hide")


def put(state: State, **changes: object) -> State:
    """A new state with some values changed."""
    return MappingProxyType({**state, **changes})


Ladder = Sequence[int | Fraction]


def along(ladder: Ladder, value: Fraction, by: int) -> int | Fraction:
    """The next value up (``by`` 1) or down (-1) a rising ladder; at an end, and beyond it, the value stays."""
    if by > 0:
        place = bisect_right(ladder, value)
        return ladder[place] if place < len(ladder) else value
    place = bisect_left(ladder, value)
    return ladder[place - 1] if place > 0 else value


def step(name: str, ladder: Ladder, by: int) -> Callable[[State], State]:
    """A change that moves one value a step along a ladder."""

    return lambda state: moved(state, name, ladder, by)


def moved(state: State, name: str, ladder: Ladder, by: int) -> State:
    """The state with one value a step along a ladder; at an end the same state."""
    value = along(ladder, number(state, name), by)
    return state if value == number(state, name) else put(state, **{name: value})


def between(value: int, low: int, high: int) -> int:
    """``value`` brought within two bounds."""
    return max(low, min(high, value))
