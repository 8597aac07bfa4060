"""What the diagnoser says agrees with its own numbers: shares and what they are of, waits that its arithmetic explains,
levers in the order of their effect. By kind of workload, on cards and models of several sizes."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from content import diagnosis
from content.diagnosing.blocks import text
from content.diagnosing.explain import explain
from content.lang import Lang
from engine import serving
from engine.diagnosis import scenario
from engine.diagnosis.acting.levers import LEVERS, apply
from engine.diagnosis.cases.case import Case
from engine.diagnosis.judge import diagnose
from engine.diagnosis.model import LeverResult, Report
from tutor.diagnoser.result_steps import _parts
from tutor.diagnoser.speech import Speech

SERVERS: tuple[dict[str, Any], ...] = (
    {"model": "llama-3.1-8b", "gpu": "H100 SXM 80GB", "prompt": 2000, "output": 300},
    {"model": "qwen2.5-14b", "gpu": "L40S", "prompt": 800, "output": 200},
    {"model": "llama-3.1-70b", "gpu": "H100 SXM 80GB", "gpus": 4, "prompt": 1500, "output": 400},
)
LANGS: tuple[Lang, Lang] = ("en", "hi-Latn")


def judged(**given: Any) -> Report:
    return diagnose(scenario.build({"engine": "vllm 0.11", **given}))


def case_of(**given: Any) -> Case:
    return Case(scenario.build({"engine": "vllm 0.11", **given}))


def lever(report: Report, name: str) -> LeverResult:
    return next(one for one in report.levers if one.id == name)


def helping(report: Report) -> list[str]:
    return [one.id for one in report.levers if one.helps]


def causes(report: Report) -> list[str]:
    return [one.cause for one in report.findings]


def said(report: Report, lang: Lang = "en") -> str:
    return " ".join(block.text for block in text(report, lang))


# --- shares, and what they are of ------------------------------------------------------------------------------------


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("at_once", [8, 50])
def test_a_wait_for_the_first_token_is_no_share_of_a_prefill(server: dict[str, Any], at_once: int) -> None:
    report = judged(**server, concurrency=at_once, ttft="60s")
    assert causes(report)[0] == "first-token-waits"
    assert "of the wait for the first token" in diagnosis.wall_text(report, "en")
    assert "of the prefill" not in diagnosis.wall_text(report, "en").split(",")[0]
    assert "beyond-band" not in causes(report)  # nobody knows what it waited for
    for one in report.findings:
        if one.cause == "prompt-math":  # the bar of the prefill has no wait in it
            timing = report.timings.prefill
            assert timing is not None and one.params["share"].value == timing.step.shares()["compute"]  # type: ignore[union-attr]


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("times", [Fraction(3, 2), 3, 20])
def test_shares_of_a_measured_step_are_of_what_was_measured(server: dict[str, Any], times: Fraction) -> None:
    step = case_of(**server, concurrency=1).timings.decode
    assert step is not None
    report = judged(**server, concurrency=1, tpot=f"{float(step.step.time.high * times * 1000):.4f}ms")
    timing = report.timings.decode
    assert timing is not None and timing.own
    assert sum(one.share or 0 for one in report.walls) <= 1
    assert "of the measured step" in diagnosis.wall_text(report, "en")
    for one in report.findings:
        if one.cause in ("reads-weights", "reads-cache"):
            parts = timing.step.parts()
            expected = (parts["weights"] if one.cause == "reads-weights" else parts["kv"]) / timing.own
            assert float(one.params["share"].value) == pytest.approx(float(expected))  # type: ignore[union-attr]


@pytest.mark.parametrize("tpot", ["50ms", "100ms", "300ms"])
@pytest.mark.parametrize("server", SERVERS)
def test_the_shares_under_a_bar_are_of_the_bar(server: dict[str, Any], tpot: str) -> None:
    timing = judged(**server, concurrency=24, tpot=tpot).timings.decode
    assert timing is not None and timing.measured and timing.measured > timing.step.seconds
    told = [float(one) for one in re.findall(r"([\d.]+) ?%", _parts(timing, Speech("en")).plain)]
    assert sum(told) == pytest.approx(100, abs=2.5) and len(told) > 2


@pytest.mark.parametrize("gpu", ["L4", "H100 SXM 80GB"])
def test_no_share_of_a_card_is_larger_than_the_card(gpu: str) -> None:
    assert "%" not in diagnosis.wall_text(judged(model="llama-3.1-70b", gpu=gpu, prompt=500, output=100), "en")
    slots = judged(
        model="llama-2-7b", gpu="A100 SXM 40GB", prompt=40, output=20, reserve=2048, concurrency=64,
        engine="transformers",
    )  # fmt: skip
    share = slots.walls[0].share
    assert slots.wall == "kv-fragmentation" and share is not None and share < Fraction(8, 10)  # of those let in


# --- what the arithmetic explains ------------------------------------------------------------------------------------


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("at_once", [20, 64])
def test_prompts_that_come_together_explain_the_wait(server: dict[str, Any], at_once: int) -> None:
    one = case_of(**server, concurrency=at_once).prefill_seconds
    assert one is not None
    report = judged(**server, concurrency=at_once, ttft=f"{float(one * at_once):.3f}s")
    first = report.findings[0]
    assert first.cause == "first-token-waits" and report.wall == "compute"
    queue = float(first.params["queue"].value)  # type: ignore[union-attr]
    assert queue == pytest.approx(float(one * at_once), rel=0.1)
    assert f"{at_once} prompts that come together take" in said(report)
    assert f"{at_once} prompts" in said(report, "hi-Latn")
    beyond = judged(**server, concurrency=at_once, ttft=f"{float(one * at_once * 4):.3f}s")
    assert "part" in beyond.findings[0].params and beyond.wall != "compute"


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("at_once", [16, 48])
def test_prompts_between_two_tokens_are_no_fault_of_the_host(server: dict[str, Any], at_once: int) -> None:
    case = case_of(**server, concurrency=at_once)
    prefill, step, rate = case.prefill_seconds, case.decode_seconds, case.output_rate
    assert prefill is not None and step is not None and rate is not None
    beside = serving.steady(rate / server["output"], prefill, lambda _: step, server["output"], case.batch).tpot
    assert beside is not None and beside > step
    report = judged(**server, concurrency=at_once, tpot=f"{float(beside * 1000):.3f}ms")
    assert "beyond-band" not in causes(report) and "cpu-overhead" not in [one.id for one in report.walls]
    timing = report.timings.decode
    assert timing is not None and timing.excess == 0
    if beside > timing.step.time.high:
        assert "prompts-between" in causes(report)
        assert "of the time between tokens" in diagnosis.wall_text(report, "en")
        assert sum(one.share or 0 for one in report.walls) <= 1
    both = diagnosis.wall_text(judged(**server, concurrency=at_once, tpot="2s", ttft="120s"), "en")
    assert "of the wait for the first token" in both
    assert "of the prefill" not in both  # each of its own phase
    far = judged(**server, concurrency=at_once, tpot=f"{float(beside * 10000):.3f}ms")
    assert far.wall == "cpu-overhead" and far.findings[0].cause == "beyond-band"
    assert "a step and the prompts in between explain" in said(far)
    assert (
        "of the time between tokens" in diagnosis.wall_text(far, "en") and sum(one.share or 0 for one in far.walls) <= 1
    )


def test_mostly_prompts_between_tokens_are_answered_by_what_makes_prompts_shorter() -> None:
    given: dict[str, Any] = {"model": "llama-3.1-8b", "gpu": "A100 SXM 80GB", "prompt": 4000, "output": 100}
    case = case_of(**given, concurrency=32)
    assert case.decode_seconds is not None and case.prefill_seconds is not None
    tpot = case.decode_seconds + case.prefill_seconds * 32 / 100
    report = judged(**given, concurrency=32, tpot=f"{float(tpot * 1000):.2f}ms")
    assert causes(report)[0] == "prompts-between" and report.wall == "compute"
    assert {"w8a8", "data-parallel"} <= set(helping(report)) and "cuda-graphs" not in helping(report)


@pytest.mark.parametrize("gpu", ["RTX 4090", "L40S"])
def test_two_cards_slower_than_one_are_told_what_arithmetic_gives(gpu: str) -> None:
    given: dict[str, Any] = {"model": "llama-3.1-8b", "gpu": gpu, "prompt": 1000, "output": 300, "concurrency": 8}
    report = judged(**given, gpus=2, symptoms=["two cards are slower than one"])
    assert report.wall == "interconnect" and causes(report)[0] == "cards-not-needed"
    assert {"alone", "shared"} <= set(report.findings[0].params)
    assert report.walls[0].share is None  # told, and not what arithmetic gives: it has no share beside a larger one


# --- reserved slots --------------------------------------------------------------------------------------------------

_RESERVED: dict[str, Any] = {"prompt": 40, "output": 20, "reserve": 2048, "engine": "transformers", "concurrency": 64}


@pytest.mark.parametrize(("model", "gpu"), [("llama-2-7b", "A100 SXM 40GB"), ("llama-2-13b", "L40S")])
def test_what_lets_more_requests_into_slots_helps_behind_the_blocks(model: str, gpu: str) -> None:
    report = judged(**_RESERVED, model=model, gpu=gpu)
    order = helping(report)
    assert report.wall == "kv-fragmentation" and order[0] == "paged-attention"
    for name in ("kv-quantization", "more-memory"):
        found = lever(report, name)
        assert found.helps and found.effects[0].measure == "requests"
        assert found.effects[0].after.value > found.effects[0].before.value
    few = judged(**_RESERVED | {"concurrency": 2}, model=model, gpu=gpu)
    assert "more-memory" not in helping(few)


@pytest.mark.parametrize("used", [(40, 20), (100, 30), (7, 2)])
def test_requests_in_blocks_count_blocks(used: tuple[int, int]) -> None:
    prompt, output = used
    given = _RESERVED | {"prompt": prompt, "output": output}
    report = judged(**given, model="llama-2-7b", gpu="A100 SXM 40GB")
    after = apply("paged-attention", report.scenario)
    assert after is not None
    paged = diagnose(after)
    ledger, each = paged.ledger, -(-(prompt + output) // 16) * 16
    assert ledger is not None and ledger.pool_tokens is not None
    assert ledger.fits == ledger.pool_tokens // each
    held = ledger.entry("kv")
    assert held is not None and held.bytes == 64 * each * 524288
    for lang in LANGS:
        for name in ("requests", "pool-tokens"):
            found = explain(paged, lang, name)
            assert found is not None and found.lines, name
    lines = explain(paged, "en", "requests")
    assert lines is not None and any(f"{each} slots" in line for line in lines.lines)


# --- order -----------------------------------------------------------------------------------------------------------

_ORDERED: tuple[dict[str, Any], ...] = (
    {"model": "qwen2.5-14b", "gpu": "A100 SXM 40GB", "prompt": 4000, "output": 60, "concurrency": 8},
    {"model": "llama-3.1-8b", "gpu": "RTX 4090", "prompt": 1000, "output": 400, "concurrency": 1},
    {"model": "llama-3.1-8b", "gpu": "H100 SXM 80GB", "prompt": 500, "output": 500, "concurrency": 64},
    {"model": "llama-3.1-70b", "gpu": "H100 SXM 80GB", "gpus": 4, "prompt": 200, "output": 800, "concurrency": 16},
)


@pytest.mark.parametrize("given", _ORDERED)
def test_settings_are_told_in_the_order_of_their_effect(given: dict[str, Any]) -> None:
    """Of equal effort: the two 8-bit formats but for the card's second choice, which is behind."""
    report = judged(**given)
    second = "w8a8" if report.scenario.gpu is not None and report.scenario.gpu.flops8 is not None else "fp8"
    gains = [
        one.gain for one in report.levers
        if one.helps and one.gain and not one.published and LEVERS[one.id].weighs == "rank"
        and not LEVERS[one.id].hardware and one.id not in (second, "client-batching")
        and LEVERS[one.id].attacks[0] == report.wall
    ]  # fmt: skip
    assert all(one >= other for one, other in pairwise(gains)), gains


