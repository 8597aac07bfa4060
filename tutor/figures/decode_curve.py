"""The time of a step over the batch: of the reader's own machine where it was measured, else of a published card.

One batch is pointed at; its time, its time a token and its class stand above the drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import log2
from typing import TYPE_CHECKING

from tutor.figures.base import Figure, FigureKey
from tutor.figures.parameters import Parameter
from tutor.figures.pen import DIM, STRONG, Pen
from tutor.figures.rows import Row
from tutor.figures.shell import Shell
from tutor.figures.state import State, between, hidden, names, on, put, whole, word

if TYPE_CHECKING:
    from engine.probe.model import Result
    from tutor.widgets.decode_curve import Band, Curve, Dot, Words

BENT = ("knee", "bend", "flat")
"""Shapes whose beginning is flat, so that a batch lies before its end or beyond."""
LEAST_ROWS = 5
"""Rows between the axes under which the drawing is left out."""
ART, WHOSE, LEGEND = 4, 5, 8
"""Ranks: which rows leave first where height is short."""
SWITCH = "switch"
"""The part that is hidden while there is no curve of the reader's own."""


def state_of(result: Result) -> Mapping[str, object]:
    """What the figure is given of a run: plain values."""
    device, knee = result.run.device, result.knee
    return {
        "card": "" if device is None else device.name,
        "points": tuple((one.batch, one.seconds, one.label) for one in result.curve),
        "knee": () if knee is None else (knee.batch, knee.low, knee.high),
        "demonstration": result.run.demonstration,
    }


# --- the two curves --------------------------------------------------------------------------------------------------


def _shown(state: State) -> State:
    """The curve that is drawn: the reader's own, or the example of the page."""
    own = state["own"]
    return own if isinstance(own, Mapping) and own and not on(state, "example") else state


def _rows(state: State) -> Sequence[Sequence[object]]:
    points = state["points"]
    return points if isinstance(points, Sequence) and not isinstance(points, str) else ()


def _dots(state: State) -> tuple[Dot, ...]:
    """The points by rising batch, one at least. Raises ``ValueError`` for what is none."""
    from tutor.widgets.decode_curve import Dot

    made: dict[int, Dot] = {}
    for batch, seconds, *label in _rows(state):
        dot = Dot(int(float(str(batch))), float(str(seconds)), str(label[0]) if label else "")
        if dot.batch < 1 or not 0 < dot.seconds < float("inf"):
            raise ValueError(f"points = {batch!r}, {seconds!r}")
        made[dot.batch] = dot
    if not made:
        raise ValueError("points = []")
    return tuple(made[batch] for batch in sorted(made))


def _knee(state: State) -> Band | None:
    from tutor.widgets.decode_curve import Band

    found = state["knee"]
    values = [float(str(one)) for one in found] if isinstance(found, Sequence) and not isinstance(found, str) else []
    return Band(*values) if len(values) == 3 and 0 < values[1] <= values[0] <= values[2] else None


def curve(state: State) -> Curve:
    """What is drawn."""
    from tutor.widgets.decode_curve import Curve

    shown = _shown(state)
    dots = _dots(shown)
    return Curve(dots, _knee(shown), dots[_place(state, dots)].batch)


def _place(state: State, dots: Sequence[Dot]) -> int:
    """The measured batch that is nearest to the one pointed at, in steps of a log axis; of two the larger."""
    batch = whole(state, "batch")
    return min(range(len(dots)), key=lambda place: (abs(log2(dots[place].batch / batch)), -place))


# --- the drawing -----------------------------------------------------------------------------------------------------


def paint(state: State, pen: Pen) -> list[Row]:
    """The point in numbers, the curve, and whose curve it is."""
    made = curve(state)
    facts, below = _facts(state, made, pen), [*_legend(made, pen), *_whose(state, pen)]
    told = 0 if hidden(state, "note") else len(pen.wrapped(notice(state, pen)))
    return [*facts, *_art(made, pen, pen.height - told - len(facts) - len(below)), *below]


def _facts(state: State, made: Curve, pen: Pen) -> list[Row]:
    """The chosen point; read aloud, all points."""
    unit = made.unit[0]
    dot = made.dots[_place(state, made.dots)]
    parts = [pen.say("decode-curve.batch", n=dot.batch), _time(dot.seconds, unit, pen)]
    each = pen.say("decode-curve.each", time=_time(dot.seconds / dot.batch, _finest(dot.seconds / dot.batch), pen))
    label = pen.say(f"decode-curve.class.{dot.label}") if dot.label else ""
    said = "\n".join(_said(one, unit, pen) for one in made.dots)
    lines = _joined([*parts, each, *([label] if label else [])], pen.width)
    return [pen.row((line, STRONG), said="" if number else said) for number, line in enumerate(lines)]


