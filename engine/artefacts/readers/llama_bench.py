"""llama-bench's CSV and JSON, and the JSON Lines of batched-bench and sweep-bench."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from typing import Any

from engine.artefacts.model import Observations
from engine.artefacts.readers.whole import text_of
from engine.artefacts.text import Line

SWITCH = {"0": False, "1": True, "off": False, "on": True, "false": False, "true": True}


def _named(prompt: int, made: int, depth: int) -> str:
    """A test's name as the table has it."""
    parts = ([f"pp{prompt}"] if prompt else []) + ([f"tg{made}"] if made else [])
    return "+".join(parts) + (f" @ d{depth}" if depth else "")


def _whole_number(value: object) -> int:
    try:
        return int(str(value))
    except ValueError:
        return 0


def _llama_row(found: Mapping[str, Any], out: Observations, line: Line | None) -> bool:
    """A row of llama-bench by the names of its JSON and CSV; whether it is one."""
    if not {"avg_ts", "n_prompt", "n_gen"} <= found.keys():
        return False
    name = _named(*(_whole_number(found.get(key)) for key in ("n_prompt", "n_gen", "n_depth")))
    if name:
        out.put("bench_test", name, line)
    for key, observed, unit in (
        ("model_type", "bench_model", ""), ("gpu_info", "gpu_name", ""), ("model_size", "model_size", "bytes"),
        ("model_n_params", "parameters", ""), ("n_gpu_layers", "n_gpu_layers", ""), ("n_batch", "n_batch", ""),
        ("n_ubatch", "n_ubatch", ""), ("avg_ts", "bench_throughput", ""), ("stddev_ts", "bench_throughput.std", ""),
    ):  # fmt: skip
        value = found.get(key)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and value != "":
            out.put(observed, value if isinstance(value, str) else repr(value), line, unit)
    attention = str(found.get("flash_attn", "")).lower()
    if attention in SWITCH:
        out.put("flash_attention", SWITCH[attention], line)
    out.seen("llama-bench", line)
    build = _whole_number(found.get("build_number"))
    out.served_by("llama.cpp", f"b{build}" if build else "")
    return True


class Csv:
    """llama-bench's CSV. Open from its header to a line that is no row of it."""

    marks = ("build_commit,",)

    def __init__(self) -> None:
        self.open = False
        self._columns: list[str] = []

    def line(self, line: Line, out: Observations) -> None:
        """Read the header or a row; of a row that was cut, all but its last field."""
        text = text_of(line)
        fields = next(csv.reader([text.rstrip("\x00")]), [])
        if "build_commit" in fields:
            self._columns, self.open = fields, "avg_ts" in fields
            return
        self.open = self.open and len(fields) > 1 and len(fields) <= len(self._columns)
        if self.open:
            whole = fields if line.ended and len(fields) == len(self._columns) else fields[:-1]
            _llama_row(dict(zip(self._columns, whole, strict=False)), out, line)

    def end(self, out: Observations) -> None:
        """Rows are complete in themselves."""


def llama_bench(document: Any, out: Observations, line: Line | None) -> bool:
    """An entry of llama-bench's JSON."""
    return _llama_row(document, out, line)


def batched_bench(document: Any, out: Observations, line: Line | None) -> bool:
    """A line of batched-bench's or sweep-bench's JSON Lines."""
    if not {"speed_pp", "speed_tg", "pp", "tg"} <= document.keys():
        return False
    for key, name, unit in (
        ("pp", "prefill_tokens", ""), ("tg", "decode_tokens", ""), ("t_pp", "prefill_time", "s"),
        ("t_tg", "decode_time", "s"), ("speed_pp", "prefill_throughput", ""), ("speed_tg", "decode_throughput", ""),
        ("pl", "running_requests", ""), ("n_gpu_layers", "n_gpu_layers", ""), ("n_batch", "n_batch", ""),
        ("n_ubatch", "n_ubatch", ""),
    ):  # fmt: skip
        value = document.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            out.put(name, repr(value), line, unit)  # the digits as they are written
    if "pl" not in document and isinstance(document.get("n_kv"), int):
        out.put("context_tokens", document["n_kv"], line)
    out.seen("sweep-bench", line)
    out.served_by("llama.cpp")
    return True
