"""How large the probe makes everything, and what it reads as a request."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.catalog import model
from engine.flops import pairs, step_flops
from engine.flops import prefill as prefill_piece
from engine.formulas.registry import result
from engine.probe.program import request, sizes
from engine.probe.program.model import Case, Facts, Shape
from tests.engine.probe_card import CPU, GB, H200, asked

LLAMA = Shape(4096, 14336, 32, 8, 128, True)


def card(free: float, **fields: object) -> Facts:
    return H200._replace(free=int(free), **fields)  # type: ignore[arg-type]


def test_the_default_stack_is_that_of_the_study() -> None:
    made = sizes.plan(H200, 149 * GB, "bf16", asked())
    assert (made.shape, made.layers, made.origin) == (LLAMA, 4, "default")
    assert made.layer_bytes == 436_207_616
    gate = 2 * 4096 * 14336 * 2
    assert gate == 234_881_024, "the fused gate and up matrix: 235 MB"
    assert made.kv_budget <= GB
    assert made.scratch == 320 * 10**6


@pytest.mark.parametrize(
    ("free", "d_model", "origin"),
    [(20e9, 4096, "default"), (5.9e9, 2048, "reduced"), (1.9e9, 1536, "reduced"), (0.3e9, 1536, "reduced")],
)
def test_little_memory_makes_small_stacks(free: float, d_model: int, origin: str) -> None:
    made = sizes.plan(card(free), int(free), "bf16", asked())
    assert (made.shape.d_model, made.origin) == (d_model, origin)


def test_a_slice_is_given_a_small_stack() -> None:
    assert sizes.plan(card(9e9, slice="1g.10gb"), 9 * GB, "bf16", asked()).shape.d_model == 1536


def test_the_workloads_own_shape_is_taken_where_it_fits() -> None:
    large = Shape(8192, 28672, 64, 8, 128, True)
    made = sizes.plan(H200, 149 * GB, "bf16", asked(shape=large, layers=80))
    assert (made.shape, made.origin, made.layers) == (large, "case", 1)
    huge = Shape(16384, 53248, 128, 8, 128, True)
    assert sizes.plan(H200, 149 * GB, "bf16", asked(shape=huge)).weight_bytes > sizes.WEIGHTS, "one layer, over 2 GB"
    small = sizes.plan(card(8e9), 8 * GB, "bf16", asked(shape=huge))
    assert (small.shape, small.origin) == (LLAMA, "reduced")


def test_a_small_model_has_no_more_layers_than_it_has_unless_the_cache_would_hold_them() -> None:
    tiny = Shape(896, 4864, 14, 2, 64, True)
    made = sizes.plan(H200, 149 * GB, "bf16", asked(shape=tiny, layers=12))
    assert made.weight_bytes >= 8 * (H200.cache or 0)
    assert made.layers > 12
    medium = Shape(2048, 8192, 32, 8, 64, True)
    assert sizes.plan(H200, 149 * GB, "bf16", asked(shape=medium, layers=16)).layers == 16


SHAPES = st.one_of(
    st.none(),
    st.builds(
        lambda d, ff, kv, group, head, gated: Shape(d, ff, kv * group, kv, head, gated),
        st.integers(256, 16384), st.integers(256, 65536), st.integers(1, 16), st.integers(1, 16),
        st.sampled_from([64, 80, 128, 256]), st.booleans(),
    ),
)  # fmt: skip


@given(st.integers(sizes.NEEDED, 300 * GB), st.sampled_from(["bf16", "fp32"]), SHAPES, st.sampled_from([H200, CPU]),
       st.one_of(st.none(), st.integers(0, 300 << 20)), st.floats(1, 60), st.floats(1e9, 1e13))  # fmt: skip
def test_memory_is_bounded_whatever_is_asked(
    free: int, dtype: str, shape: Shape | None, base: Facts, cache: int | None, seconds: float, rate: float
) -> None:
    facts = base._replace(cache=cache)
    made = sizes.plan(facts, free, dtype, asked(seconds, shape=shape, layers=32), rate)
    assert made.layers >= 1
    assert made.budget <= 0.75 * free
    assert made.weight_bytes <= 0.35 * free
    assert made.kv_budget <= min(GB, free / 4)
    assert sizes.most_tokens(made, prompt=False) >= 1
    copied, read = sizes.buffer(facts, made)
    assert 0 < 2 * copied <= made.weight_bytes
    assert read <= made.weight_bytes
    if facts.kind == "cpu":
        assert made.weight_bytes <= 192 * 10**6
    elif made.weight_bytes < 8 * (cache or 0):
        assert made.layer_bytes * (made.layers + 1) > 0.35 * free, "less than eight caches only where no more fits"


@given(st.integers(1, 4096), st.integers(1, 1 << 21), st.integers(sizes.LITTLE, 200 * GB))
def test_a_case_shrinks_until_one_layer_of_it_fits(batch: int, context: int, free: int) -> None:
    made = sizes.plan(H200, free, "bf16", asked())
    found_batch, found_context, layers = sizes.case(made, Case(batch, context, None))
    assert 1 <= found_batch <= batch
    assert 1 <= found_context <= context
    assert 1 <= layers <= made.layers
    assert layers * sizes.cache_bytes(made, found_batch, found_context) <= made.kv_budget
    if found_context < context:
        assert found_batch == 1, "the batch shrinks before the context"


def test_caches_are_rotated_past_the_processors_cache() -> None:
    made = sizes.plan(H200, 149 * GB, "bf16", asked())
    assert sizes.cache_layers(H200, made, 1, 1024) * sizes.cache_bytes(made, 1, 1024) >= 8 * (H200.cache or 0)
    assert sizes.cache_layers(H200, made, 32, 4096) == 1
    assert sizes.cache_layers(H200, made, 1024, 8192) == 0


def test_amd_is_never_sized_under_512_megabytes() -> None:
    """Its reported cache leaves out the Infinity Cache."""
    for cache in (None, 4 << 20):
        assert sizes.rotation(H200._replace(backend="rocm", cache=cache)) == 512 * 10**6
    assert sizes.rotation(H200._replace(cache=None)) == 512 * 10**6


def test_flops_and_bytes_are_those_of_the_formulas() -> None:
    """The program imports nothing of the project; the tests do."""
    made = sizes.plan(H200, 149 * GB, "bf16", asked(shape=LLAMA, layers=4))
    llama = model("llama-3.1-8b")
    whole = step_flops(llama, [prefill_piece(2048)])
    layers = llama.full_layers
    assert sizes.causal_pairs(2048) == pairs(2048, 0)
    assert sizes.attention_flops(made, sizes.causal_pairs(2048), layers) == whole.attention
    norms = 2048 * 2 * (2 * layers + 1) * llama.d_model
    assert sizes.linear_flops(made, 2048, layers) == whole.matrices - norms
    kv = result("kv_cache", {"B": 8, "S": 4096, "L": 1, "n_kv_heads": 8, "d_head": 128, "p": 2})
    assert sizes.cache_bytes(made, 8, 4096) == kv


def test_the_memorys_own_rate_is_that_of_the_data_sheets() -> None:
    assert Facts("cuda", "cuda", "H100", memory_clock=2619, memory_bus_bits=5120).bandwidth == pytest.approx(
        3.35e12, rel=0.01
    )
    assert Facts("cuda", "cuda", "3090", memory_clock=9751, memory_bus_bits=384).bandwidth == pytest.approx(
        936e9, rel=0.01
    )
    assert H200._replace(backend="rocm").bandwidth is None
    assert H200._replace(integrated=True).bandwidth is None
    assert H200._replace(memory_clock=None).bandwidth is None


# --- requests --------------------------------------------------------------------------------------------------------


def line(**fields: object) -> str:
    return json.dumps({"protocol": 1, "device": "auto", "seconds": 25.0, **fields})


def test_a_request_is_read() -> None:
    read = request.read(line(
        shape=LLAMA._asdict(), case={"batch": 8, "context": 4096, "prompt": 512}, layers=32, zeros=True,
    ))  # fmt: skip
    assert read == ("auto", 25.0, LLAMA, Case(8, 4096, 512), 32, True)
    assert request.read('{"protocol": 1}') == ("auto", 25.0, None, None, None, False)
    assert request.read(line(case={"batch": 1, "context": 1})).case == Case(1, 1, None)


@pytest.mark.parametrize(
    "bad",
    [
        "", "{", "[]", "7", "null", '{"protocol": 2}', line(device="tpu"), line(seconds=0), line(seconds=-1),
        line(seconds="25"), line(seconds=True), line(seconds=1e9), '{"protocol": 1, "seconds": NaN}',
        '{"protocol": 1, "seconds": 1e999}', line(shape=[]), line(shape={}), line(layers=0), line(layers=1.5),
        line(case={"batch": 0, "context": 1}), line(case={"batch": 1}), line(case=8), line(layers=10**12),
        line(shape={**LLAMA._asdict(), "n_head": 33}), line(shape={**LLAMA._asdict(), "d_ff": "14336"}),
        "[" * 100_000,
    ],
)  # fmt: skip
def test_a_bad_request_is_one_sentence(bad: str) -> None:
    with pytest.raises(ValueError) as error:
        request.read(bad)
    assert 0 < len(str(error.value)) < 100
    assert "\n" not in str(error.value)
