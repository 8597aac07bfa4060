"""A verdict in words: frames and slips by id, put together in either language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from content import course, fill, words
from content.files import shipped
from content.lang import Lang, Text
from content.schema import Exercise, Part
from content.words import has, placeholders, put, say
from engine import units
from engine.answers.model import Verdict
from engine.formulas import worked

_SPACES = re.compile(r" {2,}")


def message(part_id: str | None, verdict: Verdict, lang: Lang) -> str:
    """What a verdict says to the learner: one to three sentences."""
    exercise, part = course.part(part_id) if part_id else (None, None)
    if verdict.verdict == "invalid":
        text = _invalid(verdict, lang)
    elif verdict.verdict == "correct":
        text = _correct(part, verdict, lang)
    else:
        text = _incorrect(exercise, part, verdict, lang)
    return _SPACES.sub(" ", text).strip()


def both(part_id: str | None, verdict: Verdict) -> Text:
    """The message in both languages."""
    return Text(message(part_id, verdict, "en"), message(part_id, verdict, "hi-Latn"))


# --- what was typed, for the sentences ------------------------------------------------------------------------------


def shown(verdict: Verdict, part: Part | None, lang: Lang) -> str:
    """The answer as it was read."""
    read = verdict.read
    if read is None:
        return ""
    if read.value is None:
        return option_text(part, read.text, lang) if part is not None else read.text
    unit = read.unit or "none"
    long = read.value.denominator == 1 and 10**5 <= abs(read.value) < 10**15
    return units.quantity(read.value * units.get(unit).factor, unit, "all" if long else 10)


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


# --- invalid --------------------------------------------------------------------------------------------------------


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
    if verdict.params.get("also_slip") == "gib-for-gb" and verdict.read is not None:
        params["unit"] = (verdict.read.unit or "GB").replace("B", "iB")
    if "also_slip" in verdict.params:
        params["also"] = say(f"slips.{verdict.params['also_slip']}.name", lang)
    return params


def _invalid_key(verdict: Verdict, params: Mapping[str, str]) -> str:
    """The most exact sentence whose values are all known."""
    reason = verdict.reason or "syntax"
    variants = {
        "syntax": "end" if params.get("found") in ("", "=") else "shift" if params.get("found") in ("<<", ">>") else "",
        "more-digits": ("unit" if params.get("also_slip") == "gib-for-gb" else "also") if params.get("also") else "",
        "wrong-dimension": "none" if not params.get("wanted") else "",
        "grouping": "points" if params.get("points") else "",
        "comma-unclear": "three" if params.get("whole") else "",
        "bad-characters": _character_kind(params.get("char", "")),
    }
    exact = f"verdicts.invalid-{reason}-{variants.get(reason, '')}"
    if variants.get(reason) and has(exact) and all(name in params for name in placeholders(words.text(exact)["en"])):
        return exact
    plain = f"verdicts.invalid-{reason}"
    return plain if has(plain) else "verdicts.invalid-syntax"


def _character_kind(char: str) -> str:
    if char.startswith("U+"):
        return (
            "bidi"
            if char in ("U+202A", "U+202B", "U+202C", "U+202D", "U+202E", "U+2066", "U+2067", "U+2068", "U+2069")
            else "control"
        )
    return "fraction" if char in "½¼¾⅓⅔⅕⅛" and char else ""


# --- correct --------------------------------------------------------------------------------------------------------


def _correct(part: Part | None, verdict: Verdict, lang: Lang) -> str:
    expected = verdict.expected
    display = expected.display if expected else ""
    value = shown(verdict, part, lang)
    if "follow-through" in verdict.notes:
        return _follow_through(part, verdict, lang)
    if "other-definition" in verdict.notes and part is not None and part.accept_note is not None:
        return say("verdicts.correct-other-definition", lang, note=part.accept_note[lang])
    if "by-luck" in verdict.notes:
        return say("verdicts.correct-by-luck", lang)
    if "fraction-as-percent" in verdict.notes and verdict.read is not None:
        fraction = units.number(verdict.read.base_value or Fraction(0), 4)
        return say("verdicts.correct-percent-fraction", lang, shown=fraction, display=display)
    if "other-unit" in verdict.notes:
        return say("verdicts.correct-other-unit", lang, shown=value, display=display)
    kind = part.kind if part is not None else ""
    key = f"verdicts.correct-{kind}"
    return say(key if has(key) else "verdicts.correct", lang, shown=value, display=display)


def _follow_through(part: Part | None, verdict: Verdict, lang: Lang) -> str:
    if part is None:
        return say("verdicts.correct", lang)
    own = verdict.params.get("earlier", "").split()
    exercise, _ = course.part(part.id)
    labels = ", ".join(p.label[lang] for p in exercise.parts if p.formula in own and p.id != part.id)
    return say("verdicts.follow-through", lang, earlier=labels)


# --- incorrect ------------------------------------------------------------------------------------------------------


def _incorrect(exercise: Exercise | None, part: Part | None, verdict: Verdict, lang: Lang) -> str:
    about = _SlipWords(exercise, part, verdict, lang)
    slips = [slip for slip in verdict.slips if has(f"slips.{slip}.text")]
    if not slips:
        return _unnamed(part, verdict, lang)
    if "seen-in-working" in verdict.notes:
        return say("verdicts.seen-in-working", lang, text=about.text(slips[0]))
    if not verdict.ambiguous:
        return say("verdicts.slip", lang, lead=about.lead(), text=about.text(slips[0]))
    clauses = dict(zip("abc", (about.maybe(slip) for slip in slips), strict=False))
    frame = {2: "ambiguous", 3: "ambiguous-three"}.get(len(slips), "ambiguous-many")
    return say(f"verdicts.{frame}", lang, lead=about.lead(), ask=splitting_question(slips, lang), **clauses)


def _unnamed(part: Part | None, verdict: Verdict, lang: Lang) -> str:
    """Words for a wrong answer whose slip is not known; they do not give the answer away."""
    value = shown(verdict, part, lang)
    kind = part.kind if part is not None else ""
    if part is not None and "other" in verdict.params:
        other = course.part(verdict.params["other"])[1]
        labels = {"other": other.label[lang], "own": part.label[lang]}
        return say("verdicts.incorrect-other-part", lang, shown=value, **labels)
    if kind == "order":
        key = (
            "verdicts.incorrect-order"
            if verdict.params.get("right_count", "0") != "0"
            else "verdicts.incorrect-order-start"
        )
    elif "near" in verdict.notes:
        key = "verdicts.incorrect-near-integer" if kind == "integer" else "verdicts.incorrect-near"
    elif verdict.read is not None and verdict.read.value is not None:
        about = {"integer": "count", "percent": "share", "factor": "ratio"}.get(kind, "number")
        key = f"verdicts.incorrect-{about}"
    else:
        key = f"verdicts.incorrect-{kind}" if has(f"verdicts.incorrect-{kind}") else "verdicts.incorrect"
    return say(key, lang, shown=value, **verdict.params)


class _SlipWords:
    """Sentences about slips, filled from the exercise's values and the learner's."""

    def __init__(self, exercise: Exercise | None, part: Part | None, verdict: Verdict, lang: Lang) -> None:
        self.lang = lang
        self.verdict = verdict
        self.params: dict[str, str] = {}
        given = part.given if part is not None else {}
        for symbol, value in given.items():
            self.params[f"given.{symbol}"] = fill.plain_value(symbol, value, lang)
        if "capacity" in given:
            self.params["given.capacity_gb"] = units.number(given["capacity"] / 10**9, 6)
        if exercise is not None and exercise.carry is not None:
            for symbol, (value, _) in exercise.carry.symbols.items():
                self.params[f"carry.{symbol}"] = fill.plain_value(symbol, value, lang)
        if verdict.read is not None and verdict.read.value is not None:
            self.params["value"] = units.number(verdict.read.value, 6)

    def text(self, slip: str) -> str:
        """The feedback of a slip; its short name where the exercise lacks a value that the feedback shows."""
        template = words.text(f"slips.{slip}.text")[self.lang]
        if all(name in self.params for name in placeholders(template)):
            return put(template, self.params)
        return say(f"slips.{slip}.name", self.lang)

    def maybe(self, slip: str) -> str:
        """The slip as a clause."""
        template = words.text(f"slips.{slip}.maybe")[self.lang]
        if all(name in self.params for name in placeholders(template)):
            return put(template, self.params)
        return say(f"slips.{slip}.name", self.lang)

    def lead(self) -> str:
        """ "Exactly half.": said only of simple ratios, since an odd ratio would hand over the answer."""
        read, expected = self.verdict.read, self.verdict.expected
        if read is None or expected is None or not read.base_value or not expected.value:
            return ""
        ratio = read.base_value / expected.value
        simple = {"half": Fraction(1, 2), "double": Fraction(2), "quarter": Fraction(1, 4)}
        for name, exact in simple.items():
            if abs(ratio - exact) <= exact / 100:
                return say(f"verdicts.lead-{name}", self.lang)
        off_by_one = expected.value.denominator == 1 and abs(read.base_value - expected.value) == 1
        return say("verdicts.lead-near", self.lang) if off_by_one else ""


def splitting_question(slips: list[str], lang: Lang) -> str:
    """The question that tells slips of one value apart; a general one when the catalogue has none for them."""
    found = set(slips)
    for row, ask in _splits():
        if row <= found:
            return ask[lang]
    return say("verdicts.ask-which", lang)


@lru_cache(maxsize=1)
def together() -> tuple[frozenset[str], ...]:
    """The sets of slips that may share a value, since a question splits them."""
    return tuple(row for row, _ in _splits())


@lru_cache(maxsize=1)
def _splits() -> tuple[tuple[frozenset[str], Text], ...]:
    rows: list[dict[str, Any]] = shipped("words/slips.toml").get("split", [])
    return tuple((frozenset(row["slips"]), Text.of(row["ask"])) for row in rows if not row.get("equal"))


# --- the echo line --------------------------------------------------------------------------------------------------


def echo(part_id: str, typed: str, lang: Lang) -> str:
    """The line under the input: how the typed text reads so far. Never raises, never judges."""
    from content.checking import read_only

    if not typed.strip():
        return say("verdicts.echo-empty", lang)
    _, part = course.part(part_id)
    verdict = read_only(part_id, typed)
    if verdict.verdict == "invalid" and verdict.reason != "self-marked":
        return say("verdicts.echo-waiting", lang, text=_SPACES.sub(" ", _invalid(verdict, lang)))
    text = shown(verdict, part, lang)
    read = verdict.read
    if read is None or read.value is None or read.base_value is None or read.unit is None:
        key = {"formula": "echo-formula", "order": "echo-order"}.get(part.kind, "echo-choice")
        return say(f"verdicts.{key}", lang, shown=text)
    unit = units.get(read.unit)
    if unit.dimension != "bytes" or unit.factor == 1:
        return say("verdicts.echo-number-plain", lang, shown=text)
    return say("verdicts.echo-number", lang, shown=text, base=worked.base_text(read.base_value, "bytes"))
