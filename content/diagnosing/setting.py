"""A value as a scenario file has it, as a person reads it: with the unit of its input."""

from __future__ import annotations

from fractions import Fraction

from content.diagnosing import words
from content.lang import Lang
from engine.diagnosis.fields import BY_NAME
from engine.units import COUNTS, UNITS

LAYERS = "gpu_layers"
"""Layers on the card: all of them where nobody says how many."""
POOL = ("kv_pool", "kv_pool_tokens")
"""Inputs that a server works out itself where nobody sets them."""


def value(name: str, given: object, lang: Lang) -> str:
    """The value of an input: "14.1 GB", "94 %", "56,672 tokens", "on"; ``None`` for one that is set no more."""
    if given is None and name == LAYERS:
        return words.label("all_layers", lang)  # none is left to the processor
    if given is None:
        return words.label("worked_out" if name in POOL else "none", lang)
    if isinstance(given, bool):
        return words.label("on" if given else "off", lang)
    field = BY_NAME.get(name)
    number = _number(given)
    if field is None or number is None or field.kind == "text":
        return words.clean(given)
    if field.unit in UNITS and field.unit not in COUNTS:
        factor = 1 if field.unit == "%" else UNITS[field.unit].factor
        return words.quantity(number * factor, field.unit, lang)
    return words.quantity(number, field.unit, lang) if field.unit else words.count(number)


def _number(given: object) -> Fraction | None:
    """A number; of a text only one that is nothing else."""
    try:
        return Fraction(repr(given) if isinstance(given, float) else str(given))
    except (ValueError, ZeroDivisionError):
        return None
