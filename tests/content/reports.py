"""Reports of the diagnosis, one of each kind, for the tests of their words."""

from __future__ import annotations

from engine.diagnosis import judge, scenario
from engine.diagnosis.model import (
    Report,
)

GIVEN: dict[str, dict[str, object]] = {
    "healthy": {"model": "llama-3.1-8b", "gpu": "H100 SXM 80GB", "prompt": 2048, "output": 256, "concurrency": 64,
                "engine": "vllm 0.21", "max_model_len": 8192, "tpot": "22 ms"},
    "reserved": {"model": "llama-2-7b", "gpu": "A100 SXM 80GB", "reserve": 2048, "prompt": 40, "output": 20,
                 "concurrency": 64},
    "large": {"model": "llama-3.1-70b", "gpu": "H100 SXM 80GB", "engine": "vllm", "symptoms": ["CUDA out of memory"]},
    "split": {"model": "llama-3.1-70b", "gpu": "A100 SXM 80GB", "gpus": 4, "link": "pcie", "weights": "bf16",
              "prompt": 16000, "output": 200, "concurrency": 8, "engine": "vllm 0.10"},
    "mla": {"model": "deepseek-v3", "gpu": "H200", "gpus": 8, "concurrency": 128, "prompt": 4000, "output": 500},
    "cells": {"model": "llama-3.1-8b", "gpu": "RTX 3090", "engine": "llama.cpp", "weights": "q4_k_m", "concurrency": 4,
              "prompt": 500, "output": 200},
    "nothing": {},
    "words": {"symptoms": ["JSON mode is ten times slower than plain text"], "concurrency": "several"},
    "conflict": {"gpu": "A100", "model": "[bold]mystery[/] {0} `rm`", "flags": {"max_num_seq": 64}},
}  # fmt: skip


def of(name: str) -> Report:
    """The report of this name."""
    return judge.diagnose(scenario.build(GIVEN[name]))
