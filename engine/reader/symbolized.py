"""Symbols typed where their numbers are asked for: "bs - 1", "weights + kv", "2BSLd_modelp".

A symbol is one where it stands as an operand beside an operator; a unit ("1.07 B"), a label ("B = 37") and a word of a
sentence are none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import units
from engine.reader import words
from engine.reader.errors import ReadError
from engine.reader.names import Names
from engine.reader.tokens import Token

_OPERATORS = "+-*/^×"
_EQUALS = ("=", "≈", "→", "=>")


def without_symbols(found: Sequence[Token], names: Names) -> list[Token]:
    """The tokens without the sides of an equation chain that only show the formula, where a value follows them.

    Raises:
        ReadError: needs-number, when a symbol stands where the value has to be.
    """
    typed = list(_operands(found, names))
    if not typed:
        return list(found)
    end = typed[-1][0]
    joint = next((n for n in range(end, len(found)) if found[n].is_sign(":", *_EQUALS)), None)
    if joint is not None and any(token.kind == "number" for token in found[joint:]):
        return list(found[joint + 1 :])
    place, first = typed[0]
    start = found[place - 1]
    raise ReadError("needs-number", start.start, start.end, word=first)


def _operands(found: Sequence[Token], names: Names) -> Iterator[tuple[int, str]]:
    """Every symbol that stands as an operand: the place behind it, and how it was typed."""
    at = 0
    while at < len(found):
        length = _symbol(found, at, names)
        row = _row(found, at, names)
        if row > 1 or (length and _is_operand(found, at, at + length)):
            yield at + max(row, length), " ".join(token.text for token in found[at : at + length])
        at += max(row, length, 1)


def _row(found: Sequence[Token], at: int, names: Names) -> int:
    """How many single symbols stand side by side here ("B S L d_model p"), where one of them is nothing else."""
    end = at
    while end < len(found) and _is_letterlike(found[end]) and _is_known(found[end].text, names):
        end += 1
    plain = any(units.find(token.text) is None for token in found[at:end])
    return end - at if end - at > 1 and plain else 0


def _is_letterlike(token: Token) -> bool:
    """Whether a word is written as symbols are, and is no word of a sentence."""
    single = len(token.text) <= 2 or "_" in token.text or not token.text.islower()
    return token.kind == "word" and single and token.key not in words.FILLERS


def _symbol(found: Sequence[Token], at: int, names: Names) -> int:
    """How many tokens from here on are one known symbol ("bs", "block size"); 0 when none is."""
    if found[at].kind != "word":
        return 0
    if found[at + 1].kind == "word" and f"{found[at].text}_{found[at + 1].text}".lower() in names.known:
        return 2
    return int(_is_known(found[at].text, names))


def _is_known(word: str, names: Names) -> bool:
    if word in names.known or (len(word) > 2 and word.lower() in names.known):
        return True
    return len(word) > 1 and not units.find(word) and words.key(word) not in words.FILLERS and _glued(word, names)


def _glued(word: str, names: Names) -> bool:
    """Whether a word is several symbols written together, among them one that no plain word holds."""
    if word.islower() and "_" not in word:
        return False
    left = word
    while left:
        name = max((n for n in names.known if left.startswith(n)), key=len, default="")
        if not name:
            return False
        left = left[len(name) :]
    return True


def _is_operand(found: Sequence[Token], start: int, end: int) -> bool:
    before, after = (found[start - 1] if start else None), found[end]
    if before is not None and before.kind == "number":  # "1.07 B" has a unit, "120 used" a word, "2d_model" a symbol
        return not any(units.find(token.text) for token in found[start:end]) and _is_letterlike(found[start])
    if before is None and after.kind == "end":
        return _is_letterlike(found[start]) and units.find(found[start].text) is None
    beside = (before is not None and _joins(before)) or _joins(after)
    opens = before is None or before.is_sign("(", ":", ",", *_EQUALS) or _joins(before)
    closes = after.kind == "end" or after.is_sign(")", *_EQUALS) or _joins(after)
    return opens and closes and beside


def _joins(token: Token) -> bool:
    return token.is_sign(*_OPERATORS) or token.key in words.JOINING
