"""Whether a measurement may start by itself, is to be offered, or is out of the question, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from engine.catalog import Gpu
from tutor.probing.cards import Card, Present
from tutor.probing.pythons import Found

Answer = Literal["go", "offer", "no"]
NO = ("switched-off", "setting-off", "no-gpu", "no-torch", "other-gpu")
OFFER = ("busy", "little-memory", "unseen", "cpu-build", "other-device")
REASONS = (*NO, *OFFER)
"""Ids of the reasons; ``go`` needs none."""

LEAST_FREE = 2 * 10**9
"""Bytes that a card must have free, so that a run has matrices beyond its caches."""
IDLE_USED = 2 * 10**9
"""Bytes that an idle card may show as taken: the driver's own, a desktop."""
IDLE_UTILIZATION = 10
"""Percent from which on a card is at work."""


class May(NamedTuple):
    """Whether a measurement may start: ``reason`` is "" for ``go``; ``params`` are values for its sentence."""

    answer: Answer
    reason: str
    params: Mapping[str, Any]
    card: Card | None = None


def may_start(
    present: Present, torch: Found | None, gpu: Gpu | None = None, *, setting: bool = True, no_probe: bool = False
) -> May:
    """Whether the diagnoser may measure by itself.

    Args:
        present: the cards at hand.
        torch: the Python that would run the probe.
        gpu: the scenario's card; ``None`` where it names none.
        setting: whether the person lets us.
        no_probe: whether it was forbidden this time.
    """
    if no_probe or not setting:
        return May("no", "switched-off" if no_probe else "setting-off", {})
    if not present.cards:
        return May("no", "no-gpu", {})
    fitting = [card for card in present.cards if gpu is None or is_of(card, gpu)]
    if gpu is not None and not fitting:
        return May("no", "other-gpu", {"named": gpu.name, "here": names(present.cards)})
    if torch is None:
        return May("no", "no-torch", {}, fitting[0])
    if torch.build == "cpu":
        return May("offer", "cpu-build", {"version": torch.torch, "here": names(fitting)}, fitting[0])
    return min((of_card(card) for card in fitting), key=lambda one: ("go", "offer", "no").index(one.answer))


def best(cards: Sequence[Card]) -> Card | None:
    """The card that is the least busy, the first of equals; ``None`` of none."""
    return min(cards, key=lambda card: ("go", "offer", "no").index(of_card(card).answer), default=None)


def is_of(card: Card, gpu: Gpu) -> bool:
    """Whether a card of this machine is one of the catalogue."""
    from engine.probe.readings import Device
    from engine.probe.workload import card_of

    found = card_of(Device("mps" if card.vendor == "apple" else "cuda", card.name, total=card.total))
    return found is not None and found.name == gpu.name


def of_card(card: Card) -> May:
    """What a card's state allows by itself: ``go``, or ``offer`` and why."""
    if card.others:
        held = [one.bytes for one in card.others]
        known = None if None in held else sum(one or 0 for one in held)
        pids = ", ".join(str(one.pid) for one in card.others[:4])
        return May(
            "offer", "busy", {"name": card.name, "pids": pids, "bytes": known, "utilization": card.utilization}, card
        )
    if (card.utilization or 0) >= IDLE_UTILIZATION or ((card.used or 0) > IDLE_USED and card.vendor != "apple"):
        params = {"name": card.name, "pids": "", "bytes": card.used, "utilization": card.utilization}
        return May("offer", "busy", params, card)  # a container does not see whose it is
    if card.free is not None and card.free < LEAST_FREE:
        return May("offer", "little-memory", {"name": card.name, "free": card.free}, card)
    if card.free is None and card.others is None and card.vendor != "apple":
        return May("offer", "unseen", {"name": card.name}, card)
    return May("go", "", {}, card)


def names(cards: Sequence[Card]) -> str:
    """Cards as a sentence names them."""
    return ", ".join(dict.fromkeys(card.name or card.vendor for card in cards))
