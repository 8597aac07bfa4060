"""The time of a step over the batch: of the reader's own machine where it was measured, else of a published card.

One batch is pointed at; its time, its time a token and its class stand above the drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import log2
from typing import TYPE_CHECKING

from tutor.figures.base import Figure, FigureKey
from tutor.figures.decode_published import RATES, published
from tutor.figures.parameters import Parameter
from tutor.figures.pen import DIM, STRONG, Pen
from tutor.figures.rows import Row
from tutor.figures.shell import Shell
from tutor.figures.state import State, between, hidden, names, on, put, whole, word

if TYPE_CHECKING:
    from textual.content import Content

    from engine.probe.model import Result
    from tutor.widgets.decode_curve import Band, Curve, Dot, Words

BENT = ("knee", "bend", "flat")
"""Shapes whose beginning is flat, so that a batch lies before its end or beyond."""
LEAST_ROWS, ROOMY = 5, 6
"""Rows between the axes: the least, and those that come before a long word on whose curve it is."""
TALL, TALLEST = 30, 17
"""Rows of a window from which a wide drawing may have more than its usual ones, and how many."""
ART, LEGEND, WHOSE = 4, 6, 8
"""Ranks: which rows leave first where height is short. Whose curve it is goes before the sentence on what to notice."""
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
    return Curve(dots, _knee(shown), _chosen(state, dots).batch)


def _chosen(state: State, dots: Sequence[Dot]) -> Dot:
    return dots[_place(state, dots)]


def _place(state: State, dots: Sequence[Dot]) -> int:
    """The measured batch that is nearest to the one pointed at, in steps of a log axis; of two the larger."""
    batch = whole(state, "batch")
    return min(range(len(dots)), key=lambda place: (abs(log2(dots[place].batch / batch)), -place))


# --- the drawing -----------------------------------------------------------------------------------------------------


def paint(state: State, pen: Pen) -> list[Row]:
    """The point in numbers, the curve, and whose curve it is."""
    from tutor.widgets import decode_curve as drawing

    made = curve(state)
    facts, legend, whose = _facts(state, made, pen), _legend(made, pen), _whose(state, pen)
    told = 0 if hidden(state, "note") else _longest(state, pen)
    room = pen.height - told - len(facts) - drawing.FRAME
    beside = _beside(made, legend, pen)
    below = [] if beside else [Row(legend, LEGEND, "")] if legend.cell_length <= pen.width else []
    if room - len(below) - len(whose) < ROOMY:  # the drawing before a long word on whose it is
        whose = _whose(state, pen, short=True)
    if room - len(below) - len(whose) < LEAST_ROWS:
        whose = []
    return [*facts, *_art(made, pen, room - len(below) - len(whose), beside), *below, *whose]


def _longest(state: State, pen: Pen) -> int:
    """Rows of the longest sentence that a batch of this curve has: the drawing stays as it is from key to key."""
    return _longest_of(replace(curve(state), at=None), pen)


@lru_cache(maxsize=8)  # it is the same for every batch of a curve, and a figure has two
def _longest_of(made: Curve, pen: Pen) -> int:
    return max(len(pen.wrapped(_noticed(made, dot, pen))) for dot in made.dots)


def _facts(state: State, made: Curve, pen: Pen) -> list[Row]:
    """The chosen point; read aloud, all points."""
    unit = made.unit[0]
    dot = _chosen(state, made.dots)
    parts = [pen.say("decode-curve.batch", n=dot.batch), _time(dot.seconds, unit, pen)]
    each = pen.say("decode-curve.each", time=_time(dot.seconds / dot.batch, _finest(dot.seconds / dot.batch), pen))
    label = _class(dot.label, pen)
    said = "\n".join(_said(one, unit, pen) for one in made.dots)
    lines = _joined([*parts, each, *([label] if label else [])], pen.width)
    return [pen.row((line, STRONG), said="" if number else said) for number, line in enumerate(lines)]


def _joined(parts: Sequence[str], width: int) -> list[str]:
    """The parts on as few lines as the width allows, each whole."""
    lines: list[str] = []
    apart = next((gap for gap in ("   ", "  ") if len(gap.join(parts)) <= width), "   ")
    for part in parts:
        if lines and len(lines[-1]) + len(apart) + len(part) <= width:
            lines[-1] += apart + part
        else:
            lines.append(part)
    return lines


def _said(dot: Dot, unit: str, pen: Pen) -> str:
    label = f", {pen.say(f'decode-curve.chosen.{dot.label}')}" if dot.label else ""
    return f"{pen.say('decode-curve.batch', n=dot.batch)}: {_time(dot.seconds, unit, pen)}{label}"


def _class(label: str, pen: Pen) -> str:
    """The letter of a point's class with its name, so that what is said of it is found in the drawing."""
    from tutor.widgets.decode_curve import LETTERS

    return f"{LETTERS[label]}: {pen.say(f'decode-curve.chosen.{label}')}" if label in LETTERS else ""


