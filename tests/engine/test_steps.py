"""Steps of catalogue models on catalogue cards: measured anchors, and which lever moves what."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import flops, precision, serving, steps
from engine.catalog import NoValues, gpu, gpus, model, models
from engine.efficiency import IDEAL
from engine.steps import Setup, decode, prefill

F = Fraction
FORMATS = ("bf16", "fp8", "w8a8", "awq", "q4_k_m", "mxfp4")
SIZED = [entry for entry in models() if not entry.cannot_size and entry.matmul is not None]


def setup(name: str, card: str, form: str = "bf16", **more: object) -> Setup:
    return Setup(model(name), gpu(card), precision.find(form))._replace(**more)


@pytest.mark.parametrize(
    ("name", "card", "form", "milliseconds", "source"),
    [
        ("llama-2-7b", "A100 SXM 80GB", "bf16", 1000 / 107, "PyTorch gpt-fast blog: 107 tokens/s"),
        ("llama-2-7b", "RTX 4090", "bf16", 15.5, "AWQ paper: 15.5 ms a token"),
        ("llama-2-13b", "A100 SXM 40GB", "bf16", 22.0, "kipply's profile of FasterTransformer: 22.0 ms"),
        ("llama-2-7b", "RTX 4090", "q4_0", 1000 / 186.21, "llama.cpp discussion 15013: 186 tokens/s"),
    ],
)  # fmt: skip
def test_measured_decode_steps_lie_in_the_band(
    name: str, card: str, form: str, milliseconds: float, source: str
) -> None:
    time = decode(setup(name, card, form), 1, 256).time
    assert float(time.low) <= milliseconds / 1000 <= float(time.high), source


def test_a_measured_prefill_lies_in_the_band() -> None:
    """kipply's profile: 512 tokens of a 13B on A100-40, 63.17 ms."""
    found = prefill(setup("llama-2-13b", "A100 SXM 40GB"), 512)
    assert found.time.low <= F("0.06317") <= found.time.high
    assert abs(found.seconds / F("0.06317") - 1) < F(1, 10)


def test_what_a_format_saves_where() -> None:
    def gain(card: str, form: str, prompt: bool) -> Fraction:
        plain, other = setup("llama-3.1-8b", card), setup("llama-3.1-8b", card, form)
        ask = (lambda s: prefill(s, 4096)) if prompt else (lambda s: decode(s, 1, 512))
        return ask(plain).seconds / ask(other).seconds

    assert gain("H100 SXM", "awq", prompt=False) > 2 > F("1.01") > gain("H100 SXM", "awq", prompt=True)
    assert F("1.2") < gain("H100 SXM", "fp8", prompt=True) < 2
    assert gain("A100 SXM 80GB", "fp8", prompt=True) < F("1.01"), "no FP8 unit: bytes saved, no FLOPs"
    assert gain("A100 SXM 80GB", "fp8", prompt=False) > F("1.3")
    assert gain("A100 SXM 80GB", "w8a8", prompt=True) > F("1.2")
    assert gain("V100 SXM2 32GB", "w8a8", prompt=True) < F("1.01")


def test_the_unit_follows_the_card_and_the_stack() -> None:
    assert setup("llama-3.1-8b", "H100 SXM", "fp8").unit == "fp8"
    assert setup("llama-3.1-8b", "A100 SXM 80GB", "fp8").unit == "16-bit"
    assert setup("llama-2-7b", "RTX 4090", "q4_0", stack="llama.cpp").unit == "int8"
    assert setup("llama-2-7b", "m2-ultra", "q4_0", stack="llama.cpp").unit == "16-bit"
    assert setup("llama-2-7b", "RTX 4090", reached=IDEAL).efficiency is IDEAL


def test_a_mixture_reads_more_experts_with_the_batch() -> None:
    entry = setup("qwen3-30b-a3b", "H100 SXM")
    one, many = (steps.demand(entry, [flops.decode(batch, 512)]).weight_bytes for batch in (1, 64))
    assert 7 < many / one < 10
    dense = setup("llama-3.1-8b", "H100 SXM")
    one, many = (steps.demand(dense, [flops.decode(batch, 512)]).weight_bytes for batch in (1, 64))
    assert 1 <= many / one < F("1.001")


