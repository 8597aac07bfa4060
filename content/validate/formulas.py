"""Formulas that a course names: they exist, their symbols are given, they have a value in the unit asked for."""

from __future__ import annotations

from collections.abc import Iterator

from content import ranges
from content.schema import Given
from content.validate.source import Source
from engine import units
from engine.formulas import registry
from engine.formulas.registry import FormulaError
from engine.formulas.symbols import SYMBOLS


def usable(source: Source, where: tuple[str, ...], formula: str, given: Given, unit: str) -> bool:
    """Whether a calculation can be done; what is in the way is reported at ``where``."""
    path = source.find(where)
    problems = list(_problems(formula, given, unit))
    for key, reason, params in problems:
        source.report((*path, key), reason, **params)
    return not problems


def _problems(formula: str, given: Given, unit: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    if not formula:
        return
    try:
        own = units.get(registry.get(formula).unit).dimension
        registry.result(formula, given)
    except FormulaError as error:
        if error.reason == "unknown-formula":
            close = error.params.get("close", "")
            yield "formula", "unknown-formula", {"formula": formula} | ({"close": close} if close else {})
        elif error.reason == "missing-symbol":
            yield "formula", "missing-symbol", {"formula": formula, "symbol": error.params.get("symbol", "")}
        else:
            yield "formula", "no-value", {"formula": formula, "detail": error.reason}
        return
    if unit and unit not in units.UNITS:
        yield "unit", "unknown-unit", {"unit": unit}
    elif unit and not _alike(units.get(unit).dimension, own):
        yield "unit", "wrong-unit", {"unit": unit, "formula": formula, "own": registry.get(formula).unit}


def _alike(asked: str, own: str) -> bool:
    """Whether a result may print in a unit: of its own kind, a bare number, or another word for things counted."""
    counted = units.COUNTS
    return asked in (own, "number") or (asked in counted and own in counted) or own == "number"


def symbols_known(source: Source, where: tuple[str, ...], given: Given) -> None:
    """Every given value belongs to a symbol of some formula, and is one that its symbol can have."""
    for name, value in given.items():
        place = source.find((*where, "given", name))
        if name not in SYMBOLS:
            source.report(place, "unknown-symbol", symbol=name)
        elif wrong := ranges.problem(name, value):
            source.report(place, f"given-{wrong.replace('_', '-')}", symbol=name)
