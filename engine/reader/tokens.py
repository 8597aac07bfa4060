"""Splits a folded text into numbers, words and signs."""

import re
import unicodedata
from fractions import Fraction
from typing import NamedTuple

from engine import units
from engine.reader import words
from engine.reader.errors import ReadError
from engine.reader.fold import Folded, is_vulgar

MAX_EXPONENT_DIGITS = 3
"""More exponent digits than this are refused as text, before any power is computed."""

# Patterns that most answers do not need are kept as text: `re` compiles them when they are first asked for.
_SPACED = r"(?:\d{1,3}(?: \d{3})+|\d{1,2}(?: \d{2})+ \d{3})(?![\d,_'])(?: ?(?=\.\d)\.\d+)?"
_LUMP = re.compile(r"[.,]?\d(?:[.,_']*\d)*\.?")
"""Digits with whatever separates them; :func:`_ungrouped` decides whether it is a number."""
_ARGUMENT = r"\.?\d(?:[._']*\d)*\.?"
_IN_CALL = r"(?:min|max|round)\([^()]*$"
_PLAIN = re.compile(r"\d+(?:\.\d*)?|\.\d+")
_EXPONENT = r" ?[eE] ?[+-]? ?\d+"
_VULGAR = re.compile(r" ?([^\x00-\x7f])")
_FOLD = r"-(?=fold\b)"  # "17-fold"
_WORD = re.compile(r"[iI]\.[eE](?![A-Za-z0-9])|[A-Za-z_][A-Za-z_0-9]*(?:'[A-Za-z]+)*|[\u0900-\u0963]+")
_RATE = r"[A-Za-z]+/(?:s|sec|secs|second|byte|bytes|B)(?![A-Za-z0-9_])"
""" "GB/s" is one unit, "weights/B" is a quotient."""
_TIMES = r"[xX](?=\d)"  # "1.07x10^9", "x4"
_HEX = r"0[xXbBoO][0-9A-Fa-f]{2,}\b"
_DOTS = r"\.\.+"
_SIGN = re.compile(r"\+/-|\*\*|//|<<|>>|<=|>=|=<|=>|->|==|~=|=~|!=|\+-|&&|\|\||[-+*/^()=%~<>:,;×≈≠±→&|?]")
_ONE_SIGN = {
    "==": "=", "~=": "≈", "=~": "≈", "!=": "≠", "+-": "±", "+/-": "±", "->": "→", "<=": "<", ">=": ">", "=<": "<",
    "**": "^", "&&": "&",
}  # fmt: skip
_WESTERN = r"\d{1,3}([,_])\d{3}(?:\1\d{3})*"
_INDIAN = r"\d{1,2}(?:([,_])\d{2}(?:\1\d{2})*)?[,_]\d{3}"
_SWISS = r"\d{1,3}(?:'\d{3})+"


class Token(NamedTuple):
    """One token; ``start`` and ``end`` are places in the text as typed."""

    kind: str  # number | word | sign | end
    text: str
    start: int
    end: int
    value: Fraction = Fraction(0)
    lone_comma: bool = False  # "1,073": a thousand and 73, or a decimal comma

    @property
    def key(self) -> str:
        """A word as the word lists have it; empty for anything else."""
        return words.key(self.text) if self.kind == "word" else ""

    def is_sign(self, *texts: str) -> bool:
        """Whether this is one of these signs."""
        return self.kind == "sign" and self.text in texts


def tokens(folded: Folded) -> tuple[Token, ...]:
    """The tokens of a text, closed by one of kind ``end``.

    Raises:
        ReadError: grouping, comma-unclear, too-large, range, code or bad-characters, with the place.
    """
    text, found, at = folded.text, list[Token](), 0
    while at < len(text):
        if text[at] == " ":
            at += 1
            continue
        token, at = _next(folded, at)
        if token is not None:
            found.append(token)
    found.append(Token("end", "", folded.length, folded.length))
    return tuple(_without_quotes(found))


def _without_quotes(found: list[Token]) -> list[Token]:
    """Quotation marks around the whole answer say nothing; anywhere else they are no part of one."""
    marks = [token for token in found if token.kind == "quote"]
    if marks and not (len(marks) == 2 and found[0] is marks[0] and found[-2] is marks[1]):
        raise ReadError("bad-characters", marks[0].start, char=marks[0].text, position=str(marks[0].start + 1))
    return [token for token in found if token.kind != "quote"]


def _next(folded: Folded, at: int) -> tuple[Token | None, int]:
    """The token that begins at a place, and where the next may begin; ``None`` for a mark that says nothing."""
    text = folded.text
    if text[at] == "0" and text[at + 1 : at + 2].isalpha() and (based := _match(_HEX, text, at)):
        start, end = folded.span(at, based.end())
        raise ReadError("code", start, end, word=based[0])
    if text.startswith("..", at):
        return _dots(folded, at)
    if _VULGAR.match(text, at) and is_vulgar(text[at]):
        return _fraction(folded, at, at, Fraction(0))
    if text[at].isdigit() and " " in text[at : at + 4] and (spaced := _match(_SPACED, text, at)):
        return _number(folded, at, spaced.end(), spaced[0].replace(" ", ""))
    if lump := _match(_ARGUMENT, text, at) if _in_call(text[:at]) else _LUMP.match(text, at):
        return _lump(folded, at, lump)
    if word := _word(text, at):
        start, end = folded.span(at, word.end())
        return Token("word", words.spelling(word[0]), start, end), word.end()
    if at and text[at] == "-" and _match(_FOLD, text, at):
        return None, at + 1
    if sign := _SIGN.match(text, at):
        start, end = folded.span(at, sign.end())
        return Token("sign", _ONE_SIGN.get(sign[0], sign[0]), start, end), sign.end()
    return _mark(folded, at)


