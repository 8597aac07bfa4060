"""Verdicts on formulas: refuted at exact points, confirmed by sympy; slips are formulas broken the same way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine.answers.model import Expectation, Expected, Read, Verdict
from engine.answers.slips import broken_trees
from engine.formulas import identities, points, registry, spellings, symbolic
from engine.reader.errors import ReadError
from engine.reader.names import Names
from engine.reader.parse import FUNCTIONS_READ
from engine.reader.read import formula_tree, read
from engine.tree import Bin, EvalError, Neg, Num, Sym, Tree, factors, number, substitute, symbols, text, walk

_OPERATORS = "+-*/^×·⋅−÷"
_OPERAND = re.compile(r"(?<![\w.])[^\W\d]\w*")
_TIMES = str.maketrans("×✕✖⨉", "****")
"""In a formula these are no factor's sign, as "17×" is among numbers."""
_FUNCTIONS = "floor, ceil, round"
"""The functions that a formula can hold."""
_KEPT = 128
"""So many questions keep what was worked out about them; a batch may ask any number."""
_NO_VALUE = ("too-large", "division-by-zero")


class Question(NamedTuple):
    """What a formula question knows before anybody answers.

    Attributes:
        right: the right formula, in the symbols that the question uses.
        replace: what stands for the symbols that identities, or the formulas below this one, make superfluous.
        plain: the right formula with all replacements made.
        points: where formulas are looked at first.
        value: the right formula's values there.
        broken: slip, a broken formula and its values there; the likelier first.
        inverts: whether the formula is a ratio, which can be turned upside down.
    """

    right: Tree
    replace: Mapping[str, Tree]
    plain: Tree
    points: tuple[points.Point, ...]
    value: points.Print
    broken: tuple[tuple[str, Tree, points.Print], ...]
    inverts: bool


def check_formula(expect: Expectation, typed: str) -> Verdict:
    """The verdict on a typed formula."""
    question = _question(expect.formula, tuple(expect.given), expect.identities)
    expected = Expected(None, None, text(question.right))
    try:
        tree = _tree(expect, typed)
        mine, value = _replaced(tree, question, typed)
    except ReadError as error:
        return _unreadable(error)._replace(expected=expected)
    base = Verdict("incorrect", read=Read(text(tree), None, None, None), expected=expected)
    if not points.differ(value, question.value) and symbolic.equal(mine, question.plain):
        return base._replace(verdict="correct")
    slips = tuple(dict.fromkeys(_slips(question, tree, mine, value)))
    return base._replace(slips=slips, ambiguous=len(slips) > 1)


def read_formula(expect: Expectation, typed: str) -> Verdict:
    """How a typed formula reads, unjudged: incorrect stands for readable."""
    try:
        tree = _tree(expect, typed)
    except ReadError as error:
        return _unreadable(error)
    return Verdict("incorrect", read=Read(text(tree), None, None, None))


def _unreadable(error: ReadError) -> Verdict:
    return Verdict("invalid", error.reason, span=(error.start, error.end), params=error.params)


def _tree(expect: Expectation, typed: str) -> Tree:
    """The typed formula, which must hold a symbol. Raises ``ReadError``."""
    names = Names(spellings.all_of(expect.symbols), units=False)
    try:
        tree = read(_without_unit(typed).translate(_TIMES), names).tree
    except ReadError as error:
        raise _in_formula(error, typed, names) from None
    if not symbols(tree):
        raise ReadError("needs-formula", 0, len(typed), symbols=_known(names))
    return tree


def _without_unit(typed: str) -> str:
    """The formula without the "bytes" behind it; behind an operator that is a factor."""
    found = typed.rstrip(". \t\r\n").rsplit(None, 1)
    if len(found) < 2 or found[1].lower() not in ("byte", "bytes") or found[0][-1] in _OPERATORS:
        return typed
    return found[0]


def _in_formula(error: ReadError, typed: str, names: Names) -> ReadError:
    """What could not be read, told by what a formula is made of."""
    if error.params.get("more") == "function":
        word = error.params["word"]
        return ReadError("unknown-word", error.start, error.end, word=word, more="formula", known=_FUNCTIONS)
    if error.reason == "too-long":
        return ReadError(error.reason, error.start, error.end, **error.params, more="formula")
    if error.reason != "syntax":
        return error
    # a word that says nothing in a sentence was passed over, and left its place beside an operator empty
    for found in _OPERAND.finditer(typed):
        start, end = found.span()
        before, behind = typed[:start].rstrip()[-1:], typed[end:].lstrip()[:1]
        unknown = names.symbol(found.group()) is None and found.group().lower() not in FUNCTIONS_READ
        if unknown and ((before and before in _OPERATORS) or (behind and behind in _OPERATORS)):
            return ReadError("unknown-symbol", start, end, word=found.group(), symbols=_known(names))
    return error


def _known(names: Names) -> str:
    return ", ".join(dict.fromkeys(names.symbols.values()))


def _replaced(tree: Tree, question: Question, typed: str) -> tuple[Tree, points.Print]:
    """A typed formula in the symbols that are free to vary, and its values. Raises ``ReadError`` when it has none."""
    try:
        mine = symbolic.folded(substitute(tree, question.replace))
    except EvalError as error:
        raise ReadError(error.reason, 0, len(typed)) from None
    value = points.fingerprint(mine, question.points)
    reason = points.no_value(value)
    if reason in _NO_VALUE and not points.rounds(mine):
        raise ReadError(reason, 0, len(typed))
    return mine, value


