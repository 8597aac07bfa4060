"""Levers of a server that runs: what is on already, holds no request, or asks for more than run is none."""

from __future__ import annotations

import pytest

from engine.artefacts import feed
from engine.artefacts.evidence import Evidence, read
from engine.diagnosis import judge
from engine.diagnosis import scenario as scenarios
from engine.diagnosis.acting import pacing
from engine.diagnosis.cases.case import Case
from engine.diagnosis.model import LeverResult, Report

LOG = (
    "INFO 07-21 04:40:02 [api_server.py:1395] vLLM API server version 0.9.2\n"
    "INFO 07-21 04:40:02 [cli_args.py:325] non-default args: {{'model': 'Qwen/Qwen2.5-1.5B-Instruct', "
    "'max_model_len': 4096{more}}}\n"
    "INFO 07-21 04:40:36 [kv_cache_utils.py:716] GPU KV cache size: 2,503,504 tokens\n"
)
STATISTICS = (
    "INFO 07-21 04:51:{at} [loggers.py:118] Engine 000: Avg prompt throughput: 190.0 tokens/s, Avg generation "
    "throughput: 330.0 tokens/s, Running: 8 reqs, Waiting: 0 reqs, GPU KV cache usage: 0.2%, "
    "Prefix cache hit rate: 0.0%\n"
)


def served(more: str = "", symptom: str = "") -> Report:
    text = LOG.format(more=more) + "".join(STATISTICS.format(at=at) for at in ("06", "16"))
    given: dict[str, object] = {"gpu": "A100 SXM 80GB"}
    if symptom:
        given["symptoms"] = [symptom]
    found = feed.scenario(Evidence((read("server.log", [text.encode()]),)), scenarios.build(given))
    return judge.diagnose(found)


def lever(report: Report, name: str) -> LeverResult:
    return next(one for one in report.levers if one.id == name)


@pytest.mark.parametrize("symptom", ["", "GPU utilization 35 %, one CPU core at 100 %"])
def test_graphs_that_are_on_are_no_lever_and_no_question(symptom: str) -> None:
    """The settings that the log prints say nothing against the engine's default: what remains is the host."""
    report = served(symptom=symptom)
    assert report.wall == "cpu-overhead" and report.levers[0].id == "free-cpu"
    assert (lever(report, "cuda-graphs").helps, lever(report, "cuda-graphs").why) == (False, "already-on")
    assert "eager" not in [one.input for one in report.questions]
    assert report.experiment is not None and report.experiment.id == "other-card-clock"


def test_graphs_that_are_off_stay_the_first_lever() -> None:
    report = served(more=", 'enforce_eager': True")
    assert report.wall == "cpu-overhead" and report.levers[0].id == "cuda-graphs"
    assert report.experiment is not None and report.experiment.id == "graphs-on"


def test_a_batch_over_the_largest_captured_one_is_not_covered() -> None:
    found = lever(served(more=", 'cuda_graph_sizes': [1, 2, 4]"), "cuda-graphs")
    assert found.helps and found.precondition == "met"


def test_where_no_log_printed_the_settings_graphs_are_asked_about() -> None:
    given = {"model": "llama-3.1-8b", "gpu": "H100 SXM 80GB", "engine": "vllm", "concurrency": 8, "tpot": "40ms",
             "prompt": 200, "output": 400}  # fmt: skip
    report = judge.diagnose(scenarios.build(given))
    assert lever(report, "cuda-graphs").precondition == "unknown"
    assert "eager" in [one.input for one in report.questions]


TWO_CARDS = {
    "model": "qwen2.5-32b", "gpu": "H100 SXM 80GB", "gpus": 2, "tp": 2, "engine": "sglang", "output": 300,
    "concurrency": 14, "ttft": "20s",
}  # fmt: skip


def test_replicas_that_hold_no_request_are_no_lever() -> None:
    found = lever(judge.diagnose(scenarios.build({**TWO_CARDS, "prompt": 30_000})), "data-parallel")
    assert (found.helps, found.why, found.effects) == (False, "holds-none", ())
    assert set(found.params) == {"holds", "needs"}
    short = lever(judge.diagnose(scenarios.build({**TWO_CARDS, "prompt": 3_000})), "data-parallel")
    assert short.why != "holds-none"


@pytest.mark.parametrize(("running", "cap"), [(6, None), (200, 100)])
def test_fewer_requests_are_never_more_than_run(running: int, cap: int | None) -> None:
    """Six of a hundred that want to run are fewer already."""
    given = {"model": "llama-3.1-8b", "gpu": "H100 SXM 80GB", "engine": "vllm", "concurrency": 100, "prompt": 500,
             "output": 100, "running": running, "max_num_seqs": 256}  # fmt: skip
    after = pacing.cap_concurrency(Case(scenarios.build(given)))
    assert (None if after is None else after.max_num_seqs) == cap
