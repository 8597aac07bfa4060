"""What vLLM says while it starts: weights, the memory block of every era, the pool, graphs.

The block has had five forms: block counts alone (to 0.6), "Memory profiling results" (0.6.4), one line of sentences and
the same on several lines (0.6.5 to 0.8), V1's single figures with the rest at debug level, and since 0.11 a sentence
of actual usage. Each figure is read by itself, so that it does not matter where its line was broken.
"""

from __future__ import annotations

import re

from engine.artefacts.model import Observations
from engine.artefacts.readers.base import Rule
from engine.artefacts.readers.whole import Whole
from engine.artefacts.text import Line

_KIND = "vllm-start"
_GIB = r" ?GiB"
_SECONDS = r" ?(?:seconds|secs?|s)\b"


def _rule(mark: str, pattern: str, **units: str) -> Rule:
    return Rule(mark, pattern, {name.replace("__", "."): unit for name, unit in units.items()}, _KIND)


_WEIGHTS = _rule(
    " took ",
    r"(?:Loading model weights|Model loading) took (?P<model_loading_memory>{N}) ?(?P<_unit>GiB|GB|MiB|MB)(?: memory)?"
    rf"(?: and (?P<model_loading_time>{{N}}){_SECONDS})?",
    model_loading_memory="@_unit",
    model_loading_time="s",
)
_BLOCK = (
    _rule("total_gpu_memory (", rf"total_gpu_memory \((?P<gpu_memory_total>{{N}}){_GIB}\)"),
    _rule(
        "gpu_memory_utilization (",
        rf"gpu_memory_utilization \((?P<gpu_memory_utilization>{{N}})\)(?: ?= ?(?P<memory_budget>{{N}}){_GIB})?",
    ),
    _rule("model weights take", rf"model weights take (?P<weights_memory>{{N}}){_GIB}"),
    _rule("non_torch_memory takes", rf"non_torch_memory takes (?P<non_torch_memory>{{N}}){_GIB}"),
    _rule("activation peak", rf"PyTorch activation peak memory takes (?P<activation_memory>{{N}}){_GIB}"),
    _rule("reserved for KV Cache", rf"memory reserved for KV Cache is (?P<kv_cache_memory>{{N}}){_GIB}"),
    _rule("emory profiling t", rf"[Mm]emory profiling t(?:akes|ook) (?P<memory_profiling_time>{{N}}){_SECONDS}"),
)
_TABLE = (
    _rule("duration  ", rf"\] duration {{2,20}}(?P<memory_profiling_time>{{N}}){_SECONDS}"),
    _rule("total_gpu_memory  ", rf"\btotal_gpu_memory {{2,20}}(?P<gpu_memory_total>{{N}}){_GIB}"),
    _rule("gpu_memory_utilization  ", r"\] gpu_memory_utilization {2,20}(?P<gpu_memory_utilization>{N})(?:\s|$)"),
    _rule("instance can use  ", rf"instance can use {{2,20}}(?P<memory_budget>{{N}}){_GIB}"),
    _rule("model weights take  ", rf"model weights take {{2,20}}(?P<weights_memory>{{N}}){_GIB}"),
    _rule("non_torch_memory  ", rf"\bnon_torch_memory {{2,20}}(?P<non_torch_memory>{{N}}){_GIB}"),
    _rule("activation peak memory  ", rf"activation peak memory {{2,20}}(?P<activation_memory>{{N}}){_GIB}"),
    _rule("available_kv_cache_memory  ", rf"\bavailable_kv_cache_memory {{2,20}}(?P<kv_cache_memory>{{N}}){_GIB}"),
)
"""The block as names and values under each other (a change of December 2024, while it was tried out)."""
_DEBUG = (
    _rule("torch peak memory", rf"torch peak memory increase: (?P<activation_memory>{{N}}){_GIB}"),
    _rule("non-torch forward", rf"non-torch forward increase memory: (?P<non_torch_memory>{{N}}){_GIB}"),
    _rule("weights memory:", rf"\bweights memory: (?P<weights_memory>{{N}}){_GIB}"),
    _rule("Initial free memory", rf"Initial free memory:? (?P<gpu_memory_free>{{N}}){_GIB}"),
    _rule(
        "Requested memory",
        rf"Requested memory: (?P<gpu_memory_utilization>{{N}}) \(util\)(?:, (?P<memory_budget>{{N}}){_GIB})?",
    ),
    _rule("memory for KV Cache as", rf"reserved (?P<kv_cache_memory>{{N}}){_GIB} memory for KV Cache as specified by"),
    _rule(
        "Free memory on device",
        rf"Free memory on device(?: [\w:]{{1,20}})? \((?P<gpu_memory_free>{{N}})/(?P<gpu_memory_total>{{N}}){_GIB}\)",
    ),
    _rule(
        "Desired GPU memory",
        r"Desired GPU memory utilization is \((?P<gpu_memory_utilization>{N}), "
        rf"(?P<memory_budget>{{N}}){_GIB}\)",
    ),
    _rule(" GiB for weight", rf"(?P<weights_memory>{{N}}){_GIB} for weights?\b"),
    _rule("for peak activation", rf"(?P<activation_memory>{{N}}){_GIB} for peak activation"),
    _rule("for non-torch memory", rf"(?P<non_torch_memory>{{N}}){_GIB} for non-torch memory"),
)
_POOL = (
    _rule(" blocks: ", r"# (?!CPU)\w{2,10} blocks: (?P<num_gpu_blocks>\d{1,12})(?![\d\x00])"),
    _rule("# CPU blocks: ", r"# CPU blocks: (?P<num_cpu_blocks>\d{1,12})(?![\d\x00])"),
    _rule("num_gpu_blocks is: ", r"after num_gpu_blocks is: (?P<num_gpu_blocks>\d{1,12})(?![\d\x00])"),
    _rule(" KV cache size: ", r"\b[A-Z]{2,8} KV cache size: (?P<kv_cache_tokens>{N}) tokens"),
    _rule(
        "Maximum concurrency for",
        r"Maximum concurrency for (?P<max_model_len>{N}) tokens per request(?:: (?P<max_concurrency>{N})x)?",
    ),
    _rule("Available KV ", rf"Available KV cache memory: (?P<kv_cache_memory>{{N}}){_GIB}"),
    _rule("attention block size", r"Setting attention block size to (?P<block_size>\d{1,9}) tokens"),
    _rule("padding layers", r"\bAdd (?P<padding_layers>\d{1,9}) padding layers"),
    _rule("may waste at most", r"padding layers, may waste at most (?P<padding_waste>{N})%", padding_waste="%"),
)
_GRAPHS = (
    _rule(
        "Graph capturing finished",
        rf"Graph capturing finished in (?P<graph_capture_time>{{N}}){_SECONDS}"
        rf"(?:, took (?P<graph_memory>{{N}}){_GIB})?",
        graph_capture_time="s",
    ),
    _rule("Estimated CUDA graph", rf"Estimated CUDA graph memory: (?P<graph_memory__estimated>{{N}}){_GIB}"),
    _rule(
        "Profiling CUDA graph",
        r"\bPIECEWISE=(?P<graph_count__piecewise>\d{1,6}) \(largest=(?P<graph_max_batch__piecewise>\d{1,6})\)",
    ),
    _rule(
        "Profiling CUDA graph",
        r"\bFULL=(?P<graph_count__full>\d{1,6}) \(largest=(?P<graph_max_batch__full>\d{1,6})\)",
    ),
    _rule("Profiling CUDA graph", r"\bPIECEWISE=(?P<graph_count__piecewise>\d{1,6})(?:,? FULL=|$)"),
    _rule("Profiling CUDA graph", r"\bFULL=(?P<graph_count__full>\d{1,6})(?:,? PIECEWISE=|$)"),
    _rule(
        "without CUDA graph memory",
        r"--gpu-memory-utilization=(?P<gpu_memory_utilization>\d\.\d{1,6}) is equivalent to "
        r"--gpu-memory-utilization=(?P<gpu_memory_utilization__equivalent>-?\d\.\d{1,6}) without",
    ),
    _rule(
        "--gpu-memory-utilization from",
        r"--gpu-memory-utilization from (?P<gpu_memory_utilization>\d\.\d{1,6}) to ",
    ),
    _rule(
        "--gpu-memory-utilization",
        r"--gpu-memory-utilization (?:from \d\.\d{1,6} )?to (?P<gpu_memory_utilization__suggested>\d\.\d{1,6})"
        r"(?:\.|$)",
    ),
    _rule(" took ", rf"init engine (?:\([^()]{{0,80}}\) )?took (?P<engine_init_time>{{N}}){_SECONDS}"),
)
_RESULTS = (
    _rule("total_gpu_memory=", rf"\btotal_gpu_memory=(?P<gpu_memory_total>{{N}}){_GIB}"),
    _rule("non_torch_memory=", rf"\bnon_torch_memory=(?P<non_torch_memory>{{N}}){_GIB}"),
    _rule("kv_cache_size=", rf"\bkv_cache_size=(?P<kv_cache_memory>{{N}}){_GIB}"),
    _rule("gpu_memory_utilization=", r"^[ ,]{0,4}gpu_memory_utilization=(?P<gpu_memory_utilization>\d\.\d\d)(?!\d)"),
    _rule("kv_cache_size=", r"GiB,? {1,2}gpu_memory_utilization=(?P<gpu_memory_utilization>\d\.\d\d)(?!\d)"),
)
_RULES = (_WEIGHTS, *_BLOCK, *_TABLE, *_DEBUG, *_POOL, *_GRAPHS, *_RESULTS)

