"""The command line that gives a figure's numbers: what the playground copies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

PROGRAM = "llm-tutor"


@dataclass(frozen=True, slots=True)
class Shell:
    """One command of the tutor, its words not yet quoted; it gives the same numbers as the figure it comes from."""

    words: tuple[str, ...]
    """Command and arguments, without the program: ("calc", "kv_cache", "B=16", ...)."""

    @property
    def line(self) -> str:
        """The command as a shell reads it."""
        from shlex import join

        return join((PROGRAM, *self.words))


def calc(formula: str, given: Mapping[str, Fraction | int], unit: str = "") -> Shell:
    """A formula worked with these values, each written so that it is read back exactly; ``unit`` as `calc` takes it."""
    values = [f"{name}={exact(value)}" for name, value in given.items()]
    return Shell(("calc", formula, *values, *([f"unit={unit}"] if unit else [])))


def judges(line: str) -> bool:
    """Whether a command line is a diagnosis: of the same load, but as a server runs it."""
    return line.startswith(f"{PROGRAM} diagnose ")


def exact(value: Fraction | int) -> str:
    """A number without a rounding: a whole one, a decimal where it ends, else a quotient."""
    number = Fraction(value)
    if number.denominator == 1:
        return str(number.numerator)
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return f"{float(number):.15g}" if rest == 1 and Fraction(f"{float(number):.15g}") == number else str(number)
