"""Numbers for the figures: every one from the engine's formula registry, never computed a second time here."""

from __future__ import annotations

from fractions import Fraction

from tutor.figures.state import State, number, whole

PRECISIONS: tuple[Fraction, ...] = (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))
"""Bytes of one number, the ladder that the precision keys walk."""
LEAST_KV, MOST_KV = Fraction(1, 2), Fraction(4)
"""Bytes of one number of a KV cache: engines keep it in 4 bits (INT4, q4_0) to 32 (FP32), ``precision.kv_layout``."""

_NAMES = {Fraction(4): "FP32", Fraction(2): "FP16", Fraction(1): "INT8", Fraction(1, 2): "INT4"}


Args = dict[str, Fraction | int]
"""Symbols of a formula with their values in base units."""


def calc(formula: str, **given: Fraction | int) -> Fraction:
    """The value of a registered formula in base units."""
    from engine.formulas.registry import result

    return result(formula, given)


def shape(state: State) -> Args:
    """The arguments of the KV formulas that do not depend on a request."""
    return {
        "L": whole(state, "L"),
        "n_kv_heads": whole(state, "n_kv_heads"),
        "d_head": whole(state, "d_head"),
        "p": number(state, "p"),
    }


def precision(size: Fraction, *, kv: bool = False) -> str:
    """The usual name of a number format by its bytes; a one-byte cache is FP8."""
    if kv and size == 1:
        return "FP8"
    return _NAMES.get(size, f"{float(size):g} B")


def billions(count: Fraction | int) -> str:
    """A parameter count as model names write it: 13B, 1.5B, 350M; 2T from a million millions on."""
    value = Fraction(count)
    for unit, letter in ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "K")):
        if value >= unit:
            return f"{float(value / unit):.4g}{letter}"
    return f"{float(value):g}"
