"""Where one begins with a level, and what that is called. From the index of the course alone: home needs it at once."""

from __future__ import annotations

from content import course
from content.lang import Lang
from tutor import coursemap


def level_id(level: int) -> str:
    """Id of the level of this number, 1 to 5."""
    return course.index().tracks[0].levels[level - 1].id


def target(level: int) -> str:
    """Id of where one begins with a level: its first exercise; with the first level the first lesson."""
    track = course.index().tracks[0]
    return track.lessons[0].id if level == 1 else track.levels[level - 1].exercises[0].id


def lesson_before(level: int) -> str:
    """Id of the lesson that teaches what one begins with there; "" where one begins with a lesson."""
    first = target(level)
    return "" if course.resolve(first).kind == "lesson" else coursemap.exercise_entry(first).lesson


def level_name(level: int, lang: Lang) -> str:
    """A level by its name and title: "L3 Analysis"."""
    return coursemap.level_name(course.index().tracks[0], coursemap.level_of(level_id(level)), lang)


def place_name(id: str, lang: Lang) -> str:
    """A lesson or an exercise by its name and title: "L3.1 Reserved against paged"."""
    entry = coursemap.lesson_entry(id) if course.resolve(id).kind == "lesson" else coursemap.exercise_entry(id)
    return f"{id.rpartition('/')[2]} {entry.title[lang]}"
