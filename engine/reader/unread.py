"""What is said of a token that no tree can be made of: an unknown word, a misspelled unit, a sign out of place."""

from __future__ import annotations

import re

from engine import units
from engine.reader import words
from engine.reader.errors import ReadError
from engine.reader.names import Names
from engine.reader.tokens import Token

_UNIT_LIKE = re.compile(r"[A-Za-z]{1,3}")
_SHORTEST_GUESS = 4
_GUESSED = (
    *units.COUNTS, "bytes", "bits", "gigabytes", "megabytes", "kilobytes", "terabytes", "percent", "seconds", "times",
    "guna",
)  # fmt: skip
"""Units that a misspelled word may have meant, and the letters that one must have to be guessed."""


def unknown_word(token: Token, names: Names, called: bool = False, behind: bool = False) -> ReadError:
    """The reason why a word cannot be read: code, no finite number, an unknown symbol, unit, function or word.

    ``called``: a bracket follows. ``behind``: it stands behind a number, where a unit would.
    """
    start, end, word = token.start, token.end, token.text
    if word.lower() in words.CODE or "__" in word:
        return ReadError("code", start, end, word=word)
    if token.key in words.NOT_FINITE:
        return ReadError("not-finite", start, end, word=word)
    if called:
        return ReadError("unknown-word", start, end, word=word, more="function")
    if names.symbols:
        known = ", ".join(dict.fromkeys(names.symbols.values()))
        return ReadError("unknown-symbol", start, end, word=word, symbols=known)
    if units.is_unclear(word):
        return ReadError("unit-unclear", start, end, unit=word)
    if units.find(word):
        return ReadError("not-a-number", start, end, unit=word, more="unit")
    near = _near_unit(word) if behind else None
    if near:
        return ReadError("unknown-unit", start, end, word=word, suggest=near, more="near")
    if behind and _UNIT_LIKE.fullmatch(word):
        return ReadError("unknown-unit", start, end, word=word)
    return ReadError("unknown-word", start, end, word=word)


def _near_unit(word: str) -> str | None:
    """The unit that a misspelled one is nearest to, to be asked about and never taken."""
    if len(word) < _SHORTEST_GUESS or not word.isascii():
        return None
    from difflib import get_close_matches  # few answers need it

    return next(iter(get_close_matches(word.lower(), _GUESSED, n=1, cutoff=0.78)), None)


def unexpected(token: Token, after: bool = False) -> ReadError:
    """The reason why a token cannot stand where it does; ``after``: behind a text that is whole."""
    if token.kind == "end":
        return ReadError("syntax", max(token.start - 1, 0), token.end, position=str(token.start), found="")
    if after and token.kind == "number":
        return ReadError("two-values", token.start, token.end)
    if after and token.is_sign(")"):
        return ReadError("unclosed", token.start, token.end, more="open")
    return ReadError("syntax", token.start, token.end, position=str(token.start + 1), found=token.text)
