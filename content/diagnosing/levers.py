"""A judged lever in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from content.diagnosing import words
from content.diagnosing.words import label, named, sentence
from content.lang import Lang
from engine.diagnosis.model import Amount, Effect, Key, LeverResult
from engine.diagnosis.reading.cards import CUSTOM

_CHOSEN = ("measured", "to", "format", "card", "cards", "assumed")
"""Parameters of a lever that helps: what was measured beside what is computed, and what it was worked out for."""


class LeverWords(NamedTuple):
    """A lever for a reader; every part but ``name`` may be "".

    Attributes:
        name: what people call it.
        does: what it does, in a line.
        effects: computed, the first is the one that it is ranked by.
        effect: what stands in the place of effects where none is computed: a published gain, or that none is known.
        chosen: what it was worked out for.
        need: its precondition, with whether it is met.
        warning: when it backfires.
        why: why it does not help.
        flag: how the server at hand spells it.
    """

    name: str
    does: str
    effects: tuple[str, ...]
    effect: str
    chosen: tuple[str, ...]
    need: str
    warning: str
    why: str
    flag: str


def lever(one: LeverResult, lang: Lang) -> LeverWords:
    """A lever's words."""
    return LeverWords(
        title(one, lang),
        sentence(f"lever.{one.id}.text", {}, lang),
        tuple(effect_text(effect, lang) for effect in one.effects),
        _effect(one, lang),
        (*_chosen(one, lang), *_together(one, lang)),
        need(one, lang),
        warning(one, lang),
        why(one, lang),
        label("flag", lang, flag=words.flag(one.flag, lang)) if one.flag else "",
    )


def title(one: LeverResult, lang: Lang) -> str:
    """Its name, with that of a second lever that it takes."""
    name = named("lever", one.id, lang)
    return name if one.beside is None else label("with", lang, lever=name, other=named("lever", one.beside.id, lang))


def _together(one: LeverResult, lang: Lang) -> Iterator[str]:
    """That a pair is one, and what would do in the place of the second lever."""
    if one.beside is None:
        return
    yield label("both_needed", lang)
    if one.instead:
        names = "; ".join(_spelled(named("lever", other.id, lang), other.flag) for other in one.instead)
        yield label("instead", lang, names=names)


def _spelled(name: str, flag: str) -> str:
    return f"{name} ({flag})" if flag else name


def effect_text(effect: Effect, lang: Lang, short: bool = False) -> str:
    """ "decode step: 11.7 ms → 8.02 ms (1.46x)"; a step of another number of requests says so."""
    told = _effect_text(effect, lang, short)
    if effect.batches is None:
        return told
    before, after = words.count(effect.batches[0]), words.quantity(Fraction(effect.batches[1]), "requests", lang)
    return label("effect_batches", lang, effect=told, before=before, after=after)


def _effect_text(effect: Effect, lang: Lang, short: bool) -> str:
    values = {
        "measure": named("measure", effect.measure, lang, short),
        "before": words.shown(effect.before, lang),
        "after": words.shown(effect.after, lang),
    }
    if effect.measure in SPARE:
        values |= {name: _spare(getattr(effect, name), lang) for name in ("before", "after")}
        return label("effect_spare", lang, before=values["before"], after=values["after"])
    times = times_better(effect)
    if times is None or effect.before.unit == "%" or not visible(effect):
        return label("effect", lang, **values)
    if times < 1:
        worse = "effect_slower" if effect.before.unit == "s" else "effect_less" if effect.better > 0 else "effect_more"
        return label(worse, lang, **values, factor=words.factor(1 / times))
    return label("effect_factor", lang, **values, factor=words.factor(times))


SPARE = ("free", "starts")
"""Measures of what a card has left over: below zero it is what is missing, and how many times it is says nothing."""


def _spare(amount: Amount, lang: Lang) -> str:
    size = words.shown(Amount(abs(amount.value), amount.unit), lang)
    return label("missing" if amount.value < 0 else "to_spare", lang, value=size)


def worse(effect: Effect) -> bool:
    """Whether a lever makes this measure worse."""
    return (effect.after.value - effect.before.value) * effect.better < 0


def visible(effect: Effect) -> bool:
    """Whether an effect shows in the digits that are printed."""
    return words.shown(effect.before, "en") != words.shown(effect.after, "en")


def times_better(effect: Effect) -> Fraction | None:
    """How many times better a measure gets: over 1 is better. ``None`` where either end is no positive number."""
    before, after = effect.before.value, effect.after.value
    if before <= 0 or after <= 0:
        return None
    return after / before if effect.better > 0 else before / after


def _effect(one: LeverResult, lang: Lang) -> str:
    if one.published and one.gain is not None:
        return label("published", lang, factor=words.factor(one.gain))
    if one.effects or not one.helps or one.id == "do-nothing":
        return ""
    return sentence(f"lever.{one.id}.gives", {}, lang) or label("not_computed", lang)


def _chosen(one: LeverResult, lang: Lang) -> Iterator[str]:
    if one.helps and one.effects:
        given = words.params(one.params, lang)
        for name in _CHOSEN:
            if given.get(name) and not _in_flag(given[name], one.flag):
                own = sentence(f"lever.{one.id}.{name}", given, lang)
                yield own or label(f"chosen_{name}", lang, **{name: given[name]})


def _in_flag(value: str, flag: str) -> bool:
    """Whether the flag to copy says the value already: "--max-num-seqs 64" of "64 requests"."""
    number, _, unit = value.replace(",", "").lower().partition(" ")
    said = {number, f"{float(number) / 100:g}"} if unit == "%" else {number}
    return not said.isdisjoint(re.split(r"[\s=,:]+", flag.lower()))


def need(one: LeverResult, lang: Lang) -> str:
    """The precondition as a sentence; one that is met is not worth a line where the lever does not help."""
    clauses = {one.precondition: [sentence(f"lever.{one.id}.need", {}, lang)]}
    if one.beside is not None and one.beside.precondition == "unknown":
        clauses.setdefault("unknown", []).append(sentence(f"lever.{one.beside.id}.need", {}, lang))
    texts = {state: "; ".join(text for text in found if text) for state, found in clauses.items()}
    return " ".join(label(f"need_{state}", lang, text=text) for state, text in texts.items() if text)


def warning(one: LeverResult, lang: Lang) -> str:
    """When it backfires: the nearer sentence where the case is close to that, else the lever's own; "" for none."""
    if not one.warning:
        return ""
    given = words.params(one.params, lang)
    return sentence(f"warning.{one.warning}", given, lang) or sentence(f"lever.{one.id}.warning", given, lang)


def why(one: LeverResult, lang: Lang) -> str:
    """Why it does not help, with its effect where that is the reason; "" for one that does."""
    if one.helps:
        return ""
    known = {name: value for name, value in one.params.items() if value not in _NO_NAME}
    said = words.one_of("why", one.why, lang, words.params(known, lang))
    shown = one.why in _BY_EFFECT and one.effects and visible(one.effects[0])
    return f"{said} {_capital(effect_text(one.effects[0], lang))}." if shown else said


_NO_NAME = (Key("wall.other"), Key("wall.none"), CUSTOM)
"""Walls that say nothing when they are named, and the card that was given by its numbers."""
_BY_EFFECT = ("no-effect", "slower", "math-stays-16bit")
"""Reasons that an effect bears out."""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
