"""vLLM's refusals and warnings: length errors, no room for blocks, preemption."""

from __future__ import annotations

import re

from engine.artefacts.model import Observations
from engine.artefacts.readers.base import Rule
from engine.artefacts.readers.whole import Whole
from engine.artefacts.text import Line

_ERROR = "vllm-error"
_SIZE = r"(?P<{0}>{{N}}) ?(?P<_unit>GiB|GB|MiB|MB)"
_LENGTH = (
    Rule(
        "max seq len (",
        r"max seq len \((?P<max_model_len>\d{1,12})\)",
        {},
        _ERROR,
        {"error": "max_model_len_exceeds_kv"},
    ),
    Rule("stored in KV cache", r"stored in KV cache \((?P<kv_cache_tokens>\d{1,15})\)", {}, _ERROR),
    Rule(
        "cache is needed",
        _SIZE.format("kv_cache_memory__needed") + r"\s{1,3}KV\s{1,3}cache is needed",
        {"kv_cache_memory.needed": "@_unit"},
        _ERROR,
    ),
    Rule(
        "available KV",
        r"available KV\s{1,3}cache memory \(" + _SIZE.format("kv_cache_memory__available") + r"\)",
        {"kv_cache_memory.available": "@_unit"},
        _ERROR,
    ),
    Rule(
        "estimated maximum model length",
        r"estimated maximum model length is (?P<max_model_len__estimated>\d{1,12})(?:\.|$)",
        {},
        _ERROR,
    ),
    Rule(
        "greater than the derived max_model_len",
        r"max_model_len \((?P<max_model_len>\d{1,12})\) is greater than the derived max_model_len"
        r"(?: \(\w{1,60}=(?P<max_model_len__derived>\d{1,12}))?",
        {},
        _ERROR,
        {"error": "max_model_len_exceeds_model"},
    ),
)
"""Of both engines: the older one gives tokens, the newer one sizes and, from spring 2025, a length that would fit.
The last is of a window beyond the model's own, which its config tells."""
_START = (
    Rule(
        "is less than desired GPU memory utilization",
        r"less than desired GPU memory utilization \((?P<gpu_memory_utilization>{N}), (?P<memory_budget>{N}) ?GiB\)",
        {},
        _ERROR,
    ),
    Rule(
        "GPU has compute capability",
        r"Your (?P<gpu_name>[\w -]{1,60}?) GPU has compute capability",
        {},
        _ERROR,
    ),
    *(
        Rule(mark, re.escape(mark), {}, _ERROR)
        for mark in (
            "No available memory for the cache blocks",
            "Bfloat16 is only supported on GPUs",
            "not supported for the current GPU",
            "Engine core initialization failed",
            "EngineCore failed to start",
            "Engine process failed to start",
            "EngineDeadError",
            "MQLLMEngine is already dead",
            "Error in memory profiling. Initial",
        )
    ),
)
"""Refusals that the vocabulary has no kind of error for; they are recognised all the same."""
_PREEMPTED = Rule(
    "is preempted by",
    r"preempted by (?:PreemptionMode\.)?(?P<preemption_mode>RECOMPUTE|SWAP) mode",
    {},
    "vllm-preemption",
)
_COUNTED = tuple(
    Rule(name, name + r"=(?P<preemptions_total>\d{1,15})(?![\d\x00])", {}, "")
    for name in ("total_num_cumulative_preemption", "total_cumulative_preemption_cnt")
)


class Errors(Whole):
    """Reads refusals and warnings."""

    def __init__(self) -> None:
        super().__init__((*_LENGTH, *_START, _PREEMPTED, *_COUNTED), "vllm")

    def take(self, rule: Rule, match: re.Match[str], line: Line, out: Observations) -> None:
        """Keep the values of a match, and the notes on them."""
        super().take(rule, match, line, out)
        if rule in (_LENGTH[0], _LENGTH[-1]):
            out.trap("refused-length", "max_model_len", line)
        elif rule in _COUNTED:
            out.trap("counter-counts", "preemptions_total", line)
        elif match.groupdict().get("_unit") in ("GB", "MB"):
            out.trap("gb-is-gib", next(iter(rule.units)), line)


READERS = (Errors,)
