"""What a case's own numbers prove holds in its answer: where a lever goes to, whether it suffices, what waits for what."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from engine.diagnosis import judge
from engine.diagnosis.acting.levers import LEVERS
from engine.diagnosis.cases.case import Case
from engine.diagnosis.model import LeverResult, Report
from engine.diagnosis.scenario import build


def diagnosed(**given: Any) -> Report:
    return judge.diagnose(build(given))


def lever(report: Report, name: str) -> LeverResult:
    return next(one for one in report.levers if one.id == name)


def helping(report: Report) -> list[str]:
    return [one.id for one in report.levers if one.helps]


CAPPED = {
    "model": "qwen2.5-7b", "gpu": "H100 SXM 80GB", "engine": "vllm", "max_num_seqs": 8, "concurrency": 60,
    "prompt": 1600, "output": 550,
}  # fmt: skip


# --- a lever goes where its name says, against the number that holds now ----------------------------------------------

_NOW = {
    "cap-concurrency": (-1, lambda case: case.scenario.slots or case.defaults.max_num_seqs.value),
    "raise-concurrency": (+1, lambda case: case.scenario.slots or case.defaults.max_num_seqs.value),
    "lower-max-model-len": (-1, lambda case: case.scenario.max_model_len or case.scenario.model.context),
    "lower-memory-utilization": (-1, lambda case: case.defaults.utilization.value),
    "raise-memory-utilization": (+1, lambda case: case.defaults.utilization.value),
    "lower-token-budget": (-1, lambda case: case.defaults.token_budget.value),
    "raise-token-budget": (+1, lambda case: case.defaults.token_budget.value),
}  # fmt: skip


@pytest.mark.parametrize("name", _NOW)
def test_a_lever_moves_its_number_in_its_own_direction(name: str) -> None:
    sign, number = _NOW[name]
    moved = 0
    sizes = product((1, 8, 64, 300), (None, 2, 8, 64), (512, 30_000), ("H100 SXM 80GB", "L4"))
    for (concurrency, cap, prompt, gpu), share in product(sizes, (None, "0.5", "0.97")):
        given = {
            "model": "llama-3.1-8b", "gpu": gpu, "engine": "vllm", "concurrency": concurrency, "prompt": prompt,
            "output": 200, "max_num_seqs": cap, "gpu_memory_utilization": share,
        }  # fmt: skip
        case = Case(build({key: value for key, value in given.items() if value is not None}))
        act = LEVERS[name].act
        after = act(case) if act is not None else None
        if after is not None:
            moved += 1
            was, now = number(case), number(Case(after))
            assert (now - was) * sign > 0, (given, was, now)
    assert moved > 3


def test_a_cap_under_what_the_pool_holds_is_not_lowered() -> None:
    report = diagnosed(**CAPPED, ttft="9s")
    assert "cap-concurrency" not in helping(report)
    refused = lever(report, "cap-concurrency")
    assert refused.why == "pool-has-room" and "16" not in refused.flag
