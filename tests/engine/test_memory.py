"""KV bytes of catalogue models whose layers do not all keep everything."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.catalog import Model, NoValues, formula_values, model, models
from engine.formulas.registry import result
from engine.memory import index_bytes, kept, kv_bytes, kv_bytes_per_token, layer_bytes, number_bytes, state_bytes

SIZED = [entry for entry in models() if not entry.cannot_size]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("llama-2-7b", 524288), ("llama-3.1-8b", 131072), ("google/gemma-7b", 458752), ("gemma-2-27b", 376832),
        ("qwen3-0.6b", 114688),
        ("deepseek-v3", 70272), ("Qwen/Qwen3.5-27B", 65536), ("Qwen/Qwen3-Next-80B-A3B-Instruct", 24576),
        ("falcon-7b", 8192),
    ],
)  # fmt: skip
def test_bytes_of_one_token(name: str, expected: int) -> None:
    assert kv_bytes_per_token(model(name)) == expected


def test_sliding_layers_keep_their_window_and_no_more() -> None:
    gemma = model("gemma-2-9b")  # 21 full and 21 sliding layers, window 4096
    per_layer = 2 * 8 * 256 * 2
    assert kv_bytes(gemma, 4096) == 42 * 4096 * per_layer
    assert kv_bytes(gemma, 8192) == 21 * per_layer * (8192 + 4096)
    mistral = model("mistralai/Mistral-7B-v0.1")  # every layer slides
    assert kv_bytes(mistral, 10**6) == kv_bytes(mistral, 4096)


def test_a_lower_precision_and_more_requests_scale_the_bytes() -> None:
    entry = model("llama-3.1-8b")
    assert kv_bytes(entry, 1000, 1) * 2 == kv_bytes(entry, 1000)
    assert kv_bytes(entry, 1000, "1/2") * 4 == kv_bytes(entry, 1000)
    assert kv_bytes(entry, 1000, requests=16) == 16 * kv_bytes(entry, 1000)


def test_models_without_one_right_figure_are_refused() -> None:
    with pytest.raises(NoValues) as caught:
        kv_bytes(model("google/gemma-4-31B-it"), 1)
    assert caught.value.reason == "cannot-size"


@given(st.sampled_from(SIZED), st.integers(1, 10**6), st.integers(1, 10**6))
def test_more_tokens_never_need_less(entry: Model, one: int, other: int) -> None:
    low, high = sorted((one, other))
    assert 0 < kv_bytes(entry, low) <= kv_bytes(entry, high) <= Fraction(high, low) * kv_bytes(entry, low)


def test_plain_models_agree_with_the_formula() -> None:
    for entry in SIZED:
        if entry.not_plain is None:
            given_values = formula_values(entry, ("L", "n_kv_heads", "d_head", "p"))
            assert kv_bytes(entry, 777, requests=3) == result("kv_cache", {**given_values, "B": 3, "S": 777})


# --- several cards, scales, states, index keys ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "tp", "expected"),
    [
        ("qwen3-235b-a22b", 4, 48128),  # vllm#21348: 4 KV heads on 4 cards
        ("qwen3-235b-a22b", 8, 48128),  # and copied on 8
        ("qwen2.5-32b", 2, 131072),  # vllm#15815
        ("deepseek-v3", 8, 70272),  # the latent vector is on every card
        ("llama-3.1-8b", 3, 49152),  # 8 heads on 3 cards: one of them has 3
    ],
)  # fmt: skip
def test_bytes_of_one_token_on_one_of_several_cards(name: str, tp: int, expected: int) -> None:
    assert kv_bytes_per_token(model(name), tp=tp) == expected


def test_pipeline_stages_hold_the_cache_of_their_layers() -> None:
    entry = model("llama-3.1-8b")
    assert kv_bytes(entry, 100, pp=4) * 4 == kv_bytes(entry, 100)
    assert kv_bytes(entry, 100, pp=5) == kv_bytes(entry, 100) * Fraction(7, 32)  # 6 or 7 of 32 layers


def test_scales_come_on_top_of_a_quantized_cache() -> None:
    entry = model("llama-3.1-8b")
    assert number_bytes(entry, "fp8") == 1
    assert kv_bytes_per_token(entry, number_bytes(entry, "q8_0")) == 65536 * Fraction(17, 16)
    assert number_bytes(entry, "int4") == Fraction(1, 2) + Fraction(4, 128)


def test_a_fixed_state_does_not_grow() -> None:
    entry = model("Qwen/Qwen3.5-27B")  # 48 layers of 48 heads, 128 x 128, and three positions of convolution
    assert state_bytes(entry) == 48 * (48 * 128 * 128 * 4 + 3 * (2 * 16 * 128 + 48 * 128) * 2)
    assert state_bytes(entry, 3, tp=2) * 2 == 3 * state_bytes(entry)
    assert state_bytes(entry, pp=3) == state_bytes(entry) * Fraction(22, 64)  # 64 layers in stages of 21, 22, 21
    assert state_bytes(model("llama-3.1-8b")) == 0
    assert kv_bytes(entry, 10) == 10 * 65536


SPARSE = [entry for entry in SIZED if entry.mla and entry.mla.index_key]


def test_index_keys_come_on_top_of_sparse_attention() -> None:
    assert index_bytes(model("deepseek-ai/DeepSeek-V3.2"), 1) == 61 * 132
    assert index_bytes(model("deepseek-v3"), 1000) == 0
    assert index_bytes(model("zai-org/GLM-5.3"), 10, 2) == 21 * 132 * 20
    assert index_bytes(model("zai-org/GLM-5.3-Flash"), 8) == 11 * 132 * 2  # four tokens share a key


@pytest.mark.parametrize(
    ("name", "form", "layer"),
    [
        ("deepseek-v3.2", "auto", 61 * (1152 + 132)), ("deepseek-v3.2", "fp8", 61 * (656 + 132)),
        ("glm-5", "auto", 78 * (1152 + 132)), ("glm-5.3", "fp8", 78 * 656 + 21 * 132), ("deepseek-v3", "fp8", 61 * 576),
    ],
)  # fmt: skip
def test_the_cache_of_sparse_attention_has_its_keys_in_it(name: str, form: str, layer: int) -> None:
    """656 bytes in FP8 are 512 numbers, four scales of FP32 and 64 rotary numbers of 16 bits."""
    entry = model(name)
    for tp in (1, 8):  # neither is shared out
        assert kv_bytes_per_token(entry, number_bytes(entry, form), tp=tp) == layer


@given(st.sampled_from(SPARSE), st.sampled_from(["auto", "fp8", "int8"]), st.integers(1, 10**6), st.integers(1, 8))
def test_keys_are_what_the_same_model_without_an_indexer_lacks(
    entry: Model, form: str, tokens: int, requests: int
) -> None:
    assert entry.mla is not None
    plain, p = entry._replace(mla=entry.mla._replace(index_key=0)), number_bytes(entry, form)
    for tp in (1, 4):
        one = kv_bytes(entry, tokens, p, requests, tp)
        assert one - kv_bytes(plain, tokens, p, requests, tp) == index_bytes(entry, tokens, requests) > 0
    assert number_bytes(entry, form) >= number_bytes(plain, form)
    assert index_bytes(plain, tokens, requests) == 0


def test_only_sparse_attention_has_keys() -> None:
    assert {entry.id.split("/")[1] for entry in SPARSE} == {"DeepSeek-V3.2", "GLM-5", "GLM-5.3", "GLM-5.3-Flash"}
    assert all(index_bytes(entry, 1000) == 0 for entry in SIZED if entry not in SPARSE)


def test_layers_by_what_they_keep() -> None:
    assert [(one.kind, one.layers) for one in kept(model("gemma-3-27b-it"))] == [("full", 10), ("window", 52)]
    assert [(one.kind, one.layers) for one in kept(model("llama-3.1-8b"))] == [("full", 32)]
    assert [(one.kind, one.layers) for one in kept(model("Qwen/Qwen3.5-27B"))] == [("full", 16), ("state", 48)]
    assert kept(model("meta-llama/Llama-4-Scout-17B-16E-Instruct"))[1].kind == "chunk"


@given(st.sampled_from(SIZED), st.integers(1, 64))
def test_cards_never_hold_less_than_their_share(entry: Model, tp: int) -> None:
    one, many = layer_bytes(entry), layer_bytes(entry, tp=tp)
    assert one <= many * tp
    assert many <= one
