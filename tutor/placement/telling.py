"""What a placement says at its end, for the app and for plain lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from content.lang import Lang
from content.words import say
from tutor.placement.where import level_name

if TYPE_CHECKING:
    from tutor.placement.placement import Suggestion


def headline(found: Suggestion, lang: Lang) -> str:
    """Where to begin, in a sentence or two."""
    kind = "beyond" if found.beyond else "first" if found.level == 1 else "begin"
    return say(f"placement.result.{kind}", lang, level=level_name(found.level, lang))


def why(found: Suggestion, lang: Lang) -> Iterator[str]:
    """What went well, and what did not."""
    for key, well in (("well", True), ("not_yet", False)):
        scores = [
            say("placement.result.score", lang, level=level_name(level, lang), right=score.right, asked=score.asked)
            for level, score in found.scores.items()
            if score.well is well
        ]
        if scores:
            yield say(f"placement.result.{key}", lang, levels=", ".join(scores))


def table(found: Suggestion, lang: Lang) -> list[tuple[str, bool]]:
    """The same level by level, in columns: what was right, and whether it went well."""
    names = {level: level_name(level, lang) for level in found.scores}
    width = max(map(len, names.values()), default=0) + 3
    return [
        (
            names[level].ljust(width) + say("placement.result.count", lang, right=score.right, asked=score.asked),
            score.well,
        )
        for level, score in found.scores.items()
    ]
