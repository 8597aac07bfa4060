"""A number that somebody wrote in a file or on the command line, as an exact value; never evaluated as code."""

from __future__ import annotations

import re
from fractions import Fraction

from content import ranges
from tutor.commands.context import Refusal, Words, quoted

PRECISIONS = {"fp32": "4", "fp16": "2", "bf16": "2", "fp8": "1", "int8": "1", "int4": "1/2"}
"""Bytes per number by the usual name, for the symbols that ask for it."""


def quantity(name: str, text: str, unit: str, *, bare: str = "") -> Fraction:
    """A value in base units; a number without a unit is in ``bare``, or else in ``unit``.

    Raises:
        Refusal: no number, or a unit that measures something else than ``unit``.
    """
    from engine import units

    value, written = _read(name, text)
    if written is None:
        return value * units.get(bare or unit).factor
    if units.get(written).dimension != units.get(unit).dimension:
        raise Refusal("cli.calc.bad_value", name=name, text=quoted(text))
    return value


def of_symbol(symbol: str, text: str) -> Fraction:
    """The value of a formula's symbol in base units: a number, one with a unit (80 GB), or a precision (fp16).

    Raises:
        Refusal: no number, or a unit that measures something else.
    """
    from engine import units
    from engine.formulas.symbols import SYMBOLS

    if symbol in ("p", "p_w", "p_from"):
        text = PRECISIONS.get(text.strip().lower(), text)
    count = _thousands(symbol, text)
    value, unit = (count, None) if count is not None else _read(symbol, text)
    if unit is not None:
        wanted = SYMBOLS[symbol].unit if symbol in SYMBOLS else "none"
        bits = wanted == "width" and unit in ("bits", "bit")
        if bits:
            return value / units.get(unit).factor
        if wanted not in units.UNITS or units.get(unit).dimension != units.get(wanted).dimension:
            raise Refusal("cli.calc.bad_value", name=symbol, text=quoted(text))
    if ranges.problem(symbol, value) in (ranges.POSITIVE, ranges.NEGATIVE):
        raise Refusal(f"cli.calc.{ranges.problem(symbol, value)}", name=symbol, text=quoted(text))
    return value


_THOUSANDS = re.compile(r"\s*\d{1,9}(?:\.\d{1,9})?\s?[km]i?\s*", re.IGNORECASE)


def _thousands(symbol: str, text: str) -> Fraction | None:
    """A count as people shorten it ("4k" tokens), read as a scenario reads it; ``None`` for anything else."""
    from engine import units
    from engine.formulas.symbols import SYMBOLS

    unit = SYMBOLS[symbol].unit if symbol in SYMBOLS else ""
    if unit not in units.UNITS or units.get(unit).dimension not in units.COUNTS or not _THOUSANDS.fullmatch(text):
        return None
    from engine.diagnosis.reading import values
    from engine.diagnosis.written import NotRead

    try:
        return Fraction(values.count(text))
    except NotRead:
        return None


def why(reason: str) -> Words:
    """Why a formula has no value, by the id of the reason."""
    known = {"division-by-zero": "division_by_zero", "too-large": "too_large"}
    return Words(f"cli.calc.why.{known.get(reason, 'other')}")


def _read(name: str, text: str) -> tuple[Fraction, str | None]:
    from engine.reader.errors import ReadError
    from engine.reader.names import Names
    from engine.reader.read import read

    try:
        reading = read(text, Names())
    except ReadError as error:
        raise Refusal("cli.calc.bad_value", name=name, text=quoted(text)) from error
    if reading.value is None:
        raise Refusal("cli.calc.bad_value", name=name, text=quoted(text))
    return reading.value, reading.unit
