"""The serving benchmarks of vLLM and SGLang, which print nearly the same: header, table, and the JSON of a run.

Layouts differ by version: an input line or a total line, goodput, other percentiles, latencies of whole requests. Rows
are therefore known by their label, each on its own, and a table may be cut anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.artefacts.model import Observations
from engine.artefacts.readers.base import NUMBER
from engine.artefacts.readers.bench_arguments import Run, put_rate, queued, read_arguments, read_run, served_by
from engine.artefacts.readers.whole import arguments, text_of
from engine.artefacts.text import Line


class _Row(NamedTuple):
    """What a label is: its name, the unit it is printed in, and whether it belongs to the table of results."""

    name: str
    unit: str = ""
    result: bool = True


_ROWS: Mapping[str, _Row] = {
    "successful requests": _Row("completed_requests"),
    "benchmark duration": _Row("benchmark_duration", "s"),
    "total input tokens": _Row("input_tokens_total"),
    "total generated tokens": _Row("output_tokens_total"),
    "request throughput": _Row("request_throughput"),
    "request goodput": _Row("request_goodput"),
    "input token throughput": _Row("input_throughput"),
    "output token throughput": _Row("output_throughput"),
    "total token throughput": _Row("total_token_throughput"),
    "user throughput": _Row("output_throughput.per_user"),
    "acceptance rate": _Row("spec_acceptance_rate", "%"),
    "acceptance length": _Row("spec_accept_length"),
    "accept length": _Row("spec_accept_length"),
    "traffic request rate": _Row("request_rate", "", False),
    "request rate configured": _Row("request_rate", "", False),
    "burstiness factor": _Row("burstiness", "", False),
    "maximum request concurrency": _Row("client_max_concurrency", "", False),
    "max request concurrency": _Row("client_max_concurrency", "", False),
    "max reqeuest concurrency": _Row("client_max_concurrency", "", False),  # as SGLang printed it in 2024
}
_LATENCIES = {"ttft": "ttft", "tpot": "tpot", "itl": "itl", "e2el": "e2e_latency", "e2e latency": "e2e_latency"}
_UNITS = {
    "ms": "ms", "s": "s", "%": "%", "req/s": "", "reqs/s": "", "requests/s": "", "tok/s": "", "toks/s": "",
    "tokens/s": "", "rps": "",
}  # fmt: skip
_SGLANG_ONLY = frozenset(("backend", "max request concurrency", "max reqeuest concurrency", "accept length"))

_LABELLED = re.compile(
    r"[\s#|>*]{0,8}(?P<label>[A-Za-z][\w. -]{2,50}?)\s{0,4}(?:\((?P<unit>[\w/%]{1,10})\))?\s{0,4}[:|]\s{0,60}"
    rf"(?P<value>{NUMBER}|inf|[a-z-]{{2,20}})\s{{0,4}}(?P<after>ms|s|requests/s|tokens/s|RPS\.?)?"
    r"(?:\s{0,4}\([A-Za-z ]{1,40}\))?[\s|]{0,60}$"
)
_AFTER_LABEL = re.compile(r"[(:|]")
_STATISTIC = re.compile(r"(?P<what>mean|median|std|max|p\d{1,2}(?:\.\d{1,6})?) (?P<of>ttft|tpot|itl|e2el|e2e latency)")
_HEADER = re.compile(r"=(?:=| ){1,60}(?:Serving|Offline Throughput) Benchmark Result {0,4}={2,60}")
_CLOSING = re.compile(r"[\s#|>*]{0,8}={30,80}\s{0,4}$")
_NAMESPACE = re.compile(r"\bNamespace\(")


def _is_labelled(text: str) -> bool:
    """Whether a line begins with a label of the table: what spares most lines of a log the pattern."""
    label = _AFTER_LABEL.split(text[:80].lstrip(" \t#|>*"), maxsplit=1)[0].strip().lower()
    return label in _ROWS or label == "backend" or _STATISTIC.fullmatch(label) is not None


class Table:
    """The header and the table of a run, and the Namespace line that tells how it was started."""

    marks = (
        "requests:", "requests |", "tokens:", "tokens |", "hroughput", "goodput", "uration", " (ms)", "TTFT: ",
        "TPOT: ", "oncurrency", "equest rate", "urstiness", "Benchmark Result", "==========", "Namespace(", "Backend:",
        "ccept",
    )  # fmt: skip
    open = False

    def __init__(self) -> None:
        self._first: Line | None = None
        self._headed = False
        self._kind = "bench-serve"

    def line(self, line: Line, out: Observations) -> None:
        """Read a row, or what a table begins or ends with."""
        text = text_of(line)
        if "Namespace(" in text and (begun := _NAMESPACE.search(text)) is not None:
            run = read_run(dict(arguments(text, begun.end(), "=")), text.endswith(")"), line, out)
            if run is Run.SERVE:
                out.seen("bench-serve", line)
            elif run is not Run.NONE:
                out.seen(f"bench-{run.value}", line)
        elif "Benchmark Result" in text and _HEADER.search(text):
            self._finish(False, out)
            self._first, self._headed = line, True
            self._kind = "bench-sglang" if "Offline" in text else "bench-serve"
        elif "==========" in text and _CLOSING.match(text):
            self._finish(True, out)
        elif _is_labelled(text) and (found := _LABELLED.match(text)) is not None:
            self._row(found, line, out)

    def end(self, out: Observations) -> None:
        """Note a table that stops before its end, and what an unlimited rate means."""
        self._finish(False, out)
        queued(out)

    def _row(self, found: re.Match[str], line: Line, out: Observations) -> None:
        label, printed = found["label"].lower(), found["unit"] or found["after"] or ""
        unit = _UNITS.get(printed.lower().rstrip("."))
        if printed and unit is None:
            return
        if label == "backend":
            self._backend(found["value"], line, out)
            return
        row = _ROWS.get(label)
        if row is None and (what := _STATISTIC.fullmatch(label)) is not None:
            row = _Row(f"{_LATENCIES[what['of']]}.{what['what']}")
        if row is None:
            return
        if label in _SGLANG_ONLY:
            self._kind = "bench-sglang"
        if row.name == "request_rate":
            put_rate(found["value"], line, out)
        elif found["value"][-1].isdigit():
            value = float(found["value"]) if row.name == "burstiness" else found["value"]
            out.put(row.name, value, line, unit or row.unit)
        if row.result and self._first is None:
            self._first = line

    def _backend(self, name: str, line: Line, out: Observations) -> None:
        if self._headed:
            self._kind = "bench-sglang"
            served_by(name, out)

    def _finish(self, whole: bool, out: Observations) -> None:
        if self._first is not None:
            out.seen(self._kind, self._first)
            if not whole:
                out.trap("unfinished-table", "", self._first)
        self._first, self._headed, self._kind = None, False, "bench-serve"


# --- JSON ------------------------------------------------------------------------------------------------------------

_KEYS: Mapping[str, str] = {
    "duration": "benchmark_duration", "completed": "completed_requests", "total_input_tokens": "input_tokens_total",
    "total_output_tokens": "output_tokens_total", "request_throughput": "request_throughput",
    "request_inthroughput": "request_throughput", "request_goodput": "request_goodput",
    "request_goodput:": "request_goodput", "input_throughput": "input_throughput",
    "output_throughput": "output_throughput", "total_token_throughput": "total_token_throughput",
    "total_throughput": "total_token_throughput", "user_throughput": "output_throughput.per_user",
    "accept_length": "spec_accept_length", "spec_decode_acceptance_length": "spec_accept_length",
}  # fmt: skip
"""Those of vLLM, of its first version (one of them misspelt), and of SGLang."""
_STATISTIC_KEY = re.compile(
    r"(?P<what>mean|median|std|max|p\d{1,2}(?:\.\d{1,6})?)_(?P<of>ttft|tpot|itl|e2el|e2e_latency)_ms"
)
_RETOKENIZED = "total_output_tokens_retokenized"


def result(document: Any, out: Observations, line: Line | None) -> bool:
    """Read the JSON of a run, of the top or one below it; arrays of single requests stay where they are."""
    if not isinstance(document, dict):
        return False
    runs = [one for one in (document, *document.values()) if isinstance(one, dict) and _is_run(one)]
    for run in runs:
        _read(run, document, out, line)
    return bool(runs)


def _is_run(found: Mapping[str, Any]) -> bool:
    rate = {"request_throughput", "request_inthroughput"} & found.keys()
    return bool(rate) and ("completed" in found or "duration" in found) and "output_throughput" in found


def _read(run: Mapping[str, Any], document: Mapping[str, Any], out: Observations, line: Line | None) -> None:
    for key, name in _KEYS.items():
        _number(name, run.get(key), out, line)
    for key, value in run.items():
        what = _STATISTIC_KEY.fullmatch(key)
        if what is not None:
            _number(f"{_LATENCIES[what['of'].replace('_', ' ')]}.{what['what']}", value, out, line)
    metadata = document.get("metadata")
    given = {**(metadata if isinstance(metadata, dict) else {}), **run}
    read_arguments({key: value for key, value in given.items() if value is not None}, line, out)
    out.seen("bench-sglang" if given.get("backend") == "sglang" or _RETOKENIZED in run else "bench-serve", line)
    queued(out)


def _number(name: str, value: Any, out: Observations, line: Line | None) -> None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        out.put(name, value, line)


READERS = (Table,)
DOCUMENTS = (result,)
