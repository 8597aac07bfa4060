"""The registry: formulas by name, references expanded, values exact.

The multi-head case needs no second formula: given ``d_model`` in place of ``n_kv_heads`` and ``d_head``, the product
of the two is written as ``d_model`` (n_kv_heads * d_head = d_model).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

from engine.compiled import Numbers, compiled
from engine.formulas.symbols import SYMBOLS
from engine.reader.read import formula_tree
from engine.tree import (
    Bin,
    EvalError,
    Num,
    Sym,
    Tree,
    factors,
    number,
    product,
    rebuild,
    substitute,
    symbols,
    walk,
)

Value = int | float | str | Fraction
Given = Mapping[str, Value]


class Formula(NamedTuple):
    """One formula.

    Attributes:
        name: its id.
        tree: its expression as declared, references to other formulas unexpanded.
        unit: canonical unit that a result is shown in by default; the value itself is in base units.
        source: where it comes from.
    """

    name: str
    tree: Tree
    unit: str
    source: str


class FormulaError(Exception):
    """A formula cannot be used so. ``reason``: unknown-formula, missing-symbol, unknown-symbol, bad-value or an
    evaluation's reason; ``params`` fill its sentence."""

    def __init__(self, reason: str, **params: str) -> None:
        super().__init__(reason, params)
        self.reason = reason
        self.params = params


_FORMULAS: dict[str, tuple[str, Mapping[str, Value], str, str]] = {}
_MHA = ("n_kv_heads", "d_head")


def declare(name: str, text: str, unit: str, source: str) -> None:
    """Register a formula by its text."""
    _register(name, (text, {}, unit, source))


def derive(name: str, base: str, **fixed: Value) -> None:
    """Register ``base`` with symbols fixed to numbers or renamed to other symbols."""
    _, _, unit, source = _FORMULAS[base]
    _register(name, (base, fixed, unit, source))


def _register(name: str, entry: tuple[str, Mapping[str, Value], str, str]) -> None:
    if name in _FORMULAS or name in SYMBOLS:
        raise ValueError(f"the name {name} is taken")
    _FORMULAS[name] = entry


def _load() -> dict[str, tuple[str, Mapping[str, Value], str, str]]:
    if not _FORMULAS:
        from engine.formulas import declared  # noqa: F401  fills the table; here, since declared imports this module
    return _FORMULAS


def names() -> tuple[str, ...]:
    """All formula names, in the order of declaration."""
    return tuple(_load())


def is_formula(name: str) -> bool:
    """Whether a formula of this name is registered."""
    return name in _load()


@cache
def get(name: str) -> Formula:
    """The formula of a name.

    Raises:
        FormulaError: unknown-formula, with the closest names.
    """
    table = _load()
    if name not in table:
        import difflib  # only a wrong name needs it

        close = difflib.get_close_matches(name, table, n=3)
        raise FormulaError("unknown-formula", name=name, close=", ".join(close))
    text, fixed, unit, source = table[name]
    if not fixed:
        return Formula(name, formula_tree(text), unit, source)
    if renames(name):
        return Formula(name, substitute(get(text).tree, renames(name)), unit, source)
    return Formula(name, _fix(expanded(text), fixed), unit, source)


def renames(name: str) -> dict[str, Tree]:
    """The formulas that a derived formula puts in the place of those its base refers to; empty for every other one."""
    fixed = _load()[name][1]
    return {old: Sym(str(new)) for old, new in fixed.items() if old in _FORMULAS}


def _fix(tree: Tree, fixed: Mapping[str, Value]) -> Tree:
    """``tree`` with symbols fixed; a factor that became 1 is left out."""
    put: dict[str, Tree] = {}
    for name, value in fixed.items():
        put[name] = Sym(value) if isinstance(value, str) and value in SYMBOLS else number(exact(name, value))
    return rebuild(substitute(tree, put), _drop_ones)


def _drop_ones(node: Tree) -> Tree | None:
    if not (isinstance(node, Bin) and node.op == "*"):
        return None
    kept = tuple(f for f in factors(node) if not (isinstance(f, Num) and f.value == 1))
    return product(kept) if len(kept) < len(factors(node)) else None


@cache
def expanded(name: str) -> Tree:
    """The tree of a formula with every reference replaced by what it stands for."""
    tree = get(name).tree
    return substitute(tree, {ref: expanded(ref) for ref in references(name)})


@cache
def references(name: str) -> tuple[str, ...]:
    """The formulas that a formula names, in order of appearance."""
    return tuple(ref for ref in symbols(get(name).tree) if ref in _FORMULAS)


@cache
def all_references(name: str) -> tuple[str, ...]:
    """The formulas below a formula, the deepest first, each once."""
    found: list[str] = []
    for ref in references(name):
        found += [*all_references(ref), ref]
    return tuple(dict.fromkeys(found))


def base(name: str) -> tuple[str, Mapping[str, Value]] | None:
    """The formula that a derived one fixes symbols of, and which; ``None`` for a declared formula."""
    text, fixed, _, _ = _load()[name]
    return (text, fixed) if fixed else None


