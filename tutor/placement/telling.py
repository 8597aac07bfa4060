"""What a placement says at its end, for the app and for plain lines."""

from __future__ import annotations

from collections.abc import Iterator

from content import course
from content.lang import Lang
from content.words import say
from tutor import coursemap
from tutor.placement.placement import Suggestion, level_id, target


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


def level_name(level: int, lang: Lang) -> str:
    """A level by its name and title: "L3 Analysis"."""
    found = coursemap.level_of(level_id(level))
    return f"{found.id.rpartition('/')[2]} {found.title[lang]}"


def place_name(id: str, lang: Lang) -> str:
    """A lesson or an exercise by its name and title: "L3.1 Reserved against paged"."""
    entry = coursemap.lesson_entry(id) if course.resolve(id).kind == "lesson" else coursemap.exercise_entry(id)
    return f"{id.rpartition('/')[2]} {entry.title[lang]}"


def lesson_before(found: Suggestion) -> str:
    """Id of the lesson that teaches what one begins with; "" where one begins with a lesson."""
    first = target(found.level)
    return "" if course.resolve(first).kind == "lesson" else coursemap.exercise_entry(first).lesson
