"""The six factors of the KV cache as a state: which can be turned, and the products up to each."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from tutor.figures.numbers import PRECISIONS, Args, calc, shape
from tutor.figures.state import Ladder, State, between, exact_number, hidden, moved, number, put, whole, word

FACTORS = ("p", "width", "two", "L", "S", "B")
"""In the order in which they are multiplied: from one number to the caches of all requests."""
BYTES = PRECISIONS[:3]
"""Bytes of a cached number, the ladder of its dial."""
SHARING = "sharing"
"""Hides how the KV heads are turned down: where an exercise asks what sharing saves."""
DIALS: Mapping[str, Ladder] = {
    "p": BYTES,
    "width": (),
    "L": (8, 16, 24, 28, 32, 36, 40, 48, 60, 64, 80, 126),
    "S": (128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072),
    "B": (1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256),
}
"""What the arrows can turn. The width walks the KV heads that divide the query heads."""
BASE: State = {
    "p": Fraction(2), "L": 32, "n_head": 32, "n_kv_heads": 32, "d_head": 128, "S": 1024, "B": 1,
    "budget": Fraction(0), "unit": "GB", "dial": "S", "hide": (),
}  # fmt: skip
"""A 7B model with multi-head attention and one request: half a MiB for each token. A budget of 0 is none."""


def width(state: State) -> int:
    """Numbers in one key: those of all KV heads."""
    return whole(state, "n_kv_heads") * whole(state, "d_head")


def shared(state: State) -> bool:
    """Whether query heads share KV heads."""
    return whole(state, "n_kv_heads") < whole(state, "n_head")


def products(state: State) -> tuple[Fraction, ...]:
    """Bytes of one number, one key, a key and a value, one token, one request, all requests."""
    own = shape(state)
    layer = {name: own[name] for name in ("n_kv_heads", "d_head", "p")}
    load: Args = {**own, "S": whole(state, "S")}
    return (
        number(state, "p"),
        calc("vector_bytes", d_model=width(state), p=number(state, "p")),
        calc("kv_per_layer", **layer),
        calc("kv_per_token", **own),
        calc("kv_per_request", **load),
        calc("kv_cache", B=whole(state, "B"), **load),
    )


def fitting(state: State) -> tuple[int, Fraction]:
    """Whole requests in the budget, and the bytes that are left over."""
    load: Args = {**shape(state), "S": whole(state, "S")}
    count = int(calc("max_requests", budget=number(state, "budget"), **load))
    return count, number(state, "budget") - (calc("kv_cache", B=count, **load) if count else 0)


def turn(state: State, by: Literal[1, -1]) -> State:
    """Turn the chosen factor a step up or down."""
    dial = word(state, "dial")
    if dial != "width":
        return moved(state, dial, DIALS[dial], by)
    heads = whole(state, "n_head")
    steps = [] if hidden(state, SHARING) else [n for n in range(1, heads + 1) if heads % n == 0]
    return moved(state, "n_kv_heads", steps, by)


def choose(state: State, by: Literal[1, -1]) -> State:
    """Go to the factor below or above; the list ends at its ends, and nobody turns the 2."""
    order = list(DIALS)
    return put(state, dial=order[between(order.index(word(state, "dial")) + by, 0, len(order) - 1)])


def clean(state: State, given: Mapping[str, object]) -> State:
    """An author's state made whole: ``d_model`` stands for multi-head attention."""
    size = {name: max(1, whole(state, name)) for name in ("L", "S", "B", "n_head", "d_head")}
    if "d_model" in given:
        wide = max(1, int(exact_number(given["d_model"])))
        heads = size["n_head"] if "n_head" in given else max(1, wide // size["d_head"])
        size |= {"n_head": heads, "d_head": max(1, wide // heads)}
    own = between(whole(state, "n_kv_heads"), 1, size["n_head"]) if "n_kv_heads" in given else size["n_head"]
    return put(
        state,
        **size,
        n_kv_heads=own,
        p=max(number(state, "p"), BYTES[0]),
        budget=max(Fraction(0), number(state, "budget")),
        unit="GiB" if word(state, "unit") == "GiB" else "GB",
        dial=word(state, "dial") if word(state, "dial") in DIALS else "S",
    )
