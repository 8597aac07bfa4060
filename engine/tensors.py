"""The tensors of a model: every matrix by class, its shape, how many there are, and how many one token goes through.

Shapes are those of config.json; small vectors come from the model's family (:mod:`engine.catalog.families`). The sum is
exact for the families named there. Where a published total says more than we can name, the rest is one lump, ``other``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from engine.catalog import Model
from engine.catalog.families import FAMILIES, Family, family
from engine.precision import Kind

Split = Literal["rows", "columns", "kv", "experts", "whole"]
"""How tensor parallelism divides a tensor: by rows or columns, by KV heads (copied once cards outnumber them), whole
experts (under expert parallelism; else as rows), or not at all."""

Place = Literal["first", "layers", "last"]
"""Which pipeline stage holds a tensor."""

_LUMPED = frozenset(("two_head_sizes", "compressed_sparse"))  # attention that no fields of the catalogue describe


class Tensor(NamedTuple):
    """So many equal matrices.

    Attributes:
        kind: its class.
        name: what it is called in checkpoints, shortened: "q", "down", "embedding".
        copies: how many there are in the model.
        used: how many of them one token goes through.
        rows, columns: outputs and inputs of one; ``columns`` is 1 for a vector.
        split, place: what parallelism does with it.
    """

    kind: Kind
    name: str
    copies: int
    used: int
    rows: int
    columns: int
    split: Split
    place: Place = "layers"

    @property
    def params(self) -> int:
        """Numbers in all of them."""
        return self.copies * self.rows * self.columns

    @property
    def active(self) -> int:
        """Numbers that one token goes through."""
        return self.used * self.rows * self.columns


@lru_cache(maxsize=256)
def tensors(model: Model) -> tuple[Tensor, ...]:
    """Every tensor of a model, input to output, with what is left of ``model.params`` as ``other``.

    A ``model.params`` of 0 (a model read from config.json) leaves nothing over: the count is then all ours. A model
    of an unknown family whose named parts come to more than its total keeps its embedding and head, and one lump.
    """
    named = tuple(one for one in _named(model, family(model.family)) if one.copies and one.rows and one.columns)
    if model.params and sum(one.params for one in named) > model.params:  # our parts are not this model's
        named = tuple(one for one in named if one.kind in ("embedding", "head"))
    rest = model.params - sum(one.params for one in named)
    if rest <= 0:
        return named
    active = (model.active or model.params) - sum(one.active for one in named)
    return (*named, Tensor("other", "other", rest, min(max(active, 0), rest), 1, 1, "rows"))


def is_exact(model: Model) -> bool:
    """Whether every parameter of a model has a name here."""
    return model.family in FAMILIES and all(one.kind != "other" for one in tensors(model))


def _named(model: Model, traits: Family) -> Iterator[Tensor]:
    d, vocab = model.d_model, model.vocab
    yield Tensor("embedding", "embedding", 1, 1, vocab, d, "rows", "first")
    if traits.positions is not None:
        yield Tensor("embedding", "positions", 1, 1, model.context + traits.positions, d, "whole", "first")
    if traits.embedding_norm:
        yield _vector("embedding norm", 1, d * (1 + traits.norm_bias), "first")
    yield from _layers_vectors(model, traits)
    if model.hybrid is None or model.hybrid.kind not in _LUMPED:
        yield from _mla(model) if model.mla else _attention(model, traits)
    if model.hybrid is not None:
        yield from _linear(model)
    yield from _feed_forward(model, traits)
    yield _vector("final norm", 1, d * (1 + traits.norm_bias), "last")
    if not model.tied:
        yield Tensor("head", "head", 1, 1, vocab, d, "rows", "last")
    if traits.head_bias:
        yield _vector("head bias", 1, vocab, "last")


def _vector(name: str, count: int, length: int, place: Place = "layers", split: Split = "whole") -> Tensor:
    return Tensor("small", name, count, count, length, 1, split, place)


def _matrix(kind: Kind, name: str, count: int, rows: int, columns: int, split: Split) -> Tensor:
    return Tensor(kind, name, count, count, rows, columns, split)


def attention_layers(model: Model) -> int:
    """Layers with attention, whether or not they keep a cache of their own."""
    hybrid = model.hybrid
    return model.layers - (hybrid.linear.layers + hybrid.without_attention if hybrid else 0)


def _layers_vectors(model: Model, traits: Family) -> Iterator[Tensor]:
    """Norms of whole layers. A layer without attention in a plain transformer (pruned models) lacks one norm."""
    norms = traits.norms * model.layers
    if model.hybrid and model.hybrid.kind == "attention_removed_in_some_layers":
        norms -= model.hybrid.without_attention
    yield _vector("norms", norms, model.d_model * (1 + traits.norm_bias))


def _attention(model: Model, traits: Family) -> Iterator[Tensor]:
    d, layers = model.d_model, attention_layers(model)
    queries, keys = model.heads * model.head_dim, model.kv_heads * model.head_dim
    yield _matrix("attention", "q", layers, queries * (2 if traits.output_gate else 1), d, "rows")
    yield _matrix("attention", "k", layers, keys, d, "kv")
    yield _matrix("attention", "v", layers, keys, d, "kv")
    yield _matrix("attention", "o", layers, d, queries, "columns")
    if traits.qkv_bias if model.qkv_bias is None else model.qkv_bias:
        yield _vector("q bias", layers, queries, split="rows")
        yield _vector("kv bias", 2 * layers, keys, split="kv")
    if traits.out_bias:
        yield _vector("o bias", layers, d)
    if traits.sinks:
        yield _vector("sinks", layers, model.heads, split="rows")
    qk_norm = traits.qk_norm if model.qk_norm is None else model.qk_norm
    if qk_norm:
        yield _vector("q norm", layers, model.head_dim if qk_norm == "head" else queries)
        yield _vector("k norm", layers, model.head_dim if qk_norm == "head" else keys)


def _mla(model: Model) -> Iterator[Tensor]:
    """Latent attention, DeepSeek-V2 (arXiv 2405.04434), with V3.2's indexer where there is one."""
    mla = model.mla
    assert mla is not None
    d, layers, heads = model.d_model, attention_layers(model), model.heads
    queries = heads * (mla.nope + mla.rope)
    if mla.q_rank:
        yield _matrix("attention", "q_a", layers, mla.q_rank, d, "whole")
        yield _vector("q_a norm", layers, mla.q_rank)
    yield _matrix("attention", "q_b" if mla.q_rank else "q", layers, queries, mla.q_rank or d, "rows")
    yield _matrix("attention", "kv_a", layers, mla.latent + mla.rope, d, "whole")
    yield _vector("kv_a norm", layers, mla.latent)
    yield _matrix("attention", "kv_b", layers, heads * (mla.nope + mla.value), mla.latent, "rows")
    yield _matrix("attention", "o", layers, d, heads * mla.value, "columns")
    if mla.index_key and mla.index_heads:
        own = layers if mla.index_layers is None else mla.index_layers
        yield _matrix("attention", "index q", own, mla.index_heads * mla.index_key, mla.q_rank or d, "whole")
        yield _matrix("attention", "index k", own, mla.index_key, d, "whole")
        yield _matrix("attention", "index weights", own, mla.index_heads, d, "whole")
        yield _vector("index norm", own, 2 * mla.index_key)


