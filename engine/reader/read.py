"""The door: a typed answer to a :class:`Reading`, a declared formula text to a tree."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from engine import units
from engine.reader import words
from engine.reader.errors import ReadError
from engine.reader.fold import fold
from engine.reader.parse import Names, Parser, has_unit
from engine.reader.tokens import Token, tokens
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
    return Parser(tokens(fold(text)), Names(units=False)).whole()


def read(typed: str, names: Names) -> Reading:
    """Read one answer.

    Raises:
        ReadError: with an id, a place and the values its sentence needs.
    """
    found = tokens(fold(typed))
    hedged = any(t.text == "~" or t.text.lower() in ("lagbhag", "about", "approx", "approximately") for t in found)
    sides = _sides(_without_words(found, names))
    _refuse_two_values(sides[-1], names)
    try:
        trees = [Parser(side, names).whole() for side in sides]
        values = [None if symbols(tree) else evaluate(tree) for tree in trees]
    except EvalError as error:
        raise ReadError(error.reason, 0, len(typed)) from None
    except RecursionError:
        raise ReadError("too-deep", 0, len(typed), most="40") from None
    _refuse_broken_chain(trees, values, typed)
    digits, half = _precision(trees[-1])
    lone = any(token.lone_comma for token in sides[-1]) and len(sides[-1]) <= 3
    return Reading(typed, trees[-1], values[-1], unit_of(trees[-1]), digits, half, lone, hedged)


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


def _without_words(found: Sequence[Token], names: Names) -> list[Token]:
    """The tokens without the words around a number, after refusing those that turn its meaning."""
    kept: list[Token] = []
    for place, token in enumerate(found):
        lower = token.text.lower()
        if token.kind == "sign" and token.text in "<>" and token.text:
            raise ReadError("bound", token.start, token.end, word=token.text)
        if token.text in ("<<", ">>"):
            raise ReadError("syntax", token.start, token.end, position=str(token.start + 1), found=token.text)
        if token.kind == "word" and not names.symbol(token.text):
            _refuse_turning_word(token, lower, found, place)
            if lower in words.FILLERS:
                continue
        if token.text == "~":
            continue
        kept.append(token)
    if all(token.kind == "end" for token in kept):
        raise ReadError("not-a-number", 0, found[-1].end)
    return kept


def _refuse_turning_word(token: Token, lower: str, found: Sequence[Token], place: int) -> None:
    for reason, vocabulary in (
        ("negated", words.NEGATIONS),
        ("two-values", words.ALTERNATIVES),
        ("bound", words.BOUNDS),
    ):
        if lower in vocabulary:
            raise ReadError(reason, token.start, token.end, word=token.text)
    between = place > 0 and found[place - 1].kind == "number" and found[place + 1].kind == "number"
    if lower in words.RANGES and between:
        raise ReadError("range", token.start, token.end, word=token.text)
    if lower in words.CODE or "__" in lower:
        raise ReadError("code", token.start, token.end, word=token.text)


def _sides(kept: list[Token]) -> list[list[Token]]:
    """The sides of ``a = b = c``; a lone name on the left ("KV = ...") says only what is being computed."""
    end = kept[-1]
    sides: list[list[Token]] = [[]]
    for token in kept[:-1]:
        if token.text in ("=", "=="):
            sides.append([])
        else:
            sides[-1].append(token)
    if len(sides) > 1 and len(sides[0]) <= 2 and all(token.kind == "word" for token in sides[0]):
        del sides[0]
    if not sides[-1]:
        raise ReadError("syntax", max(end.start - 1, 0), end.end, position=str(end.start), found="=")
    return [[*side, end] for side in sides if side]


def _refuse_two_values(side: list[Token], names: Names) -> None:
    """A comma or semicolon between values, or ``37-38``: two candidates are no answer."""
    for token in side:
        if token.kind == "sign" and token.text in (",", ";"):
            raise ReadError("two-values", token.start, token.end, word=token.text)
    kinds = [token.kind if token.kind != "sign" else token.text for token in side]
    if (
        kinds[:3] == ["number", "-", "number"]
        and kinds[3:] in (["end"], ["word", "end"], ["%", "end"])
        and side[0].value < side[2].value
    ):
        raise ReadError("range", side[0].start, side[2].end, word="-")
    numbers = [token for token in side if token.kind == "number"]
    for first, second in pairwise(side):
        if first.kind == second.kind == "number" and first.end == second.start:
            raise ReadError("grouping", first.start, second.end, typed=first.text + second.text, points="2")
        if first.kind == second.kind == "number":
            raise ReadError("two-values", numbers[0].start, second.end, word=second.text)


def _refuse_broken_chain(trees: list[Tree], values: list[Fraction | None], typed: str) -> None:
    """Sides of an equation must agree to about a percent, each in its own unit or bare."""
    last = values[-1]
    if len(values) == 1 or last is None:
        return
    factor = units.get(unit_of(trees[-1]) or "none").factor
    for tree, value in zip(trees[:-1], values[:-1], strict=True):
        bare = value is not None and not has_unit(tree) and value * factor
        if value is None or not any(_near(v, last) for v in (value, bare) if isinstance(v, Fraction)):
            raise ReadError("two-values", 0, len(typed), word="=")


def _near(one: Fraction, other: Fraction) -> bool:
    return abs(one - other) <= abs(other) / 100


def _precision(tree: Tree) -> tuple[int | None, Fraction]:
    """The significant digits of a plain number and half its last digit; ``(None, 0)`` for an expression."""
    match tree:
        case Neg(arg):
            return _precision(arg)
        case Qty(arg, _, factor):
            digits, half = _precision(arg)
            return digits, half * factor
        case Num(value, written):
            return _typed_digits(value, written)
        case Bin("*", Num() as number, scale) if _is_power_of_ten(scale):
            digits, half = _typed_digits(*number)
            return digits, half * evaluate(scale)
    return None, Fraction(0)


def _is_power_of_ten(tree: Tree) -> bool:
    match tree:
        case Bin("^", Num(value, _), power):
            return value == 10 and not symbols(power)
        case Num(value, written):
            return written.strip("0") == "1" and value > 1
    return False


def _typed_digits(value: Fraction, written: str) -> tuple[int | None, Fraction]:
    mantissa, _, exponent = written.partition("e")
    if not mantissa or mantissa[0].isalpha():
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
