"""Whether a remembered place is one of the course: an old or foreign one must not keep the tutor from starting."""

from __future__ import annotations

from content import address, course
from content.files import ContentError
from tutor.progress import Place

END = "end"
"""The page of a lesson behind its last section."""


def fits(place: Place) -> bool:
    """Whether the screen, its id, section and part exist and belong together."""
    if place.screen == "home":
        return True
    if place.screen not in ("lesson", "exercise"):
        return False
    try:
        found = course.resolve(place.id)
        if (found.kind, found.id) != (place.screen, place.id):
            return False
        if place.screen == "lesson":
            return not place.part and _has_section(place)
        return not place.section and _has_part(place)
    except (course.UnknownId, course.UnknownVariant, ContentError, KeyError):
        return False


def _has_part(place: Place) -> bool:
    id_, variant = address.split(place.id)
    if variant:
        course.exercise(place.id)  # only the attempt shows whether it can be drawn
    entry = course.shipped().exercise_entry(id_)
    return place.part in ("", *(address.join(part, variant) for part in (*entry.parts, *entry.followups)))


def _has_section(place: Place) -> bool:
    if place.section in ("", END):
        return True
    return place.section in {section.id for section in course.lesson(place.id).sections}
