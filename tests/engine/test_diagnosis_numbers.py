"""Workloads given by numbers alone: what a careful engineer would and would not say of them, by kind."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from engine.diagnosis import scenario
from engine.diagnosis.acting import measures
from engine.diagnosis.acting.levers import apply
from engine.diagnosis.cases.case import Case
from engine.diagnosis.judge import diagnose
from engine.diagnosis.model import LeverResult, Report

LLAMA8: dict[str, Any] = {"model": "llama-3.1-8b", "engine": "vllm 0.11", "prompt": 500, "output": 500}
TIME = ("memory-bandwidth", "compute", "cpu-overhead", "interconnect")


def judged(**given: Any) -> Report:
    return diagnose(scenario.build(given))


def lever(report: Report, name: str) -> LeverResult:
    return next(one for one in report.levers if one.id == name)


def helping(report: Report) -> list[str]:
    return [one.id for one in report.levers if one.helps]


def effect(one: LeverResult, name: str) -> tuple[Fraction, Fraction]:
    found = next(each for each in one.effects if each.measure == name)
    return found.before.value, found.after.value


# --- what was measured -----------------------------------------------------------------------------------------------


def test_the_throughput_that_arithmetic_gives_is_no_fault() -> None:
    """Prompts lie between the steps: their time is not the step's."""
    given = {
        "model": "llama-3.1-8b",
        "gpu": "A10G",
        "engine": "tgi 2.4",
        "prompt": 1000,
        "output": 200,
        "concurrency": 16,
    }
    expected = Case(scenario.build(given)).output_rate
    assert expected
    report = judged(**given, throughput=float(expected))
    timing = report.timings.decode
    assert timing is not None and timing.excess == 0
    assert timing.own == pytest.approx(float(timing.step.seconds), rel=0.02)
    assert "beyond-band" not in [one.cause for one in report.findings]


@pytest.mark.parametrize(("ttft", "computing"), [("0.3s", True), ("2s", True), ("60s", False)])
def test_first_tokens_of_many_wait_for_each_other(ttft: str, computing: bool) -> None:
    report = judged(**LLAMA8 | {"prompt": 4000, "output": 50}, gpu="A100 SXM 80GB", concurrency=32, ttft=ttft)
    assert report.phase == "prefill" and (report.wall == "compute") is computing
    assert "cpu-overhead" not in [one.id for one in report.walls] or not computing


def test_a_prefill_far_beyond_its_band_is_not_called_arithmetic() -> None:
    report = judged(**LLAMA8 | {"prompt": 4000, "output": 50}, gpu="A100 SXM 80GB", concurrency=1, ttft="20s")
    assert (report.wall, report.phase, report.findings[0].cause) == ("cpu-overhead", "prefill", "beyond-band")
    assert (report.walls[0].share or 0) > Fraction(9, 10)


def test_less_than_the_data_sheet_allows_confirms_nothing() -> None:
    report = judged(**LLAMA8, gpu="H100 SXM 80GB", concurrency=16, tpot="3ms")
    assert report.timings.decode is not None and report.timings.decode.impossible
    assert lever(report, "faster-gpu").precondition == "unknown"


def test_eager_and_measured_beyond_share_one_excess() -> None:
    report = judged(**LLAMA8, gpu="H100 SXM 80GB", concurrency=8, eager="on", tpot="25ms")
    assert report.findings[0].cause == "launch-overhead"
    first, second = report.walls
    assert first.id == "cpu-overhead" and second.id == "memory-bandwidth"
    assert first.share and second.share and Fraction(95, 100) < first.share + second.share <= 1
    assert helping(report)[0] == "cuda-graphs"  # what is off is turned on before anything else is tried


# --- walls and their shares ------------------------------------------------------------------------------------------


def test_nothing_is_left_unsaid_where_everything_is_computed() -> None:
    report = judged(model="qwen3-0.6b", gpu="B200 SXM", engine="vllm 0.11", prompt=50, output=100, concurrency=256)
    assert report.wall == "cpu-overhead"


