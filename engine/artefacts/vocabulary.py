"""The names of what is read from logs, metrics, results and configs: one unit and one form each.

A name is the field's own term without a unit. After a dot comes a qualifier: a statistic (``.mean .p99``), a pool
(``.full .swa``), a device as printed (``.cuda0 .cuda_host``), a graph kind, or a role (``.needed .estimated``). The
table has the part before the dot; a name that no row has is a flag of a start command and is a fact without a unit.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

Form = Literal["each", "fact"]
"""``each``: an entry for every line, row or sample that prints it, none merged. ``fact``: equal repeats are one value,
different ones a list of the distinct values in order of first appearance."""

Group = Literal[
    "memory", "pool", "graphs", "errors", "statistics", "metrics", "benchmarks", "card", "config", "flags"
]  # fmt: skip
"""Where a list of what was read has the name."""


class Term(NamedTuple):
    """A name's unit, form and group."""

    unit: str
    form: Form
    group: Group


_ROWS: tuple[tuple[Group, str, Form, str], ...] = (
    ("memory", "GiB", "each", """
        model_loading_memory weights_memory non_torch_memory activation_memory memory_budget gpu_memory_total
        gpu_memory_free gpu_memory_used compute_buffer_memory process_memory pytorch_allocated_memory
        pytorch_unallocated_memory other_process_memory
    """),
    ("memory", "s", "each", "model_loading_time memory_profiling_time engine_init_time"),
    ("memory", "fraction", "fact", "gpu_memory_utilization free_gpu_memory_fraction mem_fraction_static"),
    ("pool", "GiB", "each", "kv_cache_memory k_cache_memory v_cache_memory"),
    ("pool", "tokens", "fact", """
        kv_cache_tokens block_size max_model_len max_num_batched_tokens max_batch_prefill_tokens max_batch_total_tokens
        max_input_length
    """),
    ("pool", "blocks", "fact", "num_gpu_blocks num_cpu_blocks blocks_per_sequence"),
    ("pool", "x", "fact", "max_concurrency"),
    ("pool", "requests", "fact", "max_num_seqs"),
    ("pool", "tokens", "fact", "n_ctx"),
    ("pool", "tokens", "each", "n_batch n_ubatch"),
    ("pool", "count", "each", "padding_layers"),
    ("pool", "fraction", "each", "padding_waste"),
    ("graphs", "GiB", "each", "graph_memory"),
    ("graphs", "s", "each", "graph_capture_time"),
    ("graphs", "count", "each", "graph_count graph_max_batch"),
    ("graphs", "", "each", "cuda_graph"),
    ("errors", "", "each", "error"),
    ("errors", "GiB", "each", "failed_allocation"),
    ("errors", "", "fact", "failed_buffer"),
    ("errors", "tokens", "each", "failed_prefill_tokens failed_total_tokens"),
    ("errors", "count", "fact", "pipeline_copies"),
    ("statistics", "tokens/s", "each", "prompt_throughput generation_throughput"),
    ("statistics", "requests", "each", """
        running_requests waiting_requests swapped_requests prefill_new_sequences retracted_requests
    """),
    ("statistics", "fraction", "each", """
        kv_cache_usage mamba_usage cpu_kv_cache_usage prefix_cache_hit_rate cpu_prefix_cache_hit_rate
        spec_acceptance_rate spec_system_efficiency
    """),
    ("statistics", "tokens", "each", """
        kv_cache_tokens_used prefill_new_tokens prefill_cached_tokens pending_tokens spec_accept_length
        spec_accepted_tokens_total spec_draft_tokens_total spec_emitted_tokens_total
    """),
    ("statistics", "tokens", "fact", "num_speculative_tokens"),
    ("statistics", "count", "each", "mamba_slots_used preemptions_total"),
    ("statistics", "", "fact", "engine_index preemption_mode"),
    ("statistics", "s", "fact", "stats_interval"),
    ("metrics", "tokens", "each", """
        prompt_tokens_total generation_tokens_total prefix_cache_queries_total prefix_cache_hits_total
        request_prompt_tokens request_generation_tokens
    """),
    ("metrics", "requests", "each", "requests_finished_total"),
    ("metrics", "ms", "each", "ttft tpot itl e2e_latency queue_time"),
    ("benchmarks", "", "fact", "burstiness"),
    ("benchmarks", "requests", "fact", "num_prompts client_max_concurrency"),
    ("benchmarks", "requests/s", "fact", "request_rate"),
    ("benchmarks", "tokens", "fact", "input_len output_len"),
    ("benchmarks", "requests", "each", "completed_requests"),
    ("benchmarks", "s", "each", "benchmark_duration"),
    ("benchmarks", "tokens", "each", """
        input_tokens_total output_tokens_total prefill_tokens decode_tokens context_tokens
    """),
    ("benchmarks", "requests/s", "each", "request_throughput request_goodput"),
    ("benchmarks", "tokens/s", "each", """
        input_throughput total_token_throughput output_throughput prefill_throughput decode_throughput bench_throughput
    """),
    ("benchmarks", "ms", "each", "prefill_time decode_time"),
    ("benchmarks", "", "each", "bench_test bench_model"),
    ("memory", "count", "each", "n_gpu_layers"),
    ("memory", "count", "fact", "layers_on_gpu layers_total"),
    ("card", "", "each", "gpu_name gpu_index mig_mode"),
    ("card", "", "fact", "driver_version cuda_version gpu_link"),
    ("card", "C", "each", "gpu_temperature"),
    ("card", "W", "each", "gpu_power gpu_power_cap"),
    ("card", "fraction", "each", "gpu_utilization"),
    ("config", "", "fact", "model"),
    ("config", "GiB", "each", "model_size"),
    ("config", "count", "each", "parameters"),
    ("flags", "", "each", "flash_attention"),
    ("config", "count", "fact", """
        n_layers n_heads n_kv_heads head_dim hidden_size intermediate_size moe_intermediate_size vocab_size q_lora_rank
        kv_lora_rank qk_nope_head_dim qk_rope_head_dim v_head_dim n_experts n_experts_per_token n_shared_experts
        n_full_attention_layers n_sliding_layers quantization_group_size
    """),
    ("config", "tokens", "fact", "max_position_embeddings sliding_window"),
    ("config", "bits", "fact", "quantization_bits"),
    ("config", "", "fact", """
        tied_embeddings use_sliding_window dtype quantization_method quantization_zero_point modules_not_quantized
    """),
)  # fmt: skip

