"""FI-3, the memory pipe: the same moment of the same pipe filled with 16-, 8- or 4-bit numbers."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tutor.figures.base import Figure, FigureKey
from tutor.figures.numbers import billions, calc
from tutor.figures.pen import ACCENT, DIM, Pen
from tutor.figures.rows import Row
from tutor.figures.state import Ladder, State, hidden, number, put, step, whole

WIDTHS: Ladder = (4, 8, 16)
_CELL = 4
"""Bits that one cell of the drawing stands for."""


def _packets(bits: int, cells: int) -> str:
    """The pipe's cells, neighbouring numbers in two shades so that each can be counted."""
    size = bits // _CELL
    return "".join("█" if (place // size) % 2 == 0 else "░" for place in range(cells))


def _pipe(bits: int, state: State, cells: int, pen: Pen) -> Row:
    """One filling of the pipe with its count of numbers."""
    chosen = bits == whole(state, "bits")
    count = cells * _CELL // bits
    style = ACCENT if chosen else DIM
    mark = "▌" if chosen else " "
    said = pen.say("memory-pipe.said", bits=bits, count=count)
    return pen.row(
        (mark, style), (f"{bits:>2}-bit ", style), (_packets(bits, cells), style), (f" {count:>3}", style), said=said
    )


def paint(state: State, pen: Pen) -> list[Row]:
    """The three fillings, the chosen one marked, then what it means for one read of all weights."""
    cells = (pen.width - 12) // 8 * 8
    bits = whole(state, "bits")
    size = Fraction(bits, 8)
    weights = calc("weights", N=whole(state, "N"), p_w=size)
    time = calc("read_time", bytes_moved=weights, bandwidth=number(state, "bandwidth"))
    head = f"{'HBM':<8}{pen.say('memory-pipe.chip'):>{cells}}"
    bar = "        " + "─" * cells
    shrink = calc("precision_shrink", b_from=16, b_to=bits)
    speed = pen.amount(number(state, "bandwidth"), "TB/s")
    facts = {
        "numbers": (pen.say("memory-pipe.numbers"), f"{cells * _CELL // bits}"),
        "against": (pen.say("memory-pipe.against"), pen.amount(shrink, "x")),
        "weights": (pen.say("memory-pipe.weights", n=billions(whole(state, "N"))), pen.amount(weights, "GB")),
        "read": (pen.say("memory-pipe.read", speed=speed), pen.amount(time, "ms")),
    }
    lines = [_pipe(int(width), state, cells, pen) for width in reversed(WIDTHS)]
    return [
        pen.art((head, DIM), rank=4),
        pen.art((bar, DIM), rank=4),
        *lines,
        pen.art((bar, DIM), rank=4),
        pen.gap(),
        *pen.pairs([fact for name, fact in facts.items() if not hidden(state, name)]),
        *pen.caption(pen.say("memory-pipe.caption")),
    ]


def clean(state: State, given: Mapping[str, object]) -> State:
    """One of the three widths, the nearest below what was asked for."""
    bits = max(whole(state, "bits"), 4)
    return put(state, bits=max(int(n) for n in WIDTHS if n <= bits))


FIGURE = Figure(
    "memory-pipe",
    {"bits": 16, "N": 7 * 10**9, "bandwidth": Fraction(2039 * 10**9), "hide": ()},
    (
        FigureKey("down", step("bits", WIDTHS, -1), "memory-pipe.key.narrow"),
        FigureKey("up", step("bits", WIDTHS, 1), "memory-pipe.key.wide"),
    ),
    paint,
    clean,
)