@pytest.mark.parametrize(
    "given",
    [
        {"model": "llama-3.1-70b", "gpu": "A100 PCIe 80GB", "gpus": 4, "link": "pcie", "prompt": 4000, "output": 200,
         "concurrency": 32},
        {"model": "llama-3.1-8b", "gpu": "RTX 4090", "gpus": 4, "prompt": 500, "output": 500, "concurrency": 32},
        {"model": "llama-3.1-405b", "gpu": "H100 SXM 80GB", "gpus": 16, "nodes": 2, "prompt": 1000, "output": 500,
         "concurrency": 16},
        {"model": "llama-3.2-1b", "gpu": "A100 SXM 80GB", "prompt": 100, "output": 100, "concurrency": 512},
        {"model": "llama-3.1-8b", "gpu": "A100 SXM 80GB", "prompt": 500, "output": 500, "concurrency": 16, "lora": "on",
         "loras": 1},
    ],
)  # fmt: skip
def test_limits_are_told_in_the_order_of_their_shares(given: dict[str, Any]) -> None:
    report = judged(**given, engine="vllm 0.11")
    shares = [one.share or Fraction(0) for one in report.walls if one.id in TIME]
    assert sum(shares) <= 1
    if report.findings[0].cause != "adapter-unmerged":
        assert shares == sorted(shares, reverse=True)


def test_a_link_that_takes_most_of_the_step_is_the_wall() -> None:
    report = judged(
        model="llama-3.1-70b", gpu="L40S", gpus=8, engine="vllm 0.11", prompt=4000, output=200, concurrency=32
    )
    assert report.wall == "interconnect"


@pytest.mark.parametrize("engine", ["vllm 0.11", "sglang 0.5"])
def test_launches_that_hardly_count_are_no_wall(engine: str) -> None:
    """Over the largest captured batch, in a step of tens of milliseconds."""
    concurrency = 600 if engine == "vllm 0.11" else 400
    report = judged(
        **LLAMA8 | {"engine": engine, "prompt": 300, "output": 300}, gpu="H100 SXM 80GB", concurrency=concurrency
    )
    assert report.wall in ("compute", "memory-bandwidth")


def test_a_decode_cliff_is_no_wall_of_prompts() -> None:
    report = judged(**LLAMA8 | {"engine": "tensorrt-llm 1.0", "prompt": 2000, "output": 200}, gpu="H100 SXM 80GB",
                    weights="fp8", kv="fp8", concurrency=256)  # fmt: skip
    assert (report.wall, report.phase) == ("compute", "prefill")


def test_drafts_cost_arithmetic_only_where_arithmetic_is_short() -> None:
    report = judged(model="llama-3.1-8b", gpu="B200 SXM", engine="vllm 0.11", prompt=60000, output=2000, concurrency=64,
                    speculation="on")  # fmt: skip
    assert report.wall != "compute" or report.phase == "prefill"
    few = judged(
        **LLAMA8 | {"model": "llama-3.1-70b"},
        gpu="H100 SXM 80GB",
        gpus=4,
        concurrency=1,
        speculation="on",
        draft_tokens=4,
    )
    assert "drafting-costs" not in [one.cause for one in few.findings]
    assert "drop-speculation" not in helping(few)


# --- memory ----------------------------------------------------------------------------------------------------------


def test_what_does_not_start_overflows_nothing() -> None:
    report = judged(
        **LLAMA8 | {"model": "llama-3.1-70b"}, weights="awq", gpu="RTX 3090", gpus=2, link="pcie", concurrency=4
    )
    assert Case(report.scenario).starts is False
    assert report.phase == "load"
    latent = judged(
        model="deepseek-r1", gpu="H100 SXM 80GB", gpus=8, engine="sglang 0.5", prompt=1000, output=1000, concurrency=8
    )
    assert [one.id for one in latent.walls] == ["weights-memory"]


@pytest.mark.parametrize("load", [{"requests": 10000}, {"concurrency": 2000}])
def test_a_cap_below_the_pool_keeps_it_from_overflowing(load: dict[str, int]) -> None:
    report = judged(**LLAMA8 | {"prompt": 1000, "output": 300}, gpu="A100 SXM 80GB", **load)
    case = Case(report.scenario)
    assert (case.asked or 0) > (case.requests_that_fit or 0) > (case.at_once or 0)
    assert "pool-overflow" not in [one.cause for one in report.findings]


