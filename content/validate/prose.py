"""Every check that a text gets, whatever file it stands in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from content import words
from content.fill import Scope
from content.schema import Part
from content.validate import hinglish, parity, placeholders
from content.validate.positions import Path
from content.validate.source import Source
from content.validate.texts import pairs

ScopeOf = Callable[[Path], Scope | None]
"""The scope of the text at a path, one object for all that share it; ``None`` where it could not be built."""


def texts(source: Source, scope_of: ScopeOf) -> None:
    """Check every text of a file of the course."""
    filler = placeholders.Filler(source)
    for pair in pairs(source.table):
        same = placeholders.same(source, pair) & placeholders.whole(source, pair)
        hinglish.lint(source, pair)
        scope = scope_of(pair.path)
        filled = filler.filled(pair, scope) if scope is not None else None
        if filled is not None and same:
            parity.width(source, pair, filled)
            parity.idea_width(source, pair, filled)
            parity.length(source, pair, filled)
            parity.numbers(source, pair, filled)


def answers_kept(source: Source, path: Path, table: Any, part: Part | None, parts: Iterable[Part]) -> None:
    """The texts of an exercise or part that come before an answer do not hold it."""
    for pair in pairs(table, path):
        if part is not None:
            placeholders.gives_away(source, pair, part)
        elif len(pair.path) == len(path) + 1:
            placeholders.prompt_gives_away(source, pair, parts)


def values_used(source: Source, path: Path, table: Any, values: Iterable[str]) -> None:
    """Every declared value is named by some text."""
    said = (text for pair in pairs(table) for text in (pair.text.en, pair.text.hi))
    named = {name for text in said for name in words.placeholders(text)}
    for name in values:
        if f"v.{name}" not in named:
            source.report((*path, "values", name), "unused-value", name=name)
