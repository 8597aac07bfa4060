"""Levers as somebody with a server meets them: what is told to help does, in an order to act by, flags to copy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from content.diagnosing.levers import effect_text
from content.lang import LANGS
from engine import catalog
from engine.diagnosis import judge, scenario
from engine.diagnosis.acting import acts, aims, effects, levers, measures, moves, ranking, typed, weighing
from engine.diagnosis.acting import preconditions_formats as formats
from engine.diagnosis.acting.levers import LEVERS
from engine.diagnosis.acting.preconditions import Goal
from engine.diagnosis.cases.case import Case
from engine.diagnosis.model import Amount, LeverResult, Report, Scenario
from engine.diagnosis.settings import spelling

L4: dict[str, Any] = {"model": "llama-3.1-8b", "gpu": "L4", "engine": "vllm 0.10"}
A100: dict[str, Any] = {"model": "llama-3.1-8b", "gpu": "A100 SXM 80GB", "engine": "vllm 0.10"}
REFUSED = "ValueError: the model's max seq len (131072) is larger than the maximum number of tokens that can be stored"
FULL: dict[str, Any] = {
    "model": "llama-3.1-70b", "gpu": "A100 SXM 80GB", "gpus": 2, "tp": 2, "engine": "vllm 0.10", "prompt": 4000,
    "output": 1000, "concurrency": 64, "max_model_len": 16384, "symptoms": ["requests are preempted, KV cache is full"],
}  # fmt: skip


def read(**given: Any) -> Scenario:
    return scenario.build(given, "given")


def judged(**given: Any) -> Report:
    return judge.diagnose(read(**given))


def lever(report: Report, name: str) -> LeverResult:
    return next(one for one in report.levers if one.id == name)


def helping(report: Report) -> list[str]:
    return [one.id for one in report.levers if one.helps]


# --- a start that is refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("window", [None, 131072])
def test_a_window_that_is_too_long_is_shortened_and_that_comes_first(window: int | None) -> None:
    given = {} if window is None else {"max_model_len": window}
    report = judged(**L4, **given, symptoms=[REFUSED])
    first = report.levers[0]
    assert (report.wall, report.phase, first.id, first.helps) == ("kv-memory", "load", "lower-max-model-len", True)
    assert report.ledger is not None and report.ledger.longest is not None
    value = int(first.flag.removeprefix("--max-model-len "))
    assert report.ledger.longest - 512 < value <= report.ledger.longest and value % 256 == 0
    assert first.effects[0].measure == "full-request" and first.effects[0].before.value > 2
    assert first.effects[0].after.value <= 1


def test_what_does_not_make_it_start_is_not_enough_and_says_what_is_missing() -> None:
    report = judged(**L4, symptoms=[REFUSED])
    for name in ("w4a16", "fp8", "w8a8", "raise-memory-utilization", "kv-quantization"):
        found = lever(report, name)
        assert (found.helps, found.why) == (False, "not-enough"), name
        holds, needs = found.params["holds"], found.params["needs"]
        assert isinstance(holds, Amount) and isinstance(needs, Amount)
        assert 40000 < holds.value < needs.value == 131072
        after = found.after
        assert after is not None and Case(after).ledger is not None and not aims.window_fits(Case(after))


def test_a_pool_that_an_error_prints_grows_by_what_a_lever_frees() -> None:
    report = judged(**L4, symptoms=[f"{REFUSED} in KV cache (41072)"])
    assert report.scenario.kv_pool_tokens == 41072
    assert report.levers[0].flag == "--max-model-len 40960"
    four = lever(report, "w4a16")
    assert four.why == "not-enough" and four.effects[0].after.value * 2 < four.effects[0].before.value
    assert {"tensor-parallel", "more-memory"} <= set(helping(report))


@pytest.mark.parametrize("gpu", ["L4", "RTX 4090", "A10", "RTX 3090"])
def test_at_start_all_that_helps_starts_it(gpu: str) -> None:
    report = judged(model="llama-3.1-8b", gpu=gpu, engine="vllm", symptoms=[REFUSED])
    assert helping(report)
    for one in report.levers:
        if one.helps and one.after is not None:
            after = Case(one.after)
            assert after.starts is True and aims.window_fits(after), one.id


def test_weights_that_fit_at_last_come_with_the_window_that_then_fits() -> None:
    report = judged(model="llama-3.1-70b", gpu="A100 SXM 80GB", engine="vllm")
    found = lever(report, "w8a8")
    assert report.wall == "weights-memory" and found.helps
    window = found.params["window"]
    assert isinstance(window, Amount) and found.flag.endswith(f" --max-model-len {window.value}")
    assert found.after is not None and aims.window_fits(Case(found.after.having(max_model_len=int(window.value))))
    more = lever(report, "raise-memory-utilization")
    assert not more.helps and more.why in ("does-not-fit", "not-enough") and "short" in more.params


@pytest.mark.parametrize("name", ["lower-max-model-len", "cap-concurrency", "lower-token-budget"])
def test_a_setting_that_is_tried_does_not_change_the_server_that_is_computed(name: str) -> None:
    of = read(model="qwen2.5-14b", gpu="A10", prompt=500, output=200, concurrency=4)
    after = levers.apply(name, of)
    if after is not None:
        assert Case(after)._kind == Case(of)._kind
        assert Case(after).free_bytes == Case(of).free_bytes


@pytest.mark.parametrize("given", [{"ttft": "6s"}, {"prompt": 1500, "output": 300, "concurrency": 16, "tpot": "80ms"}])
def test_a_server_that_answers_has_a_window_that_fits(given: dict[str, Any]) -> None:
    report = judged(**L4, **given)
    assert "kv-memory" not in [wall.id for wall in report.walls] and report.phase != "load"
    assert "max_model_len" in [one.input for one in report.questions]


def test_a_slow_first_request_is_no_failed_start() -> None:
    report = judged(
        model="qwen2.5-7b", gpu="L4", engine="vllm", symptoms=["first request after start takes 40 seconds"]
    )
    assert report.phase != "load"


def test_where_the_numbers_close_whatever_leaves_room_is_told_too() -> None:
    report = judged(
        model="qwen2.5-32b", gpu="A100 SXM 80GB", max_model_len=32768,
        symptoms=["server will not start: No available memory for the cache blocks"],
    )  # fmt: skip
    order = helping(report)
    assert report.phase == "load" and {"w4a16", "w8a8", "tensor-parallel", "more-memory"} <= set(order)
    assert order.index("more-memory") > max(map(order.index, ("w4a16", "w8a8", "tensor-parallel")))
    assert not {"client-batching", "speculative-decoding", "faster-gpu"} & set(helping(report))


# --- every wall of the verdict ---------------------------------------------------------------------------------------


def test_a_lever_that_does_nothing_for_the_first_wall_may_help_the_second() -> None:
    report = judged(
        model="llama-3.1-8b", gpu="RTX 4090", engine="vllm", prompt=12000, output=300, concurrency=8,
        symptoms=["time to first token is very high"],
    )  # fmt: skip
    assert [wall.id for wall in report.walls] == ["compute", "kv-memory"]
    found = lever(report, "kv-quantization")
    assert found.helps and found.effects[0].measure == "requests" and found.gain == 2
    assert helping(report).index("fp8") < helping(report).index("kv-quantization")


def test_what_a_lever_worsens_of_the_verdict_is_told() -> None:
    report = judged(**FULL)
    found = lever(report, "w4a16")
    before, after = next(
        (one.before.value, one.after.value) for one in found.effects if one.measure == "decode-step"
    )  # fmt: skip
    assert found.helps and after > before  # twenty times as many run
    share = lever(report, "raise-memory-utilization")
    assert "decode-step" not in LEVERS[share.id].shows
    assert any(one.measure == "decode-step" and one.after.value > one.before.value for one in share.effects)


@pytest.mark.parametrize("gpu", [one for one in catalog.gpus() if one.peak_flops], ids=lambda one: one.name)
def test_a_larger_card_is_worse_in_nothing_and_a_faster_one_faster(gpu: Any) -> None:
    for one in moves._larger(gpu):
        assert one.capacity > gpu.capacity and one.bandwidth >= gpu.bandwidth and one.peak_flops >= gpu.peak_flops
        assert (one.flops8 or 0) >= (gpu.flops8 or 0)
    found = moves.faster(gpu)
    if found is not None:
        assert found.bandwidth > gpu.bandwidth and found.peak_flops > gpu.peak_flops and found.capacity >= gpu.capacity
        assert not moves._older(gpu, found)


def test_a_larger_card_is_of_no_older_generation() -> None:
    assert not [one.name for one in moves._larger(catalog.gpu("A10")) if one.name.startswith("V100")]
    assert moves.faster(catalog.gpu("Apple M3 Max (30-core GPU)")) != catalog.gpu("Apple M2 Max (38-core GPU)")


# --- what is told to help does ---------------------------------------------------------------------------------------

LOADS: tuple[dict[str, Any], ...] = (
    {"prompt": 500, "output": 300, "concurrency": 1},
    {"prompt": 12000, "output": 300, "concurrency": 8},
    {"prompt": 1000, "output": 1000, "concurrency": 256},
    {"prompt": 2000, "output": 300, "request_rate": 6},
    {},
)
SERVERS: tuple[dict[str, Any], ...] = (
    L4,
    {**A100, "max_model_len": 65536},
    {"model": "llama-3.1-70b", "gpu": "A100 SXM 80GB", "engine": "vllm"},
    {"model": "llama-3.1-70b", "gpu": "A100 SXM 80GB", "gpus": 2, "tp": 2, "engine": "vllm", "max_model_len": 16384},
    {"model": "llama-3.1-8b", "gpu": "RTX 4090", "gpus": 2, "tp": 2, "link": "pcie", "engine": "vllm",
     "max_model_len": 65536},
    {"model": "qwen2.5-32b", "gpu": "RTX 4090", "engine": "vllm", "flags": {"cpu-offload-gb": 48},
     "max_model_len": 65536},
    {"model": "llama-3.1-8b", "weights": "q4_k_m", "gpu": "RTX 4060", "engine": "llama.cpp",
     "flags": {"n-gpu-layers": 15, "ctx-size": 65536}},
    {**A100, "weights": "awq", "max_model_len": 65536, "flags": {"max-num-seqs": 64}},
)  # fmt: skip
OF_THE_WALL = frozenset(
    ("no-effect", "not-the-wall", "at-limit", "pool-full", "nothing-waits", "slow-link", "math-stays-16bit",
     "frees-other-bytes", "far-from-roof", "pool-has-room", "one-request", "busy")
)  # fmt: skip


@pytest.mark.parametrize("server", SERVERS, ids=range(len(SERVERS)))
@pytest.mark.parametrize("load", LOADS, ids=range(len(LOADS)))
def test_no_lever_contradicts_the_scenario_after_it(server: dict[str, Any], load: dict[str, Any]) -> None:
    case = Case(read(**server, **load))
    report = judge.verdict(case)
    first = aims.goals(case, report.findings)[0]
    for one in report.levers:
        worse = one.effects and (one.effects[0].after.value - one.effects[0].before.value) * one.effects[0].better < 0
        assert not (one.helps and worse), one.id
        after = levers.apply(one.id, case.scenario)
        if after is None:
            continue
        gain = effects.gain(case, Case(effects.held(case, after)), first, LEVERS[one.id])
        if one.helps:
            assert gain is None or gain * effects.LEAST >= 1, one.id
        elif one.why in OF_THE_WALL and not LEVERS[one.id].hardware and (gain or 0) > effects.LEAST:
            walls = [wall.id for wall in judge.verdict(Case(after)).walls]
            assert report.wall in walls or report.wall == "none", (one.id, one.why)


def test_sixteen_bits_that_are_slower_by_every_number_are_not_advised() -> None:
    report = judged(
        **A100, weights="awq", prompt=1500, output=200, concurrency=64,
        symptoms=["the 4-bit model is slower than fp16"],
    )  # fmt: skip
    found = lever(report, "keep-16bit")
    assert (found.helps, found.why) == (False, "slower")
    assert lever(report, "w8a8").helps


def test_a_crash_is_answered_with_room_and_not_with_speed() -> None:
    report = judged(
        **{**A100, "gpu": "RTX 4090", "model": "mistral-7b-v0.3"}, flags={"gpu-memory-utilization": 0.97},
        symptoms=["CUDA out of memory after an hour of running"],
    )  # fmt: skip
    assert [wall.id for wall in report.walls] == ["other"]
    first = report.levers[0]
    assert first.id == "lower-memory-utilization" and first.effects[0].measure == "outside"
    assert first.effects[0].after.value > first.effects[0].before.value
    assert not {"client-batching", "speculative-decoding", "faster-gpu"} & set(helping(report))


def test_a_step_of_more_requests_is_compared_by_what_it_yields() -> None:
    report = judged(
        model="llama-3.1-70b", gpu="A100 SXM 80GB", gpus=2, tp=2, engine="vllm", max_model_len=16384, prompt=2000,
        output=300, request_rate=6,
    )  # fmt: skip
    found = lever(report, "w4a16")
    assert report.wall == "memory-bandwidth" and found.helps and found.effects[0].measure == "output-rate"
    assert any(one.measure == "decode-step" and one.after.value > one.before.value for one in found.effects)


def test_what_arrives_is_the_same_before_and_after() -> None:
    """A faster server of arrivals would have fewer at once, and its step would look faster than the lever makes it."""
    report = judged(**A100, prompt=2000, output=300, request_rate=6)
    one = next(one for one in lever(report, "w8a8").effects if one.measure == "decode-step")
    assert one.before.value / one.after.value < Fraction(3, 2)


def test_a_card_that_idles_is_not_replaced() -> None:
    report = judged(**A100, prompt=1000, output=300, concurrency=4, symptoms=["GPU utilization is only 30%"])
    assert [wall.id for wall in report.walls] == ["cpu-overhead", "memory-bandwidth"]
    assert not {"faster-gpu", "tensor-parallel", "more-memory"} & set(helping(report))


# --- order -----------------------------------------------------------------------------------------------------------


def test_five_per_cent_without_a_flag_come_last() -> None:
    report = judged(**FULL)
    found = lever(report, "admission-policy")
    assert found.published and found.flag == "" and helping(report)[-1] == "admission-policy"


def test_what_may_do_anything_comes_behind_what_is_computed() -> None:
    report = judged(**A100, prompt=1000, output=300, concurrency=4, symptoms=["GPU utilization is only 30%"])
    order = helping(report)
    large = [one.id for one in report.levers if one.helps and not one.published and (one.gain or 0) > Fraction(5, 4)]
    assert large and max(map(order.index, large)) < min(order.index(one) for one in order if one == "upgrade-engine")


def weighed(name: str, gain: str = "", text: str = "--flag", state: Any = "met", **more: Any) -> ranking.Weighed:
    result = LeverResult(name, True, (), Fraction(gain) if gain else None, state, "", {}, "", text)
    return ranking.Weighed(result._replace(published=more.pop("published", False)), **more)


def test_the_order_of_what_is_known_guessed_and_small() -> None:
    found = [
        weighed("upgrade-engine", text=""),
        weighed("admission-policy", "1.05", "", published=True),
        weighed("fix-topology", state="unknown"),
        weighed("more-memory", "4", buys=True),
        weighed("cap-concurrency", "1.04"),
        weighed("w4a16", "2", aside=True),
        weighed("fp8", "1.5"),
    ]
    own = ("pipeline-parallel", "fix-topology")
    order = ["fp8", "more-memory", "fix-topology", "w4a16", "upgrade-engine", "cap-concurrency", "admission-policy"]
    assert [one.id for one in ranking.ordered(found, "", own)] == order
    cure = [weighed("tune-serving-layer", text=""), weighed("upgrade-engine", text=""), weighed("fp8", "1.5")]
    ids = [one.id for one in ranking.ordered(cure, "", ("tune-serving-layer", "upgrade-engine"))]
    assert ids == ["tune-serving-layer", "fp8", "upgrade-engine"]


def test_ranks_come_before_stages_where_both_let_it_start() -> None:
    order = helping(judged(model="qwen2.5-14b", gpu="A10", engine="vllm", concurrency=4))
    assert order.index("tensor-parallel") < order.index("pipeline-parallel")


def test_the_act_that_takes_the_cause_away_stays_first() -> None:
    report = judged(
        model="qwen2.5-7b", gpu="L40S", engine="vllm", prompt=1000, output=300, concurrency=8,
        symptoms=["JSON mode makes it half as fast"],
    )  # fmt: skip
    assert helping(report)[0] == "grammar-backend" and helping(report)[-1] in ("upgrade-engine", "tune-serving-layer")


# --- single levers ---------------------------------------------------------------------------------------------------


def test_a_cap_goes_up_to_what_fits_where_more_is_asked() -> None:
    report = judged(**A100, prompt=1500, output=300, concurrency=256, flags={"max-num-seqs": 64}, max_model_len=8192)
    found, fits = lever(report, "raise-concurrency"), report.ledger.fits if report.ledger else None
    assert fits is not None and 64 < fits < 256
    assert found.helps and found.flag == f"--max-num-seqs {fits}"


@pytest.mark.parametrize("share", [None, 0.8, 0.9, 0.92])
def test_the_share_that_is_advised_is_not_the_one_that_is_warned_of(share: float | None) -> None:
    given = {} if share is None else {"flags": {"gpu-memory-utilization": share}}
    for engine in ("vllm", "sglang"):
        after = levers.apply("raise-memory-utilization", read(**{**L4, "engine": engine}, **given))
        assert after is None or (after.utilization is not None and after.utilization <= Fraction(94, 100) < acts.FULL)


def test_ranks_over_pcie_are_judged_by_what_they_give() -> None:
    slow = judged(
        model="llama-3.1-70b", gpu="RTX 4090", weights="awq", engine="vllm", flags={"cpu-offload-gb": 20},
        prompt=500, output=200, concurrency=1,
    )  # fmt: skip
    found = lever(slow, "tensor-parallel")
    assert found.helps and (found.gain or 0) > 10 and found.warning == "tensor-parallel-pcie"
    assert helping(slow).index("tensor-parallel") < helping(slow).index("pipeline-parallel")


@pytest.mark.parametrize(("concurrency", "why"), [(1, "one-request"), (3, "few-requests"), (8, "")])
def test_replicas_need_as_many_requests(concurrency: int, why: str) -> None:
    of = read(**A100, gpus=4, tp=4, prompt=500, output=200, concurrency=concurrency)
    goal = aims.goals(Case(of), judge.diagnose(of).findings)[0]
    check = weighing._check(Case(of), goal, LEVERS["data-parallel"])
    assert check.why == why


def test_a_cache_of_beginnings_that_is_on_by_default_is_to_be_checked_where_prompts_are_long() -> None:
    long = lever(judged(**A100, prompt=8000, output=100, concurrency=4), "prefix-caching")
    assert long.helps and long.precondition == "unknown" and long.flag == ""
    short = judged(**A100, prompt=1000, output=4, concurrency=4)
    assert "prefix-caching" not in helping(short)


@pytest.mark.parametrize(
    "given",
    [
        {"engine": "llama.cpp", "gpu": "RTX 4060", "weights": "q4_k_m", "flags": {"n-gpu-layers": 15}},
        {"gpu": "RTX 4060", "weights": "q4_k_m"},
        {"gpu": "Apple M3 Max (40-core GPU)"},
        {"gpu": "Apple M3 Max (40-core GPU)", "weights": "q4_k_m", "engine": "llama.cpp"},
    ],
)
def test_files_for_llama_cpp_and_chips_without_cuda_get_no_levers_of_others(given: dict[str, Any]) -> None:
    report = judged(model="llama-3.1-8b", prompt=1000, output=200, concurrency=1, **given)
    none = {"fp8", "w8a8"}
    if "Apple" in given["gpu"]:
        none |= {"cuda-graphs", "fewer-cuda-graphs", "eager-mode", "tensor-parallel", "pipeline-parallel"}
    assert not none & set(helping(report))
    assert not [one.flag for one in report.levers if "vLLM" in one.flag]


def test_several_adapters_are_not_merged_and_sixteen_bits_have_their_kernel() -> None:
    report = judged(
        **A100, flags={"enable-lora": True, "max-loras": 8, "max-lora-rank": 64}, prompt=1000, output=200,
        concurrency=16, symptoms=["with LoRA adapters it is slower"],
    )  # fmt: skip
    assert lever(report, "merge-lora").why == "many-adapters"
    rank = lever(report, "lower-adapter-rank")
    assert rank.helps and rank.flag.startswith("--max-lora-rank <")
    assert lever(report, "better-kernel").why == "plain-format" and lever(report, "better-kernel").flag == ""


# --- flags to copy ---------------------------------------------------------------------------------------------------


def flag(name: str, **given: Any) -> str:
    of = read(**given)
    return typed.flag(name, Case(of), levers.apply(name, of))


@pytest.mark.parametrize(
    ("name", "given", "text"),
    [
        ("cap-concurrency", {**FULL}, "--max-num-seqs 3"),
        ("kv-quantization", L4, "--kv-cache-dtype fp8"),
        ("raise-memory-utilization", L4, "--gpu-memory-utilization 0.94"),
        ("lower-memory-utilization", {**L4, "flags": {"gpu-memory-utilization": 0.97}}, "--gpu-memory-utilization 0.9"),
        ("tensor-parallel", L4, "--tensor-parallel-size 2"),
        ("data-parallel", {**A100, "gpus": 2, "tp": 2}, "--tensor-parallel-size 1 --data-parallel-size 2"),
        ("data-parallel", {**A100, "model": "mixtral-8x7b"}, "--data-parallel-size 2 --enable-expert-parallel"),
        ("pipeline-parallel", {**A100, "engine": "vllm 0.4", "gpus": 2, "tp": 2}, ""),
        ("pipeline-parallel", {**A100, "gpus": 2, "tp": 2}, "--tensor-parallel-size 1 --pipeline-parallel-size 2"),
        ("w4a16", L4, "--model <an AWQ checkpoint>"),
        ("w4a16", {"model": "llama-3.1-8b", "gpu": "Apple M4 Max (40-core GPU)"}, "llama.cpp -m <a Q4_K_M file>"),
        ("w4a16", {"model": "qwen2.5-32b", "gpu": "RTX 4090", "engine": "vllm", "max_model_len": 4096,
                   "flags": {"cpu-offload-gb": 48}}, "--model <an AWQ checkpoint>, remove --cpu-offload-gb"),
        ("cuda-graphs", {**L4, "flags": {"enforce-eager": True}}, "remove --enforce-eager"),
        ("cuda-graphs", L4, ""),
        ("fix-topology", {**A100, "gpus": 2, "tp": 2}, ""),
        ("fix-topology", {**A100, "gpus": 2, "tp": 2, "flags": {"disable-custom-all-reduce": True}},
         "remove --disable-custom-all-reduce"),
        ("better-kernel", {**A100, "weights": "awq"}, "--quantization awq_marlin"),
        ("better-kernel", {**A100, "weights": "gptq"}, "--quantization gptq_marlin"),
        ("better-kernel", A100, ""),
        ("shorten-requests", {**A100, "prompt": 8000, "output": 100}, ""),
        ("shorten-requests", {**A100, "prompt": 100, "output": 800}, "max_tokens=400"),
        ("merge-lora", {**A100, "flags": {"enable-lora": True}}, "remove --enable-lora"),
        ("merge-lora", A100, ""),
        ("drop-cpu-offload", {**L4, "flags": {"cpu-offload-gb": 10}}, "remove --cpu-offload-gb"),
        ("lower-token-budget", {**A100, "flags": {"max-num-batched-tokens": 8192}}, "--max-num-batched-tokens 2048"),
        ("keep-16bit", {**A100, "flags": {"kv-cache-dtype": "fp8"}}, "--kv-cache-dtype auto"),
        ("cap-concurrency", {"model": "llama-3.1-8b", "gpu": "RTX 3090", "engine": "llama.cpp", "weights": "q4_k_m",
                             "flags": {"ctx-size": 8192, "np": 8}, "prompt": 1500, "output": 500}, "-np 4"),
        ("raise-concurrency", {**A100, "engine": None, "prompt": 500, "output": 200, "concurrency": 100,
                               "flags": {"max-num-seqs": 16}}, "vLLM --max-num-seqs 100"),
    ],
)  # fmt: skip
def test_a_flag_can_be_copied(name: str, given: dict[str, Any], text: str) -> None:
    assert flag(name, **{key: value for key, value in given.items() if value is not None}) == text


AWQ: dict[str, Any] = {
    "model": "qwen2.5-7b", "weights": "awq", "prompt": 1000, "output": 300, "concurrency": 4, "tpot": "60ms",
    "symptoms": ["AWQ is slower than fp16"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("gpu", "engine", "helps"),
    [
        ("T4", "vllm 0.9.2", False), ("T4", "sglang 0.5.8", False), ("T4", "vllm 0.19", True),
        ("A10", "vllm 0.9.2", True), ("L4", "sglang 0.5.8", True),
    ],
)  # fmt: skip
def test_a_kernel_is_offered_where_the_card_runs_it(gpu: str, engine: str, helps: bool) -> None:
    """Marlin asks for Ampere; vLLM's runs on Turing from 0.14 on."""
    found = lever(judged(**AWQ, gpu=gpu, engine=engine), "better-kernel")
    assert found.helps is helps
    assert found.why == ("" if helps else "no-kernel")