@pytest.mark.parametrize(
    ("reserve", "concurrency", "first"),
    [(4000, 16, "pool-overflow"), (4400, 16, "pool-overflow"), (8000, 16, "slots-reserved"), (4000, 13, "")],
)
def test_slots_in_use_are_a_short_cache_and_empty_ones_a_wasted_one(reserve: int, concurrency: int, first: str) -> None:
    report = judged(
        **LLAMA8 | {"prompt": 3000, "output": 1000}, gpu="L4", weights="fp16", kv="fp16", concurrency=concurrency,
        reserve=reserve,
    )  # fmt: skip
    found = report.findings[0].cause
    assert found == first if first else found not in ("pool-overflow", "slots-reserved")


@pytest.mark.parametrize(("concurrency", "overflows"), [(5, False), (64, True)])
def test_windows_end_and_so_does_their_demand(concurrency: int, overflows: bool) -> None:
    """A pool in "tokens" of a model with windows tells nothing of requests: what fits does."""
    report = judged(
        model="gemma-3-12b", gpu="L40S", engine="vllm 0.11", prompt=30000, output=1000, concurrency=concurrency
    )
    case = Case(report.scenario)
    assert case.requests_that_fit == 5 and (case.asked_tokens or 0) > (case.pool_tokens or 0)
    assert ("pool-overflow" in [one.cause for one in report.findings]) is overflows
    if overflows:
        before, after = effect(lever(report, "cap-concurrency"), "demand")
        assert before == Fraction(concurrency, 5) and after <= 1


def test_slots_that_hold_all_that_is_asked_are_no_wall() -> None:
    given = {"model": "llama-3.1-8b", "gpu": "RTX 4090", "engine": "llama.cpp", "weights": "q8_0", "slots": 8,
             "context_total": 16384, "unified": "off", "output": 500, "concurrency": 8}  # fmt: skip
    assert judged(**given, prompt=1000).wall == "memory-bandwidth"
    assert judged(**given, prompt=3000).wall == "kv-fragmentation"


def test_one_memory_has_no_other_beside_it() -> None:
    report = judged(
        **LLAMA8 | {"model": "llama-3.1-70b", "engine": "llama.cpp"}, gpu="Apple M2", weights="q4_k_m", concurrency=1
    )
    assert (report.wall, report.phase) == ("weights-memory", "load")
    assert not {"cpu-offload", "tensor-parallel", "pipeline-parallel"} & set(helping(report))


def test_a_share_in_host_memory_that_is_too_small_leaves_the_wall_where_it_was() -> None:
    report = judged(
        **LLAMA8 | {"model": "llama-3.1-70b"}, weights="fp8", gpu="RTX 4090", cpu_offload="8GB", concurrency=2
    )
    assert Case(report.scenario).starts is False and report.phase == "load"
    for name in ("w4a16", "tensor-parallel", "more-memory"):
        found = lever(report, name)
        assert not found.helps or (found.after is not None and Case(found.after).starts)
    shared = judged(
        **LLAMA8 | {"engine": "llama.cpp"}, weights="q4_k_m", gpu="M4 Max", cpu_offload="2GB", concurrency=1
    )
    assert "interconnect" not in [one.id for one in shared.walls]


def test_the_largest_pass_is_named_where_it_takes_the_pool() -> None:
    report = judged(**LLAMA8 | {"model": "llama-3.1-70b"}, weights="awq", gpu="A100 SXM 80GB", concurrency=4,
                    max_model_len=32768, max_num_batched_tokens=131072)  # fmt: skip
    assert report.findings[0].cause == "profiling-peak"
    assert helping(report)[0] == "lower-token-budget"


def test_the_window_in_force_is_the_one_to_shorten() -> None:
    report = judged(**LLAMA8 | {"model": "llama-3.1-70b"}, weights="awq", gpu="RTX 4090", gpus=2, concurrency=1)
    assert report.phase == "load" and helping(report)[0] == "lower-max-model-len"
    runs = judged(**LLAMA8 | {"model": "llama-3.1-70b", "prompt": 1000}, gpu="A100 SXM 80GB", gpus=2, concurrency=8)
    assert runs.wall == "memory-bandwidth" and "kv-memory" in [one.id for one in runs.walls]
    assert lever(runs, "lower-max-model-len").helps


