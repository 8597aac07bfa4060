"""Revision cards: question and answer in both languages, with the ideas that a typed answer must hold."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from content.build import Builder
from content.course import TRACKS
from content.entries import Table
from content.files import ContentError, shipped
from content.fill import Scope
from content.lang import LANGS, Lang, Text
from content.schema import Given, Value

KINDS = ("self-check", "recall")


class Card(NamedTuple):
    """One card.

    Attributes:
        id: canonical, "core/card/decode-limit".
        lesson: the lesson that teaches it, "core/C1".
        kind: self-check or recall.
        part: the course part that checks the same fact, or "".
        nuances: ids of what the answer simplifies.
        front, back: texts with placeholders; fill them with :func:`scope`.
        terms: per language, the ideas an answer needs, each as the spellings that count.
        ideas: the same ideas, each as a clause with placeholders; it may give the answer away.
        concepts: ids of what it exercises, the main one first.
    """

    id: str
    lesson: str
    kind: str
    part: str
    nuances: tuple[str, ...]
    front: Text
    back: Text
    terms: Mapping[Lang, tuple[tuple[str, ...], ...]]
    given: Given
    values: Mapping[str, Value]
    concepts: tuple[str, ...] = ()
    ideas: tuple[Text, ...] = ()


def scope(of: Card) -> Scope:
    """The scope of a card's texts."""
    return Scope(of.given, of.values, {})


@lru_cache(maxsize=1)
def cards() -> tuple[Card, ...]:
    """The cards of all tracks, in the order of their files. Raises ``ContentError`` for a damaged file."""
    found: list[Card] = []
    for track in TRACKS:
        file = f"course/{track}/cards.toml"
        try:
            table = shipped(file)
        except ContentError as error:
            if error.reason == "missing-file":
                continue
            raise
        found += build(Builder(file), track, table)
    return tuple(found)


def of_lesson(lesson: str) -> tuple[Card, ...]:
    """The cards of a lesson: first what one should be able to say, then the short checks."""
    return tuple(card for kind in reversed(KINDS) for card in cards() if (card.lesson, card.kind) == (lesson, kind))


def build(builder: Builder, track: str, table: Table) -> tuple[Card, ...]:
    """The cards of one file's table."""
    tables = builder.tables(table, "card", needed=True)
    return tuple(card(builder.inside(str(one.get("id", ""))), track, one) for one in tables)


def card(builder: Builder, track: str, table: Table) -> Card:
    """One card."""
    kind = builder.string(table, "kind")
    if kind and kind not in KINDS:
        raise builder.error("unknown-kind", "kind", kind=kind)
    given, part = builder.given(table), builder.optional_string(table, "part")
    return Card(
        f"{track}/card/{builder.string(table, 'id')}",
        f"{track}/{builder.string(table, 'lesson')}",
        kind,
        f"{track}/{part}" if part else "",
        builder.strings(table, "source_nuance"),
        builder.text(table, "front"),
        builder.text(table, "back"),
        _terms(builder, table),
        given,
        builder.values(table, given),
        builder.strings(table, "concepts"),
        builder.hints(table, "ideas"),
    )


def _terms(builder: Builder, table: Table) -> Mapping[Lang, tuple[tuple[str, ...], ...]]:
    terms = builder.mapping(table, "terms")
    for lang in LANGS:
        if not terms.get(lang):
            raise builder.error("missing-language", "terms", key="terms", language=lang)
    lists = {lang: builder.inside("terms").items(terms, lang) for lang in LANGS}
    return {lang: tuple(builder.strings({lang: words}, lang) for words in lists[lang]) for lang in LANGS}
