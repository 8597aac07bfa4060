"""FI-5, attention heads: which query heads share a K and V row (MHA, GQA, MQA), and what that saves."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tutor.figures.base import Figure, FigureKey
from tutor.figures.numbers import Args, calc
from tutor.figures.pen import ACCENT, KV, Part, Pen
from tutor.figures.rows import Row
from tutor.figures.state import State, between, hidden, moved, number, put, whole

SIZES = (4, 8, 16, 32)


def kind(state: State) -> str:
    """MHA, GQA or MQA."""
    heads, shared = whole(state, "n_head"), whole(state, "n_kv_heads")
    return "MHA" if shared == heads else "MQA" if shared == 1 else "GQA"


def _cell(state: State, width: int) -> int:
    """Columns for one query head: 4 where they fit, 1 at least."""
    return between((width - 3) // whole(state, "n_head"), 1, 4)


def _brace(length: int) -> str:
    """The line that gathers the query heads of one group."""
    return "│" if length == 1 else f"└{'─' * (length - 2)}┘"


def _groups(state: State, pen: Pen) -> list[list[tuple[int, int, int]]]:
    """Lines of groups, each (KV head, first query head, end); a group wider than a line goes on in the next."""
    heads, shared = whole(state, "n_head"), whole(state, "n_kv_heads")
    size, cell = heads // shared, _cell(state, pen.width)
    limit = max(1, (pen.width - 3) // max(cell, 2 if size == 1 else 1))
    lines: list[list[tuple[int, int, int]]] = [[]]
    used = 0
    for group in range(shared):
        for first in range(group * size, (group + 1) * size, limit):
            end = min(first + limit, (group + 1) * size)
            if used and used + end - first > limit:
                lines, used = [*lines, []], 0
            lines[-1].append((group, first, end))
            used += end - first
    return lines


def _line(groups: list[tuple[int, int, int]], state: State, pen: Pen) -> list[Row]:
    """Three rows: the query heads, the braces, and the shared K and V."""
    cell = max(_cell(state, pen.width), 2 if whole(state, "n_head") == whole(state, "n_kv_heads") else 1)
    top, mid, low = list[Part](["Q  "]), list[Part](["   "]), list[Part](["KV "])
    for _, first, end in groups:
        room = (end - first) * cell
        inner = max(1, room - 1)
        names = "".join((f"q{i + 1}" if cell >= 4 else "q").ljust(cell) for i in range(first, end))
        top.append(names)
        mid.append(_brace(inner).ljust(room))
        low += [("kv"[:inner].center(inner), KV), " " * (room - inner)]
    return [pen.art(*top), pen.art(*mid, rank=2), pen.art(*low)]


def paint(state: State, pen: Pen) -> list[Row]:
    """The heads over their shared K and V, the name of the arrangement, and a token's bytes against MHA."""
    heads, shared = whole(state, "n_head"), whole(state, "n_kv_heads")
    shape: Args = {"L": whole(state, "L"), "d_head": whole(state, "d_head"), "p": number(state, "p")}
    own, full = (calc("kv_per_token", n_kv_heads=n, **shape) for n in (shared, heads))
    facts = [(pen.say("heads.heads"), str(heads)), (pen.say("heads.kv"), str(shared))]
    if not hidden(state, "bytes"):
        facts += [
            (pen.say("heads.token"), pen.amount(own, "KiB")),
            (pen.say("heads.mha"), pen.amount(full, "KiB")),
        ]
    lines = _groups(state, pen)
    drawn = [row for line in lines for row in _line(line, state, pen)]
    if len(drawn) + 5 > pen.height:
        drawn = [row for line in lines for row in _line(line, state, pen)[::2]]
    if len(drawn) + 5 > pen.height:
        drawn = []
    name = pen.say(f"heads.{kind(state)}", size=heads // shared)
    return [*drawn, pen.gap(), *pen.wrapped(name, ACCENT), *pen.pairs(facts), *pen.caption(pen.say("heads.caption"))]


def _share(by: int, state: State) -> State:
    """More or fewer KV heads, along the divisors of the query heads."""
    heads = whole(state, "n_head")
    ladder = [n for n in range(1, heads + 1) if heads % n == 0]
    return moved(state, "n_kv_heads", ladder, by)


def _size(by: int, state: State) -> State:
    """More or fewer query heads; MHA stays MHA, and otherwise the KV heads keep to the divisors."""
    larger = moved(state, "n_head", SIZES, by)
    return put(larger, n_kv_heads=larger["n_head"]) if kind(state) == "MHA" else clean(larger, {})


def clean(state: State, given: Mapping[str, object]) -> State:
    """KV heads that divide the query heads."""
    heads = between(whole(state, "n_head"), 1, 128)
    shared = between(whole(state, "n_kv_heads"), 1, heads)
    return put(state, n_head=heads, n_kv_heads=max(n for n in range(1, shared + 1) if heads % n == 0))


FIGURE = Figure(
    "heads",
    {"n_head": 8, "n_kv_heads": 8, "L": 32, "d_head": 128, "p": Fraction(2), "hide": ()},
    (
        FigureKey("left", lambda state: _share(-1, state), "heads.key.fewer"),
        FigureKey("right", lambda state: _share(1, state), "heads.key.more"),
        FigureKey("up", lambda state: _size(1, state), "heads.key.up"),
        FigureKey("down", lambda state: _size(-1, state), "heads.key.down"),
    ),
    paint,
    clean,
)
