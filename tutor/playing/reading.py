"""What a person types for a parameter, as the value that the state of a figure holds.

The reader of learners' answers reads exact values, units and expressions ("2 * 1024", "4 lakh", "24 GiB"). What is no
answer and yet how servers are written ("32k", "13B", "80G", "fp8", "AWQ") the readers of the diagnoser know.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from tutor.figures.parameters import Kind, Parameter
from tutor.playing import showing
from tutor.playing.unreadable import Unreadable, refused

if TYPE_CHECKING:
    from engine.reader.read import Reading

LONGEST = 200
"""Letters of the longest text that is looked at."""
_BARE = 10**7
"""A number without a unit that is smaller stands in the usual unit: GB of a card, GB/s."""
_BARE_PARAMS = 10**4
"""The largest bare number that means billions of parameters, as 7 and 70.6 do; a larger one is the count itself."""
_USUAL: Mapping[Kind, str] = {"params": "billion", "bytes": "GB", "speed": "GB/s"}
"""What is added to a bare number in thought."""
_MORE = re.compile(r"[=:→⇒]|->|\S.*≈", re.DOTALL)
"""Signs of a text that holds more than a value: a name before it, another value, a calculation with its result."""
EXAMPLES: Mapping[Kind, str] = {
    "count": "4096, 32k, 2 * 1024", "params": "13B, 6.74 billion", "bytes": "80 GB, 24 GiB",
    "format": "fp16, fp8, int4, 4-bit", "number": "0.17, -3/10", "bits": "4, 4-bit", "speed": "2 TB/s, 2039 GB/s",
    "list": "10, 20, 30", "model": "llama-2-7b", "gpu": "A100 SXM 80GB",
}  # fmt: skip
"""How values of a kind are written; the same in every language."""
FEWER: Mapping[Kind, str] = {"count": "32, 2 * 16, 4"}
"""The same for what has no room for those."""


def value(parameter: Parameter, text: str) -> object:
    """The value of a text, in what the state holds and within the parameter's bounds. Raises ``Unreadable``."""
    if len(text) > LONGEST:
        raise refused("too-long", parameter, text, most=LONGEST)
    if not text.strip():
        if parameter.unset:
            return Fraction(0)
        raise refused("empty", parameter, text, example=_example(parameter))
    if parameter.kind == "text":
        return _text(parameter, text)
    if parameter.kind == "choice":
        return _choice(parameter, text)
    _refuse_more(parameter, text)
    if parameter.kind == "list":
        return _listed(parameter, text)
    return _bounded(parameter, _READERS[parameter.kind](parameter, text), text)


def _refuse_more(parameter: Parameter, text: str) -> None:
    """Refuse what is not one value alone. Of an answer the reader takes what stands behind "="; a value has none."""
    several = parameter.kind != "list" and len(_lines(text)) > 1
    if several or _MORE.search(unicodedata.normalize("NFKC", text)):
        raise _unread(parameter, text, "not-alone")


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def pasted(parameter: Parameter, text: str) -> None:
    """Refuse a pasted text that no line can hold as it is: a text that is too long, control characters, several lines.

    A line of typing would keep a part of it, and nobody would know which. Raises ``Unreadable``.
    """
    if len(text) > LONGEST:
        raise refused("too-long", parameter, text[:LONGEST], most=LONGEST)
    if any(unicodedata.category(letter) == "Cc" for letter in text if letter not in "\r\n\t"):
        raise refused("control", parameter, text)
    if parameter.kind not in ("text", "list") and len(_lines(text)) > 1:
        raise _unread(parameter, text, "not-alone")


def switch(parameter: Parameter, text: str) -> bool:
    """A value that is on or off, in either language. Raises ``Unreadable``."""
    from engine.diagnosis.reading import values
    from engine.diagnosis.written import NotRead

    try:
        return values.switch(text)
    except NotRead:
        raise refused("choice", parameter, text, known="on, off") from None


# --- texts -----------------------------------------------------------------------------------------------------------


def _text(parameter: Parameter, text: str) -> str:
    from engine.diagnosis.reading import values
    from engine.diagnosis.written import NotRead

    try:
        cleaned = values.text(text)
    except NotRead:
        raise refused("too-long", parameter, text, most=LONGEST) from None
    if len(cleaned) > parameter.most:
        raise refused("too-long", parameter, text, most=parameter.most)
    if not cleaned:
        raise refused("empty", parameter, text, example="…")
    return cleaned


def _choice(parameter: Parameter, text: str) -> str:
    """A choice by its name in any case, or by so much of it that only one begins so."""
    if set(parameter.choices) == {"on", "off"}:
        return showing.printed(parameter, switch(parameter, text))
    wanted = text.strip().lower()
    by_name = {choice.lower(): choice for choice in parameter.choices}
    begun = [name for name in by_name if name.startswith(wanted)]
    found = wanted if wanted in by_name else begun[0] if len(begun) == 1 else ""
    if found:
        return by_name[found]
    meant = _choice_of_format(parameter.choices, wanted)
    if not meant:
        raise refused("choice", parameter, text, known=", ".join(parameter.choices))
    return meant


