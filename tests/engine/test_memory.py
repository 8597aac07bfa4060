"""KV bytes of catalogue models whose layers do not all keep everything."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.catalog import Model, NoValues, formula_values, model, models
from engine.formulas.registry import result
from engine.memory import kv_bytes, kv_bytes_per_token

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
