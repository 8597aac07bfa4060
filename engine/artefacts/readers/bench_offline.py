"""vLLM's latency and throughput benchmarks, and SGLang's of one batch: lines and JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.artefacts.model import Observations
from engine.artefacts.readers.base import NUMBER, Rule
from engine.artefacts.readers.whole import Whole
from engine.artefacts.text import Line

_LEAD = r"^[\s#|>*]{0,8}"
_TOTAL = r":\s{0,40}(?P<%s>\d{1,18})\s{0,60}$"

_VLLM = (
    Rule(
        "Throughput: ",
        _LEAD + r"Throughput: (?P<request_throughput>{N}) requests/s"
        r"(?:, (?P<total_token_throughput>{N}) (?:total )?tokens/s(?:, (?P<output_throughput>{N}) output tokens/s)?)?"
        r"(?![\w/])",
        kind="bench-throughput",
    ),
    Rule("Total num prompt tokens:", _LEAD + "Total num prompt tokens" + _TOTAL % "input_tokens_total"),
    Rule("Total num output tokens:", _LEAD + "Total num output tokens" + _TOTAL % "output_tokens_total"),
    Rule(
        "Avg latency: ", _LEAD + r"Avg latency: (?P<e2e_latency__mean>{N}) seconds",
        {"e2e_latency.mean": "s"}, "bench-latency",
    ),
)  # fmt: skip
_SGLANG = (
    Rule(
        "Prefill. latency:",
        _LEAD + r"Prefill\. latency:\s{1,8}(?P<prefill_time>{N}) s, "
        r"throughput:\s{1,12}(?P<prefill_throughput>{N}) token",
        {"prefill_time": "s"}, "bench-sglang",
    ),
    Rule(
        "Decode.  median latency:",
        _LEAD + r"Decode\.  median latency:\s{1,8}{N} s, median throughput:\s{1,12}(?P<decode_throughput>{N}) token",
    ),
)  # fmt: skip
_PERCENTILE = re.compile(_LEAD + rf"(?P<q>\d{{1,2}}(?:\.\d{{1,6}})?)% percentile latency: (?P<value>{NUMBER}) seconds")


class Offline(Whole):
    """Lines of ``vllm bench throughput``."""

    def __init__(self) -> None:
        super().__init__(_VLLM)


class OneBatch(Whole):
    """Lines of SGLang's benchmark of one batch; it runs once to warm up and prints that run too."""

    def __init__(self) -> None:
        super().__init__(_SGLANG, "sglang")

    def end(self, out: Observations) -> None:
        """Note the run that warms up."""
        if "bench-sglang" in out.kinds and len(out.series.get("prefill_time", ())) > 1:
            out.trap("warmup-row", "prefill_throughput")


class Percentiles:
    """Percentiles of a whole batch's time, which ``vllm bench latency`` prints."""

    marks = ("% percentile latency:",)
    open = False

    def line(self, line: Line, out: Observations) -> None:
        """Read one of them."""
        found = _PERCENTILE.match(line.text)
        if found is not None:
            out.put(f"e2e_latency.p{found['q']}", found["value"], line, "s")
            out.seen("bench-latency", line)

    def end(self, out: Observations) -> None:
        """Nothing is open."""


# --- JSON ------------------------------------------------------------------------------------------------------------


def latency(document: Any, out: Observations, line: Line | None) -> bool:
    """Read the JSON of ``vllm bench latency``: seconds of a whole batch; the single runs are left alone."""
    if not isinstance(document, dict) or "avg_latency" not in document:
        return False
    percentiles = document.get("percentiles")
    if "latencies" not in document and not isinstance(percentiles, dict):
        return False
    _number("e2e_latency.mean", document["avg_latency"], "s", out, line)
    for q, value in percentiles.items() if isinstance(percentiles, dict) else ():
        if re.fullmatch(r"\d{1,2}(?:\.\d{1,6})?", q):
            _number(f"e2e_latency.p{q}", value, "s", out, line)
    out.seen("bench-latency", line)
    return True


_KEYS: Mapping[str, str] = {
    "elapsed_time": "benchmark_duration", "num_requests": "num_prompts", "requests_per_second": "request_throughput",
    "tokens_per_second": "total_token_throughput",
}  # fmt: skip


def throughput(document: Any, out: Observations, line: Line | None) -> bool:
    """Read the JSON of ``vllm bench throughput``."""
    if not isinstance(document, dict) or not {"requests_per_second", "tokens_per_second"} <= document.keys():
        return False
    for key, name in _KEYS.items():
        _number(name, document.get(key), "", out, line)
    out.seen("bench-throughput", line)
    return True


def _number(name: str, value: Any, unit: str, out: Observations, line: Line | None) -> None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        out.put(name, value, line, unit)


READERS = (Offline, OneBatch, Percentiles)
DOCUMENTS = (latency, throughput)
