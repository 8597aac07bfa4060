"""The door: a typed answer to a :class:`Reading`, a declared formula text to a tree."""

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine import units
from engine.reader.attach import has_unit
from engine.reader.errors import ReadError
from engine.reader.fold import MAX_DEPTH, fold
from engine.reader.names import Names
from engine.reader.parse import Parser
from engine.reader.phrases import sides
from engine.reader.tokens import tokens
from engine.tree import Bin, Call, EvalError, Neg, Num, Qty, Sym, Tree, evaluate, symbols


class Reading(NamedTuple):
    """What an answer says.

    Attributes:
        text: as typed.
        tree: its expression, the last side of an equation chain.
        value: in base units (a share as a ratio), ``None`` when the tree holds symbols.
        unit: canonical unit name as typed, or ``None``.
        digits: significant digits typed, ``None`` for an expression (which is as exact as it gets).
        half_digit: half of the last typed digit, in base units; 0 for an expression.
        lone_comma: the number was "1,073": a thousand and 73, or a decimal comma.
        hedged: "about", "lagbhag" or "~" stood before it.
    """

    text: str
    tree: Tree
    value: Fraction | None
    unit: str | None
    digits: int | None
    half_digit: Fraction
    lone_comma: bool = False
    hedged: bool = False


@lru_cache(maxsize=512)
def formula_tree(text: str) -> Tree:
    """The tree of a formula text; every identifier is a symbol. Raises ``ReadError`` on a bad text."""
    if text.isascii() and text.isdigit() and len(text) < 20:  # the commonest of all, without the reader's way around
        return Num(Fraction(int(text)), text)
    return Parser(tokens(fold(text)), Names(units=False)).whole()


def read(typed: str, names: Names) -> Reading:
    """Read one answer.

    Raises:
        ReadError: with an id, a place and the values its sentence needs.
    """
    try:
        return _read(typed, names)
    except ReadError as error:
        from engine.reader.lost import is_lost  # what can be read needs none of this

        if error.reason not in _SURE and is_lost(typed):
            raise ReadError("lost", 0, len(typed)) from None
        raise


_SURE = frozenset(("empty", "too-long", "too-deep", "code", "grouping", "comma-unclear"))
"""Reasons that no text of a learner who is lost has."""


def _read(typed: str, names: Names) -> Reading:
    found = sides(tokens(fold(typed)), names)
    try:
        trees = [Parser(side, names).whole() for side in found.sides]
        trees[-1] = _with_label_unit(trees[-1], found.unit)
        values = [None if symbols(tree) else evaluate(tree) for tree in trees]
        _refuse_range(trees[-1], len(typed))
        _refuse_broken_chain(trees, values, typed)
    except EvalError as error:
        raise ReadError(error.reason, 0, len(typed), word=typed.strip()) from None
    except RecursionError:
        raise ReadError("too-deep", 0, len(typed), most=str(MAX_DEPTH)) from None
    digits, half = _precision(trees[-1], round_numbers=True)
    lone = any(token.lone_comma for token in found.sides[-1]) and len(found.sides[-1]) <= 3
    return Reading(typed, trees[-1], values[-1], unit_of(trees[-1]), digits, half, lone, found.hedged)


def _with_label_unit(tree: Tree, unit: str | None) -> Tree:
    """A bare value with the unit that its label names."""
    return tree if unit is None or has_unit(tree) else Qty(tree, unit, units.get(unit).factor)


def _refuse_range(tree: Tree, length: int) -> None:
    """ "37-38" is a range: a difference of two plain values that would be negative."""
    while isinstance(tree, Qty):
        tree = tree.arg
    match tree:
        case Bin("-", left, right) if is_literal(left) and is_literal(right) and evaluate(left) < evaluate(right):
            raise ReadError("range", 0, length, word="-")


def unit_of(tree: Tree) -> str | None:
    """The unit of a tree's value: of a quotient of two of a kind there is none."""
    match tree:
        case Qty(_, unit, _):
            return unit
        case Neg(arg) | Call(_, arg):
            return unit_of(arg)
        case Bin(op, left, right):
            of_left, of_right = unit_of(left), unit_of(right)
            if op in ("/", "//") and of_left and of_right:
                return None
            return of_right if op in "+-" and of_right else of_left or of_right
    return None


def _refuse_broken_chain(trees: list[Tree], values: list[Fraction | None], typed: str) -> None:
    """Sides of an equation must be one value in several spellings, or one function."""
    for tree, value in zip(trees[:-1], values[:-1], strict=True):
        if (value is None) != (values[-1] is None):
            raise ReadError("equation", 0, len(typed))
        if value is None and not _same_at_points(tree, trees[-1]):
            raise ReadError("equation", 0, len(typed))
        if value is not None and value != values[-1] and not _agree(tree, trees[-1]):
            raise ReadError("two-values", 0, len(typed), word="=")


