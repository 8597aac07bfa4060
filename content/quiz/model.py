"""An item of revision, and the question that asks it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from content.cards import Card
from content.schema import Exercise, Part
from engine.answers.model import Expectation

ItemKind = Literal["part", "reverse", "card", "slip"]
FIND = "find-"
"""What the last piece of a reverse item's id begins with: the symbol stands behind it."""


class Item(NamedTuple):
    """One thing that is remembered or forgotten.

    Attributes:
        id: "core/L2.1/kv" (a part), "core/L2.1/kv/find-S" (its answer given, S asked for), "core/card/token",
            "core/slip/gib-for-gb".
        kind: which of these.
        track, level, lesson: where it belongs: "core", "core/L2", "core/C2"; "" where it belongs to none.
        source: the part (plain id) of a part or reverse item, the id of a card, the id of a slip ("gib-for-gb").
        symbol: of a reverse item, what is asked for.
        concepts: ids of the concepts that it exercises, the main one first.
    """

    id: str
    kind: ItemKind
    track: str
    level: str
    lesson: str
    source: str
    symbol: str = ""
    concepts: tuple[str, ...] = ()


class Question(NamedTuple):
    """An item as it is asked this time.

    Attributes:
        item: what is asked.
        exercise, part: the situation and what is asked in it; none for a card. Of a part or slip item they are the
            course's own, in a variant where ``variant`` is not 0. Of a reverse item they are made: the part's id is the
            item's, no part of the course, its kind "number" or "integer".
        card: of a card item.
        expect: of a reverse item, what is right; the others are checked as parts of the course.
        variant: the number of the draw; 0 is the values as written.
    """

    item: Item
    exercise: Exercise | None = None
    part: Part | None = None
    card: Card | None = None
    expect: Expectation | None = None
    variant: int = 0
