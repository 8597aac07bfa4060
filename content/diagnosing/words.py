"""Single pieces of a report in words: ids, numbers, sentences whose values are known, what a learner wrote.

What comes from a learner, a log or a file is cleaned and put in as it is; it is never looked at again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from content import words
from content.lang import Lang
from engine import units
from engine.diagnosis.fields import BY_ATTRIBUTE, BY_NAME, TABLES
from engine.diagnosis.model import Amount, Conflict, Finding, Key, Param
from engine.units import UNITS

ROOT = "diagnosis"
LONGEST = 160
"""Characters of a learner's text that a sentence takes in."""

_NOUNS: Mapping[str, str] = {
    **dict.fromkeys(("max_len", "longest", "tokens", "context", "prompt", "output", "used", "total", "each"), "tokens"),
    **dict.fromkeys(("seqs", "batch", "knee", "largest", "fits", "running", "offered", "cap", "asked"), "requests"),
    **dict.fromkeys(("reserved", "slots"), "slots"),
    "heads": "heads",
    "cards": "cards",
    "layers": "layers",
    **dict.fromkeys(("gpus", "tp", "pp", "dp"), "cards"),
    **dict.fromkeys(("concurrency", "max_num_seqs"), "requests"),
    **dict.fromkeys(("max_model_len", "max_num_batched_tokens", "kv_pool_tokens", "block_size", "reserve"), "tokens"),
}
"""The noun of a plain count, by the name of the parameter: the engine gives some as whole numbers alone."""

_LADDERS: Mapping[str, tuple[str, ...]] = {
    "bytes": ("PB", "TB", "GB", "MB", "KB", "bytes"),
    "GB": ("PB", "TB", "GB", "MB"),
    "s": ("h", "s", "ms", "us", "ns"),
    "ms": ("h", "s", "ms", "us", "ns"),
    "bytes/s": ("TB/s", "GB/s", "MB/s", "bytes/s"),
    "FLOP": ("TFLOP", "GFLOP"),
    "FLOP/s": ("TFLOP/s", "GFLOP/s"),
}
"""Units that a size may be shown in, the largest first; others (GiB of a log, tokens, shares) stay what they are."""


# --- numbers ---------------------------------------------------------------------------------------------------------


def quantity(value: Fraction, unit: str, lang: Lang, digits: int = 3) -> str:
    """A value in base units as a person reads it: bytes as GB where they are many, a count with its noun.

    GB is 10^9 bytes; GiB is shown only where a flag or a log counts so.
    """
    if unit in units.COUNTS:
        shown = count(value)
        return f"{shown} {words.noun(unit, shown, lang)}"
    return _printed(value.numerator, value.denominator, unit, digits)


@lru_cache(maxsize=4096)
def _printed(top: int, bottom: int, unit: str, digits: int) -> str:
    """:func:`quantity` of anything but a count; a report prints many values in both languages, or twice."""
    value = _light(Fraction(top, bottom))
    return units.quantity(value, _readable(value, unit), digits)


def _light(value: Fraction) -> Fraction:
    """A value that costs little to print: a computed time may have hundreds of digits that nobody sees."""
    return value if value.denominator < _HEAVY else Fraction(float(value))


_HEAVY = 10**12
"""Denominators from here on are those of computed values, which no rounding at the last digit shown depends on."""


def _readable(value: Fraction, unit: str) -> str:
    ladder, (top, bottom) = _RUNGS.get(unit, ()), value.as_integer_ratio()
    for name, least, of in ladder:
        if abs(top) * of >= least * bottom:
            return name
    return ladder[-1][0] if value and ladder else unit


_FROM = {"ms": Fraction(1, 20), "h": Fraction(10)}
"""From so much of a unit on it is used: parts of a millisecond are easier to compare than microseconds."""
_RUNGS = {
    unit: tuple((name, *(UNITS[name].factor * _FROM.get(name, 1)).as_integer_ratio()) for name in ladder)
    for unit, ladder in _LADDERS.items()
}
"""The ladders, each unit with the least value that it is for, as numerator and denominator."""


def count(value: Fraction | int) -> str:
    """A count: whole ones in full, grouped when they are long; others with three digits."""
    top, bottom = value.numerator, value.denominator
    if bottom == 1 and abs(top) < _COUNTED:
        return units.grouped(top)
    return units.number(_light(Fraction(value)), "all" if bottom == 1 else 3)


_COUNTED = 10**15
"""From here on a count is written with a power of ten, or in a few digits."""