def _time(seconds: float, unit: str, pen: Pen) -> str:
    text = pen.amount(Fraction(str(seconds)), unit, 3)
    return text.replace(" us", " µs") if unit == "us" and not pen.ascii else text


def _finest(seconds: float) -> str:
    return "s" if seconds >= 1 else "ms" if seconds >= 1e-3 else "us"


def _art(made: Curve, pen: Pen, room: int, beside: Content | None) -> list[Row]:
    """The drawing; ``beside``: the letters, at the right end of its first line."""
    from tutor.widgets import decode_curve as drawing

    usual = (TALLEST if pen.height >= TALL else drawing.MORE_ROWS) if pen.width >= drawing.WIDE else drawing.ROWS
    lines = list(drawing.draw(made, pen.width, words_of(made, pen.say), pen.ascii, between(room, LEAST_ROWS, usual)))
    if beside is not None:
        width = min(pen.width, drawing.WIDEST)
        lines[0] = lines[0].pad_right(width - lines[0].cell_length - beside.cell_length) + beside
    return [Row(line, ART, "") for line in lines]


def _legend(made: Curve, pen: Pen) -> Content:
    """The letters of the drawing with their names."""
    from tutor.widgets import decode_curve as drawing

    return drawing.legend(made, lambda label: pen.say(f"decode-curve.class.{label}"))


def _beside(made: Curve, legend: Content, pen: Pen) -> Content | None:
    """The letters, where the line with the unit has room for them."""
    from tutor.widgets import decode_curve as drawing

    unit = words_of(made, pen.say).seconds
    fits = len(unit) + 3 + legend.cell_length <= min(pen.width, drawing.WIDEST)
    return legend if fits and legend.plain else None


def notice(state: State, pen: Pen) -> str:
    """How far the step stays as long, and what comes then; at a later batch, on which side of that it lies. Before it
    that the batch pointed at was not measured, where that is so."""
    made, asked = curve(state), whole(state, "batch")
    dot = _chosen(state, made.dots)
    told = _noticed(made, dot, pen)
    if asked == dot.batch:
        return told
    return f"{pen.say('decode-curve.nearest', asked=asked, batch=dot.batch)} {told}"


def _noticed(made: Curve, dot: Dot, pen: Pen) -> str:
    from tutor.widgets import decode_curve as drawing

    found, dots = drawing.notice(made), made.dots
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


def _whose(state: State, pen: Pen, *, short: bool = False) -> list[Row]:
    """Whose curve it is; without one of the reader's own, how to get it. ``short``: the card alone."""
    shown = _shown(state)
    if short:
        kind = "short" if shown is state else "own"
        return pen.wrapped(pen.say(f"decode-curve.{kind}", card=word(shown, "card")), DIM, WHOSE)
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
    return put(state, example=not on(state, "example"))


def clean(state: State, given: Mapping[str, object]) -> State:
    """Points that can be drawn, the published ones where an author gave none; without a curve of the reader's own
    nothing to switch to. Raises ``ValueError``."""
    state = state if _rows(state) else put(state, **published())
    _dots(state)
    own = state["own"]
    if isinstance(own, Mapping) and own:
        try:
            _dots(own), _knee(own), word(own, "card")
        except (ValueError, LookupError, TypeError):
            own = {}
    hide = tuple(one for one in names(state, "hide") if one != SWITCH) + (() if own else (SWITCH,))
    return put(
        state,
        own=own,
        hide=hide,
        batch=between(whole(state, "batch"), 1, MOST_BATCH),
        example=on(state, "example") and bool(own),
    )


def commands(state: State) -> Sequence[Shell]:
    """The reader's own run as it was kept; the numbers of a published card, measured by others, no command gives."""
    return (Shell(("probe", "--last")),) if _shown(state) is not state else ()


MOST_BATCH = 1 << 20
"""A larger batch than any run measures."""


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
        Parameter("batch", "count", 1, MOST_BATCH, tuple(RATES)),
        Parameter("example", "choice", choices=("off", "on"), part=SWITCH),
    ),
    commands=commands,
)  # fmt: skip
