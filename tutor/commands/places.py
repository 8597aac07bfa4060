"""An id as a person types it, found in the course or refused with the closest ones; a variant of it drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.commands.context import Refusal, quoted

if TYPE_CHECKING:
    from content.course import Place

MOST_LETTERS = 200
"""No id is longer; what stands behind is not looked at."""


def resolve(text: str, variant: object = None) -> Place:
    """The place that an id or an address names; with ``variant``, that variant of it.

    Raises:
        Refusal: no such id, no such variant, a variant of something that has none, or two different ones.
    """
    from content import address, course

    plain, written = _split(text)
    try:
        place = course.resolve(plain)
    except course.UnknownId as error:
        raise unknown_id(text, error.close) from error
    numbers = [number(value) for value in (written, variant) if value is not None]
    if not any(numbers):
        return place
    if len(set(numbers)) > 1:
        raise Refusal("cli.error.variant_two", text=quoted(text), variant=numbers[1])
    if place.kind not in ("exercise", "part"):
        raise Refusal("cli.error.variant_place", text=place.id)
    named = place._replace(id=address.join(place.id, numbers[0]))
    _draw(named, numbers[0])
    return named


def _split(text: str) -> tuple[str, str | None]:
    """An id without its variant, and the number as written behind the @, whatever stands there."""
    before, at, rest = text[:MOST_LETTERS].partition("@")
    if not at:
        return text, None
    written, slash, part = rest.partition("/")
    return before + slash + part, written


def number(value: object) -> int:
    """The number of a variant. Raises ``Refusal`` for what is none."""
    from content import address

    text = str(value).strip()
    whole = isinstance(value, str | int) and not isinstance(value, bool) and text.isascii() and text.isdigit()
    if not whole or len(text) > len(str(address.MOST)):
        raise Refusal("cli.error.variant", text=quoted(_shown(value)), most=address.MOST)
    return int(text)


def _shown(value: object) -> str:
    from tutor.commands.context import dumps

    return value if isinstance(value, str) else dumps(value)


def _draw(place: Place, variant: int) -> None:
    from content import course

    owner = place.id.rpartition("/")[0] if place.kind == "part" else place.id
    try:
        course.exercise(owner)
    except course.UnknownVariant as error:
        if course.can_vary(course.exercise(error.exercise)):
            raise Refusal("verdicts.invalid-variant-unknown", variant=variant) from error
        raise Refusal("cli.error.variant_none", text=error.exercise) from error


def unknown_id(text: str, close: tuple[str, ...]) -> Refusal:
    """The refusal of an id that the course does not have."""
    key = "cli.error.id_close" if close else "cli.error.id"
    return Refusal(key, text=quoted(text), close=", ".join(close))


def parts_under(place_id: str, most: int = 8) -> tuple[str, ...]:
    """Ids of the parts of an exercise or level; of a track or lesson the exercises, as examples of what to name."""
    from content import address, course

    wanted, variant = address.split(place_id)
    found: list[str] = []
    for track in course.index().tracks:
        for level in track.levels:
            for exercise in level.exercises:
                if wanted in (exercise.id, level.id):
                    found += [*exercise.parts, *exercise.followups]
                elif wanted in (exercise.lesson, track.id):
                    found.append(exercise.id)
    return tuple(address.join(id_, variant) for id_ in found[:most])
