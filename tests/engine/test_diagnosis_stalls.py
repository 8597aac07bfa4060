"""Streams that stall while a prompt is computed whole: pieces are the lever, and a smaller budget alone is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.artefacts import feed
from engine.artefacts.evidence import Evidence, read
from engine.diagnosis import judge
from engine.diagnosis import scenario as scenarios
from engine.diagnosis.acting import levers
from engine.diagnosis.cases.case import Case
from engine.diagnosis.model import Finding, LeverResult, Report

SERVED: dict[str, object] = {
    "model": "Qwen/Qwen2.5-32B-Instruct", "weights": "fp8", "gpu": "H100 SXM 80GB", "engine": "vllm",
    "max_model_len": 32768, "prompt": 24000, "output": 300, "concurrency": 4,
    "symptoms": ["all streams stall for half a second whenever a long prompt arrives"],
}  # fmt: skip
WHOLE = {"enable_chunked_prefill": False, "max_num_batched_tokens": 32768}
STATISTICS = (
    "INFO 11-30 21:02:10 [loggers.py:118] Engine 000: Avg prompt throughput: 9120.4 tokens/s, Avg generation "
    "throughput: 118.2 tokens/s, Running: 6 reqs, Waiting: 9 reqs, GPU KV cache usage: 61.0%, "
    "Prefix cache hit rate: 0.4%\n"
)


def report(**more: object) -> Report:
    return judge.diagnose(scenarios.build({**SERVED, "flags": WHOLE, **more}))


def lever(found: Report, name: str) -> LeverResult:
    return next(one for one in found.levers if one.id == name)


def test_pieces_of_a_prompt_come_first_with_the_budget_that_makes_them() -> None:
    found = report()
    assert found.findings[0].cause == "prefill-stalls"
    first = found.levers[0]
    assert (first.id, first.flag) == (
        "chunked-prefill", "--max-num-batched-tokens 2048, remove --no-enable-chunked-prefill",
    )  # fmt: skip
    assert first.effects[0].measure == "pause" and first.gain is not None and first.gain > 5


def test_a_smaller_budget_is_none_while_prompts_are_computed_whole() -> None:
    found = lever(report(), "lower-token-budget")
    assert (found.helps, found.why) == (False, "prompts-whole")


def test_long_prompts_do_not_say_that_nobody_waits_for_a_token() -> None:
    heavy = ["all streams stall whenever a long prompt arrives", "prefill-heavy work: whole contracts are pasted in"]
    assert lever(report(symptoms=heavy), "chunked-prefill").helps


@pytest.mark.parametrize("version", ["0.6.1", "0.11.0"])
def test_what_turns_it_on_is_spelled_as_the_release_has_it(version: str) -> None:
    """Releases that have it on by default only need the flag gone that turned it off."""
    flag = lever(report(engine=f"vllm {version}", symptoms=SERVED["symptoms"]), "chunked-prefill").flag
    assert ("remove --no-enable-chunked-prefill" in flag) is (version == "0.11.0")
    assert ("--enable-chunked-prefill" in flag.split()) is (version == "0.6.1")


def test_a_budget_that_is_less_than_the_prompt_is_kept() -> None:
    flags = {"enable_chunked_prefill": False, "max_num_batched_tokens": 4096}
    assert lever(report(flags=flags, max_model_len=4096 * 8), "chunked-prefill").flag == (
        "remove --no-enable-chunked-prefill"
    )


def test_a_lower_budget_where_memory_is_short_comes_with_pieces() -> None:
    short = Finding("profiling-peak", "other", "activation-peak", "load", Fraction(9, 10), None, "numbers", {})
    case = Case(scenarios.build({**SERVED, "flags": WHOLE, "gpu": "A100 SXM 40GB"}))
    found = levers.judge(case, [short], ["lower-token-budget"], [])[0]
    assert found.flag == "--max-num-batched-tokens 8192, remove --no-enable-chunked-prefill"


def test_a_queue_before_a_pool_with_room_does_not_wait_for_the_pool() -> None:
    given = scenarios.build({**SERVED, "flags": WHOLE, "concurrency": 20})
    found = judge.diagnose(feed.scenario(Evidence((read("server.log", [STATISTICS.encode()]),)), given))
    assert found.wall == "compute" and "pool-overflow" not in [one.cause for one in found.findings]


@pytest.mark.parametrize(("running", "waiting", "told"), [(3, 2, False), (6, 6, False), (3, 40, True), (64, 60, True)])
def test_a_few_that_wait_behind_a_few_tell_of_no_cap(running: int, waiting: int, told: bool) -> None:
    given: dict[str, object] = {"engine": "sglang", "running": running, "waiting": waiting, "kv_usage": "41%"}
    found = judge.diagnose(scenarios.build(given))
    assert ("cap-reached" in [one.cause for one in found.findings]) is told


def test_no_cap_holds_requests_whose_prompts_are_still_to_be_computed() -> None:
    given = scenarios.build({**SERVED, "flags": WHOLE, "concurrency": 20})
    found = judge.diagnose(feed.scenario(Evidence((read("server.log", [STATISTICS.encode()]),)), given))
    assert "cap-reached" not in [one.cause for one in found.findings]
