"""The gate and the fold: refuse what cannot be an answer, and write the many signs of one meaning in one way.

Each folded character remembers where it stood, so that an error can point at what was typed.
"""

import unicodedata
from itertools import pairwise
from typing import NamedTuple

from engine.reader.errors import ReadError

MAX_LENGTH = 300
"""Longer texts are refused before anything looks at them."""

MAX_DEPTH = 40
"""More nested brackets than this are refused."""

_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺⁽⁾", "0123456789-+()", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
_SAME = {
    **dict.fromkeys("·∗⋅•⨯", "*"), **dict.fromkeys("✕✖⨉", "×"), **dict.fromkeys("÷∕⁄", "/"),
    **dict.fromkeys("−–—―‐‑‒﹣", "-"), **dict.fromkeys("’‘`ʼ′´", "'"), **dict.fromkeys("“”„«»", '"'),
    **dict.fromkeys("≅≃≒", "≈"), **dict.fromkeys("∼〜", "~"), **dict.fromkeys("⇒⟹➔➜➡", "→"), "∴": "",
    "⌊": "floor(", "⌋": ")", "⌈": "ceil(", "⌉": ")", "√": "sqrt ", "≤": "<", "≥": ">", "≪": "<", "≫": ">",
    "∓": "±", "٫": ".", "٬": ",", "٪": "%", "µ": "u", "μ": "u", "।": ".", "。": ".", "…": "...",
}  # fmt: skip
_KEPT = frozenset("×≈≠±→")
"""Signs that have a meaning of their own and no ASCII twin."""

_INVISIBLE = frozenset("\u200b\u200c\u200d\ufeff\u00ad\u2060\ufe0f")
_DEVANAGARI = range(0x0900, 0x0964)
"""Letters and vowel signs; words of them are looked up in :mod:`engine.reader.words`."""

Placed = tuple[str, int]
"""A folded character and the place where its original stood."""


_ALIKE = dict(zip("АВСЕНІКМОРТХаеорсхіуΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABCEHIKMOPTXaeopcxiyABEZHIKMNOPTXo", strict=True))
"""Cyrillic and Greek letters that look Latin: keyboards and copied text bring them in unseen."""


class Folded(NamedTuple):
    """A folded text and, for each of its characters, the place in the typed text."""

    text: str
    places: tuple[int, ...]
    length: int

    def place(self, position: int) -> int:
        """Where the folded position stood in the text as typed."""
        return self.places[position] if position < len(self.places) else self.length

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The typed stretch of a folded one that is not empty."""
        return self.place(start), self.place(end - 1) + 1


def fold(typed: str) -> Folded:
    """The text in one spelling of signs and digits.

    Raises:
        ReadError: empty, too-long, too-deep or bad-characters.
    """
    if len(typed) > MAX_LENGTH:
        raise ReadError("too-long", 0, len(typed), length=str(len(typed)), most=str(MAX_LENGTH))
    if all(char in _INVISIBLE or char.isspace() for char in typed):
        raise ReadError("empty", 0, len(typed))
    out: list[Placed] = []
    raised = lowered = False
    for place, char in enumerate(typed):
        up = _RAISED.get(char, "")
        if up and not raised:
            out.append(("^", place))
        down = _lowered(char, out, lowered, place)
        raised, lowered = bool(up), bool(down)
        out.extend((c, place) for c in (up or down or _fold_char(char, place)))
    if any(char in "\\$" for char, _ in out) or any(pair in ("_{", "^{", "{,") for pair in _pairs(out)):
        from engine.reader.latex import plain

        out = plain(out)
    _check_depth(out)
    return Folded("".join(char for char, _ in out), tuple(place for _, place in out), len(typed))


def _pairs(out: list[Placed]) -> list[str]:
    return [one + two for (one, _), (two, _) in pairwise(out)]


def _lowered(char: str, out: list[Placed], again: bool, place: int) -> str:
    """A subscript digit behind a name ("log₂"); anywhere else it would be a base, which is not read."""
    if char not in _LOWERED:
        return ""
    if not again and not (out and (out[-1][0].isalpha() or out[-1][0] == "_")):
        raise ReadError("bad-characters", place, char=char, position=str(place + 1))
    return _LOWERED[char]


def _fold_char(char: str, place: int) -> str:
    if char.isascii():
        if (char < " " and char not in "\t\n\r") or char == "\x7f":
            raise ReadError("bad-characters", place, char=f"U+{ord(char):04X}", position=str(place + 1))
        return " " if char in "\t\n\r" else "'" if char == "`" else char
    if char in _KEPT or ord(char) in _DEVANAGARI or is_vulgar(char):
        return char
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
    if char in _ALIKE:
        latin = _ALIKE[char]
        raise ReadError("bad-characters", place, char=char, position=str(place + 1), latin=latin, more="lookalike")
    raise ReadError("bad-characters", place, char=_shown(char), position=str(place + 1))


def is_vulgar(char: str) -> bool:
    """Whether a character is a whole fraction, such as ½."""
    above, slash, below = unicodedata.normalize("NFKC", char).partition("⁄")
    return not char.isascii() and bool(slash) and above.isdecimal() and below.isdecimal() and int(below) > 0


def _shown(char: str) -> str:
    """A character for an error message: itself when it prints, its code point otherwise."""
    return char if char.isprintable() else f"U+{ord(char):04X}"


def _check_depth(out: list[Placed]) -> None:
    depth = 0
    for char, place in out:
        depth += (char in "([{") - (char in ")]}")
        if depth > MAX_DEPTH:
            raise ReadError("too-deep", place, most=str(MAX_DEPTH))
