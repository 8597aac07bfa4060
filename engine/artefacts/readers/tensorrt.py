"""TensorRT-LLM's log, of the C++ runtime and of the PyTorch one: memory, the KV pool, limits; and trtllm-bench."""

from __future__ import annotations

import re

from engine.artefacts.model import Observations
from engine.artefacts.readers.base import Rule
from engine.artefacts.readers.trtllm_bench import Report
from engine.artefacts.readers.whole import Whole, flag
from engine.artefacts.text import Line

_LOG = "tensorrt-llm"
_GIB = {"gpu_memory_total": "GiB", "gpu_memory_free": "GiB"}
_END = r"(?=[,\s.]|$)"
_WINDOW = r"(?: for windowSize \d{1,9})?: "
_PROFILED = r" in memory usage profiling: "
_BOTH = r"\bBoth free_?[gG]pu_?[mM]emory_?[fF]raction [^\n]{0,160}? are set \(to "
_SIZE = r"(?P<_unit>[GMK]i?B|bytes)\b"

_RULES = (
    Rule(
        "max tokens in paged kv cache",
        r"(?i:calculating max tokens in paged kv cache): total: "
        r"(?P<gpu_memory_total>{N}) GiB(?:, available: (?P<gpu_memory_free>{N}) GiB)?",
        _GIB,
        _LOG,
    ),
    Rule("in KV cache primary pool", r"primary pool" + _WINDOW + r"(?P<num_gpu_blocks>\d{1,15})" + _END, kind=_LOG),
    Rule("in KV cache secondary pool", r"secondary pool" + _WINDOW + r"(?P<num_cpu_blocks>\d{1,15}),", kind=_LOG),
    Rule(
        ".primaryBlocks=",
        r"\.primaryBlocks=(?P<num_gpu_blocks>\d{1,15}),(?: \.second\w{1,10}Blocks=(?P<num_cpu_blocks>\d{1,15})\})?",
        kind=_LOG,
    ),
    Rule(
        "Max KV cache ",
        r"Max KV cache (?:pages|blocks) per sequence: (?P<blocks_per_sequence>\d{1,15})" + _END,
        kind=_LOG,
    ),
    Rule("Max KV cache blocks", r"\btokens per block=(?P<block_size>\d{1,9}),"),
    Rule("Max KV cache blocks", r"\bprimary blocks=(?P<num_gpu_blocks>\d{1,15}),"),
    Rule("Max KV cache blocks", r"\bsecondary blocks=(?P<num_cpu_blocks>\d{1,15})" + _END),
    Rule("Max KV cache blocks", r"\bmax sequence length=(?P<max_model_len>\d{1,12})(?=[,\s.]|$)"),
    Rule("Number of tokens per block:", r"Number of tokens per block: (?P<block_size>\d{1,9})\.", kind=_LOG),
    Rule(
        "for max tokens in paged KV cache",
        r"Allocated (?P<kv_cache_memory>{N}) "
        + _SIZE
        + r" for max tokens in paged KV cache(?: \((?P<kv_cache_tokens>\d{1,15})\))?",
        {"kv_cache_memory": "@_unit"},
        _LOG,
    ),
    Rule(
        "tokens in paged KV cache",
        r"Using (?P<kv_cache_tokens>\d{1,15}) (?:total )?tokens in paged KV cache"
        r"(?:, and (?P<blocks_per_sequence>\d{1,12}) blocks per sequence)?",
        kind=_LOG,
    ),
    Rule(
        "for model weights.",
        r"Rank \d{1,5} uses (?P<model_loading_memory>{N}) GB for model weights\.",
        {"model_loading_memory": "GB"},
        _LOG,
    ),
    Rule(
        "bytes for k/v cache",
        r"Allocate (?P<kv_cache_memory>\d{1,18}) bytes for k/v cache",
        {"kv_cache_memory": "bytes"},
        _LOG,
    ),
    Rule("Loaded engine size:", r"Loaded engine size: (?P<model_size>{N}) " + _SIZE, {"model_size": "@_unit"}, _LOG),
    Rule(
        "Total Weights Memory:",
        r"Total Weights Memory: (?P<weights_memory>{N}) " + _SIZE,
        {"weights_memory": "@_unit"},
        _LOG,
    ),
    Rule(
        "Total Activation Memory:",
        r"Total Activation Memory: (?P<activation_memory>{N}) " + _SIZE,
        {"activation_memory": "@_unit"},
        _LOG,
    ),
    Rule("TRTGptModel max", r"TRTGptModel maxSequenceLen: (?P<max_model_len>\d{1,12})(?=\s|$)", kind=_LOG),
    Rule("TRTGptModel max", r"TRTGptModel maxNumTokens: (?P<max_num_batched_tokens>\d{1,12})(?=\s|$)", kind=_LOG),
    Rule("max_num_requests=", r"\bmax_seq_len=(?P<max_model_len>\d{1,12}),", kind=_LOG),
    Rule("max_num_requests=", r"\bmax_num_requests=(?P<max_num_seqs>\d{1,9})(?=[,\s]|$)"),
    Rule("max_num_requests=", r"\bmax_num_tokens=(?P<max_num_batched_tokens>\d{1,12})(?=[,\s]|$)"),
    Rule(
        "free_gpu_memory_fraction",
        r"(?<![\w-])free_gpu_memory_fraction['\"]?(?:=| ?: ?)"
        r"(?P<free_gpu_memory_fraction>0?\.\d{1,18}|1(?:\.0)?)(?=[,)}\s]|$)",
    ),
    Rule("are set (to ", _BOTH + r"(?P<free_gpu_memory_fraction>{N}) and ", kind=_LOG),
    Rule("fraction is set", r"fraction is set (?P<free_gpu_memory_fraction>{N}),"),
    Rule("device total memory", r"device total memory (?P<gpu_memory_total>{N}) GiB", _GIB, _LOG),
    Rule(
        "inside torch) in memory usage profiling",
        r"after loading model weights \(inside torch\)" + _PROFILED + r"(?P<model_loading_memory>{N}) GiB",
        {"model_loading_memory": "GiB"},
        _LOG,
    ),
    Rule(
        "inside torch) in memory usage profiling",
        r"allocated during inference \(inside torch\)" + _PROFILED + r"(?P<activation_memory>{N}) GiB",
        {"activation_memory": "GiB"},
        _LOG,
    ),
    Rule(
        "in memory usage profiling",
        r"Memory used outside torch [^:\n]{0,80}: (?P<non_torch_memory>{N}) GiB",
        {"non_torch_memory": "GiB"},
        _LOG,
    ),
)

