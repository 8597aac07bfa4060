"""FI-3, the memory pipe: the same moment of the same pipe filled with 16-, 8- or 4-bit numbers.

A cell of the drawing is two bits of the pipe, so that a packet is as wide as its number and all three fillings end at
the same column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.numbers import Args, billions, calc
from tutor.figures.parameters import Parameter
from tutor.figures.pen import ACCENT, DIM, STRONG, Part, Pen, beside
from tutor.figures.phases import CARDS, card
from tutor.figures.rows import Row
from tutor.figures.shell import Shell
from tutor.figures.shell import calc as command
from tutor.figures.state import Ladder, State, hidden, number, put, step, whole

WIDTHS: Ladder = (4, 8, 16)
CELL = 2
"""Bits of the pipe that one cell of the drawing stands for."""
_LABEL = 8
_COUNT = 4
"""Columns of a filling's name, and of its count of numbers."""
_BARS = 70
"""From this width on the read times stand beside the numbers."""
_FACTS = 42
_TALL = 24
"""In a narrower drawing with so many rows they stand below them."""
_WALL = 8
"""Rank of the walls of the pipe: they leave before the sentence on what to notice."""
_QUARTERS = 4
"""Cells of a bar come in so many, so that a half and a quarter are whole ones."""


def pipe_cells(width: int) -> int:
    """Cells of the pipe in a drawing of this width: whole 16-bit numbers."""
    widest = int(WIDTHS[-1]) // CELL
    return (width - _LABEL - _COUNT) // widest * widest


def packet(bits: int) -> str:
    """One number in the pipe, as wide as its bits."""
    inner = bits // CELL - 2
    return f"[{str(bits).center(inner) if inner > 1 else ''}]"


def _lane(bits: int, state: State, cells: int, pen: Pen) -> Row:
    """One filling of the pipe with its count of numbers; neighbouring numbers in two shades."""
    chosen = bits == whole(state, "bits")
    count = cells * CELL // bits
    style, other = (ACCENT, STRONG) if chosen else (DIM, "")
    numbers: list[Part] = [(packet(bits), style if place % 2 == 0 else other) for place in range(count)]
    asked = hidden(state, "numbers") or (hidden(state, "against") and not chosen)
    shown = "?" if asked else str(count)
    head = f"{'▌' if chosen else ' '}{f'{bits}-bit':<{_LABEL - 1}}"
    said = pen.say("memory-pipe.said", bits=bits, count=shown)
    return pen.row((head, style), *numbers, (shown.rjust(_COUNT), style), said=said)


def _pipe(state: State, cells: int, pen: Pen) -> list[Row]:
    """The three fillings between the walls of the pipe, the memory at one end and the chip at the other."""
    speed, name = pen.amount(number(state, "bandwidth"), "TB/s"), _card_name(number(state, "bandwidth"))
    chip, arrow = pen.say("memory-pipe.chip"), pen.fold("→ ")
    room = cells - len(chip) - len(arrow) - 1
    text = f"{speed}, {name}" if name and len(speed) + len(name) + 6 <= room else speed
    flow = f"{pen.fold('─')} {text} ".ljust(room, pen.fold("─"))
    wall = pen.art((" " * _LABEL + "─" * cells, DIM), rank=_WALL)
    lanes = [_lane(int(bits), state, cells, pen) for bits in reversed(WIDTHS)]
    return [
        pen.art((f"{'HBM':<{_LABEL}}{flow} {arrow}{chip}", DIM), rank=4),
        *[row for lane in lanes for row in (wall, lane)],
        wall,
    ]


def _card_name(bandwidth: Fraction) -> str:
    """The card among :data:`CARDS` with this bandwidth; empty where none has it."""
    return next((name for name in CARDS if card(name)[2] == bandwidth), "")


def _weights(state: State, bits: int) -> Fraction:
    return calc("weights", N=whole(state, "N"), p_w=calc("bytes_of_bits", b=bits))


def _time(state: State, bits: int) -> Fraction:
    return calc("read_time", bytes_moved=_weights(state, bits), bandwidth=number(state, "bandwidth"))


def _rate(state: State) -> str:
    """Numbers that arrive in one second, as billions."""
    size = calc("bytes_of_bits", b=whole(state, "bits"))
    rate = calc("ratio", part=number(state, "bandwidth"), whole=size) / 10**9
    return grouped(round(rate)) if rate >= 100 else f"{float(rate):.3g}"


def _facts(state: State, cells: int, pen: Pen) -> list[tuple[int, str, str]]:
    """What the chosen filling means for one second and for one read of all weights."""
    bits = whole(state, "bits")
    speed = pen.amount(number(state, "bandwidth"), "TB/s")
    shrink = calc("precision_shrink", b_from=16, b_to=bits)
    facts = {
        "numbers": (3, pen.say("memory-pipe.numbers", bits=cells * CELL), f"{cells * CELL // bits}"),
        "second": (0, pen.say("memory-pipe.second"), pen.say("memory-pipe.billion", n=_rate(state))),
        "against": (2, pen.say("memory-pipe.against"), pen.amount(shrink, "x")),
        "weights": (
            0,
            pen.say("memory-pipe.weights", n=billions(whole(state, "N"))),
            pen.amount(_weights(state, bits), "GB"),
        ),
        "read": (0, pen.say("memory-pipe.read", speed=speed), pen.amount(_time(state, bits), "ms")),
    }
    return [fact for name, fact in facts.items() if not hidden(state, name)]


