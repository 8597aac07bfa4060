"""Entries of a content file's tables: each read as what it has to be, else a complaint that names file and place."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from content.files import ContentError
from content.lang import LANGS, Text
from content.schema import Given

Table = Mapping[str, Any]
MOST_DIGITS = 15
"""Significant digits that any value prints with."""


class Entries:
    """Reads the entries of one place in a file."""

    def __init__(self, file: str, *where: str) -> None:
        self.file = file
        self.where = where

    def error(self, reason: str, place: str = "", **params: str) -> ContentError:
        """A complaint about this place."""
        return ContentError(self.file, reason, *self.where, *([place] if place else []), line=None, **params)

    def need(self, table: Table, key: str) -> Any:
        """A key that must be there."""
        if not isinstance(table, Mapping) or key not in table:
            raise self.error("missing-key", key, key=key)
        return table[key]

    def string(self, table: Table, key: str) -> str:
        """A text without languages: an id, a unit."""
        value = self.need(table, key)
        if not isinstance(value, str):
            raise self.error("bad-type", key, key=key, wanted="text")
        if not value.strip():
            raise self.error("empty-text", key, key=key)
        return value

    def strings(self, table: Table, key: str) -> tuple[str, ...]:
        """A list of such texts, empty when the key is not there."""
        value = table.get(key, [])
        if not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            raise self.error("bad-type", key, key=key, wanted="list of texts")
        if not all(item.strip() for item in value):
            raise self.error("empty-text", key, key=key)
        return tuple(value)

    def items(self, table: Table, key: str) -> tuple[Any, ...]:
        """A list of anything, empty when the key is not there."""
        value = table.get(key, [])
        if not isinstance(value, list):
            raise self.error("bad-type", key, key=key, wanted="list")
        return tuple(value)

    def text(self, table: Table, key: str) -> Text:
        """A text in both languages."""
        value = self.need(table, key)
        if not isinstance(value, Mapping):
            raise self.error("bad-type", key, key=key, wanted="en and hi-Latn")
        return self.both(value, key)

    def both(self, table: Table, key: str = "") -> Text:
        """The text of a table that has ``en`` and ``hi-Latn`` itself."""
        for lang in LANGS:
            if not isinstance(table.get(lang), str) or not table[lang].strip():
                raise self.error("missing-language", key, key=key, language=lang)
        return Text(table["en"].strip(), table["hi-Latn"].strip())

    def optional(self, table: Table, key: str) -> Text | None:
        """A text in both languages that may be left out."""
        return self.text(table, key) if key in table else None

    def citation(self, table: Table, key: str) -> Text | None:
        """Where something comes from, which may be left out, or empty: a work is called the same in every language, so
        a bare string does; a source told in words has both languages."""
        value = table.get(key, "")
        if isinstance(value, str):
            return Text(value.strip(), value.strip()) if value.strip() else None
        return self.text(table, key)

    def number(self, value: Any, key: str) -> Fraction:
        """A number: 2, 0.5, "80e9", "1/2"."""
        from engine.formulas.registry import FormulaError, exact  # the index has none: home does without the formulas

        try:
            if isinstance(value, bool):
                raise ValueError
            return exact(key, value)
        except (ValueError, FormulaError):
            raise self.error("bad-type", key, key=key, wanted="number") from None

    def count(self, table: Table, key: str) -> int:
        """A whole number from 1."""
        value = self.need(table, key)
        if type(value) is not int or value < 1:
            raise self.error("bad-type", key, key=key, wanted="a number from 1")
        return value

    def given(self, table: Table, base: Given | None = None) -> Given:
        """The ``given`` values of a table over those around it; a symbol's name stands for its value there."""
        around, own = base or {}, self.mapping(table, "given")
        return {**around, **{name: self._linked(value, name, around) for name, value in own.items()}}

    def _linked(self, value: Any, name: str, around: Given) -> Fraction:
        return around[value] if isinstance(value, str) and value in around else self.number(value, name)

    def digits(self, table: Table) -> int | Literal["all"] | None:
        """How many significant digits a value prints with."""
        value = table.get("digits")
        if value is None or value == "all" or (type(value) is int and 0 < value <= MOST_DIGITS):
            return value
        raise self.error("bad-type", "digits", key="digits", wanted=f'1 to {MOST_DIGITS}, or "all"')

    def tables(self, table: Table, key: str, *, needed: bool = False) -> tuple[Table, ...]:
        """A list of tables: ``[[key]]``, empty when it may be left out and is not there."""
        value = self.need(table, key) if needed else table.get(key, [])
        if not (isinstance(value, list) and all(isinstance(item, Mapping) for item in value)):
            raise self.error("bad-type", key, key=key, wanted="list of tables")
        return tuple(value)

    def mapping(self, table: Table, key: str) -> Table:
        """A table inside a table, empty when it is not there."""
        value = table.get(key, {})
        if not isinstance(value, Mapping):
            raise self.error("bad-type", key, key=key, wanted="table")
        return value

    def optional_string(self, table: Table, key: str) -> str:
        """A text without languages that may be left out, or empty."""
        return self.string(table, key) if table.get(key, "") != "" else ""