def fix(tree: Tree, fixed: Mapping[str, Value]) -> Tree:
    """A tree with symbols fixed to numbers or renamed, as :func:`derive` does."""
    return _fix(tree, fixed)


def multi_head(tree: Tree, given: Iterable[str]) -> Tree:
    """``tree`` with n_kv_heads*d_head written as d_model when only d_model is given."""
    known = set(given)
    if "d_model" not in known or known & set(_MHA):
        return tree
    if not any(isinstance(node, Sym) and node.name == _MHA[0] for node in walk(tree)):
        return tree
    return rebuild(tree, _join_heads)


def step(name: str, given: Iterable[str]) -> Tree:
    """The tree of a formula as declared, references unexpanded, in the case that the given symbols imply."""
    known = set(given)
    return _declared(name, "d_model" in known and not known & set(_MHA))


@cache
def _declared(name: str, joined: bool) -> Tree:
    return multi_head(get(name).tree, ("d_model",)) if joined else get(name).tree


def _join_heads(node: Tree) -> Tree | None:
    if not (isinstance(node, Bin) and node.op == "*"):
        return None
    parts = factors(node)
    heads, width = Sym(_MHA[0]), Sym(_MHA[1])
    if heads not in parts or width not in parts:
        return None
    return product(tuple(Sym("d_model") if f == heads else f for f in parts if f != width))


_FEW_DIGITS = 10**60
_EXACT = r"[+-]?(\d{1,60}(\.\d{0,60})?|\.\d{1,60})(e[+-]?\d{1,3})?(/\d{1,60})?"
"""Kept as text: `re` compiles it when the first number is given as one."""


def exact(name: str, value: Value) -> Fraction:
    """A given value as an exact number: 0.5, "80e9" and "1/2" are what they look like.

    Raises:
        FormulaError: bad-value; also for exponents of more than three digits, before any power is computed.
    """
    if isinstance(value, Fraction):
        return value
    if type(value) is int and abs(value) < _FEW_DIGITS:
        return Fraction(value)
    text = str(value).strip().replace("_", "")
    try:
        if not re.fullmatch(_EXACT, text, re.IGNORECASE):
            raise ValueError(text)
        top, _, bottom = text.partition("/")
        return Fraction(top) / Fraction(bottom or 1)
    except (ValueError, ZeroDivisionError):
        raise FormulaError("bad-value", name=name, value=text[:40]) from None


def _number(name: str, value: Value) -> Fraction | int:
    """The same, a whole number as it is."""
    return value if type(value) is int and -_FEW_DIGITS < value < _FEW_DIGITS else exact(name, value)


def values(given: Given) -> dict[str, Fraction]:
    """Given values as exact numbers."""
    return {name: exact(name, value) for name, value in given.items()}


def needed(name: str, given: Iterable[str] = ()) -> tuple[str, ...]:
    """The symbols that a formula needs, in order of appearance; the multi-head case when ``given`` implies it."""
    return symbols(multi_head(expanded(name), given))


def result(name: str, given: Given, overrides: Mapping[str, Fraction] | None = None) -> Fraction:
    """The exact value of a formula, in base units.

    Args:
        name: the formula.
        given: values of its symbols; more than it needs do no harm.
        overrides: values that stand in for formulas it refers to (a learner's own earlier result).

    Raises:
        FormulaError: an unknown name, a missing symbol, or no value (division by zero, too large).
    """
    known = {symbol: value if type(value) is Fraction else _number(symbol, value) for symbol, value in given.items()}
    try:
        if overrides is None and "d_model" not in known:
            return _plain(name)(known)
        joined = "d_model" in known and not any(part in known for part in _MHA)
        function = _function(name, joined, tuple(overrides or ()))
        return function({**known, **overrides} if overrides else known)
    except EvalError as error:
        if error.reason == "unknown-symbol":
            raise FormulaError("missing-symbol", name=name, symbol=error.name) from None
        raise FormulaError(error.reason, name=name) from None


@cache
def _plain(name: str) -> Callable[[Numbers], Fraction]:
    """A formula as a function of its symbols alone: what is asked for again and again."""
    return compiled(expanded(name))


@lru_cache(maxsize=1024)  # each formula in the few cases that it is asked for in
def _function(name: str, joined: bool, overrides: tuple[str, ...]) -> Callable[[Numbers], Fraction]:
    """A formula as a function of its symbols, and of formulas below it that have a value of their own."""
    tree = expand_with(name, {ref: Sym(ref) for ref in overrides}) if overrides else expanded(name)
    return compiled(multi_head(tree, ("d_model",)) if joined else tree)


def expand_with(name: str, instead: Mapping[str, Tree]) -> Tree:
    """The expanded tree of a formula in which some of the formulas below it are other trees."""
    tree = get(name).tree
    return substitute(
        tree, {ref: instead[ref] if ref in instead else expand_with(ref, instead) for ref in references(name)}
    )
