"""Texts as people paste them, each alone: which wall is hit, or that it cannot be told."""

from __future__ import annotations

import pytest

from engine.artefacts import evidence, feed
from engine.artefacts.evidence import Evidence
from engine.diagnosis import judge

V0 = (
    "INFO 05-11 08:00:{s:02d} metrics.py:334] Avg prompt throughput: {p} tokens/s, Avg "
    "generation throughput: {g} tokens/s, "
    "Running: {r} reqs, Swapped: 0 reqs, Pending: {w} reqs, GPU KV cache usage: {u}%, CPU KV cache usage: 0.0%\n"
)  # fmt: skip


def v0(*rows: tuple[float, float, int, int, float]) -> str:
    return "".join(V0.format(s=5 * n, p=p, g=g, r=r, w=w, u=u) for n, (p, g, r, w, u) in enumerate(rows))


TEXTS: dict[str, tuple[str, str, str]] = {
    "requests go back to the queue": (
        v0((0.0, 1810.4, 90, 400, 99.5), (0.0, 1795.0, 84, 406, 99.8), (0.0, 1760.2, 77, 413, 99.9)),
        "kv-memory", "both",
    ),
    "the pool has room, and many wait": (
        v0((90.0, 2100.0, 300, 900, 41.0), (80.0, 2090.0, 300, 880, 40.5)), "idle-scheduling", "decode",
    ),
    "preempted": (
        "WARNING 05-11 08:00:00 scheduler.py:1057] Sequence group 5 is preempted by "
        "PreemptionMode.RECOMPUTE mode because "
        "there is not enough KV cache space. total_num_cumulative_preemption=51\n", "kv-memory", "both",
    ),
    "the window is larger than the pool": (
        "INFO 05-11 08:00:00 gpu_executor.py:45] # GPU blocks: 512, # CPU blocks: "
        "1024\nValueError: The model's max seq len "
        "(16384) is larger than the maximum number of tokens that can be stored in KV cache "
        "(8192). Try increasing it.\n",
        "kv-memory", "load",
    ),
    "padding takes a large part": (
        "WARNING 05-11 08:00:00 [kv_cache_utils.py:1152] Add 5 padding layers, may waste at most "
        "45.45% KV cache memory\n",
        "kv-fragmentation", "both",
    ),
    "one pool of two is full": (
        "[2026-05-11 08:00:00 TP0] Decode batch, #running-req: 6, #full token: 900000, full token "
        "usage: 0.99, #swa token: "
        "12000, swa token usage: 0.04, cuda graph: True, gen throughput (token/s): 301.00, #queue-req: 9\n" * 3,
        "kv-memory", "both",
    ),
    "a warm-up that fails at a few tokens": (
        "Error: Warmup(Generation(\"Not enough memory to handle 8 prefill tokens. You need to decrease "
        "`--max-batch-prefill-tokens`\"))\n", "weights-memory", "load",
    ),
    "a few layers are left": (
        "llm_load_tensors: offloading 30 repeating layers to GPU\nllm_load_tensors: offloaded 30/33 layers to GPU\n",
        "weights-memory", "load",
    ),
    "one stream on a known card": (
        "  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9, VMM: yes\n"
        "| model         |      size |  params | backend | ngl | test  |           t/s |\n"
        "| ------------- | --------: | ------: | ------- | --: | ----- | ------------: |\n"
        "| llama 8B F16  | 14.96 GiB |  8.03 B | CUDA    |  99 | pp512 | 9000.1 ± 9.11 |\n"
        "| llama 8B F16  | 14.96 GiB |  8.03 B | CUDA    |  99 | tg128 |   53.9 ± 0.02 "
        "|\n", "memory-bandwidth", "decode",
    ),
    "requests longer than the window": (
        "ERROR 05-11 08:00:00 serving.py:1] This model's maximum context length is 2048 tokens. "
        "However, you requested 2300\n",
        "none", "none",
    ),
    "a card at rest": (
        "|   0  NVIDIA L4                      Off | 00000000:00:03.0 Off |                    0 |\n"
        "| N/A   40C    P8              12W /  72W |      3MiB / 23034MiB |      0%      Default |\n", "none", "none",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_the_wall_of_a_text_alone(name: str) -> None:
    text, wall, phase = TEXTS[name]
    report = judge.diagnose(feed.scenario(Evidence((evidence.read("a.log", [text.encode()]),))))
    assert (report.wall, report.phase) == (wall, phase)
