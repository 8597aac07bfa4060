"""config.json of many families, tables of quantization alone, and files that are cut off."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.artefacts import registry
from engine.artefacts.model import Observations
from engine.artefacts.readers import hf_config, hf_quantization
from engine.artefacts.readers.cut_json import before_the_cut

PLAIN: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "num_hidden_layers": 26, "hidden_size": 2560,
    "num_attention_heads": 20, "num_key_value_heads": 4, "intermediate_size": 6912, "vocab_size": 65024,
    "max_position_embeddings": 16384, "tie_word_embeddings": False, "torch_dtype": "bfloat16", "rope_scaling": None,
}  # fmt: skip


def read(document: Any) -> Observations:
    return registry.read_text(json.dumps(document, indent=2))


def told(document: Any) -> dict[str, Any]:
    found = read(document)
    return {name: found.one(name) for name in found.series}


def traps(document: Any) -> dict[str, dict[str, Any]]:
    return {trap.id: dict(trap.params) for trap in read(document).traps}


def test_a_plain_model() -> None:
    found = told(PLAIN)
    assert found == {
        "n_layers": 26, "n_heads": 20, "n_kv_heads": 4, "hidden_size": 2560, "intermediate_size": 6912,
        "vocab_size": 65024, "max_position_embeddings": 16384, "tied_embeddings": False, "dtype": "bfloat16",
    }  # fmt: skip
    assert list(read(PLAIN).kinds) == ["config"] and not traps(PLAIN)
    assert read(PLAIN).line_of("n_layers") is None


@pytest.mark.parametrize(
    ("more", "name", "expected"),
    [
        ({"dtype": "float16", "torch_dtype": None}, "dtype", "float16"),
        ({"head_dim": 256}, "head_dim", 256),
        ({"layer_types": ["full_attention"] * 4 + ["sliding_attention"] * 22}, "n_full_attention_layers", 4),
        ({"layer_types": ["full_attention"] * 4 + ["sliding_attention"] * 22}, "n_sliding_layers", 22),
        ({"layer_types": ["linear_attention"] * 20 + ["full_attention"] * 6}, "n_full_attention_layers", 6),
        ({"sliding_window": 2048}, "sliding_window", 2048),
        ({"sliding_window": 2048, "use_sliding_window": True}, "sliding_window", 2048),
        ({"use_sliding_window": False}, "use_sliding_window", False),
        ({"num_local_experts": 12, "num_experts_per_tok": 3}, "n_experts", 12),
        ({"num_experts": 96, "moe_intermediate_size": 768}, "n_experts", 96),
        ({"n_routed_experts": 96, "n_shared_experts": 2}, "n_shared_experts", 2),
        ({"num_experts": 96, "moe_topk": 6}, "n_experts_per_token", 6),
    ],
)
def test_keys_of_other_families(more: dict[str, Any], name: str, expected: Any) -> None:
    assert told({**PLAIN, **more})[name] == expected


@pytest.mark.parametrize(
    ("more", "absent"),
    [
        ({"sliding_window": None}, "sliding_window"),
        ({"sliding_window": 2048, "use_sliding_window": False}, "sliding_window"),
        ({"head_dim": None}, "head_dim"),
        ({"intermediate_size": [6912] * 26}, "intermediate_size"),
        ({"num_key_value_heads": True}, "n_kv_heads"),
        ({"vocab_size": 10**15}, "vocab_size"),
        ({}, "n_sliding_layers"),
    ],
)
def test_what_is_not_there_has_no_name(more: dict[str, Any], absent: str) -> None:
    assert absent not in told({**PLAIN, **more})


def test_older_keys_of_other_classes() -> None:
    gpt = {"model_type": "gpt2", "n_layer": 24, "n_embd": 1024, "n_head": 16, "n_positions": 1024, "vocab_size": 50257}
    found = told(gpt)
    assert [found[name] for name in ("n_layers", "hidden_size", "n_heads", "max_position_embeddings")] == [
        24, 1024, 16, 1024,
    ]  # fmt: skip
    dbrx = {
        "model_type": "dbrx", "n_layers": 40, "d_model": 6144, "n_heads": 48, "vocab_size": 100352,
        "attn_config": {"kv_n_heads": 8}, "ffn_config": {"moe_num_experts": 16, "moe_top_k": 4},
    }  # fmt: skip
    found = told(dbrx)
    assert (found["n_kv_heads"], found["n_experts"], found["n_experts_per_token"]) == (8, 16, 4)


@pytest.mark.parametrize("key", ["text_config", "llm_config", "language_config"])
def test_the_language_model_of_a_multimodal_one(key: str) -> None:
    outer = {
        "architectures": ["SomeForConditionalGeneration"], "model_type": "some_vl", "tie_word_embeddings": True,
        "torch_dtype": "float16", "vision_config": {"hidden_size": 1152, "num_hidden_layers": 27},
        key: {name: PLAIN[name] for name in PLAIN if name not in ("torch_dtype", "tie_word_embeddings")},
    }  # fmt: skip
    found = told(outer)
    assert (found["n_layers"], found["hidden_size"], found["dtype"], found["tied_embeddings"]) == (
        26, 2560, "float16", True,
    )  # fmt: skip
    assert not traps(outer)


def test_traps_of_a_config() -> None:
    latent = {**PLAIN, "kv_lora_rank": 384, "qk_rope_head_dim": 32, "qk_nope_head_dim": 96, "v_head_dim": 96}
    assert "mla" in traps(latent) and told(latent)["kv_lora_rank"] == 384
    assert traps({**PLAIN, "head_dim": 256}) == {"own-head-dim": {"divided": 128}}
    assert not traps({**PLAIN, "head_dim": 128})
    assert "window-off" in traps({**PLAIN, "sliding_window": 4096, "use_sliding_window": False})
    quantized = {**PLAIN, "quantization_config": {"quant_method": "gptq", "bits": 8, "group_size": 64}}
    assert "quantized-dtype" in traps(quantized) and list(read(quantized).kinds) == ["config", "quantization"]


def test_a_part_of_a_config_says_what_it_lacks() -> None:
    part = {name: PLAIN[name] for name in ("num_hidden_layers", "num_attention_heads", "num_key_value_heads")}
    assert traps(part)["fragment"] == {"missing": "hidden_size, vocab_size, dtype"}


# --- quantization ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (
            {"quant_method": "awq", "bits": 4, "group_size": 64, "zero_point": False,
             "modules_to_not_convert": ["a.b"]},
            {"quantization_method": "awq", "quantization_bits": 4, "quantization_group_size": 64,
             "quantization_zero_point": False, "modules_not_quantized": ["a.b"]},
        ),
        (
            {"quant_method": "gptq", "bits": 8, "group_size": -1, "desc_act": True},
            {"quantization_method": "gptq", "quantization_bits": 8, "quantization_group_size": -1},
        ),
        (
            {"quant_method": "bitsandbytes", "load_in_8bit": True, "load_in_4bit": False,
             "llm_int8_skip_modules": None},
            {"quantization_method": "bitsandbytes", "quantization_bits": 8},
        ),
        (
            {"quant_method": "fp8", "activation_scheme": "dynamic", "weight_block_size": [128, 128]},
            {"quantization_method": "fp8"},
        ),
        (
            {"quant_method": "compressed-tensors", "ignore": ["lm_head", "re:.*gate$"], "config_groups": {
                "group_0": {"weights": {"num_bits": 4, "group_size": 32}},
                "group_1": {"weights": {"num_bits": 8, "group_size": 32}}}},
            {"quantization_method": "compressed-tensors", "quantization_bits": 8, "quantization_group_size": 32,
             "modules_not_quantized": ["lm_head", "re:.*gate$"]},
        ),
        (
            {"quant_method": "hqq", "quant_config": {"weight_quant_params": {"nbits": 3, "group_size": 64}}},
            {"quantization_method": "hqq", "quantization_bits": 3, "quantization_group_size": 64},
        ),
    ],
)  # fmt: skip
def test_tables_of_every_method(table: dict[str, Any], expected: dict[str, Any]) -> None:
    assert told({"quantization_config": table}) == expected
    assert told(table) == expected
    assert "fragment" in traps(table)


def test_bits_of_several_groups_are_several_values() -> None:
    groups = {str(bits): {"weights": {"num_bits": bits}} for bits in (4, 8, 4)}
    found = read({"quantization_config": {"quant_method": "compressed-tensors", "config_groups": groups}})
    assert found.all("quantization_bits") == [4, 8]


def test_files_that_tools_write() -> None:
    assert told({"zero_point": True, "q_group_size": 128, "w_bit": 4, "version": "GEMM"}) == {
        "quantization_bits": 4, "quantization_group_size": 128, "quantization_zero_point": True,
    }  # fmt: skip
    modelopt = {
        "producer": {"name": "modelopt", "version": "0.29"},
        "quantization": {"quant_algo": "NVFP4", "group_size": 16, "exclude_modules": ["lm_head", "x"]},
    }
    assert told(modelopt) == {
        "quantization_method": "modelopt", "quantization_group_size": 16, "modules_not_quantized": ["lm_head", "x"],
    }  # fmt: skip
    assert traps(modelopt)["not-all-quantized"] == {"count": 2}


def test_an_index_of_safetensors_is_recognised() -> None:
    index = {"metadata": {"total_size": 1}, "weight_map": {"a.weight": "model-00001-of-00002.safetensors"}}
    assert list(read(index).kinds) == ["safetensors-index"]


@pytest.mark.parametrize(
    "document",
    [
        {"hidden_size": 12, "name": "a net"},
        {"model_type": "chart", "title": "x"},
        {"num_layers": 3, "d_model": 64},
        {"quant_method": "median"},
        {"bits": 4, "group_size": 2},
        {"quantization": "fast"},
        {"weight_map": {}},
        {"request_throughput": 3.0},
        {"avg_latency": 3.0},
        [],
        [1, {"a": 2}],
    ],
)
def test_other_json_is_not_claimed(document: Any) -> None:
    found = read(document)
    assert not found.kinds and not found.series


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    (
        *(key for keys in hf_config._KEYS.values() for key in keys), "model_type", "architectures", "layer_types",
        "quantization_config", "quant_method", "bits", "group_size", "config_groups", "ignore", "text_config",
        "attn_config", "ffn_config", "use_sliding_window", "sliding_window", "tie_word_embeddings", "torch_dtype",
        "weight_map", "producer", "quantization", "avg_latency", "latencies", "percentiles", "request_throughput",
        "duration", "output_throughput", "metadata", "requests_per_second", "tokens_per_second", "mean_ttft_ms",
    )
)  # fmt: skip


@given(st.dictionaries(KEYS, JSON, max_size=8) | JSON)
@settings(max_examples=120, deadline=None)
def test_no_json_is_too_strange(document: Any) -> None:
    out = Observations()
    registry._shown(document, out, None) if isinstance(document, dict | list) else None
    for value in (one for series in out.series.values() for one in series):
        assert isinstance(value, float | int | str | bool | tuple)


# --- cut off ---------------------------------------------------------------------------------------------------------

FULL = json.dumps(
    {
        **PLAIN,
        "layer_types": ["full_attention", "sliding_attention"] * 13,
        "sliding_window": 1024,
        "quantization_config": {
            "quant_method": "awq", "bits": 4, "group_size": 128, "modules_to_not_convert": ["gate", "lm, [head"],
        },
    },
    indent=2,
)  # fmt: skip
WHOLE = {name: list(series) for name, series in registry.read_text(FULL).series.items()}


@given(st.integers(0, len(FULL)))
@settings(max_examples=90, deadline=None)
def test_a_cut_config_gives_nothing_that_the_whole_one_does_not_say(at: int) -> None:
    found = registry.read_text(FULL[:at])
    assert {name: list(series) for name, series in found.series.items()}.items() <= WHOLE.items()
    if found.series and at < len(FULL):
        assert "cut" in {trap.id for trap in found.traps}


def test_most_of_a_cut_config_is_read() -> None:
    cut = FULL[: FULL.index('"group_size"')]
    found = registry.read_text("$ cat config.json\n" + cut)
    assert (found.one("n_layers"), found.one("vocab_size"), found.one("quantization_bits")) == (26, 65024, 4)
    assert found.line_of("n_layers") == 2


@given(st.dictionaries(st.text(max_size=4), JSON, max_size=4), st.integers(0, 200))
@settings(max_examples=80, deadline=None)
def test_members_before_a_cut_are_whole(document: dict[str, Any], at: int) -> None:
    text = json.dumps(document)
    found = before_the_cut(text[: min(at, len(text) - 1)])

    def within(part: Any, whole: Any) -> bool:
        if isinstance(part, dict) and isinstance(whole, dict):
            return all(key in whole and within(value, whole[key]) for key, value in part.items())
        return bool(part == whole)

    assert found is None or within(found, document)


def test_quotes_without_end_take_no_time() -> None:
    for text in ('{"a": "' + '\\"' * 30_000, '{\n"' + '"' * 60_000, "{" * 60_000, '{"a":' * 20_000):
        assert not registry.read_text(text).series


def test_the_table_needs_more_than_its_name() -> None:
    assert hf_quantization.table_of({"quant_method": "awq"}) is None
    assert hf_quantization.table_of(["quant_method"]) is None
