"""FI-8, parallel tracks: requests with their own KV behind one weight read that they share.

Every track runs through one gate, the weights, read once for all of them; behind it lies the request's own KV. Under
the tracks the same bytes lie end to end: what one step reads. All cells of the drawing have one scale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.columns import pointed
from tutor.figures.numbers import LEAST_KV, MOST_KV
from tutor.figures.parameters import Parameter
from tutor.figures.pen import DIM, KV, STRONG, WEIGHTS, Part, Pen, beside
from tutor.figures.rows import Row
from tutor.figures.sizes import amount
from tutor.figures.state import State, between, hidden, number, put, step, whole
from tutor.figures.track_read import Read, commands, notice, read
from tutor.figures.unsaid import UNKNOWN

BATCHES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
SIZES = (250, 500, 1000, 2000, 4000, 8000)
MOST: Mapping[str, int] = {
    "B": 4096, "S": 10**7, "N": 10**13, "L": 1000, "n_kv_heads": 1024, "d_head": 65536,
}  # fmt: skip
_FACTS, _APART = 33, 4
_UNSCALED = 3
"""Cells of a track whose length is not told."""
_TALL = 14
"""Lines from which the tracks leave room for the sentence."""
_ROOMY = 18
"""Lines from which there are empty lines between the parts."""
_BEHIND = "├── "
_FEW = 4
"""Tracks that go before numbers which other ones tell already."""
_APART_FROM = 12
"""Lines from which the weights have a line of the gate to themselves; with fewer they stand in the first track."""


class Cells(NamedTuple):
    """Cells of the drawing: in front of the gate, of the weights, of one track, of all KV end to end."""

    before: int
    weights: int
    own: int
    kv: int


def _labelled(pen: Pen, place: int) -> str:
    return pen.say("tracks.request", n=place).ljust(len(pen.say("tracks.request", n=64)))


def _scale(batch: int, told: Read, pen: Pen) -> Cells:
    """One scale for all: a track has whole cells, so that all tracks together are the KV of the step to the cell.

    Where a track is thinner than a cell it has one all the same: what exists is seen.
    """
    before = max(len(_labelled(pen, 1)) + 3, len(pen.say("tracks.bar")) + 1)
    room = pen.width - before
    gate = room - len(_BEHIND)
    if told.gone & {"weights", "own", "step"}:
        return Cells(before, gate - _UNSCALED, _UNSCALED, 0)
    whole_cells = int(min(room * told.own / told.step, gate * told.own / (told.weights + told.own)))
    if whole_cells:
        weights = max(1, round(whole_cells * told.weights / told.own))
        return Cells(before, weights, whole_cells, whole_cells * batch)
    cell = min(room / told.step, (gate - 1) / told.weights)
    return Cells(before, max(1, round(cell * told.weights)), 1, max(1, int(cell * told.kv)))


def _gate(told: Read, cells: Cells, pen: Pen) -> Row:
    """The upper edge of the gate, with what goes through it once; beside it where it is too narrow for words."""
    size = UNKNOWN if "weights" in told.gone else amount(told.weights, "GB", pen, 3)
    said = pen.say("tracks.read", amount=size)
    for label in (said, pen.say("tracks.read-short", amount=size), size):
        if cells.weights >= len(label) + 3:
            edge = f"┌─ {label} ".ljust(cells.weights + 1, "─") + "┐"
            own = "   " + pen.say("tracks.own-kv")
            fits = cells.before + cells.weights + 1 + len(own) <= pen.width
            return pen.row(" " * (cells.before - 1), edge, (own if fits else "", DIM), said=said)
        if cells.before + cells.weights + 2 + len(label) <= pen.width:
            return pen.row(" " * (cells.before - 1), f"┌{'─' * cells.weights}┐ {label}", said=said)
    return pen.row(" " * (cells.before - 1), f"┌{'─' * cells.weights}┐", said=said)


def _track(place: int, inside: Part, cells: Cells, told: Read, pen: Pen) -> Row:
    """One request: its number, its way through the gate, its own KV."""
    own = (UNKNOWN * cells.own, DIM) if "own" in told.gone else ("K" * cells.own, KV)
    head = _labelled(pen, place) + " "
    return pen.art(head, "─" * (cells.before - 1 - len(head)), "┤", inside, _BEHIND, own)


def _shared(cells: Cells, told: Read) -> Part:
    """What stands in the gate once, for all of them: the weights."""
    sign, style = (UNKNOWN, DIM) if "weights" in told.gone else ("W", WEIGHTS)
    return sign * cells.weights, style


def _tracks(count: int, room: int, cells: Cells, told: Read, apart: bool, pen: Pen) -> list[Row]:
    """As many tracks as there is room for; a line says how many more there are."""
    shown = count if count <= room else max(1, room - 1)
    inside = [" " * cells.weights if apart or place > 1 else _shared(cells, told) for place in range(1, shown + 1)]
    rows = [_track(place, part, cells, told, pen) for place, part in enumerate(inside, 1)]
    if shown == count:
        return rows
    rest = grouped(count - shown)
    before = " " * (cells.before - 1)
    for more in (pen.say("tracks.more", n=rest), f"+{rest}"):
        if len(more) + 2 <= cells.weights:
            return [*rows, pen.art(before, "│ ", (more.ljust(cells.weights - 1), DIM), "│")]
        if cells.before + cells.weights + 2 + len(more) <= pen.width:
            break
    return [*rows, pen.art(before, "│", " " * cells.weights, "│ ", (more, DIM))]


def _end_to_end(told: Read, cells: Cells, pen: Pen) -> Row:
    """What one step reads as one bar: the weights once, below those in the gate, then the KV of all."""
    label = pen.say("tracks.bar").ljust(cells.before)
    if "step" in told.gone:
        return pen.art((label, DIM), (UNKNOWN * (pen.width - len(label)), DIM))
    return pen.art((label, DIM), ("W" * cells.weights, WEIGHTS), ("K" * cells.kv, KV))


def _facts(state: State, told: Read, most: int, pen: Pen) -> list[Row]:
    """What one request has of the read and adds to it, the whole read, and when the KV is the larger part.

    ``most``: how many there is room for; those that follow from others leave first, and where they are hidden.
    """
    facts: Sequence[tuple[str, str, int]] = (
        ("share", amount(told.share, "GB", pen, 3), 0),
        ("own", amount(told.own, "GB", pen, 3), 0),
        ("step", amount(told.step, "GB", pen, 3), 0),
        ("requests", grouped(whole(state, "B")), 3),
        ("part", pen.amount(told.part, "%", 3), 1),
        ("overtakes", grouped(told.even + 1), 2),
    )
    there = [fact for fact in facts if not (fact[2] and fact[0] in told.gone)]
    kept = sorted(there, key=lambda fact: fact[2])[: max(most, sum(not rank for _, _, rank in there))]
    told_of = [fact for fact in there if fact in kept]
    values = pointed([UNKNOWN if name in told.gone else value for name, value, _ in told_of])
    rows = []
    for (name, _, _), shown in zip(told_of, values, strict=True):
        label = pen.say(f"tracks.{name}")
        fill = " " * max(1, _FACTS - len(label) - len(shown))
        rows.append(pen.row(label, fill, (shown, STRONG), said=f"{label}: {shown.rstrip()}"))
    return rows


def _columns(rows: list[Row], pen: Pen) -> list[Row]:
    """The numbers in as many columns as the width has."""
    columns = max(1, (pen.width + _APART) // (_FACTS + _APART))
    high = -(-len(rows) // columns)
    made = rows[:high]
    for place in range(1, columns):
        made = beside(made, rows[place * high : (place + 1) * high], place * (_FACTS + _APART), pen)
    return made


def _sentence(state: State, pen: Pen) -> int:
    """Lines of the sentence below the drawing."""
    if pen.height < _TALL or hidden(state, "note"):
        return 0
    return len(pen.wrapped(notice(state, pen)))


def paint(state: State, pen: Pen) -> list[Row]:
    """The gate and the tracks through it, what one step reads, and the numbers of it."""
    told, batch = read(state), whole(state, "B")
    cells = _scale(batch, told, pen)
    gaps = 3 if pen.height >= _ROOMY else 0
    columns = max(1, (pen.width + _APART) // (_FACTS + _APART))
    apart = pen.height >= _APART_FROM
    room = pen.height - 3 - apart - gaps - _sentence(state, pen)
    facts = _columns(_facts(state, told, columns * max(1, room - min(batch, _FEW)), pen), pen)
    tracks = _tracks(batch, max(1, room - len(facts)), cells, told, apart, pen)
    above = [
        _gate(told, cells, pen),
        *([pen.art(" " * (cells.before - 1), "│", _shared(cells, told), "│")] if apart else []),
    ]
    bottom = pen.art(" " * (cells.before - 1), f"└{'─' * cells.weights}┘")
    return [*above, *tracks, bottom, pen.gap(), _end_to_end(told, cells, pen), pen.gap(), *facts]


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
        Parameter("p_w", "format", Fraction(1, 8), 8, (Fraction(1, 2), 1, 2, 4), called="weight_precision"),
        _typed("L"),
        _typed("n_kv_heads"),
        _typed("d_head"),
        Parameter("p", "format", LEAST_KV, MOST_KV, (Fraction(1, 2), 1, 2), called="kv_precision"),
    ),
    commands=commands,
)
