"""Which tokens are operands, units or plain words: what every rule about the words around a value asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine import units
from engine.reader.names import Names
from engine.reader.tokens import Token


def is_operand(token: Token, names: Names) -> bool:
    """Whether a token is part of a value: a number, or a symbol of the formula asked for."""
    if token.kind == "number":
        return True
    symbolic = bool(names.symbols) and token.kind == "word"
    return symbolic and bool(names.symbol(token.text) or names.split(token.text))


def is_unit(token: Token, names: Names) -> bool:
    """Whether a token is a unit, where the answer may have one."""
    return token.kind == "word" and names.units and units.find(token.text) is not None


def says(token: Token, names: Names) -> str:
    """The key of a word that is no symbol; empty for anything else."""
    return "" if token.kind != "word" or names.symbol(token.text) else token.key


class Values(NamedTuple):
    """Where the operands of some tokens stand: asked once, since every word asks what stands before and behind it."""

    first: int
    last: int

    @classmethod
    def of(cls, found: Sequence[Token], names: Names) -> Values:
        """The places of the first and the last operand; both -1 when there is none."""
        places = [place for place, token in enumerate(found) if is_operand(token, names)]
        return cls(places[0], places[-1]) if places else cls(-1, -1)

    def before(self, place: int) -> bool:
        """Whether an operand stands before a place."""
        return 0 <= self.first < place

    def after(self, place: int) -> bool:
        """Whether an operand stands behind a place."""
        return self.last > place
