"""The words of the interface: both languages, the same placeholders, Hinglish as it should be."""

from __future__ import annotations

from typing import Any

from content.files import shipped
from content.validate import hinglish, placeholders
from content.validate.source import Folder, Source
from content.validate.texts import half, pairs

SLIPS = "words/slips.toml"


def wording(folder: Folder) -> None:
    """Check every file of words that the folder has."""
    for name in folder.names("words/*.toml"):
        source = folder.source(name)
        if source is not None:
            _file(source)


def _file(source: Source) -> None:
    for path, language in half(source.table):
        source.report((*path, language), "missing-language", key=str(path[-1]), language=language)
    for pair in pairs(source.table):
        placeholders.whole(source, pair)
        placeholders.same(source, pair)
        hinglish.lint(source, pair)


def slips(folder: Folder) -> frozenset[str]:
    """The slips that have words, in the folder or else in the shipped content."""
    table: dict[str, Any] = shipped(SLIPS)
    if (folder.root / SLIPS).exists():
        source = folder.source(SLIPS)
        table = source.table if source is not None else table  # one that cannot be read is reported as such
    return frozenset(name for name, entry in table.items() if isinstance(entry, dict))
