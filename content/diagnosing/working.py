"""A formula with the values put in, one after another: the formulas it refers to first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from content.diagnosing.words import quantity
from content.lang import Lang
from engine.formulas import registry
from engine.formulas.worked import numbers_text
from engine.tree import text

Given = Mapping[str, Fraction | int]
"""Values of symbols."""


class Line(NamedTuple):
    """One formula worked: ``name = symbols``, ``= numbers``, ``= value``."""

    name: str
    symbols: str
    numbers: str
    value: str

    def texts(self) -> tuple[str, ...]:
        """The lines as they are printed."""
        return f"{self.name} = {self.symbols}", f"  = {self.numbers}", f"  = {self.value}"


def work(name: str, given: Given, lang: Lang, known: Mapping[str, Fraction] | None = None) -> tuple[Line, ...]:
    """The lines of a formula.

    Args:
        name: the formula.
        given: values of its symbols.
        lang: for counts with their noun.
        known: values of formulas that it refers to and that come from elsewhere: they are not worked again.

    Raises:
        FormulaError: a symbol is missing, or there is no value.
    """
    values = {symbol: Fraction(value) for symbol, value in given.items()}
    stands = dict(known or {})
    found = [line for ref in _below(name, stands) for line in (_line(ref, values, stands, lang),)]
    return (*found, _line(name, values, stands, lang))


def _below(name: str, stands: Mapping[str, Fraction]) -> tuple[str, ...]:
    """The formulas to work first, deepest first, each once; none behind one whose value is known."""
    found: list[str] = []
    for ref in registry.references(name):
        if ref not in stands:
            found += [*_below(ref, stands), ref]
    return tuple(dict.fromkeys(found))


def _line(name: str, values: dict[str, Fraction], stands: Mapping[str, Fraction], lang: Lang) -> Line:
    formula = registry.get(name)
    tree = registry.multi_head(formula.tree, values)
    value = registry.result(name, values, stands)
    parts = {ref: registry.result(ref, values, stands) for ref in registry.references(name) if ref not in stands}
    numbers = numbers_text(tree, {**values, **stands, **parts})
    return Line(name, text(tree), numbers, quantity(value, formula.unit, lang, 4))


def texts(lines: Iterable[Line]) -> tuple[str, ...]:
    """All lines as they are printed."""
    return tuple(shown for line in lines for shown in line.texts())


class Told(NamedTuple):
    """What is said about one number: its name, its value, the working, sentences, and where it comes from."""

    title: str
    value: str
    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    source: str = ""
