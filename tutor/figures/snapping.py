"""Where a value lands on a quantization ruler, and where the ruler's marks stand. Step and zero-point: the registry's.

Code and value as a quantized model stores them: code = round(x / step) + zero-point, value = (code - zero-point) *
step. So 0 is always a mark, and the first and last mark may lie up to half a step beside the ends of the range.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from tutor.figures.numbers import calc
from tutor.figures.state import State, between, number, put, whole, word


@dataclass(frozen=True, slots=True)
class Snap:
    """Where a value lies on the ruler and where it lands."""

    low: Fraction
    high: Fraction
    step: Fraction
    zero: int
    """The code of the value 0."""
    gaps: int
    """Gaps between the marks; the last code."""
    code: int
    """The code of the value."""
    landed: Fraction
    error: Fraction

    def mark(self, code: int) -> Fraction:
        """The value that a code stands for."""
        return (code - self.zero) * self.step

    @property
    def marks(self) -> list[Fraction]:
        """All marks, from the first to the last code."""
        return [self.mark(code) for code in range(self.gaps + 1)]

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The least and the greatest of range and marks: what a drawing of the ruler has to reach."""
        return min(self.low, self.mark(0)), max(self.high, self.mark(self.gaps))


def is_stretched(state: State) -> bool:
    """Whether the outlier is in the range."""
    return word(state, "outlier") == "on"


def snap(state: State) -> Snap:
    """The value rounded to the nearest mark; a half goes up. With the outlier the range reaches to it."""
    low, value, bits = number(state, "r_min"), number(state, "value"), whole(state, "b")
    high = number(state, "stretched" if is_stretched(state) else "r_max")
    return _snapped(low, high, value, bits)


@lru_cache(maxsize=256)
def _snapped(low: Fraction, high: Fraction, value: Fraction, bits: int) -> Snap:
    size = calc("quant_step", r_min=low, r_max=high, b=bits)
    zero, gaps = int(calc("zero_point", r_min=low, r_max=high, b=bits)), int(calc("gaps", b=bits))
    code = between(floor(value / size + Fraction(1, 2)) + zero, 0, gaps)
    landed = (code - zero) * size
    return Snap(low, high, size, zero, gaps, code, landed, abs(value - landed))


def unstretched(state: State) -> Snap:
    """The same value on the ruler without the outlier."""
    return snap(put(state, outlier="off"))


def left_for_others(state: State) -> int:
    """How many marks of the stretched ruler lie in the range of all values but the outlier."""
    found = snap(state)
    first = max(0, ceil(number(state, "r_min") / found.step) + found.zero)
    last = min(found.gaps, floor(number(state, "r_max") / found.step) + found.zero)
    return max(0, last - first + 1)
