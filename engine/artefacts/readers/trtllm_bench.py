"""trtllm-bench's report, of every version: a name, a colon, a value at the end of the line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from engine.artefacts.model import Observations
from engine.artefacts.readers.base import compiled
from engine.artefacts.readers.whole import flag, text_of
from engine.artefacts.text import Line


class _Row(NamedTuple):
    """A row: the observation and the unit it is printed in; ``flag`` for a setting."""

    name: str
    unit: str = ""
    flag: bool = False


_ROWS: Mapping[str, _Row] = {
    "request throughput (req/sec)": _Row("request_throughput"),
    "token throughput (tokens/sec)": _Row("output_throughput"),
    "total output throughput (tokens/sec)": _Row("output_throughput"),
    "per user output throughput (tokens/sec/user)": _Row("output_throughput.per_user"),
    "per user output throughput (tps/user)": _Row("output_throughput.per_user"),
    "per user output throughput [w/ ctx] (tps/user)": _Row("output_throughput.per_user"),
    "per gpu output throughput (tokens/sec/gpu)": _Row("output_throughput.per_gpu"),
    "per gpu output throughput (tps/gpu)": _Row("output_throughput.per_gpu"),
    "total token throughput (tokens/sec)": _Row("total_token_throughput"),
    "total latency (ms)": _Row("benchmark_duration", "ms"),
    "total latency (seconds)": _Row("benchmark_duration", "s"),
    "average request latency (ms)": _Row("e2e_latency.mean", "ms"),
    "average time-to-first-token [ttft] (ms)": _Row("ttft.mean", "ms"),
    "average time-per-output-token [tpot] (ms)": _Row("tpot.mean", "ms"),
    "number of requests": _Row("completed_requests"),
    "average input length (tokens)": _Row("request_prompt_tokens.mean"),
    "average output length (tokens)": _Row("request_generation_tokens.mean"),
    "max sequence length": _Row("max_model_len"),
    "max runtime tokens": _Row("max_num_batched_tokens"),
    "kv memory percentage": _Row("free_gpu_memory_fraction", "%"),
    "max runtime batch size": _Row("max_batch_size", flag=True),
    "tp size": _Row("tp_size", flag=True), "pp size": _Row("pp_size", flag=True), "ep size": _Row("ep_size", flag=True),
    "kv cache dtype": _Row("kv_cache_dtype", flag=True), "quantization": _Row("quantization", flag=True),
}  # fmt: skip
_BROKEN_DOWN = {"latency": "e2e_latency", "ttft": "ttft", "tpot": "tpot"}
_ROW = re.compile(r"\s{0,16}(?:=\s)?([A-Za-z][^:=|]{3,60}):\s{1,60}(\S[^\n]{0,200})$")
_PART = re.compile(r"\s{0,16}\[(Latency|TTFT|TPOT)\] ?(AVERAGE|P\d{1,2}(?:\.\d{1,2})?) {0,8}: {0,8}(\S{1,40})$")
_HEAD = re.compile(
    r"\s{0,16}= (?:ENGINE DETAILS|PYTORCH BACKEND|WORLD \+ RUNTIME|REQUEST DETAILS|PERFORMANCE OVERVIEW|STATISTICS)",
    re.I,
)
_OVER = re.compile(r"\s{0,16}= DATASET DETAILS")


class Report:
    """The report. Open from one of its headings to the dataset's; "Request Throughput" begins a cut one."""

    marks = (
        "= ENGINE DETAILS", "= PyTorch backend", "= PYTORCH BACKEND", "= WORLD + RUNTIME", "= REQUEST DETAILS",
        "= PERFORMANCE OVERVIEW", "= STATISTICS", "Request Throughput (req/sec):", "Output Throughput (tokens/sec):",
    )  # fmt: skip

    def __init__(self) -> None:
        self.open = False
        self._since = 0

    def line(self, line: Line, out: Observations) -> None:
        """Read a row."""
        text = text_of(line)
        if _OVER.match(text):
            self.open = False
            return
        if any(mark in text for mark in self.marks):
            self.open, self._since = True, 0
        row = _ROW.match(text) or _PART.match(text)
        if row is None or _HEAD.match(text):
            self._since += 1
            self.open = self.open and self._since < 60
            return
        if not text.endswith("\x00"):
            self._part(row, line, out) if row.re is _PART else self._row(row[1], row[2].strip(), line, out)

    def _row(self, name: str, value: str, line: Line, out: Observations) -> None:
        key = " ".join(name.lower().split())
        if key == "model" and value != "None":
            out.put("model", value, line)
        elif key in ("tensorrt-llm version", "tensorrt llm version"):
            out.served_by("tensorrt-llm", value)
        row = _ROWS.get(key)
        if row is None:
            return
        self._since = 0
        number = value.removesuffix("%")
        if row.flag:
            flag(row.name, value, line, out)
        elif compiled("{N}").fullmatch(number) and (row.unit != "%" or number != value):
            out.put(row.name, number, line, row.unit)
        else:
            return
        out.seen("trtllm-bench", line)
        out.served_by("tensorrt-llm")

    @staticmethod
    def _part(row: re.Match[str], line: Line, out: Observations) -> None:
        """A percentile; the average only where the overview above did not give it."""
        name, which, value = _BROKEN_DOWN[row[1].lower()], row[2], row[3]
        full = f"{name}.mean" if which == "AVERAGE" else f"{name}.{which.lower()}"
        if compiled("{N}").fullmatch(value) and (which != "AVERAGE" or out.one(full) is None):
            out.put(full, value, line, "ms")
            out.seen("trtllm-bench", line)

    def end(self, out: Observations) -> None:
        """A report that stops is read as far as it goes."""
