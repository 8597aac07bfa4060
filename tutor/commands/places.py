"""An id as a person types it, found in the course or refused with the closest ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.commands.context import Refusal, quoted

if TYPE_CHECKING:
    from content.course import Place


def resolve(text: str) -> Place:
    """The place an id names. Raises ``Refusal``."""
    from content import course

    try:
        return course.resolve(text)
    except course.UnknownId as error:
        raise unknown_id(text, error.close) from error


def unknown_id(text: str, close: tuple[str, ...]) -> Refusal:
    """The refusal of an id that the course does not have."""
    key = "cli.error.id_close" if close else "cli.error.id"
    return Refusal(key, text=quoted(text), close=", ".join(close))


def parts_under(place_id: str, most: int = 8) -> tuple[str, ...]:
    """Ids of the parts of an exercise or level; of a track or lesson the exercises, as examples of what to name."""
    from content import course

    found: list[str] = []
    for track in course.index().tracks:
        for level in track.levels:
            for exercise in level.exercises:
                if place_id in (exercise.id, level.id):
                    found += [*exercise.parts, *exercise.followups]
                elif place_id in (exercise.lesson, track.id):
                    found.append(exercise.id)
    return tuple(found[:most])
