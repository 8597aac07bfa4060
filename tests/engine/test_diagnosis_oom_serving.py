"""Memory that runs out while requests are served is not start-up, whatever PyTorch's text says of CUDA graphs."""

from __future__ import annotations

import pytest

from engine.artefacts import feed
from engine.artefacts.evidence import Evidence, read
from engine.diagnosis import judge
from engine.diagnosis.model import Report
from engine.diagnosis.symptoms import signals

OOM = (
    "(Worker_TP1 pid=3001) ERROR 11-30 03:12:44 [multiproc_executor.py:671] torch.OutOfMemoryError: CUDA out of memory."
    " Tried to allocate 1.96 GiB. GPU 1 has a total capacity of 79.25 GiB of which 1.11 GiB is free. Including"
    " non-PyTorch memory, this process has 78.13 GiB memory in use. Of the allocated memory 73.64 GiB is allocated by"
    " PyTorch, with 1.20 GiB allocated in private pools (e.g., CUDA Graphs), and 512.33 MiB is reserved by PyTorch but"
    " unallocated.\n"
)
FATAL = "(EngineCore_DP0 pid=2994) ERROR 11-30 03:12:44 [core.py:710] EngineCore encountered a fatal error.\n"
RUNNING = (
    "INFO 11-30 03:12:40 [loggers.py:118] Engine 000: Avg prompt throughput: 9205.0 tokens/s, Avg generation "
    "throughput: 641.0 tokens/s, Running: 48 reqs, Waiting: 3 reqs, GPU KV cache usage: 61.1%, Prefix cache hit rate: "
    "2.0%\n"
)
SERVE = (
    "vllm serve meta-llama/Llama-3.1-70B-Instruct -tp 4 --gpu-memory-utilization 0.97 --max-num-batched-tokens 16384"
)


def report(log: str) -> Report:
    files = (("a.log", log), ("a.sh", SERVE))
    return judge.diagnose(feed.scenario(Evidence(tuple(read(name, [text.encode()]) for name, text in files))))


@pytest.mark.parametrize("log", [OOM + FATAL, RUNNING + OOM, RUNNING + OOM + FATAL])
def test_memory_runs_out_while_it_serves(log: str) -> None:
    told = report(log)
    assert told.phase != "load"
    assert told.findings[0].cause == "run-time-peak"
    first = [one.id for one in told.levers if one.helps][:2]
    assert set(first) == {"lower-memory-utilization", "lower-token-budget"}


def test_private_pools_are_no_capture_and_a_capture_still_is() -> None:
    assert "oom-capture" not in {one.id for one in signals.read(OOM, "a.log:1")}
    spoken = signals.read("CUDA out of memory while capturing CUDA graphs")
    assert "oom-capture" in {one.id for one in spoken}


def test_a_fatal_error_of_the_core_is_no_failed_start() -> None:
    assert "fails-to-start" not in {one.id for one in signals.read(FATAL, "a.log:2")}
    assert "fails-to-start" in {one.id for one in signals.read("EngineCore failed to start.", "a.log:1")}