def _joined(parts: Sequence[str], width: int) -> list[str]:
    """The parts on as few lines as the width allows, each whole."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + 3 + len(part) <= width:
            lines[-1] += "   " + part
        else:
            lines.append(part)
    return lines


def _said(dot: Dot, unit: str, pen: Pen) -> str:
    label = f", {pen.say(f'decode-curve.class.{dot.label}')}" if dot.label else ""
    return f"{pen.say('decode-curve.batch', n=dot.batch)}: {_time(dot.seconds, unit, pen)}{label}"


def _time(seconds: float, unit: str, pen: Pen) -> str:
    return pen.amount(Fraction(str(seconds)), unit, 3)


def _finest(seconds: float) -> str:
    return "s" if seconds >= 1 else "ms" if seconds >= 1e-3 else "us"


def _art(made: Curve, pen: Pen, room: int) -> list[Row]:
    from tutor.widgets import decode_curve as drawing

    usual = drawing.MORE_ROWS if pen.width >= drawing.WIDE else drawing.ROWS
    rows = between(room - drawing.FRAME, LEAST_ROWS, usual)
    words = words_of(made, pen.say)
    return [Row(line, ART, "") for line in drawing.draw(made, pen.width, words, pen.ascii, rows)]


def _legend(made: Curve, pen: Pen) -> list[Row]:
    from tutor.widgets.decode_curve import legend

    def name(label: str) -> str:
        return pen.say(f"decode-curve.class.{label}")

    content = legend(made, name)
    fits = content.plain and content.cell_length <= pen.width
    return [Row(content, LEGEND, "")] if fits else []


def notice(state: State, pen: Pen) -> str:
    """How far the step stays as long, and what comes then; at a later batch, on which side of that it lies."""
    from tutor.widgets.decode_curve import notice as noticed

    made = curve(state)
    found, dots = noticed(made), made.dots
    dot = dots[_place(state, dots)]
    start = next((one for one in dots if one.batch == found.first), dot)
    if dot.batch <= start.batch or found.id not in BENT:
        rise = rise_text(found.rise, pen.say)
        return pen.say(f"decode-curve.notice.{found.id}", first=found.first, last=found.last, rise=rise)
    longer = dot.seconds / start.seconds
    tokens = pen.amount(Fraction(dot.batch, start.batch), "none", 3)
    if dot.batch <= found.last:
        rise = rise_text(max(longer - 1, 0), pen.say)
        return pen.say("decode-curve.notice.riding", first=start.batch, batch=dot.batch, x=tokens, rise=rise)
    times = pen.amount(Fraction(str(longer)), "none", 3)
    return pen.say("decode-curve.notice.past", first=start.batch, batch=dot.batch, x=tokens, times=times)


def words_of(made: Curve, say: Callable[..., str], at: str = "") -> Words:
    """The words on the drawing; ``say``: the figures'."""
    from tutor.widgets.decode_curve import Words

    knee: tuple[str, ...] = ()
    if made.knee is not None:
        batch, low, high = (round(one) for one in made.knee)
        knee = (
            say("decode-curve.knee", batch=batch, low=low, high=high), say("decode-curve.knee_alone", batch=batch),
        )  # fmt: skip
    return Words(say("decode-curve.unit", unit=made.unit[0]), say("decode-curve.axis"), at, knee)


def rise_text(rise: float, say: Callable[..., str]) -> str:
    """How much longer, in whole percent; ``say``: the figures' words."""
    percent = round(100 * rise)
    return say("decode-curve.rise", percent=percent) if percent else say("decode-curve.hardly")


def _whose(state: State, pen: Pen) -> list[Row]:
    """Whose curve it is; without one of the reader's own, how to get it."""
    shown = _shown(state)
    if shown is not state:
        kind = "demonstration" if shown.get("demonstration") else "own"
        return pen.wrapped(pen.say(f"decode-curve.{kind}", card=word(shown, "card")), DIM, WHOSE)
    text = pen.say("decode-curve.example", card=word(state, "card"), source=word(state, "source"))
    has_own = isinstance(state["own"], Mapping) and bool(state["own"])
    return pen.wrapped(text if has_own else f"{text} {pen.say('decode-curve.get')}", DIM, WHOSE)