def _linear(model: Model) -> Iterator[Tensor]:
    """Layers with a fixed state, by kind."""
    assert model.hybrid is not None
    makers = {
        "gated_deltanet": _delta, "mamba2": _mamba, "lightning_attention": _lightning, "kimi_delta_attention": _kda,
    }  # fmt: skip
    if model.hybrid.kind in makers:
        yield from makers[model.hybrid.kind](model)


def _delta(model: Model) -> Iterator[Tensor]:
    """Gated delta net (arXiv 2412.06464), as in Qwen3-Next: q, k, v and z in one projection, b and a in another."""
    assert model.hybrid is not None
    n, kernel, key_heads, key_dim, heads, dim, _, _ = model.hybrid.linear
    assert kernel and key_heads and key_dim and heads and dim
    keys, values = key_heads * key_dim, heads * dim
    yield _matrix("linear-attention", "qkvz", n, 2 * keys + 2 * values, model.d_model, "rows")
    yield _matrix("linear-attention", "ba", n, 2 * heads, model.d_model, "rows")
    yield _matrix("linear-attention", "out", n, model.d_model, values, "columns")
    yield _vector("convolution", n, (2 * keys + values) * kernel, split="rows")
    yield _vector("decay", n, 2 * heads, split="rows")
    yield _vector("linear norm", n, dim)


