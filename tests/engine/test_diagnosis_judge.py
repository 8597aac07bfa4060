"""The verdict: the course's two scenarios, walls from numbers, words behind numbers, levers that keep their promise."""

from __future__ import annotations

import inspect
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import catalog
from engine.diagnosis import questions, scenario
from engine.diagnosis.acting import levers
from engine.diagnosis.cases.case import Case
from engine.diagnosis.causes import BY_ID, CAUSES
from engine.diagnosis.causes.row import FLAGS_MOST, WORDS_MOST
from engine.diagnosis.fields import BY_NAME, FIELDS
from engine.diagnosis.judge import diagnose
from engine.diagnosis.model import DETAILS, PHASES, WALLS, Amount, LeverResult, Report, Scenario, Signal


def judged(**given: Any) -> Report:
    return diagnose(scenario.build(given))


def lever(report: Report, name: str) -> LeverResult:
    return next(one for one in report.levers if one.id == name)


def helping(report: Report) -> list[str]:
    return [one.id for one in report.levers if one.helps]


# --- the course's two scenarios --------------------------------------------------------------------------------------


@pytest.mark.parametrize("server", [{}, {"model": "llama-2-7b", "gpu": "A100 SXM 80GB", "concurrency": 2000}])
def test_short_sessions_in_long_reservations(server: dict[str, Any]) -> None:
    """L5.1 A: 60 tokens in 2048 slots. With or without a model, the arithmetic is the same."""
    report = judged(prompt=40, output=20, reserve=2048, **server)
    assert report.wall == "kv-fragmentation"
    found = report.findings[0]
    assert found.params["waste"] == Amount(Fraction(1988, 2048), "%")
    assert found.params["slots"] == Amount(Fraction(64), "tokens")
    best = report.levers[0]
    assert best.id == "paged-attention" and best.helps
    assert best.gain == 32  # 2048 slots over 64
    assert not lever(report, "w4a16").helps
    # eight bits leave the waste as it is; where requests are kept out, twice as many come in, behind the blocks
    assert lever(report, "kv-quantization").helps is bool(server)


@pytest.mark.parametrize(
    ("gpu", "eight_bits"), [("A100 SXM 80GB", "w8a8"), ("H100 SXM 80GB", "fp8"), ("L40S", "fp8"), ("B200", "fp8")]
)
def test_long_prompts_in_large_batches(gpu: str, eight_bits: str) -> None:
    """L5.1 B: the prompts' arithmetic takes the time; 8-bit units help, 4-bit weights do not."""
    report = judged(
        model="mistral-nemo", gpu=gpu, prompt=6000, output=100, concurrency=32, engine="vllm", max_model_len=8192,
        symptoms=["only total throughput matters, latency does not"],
    )  # fmt: skip
    assert (report.phase, report.wall) == ("prefill", "compute")
    assert helping(report)[0] == eight_bits or eight_bits in helping(report)[:2]
    refused = lever(report, "w4a16")
    assert not refused.helps and refused.why
    assert lever(report, eight_bits).effects[0].measure in ("prefill-step", "output-rate")


# --- walls from numbers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wall", "phase", "given"),
    [
        ("weights-memory", "load",
         {"model": "llama-3-70b", "gpu": "A100 SXM 80GB", "weights": "bf16", "engine": "vllm"}),
        ("kv-memory", "load", {"model": "llama-3.1-8b", "gpu": "RTX 4090", "engine": "vllm", "max_model_len": "128k"}),
        ("memory-bandwidth", "decode",
         {"model": "llama-3.1-8b", "gpu": "RTX 4090", "concurrency": 1, "prompt": 200, "output": 400}),
        ("compute", "prefill", {"model": "llama-3.1-8b", "gpu": "L4", "concurrency": 1, "prompt": 12000, "output": 1}),
        ("kv-memory", "both",
         {"model": "qwen2.5-7b", "gpu": "RTX 4090", "concurrency": 256, "prompt": 1000, "output": 3000}),
        ("interconnect", "decode",
         {"model": "llama-3-70b", "gpu": "A100 SXM 80GB", "gpus": 1, "weights": "bf16", "concurrency": 1, "prompt": 500,
          "output": 500, "engine": "vllm", "flags": {"cpu_offload_gb": 90}}),
        ("cpu-overhead", "decode", {"model": "llama-3.1-8b", "gpu": "H100 SXM 80GB", "concurrency": 8, "prompt": 500,
                                    "output": 500, "tpot": "60ms"}),
        ("none", "none", {}),
    ],
)  # fmt: skip
def test_a_wall_from_numbers_alone(wall: str, phase: str, given: dict[str, Any]) -> None:
    report = judged(**given)
    assert (report.wall, report.phase) == (wall, phase)


