"""The gate and the fold: refuse what cannot be an answer, and write the many signs of one meaning in one way.

Each folded character remembers where it stood, so that an error can point at what was typed.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from engine.reader.errors import ReadError

MAX_LENGTH = 300
"""Longer texts are refused before anything looks at them."""

MAX_DEPTH = 40
"""More nested brackets than this are refused."""

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SAME = {
    **dict.fromkeys("×·∗⋅•✕⨯", "*"), **dict.fromkeys("÷∕⁄", "/"), **dict.fromkeys("−–—﹣", "-"),
    **dict.fromkeys("’‘`", "'"),
    "≈": "~", "∼": "~", "≅": "~", "⌊": "floor(", "⌋": ")", "⌈": "ceil(", "⌉": ")", "≤": "<", "≥": ">",
    "٫": ".", "٬": ",",
}  # fmt: skip
_INVISIBLE = frozenset("\u200b\u200c\u200d\ufeff\u00ad\u2060")


class Folded(NamedTuple):
    """A folded text and, for each of its characters, the place in the typed text."""

    text: str
    places: tuple[int, ...]
    length: int

    def place(self, position: int) -> int:
        """Where the folded position stood in the text as typed."""
        return self.places[position] if position < len(self.places) else self.length


def fold(typed: str) -> Folded:
    """The text in one spelling of signs and digits.

    Raises:
        ReadError: empty, too-long, too-deep or bad-characters.
    """
    if len(typed) > MAX_LENGTH:
        raise ReadError("too-long", 0, len(typed), length=str(len(typed)), most=str(MAX_LENGTH))
    if not typed.strip("".join(_INVISIBLE) + " \t\r\n\u00a0"):
        raise ReadError("empty", 0, len(typed))
    out: list[tuple[str, int]] = []
    raised = False
    for place, char in enumerate(typed):
        up = char.translate(_SUPERSCRIPTS) if char in "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺" else ""
        if up and not raised:
            out.append(("^", place))
        raised = bool(up)
        out.extend((c, place) for c in (up or _fold_char(char, place)))
    _check_depth(out)
    text = "".join(char for char, _ in out)
    if any(mark in text for mark in ("\\", "_{", "^{", "$")):
        from engine.reader.latex import plain

        return Folded(plain(text), (), 0)
    return Folded(text, tuple(place for _, place in out), len(typed))


def _fold_char(char: str, place: int) -> str:
    if char.isascii():
        if (char < " " and char not in "\t\n\r") or char == "\x7f":
            raise ReadError("bad-characters", place, char=f"U+{ord(char):04X}", position=str(place + 1))
        return " " if char in "\t\n\r" else char
    if char in _SAME:
        return _SAME[char]
    if char in _INVISIBLE:
        return ""
    if char.isspace():
        return " "
    if char.isdecimal():  # Devanagari, full width and every other decimal digit
        return str(unicodedata.decimal(char))
    plain = "" if unicodedata.numeric(char, None) is not None else unicodedata.normalize("NFKC", char)
    if plain.isascii() and plain:
        return plain
    raise ReadError("bad-characters", place, char=_shown(char), position=str(place + 1))


def _shown(char: str) -> str:
    """A character for an error message: itself when it prints, its code point otherwise."""
    return char if char.isprintable() else f"U+{ord(char):04X}"


def _check_depth(out: list[tuple[str, int]]) -> None:
    depth = 0
    for char, place in out:
        depth += (char in "([{") - (char in ")]}")
        if depth > MAX_DEPTH:
            raise ReadError("too-deep", place, most=str(MAX_DEPTH))
