"""Questions: what moves the verdict most comes first, in the engine's own names; and the act before guesses."""

from __future__ import annotations

from typing import Any

import pytest

from content.diagnosing import blocks
from content.lang import LANGS
from engine.diagnosis import scenario
from engine.diagnosis.judge import diagnose
from engine.diagnosis.model import Report


def judged(**given: Any) -> Report:
    return diagnose(scenario.build(given))


def asked(report: Report) -> list[str]:
    return [one.input for one in report.questions]


def test_the_format_is_asked_after_the_card_and_the_batch() -> None:
    for known in ({}, {"model": "llama-3.1-8b"}, {"gpu": "L4"}, {"model": "llama-3.1-8b", "gpu": "L4"}):
        report = judged(**known, symptoms=["decode is slow"])
        assert report.wall == "memory-bandwidth"
        found = asked(report)
        before = [one for one in ("model", "gpu", "concurrency") if one in found]
        assert found[: len(before)] == before and len(before) == 3 - len(known)
        assert "weights" not in found or found.index("weights") == len(found) - 1


def test_a_sum_that_settles_it_asks_for_nothing_that_would_not_change_it() -> None:
    sure = judged(model="llama-3.1-70b", gpu="H100 SXM 80GB", weights="bf16", symptoms=["out of memory"], engine="vllm")
    assert (sure.findings[0].cause, asked(sure)) == ("weights-do-not-fit", [])
    unsaid = judged(model="llama-3.1-70b", gpu="H100 SXM 80GB", symptoms=["out of memory"])
    assert asked(unsaid) == ["weights"]
    words = judged(model="llama-3.1-70b", symptoms=["CUDA out of memory while loading weights"])
    assert asked(words)[0] == "gpu"


@pytest.mark.parametrize(
    ("engine", "flag"),
    [("sglang", "--context-length"), ("tgi", "--max-total-tokens"), ("llama.cpp", "-c"),
     ("tensorrt-llm", "--max_seq_len")],
)  # fmt: skip
def test_a_setting_is_asked_by_the_engines_own_name(engine: str, flag: str) -> None:
    report = judged(model="llama-3.1-8b", engine=engine, symptoms=["it fails to start, no room for the KV cache"])
    question = next(one for one in report.questions if one.input == "max_model_len")
    for lang in LANGS:
        ask, _ = blocks.question_words(question, lang)
        assert f"({flag})" in ask and "max_model_len" not in ask


def test_the_act_against_a_slow_sampler_comes_first() -> None:
    report = judged(
        model="llama-3.1-8b", gpu="H100 SXM 80GB", engine="vllm", prompt=500, output=300, concurrency=64, tpot="45ms",
        symptoms=["with repetition penalty and logprobs it gets three times slower"],
    )  # fmt: skip
    assert report.findings[0].cause == "sampling-work"
    assert next(one.id for one in report.levers if one.helps) == "lighter-sampling"
    assert not any(one.helps for one in report.levers if one.id in ("w4a16", "faster-gpu", "tensor-parallel"))
