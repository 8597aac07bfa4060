"""Expression trees: what a reader makes of a text, whether a learner typed it or a formula declares it.

A tree is plain data. Evaluating one costs a bounded amount: numbers stay under :data:`MAX_BITS` and are refused
before they are computed, so ``9**9**9**9`` is an error message and not a hang.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

MAX_BITS = 4096
"""The largest numerator or denominator, in bits, that an evaluation may build."""


class Num(NamedTuple):
    """A number. ``text`` is how it was written, for printing and for counting the typed digits."""

    value: Fraction
    text: str = ""


class Sym(NamedTuple):
    """A name: a symbol of a formula, or the name of another formula."""

    name: str


class Neg(NamedTuple):
    """A minus sign before ``arg``."""

    arg: "Tree"


class Bin(NamedTuple):
    """``left op right`` with op one of ``+ - * / ^ //``."""

    op: str
    left: "Tree"
    right: "Tree"


class Call(NamedTuple):
    """A function of :data:`FUNCTIONS` applied to one argument."""

    name: str
    arg: "Tree"


class Qty(NamedTuple):
    """A number or expression with a unit behind it; ``factor`` is base units per unit."""

    arg: "Tree"
    unit: str
    factor: Fraction


Tree = Num | Sym | Neg | Bin | Call | Qty


class EvalError(Exception):
    """A tree has no value. ``reason`` is an id: division-by-zero, too-large, unknown-symbol or not-finite."""

    def __init__(self, reason: str, name: str = "") -> None:
        super().__init__(reason, name)
        self.reason = reason
        self.name = name


