"""Prompts that are computed at a high rate take the card's time; the host has no part in it."""

from __future__ import annotations

import pytest

from engine.artefacts import feed
from engine.artefacts.evidence import Evidence, read
from engine.diagnosis import judge
from engine.diagnosis import scenario as scenarios
from engine.diagnosis.model import Report

SERVER: dict[str, object] = {
    "model": "qwen2.5-7b", "gpu": "A100 SXM 80GB", "engine": "vllm 0.9.2", "running": 12, "kv_usage": "44%",
    "throughput": "108",
}  # fmt: skip


def report(**more: object) -> Report:
    return judge.diagnose(scenarios.build({**SERVER, **more}))


def test_prompts_that_fill_the_card_are_the_wall_and_not_the_host() -> None:
    told = report(prompt_throughput=11_000)
    assert (told.wall, told.phase, told.findings[0].cause) == ("compute", "prefill", "prompts-fill-steps")
    share = told.timings.decode_share
    assert share is not None and 0 < share < 0.4
    assert not any(one.helps for one in told.levers if one.id in ("cuda-graphs", "free-cpu"))


def test_the_same_outputs_without_prompts_leave_the_host() -> None:
    assert report().wall == report(prompt_throughput=50).wall == "cpu-overhead"


def test_a_share_is_none_where_lengths_are_known() -> None:
    told = report(prompt_throughput=11_000, prompt=2000, output=300)
    assert told.timings.prefill is not None
    assert told.timings.prefill.measured is None  # a load beside outputs is no speed of a prompt
    assert report(prompt_throughput=11_000, throughput=None).timings.decode_share is None


@pytest.mark.parametrize(("hits", "rate"), [("0.0", 9000), ("50.0", 4500)])
def test_what_the_prefix_cache_had_is_not_computed(hits: str, rate: int) -> None:
    text = "".join(
        f"INFO 11-30 20:15:{second} [loggers.py:118] Engine 000: Avg prompt throughput: {prompts} tokens/s, Avg "
        f"generation throughput: 100.0 tokens/s, Running: 9 reqs, Waiting: 0 reqs, GPU KV cache usage: 40.0%, "
        f"Prefix cache hit rate: {hits}%\n"
        for second, prompts in ((33, "8000.0"), (43, "10000.0"))
    )
    assert feed.scenario(Evidence((read("a.log", [text.encode()]),))).prompt_throughput == rate