TERMS: Mapping[str, Term] = {
    name: Term(unit, form, group) for group, unit, form, names in _ROWS for name in names.split()
}
_QUALIFIED: Mapping[str, Term] = {
    "count": Term("count", "each", "metrics"),
    "bucket_counts": Term("count", "each", "metrics"),
    "needed": Term("GiB", "fact", "pool"),
    "available": Term("GiB", "fact", "pool"),
}
"""What a qualifier decides, whatever stands before it."""
FLAG = Term("", "fact", "flags")
"""A flag of a start command or of an engine's config line, that is no name of the table."""


@lru_cache(maxsize=1024)
def term(name: str) -> Term:
    """The unit, form and group of a name with or without a qualifier."""
    base, _, qualifier = name.partition(".")
    if base not in TERMS:
        return FLAG
    if qualifier in _QUALIFIED and (qualifier not in ("needed", "available") or base == "kv_cache_memory"):
        return _QUALIFIED[qualifier]
    return TERMS[base]


_KI = 1024
_FACTORS: Mapping[tuple[str, str], Fraction] = {
    **{("GiB", unit): Fraction(1, _KI**power) for unit, power in (("MiB", 1), ("KiB", 2), ("bytes", 3))},
    ("GiB", "TiB"): Fraction(_KI),
    ("fraction", "%"): Fraction(1, 100),
    ("ms", "s"): Fraction(1000), ("ms", "us"): Fraction(1, 1000),
    ("s", "ms"): Fraction(1, 1000), ("s", "min"): Fraction(60),
    ("count", "K"): Fraction(10**3), ("count", "M"): Fraction(10**6), ("count", "B"): Fraction(10**9),
    ("count", "T"): Fraction(10**12),
    ("tokens/s", "tokens/ms"): Fraction(1000),
}  # fmt: skip
WHOLE = frozenset(("tokens", "blocks", "requests", "count", "bits"))
"""Units of what is counted; a mean of them need not be whole."""


def factor(name: str, unit: str) -> Fraction:
    """What turns a number printed in ``unit`` into the name's own; 1 where they are the same or it has none.

    "GB" is taken as GiB: every program of the table that prints it divides by 2**30.
    """
    own = term(name).unit
    unit = {"GB": "GiB", "MB": "MiB", "KB": "KiB", "B": "bytes"}.get(unit, unit) if own == "GiB" else unit
    return Fraction(1) if not unit or unit == own else _FACTORS[own, unit]
