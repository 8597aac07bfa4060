"""FI-9, the prerequisite map: what is needed before what, with each idea's lesson and the reader's mastery.

The chain from token to KV cache and its end in LLM serving are the source's; the side branches are our own reading of
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tutor.figures.base import Figure, FigureKey
from tutor.figures.map_details import details
from tutor.figures.pen import ACCENT, DIM, Part, Pen, beside
from tutor.figures.prerequisites import NODES, children, guides, leads_to, needs, way
from tutor.figures.rows import CAPTION, GAP, Row, fit
from tutor.figures.state import State, between, hidden, names, put, word

_MARKS = {"mastered": "█", "started": "▄", "new": "·"}
WIDE = 100
"""Columns from which there is room beside the tree for what the chosen idea is."""
TREE = 44
"""Columns of the tree there."""
APART = 4
"""Columns between the two."""
_APART = 3
"""Columns between the key to the marks and what is said of the rest of the tree."""
MEASURE = 72
"""The longest line of the text there: a wider one is hard to read."""
_KEY = 4
"""Rank of the key to the marks."""
_UP, _DOWN = "map.above", "map.below"
EASY, LEAST = 8, 5
"""Rows of the tree under which the key to the marks gives way to it, and under which the sentence does."""


def visible(state: State) -> list[int]:
    """The places of the nodes that are not folded away."""
    hidden = {
        below for place, node in enumerate(NODES) if node.id in names(state, "folded") for below in children(place)
    }
    return [place for place in range(len(NODES)) if place not in hidden]


def _place(state: State) -> int:
    return next((i for i, node in enumerate(NODES) if node.id == word(state, "at")), 0)


def share(state: State, lesson: str) -> Fraction | None:
    """Of a lesson's pages those that were opened, 0 to 1; ``None`` where only a word says how far it is."""
    table = state["mastery"]
    value = table.get(lesson, 0) if isinstance(table, Mapping) else 0
    return None if isinstance(value, str) else max(Fraction(0), min(Fraction(1), Fraction(str(value))))


def mastery(state: State, lesson: str) -> str:
    """``mastered``, ``started`` or ``new``, from a word or a share of 0 to 1."""
    part = share(state, lesson)
    if part is None:
        table = state["mastery"]
        value = str(table.get(lesson)) if isinstance(table, Mapping) else ""
        return value if value in _MARKS else "new"
    return "mastered" if part == 1 else "started" if part else "new"


def target(state: State) -> str:
    """The lesson that the chosen node opens."""
    return NODES[_place(state)].lesson


def notice(state: State, pen: Pen) -> str:
    """What the chosen idea needs and what needs it, and how far its lesson is."""
    place = _place(state)
    node = NODES[place]
    above, below = (_listed(places, pen) for places in (needs(place), leads_to(place)))
    kind = "leaf" if not below else "middle" if above else "root"
    told = pen.say(f"map.notice.{kind}", name=_quoted(place, pen), above=above, below=below)
    return f"{told} {pen.say(f'map.read.{mastery(state, node.lesson)}', lesson=node.lesson.partition('/')[2])}"


def _quoted(place: int, pen: Pen) -> str:
    """The name of an idea as it stands in a sentence: some names are phrases."""
    return f'"{pen.say(f"map.{NODES[place].id}")}"'


def _listed(places: tuple[int, ...], pen: Pen) -> str:
    """Several names in a sentence."""
    quoted = [_quoted(place, pen) for place in places]
    return (
        quoted[0]
        if len(quoted) == 1
        else pen.say("map.and", most=", ".join(quoted[:-1]), last=quoted[-1])
        if quoted
        else ""
    )


def _row(place: int, state: State, pen: Pen, width: int) -> Row:
    """One node: mark, tree lines, name, and its lesson at the right edge."""
    node, here = NODES[place], _place(state) == place
    level = mastery(state, node.lesson)
    name = pen.say(f"map.{node.id}") + (f" (+{len(children(place))})" if node.id in names(state, "folded") else "")
    lesson = node.lesson.partition("/")[2]
    lines = pen.fold(guides(place))
    fill = " " * max(1, width - 4 - len(lines) - len(name) - len(lesson))
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


