"""What the values of symbols can be: a count or a size is above zero, and none is larger than anything there is."""

from __future__ import annotations

from fractions import Fraction

POSITIVE, NEGATIVE, ABSURD = "not_positive", "negative", "absurd"

MAY_BE_ZERO = frozenset("used P T reserve meta_bits N_rest bits_rest bytes_moved flops fraction absmax".split())
"""What there may be none of."""
ANY_SIGN = frozenset(("r_min", "r_max"))
"""Ends of a range of weights."""
MOST = Fraction(10**18)
MOST_FLOPS = Fraction(10**30)


def problem(symbol: str, value: Fraction) -> str | None:
    """What is wrong with a value in base units; nothing is with most."""
    if symbol not in ANY_SIGN:
        if value < 0:
            return POSITIVE if symbol not in MAY_BE_ZERO else NEGATIVE
        if value == 0 and symbol not in MAY_BE_ZERO:
            return POSITIVE
    most = MOST_FLOPS if "flops" in symbol else MOST
    return ABSURD if abs(value) > most else None
