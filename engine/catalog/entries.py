"""What the catalogue knows of a GPU and of a model, as frozen data, and why a name or a value is refused.

Sizes are whole bytes, bandwidths bytes/s, rates dense FLOP/s. ``None`` is "not known", never zero.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple


class Gpu(NamedTuple):
    """One accelerator as software sees it.

    Attributes:
        name: its full name, "A100 SXM 80GB".
        capability: CUDA compute capability, NVIDIA only.
        capacity: the memory on the box, in bytes of 10^9 to the GB.
        visible: the memory that software reported where a public log showed it; a little less or, where the box
            counts in GiB, more than ``capacity``.
        peak_flops, flops8, flops4: dense FP16/BF16 (FP32 accumulate), FP8 and FP4 rates.
        ops8: dense INT8 operations a second.
        cache: last-level cache.
        nvlink: both directions together.
        evidence: how the source was seen: seen, secondary, derived, recalled or unverified.
        confirmed: the second source, for entries whose first one was second hand.
    """

    name: str
    vendor: str
    architecture: str
    capability: str | None
    capacity: int
    visible: int | None
    bandwidth: int
    peak_flops: int | None
    flops8: int | None
    ops8: int | None
    flops4: int | None
    cache: int | None
    nvlink: int | None
    pcie: str | None
    link: str | None
    evidence: str
    source: str
    confirmed: str | None
    notes: str
    aliases: tuple[str, ...]

    def __hash__(self) -> int:
        return hash(self.name)  # part of many caches' keys; cards of one name that differ are few


class Mla(NamedTuple):
    """Latent attention: a token's keys and values are kept as one vector of ``latent + rope`` numbers a layer.

    Attributes:
        latent, rope: ``kv_lora_rank`` and ``qk_rope_head_dim`` of config.json.
        q_rank: width that queries are pressed through; ``None`` where they are not.
        nope: numbers of a head's query and key without position.
        value: numbers of a head's value.
        index_key: numbers of an index key, which sparse attention keeps beside them; 0 where it is not sparse.
        index_layers: layers that own an indexer; ``None`` for all that keep a cache.
        index_heads: heads of the indexer.
        index_pool: tokens that share one index key.
        index_topk: tokens that a query's attention sees, picked by their keys; ``None`` where not known.
    """

    latent: int
    rope: int
    q_rank: int | None
    nope: int
    value: int
    index_key: int = 0
    index_layers: int | None = None
    index_heads: int = 0
    index_pool: int = 1
    index_topk: int | None = None


class Moe(NamedTuple):
    """Experts.

    Attributes:
        experts, active: how many there are and how many a token goes through (``None``: not known).
        ffn, shared_ffn: width of one expert, and of the part that every token goes through.
        dense_layers: layers with a plain MLP in place of experts, ``dense_ffn`` wide; they come first or alternate.
        gated: whether an expert has three matrices (gate, up, down) or two.
        hidden: width that experts work on where it is not d_model.
    """

    experts: int
    active: int | None
    ffn: int
    shared_ffn: int
    dense_layers: int
    dense_ffn: int | None
    gated: bool
    hidden: int | None


class Linear(NamedTuple):
    """Layers with a fixed state in place of a cache; ``None`` is "this kind has none".

    Attributes:
        layers: how many there are.
        kernel: positions that the short convolution looks at.
        key_heads, key_dim: heads and width of keys (gated delta net).
        value_heads, value_dim: heads and width of values, of every kind.
        groups, state_size: groups and width of the state (Mamba 2).
    """

    layers: int
    kernel: int | None
    key_heads: int | None
    key_dim: int | None
    value_heads: int | None
    value_dim: int | None
    groups: int | None
    state_size: int | None


class Hybrid(NamedTuple):
    """Layers that are not all plain attention.

    Attributes:
        kind: how the others work, "gated_deltanet", "mamba2" ...
        state: numbers of recurrent state kept once a sequence, over all layers; ``None`` where not known.
        conv: numbers of convolution state, likewise.
        linear: their shape.
        without_attention: layers that have neither attention nor a state (an MLP or experts alone).
        ffns: where the MLP's width differs by layer: (width, how many layers).
        p_state: bytes of a number of the recurrent state as vLLM keeps it: 4 where config.json says float32 and for
            Kimi's delta attention, else 2 as the model's own.
    """

    kind: str
    state: int | None
    conv: int | None
    linear: Linear
    without_attention: int
    ffns: tuple[tuple[int, int], ...]
    p_state: int = 4


class Model(NamedTuple):
    """One model; fields as in its config.json.

    Attributes:
        id: Hugging Face id.
        params, active, matmul: parameters in all, used by one token, and of those in matrices.
        d_model, heads, kv_heads, head_dim, ffn, vocab, context: the shape; ``head_dim`` is not always d_model/heads.
        attention: MHA, GQA, MQA, MLA or hybrid.
        window: tokens that a sliding layer keeps, ``None`` without sliding layers.
        full_layers, sliding_layers: layers that hold a KV cache of their own; fewer than ``layers`` in hybrids and
            where layers reuse earlier ones.
        dtype: of the published weights, or the quantization that the asked name carried.
        cannot_size: why no one figure of KV bytes per token would be right, ``None`` where one is.
        evidence: how the parameter count was checked.
        family: ``model_type`` of config.json, or what stands for it: which parts a layer has besides its matrices
            (:mod:`engine.catalog.families`).
        qkv_bias, qk_norm: where the model differs from its family; ``None`` where it does not.
    """

    id: str
    params: int
    active: int | None
    matmul: int | None
    layers: int
    d_model: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    vocab: int
    context: int
    tied: bool
    attention: str
    window: int | None
    full_layers: int
    sliding_layers: int
    mla: Mla | None
    moe: Moe | None
    hybrid: Hybrid | None
    dtype: str
    cannot_size: str | None
    published: str | None
    evidence: str
    source: str
    notes: str
    aliases: tuple[str, ...]
    family: str = "llama"
    qkv_bias: bool | None = None
    qk_norm: str | None = None

    def __hash__(self) -> int:
        return hash(self.id)  # part of many caches' keys; models of one id that differ are few

    @property
    def not_plain(self) -> str | None:
        """Why ``kv_cache`` is not this model's formula: cannot-size, hybrid, mla, sliding-window or shared-kv; ``None``
        where it is, since every layer keeps K and V of every token."""
        if self.cannot_size:
            return "cannot-size"
        if self.hybrid:
            return "hybrid"
        if self.mla:
            return "mla"
        if self.sliding_layers:
            return "sliding-window" if self.full_layers + self.sliding_layers == self.layers else "shared-kv"
        return None


class UnknownName(LookupError):
    """No entry has this name. ``near`` gives the nearest full names: only who tells of it looks for them."""

    def __init__(self, text: str, near: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__(text)
        self.text, self._near = text, near

    @cached_property
    def close(self) -> tuple[str, ...]:
        """The nearest full names, best first, at most three."""
        return self._near(self.text)


class AmbiguousName(LookupError):
    """A name that fits several entries. ``options`` are their full names; never guess one."""

    def __init__(self, text: str, options: tuple[str, ...]) -> None:
        super().__init__(text, options)
        self.text, self.options = text, options


class NoValues(ValueError):
    """A model's KV cache is not the plain formula's. ``reason`` is :attr:`Model.not_plain`'s, ``detail`` more of it;
    ``held`` is the detail with what stands there, where that is the trouble ("num_attention_heads = 0")."""

    def __init__(self, reason: str, name: str, detail: str, held: str = "") -> None:
        super().__init__(reason, name, detail)
        self.reason, self.name, self.detail, self.held = reason, name, detail, held or detail
