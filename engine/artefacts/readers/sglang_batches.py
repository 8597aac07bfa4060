"""SGLang's lines of prefill and decode batches, of every version, and of requests that were taken back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from engine.artefacts.model import Observations
from engine.artefacts.readers.base import compiled
from engine.artefacts.readers.whole import text_of
from engine.artefacts.text import Line

_NAMES: Mapping[str, str] = {
    "#new-seq": "prefill_new_sequences", "#new-token": "prefill_new_tokens", "#cached-token": "prefill_cached_tokens",
    "#pending-token": "pending_tokens", "#running-req": "running_requests", "#queue-req": "waiting_requests",
    "token usage": "kv_cache_usage", "full token usage": "kv_cache_usage.full",
    "swa token usage": "kv_cache_usage.swa", "mamba usage": "mamba_usage", "mamba num": "mamba_slots_used",
    "#token": "kv_cache_tokens_used", "#full token": "kv_cache_tokens_used.full",
    "#swa token": "kv_cache_tokens_used.swa", "accept len": "spec_accept_length",
    "accept rate": "spec_acceptance_rate", "cache hit rate": "prefix_cache_hit_rate",
    "input throughput (token/s)": "prompt_throughput", "gen throughput (token/s)": "generation_throughput",
    "cuda graph": "cuda_graph", "npu graph": "cuda_graph", "cpu graph": "cuda_graph",
}  # fmt: skip
"""What a batch's line has, by the words before the colon."""
_BATCH = re.compile(r"\b(Prefill|Decode) batch\b ?(?:\[\d{1,12}\])?[.,]?(?=[ (])")
_EARLY = re.compile(r"\] (?=#running-req: \d{1,9}, #token: )")
"""Before summer 2024 a line of decoding began so."""
_BACK = re.compile(r"#retracted_reqs: (\d{1,9})(?=[,\s.]|$)")
_PART = re.compile(r"(?:^|[\s(])(#?[a-z][a-z /()-]{1,40}): ([^,\s)]{1,40})")
_TWO_POOLS = ("kv_cache_usage.full", "kv_cache_usage.swa", "mamba_usage")


class Batches:
    """One line a batch; every 40th one of decoding. What was printed after the last comma is read where a line ends."""

    marks = ("#running-req", "Prefill batch", "#retracted_reqs")
    open = False

    def __init__(self) -> None:
        self._idle = False

    def line(self, line: Line, out: Observations) -> None:
        """Read a batch, or that requests were taken back."""
        text = text_of(line)
        found = _BATCH.search(text) or _EARLY.search(text)
        if found is None:
            if "#retracted_reqs:" in text:
                if (back := _BACK.search(text)) is not None:
                    out.put("retracted_requests", back[1], line)
                out.seen("sglang-stats", line)
                out.served_by("sglang")
            return
        values = dict(_values(text[found.end() :]))
        for name, (value, unit) in values.items():
            out.put(name, value == "True" if name == "cuda_graph" else value, line, unit)
        if values:
            out.seen("sglang-stats", line)
            out.served_by("sglang")
            self._notes("Prefill" if "Prefill" in found[0] else "Decode", values, line, out)

    def _notes(self, phase: str, values: Mapping[str, tuple[str, str]], line: Line, out: Observations) -> None:
        if any(name in values for name in _TWO_POOLS):
            out.trap("two-pools", "kv_cache_usage", line)
        if "prefix_cache_hit_rate" in values:
            out.trap("since-start", "prefix_cache_hit_rate", line)
        if phase == "Prefill":
            if values.get("running_requests", ("", ""))[0] == "0":
                self._idle = True
                if "prompt_throughput" in values:
                    out.trap("average-of-gap", "prompt_throughput", line)
        elif self._idle:
            self._idle = False
            out.trap("average-of-gap", "generation_throughput", line)

    def end(self, out: Observations) -> None:
        """Nothing is open."""


def _values(text: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Names with value and unit; each part but the last ends with its comma."""
    parts = text.split(",")
    last = len(parts) - 1
    for at, part in enumerate(parts):
        for found in _PART.finditer(part):
            name = _NAMES.get(found[1])
            if name is None:
                continue
            value, share, _ = found[2].partition("%")
            if name == "cuda_graph":
                if value in ("True", "False"):
                    yield name, (value, "")
            elif compiled(r"{N}").fullmatch(value) and (at < last or _ends(name, value, share)):
                yield name, (value, share)


_LAST = ("waiting_requests",)
"""What stands at the end of a line as a whole number; others that do have two decimals."""


def _ends(name: str, value: str, share: str) -> bool:
    return bool(share) or name in _LAST or value[-3:-2] == "."
