"""What the whole of a track must hold, as its index says under ``[required]``: concepts, nuances, cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from content.build import Builder
from content.cards import Card
from content.schema import Exercise, Lesson, Nuance
from content.validate.source import Source

Taught = Sequence[tuple[Source, Lesson]]
"""The lessons of a track, each with its file."""


def coverage(
    index: Source, builder: Builder, lessons: Taught, exercises: Sequence[Exercise], cards: Sequence[Card]
) -> None:
    """Check a track against what it promises; a track that promises nothing lacks nothing."""
    required = builder.mapping(index.table, "required")
    inside = builder.inside("required")
    if "concepts" in required:
        _concepts(index, inside.strings(required, "concepts"), lessons)
    if "nuances" in required:
        _nuances(index, inside.strings(required, "nuances"), [lesson for _, lesson in lessons], exercises)
    for kind, count in inside.mapping(required, "cards").items():
        have = sum(card.kind == kind for card in cards)
        if have != count:
            index.report(("required", "cards", kind), "cards-count", kind=kind, have=have, wanted=count)


def _concepts(index: Source, wanted: Sequence[str], lessons: Taught) -> None:
    """Each concept is taught in one section and no more."""
    taught: dict[str, str] = {}
    for source, lesson in lessons:
        for place, section in enumerate(lesson.sections):
            for concept in section.concepts:
                path = ("section", place, "concepts")
                if concept not in wanted:
                    source.report(path, "unknown-concept", concept=concept)
                elif concept in taught:
                    source.report(path, "concept-twice", concept=concept, first=taught[concept])
                else:
                    taught[concept] = f"{lesson.id} / {section.id}"
    for place, concept in enumerate(wanted):
        if concept not in taught:
            index.report(("required", "concepts", place), "concept-missing", concept=concept)


def _nuances(index: Source, wanted: Sequence[str], lessons: Sequence[Lesson], exercises: Sequence[Exercise]) -> None:
    """Each place where the source simplifies is told somewhere."""
    told = {nuance.id for nuance in _all_nuances(lessons, exercises)}
    for place, nuance in enumerate(wanted):
        if nuance not in told:
            index.report(("required", "nuances", place), "nuance-missing", nuance=nuance)


def _all_nuances(lessons: Sequence[Lesson], exercises: Sequence[Exercise]) -> Iterable[Nuance]:
    for lesson in lessons:
        for section in lesson.sections:
            yield from section.nuances
    for exercise in exercises:
        yield from exercise.nuances
        for part in exercise.parts:
            yield from part.nuances
