"""A calculation asked backwards: its answer is given, and one of its values asked for.

Only what can be undone step by step can be asked so: the symbol stands in the formula once, and only sums, differences,
products and quotients stand around it. What was rounded on the way (floor, ceil, round) is lost and cannot be undone.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from engine import units
from engine.answers.model import Expectation, Expected, Verdict
from engine.answers.numeric import check_number, matched, right_value
from engine.answers.slips import Broken, broken
from engine.formulas import registry
from engine.formulas.symbols import SYMBOLS
from engine.tree import Bin, EvalError, Neg, Num, Qty, Sym, Tree, evaluate, factors, product, walk

ANSWER = "answer"
"""The name that stands for the given answer in an undone formula."""
SHARE = Fraction(1, 200)
"""Relative tolerance, that of the course's own numbers; of a count at least a quarter of one."""
QUARTER = Fraction(1, 4)
KEPT = Fraction(1, 10)
"""Share of the tolerance that rounding the shown answer may use up."""
MOST_DIGITS = 9
"""An answer shown with more digits than this would be copied and no longer read."""
_READABLE = {"bytes": ("TB", "GB", "MB"), "bytes/s": ("TB/s", "GB/s"), "FLOP/s": ("TFLOP/s",)}
"""Decimal units in which an amount is asked for, the first that keeps it above one."""


class Reversal(NamedTuple):
    """A calculation asked backwards.

    Attributes:
        symbol: what is asked for.
        answer: the answer as it is shown, in base units: rounded to the digits below.
        shown: that answer, printed.
        inverse: the undone formula, with :data:`ANSWER` for the given answer.
        expect: what is right.
        known: the calculation's slips, each undone in the same way from the same answer.
    """

    symbol: str
    answer: Fraction
    shown: str
    inverse: Tree
    expect: Expectation
    known: tuple[Broken, ...]


def inverse(tree: Tree, symbol: str, answer: Tree) -> Tree | None:
    """The tree that gives a symbol, where ``tree`` has the value of ``answer``; ``None`` where it cannot be undone."""
    if sum(node == Sym(symbol) for node in walk(tree)) != 1:
        return None
    around: Tree = tree
    while around != Sym(symbol):
        undone = _undone(around, symbol, answer)
        if undone is None:
            return None
        around, answer = undone
    return answer


def _undone(tree: Tree, symbol: str, answer: Tree) -> tuple[Tree, Tree] | None:
    """One step from the outside in: the part of a tree that holds the symbol, and what that part comes to."""
    match tree:
        case Neg(arg):
            return arg, Neg(answer)
        case Qty(arg, _, factor):
            return arg, Bin("/", answer, Num(factor, str(factor)))
        case Bin("*", _, _):
            parts = factors(tree)
            inside = next(part for part in parts if _holds(part, symbol))
            return inside, Bin("/", answer, product(tuple(part for part in parts if part is not inside)))
        case Bin(op, left, right) if op in "+-/":
            return _of_two(op, left, right, answer, _holds(left, symbol))
    return None


def _of_two(op: str, left: Tree, right: Tree, answer: Tree, first: bool) -> tuple[Tree, Tree]:
    if first:
        return left, Bin({"+": "-", "-": "+", "/": "*"}[op], answer, right)
    return right, Bin("-", answer, left) if op == "+" else Bin(op, left, answer)


def _holds(tree: Tree, symbol: str) -> bool:
    return any(node == Sym(symbol) for node in walk(tree))


def can_reverse(expect: Expectation, symbol: str) -> bool:
    """Whether a symbol of a computed question can be asked for with its answer given, with these values.

    Raises:
        FormulaError: the expectation itself cannot be computed.
    """
    return _turned(expect, symbol) is not None


def askable(expect: Expectation) -> tuple[str, ...]:
    """All symbols of which :func:`can_reverse` holds, in the order of the formula. Raises as it does."""
    if not expect.formula:
        return ()
    return tuple(symbol for symbol in registry.needed(expect.formula, expect.given) if can_reverse(expect, symbol))


def reversal(expect: Expectation, symbol: str) -> Reversal | None:
    """A computed question asked backwards; ``None`` where :func:`can_reverse` says no. Raises as it does."""
    turned = _turned(expect, symbol)
    if turned is None:
        return None
    undone, answer, wanted = turned
    known = tuple(_slips(expect, symbol, answer, wanted))
    return Reversal(symbol, answer, units.quantity(answer, expect.unit, "all"), undone, wanted, known)