def _reads(state: State, width: int, pen: Pen) -> list[Row]:
    """The time of one read of all weights in each precision, as bars."""
    times = [(int(bits), _time(state, int(bits))) for bits in reversed(WIDTHS)]
    texts = [pen.amount(time, "ms") for _, time in times]
    amount = max(map(len, texts))
    cells = (width - _LABEL - amount - 1) // _QUARTERS * _QUARTERS
    rows = [pen.row((pen.say("memory-pipe.reads", n=billions(whole(state, "N"))), DIM))]
    for (bits, time), text in zip(times, texts, strict=True):
        chosen = bits == whole(state, "bits")
        label = f"{'▌' if chosen else ' '}{f'{bits}-bit':<{_LABEL - 1}}"
        bar = ("█" * max(1, round(cells * time / times[0][1]))).ljust(cells)
        line = (f"{label}{bar} {text.rjust(amount)}", ACCENT if chosen else "")
        rows.append(pen.row(line, said=f"{bits}-bit: {text}"))
    return rows


def paint(state: State, pen: Pen) -> list[Row]:
    """The three fillings, the chosen one marked, then what it means for one read of all weights."""
    cells = pipe_cells(pen.width)
    barred = not (hidden(state, "read") or hidden(state, "against"))
    wide = pen.width >= _BARS
    facts = pen.ranked(_facts(state, cells, pen), _FACTS - 3 if wide and barred else pen.width)
    rows = [*_pipe(state, cells, pen), pen.gap()]
    if wide and barred:
        return [*rows, *beside(facts, _reads(state, pen.width - _FACTS, pen), _FACTS, pen)]
    return [*rows, *facts, *([pen.gap(), *_reads(state, pen.width, pen)] if barred and pen.height >= _TALL else [])]


def notice(state: State, pen: Pen) -> str:
    """What the chosen width does to the numbers of a second; without a factor where one is asked for."""
    if any(hidden(state, name) for name in ("numbers", "second", "against", "weights", "read")):
        return pen.say("memory-pipe.notice.asked")
    return pen.say(f"memory-pipe.notice.b{whole(state, 'bits')}")


def commands(state: State) -> Sequence[Shell]:
    """The weights, the time of one read of them, and how often the numbers shrink."""
    bits = whole(state, "bits")
    weights: Args = {"N": whole(state, "N"), "p_w": calc("bytes_of_bits", b=bits)}
    read = {"bytes_moved": _weights(state, bits), "bandwidth": number(state, "bandwidth")}
    lines = {
        "read": command("read_time", read, "ms"),
        "weights": command("weights", weights, "GB"),
        "against": command("precision_shrink", {"b_from": 16, "b_to": bits}),
    }
    if hidden(state, "weights"):
        del lines["read"]
    return tuple(line for name, line in lines.items() if not hidden(state, name))


def clean(state: State, given: Mapping[str, object]) -> State:
    """One of the three widths, the nearest below what was asked for; something to read, at some speed."""
    bits = max(whole(state, "bits"), 4)
    return put(
        state,
        bits=max(int(n) for n in WIDTHS if n <= bits),
        N=max(1, whole(state, "N")),
        bandwidth=max(Fraction(1), number(state, "bandwidth")),
    )


def _next_card(state: State) -> State:
    """The bandwidth of the next card, round and round; from any other speed that of the first one."""
    here = _card_name(number(state, "bandwidth"))
    following = CARDS[(CARDS.index(here) + 1) % len(CARDS)] if here else CARDS[0]
    return put(state, bandwidth=card(following)[2])


FIGURE = Figure(
    "memory-pipe",
    {"bits": 16, "N": 7 * 10**9, "bandwidth": Fraction(2039 * 10**9), "hide": ()},
    (
        FigureKey("down", step("bits", WIDTHS, -1), "memory-pipe.key.narrow"),
        FigureKey("up", step("bits", WIDTHS, 1), "memory-pipe.key.wide"),
        FigureKey("switch", _next_card, "memory-pipe.key.card"),
    ),
    paint,
    clean,
    notice=notice,
    parameters=(
        Parameter("bits", "bits", least=4, most=16, ladder=WIDTHS),
        Parameter("gpu", "gpu", fills=("bandwidth",)),
        Parameter("bandwidth", "speed", least=10**9, most=10**14),
        Parameter("model", "model", fills=("N",)),
        Parameter("N", "params", least=1, most=10**14),
    ),
    commands=commands,
)
