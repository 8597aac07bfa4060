"""What stands beside the lessons: revision cards and the glossary."""

from __future__ import annotations

from collections.abc import Container

from content import cards as deck
from content import glossary as terms
from content.cards import Card
from content.files import ContentError
from content.fill import Scope
from content.validate import answers, formulas, keys, links, prose
from content.validate.collect import Collector
from content.validate.positions import Path
from content.validate.source import Source


def cards(source: Source, track: str, lessons: Container[str], parts: Container[str]) -> tuple[Card, ...]:
    """Check the cards of a track."""
    keys.cards(source)
    found: list[ContentError] = []
    builder = Collector(source.name, found=found)
    built: list[Card | None] = []
    for table in builder.tables(source.table, "card", needed=True):
        try:
            built.append(deck.card(builder.inside(str(table.get("id", ""))), track, table))
        except ContentError as error:
            found.append(error)
            built.append(None)
    source.report_errors(found)
    answers.unique(source, (), "card", [_name(card, place) for place, card in enumerate(built)])
    for place, card in enumerate(built):
        if card is not None:
            _card(source, place, card, lessons, parts)
    scopes: dict[Path, Scope] = {
        ("card", place): deck.scope(card) for place, card in enumerate(built) if card is not None
    }
    prose.texts(source, lambda path: scopes.get(path[:2]))
    return tuple(card for card in built if card is not None)


def _name(card: Card | None, place: int) -> str:
    return card.id.rpartition("/")[2] if card is not None else f"#{place}"


def _card(source: Source, place: int, card: Card, lessons: Container[str], parts: Container[str]) -> None:
    path = ("card", place)
    where = source.ids(path)
    links.link(source, (*path, "lesson"), card.lesson, lessons)
    links.link(source, (*path, "part"), card.part, parts)
    formulas.symbols_known(source, where, card.given)
    for name, value in card.values.items():
        formulas.usable(source, (*where, name), value.formula, value.given, value.unit)
    if card.ideas and {len(terms) for terms in card.terms.values()} != {len(card.ideas)}:
        source.report((*path, "ideas"), "ideas-differ")
    prose.values_used(source, path, source.table["card"][place], card.values)


def glossary(source: Source, lessons: Container[str]) -> None:
    """Check the glossary."""
    keys.glossary(source)
    found: list[ContentError] = []
    built = terms.build(Collector(source.name, found=found), source.table)
    source.report_errors(found)
    ids = {term.id for term in built}
    answers.unique(source, (), "term", [term.id for term in built])
    for place, term in enumerate(built):
        path = ("term", place)
        links.link(source, (*path, "lesson"), term.lesson, lessons)
        links.links(source, (*path, "see"), term.see, ids - {term.id})
    nothing = Scope({}, {}, {})
    prose.texts(source, lambda path: nothing)
