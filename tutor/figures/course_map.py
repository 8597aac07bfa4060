"""FI-9, the prerequisite map: what is needed before what, with each idea's lesson and the reader's mastery.

The chain from token to KV cache and on to serving is the source's; the side branches are our own reading of it, as the
caption says.
"""

from __future__ import annotations

from collections.abc import Mapping

from tutor.figures.base import Figure, FigureKey
from tutor.figures.pen import ACCENT, DIM, Part, Pen
from tutor.figures.prerequisites import NODES, children, guides
from tutor.figures.rows import Row
from tutor.figures.state import State, between, names, put, word

_MARKS = {"mastered": "█", "started": "▄", "new": "·"}


def visible(state: State) -> list[int]:
    """The places of the nodes that are not folded away."""
    hidden = {
        below for place, node in enumerate(NODES) if node.id in names(state, "folded") for below in children(place)
    }
    return [place for place in range(len(NODES)) if place not in hidden]


def _place(state: State) -> int:
    return next((i for i, node in enumerate(NODES) if node.id == word(state, "at")), 0)


def mastery(state: State, lesson: str) -> str:
    """``mastered``, ``started`` or ``new``, from a word or a share of 0 to 1."""
    table = state["mastery"]
    value = table.get(lesson, "new") if isinstance(table, Mapping) else "new"
    if isinstance(value, str):
        return value if value in _MARKS else "new"
    return "mastered" if value >= 1 else "started" if value > 0 else "new"


def target(state: State) -> str:
    """The lesson that the chosen node opens."""
    return NODES[_place(state)].lesson


def _row(place: int, state: State, pen: Pen) -> Row:
    """One node: mark, tree lines, name, and its lesson at the right edge."""
    node, here = NODES[place], _place(state) == place
    level = mastery(state, node.lesson)
    name = pen.say(f"map.{node.id}") + (f" (+{len(children(place))})" if node.id in names(state, "folded") else "")
    lesson = node.lesson.partition("/")[2]
    lines = pen.fold(guides(place))
    fill = " " * max(1, pen.width - 4 - len(lines) - len(name) - len(lesson))
    parts: list[Part] = [
        ("▌" if here else " ", ACCENT),
        (pen.dot if level == "new" else _MARKS[level], DIM if level == "new" else ACCENT),
        " ",
        (lines, DIM),
        (name, ACCENT if here else ""),
        fill,
        (lesson, DIM),
        " ",
    ]
    return Row(pen.line(*parts), 0, f"{'  ' * node.depth}{name} ({lesson}): {pen.say(f'map.level.{level}')}")


def paint(state: State, pen: Pen) -> list[Row]:
    """The part of the tree around the chosen node that the height holds, and the key to the marks."""
    key = "  ".join(
        f"{pen.dot if level == 'new' else _MARKS[level]} {pen.say(f'map.level.{level}')}" for level in _MARKS
    )
    legend = [pen.gap(), *pen.wrapped(pen.fold(key), DIM, 4)]
    shown = visible(state)
    caption = pen.caption(pen.say("map.caption"))
    if len(shown) + len(legend) > pen.height:
        legend = legend[1:]
    room = pen.height - len(legend)
    if len(shown) + len(caption) <= room:
        room -= len(caption)
    else:
        caption = []
    start = between(shown.index(_place(state)) - room // 2, 0, max(0, len(shown) - room))
    window = shown[start : start + room]
    return [
        *[_row(place, state, pen) for place in window],
        *[Row(row.content, row.rank, "") for row in legend],
        *caption,
    ]


def _walk(by: int, state: State) -> State:
    shown = visible(state)
    return put(state, at=NODES[shown[between(shown.index(_place(state)) + by, 0, len(shown) - 1)]].id)


def _fold(state: State) -> State:
    """Fold the chosen node away; one that is folded or has nothing below it goes to the node above."""
    place, folded = _place(state), names(state, "folded")
    node = NODES[place]
    if len(children(place)) and node.id not in folded:
        return put(state, folded=(*folded, node.id))
    above = [i for i in range(place) if place in children(i)]
    return put(state, at=NODES[above[-1]].id) if above else state


def _unfold(state: State) -> State:
    place, folded = _place(state), names(state, "folded")
    if NODES[place].id in folded:
        return put(state, folded=tuple(name for name in folded if name != NODES[place].id))
    return put(state, at=NODES[place + 1].id) if len(children(place)) else state


def clean(state: State, given: Mapping[str, object]) -> State:
    """A chosen node that exists and can be seen."""
    known = {node.id for node in NODES}
    state = put(state, folded=tuple(name for name in names(state, "folded") if name in known))
    return put(state, at=NODES[_place(state)].id if _place(state) in visible(state) else NODES[0].id)


FIGURE = Figure(
    "map",
    {"mastery": {}, "at": "token", "folded": ()},
    (
        FigureKey("down", lambda state: _walk(1, state), "map.key.down"),
        FigureKey("up", lambda state: _walk(-1, state), "map.key.up"),
        FigureKey("right", _unfold, "map.key.unfold"),
        FigureKey("left", _fold, "map.key.fold"),
    ),
    paint,
    clean,
)
