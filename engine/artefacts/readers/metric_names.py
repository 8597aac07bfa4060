"""What servers call their metrics, and which name of the vocabulary each of them is.

Sources: vLLM's and SGLang's production metrics pages and collectors (both engines of vLLM, 0.2 to 2026), TGI's metrics
reference, llama.cpp's server README, TensorRT-LLM's collector with the prefix that trtllm-serve and Dynamo give it, and
the metrics of Triton's TensorRT-LLM backend.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Form = Literal["gauge", "counter", "histogram", "info"]


class Metric(NamedTuple):
    """One metric.

    Attributes:
        name: of the vocabulary; without a statistic where it is a histogram.
        form: as Prometheus types it.
        unit: as printed; "" for the name's own.
        older: whether a newer name of the same thing may stand on the same page.
        needed: whether 0 is printed where there is no such thing at all (a second pool, a draft model, a phase that did
            not run), so that it says nothing.
    """

    name: str
    form: Form
    unit: str = ""
    older: bool = False
    needed: bool = False


def _latencies(names: Mapping[str, str], older: tuple[str, ...] = ()) -> dict[str, Metric]:
    return {metric: Metric(name, "histogram", "s", metric in older) for metric, name in names.items()}


def _lengths(prompts: str, outputs: str) -> dict[str, Metric]:
    return {
        prompts: Metric("request_prompt_tokens", "histogram"),
        outputs: Metric("request_generation_tokens", "histogram"),
    }


def _each(form: Form, names: Mapping[str, str], older: bool = False, needed: bool = False) -> dict[str, Metric]:
    return {metric: Metric(name, form, "", older, needed) for metric, name in names.items()}


_VLLM: Mapping[str, Metric] = {
    **_each("gauge", {
        "num_requests_running": "running_requests", "num_requests_waiting": "waiting_requests",
        "num_requests_swapped": "swapped_requests", "kv_cache_usage_perc": "kv_cache_usage",
        "cpu_cache_usage_perc": "cpu_kv_cache_usage", "gpu_prefix_cache_hit_rate": "prefix_cache_hit_rate",
        "cpu_prefix_cache_hit_rate": "cpu_prefix_cache_hit_rate",
        "avg_prompt_throughput_toks_per_s": "prompt_throughput",
        "avg_generation_throughput_toks_per_s": "generation_throughput",
        "spec_decode_draft_acceptance_rate": "spec_acceptance_rate",
        "spec_decode_efficiency": "spec_system_efficiency",
    }),
    **_each("gauge", {"gpu_cache_usage_perc": "kv_cache_usage"}, older=True),
    **_each("counter", {
        "prompt_tokens_total": "prompt_tokens_total", "generation_tokens_total": "generation_tokens_total",
        "request_success_total": "requests_finished_total", "num_preemptions_total": "preemptions_total",
        "prefix_cache_queries_total": "prefix_cache_queries_total",
        "prefix_cache_hits_total": "prefix_cache_hits_total",
        "spec_decode_num_accepted_tokens_total": "spec_accepted_tokens_total",
        "spec_decode_num_draft_tokens_total": "spec_draft_tokens_total",
        "spec_decode_num_emitted_tokens_total": "spec_emitted_tokens_total",
    }),
    **_each("counter", {
        "gpu_prefix_cache_queries_total": "prefix_cache_queries_total",
        "gpu_prefix_cache_hits_total": "prefix_cache_hits_total",
    }, older=True),
    **_latencies({
        "time_to_first_token_seconds": "ttft", "inter_token_latency_seconds": "tpot",
        "time_per_output_token_seconds": "tpot", "e2e_request_latency_seconds": "e2e_latency",
        "request_queue_time_seconds": "queue_time", "time_in_queue_requests": "queue_time",
    }, older=("time_per_output_token_seconds", "time_in_queue_requests")),
    **_lengths("request_prompt_tokens", "request_generation_tokens"),
    "cache_config_info": Metric("", "info"),
}  # fmt: skip

_SGLANG: Mapping[str, Metric] = {
    **_each("gauge", {
        "num_running_reqs": "running_requests", "num_queue_reqs": "waiting_requests", "token_usage": "kv_cache_usage",
        "num_used_tokens": "kv_cache_tokens_used", "gen_throughput": "generation_throughput",
        "cache_hit_rate": "prefix_cache_hit_rate",
    }),
    **_each("gauge", {
        "max_total_num_tokens": "kv_cache_tokens", "full_token_usage": "kv_cache_usage.full",
        "swa_token_usage": "kv_cache_usage.swa", "mamba_usage": "mamba_usage",
        "spec_accept_length": "spec_accept_length", "spec_accept_rate": "spec_acceptance_rate",
    }, needed=True),
    **_each("counter", {
        "prompt_tokens_total": "prompt_tokens_total", "generation_tokens_total": "generation_tokens_total",
        "num_requests_total": "requests_finished_total", "num_retracted_requests_total": "preemptions_total",
    }),
    **_latencies({
        "time_to_first_token_seconds": "ttft", "inter_token_latency_seconds": "tpot",
        "time_per_output_token_seconds": "tpot", "e2e_request_latency_seconds": "e2e_latency",
        "queue_time_seconds": "queue_time",
    }, older=("time_per_output_token_seconds",)),
    **_lengths("prompt_tokens_histogram", "generation_tokens_histogram"),
    "cache_config_info": Metric("", "info"),
}  # fmt: skip

_TGI: Mapping[str, Metric] = {
    **_each("gauge", {"batch_current_size": "running_requests", "queue_size": "waiting_requests"}),
    **_each("counter", {"request_success": "requests_finished_total"}),
    **_latencies({"request_duration": "e2e_latency", "request_queue_duration": "queue_time"}),
    **_lengths("request_input_length", "request_generated_tokens"),
}

_LLAMACPP: Mapping[str, Metric] = {
    **_each("gauge", {
        "requests_processing": "running_requests", "requests_deferred": "waiting_requests",
        "kv_cache_usage_ratio": "kv_cache_usage", "kv_cache_tokens": "kv_cache_tokens_used",
    }),
    # Of the time that the phase ran since the page was last asked for: no interval's average.
    **_each("gauge", {
        "prompt_tokens_seconds": "prefill_throughput", "predicted_tokens_seconds": "decode_throughput",
    }, needed=True),
    **_each("counter", {
        "prompt_tokens_total": "prompt_tokens_total", "tokens_predicted_total": "generation_tokens_total",
    }),
}  # fmt: skip

_TRTLLM: Mapping[str, Metric] = {
    **_each("gauge", {
        "num_requests_running": "running_requests", "num_requests_waiting": "waiting_requests",
        "kv_cache_utilization": "kv_cache_usage", "kv_cache_hit_rate": "prefix_cache_hit_rate",
    }),
    **_each("gauge", {"kv_cache_max_blocks": "num_gpu_blocks", "kv_cache_tokens_per_block": "block_size"}, needed=True),
    **_each("counter", {"request_success_total": "requests_finished_total"}),
    **_latencies({
        "time_to_first_token_seconds": "ttft", "time_per_output_token_seconds": "tpot",
        "e2e_request_latency_seconds": "e2e_latency", "request_queue_time_seconds": "queue_time",
    }),
}  # fmt: skip

_TRITON: Mapping[str, Metric] = {
    **_each("gauge", {
        "request_metrics:scheduled": "running_requests", "request_metrics:waiting": "waiting_requests",
        "kv_cache_block_metrics:fraction": "kv_cache_usage",
    }),
    **_each("gauge", {
        "request_metrics:max": "max_num_seqs", "kv_cache_block_metrics:max": "num_gpu_blocks",
        "kv_cache_block_metrics:tokens_per": "block_size",
    }, needed=True),
}  # fmt: skip
"""After the colon: the label that says which of several things the sample is."""

TOLD_APART: Mapping[str, str] = {"request_metrics": "request_type", "kv_cache_block_metrics": "kv_cache_block_type"}
"""Metrics of Triton's TensorRT-LLM backend whose label says what they count."""