@pytest.mark.parametrize(
    ("gpu", "engine", "state"),
    [
        ("A100 SXM 80GB", "vllm 0.10", "failed"), ("T4", "vllm 0.9.2", "failed"), ("L4", "vllm 0.10", "met"),
        ("A100 SXM 80GB", "vllm 0.5.4", "met"), ("A100 SXM 80GB", "sglang 0.5.8", "met"),
        ("A100 SXM 80GB", "tensorrt-llm 1.0", "failed"), ("H100 SXM 80GB", "tensorrt-llm 1.0", "met"),
        ("A100 SXM 80GB", "lmdeploy", "met"), ("A100", "vllm 0.10", "failed"), ("RTX 3090", "llama.cpp", "met"),
        (None, "vllm 0.10", "unknown"),
    ],
)  # fmt: skip
def test_a_known_card_settles_whether_its_cache_may_be_fp8(gpu: str | None, engine: str, state: str) -> None:
    given = {**FULL, "gpu": gpu, "engine": engine, "max_model_len": None}
    of = Case(read(**{name: value for name, value in given.items() if value is not None}))
    check = formats.cache_to_save(of, Goal("kv-memory", "decode", None, "requests", "numbers"))
    assert (check.state, check.why) == (state, "no-fp8-cache" if state == "failed" else "")


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({**AWQ, "gpu": "T4", "engine": "vllm 0.9.2"}, "--model <the 16-bit checkpoint> --dtype half"),
        ({**AWQ, "gpu": "A10", "engine": "vllm 0.9.2"}, "--model <the 16-bit checkpoint>"),
        (
            {
                **AWQ,
                "gpu": "L4",
                "engine": "vllm 0.9.2",
                "model": "qwen2.5-32b",
                "concurrency": 1,
                "max_model_len": 4096,
                "tpot": "150ms",
            },
            "",
        ),
    ],
)
def test_an_experiment_is_one_that_the_card_can_run(given: dict[str, Any], text: str) -> None:
    found = judged(**given).experiment
    assert found is not None
    assert (found.id, found.flag) == ("sixteen-bit", text)


