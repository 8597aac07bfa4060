"""Single causes: what brings each one up, and what keeps it away."""

from __future__ import annotations

from typing import Any

import pytest

from engine.diagnosis import scenario
from engine.diagnosis.judge import diagnose
from engine.diagnosis.model import Amount, Report, Scenario, Signal

SERVER = {"model": "llama-3.1-8b", "gpu": "A100 SXM 80GB", "engine": "vllm 0.10", "max_model_len": 8192}


def judged(**given: Any) -> Report:
    return diagnose(scenario.build(given))


def causes(report: Report) -> list[str]:
    return [one.cause for one in report.findings]


def signalled(*names: str, **fields: Any) -> Report:
    return diagnose(Scenario(signals=tuple(Signal(name, "a sentence") for name in names), **fields))


def test_more_arrives_than_is_served() -> None:
    load = {"prompt": 2000, "output": 300}
    over = judged(**SERVER, **load, request_rate=12)
    assert causes(over)[0] == "overload"
    assert next(one for one in over.levers if one.helps).id in ("data-parallel", "w8a8", "fp8")
    assert not any(one.helps for one in over.levers if one.id in ("client-batching", "raise-concurrency"))
    assert "overload" not in causes(judged(**SERVER, **load, request_rate=1))


def test_a_first_token_that_waits_for_others() -> None:
    load = {"prompt": 2000, "output": 300, "concurrency": 32}
    late = judged(**SERVER, **load, ttft="4s")
    assert (causes(late)[0], late.phase) == ("first-token-waits", "prefill")
    usual = judged(**SERVER, prompt=2000, output=300, concurrency=1, ttft="150ms")
    assert "first-token-waits" not in causes(usual)


def test_inputs_that_cannot_all_be_true() -> None:
    """28 GB of weights do not lie on a card of 24 GB; whoever measures a step there has said something else wrong."""
    report = judged(model="qwen2.5-14b", gpu="A10", weights="bf16", concurrency=4, tpot="60ms", engine="vllm")
    assert causes(report)[0] == "inputs-disagree"
    assert report.questions[0].input == "weights" or any(one.input == "weights" for one in report.questions)
    offloaded = judged(
        model="qwen2.5-14b", gpu="A10", weights="bf16", concurrency=4, engine="vllm", flags={"cpu_offload_gb": 12},
        prompt=500, output=200,
    )  # fmt: skip
    assert causes(offloaded)[0] == "offload-crossing"
    assert "inputs-disagree" not in causes(offloaded)


def test_how_many_fit_is_answered() -> None:
    report = judged(**SERVER, prompt=1000, output=500, symptoms=["how many users can I serve at the same time?"])
    assert (causes(report)[0], report.wall) == ("how-many", "none")
    fits = report.findings[0].params["fits"]
    assert report.ledger is not None and fits == report.ledger.fits


@pytest.mark.parametrize(("engine", "first"), [("tensorrt-llm", True), ("vllm", False)])
def test_time_that_grows_with_requests_is_no_static_batch_where_there_is_none(engine: Any, first: bool) -> None:
    report = signalled("time-grows-with-requests", engine=engine)
    found = next(one for one in report.findings if one.cause == "static-batch")
    assert (found.strength > 0.5) is first


def test_the_complaint_decides_which_phase_is_looked_at() -> None:
    load = {"prompt": 2000, "output": 200, "concurrency": 16}
    assert judged(**SERVER, **load, symptoms=["TTFT is far too high"]).phase == "prefill"
    assert judged(**SERVER, **load, symptoms=["tokens come out very slowly"]).phase == "decode"


def test_a_pass_that_reads_weights_for_a_short_prompt() -> None:
    report = judged(**SERVER, prompt=20, output=1, concurrency=1)
    assert (report.phase, report.wall, causes(report)[0]) == ("prefill", "memory-bandwidth", "short-prompts")


def test_a_start_that_fails_with_room_to_spare_claims_no_missing_room() -> None:
    report = judged(**SERVER, symptoms=["server does not start"])
    found = report.findings[0]
    assert "peak" not in found.params
    room = found.params.get("room")
    assert room is None or (isinstance(room, Amount) and room.value > 0)


def test_speed_levers_do_not_follow_a_crash() -> None:
    report = judged(
        **SERVER, prompt=1000, output=200, concurrency=8, symptoms=["CUDA out of memory after an hour of serving"]
    )
    assert report.wall == "other"
    helping = {one.id for one in report.levers if one.helps}
    assert not helping & {"speculative-decoding", "client-batching", "faster-gpu", "raise-concurrency"}
