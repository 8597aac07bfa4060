"""The two buckets as a state: what fills the card, the dials that change it, and the levers.

All amounts are bytes from the formula registry. A naive server reserves ``reserve_slots`` slots for each request, never
fewer than the request is long, and with 0 just as many; paging hands out whole blocks instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tutor.figures.numbers import PRECISIONS, Args, calc, shape
from tutor.figures.state import Ladder, State, between, moved, number, put, whole, word

BASE: State = {
    "N": 7 * 10**9, "p_w": Fraction(2), "L": 32, "n_head": 32, "n_kv_heads": 32, "d_head": 128,
    "S": 1024, "B": 16, "p": Fraction(2), "capacity": Fraction(40 * 10**9), "reserve_slots": 2048, "bs": 16,
    "paging": "off", "batching": "static", "unit": "GB", "dial": "B", "last": "", "hide": (), "strip": False,
}  # fmt: skip
"""7B with half of its reserved slots in use: 14 GB, 8.59 GB and 8.59 GB again, on a card of 40 GB."""

_SIZES: Ladder = [128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072]
_CARDS: Ladder = [Fraction(gb * 10**9) for gb in (16, 24, 40, 48, 80, 96, 141, 192)]
DIALS: Mapping[str, Ladder] = {
    "B": [1, 2, 4, 8, 12, 16, 20, 21, 22, 24, 32, 48, 64, 96, 128, 192, 256],
    "S": _SIZES,
    "p": PRECISIONS[:3],
    "n_kv_heads": [],
    "reserve_slots": [0, *_SIZES],
    "p_w": PRECISIONS,
    "N": [n * 10**9 for n in (1, 3, 7, 8, 13, 14, 32, 34, 70, 110, 180)],
    "capacity": _CARDS,
}
"""What the arrows can turn, in the order of the list. KV heads walk the divisors of the model's own heads."""

LEVERS = ("paging", "w4a16", "kvfp8", "continuous")

MOST: Mapping[str, int] = {
    "N": 10**13, "L": 1000, "n_head": 1024, "n_kv_heads": 1024, "d_head": 65536,
    "S": 10**7, "B": 10**5, "bs": 4096, "reserve_slots": 10**7,
}  # fmt: skip
"""Past these the numbers are no server's any more, and too long for the drawing."""
MOST_CAPACITY = Fraction(10**14)
MOST_BYTES = 8
"""Of one number: FP64."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What lies on the card, in bytes. ``free`` is negative by exactly what does not fit."""

    weights: Fraction
    used: Fraction
    reserved: Fraction
    free: Fraction
    capacity: Fraction

    @property
    def total(self) -> Fraction:
        """Everything that wants to be on the card."""
        return self.weights + self.used + self.reserved


def slots(state: State) -> int:
    """Slots that one request holds, the unused ones included."""
    if active(state, "paging"):
        return int(calc("slots", used=whole(state, "S"), bs=whole(state, "bs")))
    return max(whole(state, "S"), whole(state, "reserve_slots"))


def budget(state: State) -> Budget:
    """The card as the state fills it."""
    load: Args = {"B": whole(state, "B"), **shape(state)}
    model: Args = {"N": whole(state, "N"), "p_w": number(state, "p_w")}
    capacity = number(state, "capacity")
    held, used = calc("kv_cache", S=slots(state), **load), calc("kv_cache", S=whole(state, "S"), **load)
    free = calc("headroom", capacity=capacity, S=slots(state), **load, **model)
    return Budget(calc("weights", **model), used, held - used, free, capacity)


def one_request(state: State) -> Fraction:
    """Bytes that one request holds, its unused slots included."""
    return calc("kv_per_request", S=slots(state), **shape(state))


def fitting(state: State) -> int:
    """Requests that fit beside the weights, those that are there included."""
    given: Args = {"capacity": number(state, "capacity"), "N": whole(state, "N"), "p_w": number(state, "p_w")}
    return max(0, int(calc("batch_that_fits", S=slots(state), **given, **shape(state))))