def test_what_cards_share_and_what_they_copy() -> None:
    def of(name: str, tp: int) -> tuple[Fraction, Fraction]:
        asked = steps.demand(setup(name, "H200 SXM", tp=tp), [flops.decode(8, 4096)])
        return asked.weight_bytes, asked.kv_bytes

    assert of("llama-3.1-70b", 8)[1] * 8 == of("llama-3.1-70b", 1)[1]
    assert of("llama-3.1-70b", 16)[1] == of("llama-3.1-70b", 8)[1], "8 KV heads: copied from there on"
    assert of("deepseek-v3", 8)[1] == of("deepseek-v3", 1)[1], "a latent has no heads to share"
    weights = of("llama-3.1-70b", 8)[0] / of("llama-3.1-70b", 1)[0]
    assert F(1, 8) <= weights < F("0.1255")


def test_links_decide_between_tensor_and_pipeline_parallelism() -> None:
    """incidents.md section 5: over PCIe a prompt is slower by tensors than the link allows; NVLink pays at batch 1."""
    nvlink = decode(setup("llama-3.1-70b", "H100 SXM", tp=4), 1, 1024)
    assert nvlink.shares()["link"] < F(15, 100)
    over_pcie = prefill(setup("llama-3.1-70b", "RTX 4090", "awq", tp=4), 4096)
    assert over_pcie.shares()["link"] > F(1, 4)
    staged = prefill(setup("llama-3.1-70b", "RTX 4090", "awq", pp=4), 4096)
    assert staged.shares()["link"] < F(1, 100)
    with pytest.raises(ValueError, match="spread"):
        decode(setup("llama-3.1-8b", "H100 SXM", tp=0), 1, 1)


def test_weights_in_host_memory_are_the_step() -> None:
    found = decode(setup("llama-3.1-70b", "H100 SXM", host_weights=80 * 10**9), 1, 1024)
    assert found.bound == "host"
    assert 1.3 < found.seconds < 2.3  # 80 GB at 40 to 55 GB/s


def test_launches_without_graphs_cost_a_small_model_most() -> None:
    def slower(name: str) -> Fraction:
        return decode(setup(name, "H100 SXM", graphs=False), 1, 256).seconds / decode(
            setup(name, "H100 SXM"), 1, 256).seconds  # fmt: skip

    assert decode(setup("qwen3-0.6b", "H100 SXM", graphs=False), 1, 256).bound == "overhead"
    assert slower("qwen3-0.6b") > 2 > slower("llama-3.1-8b") > 1


def test_chunks_cost_more_in_all_and_less_at_once() -> None:
    entry = setup("llama-3.1-8b", "H100 SXM")
    whole = prefill(entry, 8192)
    chunks = steps.chunked_prefill(entry, 8192, 512, flops.decode(16, 1000))
    assert len(chunks) == 16
    assert sum(one.seconds for one in chunks) > whole.seconds
    assert max(one.seconds for one in chunks) < whole.seconds / 5
    with pytest.raises(ValueError, match="chunk"):
        steps.chunked_prefill(entry, 10, 0)


def test_a_rate_finds_its_batch() -> None:
    entry = setup("llama-3.1-8b", "H100 SXM")
    found = serving.steady(5, prefill(entry, 1024).seconds, steps.decode_seconds(entry, 1200), 256, 256)
    assert not found.saturated
    assert found.step == decode(entry, found.running, 1200).seconds
    assert serving.steady(500, prefill(entry, 1024).seconds, steps.decode_seconds(entry, 1200), 256, 256).saturated


def test_models_that_cannot_be_sized_are_refused() -> None:
    refused = next(entry for entry in models() if entry.cannot_size)
    with pytest.raises(NoValues):
        decode(Setup(refused, gpu("H100 SXM"), precision.find("bf16")), 1, 1)


@given(
    st.sampled_from(SIZED),
    st.sampled_from(gpus()),
    st.sampled_from(FORMATS),
    st.integers(1, 256),
    st.integers(1, 32768),
)
def test_any_model_on_any_card(entry: object, card: object, form: str, batch: int, context: int) -> None:
    found = decode(Setup(entry, card, precision.find(form)), batch, context)  # type: ignore[arg-type]
    assert 0 < found.time.low <= found.seconds <= found.time.high
    assert found.ideal.total <= found.time.low
    assert sum(found.parts().values()) == found.seconds