def test_requests_that_all_run_overflow_little() -> None:
    """A pool that would not hold them all at their longest holds them at their middle: arithmetic comes first."""
    given = LLAMA8 | {"model": "qwen2.5-14b", "prompt": 300, "output": 300}
    report = judged(**given, weights="awq", gpu="A100 SXM 40GB", concurrency=256)
    case = Case(report.scenario)
    assert case.batch == 256 > (case.requests_that_fit or 0)
    assert [one.id for one in report.walls] == ["compute", "kv-memory"]


def test_experts_that_are_spread_whole_are_read_by_their_own_cards() -> None:
    given = LLAMA8 | {"model": "deepseek-v3", "engine": "sglang 0.5", "prompt": 1000, "output": 1000}
    case = Case(
        scenario.build(
            {**given, "gpu": "H200 SXM 141GB", "gpus": 8, "dp": 8, "expert_parallel": "on", "concurrency": 1024}
        )
    )
    timing, card = case.timings.decode, case.scenario.gpu
    assert timing is not None and card is not None and case.weights_on_card is not None
    assert timing.step.ideal.weights == pytest.approx(float(case.weights_on_card / card.bandwidth), rel=0.03)
    assert timing.step.ideal.link > 0  # tokens go to the cards of their experts and back
    latent = judged(**given | {"prompt": 20000}, gpu="H200 SXM 141GB", gpus=8, concurrency=256)
    before, after = effect(lever(latent, "data-parallel"), "output-rate")
    assert after > before * Fraction(3, 2)


# --- levers ----------------------------------------------------------------------------------------------------------


def test_a_link_that_is_slow_by_its_kind_is_not_mended() -> None:
    report = judged(**LLAMA8 | {"prompt": 3000, "output": 100}, gpu="L40S", gpus=4, concurrency=64)
    assert report.wall == "interconnect" and helping(report)[0] == "data-parallel"
    assert lever(report, "fix-topology").why == "slow-link"


def test_a_bridge_binds_no_one_to_cards_with_bridges() -> None:
    report = judged(**LLAMA8, weights="awq", gpu="RTX 3090", concurrency=4)
    found = lever(report, "faster-gpu")
    assert found.helps and (found.gain or 0) > Fraction(5, 4)


def test_more_cards_than_a_board_holds_are_not_taken_for_granted() -> None:
    given = LLAMA8 | {"model": "llama-3.1-70b", "concurrency": 16}
    assert lever(judged(**given, gpu="H100 SXM 80GB", gpus=4), "tensor-parallel").precondition == "met"
    assert lever(judged(**given, gpu="H100 SXM 80GB", gpus=8), "tensor-parallel").precondition == "unknown"


def test_a_share_that_is_too_small_is_raised_first() -> None:
    report = judged(**LLAMA8, gpu="A10G", max_model_len=4096, concurrency=4, gpu_memory_utilization=0.5)
    assert report.wall == "weights-memory" and helping(report)[0] == "raise-memory-utilization"
    small = judged(
        **LLAMA8 | {"prompt": 4000, "output": 1000}, gpu="A100 SXM 80GB", concurrency=64, gpu_memory_utilization=0.4
    )
    order = helping(small)
    assert order.index("raise-memory-utilization") < order.index("admission-policy")


@pytest.mark.parametrize("engine", ["llama.cpp", "ollama", "exllamav2"])
def test_formats_that_an_engine_lacks(engine: str) -> None:
    report = judged(**LLAMA8 | {"engine": engine}, weights="bf16", gpu="H100 SXM 80GB", concurrency=1)
    assert {lever(report, name).why for name in ("fp8", "w8a8")} == {"not-in-engine"}


