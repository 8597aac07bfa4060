"""The pipe of FI-3: three fillings of the same 64 bits, and beside each what one read of all weights takes.

A packet is as wide as its number, so that all three fillings end at the same column. The pipe is 64 bits in every
window; only the cells of a bit differ.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from tutor.figures.numbers import billions, calc
from tutor.figures.pen import ACCENT, DIM, Part, Pen
from tutor.figures.rows import Row
from tutor.figures.state import Ladder, State, hidden, number, whole, word

WIDTHS: Ladder = (4, 8, 16)
PIPE = 64
"""Bits of the pipe that are drawn, four of the widest numbers."""
_CELLS = (64, 32, 16)
"""Cells that they may take."""
_LABEL = 8
_SHORT_LABEL = 4
"""Columns of a filling's name, and of its bits alone."""
_COUNT = 3
"""Columns of its count of numbers where there is no room for a heading."""
_BARS = 8
"""Cells of the shortest bars of the read times."""
_UNKNOWN = "?"
_WALL = 8
"""Rank of the walls of the pipe: they leave before the sentence on what to notice."""
_QUARTERS = 4
"""Cells of a bar come in so many, so that a half and a quarter are whole ones."""


# --- numbers ---------------------------------------------------------------------------------------------------------


def weights(state: State, bits: int) -> Fraction:
    """Bytes of all weights in a width."""
    return calc("weights", N=whole(state, "N"), p_w=calc("bytes_of_bits", b=bits))


def read_time(state: State, bits: int) -> Fraction:
    """Seconds of one read of them."""
    return calc("read_time", bytes_moved=weights(state, bits), bandwidth=number(state, "bandwidth"))


def measured(state: State, pen: Pen) -> list[tuple[int, Fraction, str]]:
    """What stands beside each width, the widest first: the time of one read of all weights, or their bytes."""
    of, unit = (weights, "GB") if word(state, "lanes") == "weights" else (read_time, "ms")
    found = [(int(bits), of(state, int(bits))) for bits in reversed(WIDTHS)]
    return [
        (bits, value, _UNKNOWN if asked(state, bits) else pen.amount(value, unit, 3 if unit == "ms" else 4))
        for bits, value in found
    ]


def asked(state: State, bits: int) -> bool:
    """Whether an exercise asks for the weights in this width."""
    return hidden(state, "weights") or hidden(state, f"{bits}-bit")


# --- columns ---------------------------------------------------------------------------------------------------------


class _Columns(NamedTuple):
    """Columns of the table; 0 for what it has no room for."""

    label: int
    cells: int
    """Cells of the pipe."""
    counted: int
    bar: int
    time: int