def _match(pattern: str, text: str, at: int) -> re.Match[str] | None:
    return re.compile(pattern).match(text, at)


def _in_call(before: str) -> bool:
    """Whether a place lies in a call of several arguments, where commas part the arguments."""
    return "(" in before and re.search(_IN_CALL, before) is not None


def _word(text: str, at: int) -> re.Match[str] | None:
    rate = _match(_RATE, text, at) if "/" in text else None
    if rate and units.find(words.spelling(rate[0])):
        return rate
    return (_match(_TIMES, text, at) if text[at] in "xX" else None) or _WORD.match(text, at)


def _mark(folded: Folded, at: int) -> tuple[Token | None, int]:
    """Punctuation of sentences: a full stop behind a word, an exclamation mark behind one, quotation marks."""
    text, place = folded.text, folded.place(at)
    if text[at] in "\"'":
        return Token("quote", text[at], place, place + 1), at + 1
    before, after = text[:at].rstrip(), text[at + 1 :].lstrip(" .!?")
    if text[at] == "." and (not after or (before and not before[-1].isdigit() and text[at + 1] == " ")) and before:
        return None, at + 1
    if text[at] == "!" and not after and before and (before[-1].isalpha() or before[-1] in "%)!"):
        return None, at + 1
    raise ReadError("bad-characters", place, char=text[at], position=str(place + 1))


def _dots(folded: Folded, at: int) -> tuple[Token | None, int]:
    """Dots between numbers make a range; behind everything else they are a pause."""
    found = _match(_DOTS, folded.text, at)
    assert found is not None
    if re.search(r"[0-9]", folded.text[:at]) and re.search(r"[0-9]", folded.text[found.end() :]):
        start, end = folded.span(at, found.end())
        raise ReadError("range", start, end, word=found[0])
    return None, found.end()


def _lump(folded: Folded, at: int, lump: re.Match[str]) -> tuple[Token, int]:
    """A number with its separators, after a check that they stand where a number has them."""
    text, end = lump[0], lump.end()
    if ".." in text and (dots := re.compile(_DOTS).search(folded.text, at, min(end + 1, len(folded.text)))):
        if not re.search(r"[0-9]", folded.text[dots.end() :]):
            text, end = text.rstrip("."), dots.start()
        else:
            start, stop = folded.span(at, end)
            raise ReadError("range", start, stop, word=dots[0])
    if text.endswith(".") and "." in text[:-1]:  # the full stop of a sentence
        text, end = text[:-1], end - 1
    return _number(folded, at, end, text)


def _number(folded: Folded, at: int, end: int, text: str) -> tuple[Token, int]:
    """The token of a number whose digits and separators end at ``end``, with the exponent or the fraction behind."""
    start, stop = folded.span(at, end)
    mantissa = _ungrouped(text, start, stop)
    if re.match(r"\*0\d", folded.text[end : end + 3]) and mantissa.isdigit():  # "1·07" is a British decimal point
        raise ReadError("bad-characters", folded.place(end), char="·", position=str(folded.place(end) + 1))
    if mantissa.isdigit() and (vulgar := _VULGAR.match(folded.text, end)) and is_vulgar(vulgar[1]):
        return _fraction(folded, at, vulgar.start(1), Fraction(int(mantissa)))
    exponent = _match(_EXPONENT, folded.text, end) if folded.text[end : end + 2].strip()[:1] in ("e", "E") else None
    power = exponent[0].replace(" ", "")[1:] if exponent else "0"
    end = exponent.end() if exponent else end
    start, stop = folded.span(at, end)
    if len(power.lstrip("+-0")) > MAX_EXPONENT_DIGITS:
        raise ReadError("too-large", start, stop)
    whole, _, places = mantissa.partition(".")
    value = Fraction(int((whole + places) or "0"), 10 ** len(places)) * Fraction(10) ** int(power)
    lone = text.count(",") == 1 and "." not in text
    return Token("number", mantissa + ("e" + power if exponent else ""), start, stop, value, lone), end


def _fraction(folded: Folded, at: int, sign: int, whole: Fraction) -> tuple[Token, int]:
    """A fraction in one character, perhaps with a whole number before it: ½, 6½."""
    above, _, below = unicodedata.normalize("NFKC", folded.text[sign]).partition("⁄")
    start, end = folded.span(at, sign + 1)
    written = f"{whole} {above}/{below}" if whole else f"{above}/{below}"
    return Token("number", written, start, end, whole + Fraction(int(above), int(below))), sign + 1


def _ungrouped(text: str, start: int, end: int) -> str:
    """The digits and the point of a number. Separators stand where western, Indian or Swiss grouping puts them, or the
    number is asked about and not guessed."""
    if _PLAIN.fullmatch(text):
        return text
    whole, point, places = text.partition(".")
    if "." in places:
        raise ReadError("grouping", start, end, typed=text, points="2")
    if text.startswith(",") and text[1:].isdigit():
        raise ReadError("comma-unclear", start, end, suggestion=f"0.{text[1:]}", typed=text)
    if "," in places and places.count(",") == 1 and "," not in whole:  # 1.073,74
        raise ReadError("comma-unclear", start, end, suggestion=whole + places.replace(",", "."), typed=text)
    grouped = any(re.fullmatch(pattern, whole) for pattern in (_WESTERN, _INDIAN, _SWISS))
    if grouped and (not places or places.isdigit()):
        return re.sub("[,_']", "", whole) + point + places
    tail = whole.rpartition(",")[2]
    if whole.count(",") == 1 and not point and whole.replace(",", "").isdigit() and len(tail) != 3:
        raise ReadError("comma-unclear", start, end, suggestion=whole.replace(",", "."), typed=whole)
    raise ReadError("grouping", start, end, typed=text)
