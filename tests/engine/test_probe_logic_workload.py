"""Workloads as the program runs them, devices and the catalogue's cards, and measured shares in the engine's steps."""

from __future__ import annotations

from fractions import Fraction

import probe_records as records
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import precision, steps
from engine.catalog import Gpu, gpu, gpus, model, models
from engine.efficiency import same
from engine.precision import kv_bytes_per_number
from engine.probe.gather import gathered
from engine.probe.model import CaseResult, Gain, Workload
from engine.probe.readings import Device
from engine.probe.result import judge
from engine.probe.workload import asked, card_of, seen_on_average
from engine.steps import Setup

GIB = 2**30


def setup(name: str = "llama-3.1-8b", form: str = "bf16", **more: object) -> Setup:
    return Setup(model(name), gpu("RTX 4090"), precision.find(form))._replace(**more)


def case(workload: Workload, name: str = "rtx4090", card: Gpu | None = None) -> CaseResult:
    found = judge(gathered(records.load(name)), card, workload).case
    assert found is not None
    return found


def levers(found: CaseResult) -> dict[str, Gain]:
    return {one.lever: one for one in found.gains}


# --- what is asked of the program ------------------------------------------------------------------------------------


def test_a_dense_model_is_asked_as_it_is() -> None:
    found = asked(Workload(setup(), 8, 4096, 512))
    assert found.shape == {
        "d_model": 4096, "d_ff": 14336, "n_head": 32, "n_kv_heads": 8, "d_head": 128, "gated": True
    }  # fmt: skip
    assert found.case == {"batch": 8, "context": 4096, "prompt": 512}
    assert (found.layers, found.without) == (32, "")


def test_tensor_parallel_cards_share_heads_and_width() -> None:
    shape = asked(Workload(setup("llama-3.1-70b", tp=4), 8, 4096)).shape
    assert shape is not None
    assert (shape["d_model"], shape["d_ff"], shape["n_head"], shape["n_kv_heads"]) == (8192, 7168, 16, 2)


def test_key_heads_are_copied_once_cards_outnumber_them() -> None:
    shape = asked(Workload(setup("llama-3.1-70b", tp=16), 8, 4096)).shape
    assert shape is not None and (shape["n_head"], shape["n_kv_heads"]) == (4, 1)


def test_pipeline_stages_share_layers() -> None:
    assert asked(Workload(setup(pp=3), 8, 4096)).layers == 11


def test_an_mlp_without_a_gate_is_told() -> None:
    shape = asked(Workload(setup("opt-13b"), 1, 512)).shape
    assert shape is not None and shape["gated"] is False


@pytest.mark.parametrize(
    ("name", "without"),
    [("mixtral-8x7b", "moe"), ("deepseek-v3", "moe"), ("Qwen/Qwen3-Next-80B-A3B-Instruct", "moe")],
)
def test_what_the_stack_cannot_stand_for_is_not_asked(name: str, without: str) -> None:
    found = asked(Workload(setup(name), 8, 4096))
    assert (found.shape, found.case, found.without) == (None, None, without)


def test_heads_that_cards_cannot_share_are_not_asked() -> None:
    assert asked(Workload(setup(tp=3), 8, 4096)).without == "uneven"


def test_a_window_shortens_what_layers_read_on_average() -> None:
    gemma = next(
        one for one in models() if one.sliding_layers and not one.moe and not one.hybrid and not one.cannot_size
    )
    found = asked(Workload(setup(gemma.id), 2, 32768))
    assert found.shape is not None and found.case is not None and found.without == "sliding-window"
    window = gemma.window or 0
    read = (gemma.full_layers * 32768 + gemma.sliding_layers * window) / gemma.layers
    assert found.case["context"] == pytest.approx(read, abs=1)
    assert seen_on_average(gemma, 16) == 16


def test_without_a_model_the_case_alone_is_asked() -> None:
    assert asked(Workload(None, 4, 100)).case == {"batch": 4, "context": 100, "prompt": None}
    assert asked(None) == (None, None, None, "no-model")


@given(st.sampled_from(models()), st.sampled_from([1, 2, 4, 8]), st.integers(1, 512), st.integers(1, 10**6))
def test_every_model_is_asked_or_refused_with_a_word(entry: object, tp: int, batch: int, context: int) -> None:
    found = asked(Workload(setup()._replace(model=entry, tp=tp), batch, context))
    if found.shape is None:
        assert found.without
    else:
        assert all(value >= 1 for name, value in found.shape.items() if name != "gated")
        assert found.shape["n_head"] % found.shape["n_kv_heads"] == 0
        assert found.case is not None and 1 <= found.case["context"] <= context


