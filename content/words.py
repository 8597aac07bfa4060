"""Words of the interface by key: ``say("app.home.continue", lang)`` reads ``words/app.toml``."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from content.files import ContentError, shipped
from content.lang import Lang, Text

_PLACEHOLDER = re.compile(r"\{([A-Za-z_][\w.]*)\}")


@lru_cache(maxsize=4096)
def text(key: str) -> Text:
    """The text of a key, both languages. Raises ``KeyError``."""
    file, *path = key.split(".")
    try:
        table: Any = shipped(f"words/{file}.toml")
    except ContentError as error:
        raise KeyError(key) from error
    for step in path:
        if not isinstance(table, dict) or step not in table:
            raise KeyError(key)
        table = table[step]
    return Text.of(table)


def has(key: str) -> bool:
    """Whether a key has words."""
    try:
        text(key)
    except (KeyError, TypeError):
        return False
    return True


def say(key: str, lang: Lang, **params: object) -> str:
    """The words of a key with ``{placeholders}`` filled. Raises ``KeyError`` for a missing key or value.

    What is put in is never looked at again, so a learner's braces stay braces.
    """
    return put(text(key)[lang], params)


def put(template: str, params: dict[str, Any]) -> str:
    """A template with its placeholders filled. Raises ``KeyError`` when one has no value."""
    return _PLACEHOLDER.sub(lambda found: str(params[found[1]]), template)


def placeholders(template: str) -> tuple[str, ...]:
    """The placeholder names of a template, in order, repeats kept."""
    return tuple(_PLACEHOLDER.findall(template))


def noun(name: str, count: object, lang: Lang) -> str:
    """A count noun in the right number: "1 request", "16 requests"."""
    forms = shipped("words/nouns.toml")[name][lang]
    return str(forms[0] if str(count) in ("1", "0.5") else forms[1])


def counted(name: str, count: object, lang: Lang) -> str:
    """So many of something: "1 day", "12 days"."""
    return f"{count} {noun(name, count, lang)}"


def symbol_meaning(symbol: str, lang: Lang) -> str:
    """What a formula's symbol stands for."""
    return say(f"symbols.{symbol}", lang)
