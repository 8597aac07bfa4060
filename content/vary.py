"""How values are drawn afresh: the ``vary`` table of an exercise or part, read when somebody draws.

Kept apart from :mod:`content.build`, since most answers are to the values as written.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from content.build import Builder
from content.entries import Table
from content.schema import Given

MOST_OPTIONS = 10_000
"""Whole numbers that one thing is drawn from."""


class Draw(NamedTuple):
    """One thing that a variant draws afresh.

    Attributes:
        name: a symbol; "set" for several symbols at once; "model" or "gpu" for an entry of the catalogue.
        options: what can be drawn, each one or several symbols with their values.
        entries: of a model or gpu: names of the catalogue, or a word for many ("multi-head", "any").
        formula: of a symbol: the formula that gives it from what is drawn already.
    """

    name: str
    options: tuple[Given, ...] = ()
    entries: tuple[str, ...] = ()
    formula: str = ""


class Limit(NamedTuple):
    """What a draw must keep to, so that the texts stay true: a formula's value, in base units, from least to most."""

    formula: str
    given: Mapping[str, Fraction | str]
    least: Fraction | None
    most: Fraction | None


class Vary(NamedTuple):
    """How the values of an exercise or part can be drawn afresh."""

    draws: tuple[Draw, ...]
    limits: tuple[Limit, ...]


def vary(build: Builder, table: Table) -> Vary:
    """What a ``vary`` table says.

    Args:
        build: the builder of the exercise or part that the table stands in.
        table: the ``vary`` table itself.

    Raises:
        ContentError: with the place.
    """
    here = build.inside("vary")
    for name, value in table.items():
        if value == []:
            raise here.error("bad-type", name, key=name, wanted="one value or more")
    draws = tuple(_draw(here, name, value) for name, value in table.items() if name != "limits")
    return Vary(draws, tuple(_limit(here, limit) for limit in here.tables(table, "limits")))


def _draw(here: Builder, name: str, value: Any) -> Draw:
    """One thing to draw: a list, whole numbers from to, a formula's name, sets of symbols, or catalogue entries."""
    if name in ("model", "gpu"):
        return Draw(name, entries=here.strings({name: [value] if isinstance(value, str) else value}, name))
    if isinstance(value, str):
        return Draw(name, formula=here.string({name: value}, name))
    if isinstance(value, Mapping):
        return Draw(name, tuple({name: Fraction(n)} for n in _range(here, name, value)))
    if name == "set":
        sets = here.tables({name: value}, name)
        return Draw(name, tuple({s: here.number(v, s) for s, v in one.items()} for one in sets))
    return Draw(name, tuple({name: here.number(v, name)} for v in here.items({name: value}, name)))


def _range(here: Builder, name: str, table: Table) -> range:
    first, last = here.count(table, "from"), here.count(table, "to")
    if not 0 <= last - first <= MOST_OPTIONS:
        raise here.error("bad-type", name, key=name, wanted=f"from and to, at most {MOST_OPTIONS} apart")
    return range(first, last + 1)


def _limit(here: Builder, table: Table) -> Limit:
    """One limit of a draw; a value in its ``given`` may be the name of a symbol that is drawn."""
    least, most = (here.number(table[key], key) if key in table else None for key in ("least", "most"))
    given = {
        name: value if isinstance(value, str) and value.isidentifier() else here.number(value, name)
        for name, value in here.mapping(table, "given").items()
    }
    return Limit(here.string(table, "formula"), given, least, most)