# --- keys ------------------------------------------------------------------------------------------------------------


def _walk(by: int, state: State) -> State:
    dots = _dots(_shown(state))
    return put(state, batch=dots[between(_place(state, dots) + by, 0, len(dots) - 1)].batch)


def _other(state: State) -> State:
    """The other curve, at its batch nearest to this one."""
    return _snapped(put(state, example=not on(state, "example")))


def _snapped(state: State) -> State:
    """Pointing at a batch that was measured."""
    dots = _dots(_shown(state))
    return put(state, batch=dots[_place(state, dots)].batch)


def clean(state: State, given: Mapping[str, object]) -> State:
    """Points that can be drawn, the published ones where an author gave none; without a curve of the reader's own
    nothing to switch to. Raises ``ValueError``."""
    state = state if _rows(state) else put(state, **_published())
    own = state["own"]
    if isinstance(own, Mapping) and own:
        try:
            _dots(own), _knee(own), word(own, "card")
        except (ValueError, LookupError, TypeError):
            own = {}
    hide = tuple(one for one in names(state, "hide") if one != SWITCH) + (() if own else (SWITCH,))
    state = put(
        state,
        own=own,
        hide=hide,
        batch=between(whole(state, "batch"), 1, MOST_BATCH),
        example=on(state, "example") and bool(own),
    )
    return _snapped(state)


def commands(state: State) -> Sequence[Shell]:
    """How one gets a curve of one's own: what was measured no formula gives."""
    return (Shell(("probe",)),)


MOST_BATCH = 1 << 20
"""A larger batch than any run measures."""
EXAMPLE = "A100 SXM 80GB"
_RATES = {
    1: 1582.5, 4: 1594.7, 16: 1537.6, 32: 1482.0, 64: 1506.3, 128: 1385.9, 256: 815.3, 512: 546.7, 1024: 312.4,
    4096: 111.6,
}  # fmt: skip
"""The example: 10^9 bytes a second of an A100 SXM 80GB on two products, 16384x8192 and 8192x16384 in bf16, by tokens.

The bytes are those of weights and of activations, in and out. Source: AIConfigurator's measured tables (commit
095f58a), TensorRT-LLM 1.0.0, graph-replayed kernels.
"""
_WEIGHTS, _TOKEN = 2 * 16384 * 8192 * 2, 2 * (16384 + 8192) * 2
"""Bytes of the two matrices, and of a token's numbers in and out of them."""


@cache
def _published() -> Mapping[str, object]:
    """The example as the figure takes it: its seconds, and by the probe's own rules its knee and the classes."""
    from engine import roofline
    from engine.probe import curve
    from engine.probe.readings import Linear, Run, Time

    seconds = {tokens: (_WEIGHTS + tokens * _TOKEN) / (rate * 1e9) for tokens, rate in _RATES.items()}
    flops = 2 * 2 * 16384 * 8192
    linear = tuple(
        Linear(tokens, _WEIGHTS, tokens * flops, Time(time, time, 0.0, 1, True), None)
        for tokens, time in seconds.items()
    )
    found = curve.place(Run(linear=linear))[0]
    assert found is not None
    points = tuple((tokens, time, roofline.regime(tokens / found.batch)) for tokens, time in seconds.items())
    knee = (found.batch, *curve.interval(found.batch, found.deviation))
    return {"card": EXAMPLE, "source": "AIConfigurator, TensorRT-LLM 1.0.0", "points": points, "knee": knee}


FIGURE = Figure(
    "decode-curve",
    {
        "card": "", "source": "", "points": (), "knee": (), "own": {}, "example": False, "batch": 1, "hide": (),
    },
    (
        FigureKey("right", lambda state: _walk(1, state), "decode-curve.key.next"),
        FigureKey("left", lambda state: _walk(-1, state), "decode-curve.key.previous"),
        FigureKey("switch", _other, "decode-curve.key.other", part=SWITCH),
    ),
    paint,
    clean,
    notice=notice,
    parameters=(
        Parameter("batch", "count", 1, MOST_BATCH, tuple(_RATES)),
        Parameter("example", "choice", choices=("off", "on"), part=SWITCH),
    ),
    commands=commands,
)  # fmt: skip
