"""Number formats that a card has no arithmetic for: told by the refusal or the card's capability, and what to set."""

from __future__ import annotations

from typing import Any

import pytest

from engine import precision, support
from engine.artefacts import evidence, feed
from engine.catalog import gpu, gpus
from engine.diagnosis import scenario
from engine.diagnosis.acting import levers
from engine.diagnosis.judge import diagnose
from engine.diagnosis.model import LeverResult, Report

BF16 = (
    "ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your {} GPU has compute "
    "capability {}. You can use float16 instead by explicitly setting the `dtype` flag in CLI, for example: "
    "--dtype=half.\n"
)
FP8 = (
    "ValueError: The quantization method fp8 is not supported for the current GPU. Minimum capability: 80. Current "
    "capability: 70.\n"
)


def read(text: str, **given: Any) -> Report:
    found = feed.scenario(evidence.Evidence((evidence.read("server.log", (text.encode(),)),)))
    return diagnose(scenario.build(given, "options", found))


def helping(report: Report) -> list[LeverResult]:
    return [one for one in report.levers if one.helps]


@pytest.mark.parametrize(
    ("printed", "capability", "card"),
    [("Tesla T4", "7.5", "T4"), ("Tesla V100-SXM2-32GB", "7.0", "V100 SXM2 32GB"), ("Quadro RTX 8000", "7.5", None)],
)
def test_the_refusal_of_bf16_is_a_cause_with_its_lever(printed: str, capability: str, card: str | None) -> None:
    report = read(BF16.format(printed, capability), model="qwen2.5-1.5b", engine="vllm")
    first = report.findings[0]
    assert (first.cause, first.wall, report.phase) == ("no-bf16", "other", "load")
    assert first.params["capability"] == capability
    assert card is None or first.params["card"] == card
    best = helping(report)[0]
    assert (best.id, best.flag) == ("float16", "--dtype half")
    after = levers.applied("float16", report)
    assert after is not None and after.weights is not None and after.weights.name == "fp16"
    assert diagnose(after).phase != "load", "with the lever it starts"


def test_without_the_card_the_words_alone_tell() -> None:
    report = diagnose(scenario.build({"symptoms": ["it says Bfloat16 is only supported on GPUs with ..."]}))
    assert report.findings[0].cause == "no-bf16"
    assert helping(report)[0].id == "float16"


@pytest.mark.parametrize(
    "sentence",
    ["my card doesn't support bfloat16", "bf16 is not supported on this GPU", "is card mein bf16 support nahi hai"],
)
def test_people_say_it_too(sentence: str) -> None:
    report = diagnose(scenario.build({"model": "qwen2.5-1.5b", "gpu": "T4", "symptoms": [sentence]}))
    assert (report.findings[0].cause, report.findings[0].by) == ("no-bf16", "numbers")


@pytest.mark.parametrize(
    ("engine", "flag"),
    [
        ("vllm", "--dtype half"),
        ("sglang", "--dtype half"),
        ("tgi", "--dtype float16"),
        ("transformers", "torch_dtype="),
    ],
)
def test_each_engine_has_its_own_flag(engine: str, flag: str) -> None:
    report = read(BF16.format("Tesla T4", "7.5"), model="qwen2.5-1.5b", engine=engine)
    assert helping(report)[0].flag.startswith(flag)


def test_what_does_not_fit_in_either_format_is_said_beside() -> None:
    report = read(BF16.format("Tesla T4", "7.5"), model="qwen2.5-14b", engine="vllm")
    assert [one.cause for one in report.findings][:2] == ["no-bf16", "weights-do-not-fit"]
    assert [one.id for one in helping(report)][:2] == ["float16", "w4a16"]
    after = levers.applied("float16", report)
    assert after is not None and diagnose(after).wall == "weights-memory"


def test_a_card_with_bf16_is_not_blamed() -> None:
    for card in ("A10", "H100 SXM 80GB"):
        report = diagnose(scenario.build({
            "model": "qwen2.5-1.5b", "gpu": card, "weights": "bf16", "symptoms": ["the server does not start"],
        }))  # fmt: skip
        assert "no-bf16" not in [one.cause for one in report.findings]


def test_a_card_without_it_that_does_not_start_is_suspected_and_one_that_runs_is_not() -> None:
    base = {"model": "qwen2.5-1.5b", "gpu": "T4", "weights": "bf16", "engine": "vllm"}
    fails = diagnose(scenario.build({**base, "symptoms": ["the server does not start"]}))
    assert fails.findings[0].cause == "no-bf16"
    runs = diagnose(scenario.build({**base, "concurrency": 4, "tpot": "20ms"}))
    assert "no-bf16" not in [one.cause for one in runs.findings]


def test_a_refused_quantization_asks_for_a_format_that_the_card_runs() -> None:
    report = read(FP8, model="llama-3.1-8b", gpu="V100 SXM2 32GB", weights="fp8", engine="vllm")
    first = report.findings[0]
    assert (first.cause, first.params["capability"], first.params["needed"]) == ("no-kernel-for-format", "7.0", "7.5")
    found = [one.id for one in helping(report)]
    assert "keep-16bit" in found and "fp8" not in found
    assert not any(one.id == "more-memory" for one in helping(report))
    words = read(FP8, model="llama-3.1-8b", engine="vllm")
    assert words.findings[0].cause == "no-kernel-for-format"


def test_bf16_and_fp16_by_capability_of_the_catalogue() -> None:
    bf16 = precision.find("bf16")
    for card in gpus():
        old = card.vendor == "NVIDIA" and float(card.capability or 0) < 8
        assert (support.served_in(bf16, card).name == "fp16") is old, card.name
    assert support.capability(gpu("T4")) == (7, 5)