@pytest.mark.parametrize("gpu", ["M3 Max", "M2 Ultra"])
def test_a_chip_that_stands_alone(gpu: str) -> None:
    """Whichever of its kinds is meant: nothing joins it to others, and it replays no graphs."""
    report = judged(
        **LLAMA8 | {"engine": "llama.cpp"}, weights="q4_k_m", gpu=gpu, concurrency=1, tpot="80ms", eager="on"
    )
    assert not {"tensor-parallel", "data-parallel", "pipeline-parallel", "fix-topology", "cuda-graphs"} & set(
        helping(report)
    )
    assert report.experiment is None or report.experiment.id != "graphs-on"
    assert "eager" not in [one.input for one in report.questions]


@pytest.mark.parametrize("gpu", ["B200 SXM", "DGX Spark (GB10)", "Jetson AGX Thor", "Ryzen AI Max+ 395 (Strix Halo)"])
def test_a_faster_card_is_named_or_refused(gpu: str) -> None:
    """None of its kind is faster, or only cards that go into another kind of machine."""
    report = judged(**LLAMA8, gpu=gpu, weights="bf16", concurrency=4)
    assert lever(report, "faster-gpu").why == "at-limit"


def test_ranks_that_cannot_be_doubled() -> None:
    report = judged(**LLAMA8 | {"model": "qwen2.5-7b"}, gpu="H100 SXM 80GB", gpus=8, tp=4, concurrency=32)  # 28 heads
    found = lever(report, "tensor-parallel")
    assert (found.helps, found.why, found.params) == (False, "at-limit", {})


def test_more_ranks_keep_every_card_at_work() -> None:
    report = judged(**LLAMA8, gpu="H100 SXM 80GB", gpus=4, dp=4, concurrency=128)
    after = lever(report, "tensor-parallel").after
    assert after is not None and (after.tp, after.dp) == (2, 2)


def test_stages_take_machines_before_ranks() -> None:
    """Layers are cut inside a machine, where the fast link is; between machines a stage hands on little."""
    given = LLAMA8 | {"model": "llama-3.1-405b", "gpu": "H100 SXM 80GB", "gpus": 16, "nodes": 2, "concurrency": 64}
    after = apply("pipeline-parallel", scenario.build(given))
    assert after is not None and (after.tp, after.pp) == (8, 2)
    inside = Case(after).setup
    assert inside is not None and inside.link is None
    spread = Case(scenario.build(given)).setup
    assert spread is not None and spread.link == "pcie"


def test_a_lever_that_is_on_is_not_recommended() -> None:
    report = judged(
        **LLAMA8 | {"model": "mixtral", "engine": "llama.cpp"},
        gpu="RTX 4090",
        weights="q4_k_m",
        expert_offload="on",
        concurrency=1,
    )
    assert lever(report, "expert-offload").why == "already-on"


def test_a_needless_offload_is_dropped_before_weights_are_squeezed() -> None:
    report = judged(
        **LLAMA8 | {"model": "llama-3.1-70b"}, gpu="A100 SXM 80GB", gpus=2, cpu_offload="20GB", concurrency=4
    )
    assert helping(report)[0] == "drop-cpu-offload"
    tiny = judged(**LLAMA8, gpu="RTX 4090", cpu_offload="0.1GB", max_model_len=8192, concurrency=4)
    found = lever(tiny, "drop-cpu-offload")
    assert not found.published and found.gain and found.gain < 2  # what arithmetic gives, no figure of somebody else


def test_levers_of_the_verdict_are_judged_by_the_verdict() -> None:
    report = judged(
        **LLAMA8 | {"model": "qwen2.5-32b"}, gpu="A100 SXM 40GB", cpu_offload="40GB", concurrency=1, tpot="3s"
    )
    for name in ("w4a16", "tensor-parallel", "more-memory"):
        found = lever(report, name)
        assert found.helps and found.effects[0].measure == "decode-step" and (found.gain or 0) > 10


def test_copies_of_a_latent_have_their_lever_although_the_pool_overflows_too() -> None:
    report = judged(
        model="deepseek-v3",
        gpu="H200 SXM 141GB",
        gpus=8,
        engine="vllm 0.11",
        prompt=20000,
        output=1000,
        concurrency=256,
    )
    assert report.findings[0].cause == "pool-overflow"
    assert helping(report).index("data-parallel") < helping(report).index("tensor-parallel")