def _mamba(model: Model) -> Iterator[Tensor]:
    """Mamba 2 (arXiv 2405.21060)."""
    assert model.hybrid is not None
    n, kernel, _, _, heads, dim, groups, state = model.hybrid.linear
    assert kernel and heads and dim and groups and state
    inner, mixed = heads * dim, heads * dim + 2 * groups * state
    yield _matrix("linear-attention", "in", n, inner + mixed + heads, model.d_model, "rows")
    yield _matrix("linear-attention", "out", n, model.d_model, inner, "columns")
    yield _vector("convolution", n, mixed * (kernel + 1), split="rows")
    yield _vector("decay", n, 3 * heads, split="rows")
    yield _vector("linear norm", n, inner, split="rows")


def _lightning(model: Model) -> Iterator[Tensor]:
    """Lightning attention, MiniMax-01 (arXiv 2501.08313)."""
    assert model.hybrid is not None
    n, _, _, _, heads, dim, _, _ = model.hybrid.linear
    assert heads and dim
    width = heads * dim
    yield _matrix("linear-attention", "qkv", n, 3 * width, model.d_model, "rows")
    yield _matrix("linear-attention", "gate", n, width, model.d_model, "rows")
    yield _matrix("linear-attention", "out", n, model.d_model, width, "columns")
    yield _vector("linear norm", n, width, split="rows")


def _kda(model: Model) -> Iterator[Tensor]:
    """Kimi delta attention (arXiv 2510.26692): low-rank decay and output gates, one head wide."""
    assert model.hybrid is not None
    n, kernel, _, _, heads, dim, _, _ = model.hybrid.linear
    assert kernel and heads and dim
    d, width = model.d_model, heads * dim
    yield _matrix("linear-attention", "qkv", n, 3 * width, d, "rows")
    yield _matrix("linear-attention", "gates a", 2 * n, dim, d, "whole")
    yield _matrix("linear-attention", "gates b", 2 * n, width, dim, "rows")
    yield _matrix("linear-attention", "beta", n, heads, d, "rows")
    yield _matrix("linear-attention", "out", n, d, width, "columns")
    yield _vector("convolution", n, 3 * width * kernel, split="rows")
    yield _vector("decay", n, heads + width, split="rows")
    yield _vector("linear norm", n, dim)


def mlp_widths(model: Model) -> tuple[tuple[int, int], ...]:
    """Widths of the plain MLPs and how many layers have each."""
    if model.hybrid and model.hybrid.ffns:
        return model.hybrid.ffns
    if model.moe is None:
        return ((model.ffn, model.layers),)
    if model.hybrid and model.hybrid.kind in _LUMPED and not model.moe.shared_ffn:
        return ((model.ffn, model.layers),)  # Gemma 4: a dense MLP beside the experts of every layer
    return ((model.moe.dense_ffn or model.ffn, model.moe.dense_layers),)


def moe_layers(model: Model) -> int:
    """Layers with experts."""
    if model.moe is None:
        return 0
    alone = model.hybrid.without_attention if model.hybrid else 0
    return alone or model.layers - model.moe.dense_layers


def _feed_forward(model: Model, traits: Family) -> Iterator[Tensor]:
    d = model.d_model
    for width, layers in mlp_widths(model):
        yield from _mlp("mlp", layers, d, width, traits.gated)
        if traits.mlp_bias:
            yield _vector("mlp bias", layers, width * (2 if traits.gated else 1), split="rows")
            yield _vector("down bias", layers, d)
    moe, layers = model.moe, moe_layers(model)
    if moe is None:
        return
    active = min(moe.active or 0, moe.experts)
    inner = moe.hidden or d
    yield Tensor("router", "router", layers, layers, moe.experts, d, "whole")
    for one in _mlp("expert", layers, inner, moe.ffn, moe.gated):
        yield one._replace(copies=layers * moe.experts, used=layers * active, split="experts")
    if moe.hidden:
        yield _matrix("shared-expert", "into experts", layers, moe.hidden, d, "whole")
        yield _matrix("shared-expert", "out of experts", layers, d, moe.hidden, "whole")
    yield from _mlp("shared-expert", layers, d, moe.shared_ffn, moe.gated)
    if traits.shared_gate and moe.shared_ffn:
        yield _vector("shared gate", layers, d)
    if traits.router_bias:
        yield _vector("router bias", layers, moe.experts)
    if traits.expert_bias:
        bias = _vector("expert bias", layers * moe.experts, 2 * moe.ffn + d, split="experts")
        yield bias._replace(used=layers * active)


def _mlp(kind: Kind, layers: int, d: int, width: int, gated: bool) -> Iterator[Tensor]:
    if gated:
        yield _matrix(kind, "gate", layers, width, d, "rows")
    yield _matrix(kind, "up", layers, width, d, "rows")
    yield _matrix(kind, "down", layers, d, width, "columns")
