"""A lever's gain is that of the lever: the sequences after it are as long as those before it."""

from __future__ import annotations

import pytest

from engine.diagnosis import judge
from engine.diagnosis import scenario as scenarios
from engine.diagnosis.acting import acts, levers
from engine.diagnosis.model import Report

GAUGED: dict[str, object] = {
    "model": "meta-llama/Llama-3.1-8B-Instruct", "gpu": "A100 SXM 80GB", "engine": "vllm 0.9.2", "running": 16,
    "kv_usage": "48%", "throughput": "480",
}  # fmt: skip
"""How long the sequences are is told by the gauge of the pool alone, which is computed."""


def report(**more: object) -> Report:
    return judge.diagnose(scenarios.build({**GAUGED, **more}))


@pytest.mark.parametrize("name", ["w4a16", "w8a8", "tensor-parallel"])
def test_no_lever_gains_more_than_the_part_of_the_step_that_it_makes_shorter(name: str) -> None:
    told = report()
    step = told.timings.decode
    assert step is not None and step.tokens > 10_000
    parts = step.step.shares()
    found = next(one for one in told.levers if one.id == name)
    touched = parts["weights"] + (parts["kv"] if name == "tensor-parallel" else 0)
    least = {"w4a16": 4, "w8a8": 2, "tensor-parallel": 2}[name]
    assert found.gain is not None and found.gain <= 1 / (1 - touched + touched / least) * 11 / 10


def test_before_and_after_hold_as_many_tokens() -> None:
    told = report()
    assert told.timings.decode is not None
    for one in told.levers:
        if one.after is None or one.after.prompt or one.after.output:
            continue
        after = acts.again(one.after)
        assert after.context == told.timings.decode.tokens, one.id
    shown = levers.applied("w4a16", told)
    assert shown is not None and acts.again(shown).context == told.timings.decode.tokens


def test_no_more_requests_are_promised_than_the_pool_holds_of_such() -> None:
    found = next(one for one in report().levers if one.id == "client-batching")
    assert found.after is None or (found.after.concurrency is not None and found.after.concurrency.high <= 33)


def test_what_is_said_of_the_lengths_stays_what_counts() -> None:
    told = report(prompt=1000, output=200)
    found = next(one for one in told.levers if one.id == "w4a16")
    assert found.after is not None and found.after.held is None
