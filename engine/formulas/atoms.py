"""What a quotient of sums cannot open: roundings, and powers with symbols in their exponents.

Each gets a name in the formula, and two that are one function, however written, get one name.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from engine.formulas.monomial import MAX_POWER
from engine.tree import Bin, Call, Neg, Num, Qty, Sym, Tree, children, factors, number, product

Atom = Call | Bin


class Atoms:
    """The atoms met so far; ``same`` says whether two trees without atoms are one function."""

    def __init__(self, same: Callable[[Tree, Tree], bool]) -> None:
        self.known: list[Atom] = []
        self.same = same

    def closed(self, tree: Tree) -> Tree:
        """A tree with a name in the place of each atom."""
        parts = tuple(self.closed(part) for part in children(tree))
        match tree:
            case Call(name, _):
                return self._named(Call(name, parts[0]))
            case Bin("//", _, _):
                return self._named(Call("floor", Bin("/", *parts)))
            case Bin("^", _, power) if not isinstance(power, Num):
                return self._power(parts[0], parts[1])
            case Bin(op, _, _):
                return Bin(op, *parts)
            case Neg(_):
                return Neg(*parts)
            case Qty(_, unit, factor):
                return Qty(parts[0], unit, factor)
            case _:
                return tree

    def _power(self, base: Tree, power: Tree) -> Tree:
        """2^(3*b - 1) as (2^b)^3 / 2, so that only 2^b is an atom; 4^b as 2^(2*b)."""
        root, times = _root(base)
        made: list[Tree] = []
        for sign, term in _terms(power, times):
            count, rest = _coefficient(term)
            if rest is None:
                made.append(Bin("^", root, Num(sign * count)))
            elif count.denominator == 1 and abs(count) <= MAX_POWER:
                made.append(Bin("^", self._named(Bin("^", root, rest)), Num(sign * count)))
            else:
                made.append(Bin("^", self._named(Bin("^", root, term)), Num(Fraction(sign))))
        return product(tuple(made))

    def _named(self, atom: Atom) -> Tree:
        for place, other in enumerate(self.known):
            if type(other) is type(atom) and other[0] == atom[0] and all(map(self.same, other[1:], atom[1:])):
                return Sym(f"@{place}")
        self.known.append(atom)
        return Sym(f"@{len(self.known) - 1}")


def _root(base: Tree) -> tuple[Tree, int]:
    """A whole number as a power of the smallest one it is a power of; any other base as its first power."""
    if isinstance(base, Num) and base.value.denominator == 1 and 1 < base.value < 2**64:
        for times in range(63, 1, -1):
            root = round(float(base.value) ** (1 / times))
            if root**times == base.value:
                return number(root), times
    return base, 1


def _terms(tree: Tree, times: int) -> list[tuple[int, Tree]]:
    """The terms of a sum with their signs, each taken so many times."""
    match tree:
        case Bin("+", left, right):
            return _terms(left, times) + _terms(right, times)
        case Bin("-", left, right):
            return _terms(left, times) + [(-sign, term) for sign, term in _terms(right, times)]
        case Neg(arg):
            return [(-sign, term) for sign, term in _terms(arg, times)]
    return [(1, tree if times == 1 else Bin("*", number(times), tree))]


def _coefficient(term: Tree) -> tuple[Fraction, Tree | None]:
    """A term as a number times the rest; of a number there is no rest."""
    flat = [part for one in factors(term) for part in factors(_as_product(one))]
    value = Fraction(1)
    for part in flat:
        value *= part.value if isinstance(part, Num) else 1
    rest = tuple(part for part in flat if not isinstance(part, Num))
    return value, product(rest) if rest else None


def _as_product(tree: Tree) -> Tree:
    """b/2 as 1/2 * b."""
    match tree:
        case Bin("/", left, Num(value)) if value:
            return Bin("*", number(1 / value), left)
    return tree
