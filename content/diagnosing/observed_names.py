"""Single pieces of what was read, in words: a name, a value, a kind of text, what a value really means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from content import words
from content.diagnosing import amounts
from content.diagnosing.words import clean
from content.lang import Lang
from engine.artefacts.model import Trap
from engine.artefacts.vocabulary import TERMS, term

if TYPE_CHECKING:
    from engine.artefacts.derived import Derived

ROOT = "observed"
FEW = 3
"""Different texts of one name that are shown."""


# --- names -----------------------------------------------------------------------------------------------------------

_CARD = re.compile(r"([a-z]{2,12}?)(\d{1,3})")
_PERCENTILE = re.compile(r"p\d{1,2}(?:\.\d{1,4})?")
_STATISTICS = frozenset(("mean", "median", "std", "count", "bucket_bounds", "bucket_counts"))


def label(name: str, lang: Lang) -> str:
    """The short name of an observation with its qualifier: "TTFT p99", "weights, card 0 (cuda0)". A flag shows its
    own name."""
    base, _, qualifier = name.partition(".")
    told = said(f"label.{base}", lang) if base in TERMS else clean(base, 60)
    if not qualifier:
        return told
    if qualifier in _STATISTICS or _PERCENTILE.fullmatch(qualifier):
        return f"{told} {said(f'qualifier.{qualifier}', lang) or qualifier}"
    return f"{told}, {_qualifier(base, qualifier, lang)}"


def _qualifier(base: str, qualifier: str, lang: Lang) -> str:
    if base.startswith("graph_") and qualifier == "full":
        return said("qualifier.graph_full", lang)
    told = said(f"qualifier.{qualifier}", lang)
    if told:
        return told
    if qualifier.endswith("_host"):
        return said("qualifier.host", lang)
    card = _CARD.fullmatch(qualifier)
    if card is None:
        return clean(qualifier.upper() if qualifier == "cpu" else qualifier, 40)
    return words.say(f"{ROOT}.qualifier.card", lang, n=card[2], id=qualifier)


def said(key: str, lang: Lang, **params: object) -> str:
    """Words of this file; "" for a key that has none."""
    full = f"{ROOT}.{key}"
    return words.say(full, lang, **params) if words.has(full) else ""


def group(name: str, lang: Lang) -> str:
    """The heading of a group; without a name that of what people's notes say."""
    return (said(f"group.{name}", lang) or clean(name)) if name else said("row.noted", lang)


def kind(id: str, lang: Lang) -> str:
    """What a text, or a part of it, is."""
    return said(f"kind.{id}", lang) or clean(id)


# --- values ----------------------------------------------------------------------------------------------------------


def value(name: str, value: Any, lang: Lang) -> str:
    """A value with its unit: "59.2 %", "6.51 GiB", "772,736 tokens", "on"."""
    if isinstance(value, tuple | list):
        return some([clean(one, 60) for one in value], lang)
    if isinstance(value, bool):
        return words.say(f"diagnosis.label.{'on' if value else 'off'}", lang)
    if isinstance(value, str):
        return (said(f"error.{value}", lang) if name == "error" else "") or clean(value)
    if name == "parameters":
        return amounts.billions(value)
    return amounts.amount(value, term(name).unit, lang)


def some(texts: Sequence[str], lang: Lang) -> str:
    """The first few texts, and how many more there are."""
    told = ", ".join(texts[:FEW])
    left = len(texts) - FEW
    return words.say(f"{ROOT}.row.more", lang, shown=told, n=left) if left > 0 else told


# --- sentences -------------------------------------------------------------------------------------------------------


OF = "of"
"""The parameter that is the name of an observation."""


def trap(trap: Trap, lang: Lang) -> str:
    """What a value really means, in one sentence or two."""
    told = {name: _parameter(name, one, lang) for name, one in trap.params}
    try:
        return words.say(f"{ROOT}.trap.{trap.id}", lang, **told)
    except KeyError:  # a note of a reader that forgot a parameter is still a note
        return label(trap.name, lang) if trap.name else clean(trap.id)


def _parameter(name: str, given: str | int, lang: Lang) -> str:
    if isinstance(given, str) and name == OF:
        return label(given, lang)
    if isinstance(given, int):
        return amounts.amount(given, "tokens" if name == "tokens" else "count", lang)
    return clean(given, 80)


def derived(one: Derived, lang: Lang) -> str:
    """What follows from what was read, in one line."""
    told = amounts.amount(one.value, one.unit, lang)
    if one.share is not None:
        told = said("derived.of_sheet", lang, value=told, share=amounts.amount(one.share, "fraction", lang))
    id = "kv_bytes_of_config" if (one.id, one.name) == ("kv_bytes_per_token", "n_layers") else one.id
    return said(f"derived.{id}", lang, value=told) or f"{clean(one.id)}: {told}"