def floor(value: Fraction) -> Fraction:
    """The largest whole number not above ``value``."""
    return Fraction(value.numerator // value.denominator)


def ceil(value: Fraction) -> Fraction:
    """The smallest whole number not below ``value``."""
    return -floor(-value)


def nearest(value: Fraction) -> Fraction:
    """The nearest whole number, halves away from zero."""
    half = Fraction(1, 2)
    return floor(value + half) if value >= 0 else ceil(value - half)


FUNCTIONS: Mapping[str, Callable[[Fraction], Fraction]] = {
    "floor": floor,
    "ceil": ceil,
    "round": nearest,
    "int": lambda value: floor(value) if value >= 0 else ceil(value),
    "abs": abs,
}
"""The functions a tree may call."""


def number(value: int | str | Fraction) -> Num:
    """A number node made from an exact value."""
    exact = Fraction(value)
    return Num(exact, str(exact))


def evaluate(tree: Tree, values: Mapping[str, Fraction] | None = None) -> Fraction:
    """The exact value of a tree, with ``values`` for its symbols.

    Raises:
        EvalError: division by zero, a number above :data:`MAX_BITS`, or a symbol without a value.
    """
    if isinstance(tree, Bin):  # the most frequent first: a slip is looked for in thousands of nodes
        return _combine(tree.op, evaluate(tree.left, values), evaluate(tree.right, values))
    if isinstance(tree, Sym):
        if values is None or tree.name not in values:
            raise EvalError("unknown-symbol", tree.name)
        return values[tree.name]
    match tree:
        case Num(value):
            return value
        case Neg(arg):
            return -evaluate(arg, values)
        case Qty(arg, _, factor):
            return evaluate(arg, values) * factor
        case Call(name, arg):
            return FUNCTIONS[name](evaluate(arg, values))


def _combine(op: str, left: Fraction, right: Fraction) -> Fraction:
    if op == "^":
        return _power(left, right)
    if op in ("/", "//") and right == 0:
        raise EvalError("division-by-zero")
    if _bits(left) + _bits(right) > MAX_BITS:
        raise EvalError("too-large")
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "//":
            return floor(left / right)
        case _:
            return left / right


def _power(base: Fraction, power: Fraction) -> Fraction:
    """``base ** power`` for whole powers; other powers have no exact value in general and are refused."""
    if power.denominator != 1:
        raise EvalError("not-finite")
    if base == 0 and power < 0:
        raise EvalError("division-by-zero")
    if base in (0, 1, -1):
        return base ** (power.numerator % 2 or 2) if power else Fraction(1)
    if _bits(base) * abs(power.numerator) > MAX_BITS:
        raise EvalError("too-large")
    return base**power.numerator


def _bits(value: Fraction) -> int:
    top, bottom = value.as_integer_ratio()
    return max(top.bit_length(), bottom.bit_length())


def children(tree: Tree) -> tuple[Tree, ...]:
    """The direct parts of a node."""
    match tree:
        case Bin(_, left, right):
            return left, right
        case Neg(arg) | Call(_, arg) | Qty(arg, _, _):
            return (arg,)
    return ()


def walk(tree: Tree) -> Iterator[Tree]:
    """Every node, a parent before its parts."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        # as `children` says it; a formula is walked thousands of times, and asking for the type is quickest
        if isinstance(node, Bin):
            todo += (node.right, node.left)
        elif not isinstance(node, Sym | Num):
            todo.append(node.arg)


def symbols(tree: Tree) -> tuple[str, ...]:
    """The names in a tree, each once, in order of appearance."""
    return tuple(dict.fromkeys(node.name for node in walk(tree) if isinstance(node, Sym)))


def rebuild(tree: Tree, change: Callable[[Tree], Tree | None]) -> Tree:
    """A copy in which every node that ``change`` maps to a tree is replaced by it, from the top down."""
    new = change(tree)
    if new is not None:
        return new
    match tree:
        case Bin(op, left, right):
            return Bin(op, rebuild(left, change), rebuild(right, change))
        case Neg(arg):
            return Neg(rebuild(arg, change))
        case Call(name, arg):
            return Call(name, rebuild(arg, change))
        case Qty(arg, unit, factor):
            return Qty(rebuild(arg, change), unit, factor)
    return tree


def substitute(tree: Tree, replacements: Mapping[str, Tree]) -> Tree:
    """A copy with symbols replaced by trees; the tree itself where there is nothing to replace."""
    if not replacements:
        return tree
    return rebuild(tree, lambda node: replacements.get(node.name) if isinstance(node, Sym) else None)


def factors(tree: Tree) -> tuple[Tree, ...]:
    """The factors of a product, flattened; a tree that is no product is its only factor."""
    if isinstance(tree, Bin) and tree.op == "*":
        return factors(tree.left) + factors(tree.right)
    return (tree,)


def product(parts: tuple[Tree, ...]) -> Tree:
    """The product of ``parts``, or 1 when there are none."""
    result: Tree | None = None
    for part in parts:
        result = part if result is None else Bin("*", result, part)
    return result if result is not None else number(1)


# --- printing -----------------------------------------------------------------------------------------------------

_RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "^": 4}
_SIGNS = {"*": " · ", "/": " / ", "//": " // ", "+": " + ", "-": " − "}


def text(tree: Tree, name: Callable[[str], str] = str, plain: bool = False) -> str:
    """A tree as readers write it: ``2 · B · S``; with ``plain`` as they type it: ``2*B*S``.

    ``name`` prints a symbol, so that the same walk prints symbols or the numbers put in their place.
    """
    return _text(tree, name, plain, 0)


def _text(tree: Tree, name: Callable[[str], str], plain: bool, outer: int) -> str:
    match tree:
        case Num(value, written):
            return written or str(value)
        case Sym(symbol):
            return name(symbol)
        case Qty(arg, unit, _):
            return f"{_text(arg, name, plain, 3)} {unit}"
        case Call(function, arg):
            return _call_text(function, _text(arg, name, plain, 0), plain)
        case Neg(arg):
            return _wrap(("-" if plain else "−") + _text(arg, name, plain, 3), 1, outer)
        case Bin(op, left, right):
            rank = _RANK[op]
            sign = op if plain or op == "^" else _SIGNS[op]
            written = (
                _text(left, name, plain, rank + (op == "^")) + sign + _text(right, name, plain, rank + (op in "-/"))
            )
            return _wrap(written, rank, outer)


def _call_text(function: str, arg: str, plain: bool) -> str:
    if not plain and function in ("floor", "ceil"):
        return f"⌊{arg}⌋" if function == "floor" else f"⌈{arg}⌉"
    return f"{function}({arg})"


def _wrap(written: str, rank: int, outer: int) -> str:
    return f"({written})" if rank < outer else written