def _columns(state: State, pen: Pen) -> _Columns:
    """The widest pipe that leaves room for the count, its heading, the read times and their bars, in this order."""
    time = 0 if unmeasured(state) else max(len(text) for _, _, text in measured(state, pen)) + 2
    count = len(pen.say("memory-pipe.numbers")) + 2
    for label, cells, counted, timed, barred in (
        (_LABEL, _CELLS[0], count, time, bool(time)),
        (_LABEL, _CELLS[1], count, time, bool(time)),
        (_LABEL, _CELLS[1], count, time, False),
        (_SHORT_LABEL, _CELLS[1], count, time, False),
        (_SHORT_LABEL, _CELLS[1], _COUNT, time, False),
        (_SHORT_LABEL, _CELLS[1], _COUNT, 0, False),
    ):
        room = pen.width - label - cells - counted - timed
        bar = min(max(room - 3, 0) // _QUARTERS * _QUARTERS, cells) if barred else 0
        if room >= 0 and (bar >= _BARS or not barred):
            return _Columns(label, cells, counted, bar, timed)
    return _Columns(_LABEL, _CELLS[2], _COUNT, 0, 0)


def unmeasured(state: State) -> bool:
    """Whether nothing stands beside the fillings: an exercise asks for the read times, or for the factor that they
    would tell. Bytes stand there from the start, each of them as ``?`` until it is found."""
    if word(state, "lanes") == "weights":
        return False
    return hidden(state, "read") or hidden(state, "against")


def _barred(state: State, bits: int) -> bool:
    """Whether a bar may show how one width compares with the widest."""
    return not (asked(state, bits) or asked(state, int(WIDTHS[-1])))


def packet(bits: int, cells: int) -> str:
    """One number in a pipe of so many cells, as wide as its bits."""
    inner = bits * cells // PIPE - 2
    if inner < 0:
        return "|"
    return f"[{str(bits).center(inner) if inner >= len(str(bits)) else ' ' * inner}]"


# --- the pipe --------------------------------------------------------------------------------------------------------


def _name(bits: int, chosen: bool, wide: int) -> str:
    return f"{'▌' if chosen else ' '}{str(bits) if wide == _SHORT_LABEL else f'{bits}-bit'}".ljust(wide)


def _lane(bits: int, state: State, columns: _Columns, pen: Pen) -> Row:
    """One filling of the pipe, its count of numbers and the time of one read."""
    chosen = bits == whole(state, "bits")
    count = PIPE // bits
    style = ACCENT if chosen else DIM
    drawn = packet(bits, columns.cells) * count
    shown = _UNKNOWN if _uncounted(state, bits) else str(count)
    said = pen.say("memory-pipe.said", bits=bits, pipe=PIPE, count=shown)
    parts: list[Part] = [(f"{_name(bits, chosen, columns.label)}{drawn}{shown.rjust(columns.counted)}", style)]
    if not unmeasured(state):
        found = {size: (value, text) for size, value, text in measured(state, pen)}
        value, text = found[bits]
        longest = found[int(WIDTHS[-1])][0]
        if columns.bar:
            bar = "█" * max(1, round(columns.bar * value / longest)) if _barred(state, bits) else ""
            parts += ["   ", (bar.ljust(columns.bar), ACCENT if chosen else "")]
        parts.append((text.rjust(columns.time) if columns.time else "", style))
        said += f"; {_heads_of(state, pen)[0]}: {text}"
    return pen.row(*parts, said=said)


def _uncounted(state: State, bits: int) -> bool:
    """Whether the count of numbers waits: for itself, for the bytes, or for the factor that two counts would tell."""
    if hidden(state, "numbers") or hidden(state, f"{bits}-bit"):
        return True
    return hidden(state, "against") and word(state, "lanes") != "weights" and bits != whole(state, "bits")


def _heads_of(state: State, pen: Pen) -> list[str]:
    """Headings of what stands beside the fillings, the longest first."""
    if word(state, "lanes") == "weights":
        names = [pen.say("memory-pipe.weights", n=billions(whole(state, "N"))), pen.say("memory-pipe.bytes")]
    else:
        names = [pen.say("memory-pipe.reads"), pen.say("memory-pipe.one")]
    return names


def _heads(columns: _Columns, state: State, pen: Pen) -> Row:
    """The memory at one end of the pipe, the chip at the other; what the columns hold."""
    speed = pen.amount(number(state, "bandwidth"), "TB/s")
    memory, chip, arrow = pen.say("memory-pipe.memory"), pen.say("memory-pipe.chip"), pen.fold("→ ")
    ends = len(memory) + 1 + len(arrow) + len(chip)
    end = columns.label + columns.cells
    left = max(0, min(columns.label, end - ends - len(speed) - 5))
    room = end - left - ends
    flow = (f"{pen.fold('─')} {speed} " if len(speed) + 4 <= room else "").ljust(room, pen.fold("─"))
    line = " " * left + f"{memory} {flow}{arrow}{chip}"
    if columns.counted > _COUNT:
        line += pen.say("memory-pipe.numbers").rjust(columns.counted)
    heads = _heads_of(state, pen)
    if columns.bar:
        line += "   " + next(one for one in heads if len(line) + 3 + len(one) <= pen.width or one == heads[-1])
    elif columns.time:
        line += next((one for one in heads if len(one) < columns.time), "").rjust(columns.time)
    return pen.art((line, DIM), rank=4)


def pipe_rows(state: State, pen: Pen) -> list[Row]:
    """The three fillings between the walls of the pipe, and how much of it is drawn."""
    columns = _columns(state, pen)
    wall = pen.art((" " * columns.label + "─" * columns.cells, DIM), rank=_WALL)
    lanes = [_lane(int(size), state, columns, pen) for size in reversed(WIDTHS)]
    return [
        _heads(columns, state, pen),
        *[row for lane in lanes for row in (wall, lane)],
        pen.art((" " * columns.label + _measure(columns, pen), DIM), rank=3),
    ]


def _measure(columns: _Columns, pen: Pen) -> str:
    """How much of the pipe is drawn; where the counts have no heading, also what they count."""
    headed = columns.counted > _COUNT
    bits = pen.say("memory-pipe.pipe" if headed else "memory-pipe.inside", bits=PIPE)
    if len(bits) + 4 > columns.cells:
        return bits
    return f"├{f' {bits} '.center(columns.cells - 2, '─')}┤{'' if headed else pen.fold('↑').rjust(columns.counted)}"