_PRINTED_BY = re.compile(r"\[TensorRT-LLM\]|\[TRT-LLM[ \]]")
_VERSION = re.compile(r"TensorRT[- ]LLM version:? (\d+\.\d+[\w.]{0,24})(?=\s|$)")
_SETTINGS = re.compile(
    r"TRTGptModel (?P<name>maxBatchSize|maxBeamWidth): (?P<value>\d{1,9})$"
    r"|\b(?P<word>max_batch_size)=(?P<number>\d{1,9})(?=[,\s]|$)"
)
_NAMES = {"maxBatchSize": "max_batch_size", "maxBeamWidth": "max_beam_width"}
_LIMIT = re.compile(_BOTH + r"[\d.]{1,12} and (\d{1,15})(?:, | with )")


_ITERATION = re.compile(r"\biter = \d{1,12}, ")
_STEP = re.compile(r"\b(?:host_step_time|elapsed_time) = (\d{1,9}(?:\.\d{1,9})?) ?(ms|s)(?=[,\s]|$)")
_SCHEDULED = re.compile(r"\bnum_scheduled_requests: (\d{1,9})(?=[,\s]|$)")
_PREFILLS = re.compile(r"'num_ctx_requests': (\d{1,9})(?=[,}])")


class Log(Whole):
    """What TensorRT-LLM prints while it starts, and a line for each of its iterations."""

    def __init__(self) -> None:
        super().__init__(_RULES)
        self.marks = (*self.marks, "TensorRT-LLM version", "TRTGptModel", "num_scheduled_requests: ")

    def line(self, line: Line, out: Observations) -> None:
        """Read a line."""
        super().line(line, out)
        text = line.text
        if not _PRINTED_BY.search(text, 0, 200):
            return
        version = _VERSION.search(text)
        out.served_by("tensorrt-llm", version[1] if version and line.ended else "")
        for found in _SETTINGS.finditer(text) if line.ended else ():
            flag(_NAMES.get(found["name"] or "", "max_batch_size"), found["value"] or found["number"], line, out)
        limit = _LIMIT.search(text)
        if limit:
            flag("max_tokens_in_paged_kv_cache", limit[1], line, out)
        if "blocks" in text.lower():
            self._swap(out, line)
        if _ITERATION.search(text):
            self._iteration(text, line, out)

    @staticmethod
    def _iteration(text: str, line: Line, out: Observations) -> None:
        """Requests of an iteration; where it only decodes, its time is that between two tokens."""
        running, step, prefills = (one.search(text) for one in (_SCHEDULED, _STEP, _PREFILLS))
        if running is None:
            return
        out.put("running_requests", running[1], line)
        out.seen(_LOG, line)
        if step is not None and prefills is not None and int(prefills[1]) == 0 and int(running[1]):
            out.put("itl.mean", step[1], line, step[2])

    @staticmethod
    def _swap(out: Observations, line: Line) -> None:
        """Note a secondary pool that is larger than the card's."""
        first, second = out.one("num_gpu_blocks"), out.one("num_cpu_blocks")
        if first is not None and second is not None and second > first:
            out.trap("cpu-blocks-more", "num_cpu_blocks", line)


READERS = (Log, Report)