# --- the device's card -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "gib", "card"),
    [
        ("NVIDIA A100-SXM4-80GB", 79.25, "A100 SXM 80GB"),
        ("NVIDIA A100-SXM4-40GB", 39.39, "A100 SXM 40GB"),
        ("NVIDIA A100-PCIE-40GB", 39.39, "A100 PCIe 40GB"),
        ("NVIDIA A100 80GB PCIe", 79.25, "A100 PCIe 80GB"),
        ("NVIDIA GeForce RTX 4090", 23.64, "RTX 4090"),
        ("NVIDIA GeForce RTX 4090 Laptop GPU", 15.99, "RTX 4090 Laptop"),
        ("NVIDIA GeForce RTX 3090", 23.58, "RTX 3090"),
        ("NVIDIA GeForce RTX 3080", 9.78, "RTX 3080 10GB"),
        ("NVIDIA GeForce RTX 3080", 11.77, "RTX 3080 12GB"),
        ("NVIDIA GeForce RTX 4060 Ti", 15.99, "RTX 4060 Ti 16GB"),
        ("NVIDIA GeForce RTX 5090", 31.36, "RTX 5090"),
        ("NVIDIA H100 80GB HBM3", 79.19, "H100 SXM 80GB"),
        ("NVIDIA H100 PCIe", 79.19, "H100 PCIe 80GB"),
        ("NVIDIA H100 NVL", 93.02, "H100 NVL 94GB"),
        ("NVIDIA H200", 139.8, "H200 SXM 141GB"),
        ("NVIDIA B200", 178.36, "B200 SXM"),
        ("AMD Instinct MI300X", 191.69, "MI300X"),
        ("AMD Radeon RX 7900 XTX", 23.98, "RX 7900 XTX"),
        ("Tesla T4", 14.56, "T4"),
        ("Tesla V100-SXM2-16GB", 15.77, "V100 SXM2 16GB"),
        ("Tesla P100-PCIE-16GB", 15.89, "P100 PCIe 16GB"),
        ("NVIDIA A10G", 22.06, "A10G"),
        ("NVIDIA L4", 22.03, "L4"),
        ("NVIDIA L40S", 44.42, "L40S"),
        ("NVIDIA RTX A6000", 47.54, "RTX A6000"),
        ("NVIDIA RTX 6000 Ada Generation", 47.5, "RTX 6000 Ada"),
        ("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 94.97, "RTX PRO 6000 Blackwell Workstation"),
        # other products of a listed name, and names that mean nothing or several
        ("NVIDIA GeForce RTX 3060", 7.79, None),
        ("NVIDIA GeForce RTX 4090", 47.4, None),
        ("NVIDIA GeForce RTX 3080 Laptop GPU", 15.99, None),
        ("AMD Instinct MI250X", 63.98, None),
        ("NVIDIA A100", 79.25, None),
        ("NVIDIA Something 9000", 32, None),
        ("", 8, None),
    ],
)
def test_a_device_name_means_a_card_or_none(name: str, gib: float, card: str | None) -> None:
    found = card_of(Device("cuda", name, total=int(gib * GIB)))
    assert (found.name if found else None) == card


def test_bus_and_clock_decide_between_cards_of_one_memory() -> None:
    device = Device("cuda", "NVIDIA A100", total=int(79.25 * GIB))
    assert card_of(device._replace(memory_clock=1593, memory_bus_bits=5120)) == gpu("A100 SXM 80GB")
    assert card_of(device._replace(memory_clock=1512, memory_bus_bits=5120)) in (gpu("A100 PCIe 80GB"), None)
    assert card_of(device._replace(memory_clock=900, memory_bus_bits=5120)) is None


def test_processors_and_slices_have_no_data_sheet() -> None:
    assert card_of(Device("cpu", "RTX 4090")) is None
    assert card_of(Device("cuda", "NVIDIA H200", slice="1g.18gb")) is None
    assert card_of(None) is None


def test_shared_memory_may_be_of_any_size() -> None:
    assert card_of(Device("mps", "Apple M2 Max", total=64 * GIB)) == gpu("Apple M2 Max (38-core GPU)")


