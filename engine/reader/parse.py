"""Tokens to a tree: sums, products (written or implied), powers, functions, units.

A recursive descent of five levels. Names are either units and counts (a numeric question) or the symbols of a
formula (a symbolic one); ``names`` decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from engine import units
from engine.reader import words
from engine.reader.attach import attach, has_unit, join_sum, spread_unit
from engine.reader.errors import ReadError
from engine.reader.names import Names
from engine.reader.tokens import Token
from engine.reader.unread import unexpected, unknown_word
from engine.tree import FUNCTIONS, Bin, Call, Neg, Num, Qty, Sym, Tree, symbols

_FUNCTIONS = {**{name: name for name in FUNCTIONS}, "ceiling": "ceil", "trunc": "int", "roundup": "ceil"}
COMPUTED = frozenset(("sqrt", "log2", "log10", "min", "max", "round"))
"""Functions that :mod:`engine.reader.computed` works out at once; a tree has none for them."""
FUNCTIONS_READ = frozenset((*_FUNCTIONS, *COMPUTED))
"""The names of every function that a text may call."""

_MOST_BYTES_IN_DOUBT = 1000
"""A "13 B" below this may be 13 bytes or 13 billion."""

_IN_DOUBT = {
    "B": ("bytes", "billion"), "k": ("thousand", "KB"), "K": ("thousand", "KB"), "m": ("million", "MB"),
    "M": ("million", "MB"), "G": ("GB", "Gbit"), "g": ("GB", "Gbit"), "T": ("trillion", "TB"),
}  # fmt: skip
"""Letters behind a number that nothing tells the meaning of, with their two readings."""


_PER = ("per", "prati", "har", "each", "every", "a")
"""Words between a unit and a time, which make a rate; some of them are dropped before they get here."""
_SECONDS = ("s", "sec", "second", "seconds")

_OPERATOR = {":": "/", "×": "*", "of": "*"}


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
        if left.kind == "word":
            behind = self.at > 0 and self.tokens[self.at - 1].kind == "number"
            raise unknown_word(left, self.names, self.tokens[self.at + 1].is_sign("("), behind)
        if left.kind != "end":
            raise unexpected(left, after=True)
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
        return join_sum(spread_unit(terms))

    def product(self) -> Tree:
        """Factors joined by ``* /`` or standing side by side; a unit behind them holds for the whole product."""
        left = self.signed()
        while True:
            token = self.peek
            unit = self._unit_here()
            if unit is not None:
                left = attach(left, unit, token)
            elif token.is_sign("×") and self.names.units and self._ends_after(token):
                self.take()
                left = attach(left, units.get("x"), token)
            elif op := self.sign("*", "×", "/", "//", ":", "of"):
                left = self._joined(op, left, token)
            elif self._is_times():
                self.take()
                left = Bin("*", left, self.signed())
            elif self._implied(token):
                if has_unit(left):  # "1.07 GB (1 GiB)" says a value twice, it does not multiply
                    raise ReadError("two-values", token.start, token.end, word=token.text)
                left = Bin("*", left, self.power())
            else:
                return left

    def _joined(self, op: str, left: Tree, token: Token) -> Tree:
        """A product or quotient of what stands before a sign and the factor behind it."""
        right = self.signed()
        if op == "of" and isinstance(left, Qty) and left.unit == "%":
            if not has_unit(right) and self.peek.kind != "word":  # "94 % of 2048" may give the share or the count
                raise ReadError("two-values", self.tokens[0].start, self.peek.start, word=token.text)
            left = Bin("/", left.arg, Num(Fraction(100), "100"))
        op = _OPERATOR.get(op, op)
        if op == "*" and has_unit(left) and has_unit(right):
            raise ReadError("unit-twice", token.start, self.peek.start, unit=token.text)
        return Bin(op, left, right)

    def _ends_after(self, token: Token) -> bool:
        """Whether the token after the next one ends the value: then "17 ×" is a factor and no unfinished product."""
        following = self.tokens[self.at + 1]
        return following.kind == "end" or following.is_sign(")")

    def signed(self) -> Tree:
        """A factor with any number of signs before it."""
        negative = False
        while op := self.sign("+", "-"):
            negative ^= op == "-"
        tree = self.power()
        return Neg(tree) if negative else tree

    def power(self) -> Tree:
        """``base ^ power``, from the right; behind glued names the power is the last one's: mc^2 is m*c^2."""
        first = self.peek
        base = self.atom()
        if not self.sign("^"):
            return base
        raised = self.signed()
        if first.kind == "word" and isinstance(base, Bin) and base.op == "*" and isinstance(base.right, Sym):
            return Bin("*", base.left, Bin("^", base.right, raised))
        return Bin("^", base, raised)

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
        if token.is_sign("×") and self.names.units and self.peek.kind == "number":  # "×17" is "17x"
            return Qty(self.power(), "x", Fraction(1))
        raise unexpected(token)

    def _scaled(self, number: Num) -> Tree:
        """A number with the words that multiply it: 107.4 crore, 2 lakh crore, 94.1 %."""
        tree: Tree = number
        while self.peek.kind == "word" and (times := self._multiplier(number)):
            self.take()
            tree = Bin("*", tree, Num(Fraction(times), str(times)))
        return tree

    def _multiplier(self, number: Num) -> int | None:
        """What the next word multiplies a number by: "lakh", or a letter before a unit as in "2k tokens"."""
        token, following = self.peek, self.tokens[self.at + 1]
        if self.names.symbol(token.text):
            return None
        if times := words.MULTIPLIERS.get(token.key):
            return times
        if not self.names.units or token.text not in _IN_DOUBT:
            return None
        if token.text in words.LETTERS and following.kind == "word" and units.find(following.text):
            return words.LETTERS[token.text]
        alone = self.at < 2 or not self.tokens[self.at - 2].is_sign("*", "×", "/", "^", ")")
        if token.text == "B" and (number.value >= _MOST_BYTES_IN_DOUBT or not alone):
            return None
        first, second = _IN_DOUBT[token.text]
        raise ReadError("unit-unclear", token.start, token.end, unit=token.text, first=first, second=second, more="two")

    def _name(self, token: Token) -> Tree:
        lower = token.text.lower()
        if lower in FUNCTIONS_READ and (self.peek.is_sign("(") or self.peek.kind == "number"):
            return self._call(lower, token)
        symbol = self.names.symbol(token.text)
        if symbol is not None:
            return Sym(symbol)
        glued = self.names.split(token.text)
        if glued:
            tree: Tree = Sym(glued[0])
            for name in glued[1:]:
                tree = Bin("*", tree, Sym(name))
            return tree
        first = len(token.text) > 1 or lower == "x"
        if first and self.names.units and self.peek.kind == "number" and (unit := units.find(token.text)):
            return attach(self.power(), unit, token)  # "x17", "GB 1.07"
        raise unknown_word(token, self.names, self._is_called())

    def _is_called(self) -> bool:
        return self.peek.is_sign("(")

    def _call(self, name: str, token: Token) -> Tree:
        """A function of the values in the bracket, or of the number, behind its name."""
        if not self.sign("("):
            arguments = [self.power()]
        else:
            arguments = [self.sum()]
            while self.sign(","):
                arguments.append(self.sum())
            if not self.sign(")"):
                raise ReadError("unclosed", token.start, token.end)
        if name in _FUNCTIONS and len(arguments) == 1:
            return Call(_FUNCTIONS[name], arguments[0])
        if any(symbols(argument) for argument in arguments):
            raise ReadError("unknown-word", token.start, token.end, word=token.text, more="function")
        from engine.reader import computed  # few answers call a function

        return computed.call(name, arguments, token)

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
        if token.text == "b":  # half the writers mean bytes
            raise ReadError("unit-unclear", token.start, token.end, unit=token.text)
        for count, name in self._unit_names(token):
            if unit := units.find(name):
                self.at += count
                return unit
        if units.is_unclear(token.text):
            raise ReadError("unit-unclear", token.start, token.end, unit=token.text)
        return None

    def _unit_names(self, token: Token) -> list[tuple[int, str]]:
        """What may be a unit here: "tokens per second", "giga bytes", "GB"; each with its number of tokens."""
        texts = [t.text if t.kind == "word" else "" for t in self.tokens[self.at : self.at + 3]]
        two = f"{token.text} {texts[1]}" if len(texts) > 1 and texts[1] else ""
        rate = f"{token.text}/{texts[2]}" if len(texts) > 2 and texts[1].lower() in _PER else ""
        second = f"{token.text}/s" if texts[1:] and texts[1].lower() in _SECONDS else ""
        named = ((3, words.spelling(rate)), (2, two), (2, second), (1, token.text))
        return [(count, name) for count, name in named if name]

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
            return symbolic or token.text.lower() in FUNCTIONS_READ
        return False
