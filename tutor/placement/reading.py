"""How a typed answer reads in a placement: there "I don't know" is an answer, not a call for a hint."""

from __future__ import annotations

from typing import Final

from content.lang import Lang
from content.words import say

LOST: Final = "lost"
"""Reason of an answer that says that the learner does not know."""


class PlacedReading:
    """As an answer to a part of the course, or as "I don't know"; see `tutor.widgets.typed_form.Reading`."""

    def __init__(self, part_id: str) -> None:
        self._part = part_id

    def reads(self, typed: str) -> bool:
        """Whether it can be read."""
        from content import checking

        verdict = checking.read_only(self._part, typed)
        return verdict.verdict != "invalid" or verdict.reason == LOST

    def echo(self, typed: str, lang: Lang) -> str:
        """The line under the input."""
        from content import checking, verdicts

        if checking.read_only(self._part, typed).reason == LOST:
            return say("verdicts.echo-number-plain", lang, shown=say("placement.unknown_said", lang))
        return verdicts.echo(self._part, typed, lang)
