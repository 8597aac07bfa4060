"""KV bytes of a model, whatever its attention keeps: sums of registered formulas over kinds of layers.

Two things are kept for a request: a cache that grows with its tokens (:func:`kv_bytes`; of sparse attention the index
keys that pick tokens are part of it, :func:`index_bytes`), and a fixed state of linear layers (:func:`state_bytes`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from engine import precision
from engine.catalog import Model, NoValues
from engine.catalog.families import family
from engine.formulas import registry
from engine.formulas.registry import Value
from engine.parallel import fullest_stage, kv_heads

Bytes = Value
"""Bytes per number of the cache: 2 for 16 bits, 1 for FP8, "1/2" for four bits without scales; :func:`number_bytes` has
the scales in."""


class Layers(NamedTuple):
    """Layers that keep the same.

    Attributes:
        kind: "full" keeps every token, "window" the last ``window`` ones, "chunk" those of the current chunk of
            ``window``, "state" a fixed state instead.
        layers: how many there are.
        window: tokens that a layer keeps, ``None`` where it keeps all.
    """

    kind: str
    layers: int
    window: int | None


def kept(model: Model) -> tuple[Layers, ...]:
    """What a model's layers keep, by kind, kinds that it lacks left out; layers that reuse an earlier cache too."""
    _refuse(model)
    sliding = "chunk" if family(model.family).chunked else "window"
    states = model.hybrid.linear.layers if model.hybrid else 0
    kinds = (
        Layers("full", model.full_layers, None),
        Layers(sliding, model.sliding_layers, model.window),
        Layers("state", states, None),
    )
    return tuple(one for one in kinds if one.layers)


def kv_bytes(model: Model, tokens: int, p: Bytes = 2, requests: int = 1, tp: int = 1, pp: int = 1) -> Fraction:
    """Bytes of KV cache of ``requests`` sequences of ``tokens`` each, exactly; on one card of ``tp`` x ``pp``.

    Sliding layers keep at most their window; latent attention (MLA) keeps one vector a layer and token, on every card
    of a tensor-parallel group, and where it is sparse an index key beside it; layers that hold no KV of their own
    count nothing. How an engine pads blocks or pools is not in it (:mod:`engine.pool`). Of pipeline stages the fullest
    counts.

    Raises:
        NoValues: no one figure would be right for this model.
    """
    _refuse(model)
    whole = _layers_bytes(model, model.full_layers, tokens, p, tp)
    if model.sliding_layers:
        whole += _layers_bytes(model, model.sliding_layers, min(tokens, model.window or tokens), p, tp)
    whole += index_bytes(model, tokens)
    return requests * (whole if pp == 1 else whole * fullest_stage(model, pp))


def kv_bytes_per_token(model: Model, p: Bytes = 2, tp: int = 1, pp: int = 1) -> Fraction:
    """Bytes that one more token adds while it is inside every window: the figure that engines size their pool with.

    Raises:
        NoValues: no one figure would be right for this model.
    """
    return kv_bytes(model, 1, p, tp=tp, pp=pp)


def layer_bytes(model: Model, p: Bytes = 2, tp: int = 1) -> Fraction:
    """Bytes of one token in one layer that keeps it, on one card of a tensor-parallel group; without index keys, which
    not every layer has."""
    _refuse(model)
    return _layers_bytes(model, 1, 1, p, tp)


def number_bytes(model: Model, form: str, *, flat: bool = False) -> Fraction:
    """Bytes of one number of this model's cache in a format by name, scales in: the ``p`` of :func:`kv_bytes`.

    The kernels of sparse attention read an FP8 latent with an FP32 scale for 128 numbers and its rotary part in 16
    bits: 656 bytes a token and layer of DeepSeek-V3.2, in place of 576 (FlashMLA; vLLM's ``fp8_ds_mla``; SGLang).

    Args:
        model: the model.
        form: the format's name.
        flat: whether one scale stands for all latents, none lies in the cache, and the rotary part is FP8 too.

    Raises:
        UnknownFormat: no engine keeps a cache in such a format.
    """
    mla = model.mla
    if flat or mla is None or not mla.index_key or precision.kv_layout(form).name != "fp8":
        return precision.kv_bytes_per_number(form, mla.latent if mla else model.head_dim)
    scaled = registry.result("effective_bytes", {"b": 8, "meta_bits": 32, "group": _FP8_GROUP})
    return (mla.latent * scaled + mla.rope * precision.kv_bytes_per_number("auto")) / (mla.latent + mla.rope)