def test_flags_of_one_lever_are_pasted_as_they_stand() -> None:
    given = {"model": "qwen2.5-32b", "gpu": "RTX 4090", "engine": "llama.cpp", "weights": "q5_k_m", "gpu_layers": 52}
    assert flag("tensor-parallel", **given).startswith("-sm row -ngl ")
    assert flag("pipeline-parallel", **given).startswith("-sm layer -ngl ")


def test_the_bare_form_stays() -> None:
    of = read(**L4)
    assert spelling.flag("raise-concurrency", of) == "--max-num-seqs"
    assert spelling.flag("cuda-graphs", of).startswith("drop --enforce-eager")


@pytest.mark.parametrize("server", SERVERS, ids=range(len(SERVERS)))
def test_what_is_to_be_typed_is_read_again_as_the_same(server: dict[str, Any]) -> None:
    """A lever's flags, given to the same server, are the scenario that the lever was worked out for."""
    given = {**server, "prompt": 4000, "output": 500, "concurrency": 48}
    of = read(**given)
    for one in judge.diagnose(of).levers:
        if not one.flag.startswith("-") or one.after is None or "<" in one.flag or "," in one.flag or "'" in one.flag:
            continue
        words, flags = one.flag.split(), {}
        for place, word in enumerate(words):
            if word.startswith("-"):
                value = words[place + 1] if place + 1 < len(words) and not words[place + 1].startswith("-") else True
                flags[word] = value
        for field in ("max_num_seqs", "max_model_len", "utilization", "max_num_batched_tokens", "tp", "pp", "dp"):
            own = scenario.build({"engine": given["engine"], "model": given["model"], "flags": flags}, "given")
            if getattr(own, field) is not None and "window" not in one.params:
                assert getattr(own, field) == getattr(one.after, field), (one.id, one.flag)


def test_every_measure_that_levers_use_is_there() -> None:
    assert {"full-request", "outside"} <= set(measures.MEASURES)


def test_a_step_of_another_number_of_requests_says_so_and_8_bits_that_fit_are_warned_of_for_the_answers() -> None:
    given: dict[str, Any] = {**L4, "prompt": 2000, "output": 300, "max_model_len": 8192, "concurrency": 64}
    report = judged(**given)
    steps = [(each, one) for one in report.levers for each in one.effects if each.measure == "decode-step"]
    assert any(each.batches for each, _ in steps)
    for each, one in steps:
        if one.after is not None:
            now, then = Case(report.scenario).batch, Case(one.after).batch
            assert each.batches == (None if now == then else (now, then))
    for lang in LANGS:
        changed = next(each for each, _ in steps if each.batches)
        assert str(changed.batches[1]) in effect_text(changed, lang) and changed.batches is not None  # type: ignore[index]
    assert lever(report, "fp8").warning == "fp8-answers"
    large = judged(model="llama-3.1-70b", gpu="H100 SXM 80GB", engine="vllm")
    assert lever(large, "fp8").warning == "fp8"
