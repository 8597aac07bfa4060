"""The two languages, and a text that exists in both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

Lang = Literal["en", "hi-Latn"]
LANGS: tuple[Lang, ...] = ("en", "hi-Latn")
LABELS: Mapping[Lang, str] = {"en": "English", "hi-Latn": "Hinglish"}
"""Each language's name in itself."""


class Text:
    """One text in both languages: ``text["en"]``."""

    __slots__ = ("en", "hi")

    def __init__(self, en: str, hi: str) -> None:
        self.en = en
        self.hi = hi

    def __getitem__(self, lang: Lang) -> str:
        """The text of a language."""
        return self.hi if lang == "hi-Latn" else self.en

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and (self.en, self.hi) == (other.en, other.hi)

    def __hash__(self) -> int:
        return hash((self.en, self.hi))

    def __repr__(self) -> str:
        return f"Text({self.en!r}, {self.hi!r})"

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> Text:
        """A text from a table with a key per language. Raises ``KeyError`` when one is missing."""
        return cls(table["en"], table["hi-Latn"])


def lang_of(text: str) -> Lang | None:
    """The language that a person means: its tag or its name, any case ("hinglish", "hi", "EN")."""
    lower = text.strip().lower().replace("_", "-")
    if lower in ("en", "english", "en-in", "en-us", "en-gb"):
        return "en"
    if lower in ("hi-latn", "hi-latn-in", "hinglish", "hi"):
        return "hi-Latn"
    return None
