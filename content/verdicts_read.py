"""What was typed, as sentences name it: a value, an option, a part; and what is said where it could not be read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from content import course, words
from content.address import plain
from content.lang import Lang
from content.schema import Part
from content.slips import only
from content.words import has, placeholders, say
from engine import units
from engine.answers.model import Read, Verdict

_SPACES = re.compile(r" {2,}")


def shown(verdict: Verdict, part: Part | None, lang: Lang) -> str:
    """The answer as it was read."""
    read = verdict.read
    if read is None:
        return ""
    if read.value is None:
        return option_text(part, read.text, lang) if part is not None else read.text
    unit = read.unit or "none"
    if part is not None and units.counts_alike(unit, part.unit):
        unit = part.unit  # the word of the question: a conversation is no session to everybody
    long = read.value.denominator == 1 and 10**5 <= abs(read.value) < 10**15
    digits: units.Digits = "all" if long else 10 if _as_typed(read) else _not_whole(read.value)
    return units.quantity(read.value * units.get(unit).factor, unit, digits)


MOST_DIGITS = 12
"""Digits that are shown at most so that a value does not look whole which is not."""


def _not_whole(value: Fraction) -> int | None:
    """Digits with which a value that was worked out looks whole only if it is: 312/2.039 is not 153, but 153.02."""
    places = range(max(4, units.exponent(value) + 1) if value else 4, MOST_DIGITS + 1)
    if value.denominator == 1:
        return None
    return next((n for n in places if units.round_significant(value, n).denominator != 1), None)


def _as_typed(read: Read) -> bool:
    """Whether a value has the digits that were typed. One that was worked out has as many as the division gave, and
    nobody wants to read them all."""
    exact = units.decimal_text(abs(read.value or Fraction(0)))
    typed = "".join(str(int(char)) for char in read.text if char.isdecimal())
    return exact is not None and exact.replace(".", "").strip("0") in typed


def option_text(part: Part, reading: str, lang: Lang) -> str:
    """Option ids as the learner sees them."""
    if part.kind == "formula":
        return reading
    if part.kind == "judge":
        return say(f"verdicts.word-{reading}", lang) if reading in ("yes", "no") else reading
    sets = part.attributes or (part.options,)
    names = {option.id: option.text[lang].rstrip(".") for options in sets for option in options}
    text = ", ".join(names.get(one, one) for one in reading.split())
    return f"{part.label[lang]} → {text}" if part.kind == "match" else text


def place_text(part_id: str, lang: Lang) -> str:
    """A part as a sentence names it: "L2.1 (KV cache)"."""
    _, part = course.part(part_id)
    return f"{exercise_name(part_id)} ({part.label[lang]})"


def exercise_name(part_id: str) -> str:
    """The exercise of a part: "L2.1"."""
    return plain(part_id).split("/")[1]


def earlier(part: Part, verdict: Verdict, lang: Lang) -> str:
    """The parts whose values an answer follows from: by their labels, with the exercise where it is another one."""
    places = verdict.params.get("earlier_parts", "").split()
    return ", ".join(
        course.part(place)[1].label[lang] if place.rpartition("/")[0] == part.exercise else place_text(place, lang)
        for place in places
    )


# --- what could not be read ------------------------------------------------------------------------------------------


def unreadable(verdict: Verdict, lang: Lang) -> str:
    """What an ``invalid`` verdict says."""
    return _SPACES.sub(" ", _invalid(verdict, lang)).strip()


def _invalid(verdict: Verdict, lang: Lang) -> str:
    params = _invalid_params(verdict, lang)
    return say(_invalid_key(verdict, params), lang, **params)


def _invalid_params(verdict: Verdict, lang: Lang) -> dict[str, str]:
    """Every value that some sentence about an unreadable answer asks for."""
    start = verdict.span[0] + 1 if verdict.span else 1
    params = {
        "position": str(start),
        "typed": "",
        "word": "",
        "unit": "",
        "options": "",
        "symbols": "",
        "shown": shown(verdict, None, lang),
    }
    params |= verdict.params
    if only(verdict.params.get("also_slip", "")) == "binary" and verdict.read is not None:
        params["unit"] = (verdict.read.unit or "GB").replace("B", "iB")
    if "also_slip" in verdict.params:
        params["also"] = say(f"slips.{verdict.params['also_slip']}.name", lang)
    return params


def _invalid_key(verdict: Verdict, params: Mapping[str, str]) -> str:
    """The most exact sentence whose values are all known."""
    reason = verdict.reason or "syntax"
    also = "unit" if only(params.get("also_slip", "")) == "binary" else "also"
    variants = {
        "syntax": "end" if params.get("found") in ("", "=") else "shift" if params.get("found") in ("<<", ">>") else "",
        "more-digits": also if params.get("also") else "",
        "wrong-dimension": "none" if not params.get("wanted") else "",
        "grouping": "points" if params.get("points") else "",
        "comma-unclear": "three" if params.get("whole") else "",
        "bad-characters": _character_kind(params.get("char", "")),
    }
    more = variants.get(reason) or params.get("more", "")
    exact = f"verdicts.invalid-{reason}-{more}"
    if more and has(exact) and all(name in params for name in placeholders(words.text(exact)["en"])):
        return exact
    plain = f"verdicts.invalid-{reason}"
    return plain if has(plain) else "verdicts.invalid-syntax"


_BIDI = frozenset(f"U+{code:04X}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Characters that turn the direction of a text."""


def _character_kind(char: str) -> str:
    if not char.startswith("U+"):
        return ""
    return "bidi" if char in _BIDI else "control"
