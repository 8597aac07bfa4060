"""The equality of formulas, and formulas for sympy: trees that we built, never text.

The only module that imports sympy, and only when called. Before sympy sees two trees their size is known: how many
terms they can expand to, to which degree, with numbers of how many bits. Above the bounds it is not asked at all, so
that no formula takes long and no clock is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from engine.formulas import points
from engine.formulas.atoms import Atoms
from engine.formulas.monomial import monomial
from engine.formulas.size import size
from engine.tree import Bin, Call, EvalError, Neg, Num, Qty, Sym, Tree, children, evaluate, symbols, walk

if TYPE_CHECKING:
    import sympy

MAX_NODES, MAX_ROOT_TERMS = 40, 12
"""The largest trees that sympy may simplify, which it does only for roots."""


def folded(tree: Tree) -> Tree:
    """A tree with every part that holds no symbol worked out, by our own bounded arithmetic.

    Raises:
        EvalError: such a part has no value, or one too large to work out.
    """
    parts = tuple(map(folded, children(tree)))
    match tree:
        case Bin(op, _, _):
            made: Tree = Bin(op, *parts)
        case Call(name, _):
            made = Call(name, *parts)
        case Qty(_, unit, factor):
            made = Qty(parts[0], unit, factor)
        case Neg(_):
            made = Neg(*parts)
        case _:
            return tree
    if not all(isinstance(part, Num) for part in parts) or _is_root(made):
        return made
    return Num(evaluate(made))


def _is_root(tree: Tree) -> bool:
    """Whether a tree is a root: it has no exact value and stays as it is, yet sympy can compare it."""
    match tree:
        case Bin("^", _, Num(power)):
            return power.denominator != 1
    return False


def equal(one: Tree, other: Tree) -> bool:
    """Whether two trees are the same function of their symbols.

    Points refute, which is a proof; then sympy decides what is made of sums, products, quotients and whole powers, and
    may confirm what has symbols in exponents, roots or roundings. Only what sympy cannot decide (floor((n + k - 1)/k)
    for whole n and k; a tree too large to expand) is settled by many more points, drawn from the two trees themselves.
    """
    if one == other:
        return True
    if points.refuted(one, other):
        return False
    said = decided(one, other)
    return points.agree(one, other) if said is None else said


def decided(one: Tree, other: Tree) -> bool | None:
    """Whether two trees are the same function, as far as sympy can tell.

    Returns:
        True or False for quotients of sums: a proof either way. Where powers of symbols, roots or roundings stand,
        True is a proof and ``None`` says that none was found. ``None`` also for trees too large to expand.
    """
    try:
        left, right = folded(one), folded(other)
    except EvalError:
        return None
    products = monomial(left), monomial(right)
    if products[0] is not None and products[1] is not None:
        return products[0] == products[1]  # as most answers are; sympy would have to be loaded first
    sizes = size(left), size(right)
    if any(not found.bounded for found in (*sizes, sizes[0].over(sizes[1]))):
        return None
    atoms = Atoms(_same_inside)
    left, right = atoms.closed(left), atoms.closed(right)
    if _rational(left) and _rational(right):
        return _equal_quotients(left, right) or (None if atoms.known else False)
    return None if atoms.known else _simplified(left, right)


# --- quotients of sums: decided ---------------------------------------------------------------------------------------


def _rational(tree: Tree) -> bool:
    """Whether a tree is made of sums, products, quotients and whole powers alone."""
    return all(_plain(node) for node in walk(tree))


def _plain(node: Tree) -> bool:
    match node:
        case Call() | Bin("//", _, _):
            return False
        case Bin("^", _, power):
            return isinstance(power, Num) and power.value.denominator == 1
    return True


def _same_inside(one: Tree, other: Tree) -> bool:
    return one == other or (_rational(one) and _rational(other) and _equal_quotients(one, other))


def _equal_quotients(one: Tree, other: Tree) -> bool:
    """a/b = c/d exactly when a*d = c*b, worked out in sympy's ring of polynomials with whole coefficients."""
    names = tuple(sorted({*symbols(one), *symbols(other)}))
    ring, numbers = _ring(names)
    try:
        above, below = _quotient(one, ring, numbers)
        top, bottom = _quotient(other, ring, numbers)
    except ZeroDivisionError:
        return False
    return bool(above * bottom == top * below)


