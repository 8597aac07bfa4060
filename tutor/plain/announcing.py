"""A verdict in words first: what the mark before it says on a screen, a listener hears before anything else."""

from __future__ import annotations

from content.words import say
from tutor.language import Lang


def announced(verdict: str, text: str, lang: Lang) -> str:
    """What is said to an answer, with its verdict in front where it does not begin with it.

    Args:
        verdict: `correct`, `incorrect` or `invalid`.
        text: the sentences of the verdict.
        lang: their language.
    """
    word = say(f"cli.plain.verdict.{verdict}", lang)
    return text if text.lower().startswith(word.rstrip(".").lower()) else f"{word} {text}".rstrip()
