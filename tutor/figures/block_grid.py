"""FI-10, the block grid: one reserved row of max_len slots against blocks of bs slots, the last one slot by slot."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.numbers import calc
from tutor.figures.pen import DIM, KV, RESERVED, STRONG, Part, Pen
from tutor.figures.rows import Row, apportion
from tutor.figures.state import State, between, hidden, number, put, whole

SIZES = (1, 8, 16, 32, 64, 128)
_HIDDEN = "?"
"""In place of a number that an exercise asks for."""


def _cells(used: int, unused: int, width: int, pen: Pen) -> list[Part]:
    """A row of slots in proportion: K used, r reserved and unused."""
    filled, empty = apportion([used, unused], width)
    return [("K" * filled, KV), ("r" * empty, RESERVED)]


def _naive(state: State, pen: Pen) -> list[Row]:
    """The reservation of a naive server as one row."""
    used, most = whole(state, "used"), whole(state, "max_len")
    waste = calc("naive_waste", max_len=most, used=used)
    facts = pen.apart(pen.say("block-grid.naive", n=grouped(most)), _share(waste, state, pen))
    unused = int(calc("unused_slots", max_len=most, used=used))
    shown = _HIDDEN if hidden(state, "unused") else grouped(unused)
    return [
        *facts,
        pen.art("│", *_cells(used, unused, pen.width - 2, pen), "│"),
        pen.row((pen.say("block-grid.counts", used=grouped(used), unused=shown), DIM), rank=5),
    ]


def _share(waste: Fraction, state: State, pen: Pen) -> str:
    """The unused share in words, or that it is the reader's to find."""
    return pen.say("block-grid.waste", share=_HIDDEN if hidden(state, "waste") else pen.amount(waste, "%"))


def _blocks(count: int, whole_ones: int, room: int, pen: Pen) -> list[Row]:
    """One cell a block: K full, k the last one that is not full. What the rows cannot hold is told, not drawn."""
    cells = "K" * whole_ones + "k" * (count - whole_ones)
    lines = [cells[i : i + pen.width] for i in range(0, len(cells), pen.width)]
    if len(lines) > room:
        more = pen.say("block-grid.more", blocks=pen.count("blocks", count - pen.width * max(0, room - 1)))
        return [*[pen.art((line, KV)) for line in lines[: max(0, room - 1)]], pen.art((more, DIM))]
    return [pen.art((line, KV)) for line in lines]


def _last(state: State, slack: int, pen: Pen) -> list[Row]:
    """The last block, slot by slot, with its slack against the largest possible."""
    size = whole(state, "bs")
    worst = int(calc("worst_slack", bs=size))
    label = pen.say("block-grid.last") + " "
    said = (_HIDDEN if hidden(state, name) else str(n) for name, n in (("slack", slack), ("most", worst)))
    text = pen.say("block-grid.slack", **dict(zip(("n", "most"), said, strict=True)))
    cells = min(size, pen.width - len(label) - 2)
    bar = pen.art((label, DIM), "[", *_cells(size - slack, slack, cells, pen), "]")
    return [Row(bar.content, 1, ""), *pen.wrapped(text, rank=0)]


def _count(noun: str, number: int, state: State, pen: Pen) -> str:
    """A number with its noun, unless an exercise asks for it."""
    return pen.count(noun, number) if not hidden(state, noun) else f"{_HIDDEN} {pen.say(f'block-grid.{noun}')}"


def paint(state: State, pen: Pen) -> list[Row]:
    """The naive row, the blocks, the last block."""
    used, size = whole(state, "used"), whole(state, "bs")
    load = {"used": used, "bs": size}
    count, slots, slack = (int(calc(name, **load)) for name in ("blocks", "slots", "wasted_slots"))
    waste = calc("paged_waste", **load)
    title = pen.apart(pen.say("block-grid.paged", bs=size), _share(waste, state, pen))
    room = between(pen.height - 8, 1, 6)
    held = {"blocks": _count("blocks", count, state, pen), "slots": _count("slots", slots, state, pen)}
    text = pen.say("block-grid.sum", used=grouped(used), bs=size, **held)
    sums = pen.wrapped(text, STRONG, 2)
    caption = pen.caption(pen.say("block-grid.caption"))
    return [
        *_naive(state, pen),
        pen.gap(),
        *title,
        *_blocks(count, count - (slack > 0), room, pen),
        *sums,
        *_last(state, slack, pen),
        *caption,
    ]


def _use(by: int, state: State) -> State:
    return put(state, used=between(whole(state, "used") + by, 1, whole(state, "max_len")))


def _next_size(state: State) -> State:
    """The next block size; after the largest comes the smallest."""
    size = number(state, "bs")
    return put(state, bs=next((n for n in SIZES if n > size), SIZES[0]))


def clean(state: State, given: Mapping[str, object]) -> State:
    """A length within the reservation."""
    most = max(1, whole(state, "max_len"))
    return put(
        state, max_len=most, used=between(whole(state, "used"), 1, most), bs=between(whole(state, "bs"), 1, 4096)
    )


FIGURE = Figure(
    "block-grid",
    {"used": 250, "bs": 16, "max_len": 2048, "hide": ()},
    (
        FigureKey("right", lambda state: _use(1, state), "block-grid.key.more"),
        FigureKey("left", lambda state: _use(-1, state), "block-grid.key.fewer"),
        FigureKey("up", lambda state: _use(50, state), "block-grid.key.fifty"),
        FigureKey("down", lambda state: _use(-50, state), "block-grid.key.minus-fifty"),
        FigureKey("switch", _next_size, "block-grid.key.size"),
    ),
    paint,
    clean,
)
