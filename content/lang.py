"""The two languages, and a text that exists in both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Lang = Literal["en", "hi-Latn"]
LANGS: tuple[Lang, ...] = ("en", "hi-Latn")
LABELS: Mapping[Lang, str] = {"en": "English", "hi-Latn": "Hinglish"}
"""Each language's name in itself."""


class Text(NamedTuple):
    """One text in both languages; ``text["en"]`` is not a tuple index but a language."""

    en: str
    hi: str

    def __getitem__(self, lang: Any) -> str:
        """The text of a language."""
        return self.hi if lang in ("hi-Latn", 1) else self.en

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
