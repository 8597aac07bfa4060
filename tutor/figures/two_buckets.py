"""FI-E1, the two buckets: the card as one bar of W, K, r and free cells, with dials and levers.

Overflow stands outside the card's frame, in reverse, with its amount. The idle strip below the bar is about time,
not memory: continuous batching changes the strip and leaves the bar alone. It is there where
batching is the topic, or where there is room.
Played, requests join until the card is full; then the levers make room, one after the other, and more join.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tutor.figures.base import Figure, FigureKey
from tutor.figures.bucket_asides import asides
from tutor.figures.bucket_notice import helping, notice
from tutor.figures.bucket_panels import BESIDE, BROAD, PANEL, TURNED, dials, legend, request_facts
from tutor.figures.bucket_tools import PARAMETERS, commands
from tutor.figures.budget import (
    BASE,
    DIALS,
    LEVERS,
    MOST,
    Budget,
    budget,
    choose,
    clean,
    fitting,
    other_unit,
    pull,
    turn,
)
from tutor.figures.card import card, secrets
from tutor.figures.glide import tween
from tutor.figures.levers import idle_strip, lever_rows
from tutor.figures.pen import Pen, beside
from tutor.figures.rows import Row
from tutor.figures.state import State, hidden, put, whole, word

WIDER = 100
"""Columns from which the legend tells both units, with one request's share under it."""
WIDEST = BROAD + 2 * PANEL + 8
"""Columns for three tables side by side."""
_BETWEEN = 4
_FRAME, _LEGEND = 3, 5
"""Lines of the card and of its legend at least."""
_SENTENCE = 140
"""Signs of a long sentence of what to notice: it has the room before the dials that are not chosen."""


def _body(state: State, money: Budget, others: int, pen: Pen) -> list[Row]:
    """The tables under the card, in the room that ``others`` lines leave: the strip and the levers."""
    room = max(_LEGEND, pen.height - _FRAME - others - -(-_SENTENCE // pen.width))
    every = room >= len(DIALS)
    turned = dials(state, pen, min(room, len(DIALS)))
    if pen.width < WIDER:
        left = [*legend(state, money, pen), *request_facts(state, pen, room - _LEGEND)]
        return beside(left, turned, min(PANEL + _BETWEEN, pen.width - PANEL), pen)
    left, facts = legend(state, money, pen, broad=True), request_facts(state, pen)
    if pen.width >= WIDEST:
        first = beside(left, facts, BROAD + _BETWEEN, pen)
        return beside(first, turned, BROAD + PANEL + 2 * _BETWEEN, pen)
    below = ([pen.gap(), *facts] if every else request_facts(state, pen, room - _LEGEND)) if facts else []
    return beside([*left, *below], turned, BROAD + _BETWEEN, pen)


def _narrow(state: State, money: Budget, strip: Sequence[Row], levers: Sequence[Row], pen: Pen) -> list[Row]:
    """One table under the other; of the dials all only where they have room."""
    told, facts = legend(state, money, pen), request_facts(state, pen)
    sentence = 1 + _SENTENCE // pen.width
    fixed = 3 + len(told) + len(strip) + len(levers) + sentence
    turned = dials(state, pen, len(DIALS) if pen.height >= fixed + len(DIALS) else 1)
    return [*strip, *told, *facts, pen.gap(), *levers, *turned]


def paint(state: State, pen: Pen) -> list[Row]:
    """The card, its legend, the idle strip, the levers, the dials and what one request takes."""
    money = budget(state)
    strip, levers = idle_strip(state, pen), lever_rows(state, pen)
    bar = card(state, money, pen)
    if pen.width < BESIDE:
        return [*bar, *_narrow(state, money, strip, levers, pen), *asides(state, pen)]
    body = _body(state, money, len(strip) + len(levers), pen)
    return [*bar, *strip, pen.gap(), *body, pen.gap(), *levers, *asides(state, pen)]


def advance(state: State) -> State:
    """The next moment: half of the requests that still fit join; on a full card a lever makes room.

    It ends where no lever lets another request in. With a hidden amount it does not begin: the dial would tell it.
    """
    if secrets(state) or hidden(state, "levers") or hidden(state, "count"):
        return state
    there, fit = whole(state, "B"), min(fitting(state), MOST["B"])
    if there < fit:
        return put(state, B=there + (fit - there + 1) // 2, last="")
    lever = next(iter(helping(state)), None)
    return state if lever is None else pull(state, lever)


_TO_READ = 6
"""Beats, about four seconds, for a sentence on a full card or on a lever."""


def beats(state: State) -> int:
    """Requests join quickly; a full card, and what a lever did to it, stays until it is read."""
    return _TO_READ if word(state, "last") in LEVERS or whole(state, "B") >= fitting(state) else 1


FIGURE = Figure(
    "two-buckets",
    BASE,
    (
        FigureKey("right", partial(turn, by=1), "key.more", TURNED),
        FigureKey("left", partial(turn, by=-1), "key.less", TURNED),
        FigureKey("down", partial(choose, by=1), "key.next-dial", TURNED),
        FigureKey("up", partial(choose, by=-1), "key.previous-dial", TURNED),
        *(
            FigureKey(a, partial(pull, lever=name), f"two-buckets.lever.{name}", "levers")
            for a, name in zip(("first", "second", "third", "fourth"), LEVERS, strict=True)
        ),
        FigureKey("unit", other_unit, "key.unit"),
    ),
    paint,
    clean,
    frozenset({"d_model", "max_len"}),
    tween,
    notice,
    PARAMETERS,
    commands,
    advance,
    beats=beats,
)
