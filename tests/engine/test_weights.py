"""Parameters by class, exactly; bytes by class; what one card of several holds."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.catalog import Model, model, models
from engine.catalog.families import FAMILIES
from engine.experts import touched
from engine.parallel import Parallel, kv_heads, stage_layers
from engine.precision import FORMATS, UnknownFormat, find
from engine.tensors import is_exact, tensors
from engine.weights import by_class, per_gpu, rope_table

ALL = models()
EXACT = [entry for entry in ALL if is_exact(entry)]
FORMAT = st.sampled_from(sorted(FORMATS))
NOT_NAMED = {
    "google/gemma-3n-E4B-it", "google/gemma-4-26B-A4B-it", "google/gemma-4-31B-it", "deepseek-ai/DeepSeek-V4-Flash",
    "zai-org/GLM-5.3-Flash", "moonshotai/Kimi-K3",
}  # fmt: skip


def test_every_parameter_of_nearly_every_model_has_a_name() -> None:
    assert {entry.id for entry in ALL} - {entry.id for entry in EXACT} == NOT_NAMED


@pytest.mark.parametrize("entry", EXACT, ids=lambda entry: entry.id)
def test_the_named_parameters_are_the_published_count(entry: Model) -> None:
    weights = by_class(entry, "bf16")
    assert weights.params == entry.params
    assert weights.of("other").params == 0
    if entry.active is not None:
        assert weights.active == entry.active
    if entry.matmul is not None:
        assert weights.matmul == entry.matmul


@pytest.mark.parametrize("name", sorted(NOT_NAMED))
def test_what_has_no_name_is_one_lump_and_the_total_holds(name: str) -> None:
    weights = by_class(model(name), "bf16")
    assert not weights.exact
    assert weights.params == model(name).params
    assert weights.of("other").params > 0
    assert weights.active <= weights.params


def test_counts_that_papers_print() -> None:
    llama = by_class(model("llama-3-70b"), "bf16")
    assert llama.of("embedding").params + llama.of("head").params == 2 * 8192 * 128256  # scaling book: 2.1e9
    book = model("llama-3-70b")._replace(
        params=0, layers=64, d_model=4096, ffn=16384, heads=32, kv_heads=8, head_dim=256, vocab=32128, tied=True
    )
    assert by_class(book, "bf16").params == pytest.approx(18.4e9, rel=0.002)  # scaling book, inference, problem 1
    assert by_class(model("mixtral-8x7b"), "bf16").active == 12_879_925_248
    assert by_class(model("gpt-oss-120b"), "bf16").params == 116_829_156_672


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_format_leaves_alone_what_it_leaves_alone(name: str) -> None:
    entry = model("Qwen/Qwen3-30B-A3B")
    weights, plain = by_class(entry, name), by_class(entry, "bf16")
    form = find(name)
    for part in plain.parts:
        if all(kind != part.kind for kind, _ in form.layouts):
            assert weights.of(part.kind).bytes == part.bytes
    assert weights.params == plain.params


def test_overall_bits_are_above_the_formats() -> None:
    """A 4-bit 7B with a large vocabulary has nearly six bits a weight."""
    weights = by_class(model("Qwen/Qwen2.5-7B"), "awq")
    assert float(weights.bytes * 8 / weights.params) == pytest.approx(5.85, abs=0.03)
    assert weights.of("embedding").bytes == 2 * weights.of("embedding").params


def test_kept_modules_stay_16_bit() -> None:
    entry = model("Qwen/Qwen3-30B-A3B")
    kept = by_class(entry, find("awq").keeping({"attention"}))
    assert kept.of("attention").bytes == 2 * kept.of("attention").params
    assert kept.of("expert").bytes == by_class(entry, "awq").of("expert").bytes


def test_gguf_embeddings_are_quantized_and_a_tied_one_as_the_head() -> None:
    tied, own = by_class(model("llama-3.2-3b"), "q4_k_m"), by_class(model("llama-3.1-8b"), "q4_k_m")
    assert tied.of("embedding").bytes == tied.of("embedding").params * Fraction(210, 256)
    assert own.of("embedding").bytes == own.of("embedding").params * Fraction(144, 256)
    assert own.of("small").bytes == 4 * own.of("small").params


def test_unknown_formats_are_refused() -> None:
    with pytest.raises(UnknownFormat):
        by_class(model("llama-2-7b"), "fp7")


@given(st.sampled_from(ALL), FORMAT, st.integers(1, 10**6), st.integers(1, 10**6))
def test_a_step_reads_no_more_than_there_is_and_no_less_for_more_tokens(
    entry: Model, form: str, one: int, other: int
) -> None:
    weights = by_class(entry, form)
    low, high = sorted((one, other))
    assert 0 < weights.active_bytes(low) <= weights.active_bytes(high) <= weights.bytes


def test_a_dense_step_reads_everything_but_the_embedding() -> None:
    weights = by_class(model("llama-2-7b"), "fp16")
    assert weights.active_bytes(1) == weights.bytes - weights.of("embedding").bytes + 4096 * 2
    tied = by_class(model("llama-3.2-1b"), "bf16")
    assert tied.active_bytes(1) == tied.bytes


def test_one_token_of_a_mixture_reads_its_experts_and_many_read_all() -> None:
    weights = by_class(model("mixtral-8x7b"), "bf16")
    experts = weights.of("expert")
    assert weights.active_bytes(1) == 2 * weights.matmul + 4096 * 2
    assert weights.active_bytes(2) - weights.active_bytes(1) == experts.bytes * (touched(8, 2, 2) - 2) / 8 + 4096 * 2
    assert weights.bytes - weights.active_bytes(4096) < Fraction(1, 100) * weights.bytes


# --- several cards -------------------------------------------------------------------------------------------------


def test_one_card_holds_everything() -> None:
    for entry in ALL:
        assert per_gpu(entry, "bf16", Parallel()) == by_class(entry, "bf16").bytes


@given(st.sampled_from(ALL), FORMAT, st.sampled_from([1, 2, 4, 8]), st.sampled_from([1, 2, 4]))
def test_cards_share_and_together_hold_it_all(entry: Model, form: str, tp: int, pp: int) -> None:
    whole, part = by_class(entry, form).bytes, per_gpu(entry, form, Parallel(tp, pp))
    assert whole / (tp * pp) <= part <= whole


def test_norms_and_kv_heads_beyond_the_heads_are_copied() -> None:
    entry = model("qwen3-235b-a22b")  # 4 KV heads
    assert [kv_heads(entry, tp) for tp in (1, 2, 4, 8, 16)] == [4, 2, 1, 1, 1]
    small = by_class(entry, "bf16").of("small").bytes
    assert per_gpu(entry, "bf16", Parallel(8)) > (by_class(entry, "bf16").bytes - small) / 8 + small


def test_experts_go_whole_to_cards_under_expert_parallelism() -> None:
    entry = model("deepseek-v3")
    tensor, expert = per_gpu(entry, "fp8-tile", Parallel(8)), per_gpu(entry, "fp8-tile", Parallel(8, ep=8))
    assert tensor == expert  # 256 experts by 8: the same bytes, other cuts
    assert per_gpu(entry, "fp8-tile", Parallel(8, ep=7)) > expert


@given(st.integers(1, 128), st.integers(1, 16))
def test_stages_hold_all_layers_and_the_last_no_more_than_others(layers: int, stages: int) -> None:
    counts = stage_layers(layers, min(stages, layers))
    assert sum(counts) == layers
    assert max(counts) - min(counts) <= 1
    assert counts[-1] == min(counts)


def test_impossible_spreads_are_refused() -> None:
    for spread in (Parallel(0), Parallel(1, 33), Parallel(-1, 1)):
        with pytest.raises(ValueError, match="spread"):
            per_gpu(model("llama-2-7b"), "fp16", spread)


def test_the_rope_table() -> None:
    assert rope_table(model("llama-3.1-8b")) == 32 * 2**20
    assert rope_table(model("mistralai/Mistral-7B-v0.1"), 32768) == 8 * 2**20
    assert rope_table(model("opt-13b")) == rope_table(model("bigscience/bloom")) == 0


def test_every_tensor_is_whole() -> None:
    for entry in ALL:
        for one in tensors(entry):
            assert one.copies > 0 and one.rows > 0 and one.columns > 0 and 0 <= one.used <= one.copies


def test_every_family_of_the_catalogue_is_known_or_lumped() -> None:
    assert {entry.family for entry in EXACT} <= set(FAMILIES)


def test_models_and_formats_of_one_name_are_told_apart() -> None:
    entry, form = model("llama-3.1-8b"), find("awq")
    longer, kept = entry._replace(context=2 * entry.context), form.keeping({"attention"})
    assert hash(entry) == hash(longer)
    assert rope_table(longer) == 2 * rope_table(entry)
    assert hash(form) == hash(kept)
    assert by_class(entry, kept).bytes > by_class(entry, form).bytes
