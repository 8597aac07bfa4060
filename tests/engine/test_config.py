"""A model from its config.json: the catalogue's own entries come back, and what cannot be sized is named."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.catalog import Model, NoValues, model, models
from engine.config import read
from engine.config_format import kept_16bit
from engine.memory import kv_bytes_per_token, state_bytes
from engine.precision import find
from engine.tensors import is_exact

TYPES = {"qwen3_5": "qwen3_next", "falcon_decoder": "falcon"}
WRITTEN = [
    entry for entry in models() if is_exact(entry) and entry.family not in (
        "mpt", "dbrx", "nemotron_h", "nemotron_nas", "granitemoehybrid", "minimax_text",
    )
]  # fmt: skip


def written(entry: Model) -> dict[str, Any]:
    """The config.json that a catalogue entry has, as its family writes it."""
    config: dict[str, Any] = {
        "model_type": TYPES.get(entry.family, entry.family), "num_hidden_layers": entry.layers,
        "hidden_size": entry.d_model, "num_attention_heads": entry.heads, "num_key_value_heads": entry.kv_heads,
        "head_dim": entry.head_dim, "intermediate_size": entry.ffn, "vocab_size": entry.vocab,
        "max_position_embeddings": entry.context, "tie_word_embeddings": entry.tied, "torch_dtype": entry.dtype,
    }  # fmt: skip
    if entry.family == "qwen":
        config["intermediate_size"] *= 2
    if entry.family == "falcon":
        config |= {"multi_query": True, "num_kv_heads": entry.heads}
        del config["num_key_value_heads"]
    if entry.family == "falcon_decoder":
        config |= {"new_decoder_architecture": True, "num_kv_heads": entry.kv_heads}
        del config["num_key_value_heads"]
    if entry.qkv_bias is not None:
        config["attention_bias"] = entry.qkv_bias
    if entry.qk_norm is not None:
        config["use_qk_norm"] = True
    if entry.sliding_layers:
        kinds = ["sliding_attention"] * entry.sliding_layers + ["full_attention"] * entry.full_layers
        config |= {"sliding_window": entry.window, "layer_types": kinds}
    if entry.mla:
        config |= {
            "kv_lora_rank": entry.mla.latent, "qk_rope_head_dim": entry.mla.rope, "q_lora_rank": entry.mla.q_rank,
            "qk_nope_head_dim": entry.mla.nope, "v_head_dim": entry.mla.value,
        }  # fmt: skip
        if entry.mla.index_key:
            own = entry.mla.index_layers or entry.full_layers
            config |= {
                "index_head_dim": entry.mla.index_key, "index_n_heads": entry.mla.index_heads,
                "index_kpool": entry.mla.index_pool, "index_topk": entry.mla.index_topk,
                "indexer_types": ["full"] * own + ["shared"] * (entry.full_layers - own),
            }  # fmt: skip
    if entry.moe:
        alternating = entry.family == "llama4"
        config |= {
            "num_experts": entry.moe.experts, "num_experts_per_tok": entry.moe.active,
            "moe_intermediate_size": entry.moe.ffn, "shared_expert_intermediate_size": entry.moe.shared_ffn,
            "first_k_dense_replace": 0 if alternating else entry.moe.dense_layers,
        }  # fmt: skip
        if entry.moe.dense_layers:
            config["intermediate_size"] = entry.moe.dense_ffn or entry.ffn
        if alternating and entry.moe.dense_layers:
            config |= {"interleave_moe_layer_step": 2, "intermediate_size_mlp": entry.moe.dense_ffn}
            config["intermediate_size"] = entry.moe.ffn
    if entry.hybrid:
        linear = entry.hybrid.linear
        if entry.hybrid.kind == "gated_deltanet":
            config["mamba_ssm_dtype"] = {2: None, 4: "float32"}[entry.hybrid.p_state]
            config |= {
                "full_attention_interval": entry.layers // entry.full_layers, "linear_conv_kernel_dim": linear.kernel,
                "linear_num_key_heads": linear.key_heads, "linear_key_head_dim": linear.key_dim,
                "linear_num_value_heads": linear.value_heads, "linear_value_head_dim": linear.value_dim,
            }  # fmt: skip
        else:
            config["linear_attn_config"] = {
                "kda_layers": list(range(linear.layers)), "num_heads": linear.value_heads,
                "head_dim": linear.value_dim, "short_conv_kernel_size": linear.kernel,
            }  # fmt: skip
    return config


@pytest.mark.parametrize("entry", WRITTEN, ids=lambda entry: entry.id)
def test_the_catalogue_comes_back(entry: Model) -> None:
    found = read(written(entry))
    assert (found.params, found.active, found.matmul) == (entry.params, entry.active, entry.matmul)
    assert (found.window, found.full_layers, found.sliding_layers) == (
        entry.window, entry.full_layers, entry.sliding_layers,
    )  # fmt: skip
    assert kv_bytes_per_token(found) == kv_bytes_per_token(entry)
    assert found.attention == entry.attention
    if entry.hybrid and found.hybrid:
        assert (found.hybrid.state, found.hybrid.conv) == (entry.hybrid.state, entry.hybrid.conv)
        assert state_bytes(found) == state_bytes(entry)


QWEN = {
    "architectures": ["Qwen3ForCausalLM"], "attention_bias": False, "head_dim": 128, "hidden_size": 1024,
    "intermediate_size": 3072, "max_position_embeddings": 40960, "model_type": "qwen3", "num_attention_heads": 16,
    "num_hidden_layers": 28, "num_key_value_heads": 8, "rope_scaling": None, "sliding_window": None,
    "tie_word_embeddings": True, "torch_dtype": "bfloat16", "use_sliding_window": False, "vocab_size": 151936,
}  # fmt: skip


def test_a_real_config() -> None:
    """Qwen3-0.6B: its head is 128 wide, and hidden/heads would halve the cache."""
    found = read(QWEN)
    assert (found.params, found.head_dim, kv_bytes_per_token(found)) == (596_049_920, 128, 114_688)
    assert read({**QWEN, "head_dim": None}).head_dim == 64


def test_a_nested_config_keeps_what_stands_outside() -> None:
    outer = {"model_type": "qwen3_vl", "text_config": {**QWEN, "model_type": "qwen3_vl_text"}, "vision_config": {}}
    assert read(outer).params == 596_049_920
    quantized = {**outer, "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}}
    assert read(quantized).dtype == "fp8-tile"


def test_a_config_that_leaves_out_its_class_defaults() -> None:
    text = {
        "hidden_size": 2560, "intermediate_size": 10240, "model_type": "gemma3_text", "num_hidden_layers": 34,
        "sliding_window": 1024,
    }  # fmt: skip
    found, entry = read({"model_type": "gemma3", "text_config": text}), model("gemma-3-4b-it")
    assert (found.params, found.full_layers, found.window) == (entry.params, entry.full_layers, entry.window)
    assert kv_bytes_per_token(found) == kv_bytes_per_token(entry)


def test_mla_is_told_by_its_rank_and_what_is_unsaid_is_named() -> None:
    kimi = {
        "model_type": "kimi_k2", "num_hidden_layers": 61, "hidden_size": 7168, "num_attention_heads": 64,
        "num_key_value_heads": 64, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64, "v_head_dim": 128, "n_routed_experts": 384, "num_experts_per_tok": 8,
        "n_shared_experts": 1, "moe_intermediate_size": 2048, "max_position_embeddings": 262144, "vocab_size": 163840,
    }  # fmt: skip
    found = read(kimi)
    assert kv_bytes_per_token(found) == 70_272
    assert found.notes == "first_k_dense_replace, intermediate_size"
    whole = read({**kimi, "first_k_dense_replace": 1, "intermediate_size": 18432})
    assert (whole.params, whole.notes) == (model("kimi-k2-instruct").params, "")


GLM = {
    "model_type": "glm_moe_dsa", "num_hidden_layers": 78, "hidden_size": 6144, "num_attention_heads": 64,
    "num_key_value_heads": 64, "q_lora_rank": 2048, "kv_lora_rank": 512, "qk_nope_head_dim": 192,
    "qk_rope_head_dim": 64, "v_head_dim": 256, "n_routed_experts": 256, "num_experts_per_tok": 8,
    "n_shared_experts": 1, "moe_intermediate_size": 2048, "first_k_dense_replace": 3, "intermediate_size": 12288,
    "max_position_embeddings": 1048576, "vocab_size": 154880, "index_head_dim": 128, "index_n_heads": 32,
    "index_topk": 2048,
}  # fmt: skip


def test_layers_share_an_indexer_by_the_list_or_by_the_rule_that_makes_it() -> None:
    """GLM-5 has an indexer in each of 78 layers, GLM-5.3 in 21: the first three, then every fourth."""
    assert read(GLM).params == model("glm-5").params
    assert kv_bytes_per_token(read(GLM)) == 78 * (1152 + 132)
    listed = ["full" if max(place - 2, 0) % 4 == 0 else "shared" for place in range(78)]
    for keys in (
        {"index_topk_freq": 4, "index_skip_topk_offset": 3}, {"indexer_types": listed},
        {"indexer_types": [*listed, "full"]},  # a layer that drafts, listed behind the others
    ):  # fmt: skip
        found = read({**GLM, **keys})
        assert (found.params, kv_bytes_per_token(found)) == (model("glm-5.3").params, 78 * 1152 + 21 * 132)
    assert read({**GLM, "index_topk_freq": 1}) == read({**GLM, "indexer_types": ["full"] * 78}) == read(GLM)


def test_a_model_of_states_and_sparse_latents_is_read() -> None:
    """GLM-5.3-Flash: 34 layers of Kimi's delta attention, 11 of latents without a rotary part, keys for 4 tokens."""
    sparse = range(3, 45, 4)
    text = {
        **GLM, "model_type": "glm5_next_text", "num_hidden_layers": 45, "hidden_size": 4096, "q_lora_rank": 1536,
        "qk_nope_head_dim": 256, "qk_rope_head_dim": 0, "n_routed_experts": 288, "index_kpool": 4,
        "indexer_types": ["full"] * 45,
        "layer_types": ["deepseek_sparse_attention" if n in sparse else "linear_attention" for n in range(45)],
        "linear_attn_config": {
            "num_heads": 64, "head_dim": 128, "short_conv_kernel_size": 4,
            "kda_layers": [n for n in range(45) if n not in sparse],
        },
    }  # fmt: skip
    found, entry = read({"model_type": "glm5_next", "text_config": text}), model("glm-5.3-flash")
    assert (found.full_layers, kv_bytes_per_token(found)) == (11, kv_bytes_per_token(entry)) == (11, 11 * (1024 + 33))
    assert state_bytes(found) == state_bytes(entry)
    with pytest.raises(NoValues) as caught:
        read({**GLM, "qk_rope_head_dim": None})
    assert (caught.value.reason, caught.value.detail) == ("missing-key", "qk_rope_head_dim")