# --- what is asked ----------------------------------------------------------------------------------------------------


def _right(formula: str, given: tuple[str, ...]) -> Tree:
    if registry.is_formula(formula):
        return registry.multi_head(registry.expanded(formula), given)
    return formula_tree(formula)


def trouble(expect: Expectation) -> str | None:
    """Why a formula cannot be asked for: it has no value anywhere. ``None`` for one that can."""
    try:
        question = _question(expect.formula, tuple(expect.given), expect.identities)
    except EvalError as error:
        return error.reason
    reason = points.no_value(question.value)
    return reason if reason in _NO_VALUE else None


def named(formula: str) -> tuple[str, ...]:
    """The names that may stand in an answer to the question for a registered formula: its symbols, the formulas it
    refers to, and the symbols of the slips that are known of it."""
    right = registry.expanded(formula)
    below = registry.all_references(formula)
    wrong = (name for _, tree, _ in broken_trees(formula, {}) for name in symbols(tree))
    return tuple(dict.fromkeys((*symbols(right), *below, *wrong)))


@lru_cache(maxsize=_KEPT)
def _question(formula: str, given: tuple[str, ...], pairs: identities.Pairs) -> Question:
    right = _right(formula, given)
    below = registry.all_references(formula) if registry.is_formula(formula) else ()
    solved = identities.solved(pairs)
    steps = {name: substitute(registry.expanded(name), solved) for name in below if name not in symbols(right)}
    replace = {**steps, **solved}
    plain = symbolic.folded(substitute(right, replace))
    at = points.witnesses(plain)
    wrong = _broken(formula, right, replace, plain)
    broken = tuple((slip, tree, points.fingerprint(tree, at)) for slip, tree in wrong)
    inverts = isinstance(right, Bin) and right.op == "/"
    return Question(right, replace, plain, at, points.fingerprint(plain, at), broken, inverts)


def _broken(formula: str, right: Tree, replace: Mapping[str, Tree], plain: Tree) -> Iterator[tuple[str, Tree]]:
    """The broken calculations of the formula, or of the registered formula that its text is."""
    # No values: a symbol is not 1 just because an exercise sets it so; d_model alone says which case is meant.
    known = {"d_model": Fraction(7, 3)} if "d_model" in symbols(right) else {}
    name = formula if registry.is_formula(formula) else _registered(plain, replace, known)
    if name is None:
        return
    seen = set()
    for slip, tree, _ in broken_trees(name, known):
        wrong = substitute(registry.multi_head(tree, known), replace)
        with suppress(EvalError):
            wrong = symbolic.folded(wrong)
        if (slip, wrong) not in seen:
            seen.add((slip, wrong))
            yield slip, wrong


def _registered(plain: Tree, replace: Mapping[str, Tree], known: Mapping[str, Fraction]) -> str | None:
    """The registered formula that a formula text is in any spelling, so that its slips are known."""
    names = set(symbols(plain))
    for name in registry.names():
        tree = substitute(registry.multi_head(registry.expanded(name), known), replace)
        if set(symbols(tree)) == names and symbolic.equal(tree, plain):
            return name
    return None


# --- what went wrong --------------------------------------------------------------------------------------------------


def _slips(question: Question, tree: Tree, mine: Tree, value: points.Print) -> Iterator[str]:
    """The broken calculations that are the typed function; then what any formula can suffer."""
    for slip, broken, at in question.broken:
        # one that has no value at the points known by itself is told by its form
        if mine == broken or (points.same(value, at) and points.alike(mine, broken)):
            yield slip
    yield from _in_place_of_times(question.right, tree)
    both = zip(value, question.value, strict=True)
    exact = [(own, right) for own, right in both if isinstance(own, Fraction) and isinstance(right, Fraction)]
    if exact and all(own == -right for own, right in exact) and points.alike(Neg(mine), question.plain):
        yield "sign-flipped"
    inverted = exact and question.inverts and all(own * right == 1 for own, right in exact)
    if inverted and points.alike(Bin("*", mine, question.plain), number(1)):
        yield "factor-inverted"


def _in_place_of_times(right: Tree, tree: Tree) -> Iterator[str]:
    """Plus signs or powers where the right formula, a pure product, has times signs, over the same factors."""
    parts = factors(right)
    if len(parts) < 3 or any(isinstance(node, Bin) and node.op != "*" for node in walk(right)):
        return
    typed, wanted = _leaves(tree), _leaves(right)
    if typed.symbols != wanted.symbols or typed.numbers - wanted.numbers:
        return
    signs = {node.op for node in walk(tree) if isinstance(node, Bin)}
    if "+" in signs and signs <= {"+", "*"}:
        yield "sum-for-product"
    if "^" in signs and signs <= {"^", "*"}:
        yield "power-for-product"


class _Leaves(NamedTuple):
    """What a tree is made of, each as often as it stands there."""

    symbols: Counter[str]
    numbers: Counter[Fraction]


def _leaves(tree: Tree) -> _Leaves:
    nodes = tuple(walk(tree))
    return _Leaves(
        Counter(node.name for node in nodes if isinstance(node, Sym)),
        Counter(node.value for node in nodes if isinstance(node, Num)),
    )
