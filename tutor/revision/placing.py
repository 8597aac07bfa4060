"""Where an item is asked this time: which part of the course, with which numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from content import address, course
from content.quiz import items, questions
from content.quiz.model import Item
from tutor.progress import Memory
from tutor.revision.choosing import TOUCHED

if TYPE_CHECKING:
    from tutor.session import Session

TRIES: Final = 5
"""So many draws of a part are looked at for one in which a slip shows."""

ROUND: Final = 500
"""Numbers of variants that reverse questions go round: short to read, and no two alike for years."""


class Wished(NamedTuple):
    """What a quiz wants of a place: ``asked`` is how often the item was asked in it already, ``level`` what it is about
    ("" for anything), ``taken`` the places that were asked in it."""

    asked: int = 0
    level: str = ""
    taken: Collection[str] = ()


def place_for(session: Session, item: Item, memory: Memory | None, wished: Wished) -> str | None:
    """The address of the part to ask: fresh numbers where there are any. ``None`` for an item that cannot be asked.

    Args:
        session: the learner, whose variants are used up one by one.
        item: what is to be asked; a card has no place, and gives "".
        memory: what is remembered of it; a slip goes on to another part with each review.
        wished: what this quiz wants.
    """
    if item.kind == "card":
        return ""
    turn = (memory.reviews if memory is not None else 0) + wished.asked
    if item.kind == "reverse":
        return _turned(item, turn)
    if item.kind != "slip":
        return _fresh(session, item.source, wished.taken)
    for part in _in_turn(session, item.source, turn, wished.level):
        place = _showing(session, item.source, part, wished.taken)
        if place is not None and (wished.asked or not asked_in(place, wished.taken)):
            return place
    return None


def asked_in(place: str, taken: Collection[str]) -> bool:
    """Whether one of the places asks the very same: this part in these numbers, whatever the number of the draw. Two
    draws of an exercise may differ in what another part needs only."""
    here = address.plain(place)
    return any(_numbers(place) == _numbers(other) for other in taken if address.plain(other) == here)


def _numbers(place: str) -> tuple[object, ...]:
    """All that a part's question is made of besides its words."""
    exercise, part = course.part(place)
    return part.given, part.names, exercise.names


def _fresh(session: Session, part: str, taken: Collection[str]) -> str:
    """The part in a variant in which nothing was done yet; as written where no variant draws for it."""
    exercise, _, name = part.rpartition("/")
    written = course.exercise(exercise)
    if not course.can_vary(written):
        return part
    used = max((address.split(one)[1] for one in taken if address.plain(one).rpartition("/")[0] == exercise), default=0)
    try:
        for _ in range(TRIES):
            drawn = course.exercise(session.fresh(exercise, used))
            if not asked_in(f"{drawn.id}/{name}", taken):
                break
            used = drawn.variant
    except course.UnknownVariant:
        return part
    if drawn.given == written.given and drawn.part(name).given == written.part(name).given:
        return part
    return f"{drawn.id}/{name}"


def _turned(item: Item, turn: int) -> str:
    """The part in other numbers each time. A reverse question uses no variant up: nothing is left in one."""
    exercise, _, name = item.source.rpartition("/")
    if not course.can_vary(course.exercise(exercise)):
        return item.source
    first = 1 + int.from_bytes(hashlib.sha256(f"{item.id} {turn}".encode()).digest()[:4], "big") % ROUND
    for variant in range(first, first + TRIES):
        with suppress(course.UnknownVariant):
            questions.question(item, variant)
            return f"{address.join(exercise, variant)}/{name}"
    return item.source


def _in_turn(session: Session, slip: str, turn: int, level: str) -> Sequence[str]:
    """The parts in which a slip shows, another first each time: those that the learner has met, in other exercises than
    the one in which it was made last, before all others."""
    states, made = session.progress.overall(""), session.progress.slip_places(slip)
    last = address.plain(made[-1]).rpartition("/")[0] if made else ""
    parts = items.slip_parts(slip)

    def rank(part: str) -> tuple[bool, bool, bool]:
        elsewhere = bool(level) and course.shipped().level_of(part).id != level
        met = part in states and states[part].status in TOUCHED
        return (elsewhere, not met, part.rpartition("/")[0] == last)

    ranked = sorted(parts, key=rank)
    best = [part for part in ranked if rank(part) == rank(ranked[0])]
    turned = [*best[turn % len(best) :], *best[: turn % len(best)]] if best else []
    return [*turned, *(part for part in ranked if part not in best)]


def _showing(session: Session, slip: str, part: str, taken: Collection[str]) -> str | None:
    """A part in numbers in which the slip gives another answer than the right one."""
    place = _fresh(session, part, taken)
    for _ in range(TRIES):
        if questions.shows(slip, *course.part(place)):
            return place
        exercise, variant = address.split(place)
        if not variant:
            return None
        try:
            place = address.join(exercise, variant + 1)
            course.part(place)
        except course.UnknownVariant:
            break
    return part if questions.shows(slip, *course.part(part)) else None
