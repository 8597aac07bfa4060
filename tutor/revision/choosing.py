"""Which items a quiz asks, and in which order. Pure: from what is known to a list of items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from content import course
from content.quiz.items import slip_parts
from content.quiz.model import Item
from tutor import coursemap
from tutor.progress import Memory, States
from tutor.revision.model import Wanted
from tutor.revision.schedule import Plan, is_due, new_today, recall

AHEAD: Final = 8
"""So far down the list a better neighbour is looked for: order matters more than variety."""
NEW_AFTER: Final = 3
"""A new item comes after so many known ones: what is new stands among what is easy to place."""
HARD: Final = 7.0
"""FSRS difficulty (1 to 10) from which an item is a weak spot by itself."""
LAPSE_WEIGHT, SLIP_WEIGHT = 0.15, 0.3
"""How much one lapse, and being a slip of one's own, add to the chance of a wrong answer when weak spots are ranked."""
TOUCHED: Final = ("tried", "solved", "shown")


class Known(NamedTuple):
    """What a choice is made from.

    Attributes:
        items: all that can be asked, by id.
        memories: by item id.
        states: of parts and sections, by plain id.
        slips: slips that were ever named alone.
        plan: what due means today.
        new_left: how many new items today still takes in, before an exam is thought of.
    """

    items: Mapping[str, Item]
    memories: Mapping[str, Memory]
    states: States
    slips: frozenset[str]
    plan: Plan
    new_left: int


def choose(known: Known, wanted: Wanted, most: int, random: Random) -> list[Item]:
    """The items of a quiz, in the order in which they are asked; at most ``most``. A test is given more to choose from.

    Args:
        known: the learner.
        wanted: the mode and where from.
        most: how many.
        random: decides in a test; the other modes are the same for the same learner.
    """
    inside = within(known.items.values(), wanted)
    ways: Mapping[str, Callable[[], list[Item]]] = {
        "due": lambda: _due(known, inside, most),
        "weak": lambda: _weakest(known, inside)[:most],
        "test": lambda: _mixture(known, inside, bool(wanted.level or wanted.track), random),
    }
    chosen = ways.get(wanted.mode, lambda: _all_of(known, inside)[:most])()
    return interleaved(chosen)


def within(items: Iterable[Item], wanted: Wanted) -> list[Item]:
    """The items of the track and level that are wanted; a slip belongs to every level in which it can show."""
    return [
        item
        for item in items
        if (not wanted.track or item.track == wanted.track) and (not wanted.level or _of_level(item, wanted.level))
    ]


def _of_level(item: Item, level: str) -> bool:
    if item.kind != "slip":
        return item.level == level
    return any(course.shipped().level_of(part).id == level for part in slip_parts(item.source))


def due(known: Known, items: Iterable[Item]) -> list[Item]:
    """What begins to be forgotten, the most forgotten first."""
    memories = known.memories
    found = [item for item in items if item.id in memories and is_due(memories[item.id], known.plan)]
    return sorted(found, key=lambda item: (recall(memories[item.id], known.plan.today), item.id))


def waiting(known: Known, items: Iterable[Item]) -> list[Item]:
    """What was learnt and never asked, in the order of the course."""
    lessons = learnt_lessons(known.states)
    return [item for item in items if item.id not in known.memories and _learnt(item, known, lessons)]


def fresh(known: Known, items: Iterable[Item]) -> list[Item]:
    """The new items that today takes in: one question of an exercise, and its others on other days, unless an exam
    leaves too few. Cards are short, and come as they stand."""
    turns = _in_turns(waiting(known, items))
    most = new_today(known.new_left, len(turns), known.plan)
    hurried = most > known.new_left
    return [item for turn, item in turns if hurried or turn == 1][:most]


def _in_turns(items: Iterable[Item]) -> list[tuple[int, Item]]:
    """The first item of every exercise, then the second of each, and so on, each with its turn."""
    seen: dict[str, int] = {}
    ranked: list[tuple[int, Item]] = []
    for item in items:
        situation = item.id if item.kind == "card" else _situation(item)
        seen[situation] = seen.get(situation, 0) + 1
        ranked.append((seen[situation], item))
    return sorted(ranked, key=lambda one: one[0])


