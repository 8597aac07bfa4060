"""KV bytes of a catalogue model, whatever its attention keeps: sums of the registered formula over kinds of layers."""

from __future__ import annotations

from fractions import Fraction

from engine.catalog import Model, NoValues
from engine.formulas import registry
from engine.formulas.registry import Value

Bytes = Value
"""Bytes per number of the cache: 2 for 16 bits, 1 for FP8, "1/2" for four."""


def kv_bytes(model: Model, tokens: int, p: Bytes = 2, requests: int = 1) -> Fraction:
    """Bytes of KV cache of ``requests`` sequences of ``tokens`` each, exactly.

    Sliding layers keep at most their window; latent attention (MLA) keeps one vector a layer and token; layers that
    hold no KV of their own count nothing. The fixed state of linear layers comes on top and is not KV. How an engine
    pads blocks or pools is not in it.

    Raises:
        NoValues: no one figure would be right for this model.
    """
    if model.cannot_size:
        raise NoValues("cannot-size", model.id, model.cannot_size)
    whole = _layers_bytes(model, model.full_layers, tokens, p)
    sliding = _layers_bytes(model, model.sliding_layers, min(tokens, model.window or tokens), p)
    return requests * (whole + sliding)


def kv_bytes_per_token(model: Model, p: Bytes = 2) -> Fraction:
    """Bytes that one more token adds while it is inside every window: the figure that engines size their pool with.

    Raises:
        NoValues: no one figure would be right for this model.
    """
    return kv_bytes(model, 1, p)


def _layers_bytes(model: Model, layers: int, tokens: int, p: Bytes) -> Fraction:
    """Bytes of one sequence in ``layers`` equal layers."""
    if model.mla:
        return layers * tokens * (model.mla.latent + model.mla.rope) * registry.exact("p", p)
    shape: dict[str, Value] = {"L": layers, "n_kv_heads": model.kv_heads, "d_head": model.head_dim}
    return registry.result("kv_cache", {"B": 1, "S": tokens, "p": p, **shape})