_GENERAL: Mapping[str, str] = {"int4": "w4a16", "int8": "w8a8", "fp16": "bf16", "bf16": "fp16"}
"""Names that say a width alone, and the format that is usually meant where they are no choice themselves."""


def _choice_of_format(choices: Sequence[str], text: str) -> str:
    """The one of some number formats that a text means, however it is written; "" where none is, or more than one."""
    from engine.diagnosis.reading import formats

    try:
        form = formats.read(text).form
        if form.name in choices:
            return form.name
        if _GENERAL.get(form.name) in choices:
            return _GENERAL[form.name]
        alike = [one for one in choices if formats.read(one).form.layouts == form.layouts]
    except formats.NotAFormat:
        return ""
    return alike[0] if len(alike) == 1 else ""


def _listed(parameter: Parameter, text: str) -> tuple[int, ...]:
    """Whole numbers with commas, semicolons or blanks between them."""
    pieces = [piece for piece in re.split(r"[,;\s]+", text.strip().strip("[]()")) if piece]
    if not pieces:
        raise _unread(parameter, text)
    return tuple(int(_bounded(parameter, _count(parameter, piece), piece)) for piece in pieces)


# --- numbers ---------------------------------------------------------------------------------------------------------


def _bounded(parameter: Parameter, found: Fraction | int, text: str) -> Fraction | int:
    if parameter.only and found not in parameter.ladder:
        raise refused(
            "choice", parameter, text, known=", ".join(showing.printed(parameter, n) for n in parameter.ladder)
        )
    if not parameter.least <= found <= parameter.most:
        least, most = (showing.printed(parameter, bound) for bound in (parameter.least, parameter.most))
        raise refused("bounds", parameter, _as_read(parameter, found, text), least=least, most=most)
    return found


def _example(parameter: Parameter) -> str:
    """How a value is written: of what is usual those that this one may be, else the least and the most that it may."""
    usual = EXAMPLES.get(parameter.kind)
    if usual is None:
        return "".join(parameter.choices[:1]) or parameter.name
    if parameter.kind in ("model", "gpu"):
        return usual
    for written in (usual, FEWER.get(parameter.kind, "")):
        single = [written] if parameter.kind == "list" else written.split(", ")
        if fit := [one for one in single if one and _fits(parameter, one)]:
            return ", ".join(fit)
    return ", ".join(showing.printed(parameter, bound) for bound in (parameter.least, parameter.most))


def _fits(parameter: Parameter, text: str) -> bool:
    try:
        value(parameter, text)
    except Unreadable:
        return False
    return True


def _unread(parameter: Parameter, text: str, reason: str = "not-read") -> Unreadable:
    return refused(reason, parameter, text, example=_example(parameter))


def _reading(text: str) -> Reading | None:
    """What the reader of answers makes of a text; nothing where it cannot read it, or reads no value."""
    from engine.reader.errors import ReadError
    from engine.reader.names import Names
    from engine.reader.read import read

    try:
        found = read(text, Names())
    except ReadError:
        return None
    return None if found.value is None else found


def _dimension(found: Reading) -> str:
    """What a reading measures; "number" for plain numbers and for counted things."""
    from engine import units

    dimension = units.get(found.unit or "none").dimension
    return "number" if dimension in units.COUNTS else dimension


def _exact(found: Reading) -> Fraction:
    assert found.value is not None
    return found.value


def _is_bare(found: Reading, text: str) -> bool:
    """Whether a number says nothing of its size: no unit, no thousands, no exponent. "About 7" says none either."""
    from engine.tree import Num

    written = found.tree.text if isinstance(found.tree, Num) else text
    return not any(letter.isalpha() for letter in written)


def _as_read(parameter: Parameter, found: Fraction | int, text: str) -> str:
    """A text that is out of bounds, with the unit that it was read in where it has none itself."""
    plain = _reading(text) if parameter.kind in _USUAL else None
    usual = plain is not None and _is_bare(plain, text) and _exact(plain) not in (found, 0)
    return f"{text.strip()} {_USUAL[parameter.kind]}" if usual else text


def _whole(parameter: Parameter, found: Fraction, text: str) -> int:
    if found.denominator != 1:
        raise _unread(parameter, text, "not-whole")
    return found.numerator


_SHORT_COUNT = re.compile(r"\s*[\d.,_]+\s?[km]i?\s*", re.IGNORECASE)


def _count(parameter: Parameter, text: str) -> int:
    from engine.diagnosis.reading import values
    from engine.diagnosis.written import NotRead

    found = None if _SHORT_COUNT.fullmatch(text) else _reading(text)
    if found is not None:
        if _dimension(found) != "number":
            raise _unread(parameter, text, "wrong-unit")
        return _whole(parameter, _exact(found), text)
    try:
        return values.count(text)  # "32k", "32Ki"
    except NotRead as error:
        reason = error.reason if error.reason in ("not-whole", "wrong-unit") else "not-read"
        raise _unread(parameter, text, reason) from None


