"""SGLang's log while it starts: loading, the pool, graphs, the settings; its batches are in ``sglang_batches``."""

from __future__ import annotations

import re

from engine.artefacts.model import Observations
from engine.artefacts.readers.base import Rule
from engine.artefacts.readers.sglang_batches import Batches
from engine.artefacts.readers.whole import Whole, arguments, flag, text_of
from engine.artefacts.text import Line
from engine.diagnosis.settings.flag_names import is_secret

_GB = {"model_loading_memory": "GB", "gpu_memory_free": "GB", "graph_memory": "GB"}
_POOL = {"k_cache_memory": "GB", "v_cache_memory": "GB", "kv_cache_memory": "GB"}
_START = "sglang-start"
_GRAPH = r"Capture [\w -]{0,40}graph end\.(?=[^\n]{0,200}?"

_RULES = (
    Rule("Load weight end", r"Load weight end\.[^\n]{0,300}?mem usage=(?P<model_loading_memory>{N}) GB", _GB, _START),
    Rule("Load weight end", r"Load weight end\. elapsed=(?P<model_loading_time>{N}) s\b", kind=_START),
    Rule("avail mem=", r"avail mem=(?P<gpu_memory_free>{N}) GB", _GB, _START),
    Rule("KV Cache is allocated", r"KV Cache is allocated[^\n]{0,80}?#tokens: (?P<kv_cache_tokens>\d{1,15}),"),
    Rule(
        "KV Cache is allocated",
        r"\bK size: (?P<k_cache_memory>{N}) GB, V size: (?P<v_cache_memory>{N}) GB",
        _POOL,
        _START,
    ),
    Rule("KV Cache is allocated", r"\bKV size: (?P<kv_cache_memory>{N}) GB", _POOL, _START),
    Rule(
        "SWAKVPool mem usage",
        r"SWAKVPool mem usage: (?P<kv_cache_memory>{N}) GB(?:, swa size: (?P<kv_cache_tokens__swa>\d{1,15}),"
        r"(?: full size: (?P<kv_cache_tokens__full>\d{1,15})(?=[,\s.]|$))?)?",
        _POOL,
        _START,
    ),
    Rule("mem-fraction-static", r"Not enough memory\. Please try to increase --mem-fraction-static", kind=_START),
    Rule("max_total_num_token", r"max_total_num_tokens?=(?P<kv_cache_tokens>\d{1,15}),", kind=_START),
    Rule("raph end.", _GRAPH + r"mem usage=(?P<graph_memory>{N}) GB)", _GB, _START),
    Rule("raph end.", _GRAPH + r"(?:Time elapsed: |elapsed=)(?P<graph_capture_time>{N}) s\b)", kind=_START),
)

_RANK = re.compile(r"\[[^\]\n]{0,40}?((?:\b[A-Z][A-Z_]{0,10}\d{1,4}\b ?){1,6})\]")
"""The ranks in a record's bracket: "TP3", "DP0 TP1 EP1"."""
_DRAFT = re.compile(r"type=\w{0,60}(?:MTP|NextN|Eagle|EAGLE|Draft|DFlash)|Capture draft")
_LIMITS = re.compile(
    r"\b(chunked_prefill_size|max_prefill_tokens|max_running_requests|context_len)=(-?\d{1,15})(?=[,\s]|$)"
)


class Starting(Whole):
    """What SGLang prints while it starts."""

    def __init__(self) -> None:
        super().__init__(_RULES, "sglang")
        self._ranks: dict[str, set[str]] = {}
        self._loaded: set[str] = set()

    def line(self, line: Line, out: Observations) -> None:
        """Read a line."""
        super().line(line, out)
        text = line.text
        found = _RANK.search(text, 0, 120)
        rank = found[1].strip() if found else ""
        if "Load weight end" in text:
            self._load(text, rank, line, out)
        elif "KV Cache is allocated" in text or "KVPool mem usage" in text:
            self._pool(text, rank, line, out)
        elif "max_total_num_token" in text:
            for name, value in _LIMITS.findall(text_of(line)):
                flag(name, value, line, out)
        elif "graph end." in text:
            out.trap("gb-is-gib", "graph_memory", line)
            if _DRAFT.search(text):
                out.trap("draft-model", "graph_memory", line)

    def _load(self, text: str, rank: str, line: Line, out: Observations) -> None:
        out.trap("gb-is-gib", "model_loading_memory", line)
        if rank in self._loaded or _DRAFT.search(text):
            out.trap("draft-model", "model_loading_memory", line)
        self._loaded.add(rank)
        self._ranks.setdefault("model_loading_memory", set()).add(rank)

    def _pool(self, text: str, rank: str, line: Line, out: Observations) -> None:
        name = "k_cache_memory" if "K size" in text.replace("KV size", "") else "kv_cache_memory"
        out.trap("gb-is-gib", name, line)
        if "SWAKVPool" in text:
            out.trap("two-pools", "kv_cache_tokens", line)
        elif name == "kv_cache_memory" and "KV size" in text:
            out.trap("mla", name, line)
        self._ranks.setdefault(name, set()).add(rank)

    def end(self, out: Observations) -> None:
        """Note what several ranks printed."""
        for name, ranks in self._ranks.items():
            if len(ranks) > 1:
                out.trap("per-rank", name, None, count=len(ranks))


class Settings:
    """``server_args=ServerArgs(...)``: every setting, those left at their default too."""

    marks = ("ServerArgs(",)
    open = False

    def line(self, line: Line, out: Observations) -> None:
        """Read the settings that are whole."""
        at = line.text.find("ServerArgs(")
        if at < 0:
            return
        for name, value in arguments(line.text, at + len("ServerArgs("), "="):
            flag(name, value, line, out)
            if name == "model_path" and not is_secret(name) and value not in ("None", "''"):
                out.put("model", value.strip("'\""), line)
        out.seen("sglang-config", line)
        out.served_by("sglang")

    def end(self, out: Observations) -> None:
        """Nothing is open."""


_BAR = re.compile(
    r"(?P<what>Capturing (?:batches|num tokens)\b[^|\n]{0,80}?: {0,3}|^ {0,4})\d{1,3}%\|[^|\n]{0,400}\| "
    r"{0,6}(?P<at>\d{1,6})/(?P<all>\d{1,6}) \["
)


class Bars:
    """The bar of a capture: how many graphs, once it is full. It may be printed full twice, and older ones have no name
    and stand between the lines that begin and end a capture."""

    marks = ("Capturing ", "raph begin", "raph end")
    open = False

    def __init__(self) -> None:
        self._last: tuple[str, str] | None = None

    def line(self, line: Line, out: Observations) -> None:
        """Read a bar."""
        text = line.text
        if "raph begin" in text or "raph end" in text:
            self.open, self._last = "raph begin" in text and "Capture" in text, None
            return
        for found in _BAR.finditer(text):
            named = found["what"].strip() != ""
            if not named and not self.open:
                continue
            full = found["at"] == found["all"] and found["at"] != "0"
            one = ("named" if named else "", found["all"])
            if full and self._last != one:
                out.put("graph_count", found["all"], line)
                out.seen(_START, line)
            self._last = one if full else None

    def end(self, out: Observations) -> None:
        """A bar that never got full says nothing."""


READERS = (Starting, Settings, Bars, Batches)
