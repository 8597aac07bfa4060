"""The levers of the two buckets in words: which are pulled, what the last one did, and the idle strip under the bar."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from tutor.figures.budget import LEVERS, active, budget, pull
from tutor.figures.pen import DIM, Pen
from tutor.figures.rows import Row
from tutor.figures.state import State, on, word

LENGTHS = (2, 5, 8, 20, 2, 5, 8, 20)
"""Requests of the idle strip, in steps: a tenth of the lengths of the batching track, with the same idle shares."""
SLOTS = 4


def idle_share(state: State) -> Fraction:
    """Share of slot-steps that serve nobody, under the state's way of batching."""
    from engine.batching import simulate

    mode: Literal["static", "continuous"] = "continuous" if active(state, "continuous") else "static"
    return simulate(LENGTHS, SLOTS, mode).idle_share


def idle_strip(state: State, pen: Pen) -> list[Row]:
    """One line of busy and idle cells: time, not memory. Only where batching is the topic, or its lever was pulled."""
    if not (on(state, "strip") or active(state, "continuous") or word(state, "last") == "continuous"):
        return []
    share = idle_share(state)
    label = pen.say("two-buckets.strip") + " "
    text = " " + pen.say("two-buckets.idle", share=pen.amount(share, "%"))
    cells = pen.width - len(label) - len(text)
    idle = round(share * cells)
    said = label.strip() + ":" + text
    return [pen.row((label, DIM), "▒" * (cells - idle), (pen.dot * idle, DIM), text, rank=3, said=said)]


def lever_rows(state: State, pen: Pen) -> list[Row]:
    """The four levers with their number keys, ``[x]`` where pulled, on as few rows as the width allows."""
    rows: list[list[tuple[str, str]]] = [[]]
    used = 0
    for place, lever in enumerate(LEVERS, start=1):
        pulled = active(state, lever)
        text = f"{place} [{'x' if pulled else ' '}] {pen.say(f'two-buckets.lever.{lever}')}"
        if used and used + 3 + len(text) > pen.width:
            rows, used = [*rows, []], 0
        rows[-1] += [("   " if used else "", ""), (text, "bold" if pulled else DIM)]
        used += len(text) + (3 if used else 0)
    return [pen.art(*parts, rank=4) for parts in rows]


def lever_note(state: State, pen: Pen) -> list[Row]:
    """What the last lever changed and what it left alone, with both amounts."""
    lever = word(state, "last")
    if lever not in LEVERS:
        return []
    before, unit = pull(state, lever), word(state, "unit")
    old, new = budget(before), budget(state)
    amounts = {
        "paging": (old.reserved, new.reserved),
        "w4a16": (old.weights, new.weights),
        "kvfp8": (old.used, new.used),
    }
    if lever == "continuous":
        first, second = (pen.amount(idle_share(s), "%") for s in (before, state))
    else:
        first, second = (pen.amount(value, unit) for value in amounts[lever])
    return [pen.gap(), *pen.wrapped(pen.say(f"two-buckets.did.{lever}", before=first, after=second), rank=5)]
