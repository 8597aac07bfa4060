"""Nothing is told as a fact that nobody said: no load, no lengths, and no flag that cannot be typed goes first."""

from __future__ import annotations

import pytest

from engine import links
from engine.catalog import gpus
from engine.diagnosis import judge
from engine.diagnosis.acting import backfires
from engine.diagnosis.cases.case import Case
from engine.diagnosis.model import Report
from engine.diagnosis.scenario import build

FULL = {"model": "qwen2.5-7b", "gpu": "L4", "symptoms": ["kv cache full ho jaata hai, requests ruk jaati hain"]}
RUNS = {"engine": "vllm", "running": 20, "waiting": 9, "kv_usage": 0.97}


def judged(**given: object) -> Report:
    return judge.diagnose(build(given))


def helping(report: Report) -> list[str]:
    return [one.id for one in report.levers if one.helps]


def test_how_many_share_a_read_is_told_where_somebody_counted_them() -> None:
    def batch(**given: object) -> object:
        found = next(one for one in judged(**FULL, **given).findings if one.cause == "reads-weights")
        return found.params.get("batch")

    assert batch() is None
    assert batch(concurrency=3) == batch(running=3) == 3


def test_contexts_are_short_where_somebody_said_so() -> None:
    assert not backfires.short_context(Case(build(FULL)))
    assert not backfires.short_context(Case(build({**FULL, "prompt": 300, "output": 100})))
    assert not backfires.short_context(Case(build({**FULL, "concurrency": 2})))
    assert backfires.short_context(Case(build({**FULL, "prompt": 300, "output": 100, "concurrency": 2})))
    assert not backfires.short_context(Case(build({**FULL, "prompt": 9000, "output": 100, "concurrency": 2})))


@pytest.mark.parametrize("running", [20, 7, 1])
def test_how_many_may_run_follows_from_what_fills_the_pool_now(running: int) -> None:
    report = judged(**{**RUNS, "running": running})
    lever = next(one for one in report.levers if one.id == "cap-concurrency")
    if running == 1:
        assert lever.flag == "--max-num-seqs <a number>"  # fewer than one is none
        return
    assert helping(report)[0] == "cap-concurrency"
    assert lever.flag == f"--max-num-seqs {running * 9 // 10}"


def test_a_flag_without_its_number_and_what_gives_little_do_not_go_first() -> None:
    report = judged(engine="vllm", symptoms=["requests are preempted all the time"])
    found = {one.id: one for one in report.levers if one.helps}
    assert found["cap-concurrency"].flag == "--max-num-seqs <a number>"
    order = helping(report)
    assert order.index("kv-quantization") < min(order.index("cap-concurrency"), order.index("admission-policy"))


def test_cards_in_a_pcie_slot_have_nvlink_in_pairs_alone() -> None:
    slots = [one for one in gpus() if "PCIe" in one.name and one.nvlink]
    assert {"A100 PCIe 40GB", "A100 PCIe 80GB"} <= {one.name for one in slots}
    for gpu in slots:
        pair, four = links.between(gpu, 2), links.between(gpu, 4)
        assert pair is not None and four is not None and (pair.kind, four.kind) == ("nvlink", "pcie"), gpu.name
