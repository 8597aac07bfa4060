"""A value of a figure's state as people write it. What is shown is exact: typed again, it is the same value."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from engine.units import decimal_text, grouped, quantity
from tutor.figures.numbers import precision
from tutor.figures.shell import exact

if TYPE_CHECKING:
    from tutor.figures.parameters import Parameter

ON, OFF = "on", "off"
_DIGITS = 6
"""Digits of a short number: 6.738 billion is one, 6.738415616 is written out."""
_BYTES = (("TB", 10**12), ("GB", 10**9), ("GiB", 2**30), ("MB", 10**6), ("MiB", 2**20), ("KiB", 2**10))
_SPEEDS = (("TB/s", 10**12), ("GB/s", 10**9))


def printed(parameter: Parameter, value: object) -> str:
    """A value of the parameter's kind, as its line shows it."""
    if isinstance(value, bool):
        return ON if value else OFF
    if parameter.kind == "list" and isinstance(value, tuple):
        return ", ".join(str(one) for one in value)
    if not isinstance(value, int | Fraction):
        return str(value)
    return _number(parameter, Fraction(value))


def _number(parameter: Parameter, value: Fraction) -> str:
    match parameter.kind:
        case "params":
            return _params(value)
        case "bytes":
            return _measured(value, _BYTES, "bytes")
        case "speed":
            return _measured(value, _SPEEDS, "bytes/s")
        case "format":
            return _format(value, kv=parameter.name == "p")
        case "number":
            return exact(value)
    return grouped(int(value)) if value.denominator == 1 else exact(value)


def _short(value: Fraction) -> str:
    """A number in a few digits, exactly; nothing where it takes more."""
    text = decimal_text(value)
    return text if text is not None and len(text.replace(".", "").strip("-0")) <= _DIGITS else ""


def _params(value: Fraction) -> str:
    for letter, size in (("T", 10**12), ("B", 10**9), ("M", 10**6)):
        text = _short(value / size)
        if abs(value) >= size and text:
            return f"{text}{letter}"
    return f"{exact(value)} weight{'' if value == 1 else 's'}" if abs(value) < 10**7 else grouped(int(value))


def _measured(value: Fraction, sizes: tuple[tuple[str, int], ...], bare: str) -> str:
    for unit, size in sizes:
        if abs(value) >= size and _short(value / size):
            return quantity(value, unit, "all")
    one = bare.replace("bytes", "byte") if value == 1 else bare
    return f"{grouped(int(value)) if value.denominator == 1 else exact(value)} {one}"


def _format(size: Fraction, *, kv: bool) -> str:
    """FP16, or how many bits a number has where no plain name says it."""
    name = precision(size, kv=kv)
    return name if not name.endswith(" B") else f"{exact(8 * size)}-bit"