def _same_at_points(one: Tree, other: Tree) -> bool:
    names = sorted({*symbols(one), *symbols(other)})
    points = [{name: Fraction(first + 2 * place) for place, name in enumerate(names)} for first in (2, 3)]
    return all(evaluate(one, at) == evaluate(other, at) for at in points)


def _agree(one: Tree, other: Tree) -> bool:
    """Whether two sides are one value: to a percent, and where one is a plain number, as rounded or cut to its digits.

    A bare side counts in the other side's unit too.
    """
    ways = ((one, other), (_in_unit_of(one, other), other), (one, _in_unit_of(other, one)), (_as_percent(one), other))
    for left, right in ways:
        first, second = evaluate(left), evaluate(right)
        (_, half_one), (_, half_other) = _precision(left), _precision(right)
        rough, fine = (first, second) if half_one >= half_other else (second, first)
        half = max(half_one, half_other)
        cut = abs(rough) < abs(fine) and abs(rough - fine) < 2 * half
        floored = cut and half == Fraction(1, 2) and abs(rough) >= 10  # "37.9 -> 37"
        counted = not has_unit(other) or units.get(unit_of(other) or "none").dimension in units.COUNTS
        rounded = counted and half == half_other == Fraction(1, 2) and half_one < half  # "7.5 matlab 8"
        near = floored or rounded or abs(first - second) <= abs(second) / 100
        if near and (not half or cut or abs(first - second) <= half):
            return True
    return False


def _as_percent(tree: Tree) -> Tree:
    """A quotient below one as the number of its percents: "1928/2048 = 94.14" says that."""
    share = isinstance(tree, Bin) and tree.op == "/" and not has_unit(tree) and 0 < evaluate(tree) < 1
    return Bin("*", tree, Num(Fraction(100), "100")) if share else tree


def _in_unit_of(tree: Tree, other: Tree) -> Tree:
    unit = unit_of(other)
    return tree if unit is None or has_unit(tree) else Qty(tree, unit, units.get(unit).factor)


def _precision(tree: Tree, *, round_numbers: bool = False) -> tuple[int | None, Fraction]:
    """The significant digits of a plain number and half its last digit; ``(None, 0)`` for an expression.

    ``round_numbers``: the zeros at the end of a whole number are no digits: 310 says as much as 31e1.
    """
    match tree:
        case Neg(arg):
            return _precision(arg, round_numbers=round_numbers)
        case Qty(arg, _, factor):
            digits, half = _precision(arg, round_numbers=round_numbers)
            return digits, half * factor
        case Num(value, written):
            return _round_digits(value, written) if round_numbers else _typed_digits(value, written)
        case Bin("*", Num() as number, scale) if _is_power_of_ten(scale):
            digits, half = _round_digits(*number) if round_numbers else _typed_digits(*number)
            return digits, half * evaluate(scale)
    return None, Fraction(0)


MOST_LEFT_OPEN = Fraction(1, 50)
"""How much of a value the zeros at its end leave open at most: 310 may be 313, but 100 is no way to write 94."""


def _round_digits(value: Fraction, written: str) -> tuple[int | None, Fraction]:
    digits, half = _typed_digits(value, written)
    if digits is None or not written.isdigit() or not value:
        return digits, half
    zeros = len(written) - len(written.rstrip("0"))
    return digits - zeros, max(half, min(half * 10**zeros, value * MOST_LEFT_OPEN))


def _is_power_of_ten(tree: Tree) -> bool:
    match tree:
        case Bin("^", Num(value, _), power):
            return value == 10 and not symbols(power)
        case Num(value, written):
            return written.strip("0") == "1" and value > 1
    return False


def _typed_digits(value: Fraction, written: str) -> tuple[int | None, Fraction]:
    mantissa, _, exponent = written.partition("e")
    if not mantissa or not mantissa.replace(".", "", 1).isdigit():
        return None, Fraction(0)
    whole, _, places = mantissa.partition(".")
    digits = len((whole + places).lstrip("0")) or 1
    return digits, Fraction(1, 2) * Fraction(10) ** (int(exponent or "0") - len(places))


def is_literal(tree: Tree) -> bool:
    """Whether a tree is one number, perhaps signed and with a unit, rather than an expression."""
    match tree:
        case Num():
            return True
        case Neg(arg) | Qty(arg, _, _):
            return is_literal(arg)
        case Bin("*", Num(), scale):
            return _is_power_of_ten(scale)
        case Sym():
            return False
    return False