@given(st.sampled_from(gpus()))
def test_a_catalogue_name_with_its_memory_never_means_another_card(card: Gpu) -> None:
    assert card_of(Device("cuda", card.name, total=card.capacity)) in (card, None)


# --- measured shares in the engine's steps ---------------------------------------------------------------------------


def test_reached_gives_back_what_was_put_in() -> None:
    """The record of the 4090 was made of 0.86 of the bandwidth, 0.67 of the peak, 0.8 for caches, 4.5 us a kernel."""
    result = judge(gathered(records.load("rtx4090")))
    seen = result.reached
    assert seen is not None and seen.weights is not None and seen.kv is not None and seen.layer_time is not None
    assert (seen.card, seen.memory) == ("RTX 4090", 25_386_352_640)
    assert float(seen.weights.mid) == pytest.approx(0.86, rel=0.01)
    assert float(seen.kv.mid) == pytest.approx(0.80, rel=0.02)
    assert float(dict(seen.math)["16-bit"].mid) == pytest.approx(0.67, rel=0.02)
    assert float(seen.layer_time.mid) == pytest.approx(4 * 4.5e-6 + 8e-6, rel=0.05)
    assert seen.launched is not None and float(seen.launched.mid - seen.layer_time.mid) == pytest.approx(
        40e-6, rel=0.05
    )
    for band in (seen.weights, seen.kv, *dict(seen.math).values(), seen.layer_time, seen.launched):
        assert band.low <= band.mid <= band.high and band.basis == "measured"


def test_noise_and_the_two_passes_are_the_spread() -> None:
    def wide(one: dict[str, object]) -> dict[str, object]:
        slow = one.get("what") == "linear" and one.get("pass") == 2
        return {**one, "seconds": float(str(one["seconds"])) * 1.1} if slow else one

    plain = judge(gathered(records.load("h100"))).reached
    passes = judge(gathered(map(wide, records.load("h100")))).reached
    assert plain is not None and passes is not None and plain.weights is not None and passes.weights is not None
    assert plain.weights.low == plain.weights.high == plain.weights.mid
    assert passes.weights.low < plain.weights.mid == passes.weights.mid < passes.weights.high


def test_narrow_products_are_scaled_as_the_stack_is() -> None:
    result = judge(gathered(records.load("b200")))
    assert result.reached is not None and result.ceilings.prefill is not None
    of = dict(result.reached.math)
    stack = float(of["16-bit"].mid) / 0.71
    assert stack < 1 and float(of["fp8"].mid) == pytest.approx(0.47 * stack, rel=0.001)


def test_the_diagnosers_step_and_the_probes_are_one_function() -> None:
    workload = Workload(setup(), 8, 4096)
    result = judge(gathered(records.load("rtx4090")), None, workload)
    found = case(workload)
    seen = setup(seen=result.reached)
    assert levers(found)["w4a16"].before == float(steps.decode(seen, 8, 4096).seconds)
    narrow = seen._replace(form=precision.find("w4a16"))
    assert levers(found)["w4a16"].after == float(steps.decode(narrow, 8, 4096).seconds)
    assert levers(found)["larger-batch"].after == float(steps.decode(seen, 16, 4096).seconds) / 16
    small = seen._replace(p=kv_bytes_per_number("fp8"))
    assert levers(found)["kv-fp8"].after == float(steps.decode(small, 8, 4096).seconds)


def test_the_whole_step_is_scaled_from_the_layers_that_ran() -> None:
    """Four layers of 32, and the head: 32/4 of the four's time and the head's bytes at the measured rate."""
    found = case(Workload(setup(), 8, 4096))
    head = 2 * 4096 * 128256 / (0.86 * 1008e9)
    assert found.layers == 4
    assert found.step_seconds == pytest.approx(8 * found.decode.measured + head, rel=0.01)
    assert found.kv_bytes == pytest.approx(8 * 4096 * 131072)
    assert found.weight_bytes == pytest.approx(2 * 7_504_924_672, rel=0.001)
    assert found.prefill is not None and found.prefill.ratio_ceilings == pytest.approx(1, abs=0.02)


