"""A server without paging: so many slots are reserved for every request, used or not."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from engine.catalog import Model
from engine.formulas import registry
from engine.formulas.registry import Value
from engine.memory import Bytes, kv_bytes


class Reservation(NamedTuple):
    """What reserving whole windows does, beside what paging would do with the same budget.

    Attributes:
        bytes: reserved for one request.
        requests: that fit so.
        unused: slots of each that hold nothing.
        waste: them as a share.
        paged_requests: that fit with blocks of ``block_size`` tokens.
        paged_waste: share of a paged request's slots that hold nothing.
    """

    bytes: Fraction
    requests: int
    unused: int
    waste: Fraction
    paged_requests: int
    paged_waste: Fraction


def reserve(
    model: Model, budget: Fraction, slots: int, used: int, p: Bytes = 2, block_size: int = 16, tp: int = 1
) -> Reservation:
    """Requests of ``used`` tokens that fit into ``budget`` bytes when each reserves ``slots`` (PagedAttention, sec. 3).

    Args:
        model: what is served; sliding layers reserve at most their window.
        budget: bytes for the cache, on one card.
        slots: tokens reserved for each request.
        used: tokens that a request really has.
        p: bytes of a number of the cache.
        block_size: tokens of a block, for the comparison.
        tp: cards that share each layer.

    Raises:
        NoValues: no one figure would be right for this model.
        ValueError: more tokens used than reserved, or fewer than one.
    """
    if not 0 < used <= slots:
        raise ValueError("used must lie between 1 and the reserved slots")
    given: dict[str, Value] = {"budget": max(budget, Fraction(0)), "max_len": slots, "used": used, "bs": block_size}
    one = kv_bytes(model, slots, p, tp=tp)
    wide = {"kv_per_token": one / slots}
    paged = int(registry.result("slots", given))
    close = {"kv_per_token": kv_bytes(model, paged, p, tp=tp) / paged}
    return Reservation(
        registry.result("reserved_bytes", given, wide),
        int(registry.result("naive_sessions", given, wide)),
        int(registry.result("unused_slots", given)),
        registry.result("naive_waste", given),
        int(registry.result("paged_sessions", given, close)),
        registry.result("paged_waste", given),
    )
