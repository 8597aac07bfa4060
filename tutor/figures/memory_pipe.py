"""FI-3, the memory pipe: the same 64 bits of the same pipe filled with 16-, 8- or 4-bit numbers.

The numbers double, the time of one read of all weights halves: both stand beside each filling.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.numbers import Args, billions, calc
from tutor.figures.parameters import Parameter
from tutor.figures.pen import Pen, beside
from tutor.figures.phases import CARDS, card
from tutor.figures.pipe_lanes import WIDTHS, asked, pipe_rows, read_time, weights
from tutor.figures.rows import Row
from tutor.figures.shell import Shell
from tutor.figures.shell import calc as command
from tutor.figures.state import State, hidden, names, number, put, step, whole, word

_TWO = 70
"""Columns from which the facts stand in two columns."""


def _card_name(bandwidth: Fraction) -> str:
    """A card with this bandwidth, one of :data:`CARDS` before others of the catalogue; empty where none has it."""
    from engine.catalog import gpus

    known = next((name for name in CARDS if card(name)[2] == bandwidth), "")
    return known or next((one.name for one in gpus() if one.bandwidth == bandwidth), "")


def _rate(state: State) -> str:
    """Numbers that arrive in one second, as billions."""
    size = calc("bytes_of_bits", b=whole(state, "bits"))
    rate = calc("ratio", part=number(state, "bandwidth"), whole=size) / 10**9
    return grouped(round(rate)) if rate >= 100 else f"{float(rate):.3g}"


def _facts(state: State, pen: Pen) -> list[tuple[int, str, str]]:
    """What the chosen filling means for one second and for one read of all weights."""
    bits = whole(state, "bits")
    speed = pen.amount(number(state, "bandwidth"), "TB/s")
    shrink = calc("precision_shrink", b_from=16, b_to=bits)
    name = _card_name(number(state, "bandwidth"))
    facts = {
        "second": (2, pen.say("memory-pipe.second"), pen.say("memory-pipe.billion", n=_rate(state))),
        "against": (5, pen.say("memory-pipe.against"), pen.amount(shrink, "x")),
        "weights": (
            0,
            pen.say("memory-pipe.weights", n=billions(whole(state, "N"))),
            pen.amount(weights(state, bits), "GB"),
        ),
        "read": (0, pen.say("memory-pipe.read", speed=speed), pen.amount(read_time(state, bits), "ms", 3)),
    }
    named = [(6, pen.say("memory-pipe.card"), name)] if name else []
    gone = {"weights", "read"} if asked(state, bits) else set()
    return [*named, *(fact for part, fact in facts.items() if part not in gone and not hidden(state, part))]


def paint(state: State, pen: Pen) -> list[Row]:
    """The three fillings, the chosen one marked, then what it means for one second and one read of all weights."""
    facts = _facts(state, pen)
    rows = [*pipe_rows(state, pen), pen.gap()]
    if pen.width < _TWO or len(facts) < 4:
        return [*rows, *pen.ranked(facts)]
    at, half = pen.width // 2 + 1, (len(facts) + 1) // 2
    left, right = (pen.ranked(part, at - 4) for part in (facts[:half], facts[half:]))
    return [*rows, *beside(left, right, at, pen)]


def notice(state: State, pen: Pen) -> str:
    """What the chosen width does to the numbers of a second; without a factor where one is asked for."""
    if set(names(state, "hide")) - {"note"}:
        return pen.say("memory-pipe.notice.asked")
    return pen.say(f"memory-pipe.notice.b{whole(state, 'bits')}")


def commands(state: State) -> Sequence[Shell]:
    """The weights, the time of one read of them, and how often the numbers shrink."""
    bits = whole(state, "bits")
    own: Args = {"N": whole(state, "N"), "p_w": calc("bytes_of_bits", b=bits)}
    read = {"bytes_moved": weights(state, bits), "bandwidth": number(state, "bandwidth")}
    lines = {
        "read": command("read_time", read, "ms"),
        "weights": command("weights", own, "GB"),
        "against": command("precision_shrink", {"b_from": 16, "b_to": bits}),
    }
    if asked(state, bits):
        del lines["read"], lines["weights"]
    return tuple(line for name, line in lines.items() if not hidden(state, name))


def clean(state: State, given: Mapping[str, object]) -> State:
    """One of the three widths, the nearest below what was asked for; something to read, at some speed."""
    bits = max(whole(state, "bits"), 4)
    return put(
        state,
        bits=max(int(n) for n in WIDTHS if n <= bits),
        N=max(1, whole(state, "N")),
        bandwidth=max(Fraction(1), number(state, "bandwidth")),
        lanes="weights" if word(state, "lanes") == "weights" else "read",
    )


def _next_card(state: State) -> State:
    """The bandwidth of the next card, round and round; from any other speed that of the first one."""
    here = _card_name(number(state, "bandwidth"))
    following = CARDS[(CARDS.index(here) + 1) % len(CARDS)] if here else CARDS[0]
    return put(state, bandwidth=card(following)[2])


FIGURE = Figure(
    "memory-pipe",
    {"bits": 16, "N": 7 * 10**9, "bandwidth": Fraction(2039 * 10**9), "lanes": "read", "hide": ()},
    (
        FigureKey("down", step("bits", WIDTHS, -1), "memory-pipe.key.narrow"),
        FigureKey("up", step("bits", WIDTHS, 1), "memory-pipe.key.wide"),
        FigureKey("switch", _next_card, "memory-pipe.key.card"),
    ),
    paint,
    clean,
    notice=notice,
    parameters=(
        Parameter("bits", "bits", least=4, most=16, ladder=WIDTHS, only=True),
        Parameter("gpu", "gpu", fills=("bandwidth",)),
        Parameter("bandwidth", "speed", least=10**9, most=10**14),
        Parameter("model", "model", fills=("N",)),
        Parameter("N", "params", least=1, most=10**14),
    ),
    commands=commands,
)
