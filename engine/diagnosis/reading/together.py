"""Values that cannot all be true at once, though each could be: told beside the verdict, since one of them is wrong.

What no server could even start with ends a scenario (:mod:`engine.diagnosis.reading.building`); here is what a slip
of the finger or a gauge read at another moment makes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeGuard

from engine import catalog, pool
from engine.catalog import Gpu, Model, NoValues
from engine.diagnosis.model import Conflict, Logged, Said, Span, Unread
from engine.memory import kv_bytes_per_token
from engine.units import grouped

_LEAST = Fraction(1, 2)
"""Bytes of a number in the smallest KV cache that engines have (4 bits)."""

_APART = Fraction(1, 8)
"""Of a card's memory: more than a driver, a hypervisor or a rounding keeps back, less than two cards differ by."""


def other_card(
    values: Mapping[str, object], said: Mapping[str, Said], logged: Mapping[str, Logged]
) -> tuple[Conflict, ...]:
    """That a log counts the memory of another card than the one that was named, whichever its name may mean."""
    printed, gpu, options = logged.get("card"), values.get("gpu"), values.get("gpu_options")
    cards = [gpu] if isinstance(gpu, Gpu) else [catalog.gpu(str(one)) for one in options] if _names(options) else []
    lines = [pool.card(one) for one in cards]
    if printed is None or not lines:
        return ()
    least, most = min(one.low for one in lines) * (1 - _APART), max(one.high for one in lines) * (1 + _APART)
    if least <= printed.bytes <= most:
        return ()
    held = " / ".join(dict.fromkeys(_gigabytes(one.bytes) for one in lines))
    kept = f"{values.get('gpu_name') or cards[0].name}, {held}"
    by = said.get("gpu") or said.get("gpu_name") or Said("given")
    return (Conflict("gpu", kept, by.source, _gigabytes(printed.bytes), printed.source, "card"),)


def _names(options: object) -> TypeGuard[Sequence[object]]:
    return isinstance(options, tuple) and bool(options)


def _gigabytes(size: Fraction) -> str:
    return f"{float(size / 10**9):.3g} GB"


def contradicted(values: Mapping[str, object]) -> Iterator[Unread]:
    """What of a scenario's values contradicts the others.

    Args:
        values: by the scenario's attribute, merged of all sources.
    """
    yield from _counts(values)
    yield from _pool(values)
    yield from _lengths(values)


_SHORT = 256
"""Tokens of short requests."""
_PRINTED = 2000
"""Parts of a pool of which one is the least that a gauge with a digit after the point does not print as 0.0 %."""


def _rounded_away(running: int, pool: int | None) -> bool:
    """Whether short requests take so little of a pool that its gauge prints nothing."""
    return pool is not None and running * _SHORT * _PRINTED < pool


def _counts(values: Mapping[str, object]) -> Iterator[Unread]:
    running, waiting = _whole(values, "running"), _whole(values, "waiting")
    cap, requests = _whole(values, "max_num_seqs"), _whole(values, "requests")
    most = None if cap is None else cap * (_whole(values, "dp") or 1)
    if running is not None and most is not None and running > most:
        yield Unread("running", _more(running, most), "over-cap")
    if running and values.get("kv_usage") == 0 and not _rounded_away(running, _whole(values, "kv_pool_tokens")):
        yield Unread("kv_usage", "0", "zero-while-running")
    if running == 0 and waiting:
        yield Unread("running", f"0, {grouped(waiting)}", "waits-while-idle")
    at_once = values.get("concurrency")
    if requests is not None and isinstance(at_once, Span) and at_once.low > requests:
        yield Unread("requests", f"{grouped(requests)} < {grouped(at_once.low)}", "fewer-than-at-once")


def _pool(values: Mapping[str, object]) -> Iterator[Unread]:
    watermark, gpu, pool = values.get("watermark"), values.get("gpu"), values.get("kv_pool")
    if isinstance(watermark, int | Fraction) and watermark >= 1:
        yield Unread("watermark", "100 %", "nothing-admitted")
    if not isinstance(gpu, Gpu):
        return
    if isinstance(pool, int | Fraction) and pool > gpu.capacity:
        yield Unread("kv_pool", f"{grouped(float(pool) / 1e9)} GB > {grouped(gpu.capacity / 1e9)} GB", "over-card")
        return
    tokens, model, cards = _whole(values, "kv_pool_tokens"), values.get("model"), _whole(values, "gpus") or 1
    if tokens and isinstance(model, Model) and not values.get("stand_in"):
        try:
            least = kv_bytes_per_token(model, _LEAST) * tokens
        except (NoValues, ValueError):
            return
        if least > gpu.capacity * max(cards, 1):
            yield Unread("kv_pool_tokens", grouped(tokens), "over-card")


def _lengths(values: Mapping[str, object]) -> Iterator[Unread]:
    """A request that is longer than what the server, or the model, takes."""
    prompt, output = values.get("prompt"), values.get("output")
    if not isinstance(prompt, Span):
        return
    tokens = prompt.high + (output.low if isinstance(output, Span) else 0)
    longest, model = _whole(values, "max_model_len"), values.get("model")
    if longest is not None:
        if tokens > longest:
            yield Unread("prompt", _more(tokens, longest), "beyond-longest")
    elif isinstance(model, Model) and not values.get("stand_in") and tokens > model.context:
        yield Unread("prompt", _more(tokens, model.context), "beyond-window")


def _more(one: int, other: int) -> str:
    return f"{grouped(one)} > {grouped(other)}"


def _whole(values: Mapping[str, object], name: str) -> int | None:
    value = values.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