def _turned(expect: Expectation, symbol: str) -> tuple[Tree, Fraction, Expectation] | None:
    """The undone formula, the answer as it is shown, and what is right for the symbol."""
    if not expect.formula or symbol not in SYMBOLS:
        return None
    given, right = registry.values(expect.given), right_value(expect)
    undone = inverse(registry.multi_head(registry.expanded(expect.formula), given), symbol, Sym(ANSWER))
    if undone is None or _solved(undone, given, right) != given.get(symbol):
        return None
    wanted = _expectation(symbol, given[symbol])
    answer = _shown(expect, undone, right, wanted)
    return (undone, answer, wanted) if answer is not None else None


def check(asked: Reversal, typed: str) -> Verdict:
    """The verdict on an answer to a reversed question; never raises for what was typed."""
    verdict = check_number(asked.expect, typed)
    assert verdict.expected is not None
    right, unit = verdict.expected.value, asked.expect.unit
    if right is not None:
        verdict = verdict._replace(expected=Expected(right, unit, units.quantity(right, unit, "all")))
    if verdict.verdict != "incorrect":
        return verdict
    found = matched(asked.expect, typed, None, asked.known)
    if found is None or not found.slips:
        return verdict
    return verdict._replace(slips=found.slips, ambiguous=found.ambiguous, notes=found.notes)


def _solved(undone: Tree, given: registry.Given, answer: Fraction) -> Fraction | None:
    try:
        return evaluate(undone, {**registry.values(given), ANSWER: answer})
    except EvalError:
        return None


def _expectation(symbol: str, value: Fraction) -> Expectation:
    """What is right for a symbol: a whole one to a quarter, or to half a percent where it counts hundreds.

    Its kind is "number" even so: what comes out of a shown answer is seldom whole to the last digit, nor is a slip's.
    """
    unit = _unit(symbol, value)
    if not (SYMBOLS[symbol].whole and value.denominator == 1):
        return Expectation("number", value=value, unit=unit, digits=None, rel_tol=SHARE)
    reach = max(QUARTER, abs(value) * SHARE)
    return Expectation("number", value=value, unit=unit, digits=None, abs_tol=reach)


def _unit(symbol: str, value: Fraction) -> str:
    unit = SYMBOLS[symbol].unit
    if unit == "width":
        return "bit"
    return next((one for one in _READABLE.get(unit, ()) if abs(value) >= units.get(one).factor), unit)


def _reach(wanted: Expectation) -> Fraction:
    """The tolerance of an answer, in base units."""
    assert wanted.value is not None
    return wanted.abs_tol if wanted.abs_tol is not None else abs(wanted.value) * SHARE


def _shown(expect: Expectation, undone: Tree, right: Fraction, wanted: Expectation) -> Fraction | None:
    """The answer with the fewest digits, as many as the course shows at least, that still decide the symbol."""
    assert wanted.value is not None
    value, factor = wanted.value, units.get(expect.unit).factor
    allowed = _reach(wanted) * KEPT
    for digits in range(expect.digits or 3, MOST_DIGITS + 1):
        answer = units.round_significant(right / factor, digits) * factor
        solved = _solved(undone, expect.given, answer)
        if solved is not None and abs(solved - value) <= allowed:
            return answer
    return None


def _slips(expect: Expectation, symbol: str, answer: Fraction, wanted: Expectation) -> Iterator[Broken]:
    """What each broken calculation gives for the symbol, where it gives anything and not the right value.

    One that puts a number in the symbol's place (a value carried over, a step that was rounded) gives none.
    """
    given = {name: value for name, value in registry.values(expect.given).items() if name != symbol}
    assert wanted.value is not None
    for one in (*broken(expect.formula, expect.given, expect.carry, expect.carry_all), *_of_units(expect)):
        if one.slip in expect.drop:
            continue
        undone = inverse(one.tree, symbol, Num(answer, str(answer)))
        if undone is None:
            continue
        solved = _solved(undone, given, answer)
        if solved is not None and abs(solved - wanted.value) > _reach(wanted):
            yield Broken(one.slip, undone, solved, one.rank)


def _of_units(expect: Expectation) -> Iterator[Broken]:
    """The answer read in binary units, where it is given in decimal ones."""
    binary = {"KB": 2**10, "MB": 2**20, "GB": 2**30, "TB": 2**40}.get(expect.unit)
    if binary is None:
        return
    right = registry.multi_head(registry.expanded(expect.formula), expect.given)
    ratio = units.get(expect.unit).factor / binary
    yield Broken("gib-for-gb", Bin("*", right, Num(ratio, str(ratio))), right_value(expect) * ratio, 1)
