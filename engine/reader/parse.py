"""Tokens to a tree: sums, products (written or implied), powers, functions, units.

A recursive descent of five levels. Names are either units and counts (a numeric question) or the symbols of a
formula (a symbolic one); ``names`` decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from engine import units
from engine.reader import words
from engine.reader.errors import ReadError
from engine.reader.tokens import Token
from engine.tree import FUNCTIONS, Bin, Call, Neg, Num, Qty, Sym, Tree

_FUNCTIONS = {**{name: name for name in FUNCTIONS}, "ceiling": "ceil"}


class Names:
    """What the words of a text may name.

    Args:
        symbols: accepted spelling -> symbol. ``None`` takes every identifier as a symbol (formula texts).
        units: whether words may be units.
    """

    def __init__(self, symbols: Mapping[str, str] | None = None, *, units: bool = True) -> None:
        self.any = symbols is None and not units
        self.symbols = symbols or {}
        self.units = units
        self._longest = sorted(self.symbols, key=len, reverse=True)

    def symbol(self, word: str) -> str | None:
        """The symbol that a whole word names."""
        if self.any:
            return word
        return self.symbols.get(word) or self.symbols.get(word.lower())

    def split(self, word: str) -> list[str] | None:
        """The symbols of glued names ("BSLd_model"), longest known name first, or ``None``."""
        found: list[str] = []
        while word:
            name = next((n for n in self._longest if word.startswith(n)), None)
            if name is None:
                return None
            found.append(self.symbols[name])
            word = word[len(name) :]
        return found


class Parser:
    """One pass over the tokens of one text."""

    def __init__(self, tokens: Sequence[Token], names: Names) -> None:
        self.tokens = tokens
        self.names = names
        self.at = 0

    def whole(self) -> Tree:
        """The tree of all tokens. Raises ``ReadError`` where they stop making sense."""
        tree = self.sum()
        left = self.peek
        if left.kind != "end":
            raise _unexpected(left, after=True)
        return tree

    @property
    def peek(self) -> Token:
        """The next token."""
        return self.tokens[self.at]

    def take(self) -> Token:
        """The next token, consumed."""
        token = self.tokens[self.at]
        self.at += token.kind != "end"
        return token

    def sign(self, *texts: str) -> str | None:
        """Consume the next token when it is one of these signs."""
        token = self.peek
        if token.kind == "sign" and token.text in texts:
            self.at += 1
            return token.text
        return None

    # one method a level, loosest first

    def sum(self) -> Tree:
        """``term + term - term``; a unit on the last term holds for bare terms before it."""
        terms: list[tuple[str, Tree]] = [("+", self.product())]
        while op := self.sign("+", "-"):
            terms.append((op, self.product()))
        return _join_sum(_spread_unit(terms))

    def product(self) -> Tree:
        """Factors joined by ``* /`` or standing side by side; a unit behind them holds for the whole product."""
        left = self.signed()
        while True:
            token = self.peek
            unit = self._unit_here()
            if unit is not None:
                left = _attach(left, unit, token)
            elif op := self.sign("*", "/", "//", ":"):
                right = self.signed()
                if op == "*" and has_unit(left) and has_unit(right):
                    raise ReadError("unit-twice", token.start, self.peek.start, unit=token.text)
                left = Bin("/" if op == ":" else op, left, right)
            elif self._is_times():
                self.take()
                left = Bin("*", left, self.signed())
            elif self._implied(token):
                if has_unit(left):  # "1.07 GB (1 GiB)" says a value twice, it does not multiply
                    raise ReadError("two-values", token.start, token.end, word=token.text)
                left = Bin("*", left, self.power())
            else:
                return left

    def signed(self) -> Tree:
        """A factor with any number of signs before it."""
        negative = False
        while op := self.sign("+", "-"):
            negative ^= op == "-"
        tree = self.power()
        return Neg(tree) if negative else tree

    def power(self) -> Tree:
        """``base ^ power``, from the right."""
        base = self.atom()
        if self.sign("^", "**"):
            return Bin("^", base, self.signed())
        return base

    def atom(self) -> Tree:
        """A number, a name, a function or a bracket."""
        token = self.take()
        if token.kind == "number":
            return self._scaled(Num(token.value, token.text))
        if token.kind == "sign" and token.text == "(":
            inside = self.sum()
            if not self.sign(")"):
                raise ReadError("unclosed", token.start, token.end)
            return inside
        if token.kind == "word":
            return self._name(token)
        raise _unexpected(token)

    def _scaled(self, number: Num) -> Tree:
        """A number with the words that multiply it: 107.4 crore, 2 lakh crore, 94.1 %."""
        tree: Tree = number
        while self.peek.kind == "word" and (times := words.MULTIPLIERS.get(self.peek.text.lower())):
            self.take()
            tree = Bin("*", tree, Num(Fraction(times), str(times)))
        return tree

    def _name(self, token: Token) -> Tree:
        lower = token.text.lower()
        if lower in _FUNCTIONS and self.sign("("):
            inside = self.sum()
            if not self.sign(")"):
                raise ReadError("unclosed", token.start, token.end)
            return Call(_FUNCTIONS[lower], inside)
        symbol = self.names.symbol(token.text)
        if symbol is not None:
            return Sym(symbol)
        glued = self.names.split(token.text)
        if glued:
            tree: Tree = Sym(glued[0])
            for name in glued[1:]:
                tree = Bin("*", tree, Sym(name))
            return tree
        if lower == "x" and self.names.units and self.peek.kind == "number":  # "x17" is "17x"
            return Qty(self.power(), "x", Fraction(1))
        if lower in words.SPOKEN:
            return self._scaled(Num(words.SPOKEN[lower], lower))  # "dedh lakh"
        raise unknown_word(token, self.names)

    def _unit_here(self) -> units.Unit | None:
        """The unit that the next tokens name, consumed; also units of two words ("giga bytes")."""
        token = self.peek
        if token.kind == "sign" and token.text == "%":
            self.take()
            if self.peek.text == "%":
                raise ReadError("percent-double", token.start, self.peek.end)
            return units.get("%")
        if token.kind != "word" or not self.names.units or self.names.symbol(token.text):
            return None
        if self._is_times():
            return None
        following = self.tokens[self.at + 1]
        if following.kind == "word" and (unit := units.find(f"{token.text} {following.text}")):
            self.at += 2
            return unit
        if unit := units.find(token.text):
            self.at += 1
            return unit
        if units.is_unclear(token.text):
            raise ReadError("unit-unclear", token.start, token.end, unit=token.text)
        return None

    def _is_times(self) -> bool:
        """Whether the next word is an x that multiplies: something to multiply must follow."""
        token = self.peek
        if token.kind != "word" or token.text not in ("x", "X") or self.names.symbol(token.text):
            return False
        after = self.tokens[self.at + 1]
        return after.kind in ("number", "word") or after.text in ("(", "-", "+")

    def _implied(self, token: Token) -> bool:
        """Whether the next token begins a factor without a sign: a name, a bracket, or a number after a name."""
        if token.kind == "sign":
            return token.text == "("
        if token.kind == "word":
            symbolic = bool(self.names.symbols) or self.names.any
            return symbolic or token.text.lower() in _FUNCTIONS
        return False


def unknown_word(token: Token, names: Names) -> ReadError:
    """The reason why a word cannot be read: code, no finite number, an unknown symbol, unit or word."""
    lower = token.text.lower().strip("'")
    if lower in words.CODE or "__" in lower:
        return ReadError("code", token.start, token.end, word=token.text)
    if lower in words.NOT_FINITE:
        return ReadError("not-finite", token.start, token.end, word=token.text)
    if names.symbols:
        known = ", ".join(dict.fromkeys(names.symbols.values()))
        return ReadError("unknown-symbol", token.start, token.end, word=token.text, symbols=known)
    if units.is_unclear(token.text):
        return ReadError("unit-unclear", token.start, token.end, unit=token.text)
    return ReadError("unknown-word", token.start, token.end, word=token.text)


def _unexpected(token: Token, after: bool = False) -> ReadError:
    if token.kind == "end":
        return ReadError("syntax", max(token.start - 1, 0), token.end, position=str(token.start), found="")
    if after and token.kind == "number":
        return ReadError("two-values", token.start, token.end)
    return ReadError("syntax", token.start, token.end, position=str(token.start + 1), found=token.text)


def has_unit(tree: Tree) -> bool:
    """Whether a unit stands anywhere in a tree."""
    if isinstance(tree, Qty):
        return True
    match tree:
        case Bin(_, left, right):
            return has_unit(left) or has_unit(right)
        case Neg(arg) | Call(_, arg):
            return has_unit(arg)
    return False


def _attach(left: Tree, unit: units.Unit, token: Token) -> Tree:
    """Put a unit on the whole product, or on its last factor when the product has one already."""
    name = next(key for key, value in units.UNITS.items() if value == unit)
    if not has_unit(left):
        return Qty(left, name, unit.factor)
    if isinstance(left, Bin) and left.op == "/" and not has_unit(left.right):
        return Bin(left.op, left.left, Qty(left.right, name, unit.factor))
    raise ReadError("unit-twice", token.start, token.end, unit=token.text)


def _spread_unit(terms: list[tuple[str, Tree]]) -> list[tuple[str, Tree]]:
    """Give the bare terms of a sum the unit of its last term: ``53.687 + 6.5 GB`` are both GB."""
    last = terms[-1][1]
    if not isinstance(last, Qty) or len(terms) == 1 or any(has_unit(term) for _, term in terms[:-1]):
        return terms
    return [(op, term if isinstance(term, Qty) else Qty(term, last.unit, last.factor)) for op, term in terms]


def _join_sum(terms: list[tuple[str, Tree]]) -> Tree:
    tree = terms[0][1]
    for op, term in terms[1:]:
        tree = Bin(op, tree, term)
    return tree
