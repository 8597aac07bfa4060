"""A verdict in words: frames and slips by id, put together in either language."""

from __future__ import annotations

import re
from fractions import Fraction

from content import course
from content.lang import Lang, Text
from content.schema import Exercise, Part
from content.slips import SlipWords, question_after
from content.verdicts_read import earlier, shown, unreadable
from content.verdicts_wrong import incorrect
from content.words import has, say
from engine import units
from engine.answers.model import Verdict

_SPACES = re.compile(r" {2,}")


def message(part_id: str | None, verdict: Verdict, lang: Lang) -> str:
    """What a verdict says to the learner: one to three sentences."""
    exercise, part = course.part(part_id) if part_id else (None, None)
    if verdict.verdict == "invalid":
        return unreadable(verdict, lang)
    right = verdict.verdict == "correct"
    text = _correct(part, verdict, lang) if right else incorrect(exercise, part, verdict, lang)
    return _SPACES.sub(" ", text).strip()


def both(part_id: str | None, verdict: Verdict) -> Text:
    """The message in both languages."""
    return Text(message(part_id, verdict, "en"), message(part_id, verdict, "hi-Latn"))


def clause(slip: str, exercise: Exercise, part: Part, verdict: Verdict, lang: Lang) -> str:
    """A slip as a clause ("the 2 for key and value is missing"), for sentences of one's own; empty where the question
    lacks a value that the clause shows."""
    return SlipWords(exercise, part, verdict, lang).clause(slip)


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
    return say(f"verdicts.{key}", lang, earlier=earlier(part, verdict, lang))


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
        return say("verdicts.echo-waiting", lang, text=unreadable(verdict, lang))
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
