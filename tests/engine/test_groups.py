"""Blocks of one and of several groups of layers, to the digit where vLLM printed it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.catalog import Model, NoValues, model, models
from engine.groups import grouping, longest, room, state_block
from engine.memory import kv_bytes, kv_bytes_per_token, number_bytes

SIZED = [entry for entry in models() if not entry.cannot_size]
GEMMA = model("google/gemma-3-27b-it")


def test_gemma_3_27b_as_vllm_printed_it() -> None:
    """15,998 blocks, 36,560 tokens, 4.46x at 8,192, at most 15.38 % wasted (calculators.md, section 4.5)."""
    layers = grouping(GEMMA)
    assert [(one.kind, one.layers, one.groups, one.padding) for one in layers.groups] == [
        ("full", 10, 1, 0), ("window", 52, 6, 8),
    ]  # fmt: skip
    assert float(layers.padding_share) == pytest.approx(0.1538, abs=5e-5)
    fits = room(15_998 * layers.block_bytes, layers, 8192, 8192)
    assert (fits.blocks, fits.tokens) == (15_998, 36_560)
    assert round(float(fits.concurrency), 2) == 4.46


def test_a_large_step_takes_the_saving_of_a_window_away() -> None:
    layers = grouping(GEMMA)
    assert layers.need(8192, 8192) == 512 + 6 * 513
    assert layers.need(8192, 512) == 512 + 6 * (96 + 1)


def test_newer_versions_print_tokens_as_concurrency_times_length() -> None:
    layers = grouping(GEMMA)
    old, new = (room(15_998 * layers.block_bytes, layers, 8192, 8192, redefined) for redefined in (False, True))
    assert new.concurrency == old.concurrency
    assert new.tokens == int(old.concurrency * 8192) != old.tokens


def test_versions_without_groups_count_a_window_as_full() -> None:
    layers = grouping(GEMMA, pooled=False)
    assert layers.plain
    assert layers.block_bytes == 16 * kv_bytes_per_token(GEMMA)


def test_equal_counts_make_two_groups_without_padding() -> None:
    layers = grouping(model("gpt-oss-120b"))
    assert (layers.size, layers.total, layers.padding_share) == (18, 2, 0)


def test_nearly_equal_counts_are_grouped_by_the_larger() -> None:
    """24 and 20 layers: two groups of 24, not three of 20."""
    layers = grouping(model("gpt-oss-120b")._replace(layers=44, full_layers=20, sliding_layers=24))
    assert (layers.size, layers.total) == (24, 2)
    assert [one.padding for one in layers.groups] == [4, 0]


def test_a_state_makes_large_blocks() -> None:
    entry = model("Qwen/Qwen3-Next-80B-A3B-Instruct")
    assert state_block(entry) == 544  # vllm PR#32492
    layers = grouping(entry)
    assert (layers.size, layers.total, layers.block_size) == (12, 4, 544)
    assert layers.need(544 * 10, 8192) == 10 + 3  # a block for the state of each of three groups
    assert state_block(entry, tp=2) == 544  # heads and states halve together


@pytest.mark.parametrize(
    ("name", "form", "tokens"),
    [
        ("Qwen/Qwen3.5-9B", "auto", 528), ("Qwen/Qwen3.5-9B", "fp8", 1056), ("Qwen/Qwen3.5-27B", "auto", 784),
        ("Qwen/Qwen3.6-27B", "fp8", 1568), ("Qwen/Qwen3.5-35B-A3B", "auto", 1056),
    ],
)  # fmt: skip
def test_blocks_are_as_large_as_vllm_printed(name: str, form: str, tokens: int) -> None:
    """ "Setting attention block size to N tokens" (vllm#40696, #54607, and logs of 2026): states are 32-bit here, and
    neither they nor the convolution's follow the format of the cache."""
    assert grouping(model(name), number_bytes(model(name), form)).block_size == tokens


def test_every_block_of_a_model_with_states_has_pages_of_index_keys() -> None:
    """GLM-5.3-Flash: 11 layers of latents, 34 of states in four groups, and as many pages of keys as of latents."""
    layers = grouping(model("zai-org/GLM-5.3-Flash"), tp=4)
    assert [(one.kind, one.layers, one.groups) for one in layers.groups] == [("full", 11, 1), ("state", 34, 4)]
    assert layers.block_bytes == layers.block_size * 11 * (512 * 2 + 33)


def test_pages_grow_with_the_state() -> None:
    for entry in SIZED:
        if entry.hybrid and entry.hybrid.linear.layers:
            assert state_block(entry, p_state=4) > state_block(entry, p_state=2) > 0
            assert state_block(entry) % 16 == 0


def test_models_without_one_right_figure_are_refused() -> None:
    with pytest.raises(NoValues):
        grouping(model("google/gemma-4-31B-it"))


@given(st.sampled_from(SIZED), st.integers(0, 2**38), st.integers(1, 200_000), st.sampled_from([512, 2048, 8192]))
def test_what_fits_takes_no_more_than_there_is(entry: Model, budget: int, length: int, batched: int) -> None:
    layers = grouping(entry)
    fits = room(Fraction(budget), layers, length, batched)
    assert fits.blocks * layers.block_bytes <= budget < (fits.blocks + 1) * layers.block_bytes
    assert fits.tokens >= 0 and fits.concurrency >= 0
    assert (fits.concurrency >= 1) == (layers.need(length, batched) <= fits.blocks) or layers.plain


@given(st.sampled_from(SIZED), st.integers(1, 10**6), st.sampled_from([512, 8192]))
def test_the_longest_request_fits_and_one_token_more_does_not(entry: Model, blocks: int, batched: int) -> None:
    layers = grouping(entry)
    most = longest(blocks, layers, batched)
    if most:
        assert layers.need(most, batched) <= blocks
    if any(one.kind == "full" for one in layers.groups):
        assert layers.need(most + 1, batched) > blocks


@given(st.sampled_from([entry for entry in SIZED if entry.not_plain in (None, "mla")]), st.sampled_from([1, 2, 4, 8]))
def test_plain_models_are_divided_plainly(entry: Model, tp: int) -> None:
    layers = grouping(entry, tp=tp)
    assert layers.plain
    assert grouping(entry, tp=tp, pp=2).block_bytes == kv_bytes(entry, 16, tp=tp, pp=2)
    assert layers.block_bytes == kv_bytes(entry, 16, tp=tp)
    assert room(Fraction(2**34), layers, 4096, 2048).tokens == 2**34 // kv_bytes(entry, 16, tp=tp) * 16


def test_nothing_fits_into_less_than_nothing() -> None:
    fits = room(Fraction(-(10**9)), grouping(GEMMA), 8192, 8192)
    assert (fits.blocks, fits.tokens, fits.concurrency) == (0, 0, 0)
