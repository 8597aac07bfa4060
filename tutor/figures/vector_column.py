"""FI-2, one token as a column of d_model numbers, and what the column weighs in bytes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.numbers import PRECISIONS, calc, precision
from tutor.figures.pen import ACCENT, DIM, Pen, beside
from tutor.figures.rows import Row
from tutor.figures.state import State, between, hidden, number, put, step, whole

SIZES = (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 5120, 8192)
_BOX = 9


def _sample(place: int) -> str:
    """A made-up entry of the vector, the same every time."""
    value = (place * 37 + 11) % 199 - 99
    return f"{value / 100:+.2f}"


def _column(state: State, room: int, pen: Pen) -> list[Row]:
    """The column, taller for a longer vector, its middle left out where it is too long."""
    length = whole(state, "d_model")
    rows = between(length.bit_length() + 1, 3, max(3, room - 2))
    entries: list[str]
    if length <= room - 2:
        entries = [_sample(i) for i in range(length)]
    else:
        head = (rows - 1) // 2
        tail = rows - 1 - head
        entries = [*map(_sample, range(head)), ":", *map(_sample, range(length - tail, length))]
    edge = "─" * _BOX
    inside = [pen.art("│", text.center(_BOX), "│") for text in entries]
    return [pen.art(f"┌{edge}┐"), *inside, pen.art(f"└{edge}┘")]


def paint(state: State, pen: Pen) -> list[Row]:
    """The column at the left, the product beside it."""
    length, size = whole(state, "d_model"), number(state, "p")
    total = calc("vector_bytes", d_model=length, p=size)
    words = "size" if hidden(state, "name") else "each"
    each = pen.say(f"vector-column.{words}", name=precision(size), size=pen.amount(size, "bytes"))
    binary = total >= 1024 and not hidden(state, "KiB")
    lines = [
        pen.row((f"d_model = {grouped(length)}", ACCENT)),
        pen.row((pen.say("vector-column.numbers"), DIM)),
        pen.row(each, said=each),
        pen.row(("= " + pen.amount(total, "bytes", 12) if total < 1000 else f"= {grouped(int(total))} bytes", "bold")),
        pen.row((f"= {pen.amount(total, 'KiB')}" if binary else "", DIM), said=None if binary else ""),
    ]
    caption = pen.caption(pen.say("vector-column.caption"))
    column = _column(state, max(6, min(18, pen.height - len(caption))), pen)
    start = max(0, (len(column) - len(lines)) // 2)
    lines = [*[pen.art("")] * start, *lines]
    return [*beside(column, lines, _BOX + 4, pen), *caption]


def clean(state: State, given: Mapping[str, object]) -> State:
    """A vector of at least one number."""
    return put(state, d_model=between(whole(state, "d_model"), 1, 1 << 20))


FIGURE = Figure(
    "vector-column",
    {"d_model": 4096, "p": Fraction(2), "hide": ()},
    (
        FigureKey("up", step("d_model", SIZES, 1), "vector-column.key.taller"),
        FigureKey("down", step("d_model", SIZES, -1), "vector-column.key.shorter"),
        FigureKey("right", step("p", PRECISIONS, 1), "key.finer"),
        FigureKey("left", step("p", PRECISIONS, -1), "key.coarser"),
    ),
    paint,
    clean,
)