def test_shares_of_time_walls_are_of_the_step() -> None:
    report = judged(model="llama-3.1-8b", gpu="H100 SXM 80GB", concurrency=64, prompt=2048, output=256, tpot="22ms")
    shares = {one.id: one.share for one in report.walls}
    assert set(shares) == {"compute", "memory-bandwidth"}  # the prompts of others lie between two tokens
    assert all(share is not None for share in shares.values())
    assert Fraction(9, 10) < sum(share for share in shares.values() if share) <= 1


def test_a_measurement_inside_the_band_leaves_nothing_to_words() -> None:
    """Someone says that the GPU is idle; the measured step is what bytes and bandwidth give."""
    asked = {"model": "llama-3.1-8b", "gpu": "H100 SXM 80GB", "concurrency": 64, "prompt": 2048, "output": 256}
    words = ["GPU utilization is only 20%", "python process is at 100% CPU"]
    usual = diagnose(scenario.build(asked)).timings.decode
    assert usual is not None
    measured = f"{float(usual.step.time.mid * 1000):.3f}ms"
    inside = judged(**asked, tpot=measured, symptoms=words)
    assert inside.wall == "memory-bandwidth"
    assert judged(**asked, tpot="60ms", symptoms=words).wall == "cpu-overhead"


def test_two_walls_in_order() -> None:
    report = judged(model="llama-3.1-8b", gpu="H100 SXM 80GB", concurrency=64, prompt=2048, output=256, tpot="22ms")
    assert len(report.walls) == 2
    assert report.walls[0].id != report.walls[1].id


# --- levers ----------------------------------------------------------------------------------------------------------

_MODELS = ("llama-3.1-8b", "llama-2-13b", "qwen2.5-32b", "llama-3-70b", "mixtral-8x7b", "gemma-3-27b", "qwen3-0.6b")
_GPUS = ("T4", "RTX 4090", "A100 SXM 80GB", "H100 SXM 80GB", "L40S", "MI300X", "RTX A6000")
_SOME = st.fixed_dictionaries(
    {"model": st.sampled_from(_MODELS), "gpu": st.sampled_from(_GPUS)},
    optional={
        "gpus": st.sampled_from([1, 2, 4, 8]),
        "weights": st.sampled_from(["bf16", "fp8", "awq", "w8a8", "q4_k_m"]),
        "engine": st.sampled_from(["vllm", "vllm 0.6", "sglang", "tensorrt-llm", "llama.cpp", "tgi", "transformers"]),
        "kv": st.sampled_from(["auto", "fp8"]),
        "prompt": st.integers(1, 100_000),
        "output": st.integers(1, 8_000),
        "concurrency": st.integers(1, 2_000),
        "tpot": st.sampled_from(["5ms", "22ms", "300ms"]),
        "ttft": st.sampled_from(["50ms", "3s"]),
    },
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(_SOME)
def test_a_report_is_whole_whatever_is_asked(given: dict[str, Any]) -> None:
    report = judged(**given)
    assert report.phase in PHASES and 1 <= len(report.walls) <= 2
    assert all(one.id in WALLS and (one.detail is None or one.detail in DETAILS) for one in report.walls)
    assert all(one.share is None or 0 <= one.share <= 1 for one in report.walls)
    assert len(report.questions) <= questions.MOST
    helps = [one.helps for one in report.levers]
    assert helps == sorted(helps, reverse=True), "those that help come first"
    assert len({one.id for one in report.levers}) == len(report.levers)
    assert all(one.why for one in report.levers if not one.helps)
    assert all(one.precondition != "failed" for one in report.levers if one.helps)


@settings(max_examples=40, deadline=None)
@given(_SOME)
def test_what_a_lever_promises_is_what_the_diagnosis_after_it_says(given: dict[str, Any]) -> None:
    """The effect is that of the scenario after, computed again from nothing."""
    for one in judged(**given).levers:
        if not one.helps or one.after is None or not one.effects or one.published:
            continue
        first = one.effects[0]
        assert (first.after.value - first.before.value) * first.better >= 0, (one.id, first)
        if first.measure == "decode-step":
            after = Case(one.after).decode_seconds
            assert after is not None and after == first.after.value


def test_levers_that_free_other_bytes_do_not_help_weights_that_do_not_fit() -> None:
    report = judged(model="llama-3-70b", gpu="A100 SXM 80GB", weights="bf16", engine="vllm")
    assert "w4a16" in helping(report) and "tensor-parallel" in helping(report)
    for vain in ("raise-memory-utilization", "lower-max-model-len", "kv-quantization"):
        assert not lever(report, vain).helps


def test_what_is_on_already_is_no_recommendation() -> None:
    given = {"model": "llama-3.1-8b", "weights": "awq", "gpu": "RTX 4090", "kv": "fp8"}
    report = judged(**given, concurrency=1, prompt=200, output=400)
    assert "w4a16" not in helping(report) and "kv-quantization" not in helping(report)


# --- questions -------------------------------------------------------------------------------------------------------


def test_questions_ask_only_for_what_is_not_said() -> None:
    asked = {"model": "llama-3.1-8b", "gpu": "L4", "prompt": 100, "output": 100, "concurrency": 4}
    names = {one.input for one in judged(**asked).questions}
    assert not names & set(asked)
    assert {one.input for one in judged().questions} >= {"symptoms"}


def test_the_link_is_asked_for_where_several_cards_share_a_model() -> None:
    report = judged(model="llama-2-13b", gpus=4, engine="vllm", flags={"tensor-parallel-size": 4}, concurrency=32)
    assert "link" in {one.input for one in report.questions}


def test_every_question_is_one_that_can_be_answered() -> None:
    for rule in questions.RULES:
        assert rule.input in BY_NAME or rule.input in ("symptoms", "log"), rule.input


# --- the table of causes ---------------------------------------------------------------------------------------------


def test_the_table_of_causes_holds_together() -> None:
    assert len(BY_ID) == len(CAUSES)
    for cause in CAUSES:
        assert cause.wall in WALLS and cause.phase in PHASES
        assert cause.detail is None or cause.detail in DETAILS
        assert set(cause.levers) | set(cause.useless) <= set(levers.LEVERS), cause.id
        assert not set(cause.levers) & set(cause.useless) or cause.id in _SAME_TRIED, cause.id
        assert cause.source and inspect.getdoc(cause.witness), cause.id
        assert cause.experiment[1] in ("", *levers.LEVERS)


_SAME_TRIED = ("weights-do-not-fit",)
"""Host memory holds what fits nowhere else, and is tried too early: offered last, and told so."""


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.id)
def test_words_alone_stay_behind_flags_and_flags_behind_numbers(cause: Any) -> None:
    """With nothing but every signal there is, no cause is surer than words may be."""
    from engine.diagnosis.symptoms.signals import VOCABULARY

    everything = Scenario(signals=tuple(Signal(name, "a sentence") for name in VOCABULARY))
    witness = cause.witness(Case(everything))
    if witness is not None:
        most = {"words": WORDS_MOST, "flags": Fraction(92, 100), "numbers": Fraction(1)}[witness.by]
        assert witness.strength <= most
    assert WORDS_MOST < FLAGS_MOST < 1


