"""FI-6, the two phases: time of the math against time of the reading, for a number of tokens in flight.

One pass of all weights: the bytes are read once however many tokens ride along, the FLOPs grow with the tokens. Where
the two times meet is the card's ridge.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import log2

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.numbers import billions, calc
from tutor.figures.pen import ACCENT, DIM, STRONG, Pen
from tutor.figures.rows import Row
from tutor.figures.state import State, between, hidden, number, put, whole, word

MOST = 8192
"""The tokens at the right end of the line."""
CARDS = ("T4", "A100 SXM 80GB", "H100 SXM 80GB", "H200 SXM 141GB")
"""The cards that the figure offers, by their names in the catalogue."""


def card(name: str) -> tuple[str, Fraction, Fraction]:
    """A card's full name, its dense 16-bit FLOP/s and its bytes per second, from the catalogue."""
    from engine.catalog import gpu

    found = gpu(name)
    return found.name, Fraction(found.peak_flops or 0), Fraction(found.bandwidth)


def times(state: State) -> tuple[Fraction, Fraction]:
    """Seconds for the math and for the reading of one pass."""
    _, peak, bandwidth = card(word(state, "gpu"))
    flops = calc("matmul_flops", N=whole(state, "N"), T=whole(state, "tokens"))
    moved = calc("weights", N=whole(state, "N"), p_w=number(state, "p_w"))
    return calc("compute_time", flops=flops, peak_flops=peak), calc("read_time", bytes_moved=moved, bandwidth=bandwidth)


def _timebar(label: str, seconds: Fraction, most: Fraction, cells: int, letter: str, pen: Pen) -> Row:
    """One time as a bar, the slower of the two filling the line."""
    text = pen.amount(seconds, "ms", 3)
    slow = seconds == most
    count = max(1, round(cells * seconds / most))
    bar = (letter * count).ljust(cells)
    name = label.ljust(max(len(pen.say("phases.math")), len(pen.say("phases.mem"))))
    return pen.row(
        (name, STRONG if slow else ""),
        " ",
        (bar, ACCENT if slow else DIM),
        " ",
        (text.rjust(9), STRONG if slow else ""),
        said=f"{label}: {text}",
    )


def _scale(state: State, ridge: Fraction, pen: Pen) -> list[Row]:
    """The tokens on a logarithmic line from 1 to :data:`MOST`, with the ridge and where we are."""
    width = pen.width

    def at(value: float) -> int:
        return between(round(log2(max(1.0, value)) / log2(MOST) * (width - 1)), 0, width - 1)

    here, edge = at(whole(state, "tokens")), at(float(ridge))
    told = not hidden(state, "ridge")
    line = "".join("┼" if told and place == edge else "─" for place in range(width))
    name = pen.say("phases.ridge-mark")
    above = name.rjust(edge + 1) if edge + 1 >= len(name) else name
    mark = " " * here + ("^" if pen.ascii else "▲")
    ends = "1" + str(MOST).rjust(width - 1)
    return [
        *([pen.art((above[:width], DIM), rank=5)] if told else []),
        pen.art((line, DIM), rank=4),
        pen.art((mark, ACCENT), rank=4),
        pen.art((ends, DIM), rank=6),
    ]


def paint(state: State, pen: Pen) -> list[Row]:
    """The two bars, the verdict, the line of tokens with the ridge."""
    math, mem = times(state)
    name, peak, bandwidth = card(word(state, "gpu"))
    ridge = calc("ridge", peak_flops=peak, bandwidth=bandwidth)
    label = max(len(pen.say("phases.math")), len(pen.say("phases.mem")))
    cells = pen.width - label - 11
    verdict = "math" if math > mem else "mem" if mem > math else "even"
    facts = [(pen.say("phases.tokens"), grouped(whole(state, "tokens"))), (pen.say("phases.card"), name)]
    if not hidden(state, "ridge"):
        facts.append((pen.say("phases.ridge"), pen.amount(ridge, "FLOP/byte")))
    limit = [] if hidden(state, "limit") else pen.wrapped(pen.say(f"phases.limit.{verdict}"), STRONG)
    return [
        *pen.pairs(facts),
        pen.gap(),
        _timebar(pen.say("phases.math"), math, max(math, mem), cells, "█", pen),
        _timebar(pen.say("phases.mem"), mem, max(math, mem), cells, "▒", pen),
        *limit,
        pen.gap(),
        *_scale(state, ridge, pen),
        *pen.caption(pen.say("phases.caption", n=billions(whole(state, "N")))),
    ]


def _one(by: int, state: State) -> State:
    """One token more or fewer: a step over the ridge."""
    return put(state, tokens=between(whole(state, "tokens") + by, 1, MOST))


def _double(state: State) -> State:
    return put(state, tokens=min(2 * whole(state, "tokens"), MOST))


def _halve(state: State) -> State:
    return put(state, tokens=max(whole(state, "tokens") // 2, 1))


def _next_card(state: State) -> State:
    """The next card of the list; after the last comes the first."""
    full = card(word(state, "gpu"))[0]
    place = CARDS.index(full) if full in CARDS else -1
    return put(state, gpu=CARDS[(place + 1) % len(CARDS)])


def clean(state: State, given: Mapping[str, object]) -> State:
    """One token at least. Raises ``ValueError`` for a card that the catalogue cannot give numbers for."""
    try:
        _, peak, bandwidth = card(word(state, "gpu"))
    except LookupError as error:
        raise ValueError(f"gpu = {word(state, 'gpu')!r}") from error
    if not peak or not bandwidth:
        raise ValueError(f"gpu = {word(state, 'gpu')!r}")
    return put(state, tokens=between(whole(state, "tokens"), 1, MOST))


FIGURE = Figure(
    "phases",
    {"tokens": 1, "gpu": "A100 SXM 80GB", "N": 7 * 10**9, "p_w": Fraction(2), "hide": ()},
    (
        FigureKey("right", _double, "phases.key.more"),
        FigureKey("left", _halve, "phases.key.fewer"),
        FigureKey("up", lambda state: _one(1, state), "phases.key.one"),
        FigureKey("down", lambda state: _one(-1, state), "phases.key.minus-one"),
        FigureKey("switch", _next_card, "phases.key.card"),
    ),
    paint,
    clean,
)
