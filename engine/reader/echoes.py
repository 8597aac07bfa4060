"""Words of an answer that repeat what the question asks for: they turn nothing, and are dropped.

"17 times wider" answers "how many times wider?", and "maximum 37" answers "how many at most?". Said of another
question the same words would turn the value, so only the question's own (:attr:`Names.echoes`) are taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.reader import words
from engine.reader.names import Names
from engine.reader.tokens import Token

_EXTREMES = {
    "most": (words.MOST, words.MOST_PHRASES),
    "at-most": (words.MOST, words.MOST_PHRASES | words.AT_MOST),
    "mean": (words.MEAN, words.MEAN_PHRASES),
    "wide": (words.WIDE, frozenset[tuple[str, ...]]()),
}
_BESIDE = frozenset(map(words.key, ("as", "hi", "thoda", "zyada", "jyada", "aur", "more", "ka", "ki", "ke")))
"""Words between a factor and what it compares."""


def without_echoes(found: Sequence[Token], names: Names) -> list[Token]:
    """The tokens without the words that repeat the question."""
    if not names.echoes:
        return list(found)
    out: list[Token] = []
    at = 0
    while at < len(found):
        length = _extreme(found, at, names) or _comparison(found, at, names)
        if not length:
            out.append(found[at])
        at += length or 1
    return out


def _extreme(found: Sequence[Token], at: int, names: Names) -> int:
    """How many tokens from here on name the greatest or the mean value that is asked for."""
    if found[at].kind != "word" or found[at + 1].is_sign("("):  # "max(36, 37)" is a function
        return 0
    said = [token.key for token in found[at : at + 3]]
    for way, (single, phrases) in _EXTREMES.items():
        if way in names.echoes:
            length = next((n for n in (3, 2) if tuple(said[:n]) in phrases), 0) or int(said[0] in single)
            if length and not found[at + length].is_sign("=", ":", "≈", "→"):  # "max = 37" is a label
                return length
    return 0


def _comparison(found: Sequence[Token], at: int, names: Names) -> int:
    """How many tokens from here on compare in the way of the question, right behind a factor."""
    if at == 0 or not _is_factor(found[at - 1]):
        return 0
    end = at
    while found[end].key in _BESIDE and words.COMPARED.get(found[end + 1].key) in names.echoes:
        end += 1
    return end + 1 - at if words.COMPARED.get(found[end].key) in names.echoes else 0


def _is_factor(token: Token) -> bool:
    return token.is_sign("×") or token.key in words.FACTORS or token.key in words.SPOKEN
