"""The speed side: published numbers, the measured set, and what a step's time must keep."""

from __future__ import annotations

import importlib.util
import json
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import flops, links, roofline, units
from engine.catalog import Gpu, Model, NoValues, gpu, gpus, model, models
from engine.efficiency import IDEAL, KERNEL, KERNEL_MATH, Band, efficiency, generation, of_card, same, width
from engine.experts import touched
from engine.formulas.registry import result
from engine.memory import kv_bytes, state_bytes

F = Fraction
DATA = Path(__file__).parent / "data"
ROWS = json.loads((DATA / "published_speed.json").read_text(encoding="utf-8"))["rows"]
SIZED = [entry for entry in models() if not entry.cannot_size and entry.matmul is not None]


# --- published numbers -----------------------------------------------------------------------------------------------


def formula(name: str, values: dict[str, Any]) -> Fraction:
    return result(name, {k: formula(v["formula"], v["given"]) if isinstance(v, dict) else v for k, v in values.items()})


def computed(row: dict[str, Any]) -> Fraction:
    """The row's value, in base units."""
    if "matrix" in row:
        entry = model(row["model"])
        outputs = {"gate": entry.ffn, "q": entry.heads * entry.head_dim}[row["matrix"]]
        return Fraction(getattr(flops.matrix(entry.d_model, outputs, row["tokens"]), row["of"]))
    if "roof" in row:
        card = gpu(row["roof"]["gpu"])
        assert card.peak_flops is not None
        under = result("memory_roof", {"intensity": row["roof"]["intensity"], "bandwidth": card.bandwidth})
        return min(under, Fraction(card.peak_flops))
    if "step" in row:
        s = row["step"]
        asked = roofline.Demand(1, F(s["weights"], s["chips"]), F(s["batch"] * s["kv"], s["chips"]), F(0), F(0))
        return roofline.step(asked, roofline.Ceilings(s["bandwidth"], None, None), IDEAL).seconds
    return formula(row["formula"], row["given"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_the_published_number_comes_out(row: dict[str, Any]) -> None:
    published = Fraction(str(row["value"])) * units.get(row["unit"]).factor
    assert abs(computed(row) - published) <= Fraction(str(row["rel_tol"])) * abs(published), row["source"]


# --- the measured set ------------------------------------------------------------------------------------------------


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_measured_speeds_lie_where_they_are_expected() -> None:
    """A floor under the table of measured.py: bands are tenth to ninetieth percentile, so most rows lie inside."""
    measured = tool("measured")
    table = measured.table(measured.everything()[0])
    for group, off in {("end to end", "decode", "nvidia"): 0.07, ("kernel", "decode", "nvidia"): 0.13,
                       ("kernel", "attention kernel", "nvidia"): 0.11, ("end to end", "prefill", "nvidia"): 0.22,
                       ("end to end", "decode", "amd"): 0.20}.items():  # fmt: skip
        count, inside, _, error = table[group]
        assert count >= 9
        assert inside >= (0.75 if group[2] == "nvidia" else 0.5)
        assert error <= off


# --- work ------------------------------------------------------------------------------------------------------------


@given(st.integers(1, 40), st.integers(0, 40), st.one_of(st.none(), st.integers(1, 50)))
def test_pairs_are_counted_one_by_one(queries: int, context: int, window: int | None) -> None:
    seen = [min(context + place + 1, window or 10**9) for place in range(queries)]
    assert flops.pairs(queries, context, window) == sum(seen)


def test_decode_and_prefill_of_a_dense_model() -> None:
    llama = model("llama-3.1-8b")
    assert llama.matmul is not None
    one = flops.step_flops(llama, [flops.decode(1, 1000)])
    assert one.linear == 2 * llama.matmul
    assert one.attention == 4 * 1000 * 32 * 128 * 32
    prompt = flops.step_flops(llama, [flops.prefill(1000)])
    assert prompt.matrices == 1000 * one.matrices
    assert prompt.head == one.head  # only the last token predicts
    assert flops.step_flops(llama, [flops.prefill(1000, last=False)]).head == 0
    assert prompt.attention == sum(
        flops.step_flops(llama, [flops.decode(1, seen)]).attention for seen in (1, 1000)
    ) * F(1000, 2)


def test_attention_equals_its_matrices_at_twice_the_width() -> None:
    llama = model("llama-2-7b")
    whole = flops.step_flops(llama, [flops.decode(1, 2 * llama.d_model)]).attention
    assert whole == 2 * 4 * llama.d_model**2 * llama.layers


def test_chunks_of_a_prompt_do_the_work_of_the_prompt() -> None:
    for name in ("llama-3.1-8b", "gemma-2-9b", "qwen3-30b-a3b", "deepseek-v3", "deepseek-v3.2", "glm-5.3-flash"):
        entry = model(name)
        chunks = [flops.prefill(2048, cached=done, last=done == 6144) for done in (0, 2048, 4096, 6144)]
        assert flops.step_flops(entry, chunks) == flops.step_flops(entry, [flops.prefill(8192)])


def test_windows_cut_attention_and_latents_change_its_widths() -> None:
    gemma = model("gemma-2-9b")  # 21 full and 21 sliding layers, window 4096
    long = flops.step_flops(gemma, [flops.decode(1, 8192)]).attention
    assert long == 4 * 16 * 256 * 21 * (8192 + 4096)
    deepseek = model("deepseek-v3")
    assert flops.step_flops(deepseek, [flops.decode(1, 100)]).attention == 2 * 100 * 128 * (512 + 64 + 512) * 61
    assert flops.step_flops(deepseek, [flops.prefill(3)]).attention == 2 * 6 * 128 * (192 + 128) * 61


def test_sparse_attention_scores_every_token_and_sees_what_it_picks() -> None:
    """DeepSeek-V3.2: 64 index heads of 128 score all tokens, 128 heads see 2,048 of them (DeepSeek-V3.2-Exp report)."""
    entry = model("deepseek-v3.2")
    scores, seen = 2 * 64 * 128 * 61, 2 * 128 * (512 + 64 + 512) * 61
    for context in (100, 2048, 2049, 100_000):
        work = flops.step_flops(entry, [flops.decode(1, context)]).attention
        assert work == context * scores + min(context, 2048) * seen
        moved = flops.kv_traffic(entry, [flops.decode(1, context)])
        assert moved == 61 * (context * 132 + min(context, 2048) * 1152)
    # a long prompt picks every token somewhere, and so reads the whole cache
    assert flops.kv_traffic(entry, [flops.prefill(100_000)]) == 61 * 100_000 * (132 + 1152)


@given(st.integers(1, 200_000), st.integers(1, 4096), st.sampled_from(["deepseek-v3.2", "glm-5", "glm-5.3-flash"]))
def test_no_one_knows_how_many_it_picks_counts_as_all(context: int, queries: int, name: str) -> None:
    entry = model(name)
    assert entry.mla is not None
    unsaid, piece = entry._replace(mla=entry.mla._replace(index_topk=None)), [flops.Piece(2, queries, context)]
    assert flops.kv_traffic(entry, piece) <= flops.kv_traffic(unsaid, piece)
    held = 2 * kv_bytes(entry, context + queries)
    states = 4 * state_bytes(entry)
    assert flops.kv_traffic(unsaid, piece) == held + states


def test_what_cannot_be_counted_is_refused() -> None:
    for name in ("google/gemma-4-31B-it", "Qwen/Qwen2-57B-A14B-Instruct"):
        entry = model(name)
        if entry.cannot_size or entry.matmul is None:
            with pytest.raises(NoValues):
                flops.step_flops(entry, [flops.decode(1, 1)])
    for make in (lambda: flops.decode(0, 1), lambda: flops.decode(1, 0), lambda: flops.prefill(0)):
        with pytest.raises(ValueError, match="at least one"):
            make()


@given(st.sampled_from(SIZED), st.integers(1, 64), st.integers(1, 10**5))
def test_work_grows_with_batch_and_context(entry: Model, batch: int, context: int) -> None:
    one = flops.step_flops(entry, [flops.decode(1, context)])
    many = flops.step_flops(entry, [flops.decode(batch, context)])
    assert many.total == batch * one.total
    assert flops.step_flops(entry, [flops.decode(1, context + 1)]).attention >= one.attention
    moved = flops.kv_traffic(entry, [flops.decode(batch, context)])
    assert moved == batch * flops.kv_traffic(entry, [flops.decode(1, context)]) > 0


def test_experts_fill_up_with_the_batch() -> None:
    assert touched(8, 2, 1) == 2
    assert touched(8, 2, 2) == 8 * (1 - F(3, 4) ** 2)
    assert touched(128, 8, 0) == 0
    assert round(float(touched(128, 8, 64)), 1) == 125.9
    assert 127.9 < touched(128, 1, 1024) < 128 or touched(128, 1, 1024) < 128
    for experts, top_k in ((0, 1), (8, 9), (8, 0)):
        with pytest.raises(ValueError, match="top_k"):
            touched(experts, top_k, 1)


@given(st.integers(1, 1024), st.data(), st.integers(1, 10**5))
def test_touched_experts_are_what_the_formula_says(experts: int, data: st.DataObject, tokens: int) -> None:
    top_k = data.draw(st.integers(1, experts))
    value = touched(experts, top_k, tokens)
    assert float(value) == pytest.approx(experts * (1 - (1 - top_k / experts) ** tokens), rel=1e-9)
    assert min(experts, top_k) <= value <= min(experts, top_k * tokens)
    assert touched(experts, top_k, tokens + 1) >= value


# --- efficiencies ----------------------------------------------------------------------------------------------------


def bands(reached: Any) -> list[Band]:
    return [reached.weights, reached.kv, reached.math, reached.attention, reached.layer_time]


@pytest.mark.parametrize("card", gpus(), ids=lambda card: card.name)
def test_every_card_has_ordered_bands_with_a_source(card: Gpu) -> None:
    assert generation(card.vendor, card.architecture) not in ("nvidia", "amd"), "its architecture is in no group"
    for bits in ("4.5", 8, 16):
        for unit in ("16-bit", "fp8", "int8", "fp4"):
            for stack in ("serving", "llama.cpp"):
                reached = of_card(card, bits, unit, stack)
                for one in bands(reached):
                    assert 0 <= one.low <= one.mid <= one.high
                    assert one.source
                assert all(one.low > 0 and one.high <= 1 for one in bands(reached)[:4])


def test_constants_say_whether_they_are_fits() -> None:
    found = {band.basis for bits in (4, 16) for band in bands(efficiency("NVIDIA", "Ampere", bits))}
    assert found <= {"published", "fit", "assumed"}
    assert efficiency("NVIDIA", "Ampere", 4).weights.basis == "fit"
    assert all(band.source for band in (*KERNEL.values(), *KERNEL_MATH.values()))


def test_groups_and_widths() -> None:
    assert (generation("NVIDIA", "Hopper"), generation("NVIDIA", None)) == ("nvidia-new", "nvidia")
    assert (generation("AMD", "CDNA3"), generation(None), generation("Intel", "Gaudi")) == ("amd-new", "other", "other")
    assert [width(bits) for bits in (3, "4.5", "6.5625", 8, "8.5", 16, 32)] == ["4", "4", "4", "8", "8", "16", "16"]
    assert efficiency("NVIDIA", "Ada", 16, graphs=False).layer_time.mid > efficiency("NVIDIA", "Ada", 16).layer_time.mid
    assert same("0.9", "probe").basis == "measured"


# --- steps -----------------------------------------------------------------------------------------------------------


def serve(name: str, card: str, batch: int, context: int, bits: Any = 16, kv: Any = 2, cards: int = 1) -> roofline.Step:
    """A decode step of a dense model whose weights all have ``bits``."""
    entry, box = model(name), gpu(card)
    assert entry.matmul is not None
    pieces = [flops.decode(batch, context)]
    crossing = links.tensor_parallel(entry.layers, entry.d_model, batch, cards)
    asked = roofline.demand(
        entry, pieces, F(entry.matmul) * F(bits) / 8 / cards, flops.kv_traffic(entry, pieces, kv) / cards,
        cards=cards, link=crossing,
    )  # fmt: skip
    return roofline.step(asked, roofline.ceilings(box, link=links.between(box, cards)), of_card(box, bits))


def prompt(name: str, card: str, tokens: int, bits: Any = 16) -> roofline.Step:
    entry, box = model(name), gpu(card)
    assert entry.matmul is not None
    pieces = [flops.prefill(tokens)]
    asked = roofline.demand(entry, pieces, F(entry.matmul) * F(bits) / 8, flops.kv_traffic(entry, pieces))
    return roofline.step(asked, roofline.ceilings(box), of_card(box, bits))


def test_a_small_batch_waits_for_weights_and_a_prompt_for_arithmetic() -> None:
    one = serve("llama-3.1-8b", "H100 SXM", 1, 512)
    assert (one.bound, one.regime) == ("weights", "memory")
    long = prompt("llama-3.1-8b", "H100 SXM", 4096)
    assert (long.bound, long.regime) == ("compute", "compute")
    assert one.ratio is not None and one.ratio < F(1, 100)


def test_a_large_cache_keeps_a_large_batch_on_the_memory_side() -> None:
    """probe.md section 0.3, measured: Qwen3-8B at context 4096 and batch 128, H200 1.39 times as fast as H100."""
    h100, h200 = serve("qwen3-8b", "H100 SXM", 128, 4096), serve("qwen3-8b", "H200 SXM", 128, 4096)
    assert h200.bound == "kv"
    assert h200.shares()["kv"] > F(7, 10)
    assert h200.regime == "memory"
    assert 1.3 < h100.seconds / h200.seconds < 1.45


def test_weights_alone_in_four_bits_help_decode_and_not_a_prompt() -> None:
    """probe.md section 4, A100: 2.9 times at one token, nothing at the knee of 16 bits."""
    assert 2.2 < serve("llama-3.1-8b", "A100 SXM 80GB", 1, 128).seconds / serve(
        "llama-3.1-8b", "A100 SXM 80GB", 1, 128, "4.156").seconds < 3.9  # fmt: skip
    assert prompt("llama-3.1-8b", "A100 SXM 80GB", 2048).seconds == prompt(
        "llama-3.1-8b", "A100 SXM 80GB", 2048, "4.156").seconds  # fmt: skip


def test_eight_cards_are_not_eight_times_as_fast() -> None:
    """gpt-fast, Llama-2-7B on A100: 1397 GB/s of weights on one card, 704 on each of eight."""
    weights = F(model("llama-2-7b").matmul or 0) * 2
    one, eight = (serve("llama-2-7b", "A100 SXM 80GB", 1, 128, cards=cards) for cards in (1, 8))
    assert one.time.low <= weights / (1397 * 10**9) <= one.time.high
    assert eight.time.low <= weights / 8 / (704 * 10**9) <= eight.time.high
    assert eight.usual.link > 0


def test_what_crosses_a_link_needs_one() -> None:
    asked = roofline.Demand(32, F(10**9), F(0), F(0), F(0), host_bytes=F(10**10))
    with pytest.raises(ValueError, match="no link"):
        roofline.step(asked, roofline.Ceilings(10**12, None, None), IDEAL)
    box = gpu("RTX 4090")
    with_host = roofline.step(asked, roofline.ceilings(box, host=links.to_host(box)), of_card(box, 16))
    assert with_host.bound == "host"
    assert 0.35 < with_host.seconds < 0.55  # 10 GB at about 25 GB/s


def test_a_card_without_a_known_rate_still_has_a_step() -> None:
    box = gpu("GTX 1080 Ti")
    asked = roofline.Demand(32, F(4 * 10**9), F(0), F(10**12), F(10**10))
    found = roofline.step(asked, roofline.ceilings(box), of_card(box, 4))
    assert found.usual.matrices is None
    assert (found.ratio, found.regime, found.bound) == (None, None, "weights")


def test_a_measured_step_reached_most_of_the_bandwidth() -> None:
    """gpt-fast, Llama-2-7B on A100-80: 107 tokens/s is 0.69 of the bandwidth with the embedding left out."""
    entry, box = model("llama-2-7b"), gpu("A100 SXM 80GB")
    pieces = [flops.decode(1, 128)]
    asked = roofline.demand(entry, pieces, F(entry.matmul or 0) * 2, flops.kv_traffic(entry, pieces))
    taken = {"step_time": F(1, 107), "bytes_moved": asked.bytes_moved, "bandwidth": box.bandwidth}
    assert 0.68 < result("mbu", taken) < 0.71
    assert 0.98 < asked.intensity < 1.01
    found = roofline.step(asked, roofline.ceilings(box), of_card(box, 16))
    assert found.reached.weights.source


sizes = st.integers(0, 10**13).map(F)


@given(sizes, sizes, sizes, sizes, st.integers(1, 128), st.sampled_from(gpus()))
def test_parts_add_up_and_bands_are_ordered(w: F, kv: F, lin: F, att: F, layers: int, card: Gpu) -> None:
    asked = roofline.Demand(layers, w, kv, lin, att)
    found = roofline.step(asked, roofline.ceilings(card), of_card(card, 16))
    time = found.time
    assert time.low <= time.mid <= time.high
    assert found.ideal.total <= time.low
    assert sum(found.parts().values()) == found.seconds
    assert sum(found.shares().values()) in (0, 1)
    more = roofline.step(asked._replace(kv_bytes=kv + 10**9), roofline.ceilings(card), of_card(card, 16))
    assert more.seconds >= found.seconds


# --- the roof --------------------------------------------------------------------------------------------------------


def test_ridges_and_knees() -> None:
    """calculators.md section 4.8."""
    for name, expected in (("H100 SXM", 295), ("A100 SXM 80GB", 153), ("L40S", 419), ("MI300X", 247), ("B200", 292)):
        card = gpu(name)
        assert round(roofline.ridge(roofline.peak(card, "16-bit") or 0, card.bandwidth)) == expected
    a100 = gpu("A100 SXM 80GB")
    assert a100.peak_flops is not None
    assert roofline.peak(a100, "fp8") is None
    assert roofline.knee(a100.peak_flops, a100.bandwidth, "1/2") * 4 == roofline.knee(
        a100.peak_flops, a100.bandwidth, 2
    )
    assert roofline.peak(a100, "int8") == 2 * a100.peak_flops


def test_sides_of_the_knee() -> None:
    assert [roofline.regime(r) for r in ("0.49", "0.5", 1, 2, "2.01")] == ["memory", "knee", "knee", "knee", "compute"]


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(1, 10**6))
def test_the_roof_is_the_lower_of_two(intensity: int, rate: int, bandwidth: int) -> None:
    height = min(result("memory_roof", {"intensity": intensity, "bandwidth": bandwidth}), Fraction(rate))
    assert height <= rate and height <= intensity * bandwidth
    assert height == (rate if intensity >= roofline.ridge(rate, bandwidth) else intensity * bandwidth)
