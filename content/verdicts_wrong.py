"""A wrong answer in words: its slip, or those that share its value, with the question that tells them apart."""

from __future__ import annotations

from typing import NamedTuple

from content import course
from content.lang import Lang
from content.schema import Exercise, Part
from content.slips import SlipWords, splitting_question
from content.verdicts_read import earlier, exercise_name, place_text, shown
from content.words import has, say
from engine.answers.model import Verdict


def incorrect(exercise: Exercise | None, part: Part | None, verdict: Verdict, lang: Lang) -> str:
    """What is said of a wrong answer."""
    about = SlipWords(exercise, part, verdict, lang)
    slips = _with_words(verdict)
    if "impossible" in verdict.params and part is not None:
        key = f"verdicts.follow-through-{verdict.params['impossible']}"
        return say(key, lang, earlier=earlier(part, verdict, lang))
    if not slips:
        return _unpaired(exercise, part, verdict, lang) or _unnamed(part, verdict, lang)
    if "likely" in verdict.params:  # said are the likelier ones; the rest can be picked
        likely = verdict.params["likely"].split()
        slips = [s for s in slips if s in likely or ("together" in verdict.notes and s == verdict.slips[0])] or slips
    if "follow-through-slip" in verdict.notes and part is not None:
        places = verdict.params.get("earlier_parts", "").split()
        names = ", ".join(dict.fromkeys(exercise_name(place) for place in places))
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
    zero = verdict.read is not None and verdict.read.value == 0  # so many slips end there that none is sure
    if zero or "possible" in verdict.notes or len(slips) == 1:
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
    if len(slips) > 3:
        return _either(about.lead(), about, slips, lang)
    clauses = dict(zip("abc", (about.maybe(slip) for slip in slips), strict=False))
    frame = {2: "possible-two", 3: "possible-three"}.get(len(slips), "possible")
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
        key = {"0": "verdicts.incorrect-order-start", "1": "verdicts.incorrect-order-one"}.get(
            verdict.params.get("right_count", "0"), "verdicts.incorrect-order"
        )
    elif "near" in verdict.notes:
        key = "verdicts.incorrect-near-integer" if kind == "integer" else "verdicts.incorrect-near"
    elif _bare_zero(verdict):
        key = "verdicts.incorrect-zero"
    elif verdict.read is not None and verdict.read.value is not None:
        about = {"integer": "count", "percent": "share", "factor": "ratio"}.get(kind, "number")
        key = f"verdicts.incorrect-{about}"
    else:
        key = f"verdicts.incorrect-{kind}" if has(f"verdicts.incorrect-{kind}") else "verdicts.incorrect"
    return say(key, lang, shown=value, **verdict.params)


def _bare_zero(verdict: Verdict) -> bool:
    """Whether no more than a zero was typed: a calculation that ends in it has other digits."""
    read = verdict.read
    return read is not None and read.value == 0 and not any(char in "123456789" for char in read.text)


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
