"""The concepts of the course: what revision measures mastery by."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from content import course
from content.course import TRACKS
from content.files import shipped


@lru_cache(maxsize=1)
def concepts() -> tuple[str, ...]:
    """Ids of all concepts, in the order in which the indexes of the tracks list them."""
    found: list[str] = []
    for track in TRACKS:
        required = shipped(f"course/{track}/track.toml").get("required", {})
        found += required.get("concepts", [])
    return tuple(dict.fromkeys(found))


def taught_in() -> Mapping[str, str]:
    """Concept -> id of the lesson that teaches it. Reads the lessons."""
    return {concept: lesson for concept, (lesson, _) in _taught().items()}


def taught_at(concept: str) -> tuple[str, str]:
    """The lesson that teaches a concept, and its section there. Reads the lessons; ``KeyError`` for an unknown one."""
    return _taught()[concept]


@lru_cache(maxsize=1)
def _taught() -> Mapping[str, tuple[str, str]]:
    entries = [entry for track in course.index().tracks for entry in track.lessons]
    return {
        concept: (entry.id, section.id)
        for entry in entries
        for section in course.lesson(entry.id).sections
        for concept in section.concepts
    }