class Server(NamedTuple):
    """Whose metrics a prefix begins: the engine and its table."""

    engine: str
    metrics: Mapping[str, Metric]


SERVERS: Mapping[str, Server] = {
    "vllm": Server("vllm", _VLLM),
    "sglang": Server("sglang", _SGLANG),
    "tgi": Server("tgi", _TGI),
    "llamacpp": Server("llama.cpp", _LLAMACPP),
    "trtllm": Server("tensorrt-llm", _TRTLLM),
    "nv_trt_llm": Server("tensorrt-llm", _TRITON),
}

CONFIGURED: Mapping[str, str] = {
    "block_size": "block_size", "page_size": "block_size", "num_gpu_blocks": "num_gpu_blocks",
    "num_pages": "num_gpu_blocks", "num_cpu_blocks": "num_cpu_blocks", "kv_cache_size_tokens": "kv_cache_tokens",
    "sliding_window": "sliding_window", "gpu_memory_utilization": "gpu_memory_utilization",
    "cache_dtype": "kv_cache_dtype", "enable_prefix_caching": "enable_prefix_caching", "swap_space": "swap_space",
    "cpu_offload_gb": "cpu_offload_gb", "num_gpu_blocks_override": "num_gpu_blocks_override",
    "kv_cache_memory_bytes": "kv_cache_memory_bytes",
}  # fmt: skip
"""Labels of cache_config_info, by what they say: names of the vocabulary, or flags."""
FLAGS = frozenset((
    "block_size", "gpu_memory_utilization", "kv_cache_dtype", "enable_prefix_caching", "swap_space", "cpu_offload_gb",
    "num_gpu_blocks_override", "kv_cache_memory_bytes",
))  # fmt: skip
"""Those of them that are flags of the start command."""
