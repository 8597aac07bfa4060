"""llama.cpp's log of every version: devices, layers on them, buffers, the cache, limits, timings.

What it could not allocate is in ``llamacpp_failures``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.artefacts.model import Observations
from engine.artefacts.readers.base import Rule, compiled
from engine.artefacts.readers.llamacpp_failures import Failures
from engine.artefacts.readers.llamacpp_model import Metadata
from engine.artefacts.readers.whole import Whole, flag, text_of
from engine.artefacts.text import Line

_START, _TIMINGS = "llamacpp-start", "llamacpp-timings"
_KV = {"kv_cache_memory": "MiB", "k_cache_memory": "MiB", "v_cache_memory": "MiB"}
_END = r"(?=[,\s]|$)"
_HALVES = (
    r"(?:, K \(\w{1,16}\): {1,8}(?P<k_cache_memory>{N}) MiB(?:, V \(\w{1,16}\): {1,8}(?P<v_cache_memory>{N}) MiB)?)?"
)


def _phase(time: str, tokens: str, rate: str) -> str:
    """Time, tokens and speed of a phase; each that is printed whole. "inf", of a phase that took no time, is none."""
    return (
        rf"time = {{1,12}}(?P<{time}>{{N}}) ms(?: / {{1,10}}(?P<{tokens}>\d{{1,15}}) (?:tokens|runs)"
        rf"(?: {{0,4}}\([^()\n]{{0,60}}?, {{1,12}}(?P<{rate}>\d{{1,15}}(?:\.\d{{1,9}})?) tokens per second\))?)?"
    )


_RULES = (
    Rule("layers to GPU", r"offloaded (?P<layers_on_gpu>\d{1,5})/(?P<layers_total>\d{1,5}) layers to GPU", kind=_START),
    Rule("KV self size", r"KV self size {1,4}= {1,12}(?P<kv_cache_memory>{N}) MiB" + _HALVES, _KV, _START),
    Rule("kv self size", r"kv self size {1,4}= {1,12}(?P<kv_cache_memory>{N}) MB", {"kv_cache_memory": "MB"}, _START),
    Rule(
        "llama_kv_cache",
        r"\bllama_kv_cache\w{0,24}: size = {1,12}(?P<kv_cache_memory>{N}) MiB \([^()\n]{1,80}\)" + _HALVES,
        _KV,
        _START,
    ),
    Rule(
        "compute buffer total size",
        r"compute buffer total size = {1,12}(?P<compute_buffer_memory>{N}) (?P<_unit>MiB|MB)\b",
        {"compute_buffer_memory": "@_unit"},
        _START,
    ),
    Rule(
        "VRAM used",
        r"(?<!total )VRAM used: {1,12}(?P<weights_memory__vram>{N}) (?P<_unit>MiB|MB)\b",
        {"weights_memory.vram": "@_unit"},
        _START,
    ),
    Rule(
        "mem required",
        r"mem required {1,4}= {1,12}(?P<weights_memory__cpu>{N}) (?P<_unit>MiB|MB)\b",
        {"weights_memory.cpu": "@_unit"},
        _START,
    ),
    Rule("n_copies=", r"pipeline parallelism enabled \(n_copies=(?P<pipeline_copies>\d{1,4})\)", kind=_START),
    Rule(
        "using device ",
        r"using device [^\n]{1,120} - (?P<gpu_memory_free>\d{1,9}) MiB free",
        {"gpu_memory_free": "MiB"},
        _START,
    ),
    Rule(
        "model size",
        r"(?:model|file) size {1,8}= {1,8}(?P<model_size>{N}) (?P<_unit>[GM]i?B)\b",
        {"model_size": "@_unit"},
        _START,
    ),
    Rule(
        "file size", r"file size {1,8}= {1,8}(?P<model_size>{N}) (?P<_unit>[GM]i?B)\b", {"model_size": "@_unit"}, _START
    ),
    Rule(
        "model params",
        r"model params {1,8}= {1,8}(?P<parameters>{N}) (?P<_unit>[KMBT])" + _END,
        {"parameters": "@_unit"},
        _START,
    ),
    Rule(
        "prompt eval time",
        r"prompt eval " + _phase("prefill_time", "prefill_tokens", "prefill_throughput"),
        {"prefill_time": "ms"},
        _TIMINGS,
    ),
    Rule(
        "eval time",
        r"(?<!prompt )\beval " + _phase("decode_time", "decode_tokens", "decode_throughput"),
        {"decode_time": "ms"},
        _TIMINGS,
    ),
    Rule(
        "| Generation:",
        r"\[ Prompt: {1,8}(?P<prefill_throughput>{N}) t/s \| Generation: {1,8}(?P<decode_throughput>{N}) t/s",
        kind=_TIMINGS,
    ),
)

_BUFFER = re.compile(
    r"(?P<by>\w{4,60}): {1,24}(?P<device>\w[\w.:-]{0,60}(?:\[[^\]\n]{0,80}\])?) {1,4}"
    r"(?P<what>model |KV |compute |)buffer size = {1,12}(?P<size>\d{1,12}(?:\.\d{1,9})?) MiB"
)
_NAMES: Mapping[str, str] = {
    "model ": "weights_memory", "": "weights_memory", "KV ": "kv_cache_memory", "compute ": "compute_buffer_memory",
}  # fmt: skip
_CONTEXT = re.compile(
    r"\bllama_\w{1,40}: (n_ctx|n_batch|n_ubatch|flash_attn|n_seq_max|n_ctx_per_seq|n_ctx_seq|kv_unified)"
    r" {1,20}= (\w{1,16})$"
)
_BENCH = re.compile(r"\b(n_batch|n_ubatch|flash_attn|n_gpu_layers) = (-?\w{1,12}),")
_AUTO = re.compile(r"[Ff]lash [Aa]ttention was auto, set to (enabled|disabled)\b")
_SLOT = re.compile(r"\bn_ctx_slot ?= ?(\d{1,12})" + _END)
_BUILD = re.compile(r"(?:^|[\s:])build: (?:(\d{3,5}) \([0-9a-f]{7,40}\)|[0-9a-f]{7,40} \((\d{3,5})\)(?=\s|$))")
_STANDS = {"0": False, "1": True, "enabled": True, "disabled": False, "true": True, "false": False}

_DEVICES = (
    r"^\s{0,8}(?:\S{1,60} ){0,4}Device (?P<index>\d{1,3}): (?P<name>[^,\n]{1,100}), (?:compute capability|gfx)"
    r"[^\n]{0,80}?(?:, VRAM: (?P<total>\d{1,9}) MiB[^\n]{0,40})?$",
    r"ggml_vulkan: (?P<index>\d{1,3}) = (?P<name>[^|\n]{1,100}?)(?: \([^()|\n]{1,60}\))? \|",
    r"ggml_metal_\w{1,30}: GPU name: {1,8}(?P<name>[^\n]{1,100})$",
)
_GPU = re.compile(r"using device (?P<device>\w{1,40}) \((?P<name>[^\n]{1,100}?)\)(?: \([^()\n]{1,60}\))? - \d")


class Log(Whole):
    """What llama.cpp prints while it starts and after each request."""

    def __init__(self) -> None:
        super().__init__(_RULES, "llama.cpp")
        more = (
            "buffer size",
            "llama_",
            "n_kv_max = ",
            "lash ",
            "n_ctx_slot",
            "Device ",
            "ggml_vulkan: ",
            "GPU name:",
            "build: ",
        )
        self.marks = (*self.marks, *more)
        self._n_ctx = 0.0
        self._slots = 1

    def line(self, line: Line, out: Observations) -> None:
        """Read a line."""
        super().line(line, out)
        text = text_of(line)
        if "buffer size = " in text:
            self._buffers(text, line, out)
        if "llama_" in text or "n_kv_max = " in text or "n_ctx_slot" in text:
            self._context(text, line, out)
        if "lash " in text and (auto := _AUTO.search(text)):
            out.put("flash_attention", auto[1] == "enabled", line)
        if "eval time" in text and "decode_time" in out.series:
            out.trap("eval-is-decode", "decode_time", line)
        if "c^KV" in text:
            out.trap("mla", "kv_cache_memory", line)
        if "build: " in text and (build := _BUILD.search(text, 0, 300)):
            out.served_by("llama.cpp", f"b{build[1] or build[2]}")
        self._cards(text, line, out)

    def _buffers(self, text: str, line: Line, out: Observations) -> None:
        for found in _BUFFER.finditer(text):
            device = found["device"].partition("[")[0].lower().replace("-", "_").replace(".", "_").replace(":", "_")
            if device in ("output", "kv", "compute", "model") or (
                not found["what"] and "load_tensors" not in found["by"]
            ):
                continue
            out.put(f"{_NAMES[found['what']]}.{device}", found["size"], line, "MiB")
            out.seen(_START, line)
            out.served_by("llama.cpp")
            if device == "cpu" and found["by"].startswith("llm_load") and out.one("layers_on_gpu"):
                out.trap("whole-file", "weights_memory.cpu", line)

    def _context(self, text: str, line: Line, out: Observations) -> None:
        found = _CONTEXT.search(text)
        if found is not None:
            self._limit(found[1], found[2], line, out)
        elif "n_kv_max = " in text:
            for name, value in _BENCH.findall(text):
                if name == "flash_attn":
                    self._attention(value, line, out)
                elif not value.startswith("-"):
                    out.put(name, value, line)
        for slot in _SLOT.findall(text):
            out.seen(_START, line)
            self._split(float(slot), line, out)

    def _limit(self, name: str, value: str, line: Line, out: Observations) -> None:
        out.seen(_START, line)
        out.served_by("llama.cpp")
        if name == "flash_attn":
            self._attention(value, line, out)
        elif name in ("n_ctx", "n_batch", "n_ubatch"):
            out.put(name, value, line)
            self._n_ctx = float(value) if name == "n_ctx" and value.isdigit() else self._n_ctx
        elif name in ("n_ctx_per_seq", "n_ctx_seq"):
            self._split(float(value) if value.isdigit() else 0.0, line, out)
        elif name == "n_seq_max":  # no flag has this name: it is what --parallel came to
            out.put(name, int(value) if value.isdigit() else value, line)
        else:
            flag(name, value, line, out)

    def _split(self, slot: float, line: Line, out: Observations) -> None:
        """Note a context that several requests share out."""
        if 0 < slot < self._n_ctx:
            out.trap("ctx-is-split", "n_ctx", line)

    @staticmethod
    def _attention(value: str, line: Line, out: Observations) -> None:
        if value in _STANDS:
            out.put("flash_attention", _STANDS[value], line)

    @staticmethod
    def _cards(text: str, line: Line, out: Observations) -> None:
        for pattern in _DEVICES if "Device " in text or "ggml_" in text else ():
            found = compiled(pattern).search(text, 0, 300)
            if found is None:
                continue
            groups = found.groupdict()
            if groups.get("index"):
                out.put("gpu_index", int(groups["index"]), line)
            out.put("gpu_name", groups["name"], line)
            if groups.get("total"):
                out.put("gpu_memory_total", groups["total"], line, "MiB")
            return
        named = _GPU.search(text)
        if named is not None and out.one("gpu_name") is None:
            out.put("gpu_name", named["name"], line)


READERS = (Log, Metadata, Failures)