def test_an_index_key_that_tokens_share_counts_once_for_all_of_them() -> None:
    assert kv_bytes_per_token(read({**GLM, "index_kpool": 4})) == 78 * (1152 + 33)
    for wrong in ({"index_head_dim": -1}, {"index_kpool": "4"}, {"index_topk_freq": 2.5}):
        with pytest.raises(NoValues) as caught:
            read({**GLM, **wrong})
        assert (caught.value.reason, caught.value.detail) == ("bad-key", *wrong)


@pytest.mark.parametrize(
    ("key", "value", "held"),
    [
        ("num_hidden_layers", 0, "0"), ("num_attention_heads", 0, "0"), ("vocab_size", -1, "-1"),
        ("hidden_size", "wide", '"wide"'), ("num_key_value_heads", 5, "5"), ("layer_types", "x", '"x"'),
        ("hidden_size", [7] * 50, "[" + "7, " * 12 + "7,…"), ("rope_scaling", True, "true"),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_is_told_with_its_key(key: str, value: Any, held: str) -> None:
    with pytest.raises(NoValues) as caught:
        read({**QWEN, key: value})
    told = caught.value
    assert (told.reason, told.detail, told.held) == ("bad-key", key, f"{key} = {held}")


def test_a_window_that_is_switched_off_or_too_long_is_none() -> None:
    base = {**QWEN, "sliding_window": 4096}
    assert read(base).sliding_layers == 0
    assert read({**base, "use_sliding_window": True}).sliding_layers == 28
    assert read({**base, "use_sliding_window": True, "sliding_window": 10**6}).window is None
    gemma = {**QWEN, "model_type": "gemma3_text", "use_sliding_window": None, "sliding_window": 512}
    assert read({**gemma, "num_hidden_layers": 26}).full_layers == 4


@pytest.mark.parametrize(
    ("quantized", "name"),
    [
        ({"quant_method": "awq", "bits": 4, "group_size": 128}, "awq"),
        ({"quant_method": "gptq", "bits": 4, "group_size": 32}, "int4-g32"),
        ({"quant_method": "gptq", "bits": 8}, "int8"), ({"quant_method": "gptq", "group_size": [1]}, "gptq"),
        ({"quant_method": "fp8"}, "fp8"), ({"quant_method": "bitsandbytes", "load_in_4bit": True}, "nf4"),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True}, "int8"), ({"quant_method": "mxfp4"}, "mxfp4"),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, "nvfp4"),
        ({"quant_method": "compressed-tensors", "config_groups": {
            "group_0": {"weights": {"num_bits": 8, "type": "int"}, "input_activations": {"num_bits": 8}}}}, "w8a8"),
        ({"quant_method": "compressed-tensors", "config_groups": {
            "group_0": {"weights": {"num_bits": 4, "type": "int"}}}}, "w4a16"),
        ({"quant_method": "compressed-tensors", "config_groups": {
            "group_0": {"weights": {"num_bits": 4, "type": "int", "group_size": 32}}}}, "w4a16-g32"),
        ({"quant_method": "compressed-tensors", "config_groups": {
            "group_0": {"weights": {"num_bits": 8, "type": "float"}}}}, "fp8-row"),
    ],
)  # fmt: skip
def test_the_quantization_decides_the_format(quantized: dict[str, Any], name: str) -> None:
    found = read({**QWEN, "quantization_config": quantized})
    assert found.dtype == name
    assert find(found.dtype).name == name