_SHORT_PARAMS = re.compile(r"\s*[\d.,_]+\s?(?:k|m|mn|b|bn)\s*(?:param(?:eter)?s?|weights?)?\s*", re.IGNORECASE)
_TRILLIONS = re.compile(r"(?<=\d)\s?t(?:rillion)?\b", re.IGNORECASE)


def _params(parameter: Parameter, text: str) -> int:
    from engine.diagnosis.reading import values
    from engine.diagnosis.written import NotRead

    if _SHORT_PARAMS.fullmatch(text):
        try:
            return values.parameters(text)  # "13B", "350M"
        except NotRead:
            raise _unread(parameter, text) from None
    found = _reading(_TRILLIONS.sub(" * 1000 billion", text))
    if found is None:
        raise _unread(parameter, text)
    if _dimension(found) != "number":
        raise _unread(parameter, text, "wrong-unit")
    exact = _exact(found)
    if not _is_bare(found, text):
        return round(exact)
    return round(exact * 10**9) if abs(exact) <= _BARE_PARAMS else _whole(parameter, exact, text)


_SHORT_BYTES = re.compile(r"(\s*[\d.,_]+\s?[kmgt]i?)\s*", re.IGNORECASE)


def _bytes(parameter: Parameter, text: str) -> Fraction:
    short = _SHORT_BYTES.fullmatch(text)
    found = _reading(f"{short[1]}B" if short else text)
    return _measured(parameter, text, found, ("bytes",), 10**9)


def _speed(parameter: Parameter, text: str) -> Fraction:
    return _measured(parameter, text, _reading(text), ("bytes/s", "bytes"), 10**9)


def _measured(
    parameter: Parameter, text: str, found: Reading | None, dimensions: tuple[str, ...], usual: int
) -> Fraction:
    """Whole bytes, or bytes a second; a small bare number is in the usual unit."""
    if found is None:
        raise _unread(parameter, text)
    dimension, exact = _dimension(found), _exact(found)
    if dimension in dimensions:
        return Fraction(round(exact))
    if dimension != "number" or found.unit is not None:
        raise _unread(parameter, text, "wrong-unit")
    return Fraction(round(exact * usual if _is_bare(found, text) and abs(exact) < _BARE else exact))


def _number(parameter: Parameter, text: str) -> Fraction:
    found = _reading(text)
    if found is None:
        raise _unread(parameter, text)
    if _dimension(found) not in ("number", "share", "factor"):
        raise _unread(parameter, text, "wrong-unit")
    return _exact(found)


# --- number formats --------------------------------------------------------------------------------------------------

_BITS = re.compile(r"\s*(?:w|int|uint|fp|bf)?\s?(\d{1,2}(?:\.\d{1,8})?|\d{1,6}/\d{1,6})[\s-]?bits?\s*", re.IGNORECASE)
_WIDTHS = re.compile(r"\s*w(\d{1,2})a\d{1,2}\s*", re.IGNORECASE)
_MOST_BYTES = 4
"""A larger bare number is a number of bits: no format has 8 bytes."""


def _bits(parameter: Parameter, text: str) -> int:
    found = _reading(text)
    if found is not None and found.unit is None:
        return _whole(parameter, _exact(found), text)
    return _whole(parameter, 8 * _format(parameter, text), text)


def _format(parameter: Parameter, text: str) -> Fraction:
    """Bytes of one number. A name that says a width is that width; of a method ("AWQ") the scales are counted in."""
    from tutor.commands.values import PRECISIONS

    known = PRECISIONS.get(text.strip().lower())
    if known is not None:
        return Fraction(known)
    bits = _BITS.fullmatch(text) or _WIDTHS.fullmatch(text)
    if bits is not None:
        over = bits[1].partition("/")[2]
        if over and not int(over):
            raise _unread(parameter, text)
        return Fraction(bits[1]) / 8
    found = _reading(text)
    if found is None:
        return _named_format(parameter, text)
    dimension, exact = _dimension(found), _exact(found)
    if dimension == "bytes":
        return exact
    if dimension == "width":
        return exact / 8
    if dimension != "number" or found.unit is not None:
        raise _unread(parameter, text, "wrong-unit")
    return exact if exact <= _MOST_BYTES else exact / 8


def _named_format(parameter: Parameter, text: str) -> Fraction:
    from engine.diagnosis.reading import formats

    try:
        return formats.read(text).form.linear_bits / 8
    except formats.NotAFormat:
        raise _unread(parameter, text) from None


_READERS: Mapping[Kind, Callable[[Parameter, str], Fraction | int]] = {
    "count": _count, "params": _params, "bytes": _bytes, "format": _format, "number": _number, "bits": _bits,
    "speed": _speed,
}  # fmt: skip
