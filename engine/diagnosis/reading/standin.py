"""A model of which only the size is known: a shape like those of its size in the catalogue, never an entry of it.

Weights and FLOPs follow the number of parameters, so they are nearly right for any shape; the KV cache is a typical one
and is to be shown as assumed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import exp, log
from typing import NamedTuple

from engine import catalog
from engine.catalog import Model, Moe
from engine.tensors import tensors

SMALLEST, LARGEST = 10**6, 10**14
"""Parameters of a model that a shape is made for."""

SOURCE = "stand-in"
"""``Model.source`` of every model made here."""

_WIDTH = 0.35  # of the bell, in ln(params): models within about 40 % count
_VOCAB, _SMALL_VOCAB = 128_256, 32_000  # Llama 3's, and Llama 2's where the larger table would be most of the model
_CONTEXT = 32_768
_MOE_SKELETON = 0.6  # layers and width of a dense model of 0.6 times the active parameters: fits Mixtral, DeepSeek-V3
_STEP = 8  # the MLP's width is a multiple of this; what is left over stays one small lump


class _Shape(NamedTuple):
    params: int
    layers: int
    d_model: int
    kv_width: int


@lru_cache(maxsize=1)
def _references() -> tuple[_Shape, ...]:
    """Plain dense models with grouped queries, each shape once."""
    found = {}
    for one in catalog.models():
        if one.attention == "GQA" and one.moe is None and one.not_plain is None:
            shape = _Shape(one.params, one.layers, one.d_model, one.kv_heads * one.head_dim)
            found[shape[1:]] = shape
    return tuple(found.values())


def _typical(params: float) -> tuple[int, int, int, int]:
    """Layers, width, head width and KV heads of a dense model of that size: the mean of its neighbours, each taken to
    this size (parameters grow with layers times width squared)."""
    weights, layers, width, kv = 0.0, 0.0, 0.0, 0.0
    nearest = min(abs(log(params / one.params)) for one in _references())
    for one in _references():
        ratio = log(params / one.params)
        weight = exp((nearest**2 - ratio**2) / (2 * _WIDTH**2))
        weights += weight
        layers += weight * (log(one.layers) + ratio / 3)
        width += weight * (log(one.d_model) + ratio / 3)
        kv += weight * log(one.kv_width)
    d_model = exp(width / weights)
    d_head = 128 if d_model >= 1536 else 64
    kv_heads = 2 ** max(0, min(3, round(log(exp(kv / weights) / d_head) / log(2))))
    step = d_head * kv_heads
    return max(1, round(exp(layers / weights))), max(step, round(d_model / step) * step), d_head, kv_heads


@lru_cache(maxsize=128)
def model(params: int, name: str = "", active: int | None = None) -> Model:
    """A stand-in of so many parameters; with ``active``, one with experts.

    Raises ``ValueError`` outside :data:`SMALLEST` to :data:`LARGEST`, and for as many active ones as there are.
    """
    if not SMALLEST <= params <= LARGEST or (active is not None and not 0 < active < params):
        raise ValueError("no such size")
    size: float = params if active is None else _MOE_SKELETON * active
    layers, d_model, d_head, kv_heads = _typical(size)
    vocab = _VOCAB if 8 * _VOCAB * d_model < size else _SMALL_VOCAB
    if 8 * vocab * d_model > size:  # a toy: its table of words is small too
        vocab = max(256, int(size / (8 * d_model)))
    bare = Model(
        id=name or f"{params / 10**9:g}B", params=0, active=None, matmul=None, layers=layers, d_model=d_model,
        heads=d_model // d_head, kv_heads=kv_heads, head_dim=d_head, ffn=_STEP, vocab=vocab, context=_CONTEXT,
        tied=size < 2 * 10**9, attention="GQA", window=None, full_layers=layers, sliding_layers=0, mla=None, moe=None,
        hybrid=None, dtype="bfloat16", cannot_size=None, published=None, evidence="assumed", source=SOURCE, notes="",
        aliases=(),
    )  # fmt: skip
    made = _dense(bare, params) if active is None else _experts(bare, params, active)
    looked_up = 0 if made.tied else vocab * d_model
    used = params if active is None else active
    return made._replace(params=params, active=used, matmul=max(1, used - looked_up))


def resized(of: Model, params: int) -> Model | None:
    """A dense model of the catalogue with another number of parameters: what differs is in its MLP, since layers, heads
    and cache follow from its shape. ``None`` where the rest of it is too large for that, or not all of it is known."""
    parts = tensors(of)
    mlp = sum(one.params for one in parts if one.kind == "mlp")
    known = sum(one.params for one in parts)
    if of.moe is not None or of.hybrid is not None or not mlp or abs(known - of.params) * 100 > of.params:
        return None
    left = params - (of.params - mlp)
    if left * 20 < mlp:
        return None  # of the MLP next to nothing would be there: another model
    looked_up = of.params - (of.matmul or of.params)
    ffn = max(_STEP, left * of.ffn // (mlp * _STEP) * _STEP)
    return of._replace(ffn=ffn, params=params, active=params, matmul=max(1, params - looked_up))


def completed(params: int, told: Mapping[str, int]) -> dict[str, int]:
    """What is missing of a dense model's numbers where its size is known: a usual table of words, and the MLP that
    takes what is left. ``told`` has "layers", "d_model" and "n_head". Nothing where no MLP would be left."""
    d_model, heads = told["d_model"], told["n_head"]
    vocab = told.get("vocab") or (_VOCAB if 8 * _VOCAB * d_model < params else _SMALL_VOCAB)
    bare = model(params)._replace(
        params=0, active=None, matmul=None,
        layers=told["layers"], d_model=d_model, heads=heads, kv_heads=told.get("n_kv_heads", heads),
        head_dim=told.get("d_head", d_model // heads), ffn=_STEP, vocab=vocab,
    )  # fmt: skip
    if _without_mlp(bare) >= params:
        return {}
    return {"vocab": vocab, "ffn": told.get("ffn") or _dense(bare, params).ffn}


def _without_mlp(bare: Model) -> int:
    return sum(one.params for one in tensors(bare) if one.kind != "mlp")


def _dense(bare: Model, params: int) -> Model:
    """The MLP takes what attention and tables leave."""
    left = params - _without_mlp(bare)
    return bare._replace(ffn=max(_STEP, left // (3 * bare.d_model * bare.layers * _STEP) * _STEP))


def _experts(bare: Model, params: int, active: int) -> Model:
    """Experts take what attention and tables leave; so many are active that a token goes through ``active``."""
    fixed = _without_mlp(bare)
    count = 128 if params >= 6 * active else 16
    share = max(0.0, (active - fixed) / (params - fixed)) if params > fixed else 0.0
    chosen = max(1, min(count - 1, round(count * share)))
    ffn = max(_STEP, (params - fixed) // (3 * bare.d_model * bare.layers * count * _STEP) * _STEP)
    moe = Moe(count, chosen, ffn, 0, 0, None, True, None)
    return bare._replace(moe=moe, ffn=ffn)
