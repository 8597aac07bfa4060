"""FI-11, the batching timeline: slots against steps, static and continuous, with the idle cells counted.

``now`` is the number of steps that have passed while the figure plays; 0 stands for the whole schedule. What has not
happened yet is neither drawn nor counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from engine.batching import Mode, Timeline, simulate
from tutor.figures.base import Figure, FigureKey
from tutor.figures.parameters import Parameter
from tutor.figures.pen import ACCENT, DIM, Pen
from tutor.figures.rows import Row
from tutor.figures.shell import Shell
from tutor.figures.shell import calc as command
from tutor.figures.slot_rows import Scale, axis_row, slot_rows
from tutor.figures.slots_said import told, waiting
from tutor.figures.state import State, between, moved, put, whole, word

LENGTHS = (2, 5, 8, 10, 2, 5, 4, 6)
"""Small enough that every step has a cell of its own in 34 columns."""
LONGEST = 120
SLOTS = (2, 3, 4, 5, 6)
_MOMENTS = 40
_WIDE = 100
"""Columns from which both schedules are drawn, one above the other; narrower windows draw both when they are tall."""
_TALL = 11
"""Rows that a narrow window needs beside the slots of both."""


@lru_cache(maxsize=16)
def _schedule(lengths: tuple[int, ...], slots: int, mode: Mode) -> Timeline:
    return simulate(lengths, slots, mode)


def timeline(state: State, mode: Mode | None = None) -> Timeline:
    """The schedule of the state, or that of the other mode."""
    own: Mode = "static" if word(state, "mode") == "static" else "continuous"
    return _schedule(_lengths(state), whole(state, "slots"), mode or own)


def _lengths(state: State) -> tuple[int, ...]:
    value = state["lengths"]
    return tuple(int(str(item)) for item in value) if isinstance(value, tuple) else LENGTHS


def passed(state: State, line: Timeline) -> int:
    """The steps of a schedule that have passed."""
    return min(whole(state, "now") or line.steps, line.steps)


def end(state: State) -> int:
    """The step at which both schedules are done."""
    return max(timeline(state, mode).steps for mode in ("static", "continuous"))


def pace(state: State) -> int:
    """Steps from one moment of playing to the next: a long schedule takes no longer to see than a short one."""
    return max(1, end(state) // _MOMENTS)


def _name(line: Timeline, state: State, pen: Pen) -> tuple[str, str]:
    """The mode's name, in brackets where it is the chosen one."""
    name = pen.say(f"batching-timeline.{line.mode}")
    return (f"[{name}]", ACCENT) if line.mode == word(state, "mode") else (f" {name} ", DIM)


def _brief(line: Timeline, state: State, pen: Pen) -> str:
    """How far a schedule is and its idle share, in a few words."""
    step = passed(state, line)
    share = pen.amount(line.idle_share_by(step), "%", 3)
    if step == line.steps:
        return pen.say("batching-timeline.brief", steps=pen.count("steps", step), share=share)
    return pen.say("batching-timeline.sofar", n=step, share=share)


def _count(line: Timeline, state: State, pen: Pen) -> str:
    """The idle cells of a schedule, of all that have passed."""
    step = passed(state, line)
    share = pen.amount(line.idle_share_by(step), "%", 3)
    return pen.say("batching-timeline.of", n=line.idle_by(step), all=line.slots * step, share=share)


def _queue(line: Timeline, state: State, pen: Pen, rank: int) -> list[Row]:
    """Who waits; the whole schedule leaves nobody waiting, and says nothing."""
    if not 0 < whole(state, "now") < end(state):
        return []
    names = waiting(line, passed(state, line)) or pen.say("batching-timeline.nobody")
    return [
        Row(row.content, rank, row.said) for row in pen.wrapped(pen.say("batching-timeline.waiting", who=names), DIM)
    ]


def _chart(line: Timeline, state: State, scale: Scale, pen: Pen) -> list[Row]:
    """One of two schedules: its name with the count, its slots, who waits; the steps are numbered once, below both."""
    name, style = _name(line, state, pen)
    step = passed(state, line)
    steps = pen.count("steps", step) if step == line.steps else pen.say("batching-timeline.step", n=step)
    count = pen.say("batching-timeline.both", steps=steps, idle=_count(line, state, pen))
    said = f"{pen.say(f'batching-timeline.{line.mode}')}: {count}"
    fits = len(name) + 1 + len(count) <= pen.width
    head = pen.apart(name, count, style) if fits else [pen.art((name, style)), *pen.wrapped(count)]
    head = [Row(row.content, row.rank, "" if place else said) for place, row in enumerate(head)]
    axis = [axis_row(end(state), scale, pen)] if line.mode == "continuous" else []
    return [*head, *slot_rows(line, step, scale, pen), *axis, *_queue(line, state, pen, 5)]


