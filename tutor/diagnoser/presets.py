"""Servers to start from: two of the course, and some that many people meet. Values as one would type them."""

from __future__ import annotations

from collections.abc import Mapping

from content.lang import Lang
from content.words import say

Values = Mapping[str, str]

PRESETS: Mapping[str, Values] = {
    "reserved-slots": {
        "model": "Llama-2-7b-hf", "gpu": "A100 SXM 40GB", "weights": "fp16", "prompt": "40", "output": "20",
        "concurrency": "64", "reserve": "2048", "engine": "transformers",
    },
    "long-prompts": {
        "model": "Qwen2.5-14B", "gpu": "A100 SXM 40GB", "weights": "fp16", "prompt": "4000", "output": "60",
        "concurrency": "8", "max_model_len": "8192", "engine": "vllm",
    },
    "too-large": {
        "model": "Llama-3.1-70B", "gpu": "H100 SXM 80GB", "weights": "bf16", "engine": "vllm",
    },
    "awq-slower": {
        "model": "Llama-3.1-8B", "gpu": "A100 SXM 80GB", "weights": "awq", "prompt": "512", "output": "128",
        "concurrency": "128", "engine": "vllm",
    },
    "preemption": {
        "model": "Qwen2.5-14B", "gpu": "L40S", "weights": "bf16", "prompt": "3000", "output": "1000",
        "concurrency": "64", "engine": "vllm",
    },
    "two-cards": {
        "model": "Llama-3.1-8B", "gpu": "RTX 4090", "gpus": "2", "link": "pcie", "weights": "bf16", "prompt": "2048",
        "output": "256", "concurrency": "8", "engine": "vllm",
    },
    "one-chat": {
        "model": "Llama-3.1-8B", "gpu": "RTX 4090", "weights": "bf16", "prompt": "1000", "output": "400",
        "concurrency": "1", "max_model_len": "8192", "engine": "vllm",
    },
}  # fmt: skip
"""By id; their names are words of the diagnosis."""


def values(id: str, lang: Lang) -> Values:
    """The form of an example, with what one sees of it in the reader's language."""
    return {**PRESETS[id], "symptoms": say(f"app.diagnose.sentence.{id}", lang)}