def learnt_lessons(states: States) -> frozenset[str]:
    """Lessons of which half was read, or half of whose parts were worked."""
    lessons = [entry for track in course.index().tracks for entry in track.lessons]
    read = {entry.id for entry in lessons if 2 * coursemap.of_lesson(entry, states).done >= entry.sections}
    parts: dict[str, list[bool]] = {}
    for entry in coursemap.exercises():
        parts.setdefault(entry.lesson, []).extend(coursemap.touched((part,), states) for part in entry.parts)
    return frozenset(read | {lesson for lesson, done in parts.items() if 2 * sum(done) >= len(done)})


def interleaved(items: Sequence[Item]) -> list[Item]:
    """The same items, neighbours from different exercises, of different kinds and levels where that is near at hand."""
    rest, ordered = list(items), list[Item]()
    while rest:
        last = ordered[-1] if ordered else None
        near = range(min(AHEAD, len(rest)))
        ordered.append(rest.pop(min(near, key=lambda place: (_alike(rest[place], last), place))))
    return ordered


def _alike(item: Item, last: Item | None) -> int:
    if last is None:
        return 0
    same = (_situation(item) == _situation(last), item.kind == last.kind, item.level == last.level)
    return sum(weight for weight, equal in zip((4, 2, 1), same, strict=True) if equal)


def _situation(item: Item) -> str:
    """What two items share when asking both in a row would be asking twice: the exercise, or a card's lesson."""
    return item.source.rpartition("/")[0] if item.kind in ("part", "reverse") else item.lesson


def _learnt(item: Item, known: Known, lessons: frozenset[str]) -> bool:
    state = known.states.get(item.source)
    if item.kind == "part":
        return state is not None and state.status in TOUCHED
    if item.kind == "reverse":
        return state is not None and state.status == "solved"
    return item.source in known.slips if item.kind == "slip" else item.lesson in lessons


def _due(known: Known, inside: Sequence[Item], most: int) -> list[Item]:
    """Due ones with a few new among them. A backlog is begun where most can be saved: what is best remembered still
    needs one answer to last for long, and what is forgotten has to be learnt anew whenever it comes."""
    found = due(known, inside)
    if len(found) > most:
        return found[::-1][:most]
    new = fresh(known, inside)[: most - len(found)]
    mixed: list[Item] = []
    for place, item in enumerate(found, start=1):
        mixed.append(item)
        if place % NEW_AFTER == 0 and new:
            mixed.append(new.pop(0))
    return mixed + new


def _all_of(known: Known, inside: Sequence[Item]) -> list[Item]:
    """Everything: the due first, then what was never asked, then the rest, the shakiest first. Of slips, own ones."""
    asked = [item for item in inside if item.kind != "slip" or item.source in known.slips]
    first = due(known, asked)
    done = {item.id for item in first}
    never = [item for item in asked if item.id not in known.memories]
    rest = [item for item in asked if item.id in known.memories and item.id not in done]
    return [*first, *never, *sorted(rest, key=lambda item: recall(known.memories[item.id], known.plan.today))]


def _weakest(known: Known, inside: Sequence[Item]) -> list[Item]:
    weak = [item for item in inside if item.id in known.memories and _weak(item, known)]
    return sorted(weak, key=lambda item: (-_weakness(item, known), item.id))


def _weak(item: Item, known: Known) -> bool:
    memory = known.memories[item.id]
    if memory.day == known.plan.today and memory.streak:
        return False  # just known: there is nothing to gain today
    shaky = recall(memory, known.plan.today) < known.plan.retention or memory.difficulty > HARD
    return shaky or memory.lapses > 0 or item.kind == "slip" or not memory.streak


def _weakness(item: Item, known: Known) -> float:
    memory = known.memories[item.id]
    own = SLIP_WEIGHT if item.kind == "slip" else 0.0
    return 1 - recall(memory, known.plan.today) + LAPSE_WEIGHT * memory.lapses + own


def _mixture(known: Known, inside: Sequence[Item], named: bool, random: Random) -> list[Item]:
    """Checked questions only, from every level in turn; from what was learnt, unless a place was named."""
    pool = [item for item in inside if item.kind in ("part", "reverse")]
    lessons = learnt_lessons(known.states)
    if not named:
        pool = [item for item in pool if item.id in known.memories or _learnt(item, known, lessons)] or pool
    shelves: dict[str, list[Item]] = {}
    for item in random.sample(pool, len(pool)):
        shelves.setdefault(item.level, []).append(item)
    return [shelf[place] for place in range(len(pool)) for shelf in shelves.values() if place < len(shelf)]
