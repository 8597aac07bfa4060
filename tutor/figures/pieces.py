"""A sentence cut into pieces with ids, for the token train. Made up: no tokenizer is loaded, and the figure says so."""

from __future__ import annotations

import unicodedata
import zlib
from itertools import groupby

_ENDINGS = ("able", "ing", "tion", "ness", "ed", "er", "s")
_STARTS = ("un", "re", "pre", "dis")
_LONGEST = 8
"""Letters of a piece at most."""


def words(text: str) -> list[tuple[str, ...]]:
    """Each word of a text with the pieces it is cut into; a sign that is no letter is a word of its own.

    What a terminal cannot print is left out. A mark that stands on a letter stays with it.
    """
    return [_cut(part) for part in _parts(text)]


def pieces(text: str) -> list[str]:
    """The pieces of a whole text, in reading order."""
    return [piece for word in words(text) for piece in word]


def token_id(piece: str) -> int:
    """A made-up id: the same piece has the same one everywhere."""
    return zlib.crc32(piece.encode("utf-8", "replace")) % 32000


def is_word(part: str) -> bool:
    """Whether a piece is made of letters or digits, not a sign."""
    return _kind(part[0]) == "letter"


def _kind(sign: str) -> str:
    if sign.isalnum() or sign == "_" or unicodedata.category(sign)[0] == "M":
        return "letter"
    return "space" if sign.isspace() or not sign.isprintable() else "sign"


def _parts(text: str) -> list[str]:
    parts: list[str] = []
    for kind, run in groupby(text, _kind):
        if kind == "letter":
            parts.append("".join(run))
        elif kind == "sign":
            parts += run
    return parts


def _cut(part: str) -> tuple[str, ...]:
    """A known start and ending cut off, the middle in pieces of equal length at most."""
    lower = part.lower()
    start = next((len(s) for s in _STARTS if lower.startswith(s) and len(part) > len(s) + 5), 0)
    end = next((len(e) for e in _ENDINGS if lower.endswith(e) and len(part) > start + len(e) + 2), 0)
    middle = part[start : len(part) - end]
    inner = [middle[i : i + _LONGEST] for i in range(0, len(middle), _LONGEST)]
    return tuple(piece for piece in (part[:start], *inner, part[len(part) - end :] if end else "") if piece)