_RANK = re.compile(r"\((?:Ray|Vllm|Engine|Worker)?\w{0,30}[^()]{0,60}\)")
_COARSE = (
    "emory", " took ", " take", " blocks", "num_gpu_blocks", " KV ", "raph", "padding", "oncurrency for", "block size",
    "kv_cache_size", "activation", " GiB for", "duration  ", "instance can use  ",
)  # fmt: skip
"""Fragments that every mark of a rule has one of: few, for every line of a log is searched for them."""
_HYBRID = ("mamba page size", "padding layers", "Hybrid or mamba", "hybrid kv cache", "Hybrid KV cache")
_SMALLEST_BLOCK = 16
"""Tokens: block sizes are multiples of it, so that a pool which is none was computed from the concurrency."""


class Start(Whole):
    """Reads start-up lines, and notes what their figures do not mean."""

    def __init__(self) -> None:
        super().__init__(_RULES, "vllm")
        self.marks = (*_COARSE, *_HYBRID)
        self._ranks: set[str] = set()
        self._loaded: Line | None = None
        self._hybrid = False
        self._tokens: Line | None = None

    def line(self, line: Line, out: Observations) -> None:
        """Read a line of the start."""
        self._hybrid = self._hybrid or any(mark in line.text for mark in _HYBRID)
        super().line(line, out)

    def take(self, rule: Rule, match: re.Match[str], line: Line, out: Observations) -> None:
        """Keep the values of a match, and the notes on them."""
        super().take(rule, match, line, out)
        found = match.groupdict()
        if rule is _WEIGHTS:
            lead = _RANK.match(line.text)
            self._ranks.add(lead[0] if lead else "")
            self._loaded = self._loaded or line
            if match["_unit"] in ("GB", "MB"):
                out.trap("gb-is-gib", "model_loading_memory", line)
        elif (found.get("kv_cache_memory") or "").startswith("-"):
            out.trap("negative-pool", "kv_cache_memory", line)
        elif found.get("gpu_memory_utilization__equivalent"):
            out.trap("graphs-inside", "gpu_memory_utilization", line)
        elif found.get("kv_cache_tokens"):
            self._tokens = self._tokens or line
            self._hybrid = self._hybrid or float(match["kv_cache_tokens"].replace(",", "")) % _SMALLEST_BLOCK != 0

    def end(self, out: Observations) -> None:
        """Note what only the whole text shows."""
        if len(self._ranks) > 1:
            out.trap("per-rank", "model_loading_memory", self._loaded, count=len(self._ranks))
        if self._hybrid and self._tokens is not None:
            out.trap("hybrid-tokens", "kv_cache_tokens", self._tokens)
        gpu, cpu = out.one("num_gpu_blocks"), out.one("num_cpu_blocks")
        if gpu is not None and cpu is not None and cpu > gpu:
            out.trap("cpu-blocks-more", "num_cpu_blocks")
        if gpu is not None and cpu is not None and out.one("block_size") is None:
            out.trap("block-size-unsaid", "num_gpu_blocks")


READERS = (Start,)
