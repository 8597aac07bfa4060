"""FI-8, parallel tracks: requests with their own KV beside one weight read that they share.

The weights and each request's KV are drawn to one scale. Under the tracks the same bytes lie end to end: what one step
reads, and how much of that the weights are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.parameters import Parameter
from tutor.figures.pen import DIM, KV, STRONG, WEIGHTS, Pen, beside
from tutor.figures.rows import Row, apportion
from tutor.figures.sizes import amount
from tutor.figures.state import State, between, number, put, step, whole
from tutor.figures.track_read import Read, commands, notice, read
from tutor.figures.unsaid import UNKNOWN

BATCHES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
SIZES = (250, 500, 1000, 2000, 4000, 8000)
MOST: Mapping[str, int] = {
    "B": 4096, "S": 10**7, "N": 10**13, "L": 1000, "n_kv_heads": 1024, "d_head": 65536,
}  # fmt: skip
WIDE = 100
"""Columns from which the numbers stand beside the tracks."""
_FACTS = 34
_UNSCALED = 3
"""Cells of a track whose length is not told."""
_TALL, _ROOMY = 14, 18
"""Lines from which the tracks leave room for the sentence, and for two more numbers."""
_BRANCH = 5
_SENTENCE = 120
"""Signs of a long sentence of what to notice."""


def _labelled(pen: Pen, place: int) -> str:
    return pen.say("tracks.request", n=place).ljust(len(pen.say("tracks.request", n=64)))


def _scale(told: Read, pen: Pen, width: int) -> tuple[str, int, int]:
    """The text beside the shared read, the cells of that and of one track: to one scale, the longer as long as fits."""
    size = UNKNOWN if "weights" in told.gone else amount(told.weights, "GB", pen)
    head = pen.say("tracks.read", amount=size)
    block, track = pen.width - len(head) - 1, width - len(_labelled(pen, 1)) - _BRANCH
    if told.gone & {"weights", "own"}:
        return head, block, _UNSCALED
    cells = min(block / told.weights, track / told.own)
    return head, max(1, round(cells * told.weights)), max(1, round(cells * told.own))


def _track(place: int, last: bool, cells: int, told: Read, pen: Pen) -> Row:
    """One request: its number, the branch from the shared read, its own KV."""
    own = (UNKNOWN * cells, DIM) if "own" in told.gone else ("K" * cells, KV)
    return pen.art(_labelled(pen, place), " ", "└" if last else "├", "── ", own)


def _tracks(count: int, room: int, cells: int, told: Read, pen: Pen) -> list[Row]:
    """As many tracks as there is room for; a line says how many more there are."""
    if count <= room:
        return [_track(place, place == count, cells, told, pen) for place in range(1, count + 1)]
    shown = max(1, room - 1)
    rest = pen.art((pen.say("tracks.more", n=grouped(count - shown)), DIM))
    return [*(_track(place, False, cells, told, pen) for place in range(1, shown + 1)), rest]


def _end_to_end(told: Read, pen: Pen) -> Row:
    """What one step reads as one bar: the weights once, then the KV of all."""
    label = pen.say("tracks.bar") + " "
    room = pen.width - len(label)
    if "step" in told.gone:
        return pen.art((label, DIM), (UNKNOWN * room, DIM))
    weights, kv = apportion((told.weights, told.kv), room)
    return pen.art((label, DIM), ("W" * weights, WEIGHTS), ("K" * kv, KV))


def _facts(state: State, told: Read, pen: Pen) -> list[Row]:
    """What one request has of the read and adds to it, the whole read, and when the KV is the larger part."""
    facts: Sequence[tuple[str, str, str, int]] = (
        ("requests", "", grouped(whole(state, "B")), 0),
        ("share", "share", amount(told.share, "GB", pen), 0),
        ("own", "own", amount(told.own, "GB", pen), 0),
        ("step", "step", amount(told.step, "GB", pen), 0),
        ("part", "part", pen.amount(told.part, "%", 3), 3),
        ("overtakes", "overtakes", grouped(told.even + 1), 3),
    )
    rows, roomy = [], pen.width >= WIDE or pen.height >= _ROOMY
    for name, secret, value, rank in facts:
        if rank and (secret in told.gone or not roomy):
            continue
        label, shown = pen.say(f"tracks.{name}"), UNKNOWN if secret in told.gone else value
        fill = " " * max(1, _FACTS - len(label) - len(shown))
        rows.append(pen.row(label, fill, (shown, STRONG), rank=rank, said=f"{label}: {shown}"))
    return rows


def paint(state: State, pen: Pen) -> list[Row]:
    """The shared read, the tracks, what one step reads, and the numbers of it."""
    told, wide = read(state), pen.width >= WIDE
    facts = _facts(state, told, pen)
    width = pen.width - _FACTS - 4 if wide else pen.width
    head, block, cells = _scale(told, pen, width)
    secret = "weights" in told.gone
    shared = (UNKNOWN * block, DIM) if secret else ("W" * block, WEIGHTS)
    top = pen.row(shared, " ", head, said=head) if block >= 1 else pen.row((head, WEIGHTS))
    sentence = 2 + _SENTENCE // pen.width if pen.height >= _TALL else 0
    bar = [pen.gap(), Row(_end_to_end(told, pen).content, 4, "")]
    if wide:
        room = max(len(facts), pen.height - 1 - len(bar) - sentence)
        body = beside(_tracks(whole(state, "B"), room, cells, told, pen), facts, width + 4, pen)
        return [top, *body, *bar]
    fixed = 1 + (len(facts) + len(bar) + sentence if pen.height >= _TALL else 5)
    return [top, *_tracks(whole(state, "B"), pen.height - fixed, cells, told, pen), *bar, *facts]


def clean(state: State, given: Mapping[str, object]) -> State:
    """One request at least; ``d_model`` stands for multi-head attention."""
    changes: dict[str, object] = {name: between(whole(state, name), 1, most) for name, most in MOST.items()}
    changes |= {name: max(Fraction(1, 8), min(number(state, name), Fraction(8))) for name in ("p", "p_w")}
    if "d_model" in given:
        heads = int(Fraction(str(given["d_model"]))) // between(whole(state, "d_head"), 1, MOST["d_head"])
        changes["n_kv_heads"] = between(heads, 1, MOST["n_kv_heads"])
    return put(state, **changes)


def _typed(name: str, ladder: Sequence[int | Fraction] = ()) -> Parameter:
    return Parameter(name, "params" if name == "N" else "count", 1, MOST[name], ladder)


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
        "hide": (),
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
    notice=notice,
    parameters=(
        _typed("B", BATCHES),
        _typed("S", SIZES),
        Parameter("model", "model", fills=("N", "L", "n_kv_heads", "d_head")),
        _typed("N"),
        Parameter("p_w", "format", Fraction(1, 8), 8, (Fraction(1, 2), 1, 2, 4)),
        _typed("L"),
        _typed("n_kv_heads"),
        _typed("d_head"),
        Parameter("p", "format", Fraction(1, 8), 8, (Fraction(1, 2), 1, 2)),
    ),
    commands=commands,
)