@lru_cache(maxsize=64)
def _ring(names: tuple[str, ...]) -> tuple[Any, Mapping[str, Any]]:
    """The ring of polynomials in some symbols, and each symbol as one of them."""
    from sympy import ZZ
    from sympy.polys.rings import PolyRing

    made = PolyRing(names or ("one",), ZZ)
    return made, dict(zip(names, made.gens, strict=False))


def _quotient(tree: Tree, ring: Any, numbers: Mapping[str, Any]) -> tuple[Any, Any]:
    """A tree as numerator and denominator. Raises ``ZeroDivisionError`` for a denominator that is nought."""
    match tree:
        case Num(value):
            return ring(value.numerator), ring(value.denominator)
        case Sym(name):
            return numbers[name], ring(1)
        case Neg(arg):
            above, below = _quotient(arg, ring, numbers)
            return -above, below
        case Qty(arg, _, factor):
            return _quotient(Bin("*", arg, Num(factor)), ring, numbers)
        case Bin("^", base, Num(value)):
            above, below = _quotient(base, ring, numbers)
            if value == 0:
                return ring(1), ring(1)  # also of nought, as our own arithmetic has it
            if value < 0:
                above, below = _over(ring(1), ring(1), above, below)
            return above ** abs(int(value)), below ** abs(int(value))
        case Bin(op, left, right):
            (a, b), (c, d) = _quotient(left, ring, numbers), _quotient(right, ring, numbers)
            if op in "+-":
                return _sum(a, b, c if op == "+" else -c, d)
            return (a * c, b * d) if op == "*" else _over(a, b, c, d)
    raise TypeError(tree)


def _sum(a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any]:
    return (a + c, b) if b == d else (a * d + c * b, b * d)


def _over(a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any]:
    """a/b divided by c/d."""
    if not c:
        raise ZeroDivisionError
    return a * d, b * c


# --- roots: confirmed ----------------------------------------------------------------------------------


def _simplified(one: Tree, other: Tree) -> bool | None:
    """True when sympy finds no difference; it can fail to see that two trees with roots are the same."""
    import sympy

    nodes = [node for tree in (one, other) for node in walk(tree)]
    if len(nodes) > MAX_NODES or max(size(one).above, size(other).above) > MAX_ROOT_TERMS:
        return None
    return True if sympy.simplify(sympy.expand(expression(one) - expression(other))) == 0 else None


def expression(tree: Tree) -> sympy.Expr:
    """A tree as a sympy expression over positive symbols (counts and sizes are positive)."""
    import sympy

    match tree:
        case Num(value):
            return sympy.Rational(value.numerator, value.denominator)
        case Sym(name):
            return sympy.Symbol(name, positive=True)
        case Neg(arg):
            return -expression(arg)
        case Qty(arg, _, factor):
            return expression(arg) * sympy.Rational(factor.numerator, factor.denominator)
        case Call(name, arg):
            return _function(name, expression(arg))
        case Bin(op, left, right):
            return _operation(op, expression(left), expression(right))


def _function(name: str, arg: sympy.Expr) -> sympy.Expr:
    import sympy

    table = {
        "floor": sympy.floor,
        "int": lambda value: sympy.sign(value) * sympy.floor(sympy.Abs(value)),
        "ceil": sympy.ceiling,
        "abs": sympy.Abs,
        "round": lambda value: sympy.sign(value) * sympy.floor(sympy.Abs(value) + sympy.Rational(1, 2)),
    }
    return table[name](arg)


def _operation(op: str, left: sympy.Expr, right: sympy.Expr) -> sympy.Expr:
    import sympy

    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right
        case "//":
            return sympy.floor(left / right)
        case _:
            return left**right
