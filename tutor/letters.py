"""Letters that answer the question which of several slips it was, typed where an answer could stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from content.lang import Lang
from content.words import say


def of(typed: str, letters: Iterable[str]) -> str:
    """The letter that a typed text is ("b", "B)", " b."), if it is one of these; else nothing."""
    wanted = typed.strip().strip(".)").strip().lower()
    return wanted if wanted in tuple(letters) else ""


def how(letters: Sequence[str], lang: Lang) -> str:
    """How to answer: "Type a, b or c, or a new answer." """
    *firsts, last = letters
    told = f"{', '.join(firsts)} {say('app.exercise.pick_or', lang)} {last}" if firsts else last
    return say("app.exercise.pick_how", lang, letters=told)