def test_modules_that_were_not_converted() -> None:
    kept = ["visual", "linear_attn", "self_attn", "shared_expert", "mlp.gate", "layers.0.", "mtp"]
    found = kept_16bit({"quantization_config": {"quant_method": "awq", "modules_to_not_convert": kept}})
    assert found == {"linear-attention", "attention", "shared-expert", "router"}
    assert kept_16bit({"quantization_config": {"ignore": ["lm_head"]}}) == {"head"}
    assert kept_16bit({}) == kept_16bit({"quantization_config": {"ignore": "lm_head"}}) == frozenset()


@pytest.mark.parametrize(
    "key",
    ["num_global_key_value_heads", "global_head_dim", "num_kv_shared_layers", "compress_ratios",
     "hybrid_override_pattern", "attn_type_list", "block_configs", "mamba_d_state"],
)  # fmt: skip
def test_what_cannot_be_sized_is_refused_by_its_key(key: str) -> None:
    with pytest.raises(NoValues) as caught:
        read({**QWEN, key: [1]})
    assert (caught.value.reason, caught.value.detail) == ("cannot-size", key)
    assert read({**QWEN, key: None}).params


@pytest.mark.parametrize("key", ["num_hidden_layers", "hidden_size", "num_attention_heads", "vocab_size"])
def test_a_missing_key_is_named(key: str) -> None:
    with pytest.raises(NoValues) as caught:
        read({name: value for name, value in QWEN.items() if name != key})
    assert (caught.value.reason, caught.value.detail) == ("missing-key", key)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from([*QWEN, "kv_lora_rank", "num_experts", "layer_types", "text_config", "quantization_config",
                        "linear_attn_config", "num_experts_per_tok", "ffn_config", "n_shared_experts"])  # fmt: skip


@given(st.dictionaries(KEYS, JSON, max_size=6))
def test_a_strange_config_is_read_or_refused(strange: dict[str, Any]) -> None:
    try:
        assert read({**QWEN, **strange}).params > 0
    except NoValues as error:
        assert error.reason in ("cannot-size", "missing-key", "bad-key")
