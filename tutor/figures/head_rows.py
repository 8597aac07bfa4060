"""The heads of one layer as rows: the slices of the vector, the queries, and the K and V that a group shares."""

from __future__ import annotations

from typing import NamedTuple

from tutor.figures.pen import DIM, KV, Part, Pen
from tutor.figures.rows import Row
from tutor.figures.state import between

_LONG = 60
"""From this width on the rows are named in words."""
_WIDEST = 9
"""Columns of one query head at most."""


class Group(NamedTuple):
    """Query heads ``first`` to ``end`` (not in it) of one KV head; one that is too wide goes on in the next line."""

    head: int
    first: int
    end: int


def groups(heads: int, shared: int, limit: int) -> list[list[Group]]:
    """Lines of groups with ``limit`` query heads each at most."""
    size = heads // shared
    lines: list[list[Group]] = [[]]
    used = 0
    for head in range(shared):
        for first in range(head * size, (head + 1) * size, limit):
            end = min(first + limit, (head + 1) * size)
            if used and used + end - first > limit:
                lines, used = [*lines, []], 0
            lines[-1].append(Group(head, first, end))
            used += end - first
    return lines


def _boxed(text: str, short: str, width: int) -> str:
    """A name in brackets, as wide as asked; only a letter where there is no room."""
    if width >= len(text) + 2:
        return f"[{text.center(width - 2)}]"
    return f"[{short.center(width - 2)}]" if width > 2 else short[:width].ljust(width)


def _brace(width: int) -> str:
    """The line that gathers the query heads of one group."""
    return "│".center(width) if width < 3 else f"└{'┬'.center(width - 2, '─')}┘"


def _names(pen: Pen) -> tuple[str, str, str, str, str]:
    """The names of the rows, all of one width."""
    if pen.width < _LONG:
        return "in  ", "q   ", "    ", "kv  ", "out "
    words = [pen.say(f"heads.row.{name}") for name in ("slices", "queries", "shared", "joined")]
    width = max(map(len, words)) + 2
    slices, queries, kv, joined = (word.ljust(width) for word in words)
    return slices, queries, " " * width, kv, joined


def diagram(heads: int, shared: int, width: int, room: int, pen: Pen) -> list[Row]:
    """The heads in as many lines as the width asks for, in ``room`` rows; what has no room is told."""
    names = _names(pen)
    margin = len(names[0])
    cell = between((width - margin) // heads, 1, _WIDEST)
    lines = groups(heads, shared, (width - margin) // cell)
    drawn = [_line(line, cell, names, pen) for line in lines]
    if len(lines) == 1:
        return _sliced(heads, cell, names, drawn[0], pen) if room >= 5 else drawn[0][:: 1 if room >= 3 else 2]
    if len(lines) * 3 > room:
        drawn = [rows[::2] for rows in drawn]
    fits = max(1, room // len(drawn[0]))
    if fits >= len(lines):
        return [row for rows in drawn for row in rows]
    seen = max(1, (room - 1) // len(drawn[0]))
    left = heads - sum(group.end - group.first for line in lines[:seen] for group in line)
    return [*[row for rows in drawn[:seen] for row in rows], pen.art((pen.say("heads.left", n=left), DIM))]


def _line(line: list[Group], cell: int, names: tuple[str, ...], pen: Pen) -> list[Row]:
    """Three rows: the query heads, the braces, and the shared K and V."""
    top, mid, low = list[Part]([names[1]]), list[Part]([names[2]]), list[Part]([names[3]])
    for head, first, end in line:
        room = (end - first) * cell
        inner = room - 1 if cell > 1 else room
        top.append("".join(_query(i, cell) for i in range(first, end)))
        mid.append(_brace(inner).ljust(room))
        low += [(_boxed(f"kv{head + 1}", "kv" if inner > 3 else "K", inner), KV), " " * (room - inner)]
    return [pen.art(*top), pen.art(*mid, rank=2), pen.art(*low)]


def _query(place: int, cell: int) -> str:
    name = f"q{place + 1}"
    return (name if len(name) < cell else "q").center(cell - 1).ljust(cell) if cell > 1 else "q"


def _sliced(heads: int, cell: int, names: tuple[str, ...], drawn: list[Row], pen: Pen) -> list[Row]:
    """The slices of the vector above, one for each head, and below the slices joined again."""
    inner = max(1, cell - 1)
    slices = "".join(_slice(place + 1, inner).ljust(cell) for place in range(heads))
    width = heads * cell - (1 if cell > 1 else 0)
    joined = pen.say("heads.joined")
    whole = f"[{joined.center(width - 2, '=')}]" if len(joined) + 2 <= width else "=" * width
    return [
        pen.art(names[0], slices, rank=6),
        *drawn,
        pen.art(names[4], whole, rank=6),
    ]


def _slice(number: int, width: int) -> str:
    """One slice of the vector: its number between two ends; without room for that, unlike its neighbours."""
    text = str(number)
    return f"[{text.center(width - 2, '=')}]" if width >= len(text) + 2 else "-="[number % 2] * width
