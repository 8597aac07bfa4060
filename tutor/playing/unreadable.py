"""Why a typed value cannot be used, in one sentence of either language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.commands.context import Refusal, Words, quoted

if TYPE_CHECKING:
    from content.lang import Lang
    from tutor.figures.parameters import Parameter

_SHOWN = 40
"""Letters of somebody's text that a sentence repeats."""


class Unreadable(Refusal):
    """A value that the playground cannot take. ``key`` is one of ``figures.unreadable.*``; the old value stays."""

    def __init__(self, reason: str, **params: object) -> None:
        super().__init__(f"figures.unreadable.{reason}", **params)
        self.reason = reason

    def told(self, lang: Lang) -> str:
        """The sentence: what cannot be used, where, and what would do."""
        return self.text(lang)


class Name(Words):
    """A parameter's short name in the language of the sentence; the name of the state's key where it has no words."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(f"figures.{parameter.label}")
        self._name = parameter.name

    def text(self, lang: Lang) -> str:
        """The words, their columns closed up."""
        from content.words import has

        return " ".join(super().text(lang).split()) if has(self.key) else self._name


def refused(reason: str, parameter: Parameter, text: str, **params: object) -> Unreadable:
    """The refusal of a text that was typed for a parameter."""
    return Unreadable(reason, name=Name(parameter), text=quoted(text.strip(), _SHOWN), **params)
