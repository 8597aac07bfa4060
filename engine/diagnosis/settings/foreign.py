"""Flags that only some engines have: a server that is started with another one's flag ends before it loads anything.

Source: the option tables of the engines, as for :mod:`engine.diagnosis.settings.flag_table`. A name that several
engines take is listed with all of them; one that is not here may be anybody's.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.diagnosis.model import Engine
from engine.diagnosis.settings import engines

_OWNERS: Mapping[str, tuple[Engine, ...]] = {
    "gpu_memory_utilization": ("vllm",), "gpu_memory_utilisation": ("vllm",), "max_model_len": ("vllm",),
    "max_num_seqs": ("vllm",), "max_num_batched_tokens": ("vllm",), "enforce_eager": ("vllm",),
    "mem_fraction_static": ("sglang",), "context_length": ("sglang",), "max_running_requests": ("sglang",),
    "chunked_prefill_size": ("sglang",),
    "tensor_parallel_size": ("vllm", "sglang", "tensorrt-llm"),
    "pipeline_parallel_size": ("vllm", "sglang", "tensorrt-llm"),
    "kv_cache_dtype": ("vllm", "sglang", "tgi", "tensorrt-llm"), "cpu_offload_gb": ("vllm", "sglang"),
    "n_gpu_layers": ("llama.cpp",), "gpu_layers": ("llama.cpp",), "ngl": ("llama.cpp",), "ctx_size": ("llama.cpp",),
    "n_cpu_moe": ("llama.cpp",), "ubatch_size": ("llama.cpp",), "cache_type_k": ("llama.cpp",),
    "num_shard": ("tgi",), "cuda_memory_fraction": ("tgi",), "max_batch_prefill_tokens": ("tgi",),
    "max_concurrent_requests": ("tgi",),
    "kv_cache_free_gpu_memory_fraction": ("tensorrt-llm",),
    "cache_max_entry_count": ("lmdeploy",), "session_len": ("lmdeploy",),
}  # fmt: skip
_OWN: Mapping[Engine, Mapping[str, str]] = {
    "vllm": {
        "utilization": "--gpu-memory-utilization", "max_model_len": "--max-model-len", "max_num_seqs": "--max-num-seqs",
        "max_num_batched_tokens": "--max-num-batched-tokens", "tp": "--tensor-parallel-size",
        "pp": "--pipeline-parallel-size", "kv": "--kv-cache-dtype", "context_total": "--max-model-len",
    },
    "sglang": {
        "utilization": "--mem-fraction-static", "max_model_len": "--context-length",
        "max_num_seqs": "--max-running-requests", "max_num_batched_tokens": "--chunked-prefill-size", "tp": "--tp-size",
        "kv": "--kv-cache-dtype", "eager": "--disable-cuda-graph", "context_total": "--context-length",
    },
    "tensorrt-llm": {
        "utilization": "--kv_cache_free_gpu_memory_fraction", "max_model_len": "--max_seq_len",
        "max_num_seqs": "--max_batch_size", "max_num_batched_tokens": "--max_num_tokens", "tp": "--tp_size",
    },
    "llama.cpp": {
        "max_model_len": "-c", "max_num_seqs": "-np", "max_num_batched_tokens": "-ub", "tp": "--tensor-split",
        "kv": "-ctk -ctv",
    },
    "tgi": {
        "utilization": "--cuda-memory-fraction", "max_model_len": "--max-total-tokens",
        "max_num_seqs": "--max-concurrent-requests", "max_num_batched_tokens": "--max-batch-prefill-tokens",
        "tp": "--num-shard", "kv": "--kv-cache-dtype", "context_total": "--max-total-tokens",
    },
    "lmdeploy": {
        "utilization": "--cache-max-entry-count", "max_model_len": "--session-len", "max_num_seqs": "--max-batch-size",
        "max_num_batched_tokens": "--max-prefill-token-num", "tp": "--tp", "kv": "--quant-policy",
        "context_total": "--session-len",
    },
}  # fmt: skip
"""How each engine calls what a field sets."""


def is_foreign(key: str, engine: Engine | None) -> bool:
    """Whether a name, as :func:`engine.diagnosis.settings.flag_names.canonical` has it, is a flag of other engines."""
    return engine in _OWN and key in _OWNERS and engine not in _OWNERS[key]


def own(field: str, engine: Engine | None) -> str:
    """How an engine calls what a field sets ("--context-length"); "" where it has no flag, or is not known."""
    return _OWN[engine].get(field, "") if engine is not None and engine in _OWN else ""


def meant(field: str, engine: Engine) -> str:
    """The engine's own flag for what a foreign one sets ("vLLM --max-model-len"); "" where it has none."""
    name = own(field, engine)
    return f"{engines.TITLES[engine]} {name}" if name else ""
