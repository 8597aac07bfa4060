"""FI-8, parallel tracks: requests with their own KV beside one weight read that they share."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.numbers import Args, calc
from tutor.figures.pen import DIM, KV, WEIGHTS, Pen
from tutor.figures.rows import Row
from tutor.figures.state import State, between, number, put, step, whole

BATCHES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
SIZES = (250, 500, 1000, 2000, 4000, 8000)
_MOST = 8000
"""The length that fills a track."""


def _track(place: int, count: int, state: State, pen: Pen) -> Row:
    """One request: its number, the branch from the shared read, its own KV."""
    label = pen.say("tracks.request", n=place).ljust(len(pen.say("tracks.request", n=64)))
    room = pen.width - len(label) - 5
    cells = between(round(Fraction(room * whole(state, "S"), _MOST)), 1, room)
    branch = "└" if place == count else "├"
    return pen.art(label, " ", branch, "── ", ("K" * cells, KV))


def _tracks(state: State, room: int, pen: Pen) -> list[Row]:
    """As many tracks as there is room for; a line says how many more there are."""
    count = whole(state, "B")
    if count <= room:
        return [_track(place, count, state, pen) for place in range(1, count + 1)]
    shown = max(1, room - 1)
    first = [_track(place, 0, state, pen) for place in range(1, shown + 1)]
    return [*first, pen.art((pen.say("tracks.more", n=count - shown), DIM))]


def paint(state: State, pen: Pen) -> list[Row]:
    """The shared read, the tracks, and what one step reads for one request."""
    load: Args = {
        "S": whole(state, "S"),
        "L": whole(state, "L"),
        "n_kv_heads": whole(state, "n_kv_heads"),
        "d_head": whole(state, "d_head"),
        "p": number(state, "p"),
    }
    model: Args = {"N": whole(state, "N"), "p_w": number(state, "p_w")}
    weights, own = calc("weights", **model), calc("kv_per_request", **load)
    facts = [
        (pen.say("tracks.requests"), grouped(whole(state, "B"))),
        (pen.say("tracks.share"), pen.amount(calc("weight_read_per_request", B=whole(state, "B"), **model), "GB")),
        (pen.say("tracks.own"), pen.amount(own, "GB")),
        (pen.say("tracks.step"), pen.amount(calc("total", B=whole(state, "B"), **load, **model), "GB")),
    ]
    head = pen.say("tracks.read", amount=pen.amount(weights, "GB"))
    block = pen.width - len(head) - 1
    top = pen.row(("W" * block, WEIGHTS), " ", head, said=head) if block >= 3 else pen.row((head, WEIGHTS))
    caption = pen.caption(pen.say("tracks.caption"))
    spare = len(caption) if pen.height >= 16 else 0
    return [top, *_tracks(state, pen.height - 6 - spare, pen), pen.gap(), *pen.pairs(facts), *caption]


def clean(state: State, given: Mapping[str, object]) -> State:
    """One request at least; ``d_model`` stands for multi-head attention."""
    changes: dict[str, object] = {"B": between(whole(state, "B"), 1, 4096), "S": max(1, whole(state, "S"))}
    if "d_model" in given:
        changes |= {"n_kv_heads": max(1, int(Fraction(str(given["d_model"]))) // whole(state, "d_head"))}
    return put(state, **changes)


FIGURE = Figure(
    "tracks",
    {
        "B": 4,
        "S": 1000,
        "N": 7 * 10**9,
        "p_w": Fraction(2),
        "L": 32,
        "n_kv_heads": 32,
        "d_head": 128,
        "p": Fraction(2),
    },
    (
        FigureKey("right", step("B", BATCHES, 1), "tracks.key.more"),
        FigureKey("left", step("B", BATCHES, -1), "tracks.key.fewer"),
        FigureKey("up", step("S", SIZES, 1), "tracks.key.longer"),
        FigureKey("down", step("S", SIZES, -1), "tracks.key.shorter"),
    ),
    paint,
    clean,
    frozenset({"d_model"}),
)
