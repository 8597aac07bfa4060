"""Levers: what each does to a scenario, which help for a verdict and in which order, and why the others do not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import catalog, precision
from engine.diagnosis import judge
from engine.diagnosis import scenario as read
from engine.diagnosis.acting import levers, measures, ranking
from engine.diagnosis.acting.levers import LEVERS, WARNINGS
from engine.diagnosis.acting.preconditions import REASONS
from engine.diagnosis.cases.case import Case
from engine.diagnosis.model import (
    WALLS,
    Amount,
    Detail,
    Finding,
    LeverResult,
    Phase,
    Said,
    Scenario,
    Signal,
    Span,
    Wall,
)
from engine.vllm import GIB


def scenario(model: str | None = None, gpu: str | None = None, **fields: Any) -> Scenario:
    for name in ("prompt", "output", "concurrency"):
        if name in fields:
            fields[name] = Span(fields[name], fields[name])
    if "weights" in fields:
        fields["weights"] = precision.find(fields["weights"])
    return Scenario(
        model=catalog.model(model) if model else None, gpu=catalog.gpu(gpu) if gpu else None, **fields
    )  # fmt: skip


def finding(wall: Wall, phase: Phase, detail: Detail | None = None, by: Any = "numbers") -> Finding:
    return Finding("cause", wall, detail, phase, Fraction(9, 10), None, by, {})


def judged(
    of: Scenario, wall: Wall, phase: Phase, wanted: str, useless: str = "", detail: Detail | None = None,
    by: Any = "numbers",
) -> dict[str, LeverResult]:  # fmt: skip
    results = levers.judge(Case(of), [finding(wall, phase, detail, by)], wanted.split(), useless.split())
    return {one.id: one for one in results}


def helping(results: dict[str, LeverResult]) -> list[str]:
    return [name for name, one in results.items() if one.helps]


def value(result: LeverResult, measure: str) -> tuple[float, float]:
    one = next(one for one in result.effects if one.measure == measure)
    return float(one.before.value), float(one.after.value)


PREFILL: dict[str, Any] = {"prompt": 3000, "output": 20, "concurrency": 1, "engine": "vllm", "max_model_len": 4096}
BIG = scenario("llama-3-70b", "A100 SXM 80GB", engine="vllm", gpus=1)
FULL = scenario(
    "qwen2.5-7b", "GB200", engine="vllm", prompt=1000, output=5000, concurrency=128, kv_pool=Fraction(16 * GIB),
    max_model_len=8192, max_num_seqs=256,
)  # fmt: skip


# --- the table -------------------------------------------------------------------------------------------------------


def test_every_lever_attacks_a_wall_and_warns_or_cannot_backfire() -> None:
    assert len(LEVERS) == 46
    for one in LEVERS.values():
        assert one.attacks and set(one.attacks) <= set(WALLS)
        assert {*one.shows, *one.instead.values()} <= set(measures.MEASURES)
        assert one.published is None or one.published[1]
    assert [one.id for one in LEVERS.values() if not one.warns] == ["prequantized-checkpoint"]
    assert {one.id for one in LEVERS.values() if one.warns} <= WARNINGS


def test_every_wall_but_none_has_a_lever() -> None:
    assert {wall for one in LEVERS.values() for wall in one.attacks} == set(WALLS)


# --- acts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", "w4a16 w8a8 fp8 kv-quantization chunked-prefill prefix-caching eager-mode speculative-decoding".split()
)
def test_an_act_that_is_done_changes_nothing_more(name: str) -> None:
    before = scenario("llama-3.1-8b", "H100 SXM 80GB", engine="vllm", version="0.6", max_model_len=8192)
    after = levers.apply(name, before)
    assert after is not None and after != before
    assert levers.apply(name, after) is None


def test_an_act_drops_what_was_measured_before_it() -> None:
    before = scenario(
        "llama-3.1-8b", "L4", engine="vllm", tpot=Fraction(1, 10), throughput=Fraction(10), kv_usage=Fraction(1, 2),
        running=4, waiting=3, concurrency=8, signals=(Signal("slow-decode", "slow"),),
        said={"tpot": Said("log"), "engine": Said("given")},
    )  # fmt: skip
    after = levers.apply("fp8", before)
    assert after is not None
    assert (after.tpot, after.throughput, after.kv_usage, after.waiting, after.running) == (None,) * 5
    assert not after.signals and "tpot" not in after.said and "engine" in after.said
    assert after.said["weights"].source == "what-if"


def test_a_lever_without_arithmetic_has_no_scenario_and_an_unknown_one_no_lever() -> None:
    assert levers.apply("better-kernel", BIG) is None
    with pytest.raises(KeyError):
        levers.apply("more-magic", BIG)


def test_a_pool_that_was_logged_grows_by_what_is_freed_and_one_that_was_set_stays() -> None:
    size = Fraction(10 * 10**9)
    said = {"kv_pool": Said("log", "server.log:7")}
    before = scenario("llama-3.1-8b", "H100 SXM 80GB", engine="vllm", kv_pool=size, said=said)
    after = levers.apply("w4a16", before)
    assert after is not None and after.kv_pool is not None
    freed = Case(before).weights_on_card - Case(after).weights_on_card  # type: ignore[operator]
    assert after.kv_pool == size + freed > size
    assert levers.apply("w4a16", scenario("llama-3.1-8b", "H100 SXM 80GB", engine="vllm", kv_pool=size)).kv_pool == size  # type: ignore[union-attr]


def test_fewer_bits_of_the_cache_leave_the_bytes_of_its_pool() -> None:
    after = levers.apply("kv-quantization", FULL)
    assert after is not None and after.kv_pool == FULL.kv_pool
    before = Case(FULL).pool_tokens or 0
    assert 2 * before <= (Case(after).pool_tokens or 0) <= 2 * before + 16  # the block that was cut off


def test_weights_that_fit_again_leave_the_host() -> None:
    before = scenario(
        "llama-3-70b", "GH200 96GB", engine="vllm", cpu_offload=Fraction(70 * 10**9), concurrency=1, prompt=100,
        output=200, max_model_len=4096,
    )  # fmt: skip
    results = judged(before, "interconnect", "decode", "drop-cpu-offload w4a16 fp8 tensor-parallel", "cpu-offload")
    assert results["drop-cpu-offload"].why == "does-not-fit"
    assert results["w4a16"].after.cpu_offload == 0  # type: ignore[union-attr]
    assert results["w4a16"].gain > 20 and results["cpu-offload"].why == "interactive"  # type: ignore[operator]
    assert set(helping(results)) >= {"w4a16", "fp8", "tensor-parallel"}


def test_a_window_is_cut_to_what_requests_need_else_to_what_fits() -> None:
    card: dict[str, Any] = {"engine": "vllm", "max_model_len": 131072}
    needed = levers.apply("lower-max-model-len", scenario("llama-3.1-8b", "L4", prompt=3000, output=500, **card))
    assert needed is not None and needed.max_model_len == 4096
    fitting = levers.apply("lower-max-model-len", scenario("llama-3.1-8b", "L4", **card))
    assert fitting is not None and Case(fitting).starts is True
    assert 25000 < (fitting.max_model_len or 0) < 32000


def test_replicas_take_as_few_ranks_as_the_weights_need() -> None:
    small = scenario("llama-3.1-8b", "A100 SXM 80GB", engine="vllm", gpus=4, tp=4)
    large = scenario("llama-3-70b", "A100 SXM 80GB", engine="vllm", gpus=8, tp=8)
    of = [levers.apply("data-parallel", one) for one in (small, large)]
    assert [(one.tp, one.dp) for one in of if one is not None] == [(1, 4), (2, 4)]


# --- the course's two cases ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [None, "llama-2-7b"])
def test_reserved_slots_are_paged(model: str | None) -> None:
    course = scenario(model, "A100 SXM 40GB" if model else None, reserve=2048, prompt=40, output=20)
    results = judged(course, "kv-fragmentation", "both", "cap-concurrency paged-attention", "w4a16 raise-concurrency")
    assert helping(results) == ["paged-attention"]
    before, after = value(results["paged-attention"], "waste")
    assert (round(before, 4), after) == (0.9707, 0.0625)
    assert results["paged-attention"].gain == 32
    assert results["w4a16"].why == "no-effect" and results["raise-concurrency"].why == "pool-full"


def test_paging_one_request_helps_nobody() -> None:
    alone = scenario("llama-2-7b", "A100 SXM 40GB", reserve=2048, prompt=40, output=20, concurrency=1)
    results = judged(alone, "kv-fragmentation", "both", "paged-attention")
    assert (results["paged-attention"].helps, results["paged-attention"].why) == (False, "one-request")


@pytest.mark.parametrize(
    ("card", "helps", "refused"),
    [
        ("A100 SXM 80GB", "w8a8", {"fp8": "no-unit"}),
        ("T4", "w8a8", {"fp8": "no-unit"}),
        ("H100 SXM 80GB", "fp8", {}),
        ("B300 SXM", "fp8", {"w8a8": "no-unit"}),
        ("V100 SXM2 32GB", "", {"fp8": "no-unit", "w8a8": "no-unit"}),
    ],
)
def test_a_prompt_is_computed_in_8_bits_by_the_unit_that_the_card_has(
    card: str, helps: str, refused: dict[str, str]
) -> None:
    model = "llama-3.2-3b" if card == "T4" else "llama-2-7b"
    results = judged(scenario(model, card, **PREFILL), "compute", "prefill", "w8a8", "w4a16 kv-quantization")
    names = helping(results)
    assert names[:1] == ([helps] if helps else [])
    assert {name: results[name].why for name in refused} == refused
    four_bits = results["w4a16"]
    assert four_bits.why == "math-stays-16bit" and not four_bits.helps
    before, after = value(four_bits, "prefill-step")
    assert after >= before * 0.99
    if helps:
        assert results[helps].gain > Fraction(13, 10)  # type: ignore[operator]


def test_without_a_card_nobody_knows_its_units() -> None:
    results = judged(scenario("llama-2-7b", **PREFILL), "compute", "prefill", "w8a8", "w4a16")
    assert results["w8a8"].helps and results["w8a8"].precondition == "unknown"


def test_a_name_of_several_cards_is_refused_where_all_of_them_lack_the_unit() -> None:
    of = scenario("llama-2-7b", **PREFILL, gpu_options=("V100 SXM2 32GB", "V100 PCIe 16GB"))
    assert judged(of, "compute", "prefill", "w8a8 fp8")["w8a8"].why == "no-unit"
    of = scenario("llama-2-7b", **PREFILL, gpu_options=("V100 SXM2 32GB", "A100 SXM 80GB"))
    assert judged(of, "compute", "prefill", "w8a8 fp8")["w8a8"].precondition == "unknown"


def test_the_second_choice_of_8_bits_comes_after_all_that_is_computed() -> None:
    of = scenario("llama-2-7b", "H100 SXM 80GB", **PREFILL)
    results = judged(of, "compute", "prefill", "w8a8 tensor-parallel fp8")
    assert helping(results)[0] == "fp8" and helping(results)[-1] == "w8a8"


def test_new_cards_come_after_what_needs_none_even_where_they_give_more() -> None:
    of = scenario("llama-2-7b", "A100 SXM 80GB", **PREFILL)
    results = judged(of, "compute", "prefill", "tensor-parallel w8a8")
    assert results["tensor-parallel"].gain > results["w8a8"].gain  # type: ignore[operator]
    assert helping(results)[:2] == ["w8a8", "tensor-parallel"]
    idle = judged(replace(of, gpus=2, tp=1), "compute", "prefill", "w8a8 tensor-parallel")
    assert helping(idle)[:2] == ["tensor-parallel", "w8a8"]  # the second card is there already


def test_what_removes_the_cause_comes_first_and_small_differences_keep_the_causes_order() -> None:
    def weighed(name: str, gain: str, removes: bool = False) -> ranking.Weighed:
        result = LeverResult(name, True, (), Fraction(gain), "met", "", {}, "", "")
        return ranking.Weighed(result, removes)

    found = [
        weighed("fp8", "1.5"),
        weighed("w8a8", "1.6"),
        weighed("w4a16", "3"),
        weighed("data-parallel", "1.2", True),
    ]
    assert [one.result.id for one in ranking.ranked(found)] == ["data-parallel", "w4a16", "fp8", "w8a8"]


# --- memory ----------------------------------------------------------------------------------------------------------


def test_a_model_that_is_too_large_needs_fewer_bytes_or_more_cards() -> None:
    results = judged(
        BIG, "weights-memory", "load", "w4a16 fp8 tensor-parallel more-memory cpu-offload",
        "kv-quantization raise-memory-utilization lower-max-model-len",
    )  # fmt: skip
    assert helping(results)[0] == "w4a16"  # the most room, and no new card
    assert {"tensor-parallel", "more-memory"} <= set(helping(results))
    assert results["kv-quantization"].why == "frees-other-bytes"
    assert results["kv-quantization"].params["short"].value > 60 * 10**9  # type: ignore[union-attr]
    assert results["raise-memory-utilization"].why == "does-not-fit"
    for name in helping(results):
        after = results[name].after
        assert after is not None and Case(after).starts is True


def test_eight_bits_do_not_fit_everywhere() -> None:
    small = scenario("llama-3.1-8b", "RTX 3070", engine="vllm", max_model_len=2048)
    results = judged(small, "weights-memory", "load", "fp8 w4a16")
    assert results["w8a8"].why == "not-enough" and results["fp8"].why in ("not-enough", "no-unit")
    assert "short" in results["w8a8"].params


def test_ranks_are_added_until_it_starts() -> None:
    huge = scenario("llama-3.1-405b", "H100 SXM 80GB", engine="vllm", max_model_len=8192)
    after = levers.apply("tensor-parallel", huge)
    assert after is not None and after.tp == after.gpus == 16


def test_a_full_pool_is_enlarged_or_asked_for_less() -> None:
    wanted = "admission-policy cap-concurrency kv-quantization raise-memory-utilization shorten-requests"
    results = judged(FULL, "kv-memory", "both", wanted, "raise-concurrency")
    assert Case(FULL).requests_that_fit == 49
    assert helping(results)[0] == "cap-concurrency"  # it removes the cause; 5 % that nothing here speaks for come later
    assert results["admission-policy"].published
    before, after = value(results["cap-concurrency"], "demand")
    assert before > 2 and after <= 1
    assert value(results["kv-quantization"], "requests") == (49, 99)
    order = helping(results)
    assert order.index("cap-concurrency") < order.index("kv-quantization")  # 99 are still fewer than 128
    assert results["raise-concurrency"].why == "pool-full"


def test_a_pool_with_room_needs_no_cap() -> None:
    roomy = scenario("llama-3.1-8b", "H100 SXM 80GB", engine="vllm", prompt=500, output=200, concurrency=8)
    results = judged(roomy, "kv-memory", "both", "cap-concurrency raise-memory-utilization")
    assert results["cap-concurrency"].why == "pool-has-room"
    assert results["cap-concurrency"].params["asked"] == Amount(Fraction(8), "requests")


@pytest.mark.parametrize(("share", "why"), [(Fraction(95, 100), "at-limit"), (Fraction(80, 100), "")])
def test_the_share_of_the_card_has_a_limit(share: Fraction, why: str) -> None:
    full = scenario(
        "llama-3.1-8b", "L4", engine="vllm", utilization=share, prompt=4000, output=500, concurrency=64,
        max_model_len=8192,
    )  # fmt: skip
    assert judged(full, "kv-memory", "decode", "raise-memory-utilization")["raise-memory-utilization"].why == why


def test_slots_share_one_pool() -> None:
    split = scenario(engine="llama.cpp", context_total=4096, slots=2, unified=False, concurrency=2)
    results = judged(split, "kv-fragmentation", "load", "paged-attention cap-concurrency", "raise-concurrency")
    assert helping(results) == ["paged-attention", "cap-concurrency", "raise-memory-utilization"]
    assert value(results["paged-attention"], "max-len") == (2048, 4096)


# --- time ------------------------------------------------------------------------------------------------------------


def test_reading_weights_for_one_request() -> None:
    one = scenario(
        "llama-3.1-8b", "L4", engine="vllm", prompt=500, output=500, concurrency=1, max_model_len=8192
    )  # fmt: skip
    results = judged(
        one, "memory-bandwidth", "decode", "w4a16 fp8 client-batching speculative-decoding",
        "kv-quantization paged-attention continuous-batching",
    )  # fmt: skip
    assert helping(results)[:2] == ["client-batching", "w4a16"]
    assert results["w4a16"].gain > 2  # type: ignore[operator]
    assert results["speculative-decoding"].params["assumed"] == Amount(measures.ACCEPTANCE, "%")
    assert results["kv-quantization"].why == "no-effect"
    assert results["paged-attention"].why == "one-request" and results["continuous-batching"].why == "already-on"


def test_drafting_for_a_full_batch_is_slower() -> None:
    busy = scenario(
        "llama-3.1-8b", "H100 SXM 80GB", engine="vllm", prompt=200, output=500, concurrency=512, max_model_len=2048
    )  # fmt: skip
    result = judged(busy, "memory-bandwidth", "decode", "speculative-decoding")["speculative-decoding"]
    assert (result.helps, result.why) == (False, "busy")


def test_weights_of_4_bits_near_the_knee_are_warned_of() -> None:
    few, many = (
        scenario("llama-3.1-8b", "A100 SXM 80GB", engine="vllm", prompt=500, output=500, concurrency=n)
        for n in (1, 128)
    )
    warnings = [judged(one, "memory-bandwidth", "decode", "w4a16")["w4a16"].warning for one in (few, many)]
    assert warnings == ["w4a16", "w4a16-knee"]


def test_graphs_are_captured_again() -> None:
    eager = scenario(
        "llama-3.1-8b", "H100 SXM 80GB", engine="vllm", eager=True, prompt=500, output=300, concurrency=4,
        max_model_len=8192,
    )  # fmt: skip
    results = judged(eager, "cpu-overhead", "decode", "cuda-graphs", "faster-gpu eager-mode")
    assert helping(results)[0] == "cuda-graphs" and results["cuda-graphs"].gain > Fraction(6, 5)  # type: ignore[operator]
    assert results["faster-gpu"].why == "not-the-wall" and results["eager-mode"].why == "already-on"
    on = judged(levers.apply("cuda-graphs", eager) or eager, "cpu-overhead", "decode", "cuda-graphs")
    assert on["cuda-graphs"].why == "already-on"


def test_what_was_seen_on_a_slow_path_outranks_the_link_of_the_data_sheet() -> None:
    cut = scenario(
        "codellama-13b", "A100 SXM 80GB", engine="vllm", gpus=4, tp=4, concurrency=32, prompt=500, output=300
    )  # fmt: skip
    said = judged(cut, "interconnect", "both", "data-parallel", "tensor-parallel", by="words")
    assert helping(said) == ["data-parallel"] and not said["data-parallel"].gain
    assert said["tensor-parallel"].why == "slow-link"
    computed = judged(cut, "interconnect", "both", "data-parallel", by="numbers")["data-parallel"]
    assert computed.effects and computed.gain is not None


def test_a_lever_of_the_second_wall_is_judged_by_it_and_comes_after() -> None:
    both = scenario("llama-2-7b", "A100 SXM 80GB", prompt=3000, output=400, concurrency=4, engine="vllm")
    found = [finding("compute", "prefill"), finding("memory-bandwidth", "decode")]
    results = {one.id: one for one in levers.judge(Case(both), found, ["w4a16", "w8a8"], [])}
    order = helping(results)
    assert order.index("w8a8") < order.index("w4a16")
    assert results["w4a16"].effects[0].measure == "decode-step"


def test_a_prompt_in_larger_pieces_reads_the_weights_less_often() -> None:
    cut: dict[str, Any] = {
        "engine": "vllm",
        "chunked_prefill": True,
        "output": 50,
        "concurrency": 4,
        "max_model_len": 65536,
    }
    small, whole = (
        scenario("llama-3.1-8b", "A100 SXM 80GB", prompt=40000, max_num_batched_tokens=n, **cut) for n in (64, 40000)
    )
    result = judged(small, "compute", "prefill", "raise-token-budget")["raise-token-budget"]
    assert result.helps and result.params["to"] == Amount(Fraction(256), "tokens")
    before, after = value(result, "prefill-step")
    assert after < before and result.published  # what small kernels lose is not in the arithmetic, and was measured
    assert judged(whole, "compute", "prefill", "raise-token-budget")["raise-token-budget"].why == "whole-prompt"


def test_a_prompt_in_pieces_stops_running_requests_for_less_time() -> None:
    whole = scenario(
        "llama-3.1-8b", "A100 SXM 80GB", engine="vllm", chunked_prefill=False, max_num_batched_tokens=32768,
        prompt=16000, output=500, concurrency=16, signals=(Signal("spikes-between-tokens", "spikes"),),
    )  # fmt: skip
    results = judged(whole, "compute", "both", "chunked-prefill lower-token-budget")
    assert results["chunked-prefill"].precondition == "met"
    before, after = value(results["chunked-prefill"], "pause")
    assert after < before / 2
    assert results["lower-token-budget"].why == "prompts-whole"  # vLLM refuses it while a step holds whole prompts
    offline = scenario(
        "llama-3.1-8b", "A100 SXM 80GB", engine="vllm", chunked_prefill=False, prompt=16000, output=50,
        concurrency=16, signals=(Signal("throughput-goal", "offline"),),
    )  # fmt: skip
    assert judged(offline, "compute", "both", "chunked-prefill")["chunked-prefill"].why == "throughput-goal"


@pytest.mark.parametrize(
    ("caching", "signal", "state", "why"),
    [
        (True, "hit-rate-zero", "met", ""),
        (True, "slow-decode", "failed", "already-on"),
        (False, "shared-prefix", "met", ""),
        (False, "slow-decode", "unknown", ""),
        (None, "shared-prefix", "unknown", ""),
    ],
)
def test_a_cache_of_beginnings_must_hit(caching: bool | None, signal: str, state: str, why: str) -> None:
    of = scenario(
        "llama-3.1-8b", "L4", engine="vllm", prompt=3000, output=20, prefix_caching=caching,
        signals=(Signal(signal, signal),),
    )  # fmt: skip
    result = judged(of, "compute", "prefill", "prefix-caching")["prefix-caching"]
    assert (result.precondition, result.why) == (state, why)
    if caching is False:
        assert 1 < result.gain < 3  # type: ignore[operator]
        assert result.params["assumed"] == Amount(measures.HIT_RATE, "%")


def test_another_card_is_of_the_same_class() -> None:
    server = levers.apply("faster-gpu", scenario("llama-3.1-8b", "A100 SXM 80GB", engine="vllm"))
    desk = levers.apply("more-memory", scenario("llama-3.1-8b", "RTX 3090", engine="vllm"))
    assert server is not None and server.gpu is not None and server.gpu.bandwidth > 2039 * 10**9
    assert not server.gpu.name.startswith("RTX")
    assert desk is not None and desk.gpu is not None
    assert desk.gpu.name.startswith(("RTX", "Quadro")) and desk.gpu.capacity > 24 * 10**9


def test_a_latent_is_copied_to_every_rank_and_not_to_every_replica() -> None:
    of = scenario(
        "deepseek-v3", "H200 SXM 141GB", engine="vllm", gpus=8, tp=8, prompt=4000, output=1000, concurrency=64,
        max_model_len=32768,
    )  # fmt: skip
    results = judged(of, "kv-memory", "both", "data-parallel", "tensor-parallel")
    after = results["data-parallel"].after
    assert results["data-parallel"].helps and after is not None
    assert (after.tp, after.dp, after.expert_parallel) == (1, 8, True)
    before, more = value(results["data-parallel"], "requests")
    assert more > 4 * before


# --- what does not help ----------------------------------------------------------------------------------------------


def test_what_was_tried_is_not_told_again() -> None:
    tried = scenario("llama-3-70b", "A100 SXM 80GB", engine="vllm", tried=frozenset({"tensor-parallel"}))
    result = judged(tried, "weights-memory", "load", "tensor-parallel w4a16")["tensor-parallel"]
    assert (result.helps, result.why, result.effects) == (False, "tried", ())


def test_a_gain_that_nobody_named_is_told() -> None:
    one = scenario("llama-3.1-8b", "L4", engine="vllm", prompt=500, output=500, concurrency=1, max_model_len=8192)
    results = judged(one, "memory-bandwidth", "decode", "fp8")
    order = helping(results)
    assert order[0] == "fp8" and {"w4a16", "client-batching"} <= set(order)
    assert not any(LEVERS[name].hardware for name in order)


def test_nothing_is_wrong() -> None:
    calm = scenario("llama-2-7b", "RTX 4090", engine="vllm")
    results = judged(calm, "none", "none", "do-nothing", "raise-memory-utilization", "figure-misread")
    assert helping(results) == ["do-nothing"] and results["raise-memory-utilization"].why == "not-the-wall"


def test_without_any_number_the_causes_order_holds_behind_what_others_measured_to_give_much() -> None:
    wanted = "cap-concurrency admission-policy kv-quantization shorten-requests"
    results = judged(Scenario(), "kv-memory", "both", wanted, "raise-concurrency")
    assert helping(results) == ["kv-quantization", "cap-concurrency", "admission-policy", "shorten-requests"]
    without = wanted.replace(" kv-quantization", "")
    assert helping(judged(Scenario(), "kv-memory", "both", without, "raise-concurrency")) == without.split()
    assert {results[name].precondition for name in wanted.split()} == {"unknown"}
    assert levers.judge(Case(Scenario()), [], [], []) is not None


# --- properties ------------------------------------------------------------------------------------------------------

MODELS = st.sampled_from(["llama-3.1-8b", "llama-3-70b", "qwen3-30b-a3b", "deepseek-v3", "gemma-2-9b"]).map(
    catalog.model
)
CARDS = st.sampled_from(["A100 SXM 80GB", "RTX 3090", "L4", "MI300X", "V100 PCIe 16GB", "Apple M2"]).map(catalog.gpu)
SPANS = st.integers(1, 40000).map(lambda n: Span(n, n))


def maybe(some: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | some


SCENARIOS = st.builds(
    Scenario,
    model=maybe(MODELS),
    gpu=maybe(CARDS),
    gpus=maybe(st.sampled_from([1, 2, 4, 8])),
    tp=maybe(st.sampled_from([1, 2, 4])),
    link=maybe(st.sampled_from(["nvlink", "pcie"])),
    weights=maybe(st.sampled_from(["fp32", "bf16", "awq", "fp8", "int8"]).map(precision.find)),
    kv=maybe(st.sampled_from(["auto", "fp8"])),
    prompt=maybe(SPANS),
    output=maybe(SPANS),
    concurrency=maybe(st.sampled_from([1, 8, 300]).map(lambda n: Span(n, n))),
    max_model_len=maybe(st.sampled_from([2048, 131072])),
    reserve=maybe(st.just(2048)),
    utilization=maybe(st.sampled_from([Fraction(1, 2), Fraction(95, 100), Fraction(1)])),
    engine=maybe(st.sampled_from(["vllm", "sglang", "llama.cpp", "tgi", "tensorrt-llm", "transformers"])),
    kv_pool=maybe(st.sampled_from([Fraction(10**9), Fraction(10**11)])),
    context_total=maybe(st.just(8192)),
    slots=maybe(st.sampled_from([1, 4])),
    eager=maybe(st.booleans()),
    speculation=maybe(st.booleans()),
    cpu_offload=maybe(st.just(Fraction(10**10))),
    tried=st.frozensets(st.sampled_from(sorted(LEVERS)), max_size=2),
)


@given(
    SCENARIOS, st.sampled_from(WALLS), st.sampled_from(["load", "prefill", "decode", "both", "none"]),
    st.lists(st.sampled_from(sorted(LEVERS)), max_size=8), st.lists(st.sampled_from(sorted(LEVERS)), max_size=4),
)  # fmt: skip
@settings(max_examples=120, deadline=None)
def test_whatever_the_scenario_levers_are_judged_once_and_with_reasons(
    of: Scenario, wall: Wall, phase: Phase, wanted: list[str], useless: list[str]
) -> None:
    case = Case(of)
    results = levers.judge(case, [finding(wall, phase)], wanted, useless)
    names = [one.id for one in results]
    assert len(names) == len(set(names)) and set(names) >= {*wanted, *useless}
    assert [one.helps for one in results] == sorted((one.helps for one in results), reverse=True)
    for one in results:
        assert one.helps == (not one.why) and (not one.why or one.why in REASONS)
        assert not (one.helps and one.precondition == "failed")
        assert not (one.helps and one.id in of.tried)
        assert one.warning in WARNINGS or not LEVERS[one.id].warns
        assert not (one.helps and one.gain is not None) or one.gain > 1
        assert not one.published or not one.why
        if one.after is not None and one.effects and one.effects[0].measure not in ("waste", "prefill-step"):
            found = one.effects[0]
            assert found.after.value == measures.MEASURES[found.measure].of(Case(one.after))
            assert found.before.value == measures.MEASURES[found.measure].of(Case(of))
    assert levers.judge(Case(of), [finding(wall, phase)], wanted, useless) == results


@given(SCENARIOS, st.sampled_from(sorted(LEVERS)))
@settings(max_examples=120, deadline=None)
def test_whatever_the_scenario_an_act_gives_one_that_can_be_computed(of: Scenario, name: str) -> None:
    after = levers.apply(name, of)
    if after is not None:
        assert after != of
        for one in measures.MEASURES.values():
            one.of(Case(after))


def test_a_lever_against_the_wall_that_gains_little_says_how_little() -> None:
    """The cache is a fifth of what a step reads: halving it is bandwidth saved, only not much."""
    told = {"model": "llama-3.1-8b", "gpu": "H200 SXM 141GB", "prompt": 2000, "output": 256, "concurrency": 16}
    report = judge.diagnose(read.build(told))
    (found,) = (one for one in report.levers if one.id == "kv-quantization")
    assert report.wall == "memory-bandwidth" and not found.helps and found.why == "little"
    factor = found.params["factor"]
    assert isinstance(factor, Amount) and 1 < factor.value < Fraction(115, 100)


def test_one_that_gains_much_helps_whatever_people_say_of_it() -> None:
    told = {"model": "llama-3.1-8b", "gpu": "H200 SXM 141GB", "prompt": 8000, "output": 2000, "concurrency": 12}
    report = judge.diagnose(read.build(told))
    (found,) = (one for one in report.levers if one.id == "kv-quantization")
    assert report.wall == "memory-bandwidth" and found.helps and found.gain is not None
    assert found.gain >= Fraction(115, 100)
