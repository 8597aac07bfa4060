"""Mastery of a concept: the share of its questions that the learner would answer right in a week, without revision.

Each question counts with its chance of a right answer in :data:`AHEAD` days (or on the day of the exam), as FSRS
estimates it from the learner's reviews; one that was never asked counts 0. So mastery rises with what is learnt, stays
with what is revised, and falls by itself with what is left. Counted are the cards and the parts of exercises;
follow-ups and questions asked backwards count once they were asked, or where a concept has no others. Slips are
counted elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Final, NamedTuple

from content import course
from content.quiz.concepts import concepts as all_concepts
from content.quiz.concepts import taught_in
from content.quiz.model import Item
from tutor.progress import Memory
from tutor.revision.schedule import Plan, recall

AHEAD: Final = 7
"""Days ahead for which recall is asked: what is known today and gone next week is not mastered."""


class Concept(NamedTuple):
    """Mastery of a concept: ``value`` from 0 to 1, of so many ``items``, of which so many were ever ``answered``."""

    id: str
    lesson: str
    value: float
    items: int
    answered: int


class ItemRecall(NamedTuple):
    """What an item adds to the mastery of its concepts: its recall, 0 to 1, and the memory that it comes from."""

    item: Item
    recall: float
    memory: Memory | None


def concepts(items: Mapping[str, Item], memories: Mapping[str, Memory], plan: Plan) -> tuple[Concept, ...]:
    """The mastery of all concepts, in the order of the course."""
    lessons = taught_in()
    found = [(concept, of(concept, items, memories, plan)) for concept in all_concepts()]
    return tuple(
        Concept(id_, lessons.get(id_, ""), mean(rows), len(rows), sum(row.memory is not None for row in rows))
        for id_, rows in found
    )


def of(concept: str, items: Mapping[str, Item], memories: Mapping[str, Memory], plan: Plan) -> tuple[ItemRecall, ...]:
    """What the mastery of a concept is made of, the weakest last. Raises ``KeyError`` for one that there is not."""
    if concept not in all_concepts():
        raise KeyError(concept)
    followups = {part for track in course.index().tracks for entry in track.exercises for part in entry.followups}
    counted = [item for item in items.values() if concept in item.concepts and item.kind != "slip"]
    main = [item for item in counted if item.id in memories or not (item.kind == "reverse" or item.id in followups)]
    when = horizon(plan)
    rows = [_row(item, memories.get(item.id), when) for item in main or counted]
    return tuple(sorted(rows, key=lambda row: -row.recall))


def mean(rows: Iterable[ItemRecall]) -> float:
    """Mastery, from what it is made of; 0 where there is nothing to ask."""
    values = [row.recall for row in rows]
    return sum(values) / len(values) if values else 0.0


def horizon(plan: Plan) -> date:
    """The day for which recall is asked: that of an exam to come, else a week from today."""
    if plan.exam is not None and plan.exam > plan.today:
        return plan.exam
    return plan.today + timedelta(days=AHEAD)


def _row(item: Item, memory: Memory | None, when: date) -> ItemRecall:
    return ItemRecall(item, recall(memory, when) if memory is not None else 0.0, memory)