def active(state: State, lever: str) -> bool:
    """Whether a lever is pulled."""
    return {
        "paging": word(state, "paging") == "on",
        "w4a16": number(state, "p_w") == Fraction(1, 2),
        "kvfp8": number(state, "p") <= 1,
        "continuous": word(state, "batching") == "continuous",
    }[lever]


def pull(state: State, lever: str) -> State:
    """Pull a lever, or let it go; a precision goes back to 16 bits."""
    away = active(state, lever)
    changes: dict[str, dict[str, object]] = {
        "paging": {"paging": "off" if away else "on"},
        "w4a16": {"p_w": Fraction(2) if away else Fraction(1, 2)},
        "kvfp8": {"p": Fraction(2) if away else Fraction(1)},
        "continuous": {"batching": "static" if away else "continuous"},
    }
    return put(state, **changes[lever], last=lever)


def turn(state: State, by: Literal[1, -1]) -> State:
    """Turn the chosen dial a step up or down."""
    dial = word(state, "dial")
    ladder = DIALS[dial]
    if dial == "n_kv_heads":
        ladder = _divisors(whole(state, "n_head"))
    elif dial == "reserve_slots":
        ladder = [0, *(size for size in _SIZES if size >= whole(state, "S"))]
    return _lifted(put(moved(state, dial, ladder, by), last=""))


def _lifted(state: State) -> State:
    """A request holds no more tokens than it has slots: longer requests have more reserved, unless nothing is."""
    slots_, size = whole(state, "reserve_slots"), whole(state, "S")
    return put(state, reserve_slots=size) if 0 < slots_ < size else state


def choose(state: State, by: Literal[1, -1]) -> State:
    """Go to the next dial of the list, or the one before; the list ends at its ends."""
    order = list(DIALS)
    return put(state, dial=order[between(order.index(word(state, "dial")) + by, 0, len(order) - 1)])


def other_unit(state: State) -> State:
    """GB for GiB and back."""
    return put(state, unit="GiB" if word(state, "unit") == "GB" else "GB")


def clean(state: State, given: Mapping[str, object]) -> State:
    """An author's state made whole: ``d_model`` stands for multi-head attention, ``max_len`` for ``reserve_slots``.

    A request length without a reservation means a server that reserves no more than the request uses.
    """
    size = {name: whole(state, name) for name in MOST}
    if "d_model" in given:
        width = max(1, int(Fraction(str(given["d_model"]))))
        size["d_head"] = 128 if width % 128 == 0 else width
        size["n_head"] = width // size["d_head"]
    if "n_kv_heads" not in given:
        size["n_kv_heads"] = size["n_head"]
    if "reserve_slots" not in given and ("max_len" in given or "S" in given):
        size["reserve_slots"] = int(Fraction(str(given.get("max_len", 0))))
    size = {name: between(value, 0 if name == "reserve_slots" else 1, MOST[name]) for name, value in size.items()}
    size["n_kv_heads"] = min(size["n_kv_heads"], size["n_head"])
    cleaned = put(
        state,
        **size,
        p=_width(state, "p"),
        p_w=_width(state, "p_w"),
        capacity=max(Fraction(1), min(number(state, "capacity"), MOST_CAPACITY)),
        unit="GiB" if word(state, "unit") == "GiB" else "GB",
        dial=word(state, "dial") if word(state, "dial") in DIALS else "B",
        paging="on" if word(state, "paging").lower() in ("on", "true") else "off",
        batching="continuous" if word(state, "batching") == "continuous" else "static",
    )
    return _lifted(cleaned)


def _width(state: State, name: str) -> Fraction:
    """Bytes of one number, within what any format has."""
    return max(Fraction(1, 8), min(number(state, name), Fraction(MOST_BYTES)))


def _divisors(count: int) -> list[int]:
    return [n for n in range(1, count + 1) if count % n == 0]
