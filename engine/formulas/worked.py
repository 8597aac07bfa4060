"""A formula worked by hand: symbols, the numbers in their place, the result; for each formula it refers to first."""

from fractions import Fraction
from typing import NamedTuple

from engine import units
from engine.formulas import registry
from engine.formulas.symbols import SYMBOLS
from engine.tree import Tree, text


class Step(NamedTuple):
    """One line of working: ``name = symbols = numbers = value``."""

    name: str
    symbols: str
    numbers: str
    value: str


class Worked(NamedTuple):
    """A worked formula.

    Attributes:
        steps: the formulas it refers to, deepest first, then itself.
        exact: the value in base units.
        base: that value printed in full, with its base unit ("1,073,741,824 bytes").
        value: the value in the asked unit and digits ("1.07 GB").
    """

    steps: tuple[Step, ...]
    exact: Fraction
    base: str
    value: str

    @property
    def symbols(self) -> str:
        """The formula in symbols."""
        return self.steps[-1].symbols

    @property
    def numbers(self) -> str:
        """The formula with the numbers put in."""
        return self.steps[-1].numbers


def work(name: str, given: registry.Given, unit: str | None = None, digits: units.Digits = None) -> Worked:
    """Work a formula.

    Args:
        name: the formula.
        given: values of its symbols.
        unit: the unit to print the result in; the formula's own by default.
        digits: significant digits of the printed result.

    Raises:
        FormulaError: as :func:`registry.result`.
    """
    known = registry.values(given)
    steps = [_step(ref, known, None, None) for ref in registry.all_references(name)]
    last = _step(name, known, unit, digits)
    value = registry.result(name, known)
    return Worked((*steps, last), value, base_text(value, unit or registry.get(name).unit), last.value)


def result_text(name: str, given: registry.Given, unit: str | None = None, digits: units.Digits = None) -> str:
    """The value of :func:`work` alone, for texts that do not show the working. Raises as it does."""
    known = registry.values(given)
    return _value_text(name, registry.result(name, known), unit, digits)


def _value_text(name: str, value: Fraction, unit: str | None, digits: units.Digits) -> str:
    return units.quantity(value, unit or _readable(registry.get(name).unit, value), digits)


def _step(name: str, known: dict[str, Fraction], unit: str | None, digits: units.Digits) -> Step:
    tree = registry.multi_head(registry.get(name).tree, known)
    value = registry.result(name, known)
    return Step(name, text(tree), numbers_text(tree, known), _value_text(name, value, unit, digits))


def numbers_text(tree: Tree, known: dict[str, Fraction]) -> str:
    """A tree with numbers for symbols; formulas it names print as their values."""

    def put(name: str) -> str:
        value = known[name] if name in known else registry.result(name, known)
        shown = compact(value)
        return f"({shown})" if value < 0 or "×" in shown else shown

    return text(tree, put)


_NAMED = 18
"""The power of ten from which on no unit of ours has a name."""


def compact(value: Fraction) -> str:
    """A number put into a formula: in full up to a million, then as digits and a power of ten when that is exact: one
    in threes, as units have names for them (80e9), and the number's own where no unit has (1e400)."""
    if value.denominator == 1 and abs(value) >= 10**6:
        own = len(str(abs(value.numerator))) - 1
        power = own // 3 * 3 if own < _NAMED else own
        mantissa = units.decimal_text(abs(value) / 10**power) or ""
        if len(mantissa) <= 5:
            return f"{'−' if value < 0 else ''}{mantissa}e{power}"
        return units.grouped(value.numerator)
    return units.number(value, 6).replace("-", "−")


def base_text(value: Fraction, unit: str) -> str:
    """A value in full in the base unit of ``unit``'s dimension; a share as its fraction."""
    dimension = units.get(unit).dimension
    if dimension == "share":
        return f"{value.numerator}/{value.denominator}" if value.denominator != 1 else str(value)
    base = next((name for name, u in units.UNITS.items() if u.dimension == dimension and u.factor == 1), "none")
    return units.quantity(value, base, "all")


def _readable(unit: str, value: Fraction) -> str:
    """The largest decimal unit that keeps a size above one: bytes become GB where they are many."""
    ladders = {"bytes": ("TB", "GB", "MB", "KB"), "s": ("ms",), "bytes/s": ("TB/s", "GB/s"), "FLOP": ("TFLOP", "GFLOP"),
               "FLOP/s": ("TFLOP/s",)}  # fmt: skip
    for name in ladders.get(unit, ()):
        if abs(value) >= units.get(name).factor or name == "ms":
            return name
    return unit


def symbol_value(name: str, value: Fraction) -> str:
    """A given value with its unit as a table of givens prints it: "4096 tokens", "2 bytes", "80 GB"."""
    unit = SYMBOLS[name].unit if name in SYMBOLS else "none"
    if unit == "width":
        return units.quantity(value, "bit", 6)
    if unit in units.COUNTS:
        return f"{compact(value)} {units.get(unit).symbol}"
    return units.quantity(value, _readable(unit, value), 6)