_FP8_GROUP = 128
"""Numbers of an FP8 latent that share a scale where attention is sparse."""


def state_bytes(
    model: Model, requests: int = 1, p_state: Bytes | None = None, p: Bytes = 2, tp: int = 1, pp: int = 1
) -> Fraction:
    """Bytes of the fixed states of ``requests`` sequences, whatever their length; 0 for a model without linear layers.

    Args:
        model: the model.
        requests: sequences that run.
        p_state: bytes of a number of the recurrent state; ``None`` for what vLLM keeps the model's in.
        p: bytes of a number of the convolution state: the model's own, whatever the format of the cache.
        tp: cards that share the heads of each layer.
        pp: pipeline stages; the fullest counts.

    Raises:
        NoValues: the catalogue does not know the state's size.
    """
    hybrid = model.hybrid
    if hybrid is None:
        return Fraction(0)
    if hybrid.state is None or hybrid.conv is None:
        raise NoValues("cannot-size", model.id, model.cannot_size or hybrid.kind)
    each = hybrid.p_state if p_state is None else p_state
    given = {"B": requests, "state": hybrid.state, "conv": hybrid.conv, "p_state": each, "p": p}
    return registry.result("state_bytes", given) / tp * fullest_stage(model, pp)


def index_bytes(model: Model, tokens: int, requests: int = 1) -> Fraction:
    """The part of :func:`kv_bytes` that is index keys of sparse attention (DeepSeek-V3.2, GLM-5); 0 for other models.

    A key is kept in FP8 with a scale, 132 bytes where it has 128 numbers, whatever the format of the cache; on every
    card of a tensor-parallel group.
    """
    shape = index_symbols(model)
    return registry.result("index_cache", {"B": requests, "S": tokens, **shape}) if shape else Fraction(0)


def formula(model: Model) -> str:
    """The formula of a model's cache: "kv_cache", "mla_cache", or "sparse_mla_cache" with index keys; "" where layers
    of several kinds add up."""
    latent = "sparse_mla_cache" if index_symbols(model) else "mla_cache"
    return {None: "kv_cache", "mla": latent}.get(model.not_plain, "")


def symbols(model: Model, p: Bytes = 2, tp: int = 1, pp: int = 1) -> dict[str, Value]:
    """What :func:`formula` takes of a model on one card of ``tp`` x ``pp``, all but requests and tokens; nothing where
    no one formula is the model's."""
    if not formula(model):
        return {}
    share = fullest_stage(model, pp)
    if model.mla is None:
        heads: dict[str, Value] = {"n_kv_heads": kv_heads(model, tp), "d_head": model.head_dim}
        return {"L": model.full_layers * share, **heads, "p": p}
    index = index_symbols(model)
    keys: dict[str, Value] = {**index, "L_index": index["L_index"] * share} if index else {}
    latent: dict[str, Value] = {"latent": model.mla.latent, "rope_dim": model.mla.rope}
    return {"L": model.full_layers * share, **latent, "p": p, **keys}


def index_symbols(model: Model) -> dict[str, int]:
    """What the formula ``index_cache`` takes of a model; nothing for one without index keys."""
    mla = model.mla
    if mla is None or not mla.index_key:
        return {}
    layers = model.full_layers if mla.index_layers is None else mla.index_layers
    return {"L_index": layers, "index_dim": mla.index_key, "index_scale": _INDEX_SCALE, "index_pool": mla.index_pool}


_INDEX_SCALE = 4
"""Bytes of the FP32 scale of an index key."""


def _refuse(model: Model) -> None:
    if model.cannot_size:
        raise NoValues("cannot-size", model.id, model.cannot_size)


def _layers_bytes(model: Model, layers: int, tokens: int, p: Bytes, tp: int) -> Fraction:
    """Bytes of one sequence in ``layers`` equal layers, on one card."""
    if model.mla:
        latent: dict[str, Value] = {"L": layers, "latent": model.mla.latent, "rope_dim": model.mla.rope}
        return registry.result("mla_cache", {"B": 1, "S": tokens, "p": p, **latent})
    shape: dict[str, Value] = {"L": layers, "n_kv_heads": kv_heads(model, tp), "d_head": model.head_dim}
    return registry.result("kv_cache", {"B": 1, "S": tokens, "p": p, **shape})
