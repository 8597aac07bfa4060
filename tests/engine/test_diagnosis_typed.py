"""Flags as they are offered: a name that takes a number has one, or a place for it."""

from __future__ import annotations

import pytest

from engine.diagnosis import judge
from engine.diagnosis import scenario as scenarios
from engine.diagnosis.acting import typed
from engine.diagnosis.model import Engine


@pytest.mark.parametrize(
    ("flag", "engine", "told"),
    [
        ("--max-num-seqs", "vllm", "--max-num-seqs <a number>"),
        ("vLLM --gpu-memory-utilization", "vllm", "vLLM --gpu-memory-utilization <a number>"),
        ("--api-server-count --stream-interval", "vllm",
         "--api-server-count <a number> --stream-interval <a number>"),
        ("-np -c", "llama.cpp", "-np <a number> -c <a number>"),
        ("--n-cpu-moe", "llama.cpp", "--n-cpu-moe <a number>"),
        ("--max-num-seqs 32", "vllm", "--max-num-seqs 32"),
        ("--enable-expert-parallel", "vllm", "--enable-expert-parallel"),
        ("--kv-unified", "llama.cpp", "--kv-unified"),
        ("-ctk q8_0 -ctv q8_0 -fa on", "llama.cpp", "-ctk q8_0 -ctv q8_0 -fa on"),
        ("remove --cpu-offload-gb", "vllm", "remove --cpu-offload-gb"),
        ("--max-num-batched-tokens 2048, remove --no-enable-chunked-prefill", "vllm",
         "--max-num-batched-tokens 2048, remove --no-enable-chunked-prefill"),
        ("", "vllm", ""),
    ],
)  # fmt: skip
def test_a_number_that_nothing_gives_has_a_place(flag: str, engine: Engine, told: str) -> None:
    assert typed.with_places(flag, engine) == told


def test_levers_that_help_can_be_typed() -> None:
    report = judge.diagnose(scenarios.build({"engine": "vllm", "symptoms": ["CUDA out of memory while warming up"]}))
    flags = [one.flag for one in report.levers if one.helps and one.flag]
    assert flags and all(not one.endswith(("-tokens", "-seqs", "-len", "-utilization")) for one in flags)


def test_what_runs_and_waits_is_offered_and_no_choice_of_a_lever() -> None:
    given: dict[str, object] = {
        "model": "meta-llama/Llama-3.1-8B-Instruct", "gpu": "H100 SXM 80GB", "engine": "vllm", "running": 16,
        "waiting": 143, "prompt": 1000, "output": 300, "flags": {"max_num_seqs": 16},
    }  # fmt: skip
    report = judge.diagnose(scenarios.build(given))
    named = {one.id: one for one in report.levers}
    assert "to" not in named["w4a16"].params  # it is worked out for those that run today
    assert named["raise-concurrency"].flag == "--max-num-seqs 159"
