"""FI-11, the batching timeline: slots against steps, static or continuous, with the idle cells counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.batching import Mode, Timeline, simulate
from tutor.figures.base import Figure, FigureKey
from tutor.figures.pen import ACCENT, DIM, Part, Pen
from tutor.figures.rows import Row
from tutor.figures.state import State, between, moved, put, whole, word

LENGTHS = (2, 5, 8, 10, 2, 5, 4, 6)
"""Small enough that every step has a cell of its own in 34 columns."""
SLOTS = (2, 3, 4, 5, 6)
_SHADES = ("$text-primary", "$text-secondary")
"""Requests that follow each other differ in shade as in letter; the colours of the buckets would say something else."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def timeline(state: State) -> Timeline:
    """The schedule of the state."""
    mode: Mode = "static" if word(state, "mode") == "static" else "continuous"
    return simulate(_lengths(state), whole(state, "slots"), mode)


def _lengths(state: State) -> list[int]:
    value = state["lengths"]
    return [int(str(item)) for item in value] if isinstance(value, tuple) else list(LENGTHS)


def _slot(place: int, cells: Sequence[int | None], each: int, scale: int, pen: Pen) -> Row:
    """One slot: a letter for each step that served a request, a dot for an idle one."""
    parts: list[Part] = [(f"{place} ", DIM)]
    for step in range(0, len(cells), scale):
        who = cells[step]
        text = (pen.dot if who is None else LETTERS[who % 26]) * each
        parts.append((text, DIM if who is None else _SHADES[who % 2]))
    return pen.art(*parts)


def _brief(line: Timeline, pen: Pen) -> dict[str, str]:
    """Steps and idle share of a schedule in words."""
    return {"steps": pen.count("steps", line.steps), "share": pen.amount(line.idle_share, "%", 3)}


def paint(state: State, pen: Pen) -> list[Row]:
    """Both modes' names with the chosen one marked, the chart, and the counts of both for comparison."""
    line = timeline(state)
    room = pen.width - 2
    scale = -(-line.steps // room) if line.steps else 1
    each = between(room // max(1, line.steps), 1, 3)
    tabs: list[Part] = []
    for mode in ("static", "continuous"):
        chosen = mode == line.mode
        tabs += [
            (
                f"[{pen.say(f'batching-timeline.{mode}')}]" if chosen else f" {pen.say(f'batching-timeline.{mode}')} ",
                ACCENT if chosen else DIM,
            ),
            " ",
        ]
    other = simulate(_lengths(state), line.slots, "continuous" if line.mode == "static" else "static")
    facts = [
        (pen.say("batching-timeline.steps"), str(line.steps)),
        (
            pen.say("batching-timeline.idle"),
            pen.say(
                "batching-timeline.of",
                n=line.idle,
                all=line.slots * line.steps,
                share=pen.amount(line.idle_share, "%", 3),
            ),
        ),
        (
            pen.say(f"batching-timeline.other.{other.mode}"),
            pen.say(
                "batching-timeline.brief",
                steps=pen.count("steps", other.steps),
                share=pen.amount(other.idle_share, "%", 3),
            ),
        ),
    ]
    note = pen.wrapped(pen.say("batching-timeline.scale", n=scale), DIM, 3) if scale > 1 else []
    axis = pen.art((pen.fold(f"  → {pen.say('batching-timeline.axis')}"), DIM), rank=6)
    ranks = [(0, row) if place < 2 else (2, row) for place, row in enumerate(pen.pairs(facts))]
    return [
        pen.row(*tabs, rank=1, said=pen.say(f"batching-timeline.{line.mode}")),
        *[_slot(place, row, each, scale, pen) for place, row in enumerate(line.rows, start=1)],
        axis,
        *note,
        pen.gap(),
        *[Row(row.content, rank, row.said) for rank, row in ranks],
        *pen.caption(pen.say(f"batching-timeline.caption.{line.mode}")),
    ]


def _mode(mode: Mode, state: State) -> State:
    return put(state, mode=mode)


def _slots(by: int, state: State) -> State:
    return moved(state, "slots", SLOTS, by)


def clean(state: State, given: Mapping[str, object]) -> State:
    """Two to six slots, up to 26 requests of 1 to 120 steps, one of the two modes."""
    lengths = tuple(between(length, 1, 120) for length in _lengths(state)[:26]) or LENGTHS
    mode = "continuous" if word(state, "mode") == "continuous" else "static"
    return put(state, lengths=lengths, mode=mode, slots=between(whole(state, "slots"), SLOTS[0], SLOTS[-1]))


FIGURE = Figure(
    "batching-timeline",
    {"mode": "static", "slots": 4, "lengths": LENGTHS},
    (
        FigureKey("right", lambda state: _mode("continuous", state), "batching-timeline.key.continuous"),
        FigureKey("left", lambda state: _mode("static", state), "batching-timeline.key.static"),
        FigureKey("up", lambda state: _slots(1, state), "batching-timeline.key.more"),
        FigureKey("down", lambda state: _slots(-1, state), "batching-timeline.key.fewer"),
    ),
    paint,
    clean,
)
