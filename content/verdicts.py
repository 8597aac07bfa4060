"""A verdict in words: frames and slips by id, put together in either language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from content import course, words
from content.address import plain
from content.lang import Lang, Text
from content.schema import Exercise, Part
from content.slips import SlipWords, only, question_after, splitting_question
from content.words import has, placeholders, say
from engine import units
from engine.answers.model import Read, Verdict

_SPACES = re.compile(r" {2,}")


def message(part_id: str | None, verdict: Verdict, lang: Lang) -> str:
    """What a verdict says to the learner: one to three sentences."""
    exercise, part = course.part(part_id) if part_id else (None, None)
    if verdict.verdict == "invalid":
        return unreadable(verdict, lang)
    right = verdict.verdict == "correct"
    text = _correct(part, verdict, lang) if right else _incorrect(exercise, part, verdict, lang)
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


def unreadable(verdict: Verdict, lang: Lang) -> str:
    """What an ``invalid`` verdict says."""
    return _SPACES.sub(" ", _invalid(verdict, lang)).strip()


def clause(slip: str, exercise: Exercise, part: Part, verdict: Verdict, lang: Lang) -> str:
    """A slip as a clause ("the 2 for key and value is missing"), for sentences of one's own; empty where the question
    lacks a value that the clause shows."""
    return SlipWords(exercise, part, verdict, lang).clause(slip)


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
    if "same-value" in verdict.notes:
        ask = question_after(verdict.params.get("same", "").split(), lang)
        return say("verdicts.correct-same-value", lang, shown=value, ask=ask)
    if "other-unit" in verdict.notes:
        return say("verdicts.correct-other-unit", lang, shown=value, display=display)
    kind = part.kind if part is not None else ""
    key = f"verdicts.correct-{kind}"
    return say(key if has(key) else "verdicts.correct", lang, shown=value, display=display)


def _follow_through(part: Part | None, verdict: Verdict, lang: Lang) -> str:
    if part is None:
        return say("verdicts.correct", lang)
    key = "follow-through-rounded" if "rounded-before" in verdict.notes else "follow-through"
    return say(f"verdicts.{key}", lang, earlier=_earlier(part, verdict, lang))


def _earlier(part: Part, verdict: Verdict, lang: Lang) -> str:
    """The parts whose values an answer follows from: by their labels, with the exercise where it is another one."""
    places = verdict.params.get("earlier_parts", "").split()
    return ", ".join(
        course.part(place)[1].label[lang] if place.rpartition("/")[0] == part.exercise else place_text(place, lang)
        for place in places
    )


def place_text(part_id: str, lang: Lang) -> str:
    """A part as a sentence names it: "L2.1 (KV cache)"."""
    _, part = course.part(part_id)
    return f"{_exercise_name(part_id)} ({part.label[lang]})"


def _exercise_name(part_id: str) -> str:
    return plain(part_id).split("/")[1]


# --- incorrect ------------------------------------------------------------------------------------------------------


def _incorrect(exercise: Exercise | None, part: Part | None, verdict: Verdict, lang: Lang) -> str:
    about = SlipWords(exercise, part, verdict, lang)
    slips = _with_words(verdict)
    if "impossible" in verdict.params and part is not None:
        key = f"verdicts.follow-through-{verdict.params['impossible']}"
        return say(key, lang, earlier=_earlier(part, verdict, lang))
    if not slips:
        return _unpaired(exercise, part, verdict, lang) or _unnamed(part, verdict, lang)
    if "likely" in verdict.params:  # said are the likelier ones; the rest can be picked
        likely = verdict.params["likely"].split()
        slips = [s for s in slips if s in likely or ("together" in verdict.notes and s == verdict.slips[0])] or slips
    if "follow-through-slip" in verdict.notes and part is not None:
        places = verdict.params.get("earlier_parts", "").split()
        names = ", ".join(dict.fromkeys(_exercise_name(place) for place in places))
        labels = ", ".join(course.part(place)[1].label[lang] for place in places)
        text = about.text(slips[0]) if not verdict.ambiguous else _either("", about, slips, lang)
        return say("verdicts.follow-through-slip", lang, earlier=labels, place=names, text=text)
    if "together" in verdict.notes and len(slips) > 1:
        return _together(about, slips, verdict, lang)
    if "seen-in-working" in verdict.notes:
        return say("verdicts.seen-in-working", lang, text=about.text(slips[0]))
    if "seen-in-sibling" in verdict.notes and "sibling" in verdict.params:
        return _seen_in_sibling(about, slips, verdict, lang)
    if not verdict.ambiguous:
        return say("verdicts.slip", lang, lead=about.lead(), text=about.text(slips[0]))
    if "possible" in verdict.notes or len(slips) == 1:
        return _possible(about, slips, lang)
    return _either(about.lead(), about, slips, lang)


def _with_words(verdict: Verdict) -> list[str]:
    """The slips that can be spoken of. Two that explain the value only at once are one entry: both ids and a blank."""
    slips, pair = [slip for slip in verdict.slips if has(f"slips.{slip}.text")], verdict.params.get("pair", "")
    return [slip for slip in slips if slip not in pair.split()] + [pair] if pair else slips


def _open(verdict: Verdict) -> list[str]:
    """The slips between which nothing decides yet."""
    slips = _with_words(verdict)
    return slips[1:] if "together" in verdict.notes else slips


def _either(lead: str, about: SlipWords, slips: list[str], lang: Lang) -> str:
    """The slips that share a value, as clauses, and the question that tells them apart."""
    clauses = dict(zip("abc", (about.maybe(slip) for slip in slips), strict=False))
    frame = {2: "ambiguous", 3: "ambiguous-three"}.get(len(slips), "ambiguous-many")
    return say(f"verdicts.{frame}", lang, lead=lead, ask=_question(about), **clauses)


def _question(about: SlipWords) -> str:
    """The question that tells everything apart that can be picked, the less likely slips too."""
    return splitting_question(_open(about.verdict), about.lang)


def _possible(about: SlipWords, slips: list[str], lang: Lang) -> str:
    """What may have happened, put as no more than that."""
    if len(slips) > 2:
        return _either(about.lead(), about, slips, lang)
    clauses = dict(zip("ab", (about.maybe(slip) for slip in slips), strict=False))
    frame = "possible-two" if len(slips) == 2 else "possible"
    return say(f"verdicts.{frame}", lang, lead=about.lead(), ask=_question(about), **clauses)


def _together(about: SlipWords, slips: list[str], verdict: Verdict, lang: Lang) -> str:
    """Two slips in one answer; with more than two, one that is sure and others that share the value."""
    a, b, *more = (about.maybe(slip) for slip in slips)
    if "seen-in-working" in verdict.notes:
        return say("verdicts.together-in-working", lang, a=a, b=b)
    ask = _question(about) if verdict.ambiguous else ""
    if not more:
        return f"{say('verdicts.together', lang, lead=about.lead(), a=a, b=b)} {ask}"
    others = f", {say('verdicts.word-or', lang)} ".join(more)
    return say("verdicts.together-either", lang, lead=about.lead(), a=a, b=b, c=others, ask=ask)


def _seen_in_sibling(about: SlipWords, slips: list[str], verdict: Verdict, lang: Lang) -> str:
    """A slip that another answer of the learner shows too; or several, which that answer does not tell apart."""
    place = place_text(verdict.params["sibling"], lang)
    if not verdict.ambiguous:
        return say("verdicts.seen-in-sibling", lang, place=place, text=about.text(slips[0]))
    return say("verdicts.seen-in-sibling-either", lang, place=place, text=_either("", about, slips, lang))


# --- the question that tells slips apart, to be answered ------------------------------------------------------------


MOST_CHOICES = 5
"""Slips that can be picked at most."""


class Choice(NamedTuple):
    """One thing that the learner may say happened: its letter, the slip ("" for something else), and its words."""

    letter: str
    slip: str
    text: str


def choices(part_id: str | None, verdict: Verdict, lang: Lang) -> tuple[Choice, ...]:
    """What the learner can pick to answer a splitting question; nothing where none is asked."""
    if verdict.verdict != "incorrect" or not verdict.ambiguous:
        return ()
    slips = _open(verdict)
    exercise, part = course.part(part_id) if part_id else (None, None)
    about = SlipWords(exercise, part, verdict, lang)
    rows = [(slip, about.mine(slip)) for slip in slips[:MOST_CHOICES]]
    rows.append(("", say("verdicts.choice-other", lang)))
    return tuple(Choice(letter, slip, text) for letter, (slip, text) in zip("abcdef", rows, strict=False))


def settled(part_id: str | None, verdict: Verdict, slip: str, lang: Lang) -> str:
    """What to say once the learner has picked a slip, or "" for something else."""
    if " " in slip:
        exercise, part = course.part(part_id) if part_id else (None, None)
        a, b = (SlipWords(exercise, part, verdict, lang).maybe(one) for one in slip.split())
        return say("verdicts.together", lang, lead="", a=a, b=b).strip()
    if not slip or not has(f"slips.{slip}.text"):
        return say("verdicts.settled-other", lang)
    exercise, part = course.part(part_id) if part_id else (None, None)
    about = SlipWords(exercise, part, verdict, lang)
    if "together" in verdict.notes and verdict.slips[0] != slip:
        return say("verdicts.together", lang, lead="", a=about.maybe(verdict.slips[0]), b=about.maybe(slip)).strip()
    return about.text(slip)


def _unpaired(exercise: Exercise | None, part: Part | None, verdict: Verdict, lang: Lang) -> str:
    """Why an option does not go with this part of a group, where the course says it of another one; else ""."""
    if exercise is None or part is None or part.kind != "match" or verdict.read is None:
        return ""
    value, option = shown(verdict, part, lang), verdict.read.text
    others = [one for one in exercise.parts if one.group == part.group and one.id != part.id]
    if any(option in one.answer for one in others):
        return say("verdicts.incorrect-match-elsewhere", lang, shown=value)
    for one in others:
        slip = one.slips.get(option, "")
        if slip and has(f"slips.{slip}.text"):
            text = SlipWords(exercise, one, verdict, lang).text(slip)
            return say("verdicts.incorrect-match-never", lang, shown=value, text=text)
    return ""


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


# --- the echo line --------------------------------------------------------------------------------------------------


def echo(part_id: str, typed: str, lang: Lang) -> str:
    """The line under the input: how the typed text reads so far. Never raises, never judges."""
    from content.checking import read_only

    return echo_of(course.part(part_id)[1], read_only(part_id, typed), typed, lang)


def echo_of(part: Part, verdict: Verdict, typed: str, lang: Lang) -> str:
    """The same for a part that is no part of the course; ``verdict`` says how the text reads."""
    if not typed.strip():
        return say("verdicts.echo-empty", lang)
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
    from engine.formulas.worked import base_text

    whole = Fraction(units.round_half_up(read.base_value))
    parted = whole != read.base_value and unit.factor > 1 and whole  # 13.37 GiB: no memory holds parts of a byte
    base = base_text(whole if parted else read.base_value, "bytes")
    return say("verdicts.echo-number-about" if parted else "verdicts.echo-number", lang, shown=text, base=base)
