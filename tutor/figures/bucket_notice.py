"""What to notice in the two buckets: what the last lever did, what does not fit and what would help, what is left."""

from __future__ import annotations

from fractions import Fraction

from engine.units import grouped
from tutor.figures.budget import LEVERS, active, budget, fitting, one_request, pull, slots
from tutor.figures.card import secrets
from tutor.figures.levers import changed
from tutor.figures.numbers import calc
from tutor.figures.pen import Pen
from tutor.figures.sizes import amount, sized
from tutor.figures.state import State, hidden, number, whole, word

ROOM = ("paging", "kvfp8", "w4a16")
"""Levers that make room on the card, those first that cost the model nothing."""
_HALF = Fraction(1, 2)


def helping(state: State) -> tuple[str, ...]:
    """The levers not yet pulled that would let more requests fit, in the order of :data:`ROOM`."""
    now = fitting(state)
    return tuple(lever for lever in ROOM if not active(state, lever) and fitting(pull(state, lever)) > now)


def notice(state: State, pen: Pen) -> str:
    """The sentence for this state. Where an amount is hidden it speaks of none."""
    if secrets(state) or hidden(state, "idle") or hidden(state, "levers"):
        return pen.say("two-buckets.notice.hidden")
    if word(state, "last") in LEVERS:
        return _lever(state, word(state, "last"), pen)
    return _over(state, pen) if budget(state).free < 0 else _room(state, pen)


def _say(key: str, pen: Pen, **params: object) -> str:
    return pen.say(f"two-buckets.notice.{key}", **params)


def _lever(state: State, lever: str, pen: Pen) -> str:
    """What the last lever moved, what it left alone, and whether more fits now."""
    unit, digits = ("%", 3) if lever == "continuous" else (word(state, "unit"), 4)
    values = changed(state, lever)
    if not active(state, lever):
        values = values[::-1]
    before, after = (pen.amount(value, unit, digits) for value in values)
    kind = lever
    if lever == "paging" and values[0] == values[1]:
        kind = "paging_none"
    elif lever == "paging" and (values[0] < values[1]) == active(state, lever):
        kind = "paging_costs"
    elif lever == "kvfp8" and budget(state).reserved:
        kind = "kvfp8_reserved"
    return f"{_say(kind, pen, before=before, after=after)} {_then(state, lever, pen)}"


def _then(state: State, lever: str, pen: Pen) -> str:
    """Whether the lever made room."""
    money = budget(state)
    if money.free < 0:
        return _say("still", pen, over=amount(-money.free, word(state, "unit"), pen))
    now, before = fitting(state), fitting(pull(state, lever))
    if now == before:
        return _say("same", pen, now=pen.count("requests", now))
    return _say("then", pen, now=grouped(now), before=grouped(before))


def _over(state: State, pen: Pen) -> str:
    """How much does not fit, how many requests do, and which levers are enough, each alone."""
    money, fit, unit = budget(state), fitting(state), word(state, "unit")
    over = amount(-money.free, unit, pen)
    enough = [lever for lever in LEVERS if lever in helping(state) and budget(pull(state, lever)).free >= 0]
    if money.weights > money.capacity:
        alone = amount(money.weights - money.capacity, unit, pen)
        return _say("weights_over", pen, over=alone)
    key = "over_lever" if enough else "over"
    ways = [_say("way", pen, **_called(lever, pen)) for lever in enough]
    how = pen.say("two-buckets.or").join(part for part in (", ".join(ways[:-1]), *ways[-1:]) if part)
    return _say(key, pen, over=over, fit=grouped(fit), all=pen.count("requests", whole(state, "B")), ways=how)


def _called(lever: str, pen: Pen) -> dict[str, object]:
    return {"lever": pen.say(f"two-buckets.lever.{lever}")}


def _room(state: State, pen: Pen) -> str:
    """What fills the card, what is left, and who could still come."""
    money, unit, one = budget(state), word(state, "unit"), one_request(state)
    more, own = fitting(state) - whole(state, "B"), pen.amount(one, sized(one, unit), 3)
    if money.reserved >= money.used:
        share = calc("naive_waste", max_len=slots(state), used=whole(state, "S"))
        key = "empty_paged" if active(state, "paging") else "empty"
        return _say(key, pen, share=pen.amount(share, "%", 3))
    if more == 0:
        further = {
            lever: fitting(pull(state, lever)) - whole(state, "B") for lever in LEVERS if lever in helping(state)
        }
        if not further:
            return _say("full", pen, free=amount(money.free, unit, pen), own=own)
        ways = [_say("way_more", pen, more=grouped(more), **_called(lever, pen)) for lever, more in further.items()]
        return _say("full_lever", pen, ways=", ".join(ways))
    taken = calc("ratio", part=money.weights, whole=number(state, "capacity"))
    key = "heavy" if taken > _HALF else "room"
    now, room = grouped(whole(state, "B")), pen.count("requests", more)
    return _say(key, pen, own=own, more=room, now=now, share=pen.amount(taken, "%", 3))