def test_every_wall_can_be_the_verdict() -> None:
    """Each from a workload or a sentence of its own; none of the vocabulary is dead."""
    signals = {
        "kv-fragmentation": "reserved-per-request", "idle-scheduling": "time-grows-with-requests",
        "other": "oom-warmup",
        "none": "uses-most-memory", "interconnect": "copies-to-device", "cpu-overhead": "adapter-slower",
        "kv-memory": "preempts", "weights-memory": "oom-loading", "memory-bandwidth": "slow-decode",
        "compute": "slow-first-token",
    }  # fmt: skip
    assert set(signals) == set(WALLS)
    for wall, signal in signals.items():
        assert diagnose(Scenario(signals=(Signal(signal, "a sentence"),))).wall == wall


def test_catalogue_models_never_break_a_diagnosis() -> None:
    for model in catalog.models()[::6]:
        report = diagnose(replace(scenario.build({"gpu": "H100 SXM 80GB", "concurrency": 8}), model=model))
        assert report.walls


def test_every_input_of_the_table_is_read() -> None:
    """A field that nothing reads would be a promise: each has an attribute, or makes a model or a card."""
    made = {"params_b", "gpu_memory", "bandwidth", "tflops", "layers", "d_model", "n_head", "n_kv_heads", "d_head",
            "ffn", "vocab", "context"}  # fmt: skip
    known = set(Scenario.__dataclass_fields__)
    for field in FIELDS:
        assert field.attribute in known or field.name in made, field.name


def test_near_the_knee_both_walls_are_told() -> None:
    """Half way between reading and computing the answer is both, and the shares say in which order."""
    report = judged(model="llama-3.1-8b", gpu="A100 SXM 80GB", concurrency=150, prompt=60, output=60, engine="vllm")
    assert {one.id for one in report.walls} == {"memory-bandwidth", "compute"}
    far = judged(model="llama-3.1-8b", gpu="A100 SXM 80GB", concurrency=8, prompt=60, output=60, engine="vllm")
    assert "compute" not in {one.id for one in far.walls}
