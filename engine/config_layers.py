"""The kinds of layers that a config.json tells of: latent attention, experts, linear attention, sliding windows."""

from __future__ import annotations

from collections.abc import Mapping

from engine.catalog import Hybrid, Linear, Mla, Moe, NoValues
from engine.config_fields import Fields


def mla(fields: Fields, layers: int) -> Mla | None:
    """The parts of latent attention; ``None`` where a config has none."""
    rank, index = fields.get("kv_lora_rank"), fields.get("index_head_dim")
    if not rank:
        return None
    rope = fields.get("qk_rope_head_dim")  # 0 is a size too: positions may be left to the other layers
    if rope is None:
        raise NoValues("missing-key", fields.name, "qk_rope_head_dim")
    return Mla(
        rank, rope, fields.get("q_lora_rank"), fields.must("qk_nope_head_dim"),
        fields.must("v_head_dim"), index or 0, _index_layers(fields, layers) if index else None,
        fields.get("index_n_heads") or 0, fields.get("index_kpool") or 1, fields.get("index_topk") or None,
    )  # fmt: skip


def _index_layers(fields: Fields, layers: int) -> int | None:
    """Layers that own an indexer where others use the picks of one before them; ``None`` for all.

    Source: transformers, glm_moe_dsa: the list, or the rule that makes it: one in ``index_topk_freq`` behind the first
    ``index_skip_topk_offset``, which all own one.
    """
    kinds, every = fields.words("indexer_types")[:layers], fields.get("index_topk_freq") or 1
    if "shared" in kinds:
        return kinds.count("full")
    if kinds or every == 1:
        return None
    first = min(fields.get("index_skip_topk_offset") or _OWN_FIRST, layers)
    return first + (layers - first) // every


_OWN_FIRST = 2
"""Layers at the start that own an indexer where the config does not say (transformers, glm_moe_dsa)."""


def moe(fields: Fields, layers: int) -> Moe | None:
    """The experts; ``None`` where a config has none."""
    source = fields.part("ffn_config") or fields
    experts = source.get("num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts")
    if not experts or experts == 1:
        return None
    active = source.get("num_experts_per_tok", "num_experts_per_token", "moe_top_k")
    if active is not None and not 0 < active <= experts:
        raise fields.bad("num_experts_per_tok")
    ffn = source.must("moe_intermediate_size", "ffn_hidden_size", "intermediate_size")
    shared = source.get("shared_expert_intermediate_size", "shared_intermediate_size") or 0
    shared = ffn * (source.get("n_shared_experts", "num_shared_experts") or 0) or shared
    if fields.kind.startswith("llama4"):
        shared = ffn
    dense = source.get("first_k_dense_replace") or 0
    step = source.get("interleave_moe_layer_step", "moe_layer_freq") or 1
    dense += layers - dense - (layers - dense) // step
    if dense > layers:
        raise fields.bad("first_k_dense_replace")
    dense_ffn = source.get("intermediate_size_mlp", "intermediate_size") if dense else None
    return Moe(experts, active, ffn, shared, dense, dense_ffn, True, None)


def hybrid(fields: Fields, layers: int) -> Hybrid | None:
    """The layers of linear attention, with what they keep; ``None`` where a config has none."""
    kda = fields.part("linear_attn_config")
    if kda:
        n, heads, dim = len(kda.words("kda_layers")), kda.must("num_heads"), kda.must("head_dim")
        kernel = kda.get("short_conv_kernel_size") or 4
        linear = Linear(n, kernel, None, None, heads, dim, None, None)
        conv = n * 3 * heads * dim * (kernel - 1)
        return Hybrid("kimi_delta_attention", n * heads * dim * dim, conv, linear, 0, ()) if n else None
    kinds, every = fields.words("layer_types"), fields.get("full_attention_interval")
    count = sum(kind == "linear_attention" for kind in kinds)
    if not kinds and every and every > 1:
        count = layers - layers // every
    if not count:
        return None
    kernel, key_heads, key_dim, heads, dim = (fields.must(key) for key in _DELTA)
    linear = Linear(count, kernel, key_heads, key_dim, heads, dim, None, None)
    conv = count * (2 * key_heads * key_dim + heads * dim) * (kernel - 1)
    single = "float32" in (fields.config.get("mamba_ssm_dtype"), fields.config.get("mamba_ssm_cache_dtype"))
    return Hybrid("gated_deltanet", count * heads * key_dim * dim, conv, linear, 0, (), 4 if single else 2)


_DELTA = (
    "linear_conv_kernel_dim", "linear_num_key_heads", "linear_key_head_dim", "linear_num_value_heads",
    "linear_value_head_dim",
)  # fmt: skip

_EVERY: Mapping[str, int] = {"gemma2": 2, "gemma3": 6, "gemma3_text": 6, "gpt_oss": 2, "cohere2": 4}
"""Where config.json does not list its layers: one layer in so many is full."""


def sliding(fields: Fields, layers: int, context: int) -> tuple[int | None, int]:
    """The window, and how many layers have it; one as long as the ``context`` is none."""
    kinds, chunk = fields.words("layer_types"), fields.get("attention_chunk_size")
    window = chunk or fields.get("sliding_window")
    if not window or fields.flag("use_sliding_window") is False or window >= context:
        return None, 0
    if kinds:
        count = sum(kind in ("sliding_attention", "chunked_attention") for kind in kinds)
        return (window, count) if count else (None, 0)
    every = 4 if chunk else fields.get("sliding_window_pattern") or _EVERY.get(fields.kind, 0)
    return window, layers - layers // every if every > 1 else layers
