"""The heads of one layer as rows: the slices of the vector, the queries, and the K and V that a group shares.

Heads that would become a texture are left out in the middle: the first ones, a row of dots, the last one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tutor.figures.pen import DIM, KV, Part, Pen
from tutor.figures.rows import Row
from tutor.figures.state import between

_LONG = 60
"""From this width on the rows are named in words."""
_WIDEST = 9
"""Columns of one query head at most."""
_FEWEST = 3
"""Places of a group that is not drawn whole: its first head, dots, its last head."""


class Group(NamedTuple):
    """A KV head and the places of its query heads; ``None`` is a place of dots. Without places: KV heads left out."""

    head: int
    places: tuple[int | None, ...]


def chosen(heads: int, shared: int, room: int) -> list[Group]:
    """The groups of KV heads that are drawn in ``room`` places (4 and more), in order.

    Groups are rather left out than broken; where not even two fit whole, each is told by its first and its last head.
    """
    size = heads // shared
    if heads <= room:
        return [_group(head, size, size) for head in range(shared)]
    whole = (room - 1) // size
    if size <= _FEWEST or whole >= 2:
        return _some(shared, size, size, max(1, whole))
    if shared * _FEWEST <= room:
        return [_group(head, size, room // shared) for head in range(shared)]
    return _some(shared, size, _FEWEST, max(1, (room - 1) // _FEWEST))


def _some(shared: int, size: int, places: int, count: int) -> list[Group]:
    """So many groups: the first ones, dots, the last one; of a single one the first."""
    if count < 2:
        return [_group(0, size, places), Group(1, ())]
    first = [_group(head, size, places) for head in range(count - 1)]
    return [*first, Group(count - 1, ()), _group(shared - 1, size, places)]


def _group(head: int, size: int, room: int) -> Group:
    """One group in ``room`` places: its first heads and its last one."""
    start, end = head * size, (head + 1) * size
    return Group(head, tuple(range(start, end)) if size <= room else (*range(start, start + room - 2), None, end - 1))


def _least(heads: int) -> int:
    """Columns that a query head needs at least, so that its number can be read in brackets."""
    return 3 if heads < 10 else len(str(heads)) + 3


def _names(pen: Pen) -> tuple[str, str, str, str, str]:
    """The names of the rows, all of one width."""
    if pen.width < _LONG:
        return "in  ", "q   ", "    ", "kv  ", "out "
    words = [pen.say(f"heads.row.{name}") for name in ("vector", "queries", "shared", "joined")]
    width = max(map(len, words)) + 2
    vector, queries, kv, joined = (word.ljust(width) for word in words)
    return vector, queries, " " * width, kv, joined


def diagram(heads: int, shared: int, width: int, room: int, pen: Pen) -> list[Row]:
    """The heads over their K and V, between vector and result where five rows have room."""
    names = _names(pen)
    columns = width - len(names[0])
    least = _least(heads)
    drawn = chosen(heads, shared, columns // least)
    places = sum(len(group.places) or 1 for group in drawn)
    cell = between(columns // places, least, _WIDEST)
    rows = _heads(drawn, cell, names, pen)
    return _between(places * cell - 1, names, rows, pen) if room >= 5 else rows[:: 1 if room >= 3 else 2]


def _dots(cell: int, pen: Pen) -> str:
    """What stands for heads that are left out."""
    return ("..." if pen.ascii else "…").center(cell - 1).ljust(cell)


def _heads(drawn: Sequence[Group], cell: int, names: Sequence[str], pen: Pen) -> list[Row]:
    """Three rows: the query heads, the braces, and the shared K and V."""
    top, mid, low = list[Part]([names[1]]), list[Part]([names[2]]), list[Part]([names[3]])
    for head, places in drawn:
        if not places:
            top.append((_dots(cell, pen), DIM))
            mid.append(" " * cell)
            low.append((_dots(cell, pen), DIM))
            continue
        inner = len(places) * cell - 1
        for place in places:
            top.append((_dots(cell, pen), DIM) if place is None else f"q{place + 1}".center(cell - 1).ljust(cell))
        mid.append(_brace(inner) + " ")
        low += [(_boxed(f"kv{head + 1}", inner), KV), " "]
    return [pen.art(*top), pen.art(*mid, rank=2), pen.art(*low)]


def _boxed(text: str, width: int) -> str:
    """A name in brackets, or without them where there is no room; only its letters where there is less."""
    if width >= len(text) + 2:
        return f"[{text.center(width - 2)}]"
    return text.center(width) if width >= len(text) else text[:width]


def _brace(width: int) -> str:
    """The line that gathers the query heads of one group."""
    return "│".center(width) if width < 5 else f"└{'┬'.center(width - 2, '─')}┘"


def _between(width: int, names: Sequence[str], rows: Sequence[Row], pen: Pen) -> list[Row]:
    """The whole vector above, which every head reads, and below the results joined again."""
    whole, joined = (_long(pen.say(f"heads.{name}"), width) for name in ("whole", "joined"))
    return [pen.art(names[0], whole, rank=6), *rows, pen.art(names[4], joined, rank=6)]


def _long(text: str, width: int) -> str:
    """One box of a row, with a text in it where that has room."""
    return f"[{text.center(width - 2, '=')}]" if len(text) + 2 <= width else f"[{'=' * (width - 2)}]"