def test_a_format_that_did_not_run_lowers_the_confidence_and_moves_the_place() -> None:
    wide, narrow = case(Workload(setup(), 8, 4096)), case(Workload(setup(form="awq"), 8, 4096))
    assert [reason.id for reason in narrow.verdict.reasons] == ["other-format"]
    assert narrow.verdict.confidence < wide.verdict.confidence
    assert narrow.verdict.rho > 1.8 * wide.verdict.rho
    assert narrow.step_seconds < wide.step_seconds
    assert {"w4a16", "w8a8", "fp8"} & set(levers(narrow)) == set()


def test_four_bits_reach_their_knee_at_a_quarter_of_the_batch() -> None:
    """Short contexts: b* of the card is 125, so 96 tokens are the knee of 16 bits and past that of 4 (b*/4 = 31)."""
    assert case(Workload(setup(), 24, 64)).verdict.label == "memory"
    assert case(Workload(setup(form="awq"), 24, 64)).verdict.label == "knee"
    assert case(Workload(setup(form="awq"), 96, 64)).verdict.label == "compute"
    assert case(Workload(setup(), 96, 64)).verdict.label == "knee"


def test_levers_of_the_engine_and_card_at_hand_alone() -> None:
    assert set(levers(case(Workload(setup(), 8, 4096)))) == {"w4a16", "w8a8", "fp8", "kv-fp8", "larger-batch"}
    assert set(levers(case(Workload(setup(stack="llama.cpp"), 8, 4096)))) == {"w4a16", "kv-fp8", "larger-batch"}
    assert "fp8" not in levers(case(Workload(setup(), 8, 4096), "a100"))
    assert "kv-fp8" not in levers(case(Workload(setup(p=1), 8, 4096)))
    basis = {name: one.basis for name, one in levers(case(Workload(setup(), 8, 4096), "b200")).items()}
    assert basis == {
        "w4a16": "assumed", "w8a8": "assumed", "fp8": "measured", "kv-fp8": "assumed", "larger-batch": "measured"
    }  # fmt: skip


def test_a_full_cache_makes_its_lever_the_best() -> None:
    """Batch 128 at 4,096 tokens: 69 GB of cache against 15 GB of weights."""
    found = case(Workload(setup(), 128, 4096), "h200")
    assert found.gains[0].lever == "kv-fp8" and found.verdict.label == "memory"
    assert found.verdict.position is not None and found.verdict.position > 0.5
    assert levers(found)["larger-batch"].speedup < 1.2 < levers(found)["kv-fp8"].speedup


def test_a_model_that_cannot_be_sized_leaves_the_stacks_own_numbers() -> None:
    strange = next(one for one in models() if one.cannot_size)
    found = case(Workload(setup()._replace(model=strange), 8, 4096))
    assert found.step_seconds == pytest.approx(found.decode.measured)
    assert "w4a16" in levers(found)


@given(st.integers(1, 512), st.integers(1, 32768))
def test_every_batch_and_context_is_classed(batch: int, context: int) -> None:
    found = case(Workload(setup(), batch, context))
    assert 0.5 <= found.verdict.confidence <= 0.97
    assert found.verdict.rho > 0 and found.step_seconds > 0
    assert all(gain.speedup > 0.9 for gain in found.gains)


@pytest.mark.parametrize("name", ["h100", "b200", "rtx4090", "rtx-pro-6000"])
def test_the_engine_gives_the_measured_prompt_back(name: str) -> None:
    """The stack as a model of 32 layers: its prompt takes eight times as long as the four layers that ran, and the head
    of one token; attention is the group's, the rest was measured."""
    result = judge(gathered(records.load(name)))
    assert result.card is not None
    seen = setup(gpu=result.card, seen=result.reached)
    for ran in result.run.prompts:
        if ran.stage == "prefill" and ran.tokens >= 512:
            computed = float(steps.prefill(seen, ran.tokens).seconds)
            assert computed == pytest.approx(8 * ran.time.seconds, rel=0.12 if ran.tokens == 512 else 0.03)


def test_measured_shares_move_a_step_as_measured() -> None:
    seen = judge(gathered(records.load("rtx4090"))).reached
    assert seen is not None and seen.weights is not None
    halved = seen._replace(weights=same(seen.weights.mid / 2, "probe"))
    whole, half = (steps.decode(setup(seen=one), 1, 64) for one in (seen, halved))
    assert half.usual.weights == 2 * whole.usual.weights and half.usual.overhead == whole.usual.overhead
    assert whole.usual.weights.denominator > 0 and Fraction(seen.weights.mid) < 1