def test_both_phases_count_where_both_take_their_time() -> None:
    """Eight-bit arithmetic shortens prompts and lengthens the steps of 4-bit weights: what counts is both."""
    report = judged(
        model="qwen2.5-72b",
        gpu="A100 SXM 80GB",
        gpus=4,
        engine="tgi 3.0",
        weights="gptq",
        prompt=1000,
        output=400,
        concurrency=16,
    )
    assert report.phase == "both"
    found = lever(report, "w8a8")
    assert found.effects and found.effects[0].measure == "output-rate"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"concurrency": 256, "max_num_seqs": 32}, "at-limit"),  # more wait already
        ({"request_rate": 2}, "nothing-waits"),  # more do not come
    ],
)
def test_more_in_flight_helps_only_where_more_can_come_and_run(given: dict[str, int], why: str) -> None:
    report = judged(**LLAMA8, gpu="H100 SXM 80GB", **given)
    assert lever(report, "client-batching").why == why
    assert not {"concurrency", "request_rate"} & {one.input for one in report.questions}


def test_more_in_flight_goes_on_below_the_knee() -> None:
    report = judged(**LLAMA8, gpu="H100 SXM 80GB", concurrency=64)
    found = lever(report, "client-batching")
    assert found.helps and found.after is not None and found.after.concurrency is not None
    assert found.after.concurrency.mid == 128 and (found.gain or 0) > Fraction(5, 4)


def test_an_effect_that_contradicts_the_advice_is_not_shown() -> None:
    """What an unfused kernel costs is in no arithmetic: a lever is not praised for a step that this sees as slower."""
    report = judged(
        model="llama-2-7b",
        gpu="RTX 3090",
        engine="vllm 0.11",
        weights="gptq",
        act_order="on",
        prompt=500,
        output=200,
        concurrency=1,
    )
    found = lever(report, "keep-16bit")
    assert not (found.helps and "decode-step" in [one.measure for one in found.effects])
    assert found.helps or found.why == "slower"


def test_a_switch_that_boards_are_sold_with_is_not_asked_about() -> None:
    given = LLAMA8 | {"model": "llama-3.1-70b", "concurrency": 32}
    assert "link" not in [one.input for one in judged(**given, gpu="H100 SXM 80GB", gpus=4).questions]
    assert "link" in [one.input for one in judged(**given, weights="awq", gpu="RTX 3090", gpus=2).questions]


# --- all of them -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "gpu", ["T4", "V100 SXM2 32GB", "RTX 4090", "A100 SXM 80GB", "B200 SXM", "MI300X", "M4 Max", "P40"]
)
@pytest.mark.parametrize("model", ["llama-3.1-8b", "gpt-oss-20b", "deepseek-v2-lite", "gemma-3-12b"])
@pytest.mark.parametrize("load", [(200, 300, 1), (8000, 50, 32), (500, 1000, 256)])
def test_every_report_agrees_with_itself(gpu: str, model: str, load: tuple[int, int, int]) -> None:
    prompt, output, concurrency = load
    engine = "llama.cpp" if gpu in ("M4 Max", "P40") else "vllm 0.11"
    report = judged(model=model, gpu=gpu, engine=engine, prompt=prompt, output=output, concurrency=concurrency)
    case = Case(report.scenario)
    assert report.walls and sum(one.share or 0 for one in report.walls if one.id in TIME) <= Fraction(101, 100)
    if report.ledger is not None:
        assert sum(one.bytes for one in report.ledger.entries) == report.ledger.card.bytes
        assert case.starts is not False or report.phase == "load" or report.ledger.pool is None
    for one in report.levers:
        assert not (one.helps and one.gain is not None and not one.published and one.gain < Fraction(97, 100)), one.id
        if one.helps and one.after is not None:
            after = Case(one.after)
            for each in one.effects:
                if one.id != "prefix-caching" and each.measure != "waste":  # a hit rate and a last block are assumed
                    assert measures.MEASURES[each.measure].of(after) == each.after.value, (one.id, each.measure)
