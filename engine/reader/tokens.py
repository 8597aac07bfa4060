"""Splits a folded text into numbers, words and signs."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from engine import units
from engine.reader.errors import ReadError
from engine.reader.fold import Folded

MAX_EXPONENT_DIGITS = 3
"""More exponent digits than this are refused as text, before any power is computed."""

_NUMBER = re.compile(r"(?:\d+(?:[,_]\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_SPACED = re.compile(r"\d{1,3}(?: \d{3})+(?![\d,_])(?:\.\d+)?")
_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9']*")
_RATE = re.compile(r"[A-Za-z]+/(?:s|sec|second|byte|B)\b")  # "GB/s" is one unit, "weights/B" is a quotient
_TIMES = re.compile(r"[xX](?=\d)")  # "1.07x10^9", "x4"
_SIGNS = ("**", "//", "<<", ">>", "==", *"+-*/^()=%~<>:,;")
_WESTERN = re.compile(r"\d{1,3}(,\d{3})+")
_INDIAN = re.compile(r"\d{1,2}(,\d{2})*,\d{3}")


class Token(NamedTuple):
    """One token; ``start`` and ``end`` are places in the text as typed."""

    kind: str  # number | word | sign | end
    text: str
    start: int
    end: int
    value: Fraction = Fraction(0)
    lone_comma: bool = False  # "1,073": a thousand and 73, or a decimal comma


def tokens(folded: Folded) -> tuple[Token, ...]:
    """The tokens of a text, closed by one of kind ``end``.

    Raises:
        ReadError: grouping, comma-unclear, too-large or bad-characters, with the place.
    """
    text, found, at = folded.text, list[Token](), 0
    while at < len(text):
        if text[at] == " ":
            at += 1
            continue
        token, at = _next(folded, text, at)
        found.append(token)
    if len(found) > 1 and found[-1].text == "." and found[-1].kind == "stop":
        found.pop()  # the full stop of a sentence
    found.append(Token("end", "", folded.length, folded.length))
    return tuple(found)


_HEX = re.compile(r"0[xXbBoO][0-9A-Fa-f]{2,}\b")


def _next(folded: Folded, text: str, at: int) -> tuple[Token, int]:
    if based := _HEX.match(text, at):
        raise ReadError("code", folded.place(at), folded.place(based.end() - 1) + 1, word=based[0])
    spaced = _SPACED.match(text, at)
    number = spaced or _NUMBER.match(text, at)
    if number:
        return _number(folded, number), number.end()
    rate = _RATE.match(text, at)
    word = rate if rate and units.find(rate[0]) else _TIMES.match(text, at) or _WORD.match(text, at)
    if word:
        return Token("word", word[0], folded.place(at), folded.place(word.end() - 1) + 1), word.end()
    for sign in _SIGNS:
        if text.startswith(sign, at):
            return Token("sign", sign, folded.place(at), folded.place(at + len(sign) - 1) + 1), at + len(sign)
    place = folded.place(at)
    if text[at] == "." and not text[at + 1 :].strip():
        return Token("stop", ".", place, place + 1), at + 1
    raise ReadError("bad-characters", place, char=text[at], position=str(place + 1))


def _number(folded: Folded, found: re.Match[str]) -> Token:
    start, end = folded.place(found.start()), folded.place(found.end() - 1) + 1
    written = found[0].replace(" ", "")
    mantissa, _, exponent = written.lower().partition("e")
    if len(exponent.lstrip("+-0")) > MAX_EXPONENT_DIGITS:
        raise ReadError("too-large", start, end)
    whole, point, places = mantissa.partition(".")
    _check_groups(whole, places, start, end)
    digits = re.sub("[,_]", "", whole)
    value = Fraction(int((digits + places) or "0"), 10 ** len(places)) * Fraction(10) ** int(exponent or "0")
    lone = whole.count(",") == 1 and not point
    text = digits + point + places + ("e" + exponent if exponent else "")
    return Token("number", text, start, end, value, lone)


def _check_groups(whole: str, places: str, start: int, end: int) -> None:
    """Commas only where western or Indian grouping puts them; anything else is asked about, not guessed."""
    if "," not in whole or _WESTERN.fullmatch(whole) or _INDIAN.fullmatch(whole):
        return
    tail = whole.rpartition(",")[2]
    if whole.count(",") == 1 and not places and len(tail) != 3:
        raise ReadError("comma-unclear", start, end, suggestion=whole.replace(",", "."), typed=whole)
    raise ReadError("grouping", start, end, typed=whole)
