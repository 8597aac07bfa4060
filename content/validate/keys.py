"""Keys that no reader knows: a slip of the pen would otherwise silently drop a text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from content.validate.positions import Path
from content.validate.source import Source

_BOTH = frozenset(("en", "hi-Latn"))
_NUANCE = _BOTH | {"id", "source", "when"}
_FIGURE = frozenset(("name", "state"))
_BESIDE = _FIGURE | {"given", "asks"}
"""Of a figure beside an exercise: a lesson has neither values that are drawn nor parts that ask."""
_VALUE = frozenset(("formula", "unit", "digits", "given"))
_SECTION = frozenset("id concepts figure heading text notice nuance source".split())
_EXERCISE = frozenset(
    "id lesson given show figure prompt values carry options nuance part vary names concepts situation".split()
)
_PART = frozenset(
    """id kind label ask hints solution nuance followup given vary names equal equal_base drop group slips formula
    unit digits tolerance answer options attributes accept accept_note reasons reason steps model rubric
    concepts reverse alone""".split()
)
_ALONE = frozenset("ask situation show hints solution clear label".split())
_CARD = frozenset("id lesson kind part source_nuance given front back terms ideas values concepts".split())
_TERM = _BOTH | frozenset("id term symbols say lesson see".split())


def lesson(source: Source) -> None:
    """The keys of a lesson file."""
    _known(source, (), source.table, frozenset(("given", "values", "section")))
    _values(source, (), source.table)
    for path, section in _tables(source.table, "section", ()):
        _known(source, path, section, _SECTION)
        _pieces(source, path, section)


def level(source: Source) -> None:
    """The keys of a level file."""
    _known(source, (), source.table, frozenset(("exercise",)))
    for path, exercise in _tables(source.table, "exercise", ()):
        _known(source, path, exercise, _EXERCISE)
        _values(source, path, exercise)
        _pieces(source, path, exercise, _BESIDE)
        for inner, part in _tables(exercise, "part", path):
            _known(source, inner, part, _PART)
            _pieces(source, inner, part)
            if isinstance(part.get("alone"), Mapping):
                _known(source, (*inner, "alone"), part["alone"], _ALONE)


def cards(source: Source) -> None:
    """The keys of a file of cards."""
    _known(source, (), source.table, frozenset(("card",)))
    for path, card in _tables(source.table, "card", ()):
        _known(source, path, card, _CARD)
        _values(source, path, card)


def glossary(source: Source) -> None:
    """The keys of the glossary."""
    _known(source, (), source.table, frozenset(("term",)))
    for path, term in _tables(source.table, "term", ()):
        _known(source, path, term, _TERM)


def track(source: Source) -> None:
    """The keys of an index."""
    _known(source, (), source.table, frozenset(("track", "lesson", "level", "required")))
    for path, entry in _tables(source.table, "lesson", ()):
        _known(source, path, entry, frozenset(("id", "title", "needs", "sections")))
    for path, entry in _tables(source.table, "level", ()):
        _known(source, path, entry, frozenset(("id", "title", "exercise")))
        for inner, exercise in _tables(entry, "exercise", path):
            _known(source, inner, exercise, _LISTED)


_LISTED = frozenset(("id", "lesson", "title", "parts", "followups", "reverse", "figure"))
"""What the index says of an exercise."""


def _pieces(source: Source, path: Path, table: Mapping[str, Any], figure: frozenset[str] = _FIGURE) -> None:
    """What sections, exercises and parts have in common; ``figure`` are the keys of a figure there."""
    if isinstance(table.get("figure"), Mapping):
        _known(source, (*path, "figure"), table["figure"], figure)
    for inner, nuance in _tables(table, "nuance", path):
        _known(source, inner, nuance, _NUANCE)


def _values(source: Source, path: Path, table: Mapping[str, Any]) -> None:
    values = table.get("values")
    for name, value in values.items() if isinstance(values, Mapping) else ():
        if isinstance(value, Mapping):
            _known(source, (*path, "values", name), value, _VALUE)


def _tables(table: Mapping[str, Any], key: str, path: Path) -> list[tuple[Path, Mapping[str, Any]]]:
    value = table.get(key)
    rows = enumerate(value) if isinstance(value, list) else ()
    return [((*path, key, place), row) for place, row in rows if isinstance(row, Mapping)]


def _known(source: Source, path: Path, table: Mapping[str, Any], keys: frozenset[str]) -> None:
    for key in table:
        if key not in keys:
            source.report((*path, key), "unknown-key", key=key)
