"""What revision asks: concepts that are exercised, and values that can be asked for backwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from content.cards import Card
from content.checking import expectation
from content.schema import COMPUTED, Exercise, Part
from content.validate.positions import Path
from content.validate.source import Source
from engine.answers.reverse import askable

Levelled = Sequence[tuple[Source, tuple[Exercise, ...]]]
"""The exercises of a track, each level with its file."""


def concepts(
    index: Source, wanted: Sequence[str], levelled: Levelled, shelf: Source | None, cards: Sequence[Card]
) -> None:
    """Every part and card exercises concepts that the track requires, and every required concept is exercised."""
    asked: set[str] = set()
    for source, exercises in levelled:
        for place, exercise in enumerate(exercises):
            for inner, part in enumerate(exercise.parts):
                if not part.kind:
                    continue  # nothing of it could be read, which is reported
                path: Path = ("exercise", place, "part", inner)
                own = "concepts" in source.table["exercise"][place]["part"][inner]
                asked.update(_known(source, path if own else path[:2], part.concepts, wanted))
    for card in cards if shelf is not None else ():
        assert shelf is not None
        asked.update(_known(shelf, shelf.find((card.id,)), card.concepts, wanted))
    for place, concept in enumerate(wanted):
        if concept not in asked:
            index.report(("required", "concepts", place), "concept-not-asked", concept=concept)


def _known(source: Source, path: Path, concepts: Sequence[str], wanted: Sequence[str]) -> Iterable[str]:
    if not concepts:
        source.report(path, "no-concept")
    for concept in concepts:
        if concept not in wanted:
            source.report_in((*path, "concepts"), concept, "unknown-concept", concept=concept)
    return concepts


def reverse(source: Source, where: tuple[str, ...], exercise: Exercise, part: Part) -> None:
    """The symbols that a part lets ask for backwards can be asked for."""
    if not part.reverse:
        return
    path = (*source.find(where), "reverse")
    can = askable(expectation(exercise, part)) if part.kind in COMPUTED else ()
    for place, symbol in enumerate(part.reverse):
        if symbol in part.reverse[:place]:
            source.report((*path, place), "duplicate-id", id=symbol)
        elif symbol not in can:
            source.report((*path, place), "cannot-reverse", symbol=symbol, known=", ".join(can) or "-")