def _both(state: State, scale: Scale, pen: Pen) -> list[Row]:
    """Both schedules, to one scale."""
    static, continuous = timeline(state, "static"), timeline(state, "continuous")
    return [*_chart(static, state, scale, pen), pen.gap(), *_chart(continuous, state, scale, pen)]


def _one(state: State, scale: Scale, pen: Pen) -> list[Row]:
    """The chosen schedule, and how the other one stands."""
    line = timeline(state)
    other = timeline(state, "continuous" if line.mode == "static" else "static")
    step = passed(state, line)
    label = "batching-timeline.steps" if step == line.steps else "batching-timeline.upto"
    facts = pen.pairs([
        (pen.say(label), str(step)),
        (pen.say("batching-timeline.idle"), _count(line, state, pen)),
        (pen.say(f"batching-timeline.{other.mode}"), _brief(other, state, pen)),
    ])  # fmt: skip
    static, continuous = (_name(one, state, pen) for one in sorted((line, other), key=lambda one: one.mode != "static"))
    return [
        pen.row(static, " ", continuous, rank=1, said=pen.say(f"batching-timeline.{line.mode}")),
        *slot_rows(line, step, scale, pen),
        axis_row(end(state), scale, pen),
        *_queue(line, state, pen, 5),
        pen.gap(),
        *[Row(row.content, 2 if place == len(facts) - 1 else 0, row.said) for place, row in enumerate(facts)],
    ]


def paint(state: State, pen: Pen) -> list[Row]:
    """Both schedules where there is room, else the chosen one beside the numbers of the other."""
    scale = Scale.of(end(state), pen.width)
    need = 2 * whole(state, "slots") + (5 if pen.width >= _WIDE else _TALL)
    rows = _both(state, scale, pen) if pen.height >= need else _one(state, scale, pen)
    note = pen.wrapped(pen.say("batching-timeline.scale", n=scale.steps), DIM, 3) if scale.steps > 1 else []
    return [*rows, *note]


def notice(state: State, pen: Pen) -> str:
    """The rule of the chosen mode, or that both do the same; while it plays, what happens at this step."""
    line, now = timeline(state), whole(state, "now")
    if 0 < now < end(state):
        return told(line, now, pace(state), pen)
    alike = timeline(state, "static").rows == timeline(state, "continuous").rows
    return pen.say(f"batching-timeline.notice.{'alike' if alike else line.mode}")


def commands(state: State) -> list[Shell]:
    """The idle shares of the steps that have passed, as quotients of cells; once where both are the same."""
    chosen = timeline(state)
    lines = (chosen, *(timeline(state, mode) for mode in ("static", "continuous") if mode != chosen.mode))
    counts = dict.fromkeys((line.idle_by(step), line.slots * step) for line in lines if (step := passed(state, line)))
    return [command("ratio", {"part": idle, "whole": cells}, "%") for idle, cells in counts]


def _mode(mode: Mode, state: State) -> State:
    return put(state, mode=mode)


def _slots(by: int, state: State) -> State:
    """Another number of slots; the schedule is another then, so it stands whole."""
    found = moved(state, "slots", SLOTS, by)
    return found if found == state else put(found, now=0)


def advance(state: State) -> State:
    """The next moment; none at the end of the longer schedule, nor for a whole one."""
    now = whole(state, "now")
    return put(state, now=min(now + pace(state), end(state))) if 0 < now < end(state) else state


def clean(state: State, given: Mapping[str, object]) -> State:
    """Two to six slots, up to 26 requests of 1 to 120 steps, one of the two modes, a step within the schedules."""
    lengths = tuple(between(length, 1, LONGEST) for length in _lengths(state)[:26]) or LENGTHS
    mode = "continuous" if word(state, "mode") == "continuous" else "static"
    slots = between(whole(state, "slots"), SLOTS[0], SLOTS[-1])
    found = put(state, lengths=lengths, mode=mode, slots=slots)
    return put(found, now=between(whole(state, "now"), 0, end(found)))


FIGURE = Figure(
    "batching-timeline",
    {"mode": "static", "slots": 4, "lengths": LENGTHS, "now": 0, "hide": ()},
    (
        FigureKey("right", lambda state: _mode("continuous", state), "batching-timeline.key.continuous"),
        FigureKey("left", lambda state: _mode("static", state), "batching-timeline.key.static"),
        FigureKey("up", lambda state: _slots(1, state), "batching-timeline.key.more"),
        FigureKey("down", lambda state: _slots(-1, state), "batching-timeline.key.fewer"),
    ),
    paint,
    clean,
    notice=notice,
    parameters=(
        Parameter("mode", "choice", choices=("static", "continuous")),
        Parameter("slots", "count", SLOTS[0], SLOTS[-1]),
        Parameter("lengths", "list", 1, LONGEST),
    ),
    commands=commands,
    advance=advance,
    begin=lambda state: put(state, now=1),
)
