"""Which values a name can have at all: what is typed beyond is refused, what a text says beyond is marked."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.artefacts.vocabulary import term

_UNITS: Mapping[str, tuple[int, int]] = {
    "GiB": (0, 10**6), "fraction": (0, 1), "tokens": (0, 10**9), "blocks": (0, 10**10), "requests": (0, 10**7),
    "requests/s": (0, 10**7), "tokens/s": (0, 10**9), "x": (0, 10**9), "count": (0, 10**10), "s": (0, 10**8),
    "ms": (0, 10**9), "C": (-100, 300), "W": (0, 10**5), "bits": (1, 64), "": (-(10**15), 10**15),
}  # fmt: skip
"""The least and the most of a unit: what no server and no run has is beyond, with room for those of tomorrow."""
_NAMES: Mapping[str, tuple[int, int]] = {
    "parameters": (10**6, 10**14), "n_gpu_layers": (-1, 10**6), "tpot": (0, 10**7),
    **dict.fromkeys(("kv_cache_memory", "non_torch_memory", "activation_memory"), (-(10**6), 10**6)),
    **dict.fromkeys(("kv_cache_tokens", "max_batch_total_tokens", "kv_cache_tokens_used"), (0, 10**12)),
    **dict.fromkeys(("n_layers", "n_heads", "n_kv_heads", "head_dim", "hidden_size", "vocab_size"), (1, 10**8)),
}  # fmt: skip
"""Of names with bounds of their own: what is left of a card may be less than nothing, and -1 layers are all of them."""
_TOTAL, _MOST_TOTAL = "_total", 10**15
"""Counters of a server that has run for years."""
_LEAST = Fraction(1, 10**9)
"""Nearer to nothing than anything that is measured."""
_NEVER_ZERO = frozenset(
    """model_loading_memory weights_memory memory_budget gpu_memory_total model_size max_model_len block_size n_ctx
    max_num_seqs max_num_batched_tokens max_batch_prefill_tokens max_batch_total_tokens gpu_memory_utilization
    mem_fraction_static free_gpu_memory_fraction max_concurrency ttft tpot itl e2e_latency stats_interval request_rate
    benchmark_duration input_len output_len gpu_power_cap n_batch n_ubatch""".split()
)


def impossible(name: str, value: Fraction | float) -> str:
    """Why a name cannot have a number in its own unit: the id of a reason of ``Unread``; "" where it can.

    Not-a-number is refused as too large.
    """
    base, unit = name.partition(".")[0], term(name).unit
    if unit == term(base).unit and base in _NAMES:
        least, most = _NAMES[base]
    elif base.endswith(_TOTAL):
        least, most = 0, _MOST_TOTAL
    else:
        least, most = _UNITS.get(unit, _UNITS[""])
    if value < least:
        return "negative" if value < 0 <= least else "zero" if value == 0 else "too-small"
    if value != 0 and -_LEAST < value < _LEAST:
        return "too-small"
    if not value <= most:
        return "over-one" if unit == "fraction" else "too-large"
    if value == 0 and base in _NEVER_ZERO and unit == term(base).unit:
        return "zero"
    return ""
