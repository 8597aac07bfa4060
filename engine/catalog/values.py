"""An entry as values of the formulas' symbols."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from functools import singledispatch

from engine.catalog.entries import Gpu, Model, NoValues

KV_SYMBOLS = frozenset(("L", "n_kv_heads", "d_head"))
"""The symbols through which ``kv_cache`` reads a model: they mean something only where all layers are alike."""

_SIXTEEN_BIT = frozenset(("float16", "bfloat16", "float32 checkpoint"))  # engines load 32-bit checkpoints in 16 bits


@singledispatch
def formula_values(entry: Gpu | Model, wanted: Collection[str] | None = None) -> dict[str, Fraction]:
    """What an entry gives of the formulas' symbols, in their units; what it does not know is left out.

    A GPU gives capacity, bandwidth and peak_flops (dense 16-bit). A model gives N, d_model, n_head, L, n_kv_heads,
    d_head, p = 2 (engines keep a 16-bit cache unless told otherwise), and p_w = 2 where its weights are 16-bit.

    Args:
        entry: the GPU or model.
        wanted: only these symbols; all of them when ``None``.

    Raises:
        NoValues: L, n_kv_heads or d_head are wanted of a model whose layers do not all keep K and V of every token.
            ``engine.memory`` sizes most of those.
    """
    raise TypeError(type(entry).__name__)


@formula_values.register
def _(entry: Gpu, wanted: Collection[str] | None = None) -> dict[str, Fraction]:
    values = {"capacity": entry.capacity, "bandwidth": entry.bandwidth, "peak_flops": entry.peak_flops}
    return _chosen(values, wanted)


@formula_values.register
def _(entry: Model, wanted: Collection[str] | None = None) -> dict[str, Fraction]:
    if entry.not_plain and (wanted is None or KV_SYMBOLS & set(wanted)):
        raise NoValues(entry.not_plain, entry.id, entry.cannot_size or "")
    values = {
        "N": entry.params, "p_w": 2 if entry.dtype in _SIXTEEN_BIT else None,
        "d_model": entry.d_model, "n_head": entry.heads,
        "L": entry.layers, "n_kv_heads": entry.kv_heads, "d_head": entry.head_dim, "p": 2,
    }  # fmt: skip
    return _chosen(values, wanted)


def _chosen(values: dict[str, int | None], wanted: Collection[str] | None) -> dict[str, Fraction]:
    known = {name: Fraction(value) for name, value in values.items() if value is not None}
    return known if wanted is None else {name: value for name, value in known.items() if name in wanted}
