"""The levers of the two buckets: which are pulled, what each does to the card, and the idle strip under the bar."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from engine.units import grouped
from tutor.figures.batching_timeline import LENGTHS
from tutor.figures.budget import LEVERS, active, budget, fitting, pull
from tutor.figures.card import secrets
from tutor.figures.numbers import precision
from tutor.figures.pen import DIM, STRONG, Pen
from tutor.figures.rows import Row, apportion
from tutor.figures.state import State, hidden, number, on, word

SLOTS = 4
"""Slots of the idle strip; its requests are those of the figure about them."""
_ROOMY = 19
"""Lines from which each lever has one of its own and tells what it does."""
_TIMELY, _TIMELY_NARROW = 16, 26
"""Lines from which there is room for idle time although batching is not the topic."""
_BROAD = 70
"""Columns from which the idle strip tells that it is an example, and which."""
_TABLES = (("fitting", 3, True), ("fit", 3, True), ("fit", 2, True), ("fitting", 3, False))
"""Ways to set the levers in a table, the first that fits is taken: words of the last column, blanks between columns,
and whether each lever's own amount is told."""


def idle_share(state: State) -> Fraction:
    """Share of slot-steps that serve nobody, under the state's way of batching."""
    from engine.batching import simulate

    mode: Literal["static", "continuous"] = "continuous" if active(state, "continuous") else "static"
    return simulate(LENGTHS, SLOTS, mode).idle_share


def about_time(state: State) -> bool:
    """Whether idle time is shown: where batching is the topic, or its lever was pulled."""
    topic = on(state, "strip") or active(state, "continuous") or word(state, "last") == "continuous"
    return topic and not hidden(state, "idle")


def timely(state: State, pen: Pen) -> bool:
    """Whether idle time is shown here: also where it is not the topic, but there is room for it."""
    secret = hidden(state, "idle") or hidden(state, "levers") or bool(secrets(state))
    roomy = pen.height >= (_TIMELY if pen.width >= _BROAD else _TIMELY_NARROW)
    return about_time(state) or (roomy and not secret)


def idle_strip(state: State, pen: Pen) -> list[Row]:
    """One line of busy and idle cells: time, not memory. It is of an example, whatever the card holds."""
    if not timely(state, pen):
        return []
    share = idle_share(state)
    example = pen.say("two-buckets.strip-example", requests=pen.count("requests", len(LENGTHS)))
    label = (example if pen.width >= _BROAD else pen.say("two-buckets.strip")) + " "
    text = " " + pen.say("two-buckets.idle", share=pen.amount(share, "%", 3))
    busy, idle = apportion((1 - share, share), pen.width - len(label) - len(text))
    said = label.strip() + ":" + text
    rank = 3 if about_time(state) else 8
    return [pen.row((label, DIM), "▒" * busy, (pen.dot * idle, DIM), text, rank=rank, said=said)]


def changed(state: State, lever: str) -> tuple[Fraction, Fraction]:
    """What a lever's own amount is without it and with it: bytes, or of batching the idle share."""
    there = active(state, lever)
    without, with_it = (pull(state, lever), state) if there else (state, pull(state, lever))
    if lever == "continuous":
        return idle_share(without), idle_share(with_it)
    old, new = budget(without), budget(with_it)
    return {
        "paging": (old.reserved, new.reserved),
        "w4a16": (old.weights, new.weights),
        "kvfp8": (old.used + old.reserved, new.used + new.reserved),
    }[lever]


def lever_rows(state: State, pen: Pen) -> list[Row]:
    """The four levers with their number keys, ``[x]`` where pulled; where there is room, with what each does."""
    if hidden(state, "levers"):
        return []
    if pen.height >= _ROOMY and not secrets(state) and (table := _table(state, pen)):
        return table
    rows: list[list[tuple[str, str]]] = [[]]
    used = 0
    for place, lever in enumerate(LEVERS, start=1):
        text = _named(place, lever, state, pen)
        if used and used + 3 + len(text) > pen.width:
            rows, used = [*rows, []], 0
        rows[-1] += [("   " if used else "", ""), (text, STRONG if active(state, lever) else DIM)]
        used += len(text) + (3 if used else 0)
    return [pen.art(*parts, rank=4) for parts in rows]


def _named(place: int, lever: str, state: State, pen: Pen) -> str:
    return f"{place} [{'x' if active(state, lever) else ' '}] {_called(lever, state, pen)}"


def _called(lever: str, state: State, pen: Pen) -> str:
    """The name of a lever; a cache in fewer bits than the lever would give it has that one's place, not its name."""
    if lever == "kvfp8" and number(state, "p") < 1:
        return pen.say("two-buckets.lever.kv_less", format=precision(number(state, "p"), kv=True))
    return pen.say(f"two-buckets.lever.{lever}")


def _table(state: State, pen: Pen) -> list[Row]:
    """A lever a row: its own amount and the requests that fit, without it and with it. Empty where that is too wide."""
    effects = [_effect(lever, state, pen) for lever in LEVERS]
    names = [_named(place, lever, state, pen) for place, lever in enumerate(LEVERS, start=1)]
    for key, apart, telling in _TABLES:
        rooms = [_rooms(key, counts, pen) for _, counts in effects]
        columns = (names, [effect for effect, _ in effects], rooms) if telling else (names, rooms)
        widths = [max(map(len, column)) + apart for column in columns]
        if sum(widths) - apart <= pen.width:
            break
    else:
        return []
    rows = []
    for lever, *texts in zip(LEVERS, *columns, strict=True):
        said = ", ".join(text for text in texts[1:] if text)
        line = "".join(text.ljust(width) for text, width in zip(texts, widths, strict=True)).rstrip()
        style = STRONG if active(state, lever) else DIM
        rows.append(pen.row((line, style), rank=4, said=f"{_called(lever, state, pen)}: {said}"))
    return rows


def _rooms(key: str, counts: str, pen: Pen) -> str:
    """How many requests fit, before and after; one of them is one request."""
    one = "_one" if counts.endswith(" 1") else ""
    return pen.say(f"two-buckets.{key}{one}", counts=counts)


def _effect(lever: str, state: State, pen: Pen) -> tuple[str, str]:
    """What a lever moves, and the requests that fit, each without it and with it."""
    there = active(state, lever)
    without, with_it = (pull(state, lever), state) if there else (state, pull(state, lever))
    counts = f"{grouped(fitting(without))} → {grouped(fitting(with_it))}"
    if lever == "continuous" and not timely(state, pen):
        return "", counts
    if lever == "paging" and not any(changed(state, lever)):
        return pen.say("two-buckets.moves.unreserved"), counts
    unit, digits = ("%", 3) if lever == "continuous" else (word(state, "unit"), 4)
    own = " → ".join(pen.amount(value, unit, digits) for value in changed(state, lever))
    return pen.fold(f"{pen.say(f'two-buckets.moves.{lever}')} {own}"), counts
