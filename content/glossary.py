"""The glossary: terms in both languages, found by any of their names."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from content.build import Builder
from content.entries import Table
from content.files import shipped
from content.lang import Text

FILE = "glossary.toml"


class Term(NamedTuple):
    """One term.

    Attributes:
        id: "kv-cache".
        term: as it is written, "KV cache"; the same in both languages, since technical terms stay English.
        symbols: symbols of the formulas that stand for it.
        say: how it is read aloud where the spelling does not tell, or "".
        lesson: where the course teaches it, "core/C0".
        see: ids of neighbouring terms.
        text: what it means.
    """

    id: str
    term: str
    symbols: tuple[str, ...]
    say: str
    lesson: str
    see: tuple[str, ...]
    text: Text


class Found(NamedTuple):
    """What a search gave: the term, or else the terms whose names come close."""

    term: Term | None
    close: tuple[str, ...]


@lru_cache(maxsize=1)
def terms() -> tuple[Term, ...]:
    """All terms, in the order of the file. Raises ``ContentError`` for a damaged file."""
    return build(Builder(FILE), shipped(FILE))


def find(text: str) -> Found:
    """The term that a person means: any case, spaces or hyphens, one or many, id, name, short form or symbol."""
    names = _names()
    wanted = _folded(text[:80])
    if not wanted:
        return Found(None, ())
    for key in (text.strip(), wanted, wanted.removesuffix("s"), f"{wanted}s", wanted.removesuffix("es")):
        if key in names:
            return Found(names[key], ())
    begins = [term for term in terms() if f"{_folded(term.term)} ".startswith(f"{wanted} ")]
    if begins:  # "kv" is the KV cache: the first word is how people shorten a term, the one that most others lead to
        return Found(max(begins, key=_leading), ())
    close = difflib.get_close_matches(wanted, names, n=8, cutoff=0.65)
    inside = [name for name in names if len(wanted) > 2 and wanted in name]
    return Found(None, tuple(dict.fromkeys(names[name].term for name in (*close, *inside)))[:3])


def _leading(term: Term) -> int:
    """How many other terms lead to this one."""
    return sum(term.id in other.see for other in terms())


@lru_cache(maxsize=1)
def _names() -> dict[str, Term]:
    """Every name, folded, and every symbol as it is written -> its term. The first term with a name keeps it."""
    found: dict[str, Term] = {}
    for spelled in (_first_names, _further_names):
        for term in terms():
            for name in spelled(term):
                found.setdefault(name, term)
    return found


def _first_names(term: Term) -> Iterator[str]:
    yield _folded(term.id)
    yield _folded(term.term)
    head, _, rest = term.term.partition(" (")
    yield _folded(head)
    if rest:
        yield rest.rstrip(")")
        yield _folded(rest.rstrip(")"))


def _further_names(term: Term) -> Iterator[str]:
    for symbol in term.symbols:
        yield symbol
        if len(symbol) > 1:
            yield _folded(symbol)
    if term.say:
        yield _folded(term.say)
    if "/" in term.term:
        pieces = term.term.replace("(", "/").replace(")", "/").split("/")
        yield from (_folded(piece) for piece in pieces if piece.strip())


def _folded(text: str) -> str:
    """A name without case, and with one space for whatever joins its words."""
    joined = "".join(letter if letter.isalnum() else " " for letter in text.casefold())
    return " ".join(joined.split())


def build(builder: Builder, table: Table) -> tuple[Term, ...]:
    """The terms of the file's table."""
    return tuple(_term(builder.inside(str(t.get("id", ""))), t) for t in builder.tables(table, "term", needed=True))


def _term(builder: Builder, table: Table) -> Term:
    return Term(
        builder.string(table, "id"),
        builder.string(table, "term"),
        builder.strings(table, "symbols"),
        builder.optional_string(table, "say"),
        builder.optional_string(table, "lesson"),
        builder.strings(table, "see"),
        builder.both(table),
    )