def gb(value: Fraction) -> str:
    """Bytes of a ledger, which one reads in columns: always GB, with one place above ten and two below."""
    size = _light(value) / UNITS["GB"].factor
    if 0 < abs(size) < Fraction(1, 200):
        return units.quantity(_light(value), "MB", 2)
    if abs(size) >= _COLUMN:
        return quantity(value, "bytes", "en")
    return f"{float(size):.1f} GB" if abs(size) >= 10 else f"{float(size):.2f} GB"


_COLUMN = 10**5
"""GB that no column has room for, and no server."""


def seconds(value: Fraction, lang: Lang) -> str:
    """A time: ms below a second."""
    return quantity(value, "s", lang)


def share(value: Fraction, lang: Lang) -> str:
    """A share in percent, as exact as a verdict can be."""
    return quantity(value, "%", lang, 2 if abs(value) < Fraction(995, 1000) else 3)


def factor(value: Fraction) -> str:
    """How many times."""
    return _printed(value.numerator, value.denominator, "x", 3)


# --- parameters ------------------------------------------------------------------------------------------------------


def clean(text: object, most: int = LONGEST) -> str:
    """Somebody's own text on one line, without signs that a terminal would obey, and not too long."""
    flat = "".join(char if char.isprintable() else " " for char in str(text)[: most * 4])
    flat = " ".join(flat.split())
    if len(flat) <= most:
        return flat
    cut = flat[: most - 1]
    whole = cut.rpartition(" ")[0] if flat[most - 1] != " " else cut  # a part of a word may read as another one
    return (whole if len(whole) > most * 2 // 3 else cut).rstrip(" ,;:") + "…"


_NOTES = re.compile(r"\b\w{1,20}\.md,? sections? [\d.]{1,8}[:,]? ?")
"""References to notes that a reader does not have; what they say stands behind them."""


def source(text: str) -> str:
    """Where a figure comes from, as the engine has it."""
    return clean(_NOTES.sub("", text), 240)


def shown(value: Param | bool | None, lang: Lang, name: str = "") -> str:
    """A parameter in words; ``name`` is what it stands for, which gives a plain count its noun."""
    if value is None:
        return words.say("diagnosis.label.unknown", lang)
    if isinstance(value, bool) or value in ("true", "false"):
        return words.say("diagnosis.label.on" if value in (True, "true") else "diagnosis.label.off", lang)
    if isinstance(value, Key):
        return _key(value.name, lang)
    if isinstance(value, Amount):
        noun = _NOUNS.get(name)
        bare = value.unit == "none" or (value.unit, noun) == ("tokens", "slots")  # of a reservation: its slots
        return quantity(value.value, noun if bare and noun else value.unit, lang)
    if isinstance(value, int):
        noun = _NOUNS.get(name)
        return count(value) if noun is None else quantity(Fraction(value), noun, lang)
    return clean(value)


def _key(name: str, lang: Lang) -> str:
    for key in (f"{ROOT}.{name}", f"{ROOT}.{name}.name"):
        if words.has(key):
            return words.say(key, lang)
    return clean(name)


def params(given: Mapping[str, Param], lang: Lang) -> dict[str, str]:
    """All parameters in words."""
    return {name: shown(value, lang, name) for name, value in given.items()}


# --- sentences -------------------------------------------------------------------------------------------------------


def sentence(base: str, given: Mapping[str, str], lang: Lang) -> str:
    """The most exact sentence of an id whose values are all known; "" where it has none.

    Args:
        base: a key under ``diagnosis``, with or without the variants ``text``, ``less``, ``least`` and ``bare``.
        given: values in words; empty ones count as not known.
    """
    known = {name: value for name, value in given.items() if value}
    for key in (base, *(f"{base}.{variant}" for variant in ("text", "less", "least", "bare"))):
        full = f"{ROOT}.{key}"
        if words.has(full) and known.keys() >= set(words.placeholders(words.text(full)["en"])):
            return words.put(words.text(full)[lang], known)
    return ""


def one_of(group: str, name: str, lang: Lang, given: Mapping[str, str] | None = None) -> str:
    """The words of an id of a group, or the group's ``other`` for an id that has none."""
    known = dict(given or {})
    return sentence(f"{group}.{name}", known, lang) or sentence(f"{group}.other", known, lang)


def label(name: str, lang: Lang, **values: str) -> str:
    """A label or frame of the report."""
    return words.say(f"{ROOT}.label.{name}", lang, **values)


def named(group: str, name: str, lang: Lang, short: bool = False) -> str:
    """The name of a wall, lever, measure ... ; the id itself where it has none, so that nothing is lost."""
    for key in (f"{ROOT}.{group}.{name}.short",) * short + (f"{ROOT}.{group}.{name}.name",):
        if words.has(key):
            return words.say(key, lang)
    return clean(name)


def cause(finding: Finding, lang: Lang) -> str:
    """What a cause says here, with its arithmetic; the wall's own sentence for a cause without one."""
    known = {name: value for name, value in finding.params.items() if not _negative(value)}
    text = sentence(f"cause.{finding.cause}", params(known, lang), lang)
    return text or sentence(f"detail.{finding.detail}", {}, lang) or sentence(f"wall.{finding.wall}", {}, lang)


def _negative(value: Param) -> bool:
    """Whether an amount is below zero: "-3 GB is left" is no sentence, and a less exact one does without it."""
    return isinstance(value, Amount) and value.value < 0


def field(name: str, lang: Lang, short: bool = False) -> str:
    """The label of an input: a public name, a field of the scenario, a line of the ledger, or "flags.<name>"."""
    if name.startswith("flags."):
        return clean(name.removeprefix("flags."), 60)
    public = BY_ATTRIBUTE[name].name if name in BY_ATTRIBUTE else name
    for group in ("field", "ledger", "label", "measure"):
        if words.has(f"{ROOT}.{group}.{public}.name"):
            return named(group, public, lang, short)
    return clean(name, 60)


def evidence(text: str, lang: Lang) -> str:
    """What a finding rests on: the label of an input, or a sentence as it was written."""
    if text in BY_NAME or text in BY_ATTRIBUTE or text in TABLES:
        return field(text, lang)
    return _FIGURE.sub(lambda found: _figure(found, lang), clean(text)).rstrip(" .;")


_FIGURE = re.compile(
    r"(?<![\w.])(?P<name>[a-z]{2,20}(?:_[a-z]{1,20}){1,6}) (?P<first>\d[\d.]{0,20})(?: → (?P<last>\d[\d.]{0,20}))?"
)
"""A name of what was read with its value, or the way it went."""


def _figure(found: re.Match[str], lang: Lang) -> str:
    """The same with its label and unit; a name that is no observation's stays as it was written."""
    from content.diagnosing import amounts, observed_names
    from engine.artefacts.vocabulary import TERMS

    name, whole = found["name"], found[0]
    given = [part.rstrip(".") for part in (found["first"], found["last"]) if part]
    if (
        name not in TERMS
        or not TERMS[name].unit
        or TERMS[name].form == "fact"
        or any(part.count(".") > 1 for part in given)
    ):
        return whole
    said = [observed_names.value(name, float(part), lang) for part in given]
    course = f"{amounts.bare(*said)} → {said[1]}" if len(said) > 1 else said[0]
    return f"{observed_names.label(name, lang)} {course}"


def problem(reason: str, field_name: str, given: Mapping[str, object], lang: Lang) -> str:
    """Why a scenario is impossible, or a text is none: ``ScenarioProblem`` in words."""
    known = {name: _given(name, value, lang) for name, value in given.items()}
    known["field"] = field(field_name, lang) or field("file", lang)
    if reason == "too-large" and "most" in known and "value" not in known:
        reason = "config-too-large" if field_name == "model" else "file-too-large"
    return one_of("problem", reason, lang, known)


def _given(name: str, value: object, lang: Lang) -> str:
    """A value of a problem: a count with its noun where a sentence wants one."""
    if isinstance(value, int) and name in ("tokens", "window", "layers"):
        return quantity(Fraction(value), "layers" if name == "layers" else "tokens", lang)
    return clean(value, 60)


_PLACE = re.compile(r"<an? (small )?([^<>]{1,40})>")
"""What stands in a flag for a name that one has to choose."""


def flag(text: str, lang: Lang) -> str:
    """A flag to copy; what is to be filled in is said in the language."""
    told = clean(text)
    if lang == "en":
        return told
    return _PLACE.sub(lambda found: f"<{'chhota ' if found[1] else ''}{found[2]}>", told)


def conflict(one: Conflict, lang: Lang) -> str:
    """What was told twice, what holds, and by which rule where it is not the order of the sources."""
    given = one._asdict()
    short = {name: clean(given[name], 60) for name in ("kept", "kept_source", "dropped", "dropped_source")}
    if one.rule == "card":
        return words.say("diagnosis.conflict.card", lang, field=field(one.field, lang), **short)
    said = words.say("diagnosis.conflict.text", lang, field=field(one.field, lang), **short)
    return f"{said} {words.say(f'diagnosis.conflict.{one.rule}', lang)}" if one.rule else said


def unread(field_name: str, text: str, reason: str, lang: Lang) -> str:
    """What could not be used, and why."""
    why = one_of("unread", reason, lang, {"text": clean(text, 160)})
    why = why or one_of("unread", reason, lang, {"text": label("hidden", lang)})  # nothing of it can be shown
    name = clean(field_name, 60) if reason == "unknown-key" else field(field_name, lang)
    return f"{name}: {why}"
