"""The form without what is nobody's business: values of secret flags, and tokens by their form."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tutor.diagnoser import private

_WORD = re.compile(r"(?:\"[^\"]*\"|'[^']*'|\S)+")
"""A word of a command, with its quotes."""


def text(typed: str) -> str:
    """A line without secrets: ``--api-key sk-1 --tp 2`` is ``--tp 2``. Another one is as it was."""
    from engine.diagnosis.settings.flag_names import is_secret

    kept: list[str] = []
    words, waiting = _WORD.findall(typed), False
    for word in words:
        name, equals, _ = word.strip("\"'").partition("=")
        option = word.lstrip("\"'").startswith("-")
        if (equals or option) and is_secret(name):
            waiting = not equals
        elif option or not waiting:
            waiting = False
            kept.append(word)
    whole = typed if len(kept) == len(words) else " ".join(kept)
    return private.SECRET.sub("", whole)


def known(value: object) -> object:
    """The same of what a scenario file said, however deep."""
    from engine.diagnosis.settings.flag_names import is_secret

    if isinstance(value, str):
        return text(value)
    if isinstance(value, Mapping):
        return {name: known(held) for name, held in value.items() if not is_secret(str(name))}
    if isinstance(value, list | tuple):
        return [known(held) for held in value]
    return value
