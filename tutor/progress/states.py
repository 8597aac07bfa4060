"""From what happened to where a part stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from content import address
from tutor.progress.records import PartState, Status

_RANK: tuple[Status, ...] = ("new", "skipped", "tried", "shown", "solved")
"""The better of two variants' states stands further right: fresh values are a fair second try."""


class Event(NamedTuple):
    """One thing that happened to a part (its address): a verdict, or a mark (``hint``, ``shown``, ``skipped``)."""

    at: str
    part: str
    kind: str
    answer: str = ""
    value: str | None = None
    n: int = 0
    reasons: tuple[str, ...] = ()


def fold(events: Iterable[Event]) -> dict[str, PartState]:
    """The state of every part that something happened to. Times are UTC texts, so they sort as they follow."""
    states: dict[str, PartState] = {}
    for event in sorted(events, key=lambda event: event.at):
        states[event.part] = after(states.get(event.part, PartState()), event)
    return states


def after(state: PartState, event: Event) -> PartState:
    """``state`` once ``event`` has happened."""
    if event.kind == "hint":
        return state._replace(hints=max(state.hints, event.n))
    if event.kind in ("correct", "incorrect"):
        state = state._replace(attempts=state.attempts + 1)
        if state.status != "solved" or event.kind == "correct":  # what solved a part stays its answer
            value = fraction(event.value)
            state = state._replace(last_answer=event.answer, value=value, reasons=event.reasons)
    return state._replace(status=_status(state.status, event.kind))


def best(states: Mapping[str, PartState]) -> dict[str, PartState]:
    """The states of addresses as those of the plain parts: of all variants the best counts, attempts are added up."""
    found: dict[str, PartState] = {}
    for name, state in states.items():
        id_ = address.plain(name)
        found[id_] = _better(found[id_], state) if id_ in found else state
    return found


def _better(one: PartState, other: PartState) -> PartState:
    ahead = one if _RANK.index(one.status) > _RANK.index(other.status) else other
    return ahead._replace(attempts=one.attempts + other.attempts, hints=max(one.hints, other.hints))


def fraction(text: str | None) -> Fraction | None:
    """A stored value; none where something else was stored."""
    try:
        return Fraction(text) if text else None
    except (ValueError, TypeError, ZeroDivisionError):
        return None


def _status(old: Status, kind: str) -> Status:
    """Solved stays solved; a solution shown before that stays shown until the part is reset."""
    if old in ("solved", "shown"):
        return old
    if kind == "correct":
        return "solved"
    if kind == "shown":
        return "shown"
    return "skipped" if kind == "skipped" else "tried"