@pytest.mark.parametrize(("model", "gpu"), [("qwen2.5-14b", "L40S"), ("llama-3.1-8b", "RTX 4090")])
def test_room_for_requests_is_told_in_the_order_of_how_many_it_lets_in(model: str, gpu: str) -> None:
    """Settings and formats first, shorter requests after them, other cards last."""
    report = judged(
        model=model, gpu=gpu, prompt=3000, output=1000, concurrency=300, max_model_len=8192,
        symptoms=["requests are preempted again and again"],
    )  # fmt: skip
    told = [one for one in report.levers if one.helps and one.effects and one.effects[0].measure == "requests"]
    order = [one.id for one in told if (one.gain or 0) > Fraction(11, 10) and one.id != "w8a8"]
    gains = [one.gain or 0 for one in told if one.id in ("w4a16", "fp8", "kv-quantization")]
    assert len(gains) == 3 and all(one >= other for one, other in pairwise(gains)), order
    assert order.index("kv-quantization") < order.index("shorten-requests") < order.index("more-memory")


def test_nothing_before_and_nothing_after_is_no_effect() -> None:
    for gpu in ("L4", "RTX 4090"):
        report = judged(
            model="qwen2.5-14b", gpu=gpu, prompt=800, output=200, concurrency=8, symptoms=["the KV cache is full"]
        )
        for one in report.levers:
            assert all(each.before.value or each.after.value for each in one.effects if one.helps), one.id


@pytest.mark.parametrize("gpu", ["RTX 4090", "A100 SXM 80GB"])
def test_one_stream_that_wants_its_answer_sooner_is_not_told_to_send_more(gpu: str) -> None:
    given: dict[str, Any] = {"model": "llama-3.1-8b", "gpu": gpu, "prompt": 1000, "output": 400, "concurrency": 1}
    sooner = helping(judged(**given, symptoms=["one chat at a time, and I want it faster"]))
    assert sooner[0] != "client-batching" and sooner.index("w4a16") < sooner.index("client-batching")
    assert helping(judged(**given))[0] == "client-batching"  # nobody says that it is the answer's time
