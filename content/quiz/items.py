"""Everything that revision can ask, by id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from content import cards as deck
from content import course
from content.cards import Card
from content.course import TRACKS
from content.files import shipped
from content.quiz.concepts import concepts
from content.quiz.model import FIND, Item
from content.schema import COMPUTED, Exercise, ExerciseEntry, Part, Track

__all__ = ["catalogue", "concepts", "item", "listed", "slip_item", "slip_parts"]

SLIPS = f"{TRACKS[0]}/slip/"
"""What the id of every slip item begins with."""
SLIP_CONCEPTS = 2
"""A slip stands for the main concepts of the parts that show it, the most frequent ones; more of them say nothing."""


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, Item]:
    """All items, by id: parts (follow-ups too), reverse items, cards, and every slip that some part can show.

    Reads all levels; raises ``ContentError`` for a damaged one.
    """
    found: dict[str, Item] = {}
    for track in course.index().tracks:
        for level in track.levels:
            for entry in level.exercises:
                found |= {one.id: one for one in _of_exercise(track.id, level.id, entry)}
    found |= {card.id: _of_card(card) for card in deck.cards()}
    found |= {one.id: one for one in map(_full_slip, _shown())}
    return found


def item(id_: str) -> Item | None:
    """An item by its id, from the index and the cards alone; ``None`` where there is none.

    Cheap, and therefore poorer than the :func:`catalogue`'s: a part, reverse or slip item comes without its concepts, a
    slip without its lesson. Any slip that has words is an item here, whether or not a part can show it.
    """
    return listed().get(id_) or _bare_slip(id_)


def slip_item(slip: str) -> str:
    """The id of the item of a slip; "" for a slip without words. Whatever track shows it, the slip is one."""
    return f"{SLIPS}{slip}" if isinstance(shipped("words/slips.toml").get(slip), dict) else ""


def slip_parts(slip: str) -> tuple[str, ...]:
    """Ids of the parts in which a slip leads to another answer than the right one, as written, in course order."""
    return _shown().get(slip, ())


# --- from the index alone -------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def listed() -> Mapping[str, Item]:
    """All items but slips, by id, from the index and the cards alone: cheap, and without the concepts of parts."""
    found = {card.id: _of_card(card) for card in deck.cards()}
    for track in course.index().tracks:
        for level in track.levels:
            for entry in level.exercises:
                rows = [(part, "part", part, "") for part in (*entry.parts, *entry.followups)]
                rows += [(one, "reverse", *_source(one)) for one in entry.reverse]
                found |= {
                    id_: Item(id_, kind, track.id, level.id, entry.lesson, source, symbol)  # type: ignore[arg-type]
                    for id_, kind, source, symbol in rows
                }
    return found


def _source(reverse: str) -> tuple[str, str]:
    """The part and the symbol of a reverse item's id."""
    part, _, last = reverse.rpartition("/")
    return part, last.removeprefix(FIND)


def _bare_slip(id_: str) -> Item | None:
    slip = id_.removeprefix(SLIPS)
    return Item(id_, "slip", TRACKS[0], "", "", slip) if id_ and slip_item(slip) == id_ else None


# --- with the levels ------------------------------------------------------------------------------------------------


def _of_exercise(track: str, level: str, entry: ExerciseEntry) -> Iterator[Item]:
    for part in course.exercise(entry.id).parts:
        yield Item(part.id, "part", track, level, entry.lesson, part.id, "", part.concepts)
        for symbol in part.reverse:
            id_ = f"{part.id}/{FIND}{symbol}"
            yield Item(id_, "reverse", track, level, entry.lesson, part.id, symbol, part.concepts)


def _of_card(card: Card) -> Item:
    track = card.id.partition("/")[0]
    return Item(card.id, "card", track, _level_of_card(card), card.lesson, card.id, "", card.concepts)


def _level_of_card(card: Card) -> str:
    """The level of the part that checks the same fact, else of the lesson's first exercise."""
    home = course.shipped()
    if card.part:
        return home.level_of(card.part).id
    track: Track = home.track_of(card.id)
    return next((home.level_of(e.id).id for e in track.exercises if e.lesson == card.lesson), "")


def _full_slip(slip: str) -> Item:
    parts = [course.part(id_) for id_ in slip_parts(slip)]
    main = Counter(part.concepts[0] for _, part in parts if part.concepts)
    most = tuple(concept for concept, _ in main.most_common(SLIP_CONCEPTS))
    return Item(slip_item(slip), "slip", TRACKS[0], "", parts[0][0].lesson, slip, "", most)


@lru_cache(maxsize=1)
def _shown() -> Mapping[str, tuple[str, ...]]:
    """Slip -> the parts that show it, for every slip that has words."""
    found: dict[str, list[str]] = {}
    for track in course.index().tracks:
        for entry in track.exercises:
            exercise = course.exercise(entry.id)
            for part in exercise.parts:
                for slip in sorted(shown_by(exercise, part)):
                    found.setdefault(slip, []).append(part.id)
    return {slip: tuple(parts) for slip, parts in found.items() if slip_item(slip)}


def shown_by(exercise: Exercise, part: Part) -> frozenset[str]:
    """The slips that show in a part, as it is given: each leads to another answer than the right one."""
    if part.kind not in COMPUTED:
        return frozenset(part.slips.values())
    from content.checking import expectation
    from engine.answers.shown import shown_slips

    return shown_slips(expectation(exercise, part))
