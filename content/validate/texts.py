"""The texts of a file, wherever they stand: every table that has both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from content.lang import LANGS, Lang, Text
from content.validate.positions import Path

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
"""Signs beyond ASCII are looked at where the texts are: `script`."""


class Pair(NamedTuple):
    """One text in both languages and the path of its table; ``rung`` is its place in a list of hints."""

    path: Path
    text: Text
    rung: int | None = None

    def place(self, lang: Lang) -> Path:
        """The path of one language of it."""
        return (*self.path, lang) if self.rung is None else (*self.path, lang, self.rung)


def pairs(table: Any, path: Path = ()) -> Iterator[Pair]:
    """Every text of a table, in the order of the file; where a language is missing there is no pair."""
    if isinstance(table, list):
        for place, item in enumerate(table):
            yield from pairs(item, (*path, place))
    if isinstance(table, Mapping):
        yield from _of(table, path)
        for key, value in table.items():
            if key not in LANGS:
                yield from pairs(value, (*path, key))


def _of(table: Mapping[str, Any], path: Path) -> Iterator[Pair]:
    en, hi = (table.get(lang) for lang in LANGS)
    if isinstance(en, str) and isinstance(hi, str) and en.strip() and hi.strip():
        yield Pair(path, Text(en, hi))
    elif isinstance(en, list) and isinstance(hi, list) and len(en) == len(hi):
        for rung, (one, other) in enumerate(zip(en, hi, strict=True)):
            if isinstance(one, str) and isinstance(other, str):
                yield Pair(path, Text(one, other), rung)


def controls(table: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every key and text with a sign in it that a terminal would obey instead of showing it, and the sign's code."""
    rows: Any = table.items() if isinstance(table, Mapping) else enumerate(table)
    for key, value in rows:
        for text in (key, value):
            found = _CONTROL.search(text) if isinstance(text, str) else None
            if found:
                yield (*path, key), f"U+{ord(found[0]):04X}"
                break
        if isinstance(value, Mapping | list):
            yield from controls(value, (*path, key))


def half(table: Any, path: Path = ()) -> Iterator[tuple[Path, Lang]]:
    """Every table that has one of the languages and not the other, with the one that is missing."""
    if isinstance(table, list):
        for place, item in enumerate(table):
            yield from half(item, (*path, place))
    if isinstance(table, Mapping):
        there = [lang for lang in LANGS if _said(table.get(lang))]
        if len(there) == 1:
            yield path, next(lang for lang in LANGS if lang not in there)
        for key, value in table.items():
            yield from half(value, (*path, key))


def _said(value: Any) -> bool:
    return bool(value.strip()) if isinstance(value, str) else bool(value)
