"""FI-7, the ruler: 2^b marks, 2^b - 1 gaps; a value snaps to the nearest mark; an outlier stretches it.

Code and value as a quantized model stores them: code = round(x / step) + zero-point, value = (code - zero-point) *
step. So 0 is always a mark, and the first and last mark may lie up to half a step beside the ends of the range.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.numbers import calc
from tutor.figures.pen import ACCENT, DIM, STRONG, Pen
from tutor.figures.rows import Row
from tutor.figures.state import State, between, flip, hidden, number, on, put, step, whole

BITS = (2, 3, 4, 5, 6, 7, 8)
_STEP = Fraction(3, 100)
"""How far one key press moves the value: not a whole number of gaps, so that the error changes."""


@dataclass(frozen=True, slots=True)
class Snap:
    """Where a value lies on the ruler and where it lands."""

    low: Fraction
    high: Fraction
    step: Fraction
    zero: int
    """The code of the value 0."""
    landed: Fraction
    error: Fraction

    def mark(self, code: int) -> Fraction:
        """The value that a code stands for."""
        return (code - self.zero) * self.step


def snap(state: State) -> Snap:
    """The value rounded to the nearest mark. Step and zero-point are the registry's; a half goes up."""
    low, value, bits = number(state, "r_min"), number(state, "value"), whole(state, "b")
    high = number(state, "stretched") if on(state, "outlier") else number(state, "r_max")
    size = calc("quant_step", r_min=low, r_max=high, b=bits)
    zero = int(calc("zero_point", r_min=low, r_max=high, b=bits))
    code = between(floor(value / size + Fraction(1, 2)) + zero, 0, int(calc("gaps", b=bits)))
    landed = (code - zero) * size
    return Snap(low, high, size, zero, landed, abs(value - landed))


def _at(value: Fraction, found: Snap, width: int) -> int:
    """The column of a value."""
    return between(round((value - found.low) / (found.high - found.low) * (width - 1)), 0, width - 1)


def _marked(text: str, column: int, width: int) -> str:
    """A mark's name beside its column, on whichever side has room."""
    return text.rjust(column + 1) if column + len(text) > width else " " * column + text


def _line(state: State, found: Snap, pen: Pen) -> list[Row]:
    """Value above, marks, landing place below, the ends of the range."""
    width = pen.width
    gaps = int(calc("gaps", b=whole(state, "b")))
    if gaps >= width:
        line = "┼" * width
    else:
        places = {_at(found.mark(i), found, width) for i in range(gaps + 1)}
        line = "".join("┼" if place in places else "─" for place in range(width))
    here, there = (_at(v, found, width) for v in (number(state, "value"), found.landed))
    above = f"{'v' if pen.ascii else '▼'} {pen.amount(number(state, 'value'), 'none')}"
    below = f"{'^' if pen.ascii else '▲'} {pen.amount(found.landed, 'none')}"
    if here + len(above) > width:
        above = f"{pen.amount(number(state, 'value'), 'none')} {above[0]}"
    if there + len(below) > width:
        below = f"{pen.amount(found.landed, 'none')} {below[0]}"
    low, high = pen.amount(found.low, "none"), pen.amount(found.high, "none")
    return [
        pen.art((_marked(above, here, width), STRONG)),
        pen.art((line, DIM)),
        pen.art((_marked(below, there, width), ACCENT)),
        pen.art((low + high.rjust(width - len(low)), DIM), rank=4),
    ]


def paint(state: State, pen: Pen) -> list[Row]:
    """The ruler, then marks, gaps, step and the two errors."""
    found, bits = snap(state), whole(state, "b")
    limits = calc("max_error", r_min=found.low, r_max=found.high, b=bits)
    facts = {
        "bits": str(bits),
        "marks": grouped(int(calc("codes", b=bits))),
        "gaps": grouped(int(calc("gaps", b=bits))),
        "step": pen.amount(found.step, "none"),
        "error": pen.amount(found.error, "none"),
        "most": pen.amount(limits, "none"),
    }
    rows = pen.pairs([(pen.say(f"ruler.{name}"), fact) for name, fact in facts.items() if not hidden(state, name)])
    ranked = [Row(row.content, 1 if place == 0 else 0, row.said) for place, row in enumerate(rows)]
    ends = f"{pen.amount(found.low, 'none')} {pen.fold('…')} {pen.amount(found.high, 'none')}"
    spoken = pen.say(
        "ruler.said", value=pen.amount(number(state, "value"), "none"), mark=pen.amount(found.landed, "none"), ends=ends
    )
    drawn = _line(state, found, pen)
    drawn[0] = Row(drawn[0].content, 0, spoken)
    caption = pen.say("ruler.stretched" if on(state, "outlier") else "ruler.caption")
    return [*drawn, pen.gap(), *ranked, *pen.caption(caption)]


def _move(by: int, state: State) -> State:
    """The value a little to the right or left, within the range without the outlier."""
    value = number(state, "value") + by * _STEP
    return put(state, value=max(number(state, "r_min"), min(number(state, "r_max"), value)))


def clean(state: State, given: Mapping[str, object]) -> State:
    """A range that rises, a value inside it, an outlier beyond it."""
    low, high = number(state, "r_min"), number(state, "r_max")
    if high <= low:
        raise ValueError(f"r_max = {high}")
    stretched = (
        max(number(state, "stretched"), high + (high - low)) if "stretched" not in given else number(state, "stretched")
    )
    return put(
        state,
        b=between(whole(state, "b"), 2, 8),
        value=max(low, min(high, number(state, "value"))),
        stretched=max(stretched, high),
    )


FIGURE = Figure(
    "ruler",
    {
        "b": 4,
        "value": Fraction(17, 100),
        "outlier": False,
        "r_min": Fraction(-3, 10),
        "r_max": Fraction(9, 20),
        "stretched": Fraction(3),
        "hide": (),
    },
    (
        FigureKey("right", lambda state: _move(1, state), "ruler.key.right"),
        FigureKey("left", lambda state: _move(-1, state), "ruler.key.left"),
        FigureKey("up", step("b", BITS, 1), "ruler.key.more"),
        FigureKey("down", step("b", BITS, -1), "ruler.key.fewer"),
        FigureKey("switch", flip("outlier"), "ruler.key.outlier"),
    ),
    paint,
    clean,
)
