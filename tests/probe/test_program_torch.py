"""The probe's program on a real torch, on the processor. Skipped where this Python has no torch.

No time is asserted but the program's own budget: what else runs on the machine decides the others.
"""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from math import log
from pathlib import Path
from typing import Any

import pytest

import engine.probe.program
from engine.probe.gather import gathered
from engine.probe.readings import Run

FOLDER = Path(engine.probe.program.__file__).parent
pytestmark = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="this Python has no torch")

Events = list[dict[str, Any]]


def start(**request: Any) -> "subprocess.Popen[str]":
    child = subprocess.Popen(
        [sys.executable, str(FOLDER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )  # fmt: skip
    assert child.stdin is not None
    child.stdin.write(json.dumps({"protocol": 1, "device": "cpu", "seconds": 25.0, **request}) + "\n")
    child.stdin.flush()
    return child


def told(**request: Any) -> tuple[int, Events]:
    """Exit status and events: every line of standard output is one, or this fails."""
    child = start(**request)
    assert child.stdout is not None
    events = [json.loads(line) for line in child.stdout]
    status = child.wait(30)
    child.communicate()
    return status, events


def disturbed(events: Events) -> bool:
    """Whether the program itself says that its curves are not to be trusted."""
    said = [event for event in events if event["event"] == "note"]
    return any(note["id"] == "cpu-contention" or note.get("what") in ("linear", "prefill") for note in said)


@pytest.fixture(scope="module")
def full() -> Iterator[Events]:
    """A whole run, and a second one where something else used the processor."""
    case = {"batch": 8, "context": 4096, "prompt": 256}
    status, events = told(case=case)
    if disturbed(events):
        status, events = told(case=case)
    assert status == 0
    yield events


@pytest.fixture
def run(full: Events) -> Run:
    return gathered(full)


def end(events: Events) -> dict[str, Any]:
    assert events[-1]["event"] == "end"
    return events[-1]


def test_everything_is_read_by_the_logic(run: Run, full: Events) -> None:
    assert run.odd == 0
    assert run.demonstration
    assert run.has("demonstration")
    assert not run.has("no-gpu"), "a processor was asked for"
    assert run.software is not None
    assert run.software.backend == "cpu"
    assert run.device is not None
    assert run.device.threads
    assert run.device.free
    assert end(full)["reason"] in ("done", "budget")


def test_it_ends_within_its_budget(full: Events) -> None:
    assert end(full)["elapsed"] <= 25.0


def test_memory_stays_within_the_plan(full: Events) -> None:
    memory = end(full)["memory"]
    if memory["peak"] is not None:
        assert 0.5 * memory["budget"] < memory["peak"] <= memory["budget"]


def test_the_curve_is_flat_and_then_rises(run: Run, full: Events) -> None:
    times = {point.batch: point.time.seconds for point in run.linear}
    if disturbed(full):
        pytest.skip("something else used the processor, twice")
    assert set(times) == {1, 2, 4, 8, 16, 32, 64, 128}
    start, end = log(times[4] / times[1]) / log(4), log(times[128] / times[32]) / log(4)
    assert start < end
    assert end > 0.4
    assert times[128] < 64 * times[1], "the weights are read once for all tokens"


def test_prompts_take_time_in_proportion_to_their_tokens(run: Run, full: Events) -> None:
    times = {prompt.tokens: prompt.time.seconds for prompt in run.prompts if prompt.stage == "prefill"}
    if {256, 512} <= set(times):
        slope = log(times[512] / times[256]) / log(2)
        assert 0.7 <= slope <= 1.3 or disturbed(full)


def test_rates_are_of_this_world(run: Run, full: Events) -> None:
    for moved in run.moved:
        assert 1e8 < moved.rate < 2e12
    for product in run.products:
        assert 1e8 < product.rate < 1e14
    for cache in run.caches:
        assert 1e7 < cache.rate < 2e12
    assert run.case is not None
    assert (run.case.batch, run.case.context) == (8, 4096)
    assert run.floor is not None
    assert run.floor.seconds < run.linear[0].time.seconds or disturbed(full)


def test_fp16_is_never_run_on_a_processor(run: Run) -> None:
    assert {product.dtype for product in run.products} <= {"bf16", "fp32"}


def overloaded() -> bool:
    """Whether more wants to run on this machine than it has cores: then nobody keeps to a second."""
    return hasattr(os, "getloadavg") and os.getloadavg()[0] > 0.9 * (os.cpu_count() or 1)


@pytest.mark.parametrize("seconds", [1.0, 3.0])
def test_a_short_budget_is_kept(seconds: float) -> None:
    for _ in range(3):
        status, events = told(seconds=seconds)
        assert status == 0
        if end(events)["elapsed"] <= seconds:
            break
    run = gathered(events)
    assert run.odd == 0
    assert run.plan is not None
    if overloaded():
        pytest.skip("something else uses the processor")
    assert end(events)["elapsed"] <= seconds
    assert run.moved
    assert len(run.linear) >= 3
    assert run.prompts


def test_a_workloads_own_shape_is_used_where_it_fits() -> None:
    shape = {"d_model": 512, "d_ff": 1024, "n_head": 8, "n_kv_heads": 2, "d_head": 64, "gated": True}
    _, events = told(seconds=10.0, shape=shape, layers=24)
    run = gathered(events)
    assert run.plan is not None
    assert (run.plan.d_model, run.plan.n_kv_heads, run.plan.origin) == (512, 2, "case")
    assert run.plan.layers <= 24
    assert run.linear
    assert run.caches


def test_a_card_that_is_not_there_is_said_so() -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is one")
    status, events = told(device="cuda")
    assert status == 3
    assert events[-1]["event"] == "failed"
    assert events[-1]["id"] == "no-device"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_stopped_in_the_middle_it_ends_at_once_and_says_so() -> None:
    child = start()
    assert child.stdout is not None
    events = []
    for line in child.stdout:
        events.append(json.loads(line))
        if events[-1].get("what") == "copy":
            child.send_signal(signal.SIGTERM)
    began = time.monotonic()
    assert child.wait(15) == 0
    assert time.monotonic() - began < 5
    child.communicate()
    assert end(events)["reason"] == "stop"
    assert not [event for event in events if event.get("what") == "prefill"]


def test_the_end_of_its_input_ends_it_in_the_middle() -> None:
    child = start()
    assert child.stdout is not None
    assert child.stdin is not None
    for line in child.stdout:
        if json.loads(line).get("what") == "copy":
            child.stdin.close()
            break
    child.stdout.read()
    assert child.wait(15) == 0
    child.stdin = None
    child.communicate()


def test_nothing_is_left_in_the_folder_but_compiled_files() -> None:
    assert {path.suffix for path in FOLDER.rglob("*") if path.is_file()} <= {".py", ".pyc"}
    assert os.access(FOLDER, os.R_OK)
