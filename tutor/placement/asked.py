"""What a placement may ask: parts of the exercises that stand alone, take seconds, and are judged, not ticked."""

from __future__ import annotations

from collections.abc import Mapping

from content import course
from content.quiz import items, questions
from content.quiz.model import Question
from content.schema import COMPUTED, Part

POOL: Mapping[int, tuple[str, ...]] = {
    1: ("core/L1.1/c", "core/L1.3/paged", "core/L1.3/continuous", "core/L1.1/a"),
    2: ("core/L2.3/fp16", "core/L2.1/kv", "core/L2.3/shrink", "core/L2.3/int4"),
    3: ("core/L3.1/blocks", "core/L3.2/ratio", "core/L3.1/wasted", "core/L3.1/worst_case"),
    4: ("core/L4.1/safe", "core/L4.3/extra", "core/L4.2/headroom", "core/L4.1/margin"),
    5: ("core/L5.1b/lever", "core/L5.1a/lever", "core/L5.1b/wall", "core/L5.1a/waste", "core/L5.1b/kv_left"),
}
"""Level -> ids of parts, those that say much in little time first. Of parts that are one idea in other numbers there is
one; left out are explanations, which nobody but the learner can judge, and L1.1/b, which has two fair readings."""
TYPED = 0.03
"""Chance of typing the right number without knowing."""


def in_turn(level: int, turn: int) -> tuple[str, ...]:
    """The parts of a level in the order in which they are asked; another ``turn`` begins with another one."""
    parts = POOL[level]
    start = turn % len(parts)
    return parts[start:] + parts[:start]


def question(part_id: str) -> Question:
    """A part as revision asks it: by itself, in the values as written.

    Raises:
        UnknownId: the course has no such part.
        ContentError: a file is damaged.
    """
    found = items.item(part_id)
    if found is None:
        raise course.UnknownId(part_id, ())
    return questions.question(found)


def guess(part: Part) -> float:
    """The chance of a right answer without knowing: one of so many options, or next to none for a typed number."""
    if part.kind in COMPUTED:
        return TYPED
    if part.kind == "judge":
        return 1 / 2
    ways = 1
    for options in part.attributes or (part.options,):
        ways *= len(options)
    return 1 / ways