def _key(pen: Pen) -> str:
    """The key to the marks."""
    return pen.fold(
        "  ".join(f"{pen.dot if level == 'new' else _MARKS[level]} {pen.say(f'map.level.{level}')}" for level in _MARKS)
    )


def _legend(pen: Pen) -> list[Row]:
    """The key to the marks, and whose the tree is."""
    whose = pen.wrapped(pen.say("map.caption"), DIM, CAPTION + 1)
    return [pen.gap(), *(Row(row.content, _KEY, "") for row in pen.wrapped(_key(pen), DIM)), *whose]


def _more(window: list[int], shown: list[int], key: str, pen: Pen) -> Row:
    """How many ideas stand above and below the part that is drawn; where a legend has room for it, at its right end."""
    above = shown.index(window[0])
    counts = ((_UP, above), (_DOWN, len(shown) - above - len(window)))
    told = "  ".join(pen.say("map.more", way=pen.say(sign), n=n) for sign, n in counts if n)
    return pen.art((key, DIM), (told.rjust(pen.width - len(key)), ACCENT), rank=_KEY if key else 0)


def _window(state: State, room: int) -> list[int]:
    """The nodes around the chosen one that so many rows hold."""
    shown = visible(state)
    start = between(shown.index(_place(state)) - room // 2, 0, max(0, len(shown) - room))
    return shown[start : start + room]


def paint(state: State, pen: Pen) -> list[Row]:
    """The part of the tree around the chosen node that the height holds, and the key to the marks."""
    said = 0 if hidden(state, "note") else len(pen.wrapped(notice(state, pen)))
    legend, need = _legend(pen), len(visible(state))
    for rank in (GAP, CAPTION + 1):  # what gives way to the whole tree
        if need + len(legend) + said > pen.height:
            legend = [row for row in legend if row.rank != rank]
    if pen.height - len(legend) - said < min(need, EASY):  # to a part of it the key to the marks, then the sentence
        legend = []
    if pen.height - said < min(need, LEAST):
        said = 0
    room = max(1, pen.height - len(legend) - said)
    if room < need:
        room, legend = _with_more(state, room, legend, pen)
    width = TREE if pen.width >= WIDE else pen.width
    tree = [_row(place, state, pen, width) for place in _window(state, room)]
    if pen.width < WIDE:
        return [*tree, *legend]
    return [*_with_details(tree, state, pen, max(len(tree), room)), *legend]


def _with_more(state: State, room: int, legend: list[Row], pen: Pen) -> tuple[int, list[Row]]:
    """The rows for a part of the tree, and the legend that says how much more of it there is."""
    keys, key = [row for row in legend if row.rank == _KEY], _key(pen)
    longest = "  ".join(pen.say("map.more", way=pen.say(sign), n=len(NODES)) for sign in (_UP, _DOWN))
    if len(keys) == 1 and len(key) + _APART + len(longest) <= pen.width:
        row = _more(_window(state, room), visible(state), key, pen)
        return room, [row if one is keys[0] else one for one in legend]
    room = max(1, room - 1)
    return room, [_more(_window(state, room), visible(state), "", pen), *legend]


def _with_details(tree: list[Row], state: State, pen: Pen, height: int) -> list[Row]:
    """The tree, and beside it what the chosen idea is; read aloud, that comes after the tree."""
    lesson = target(state)
    room = min(MEASURE, pen.width - TREE - APART)
    block = details(_place(state), share(state, lesson), mastery(state, lesson), room, pen)
    block = fit(block, height)[:height]
    told = "\n".join(row.plain for row in block if row.plain)
    rows = beside(tree, [Row(row.content, row.rank, "") for row in block], TREE + APART, pen)
    return [
        *(Row(row.content, 0, row.plain) for row in rows[:-1]),
        Row(rows[-1].content, 0, f"{rows[-1].plain}\n{told}"),
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
    above = way(place)[:-1]
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
    {"mastery": {}, "at": "token", "folded": (), "hide": ()},
    (
        FigureKey("down", lambda state: _walk(1, state), "map.key.down"),
        FigureKey("up", lambda state: _walk(-1, state), "map.key.up"),
        FigureKey("right", _unfold, "map.key.unfold"),
        FigureKey("left", _fold, "map.key.fold"),
    ),
    paint,
    clean,
    notice=notice,
    target=target,
)
