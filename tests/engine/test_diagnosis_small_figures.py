"""Figures that look wrong and are right, and the other way round: a gauge rounded to nothing, the KV of one request."""

from __future__ import annotations

from engine.diagnosis import scenario as scenarios
from engine.diagnosis.cases.case import Case


def test_a_gauge_of_nothing_is_right_where_the_pool_is_huge() -> None:
    given = {"model": "qwen2.5-0.5b", "gpu": "H100 SXM 80GB", "engine": "vllm", "running": 4, "kv_usage": 0}
    reasons = [
        {one.reason for one in scenarios.build({**given, "kv_pool_tokens": pool}).unread}
        for pool in (6_020_400, 60_000)
    ]
    assert ["zero-while-running" in one for one in reasons] == [False, True]


def test_one_request_of_tgi_is_as_long_as_its_window() -> None:
    given = {"model": "llama-3.1-8b", "gpu": "T4", "engine": "tgi"}
    free = [Case(scenarios.build({**given, "max_model_len": window})).free_bytes for window in (1024, 4096)]
    assert free[0] is not None and free[1] is not None
    assert free[0] - free[1] == 3072 * 131_072
