"""vLLM's periodic statistics, and the lines on speculation that stand beside them.

Of its older engine (V0: Pending, Swapped, CPU usage) and of its newer one (V1: Waiting).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from engine.artefacts.model import Observations, way_of
from engine.artefacts.readers.base import Rule
from engine.artefacts.readers.whole import Whole
from engine.artefacts.text import Line

_KIND = "vllm-stats"
_MARK = "Avg prompt throughput: "
_PART = re.compile(r"([A-Z][A-Za-z ]{3,40}): (?:(-?\d{1,12}(?:\.\d{1,6})?)|([^\s,:%]{1,20}))( tokens/s| reqs|%)")
_NAMES: Mapping[tuple[str, str], tuple[str, str]] = {
    ("Avg prompt throughput", " tokens/s"): ("prompt_throughput", ""),
    ("Avg generation throughput", " tokens/s"): ("generation_throughput", ""),
    ("Running", " reqs"): ("running_requests", ""),
    ("Swapped", " reqs"): ("swapped_requests", ""),
    ("Pending", " reqs"): ("waiting_requests", ""),
    ("Waiting", " reqs"): ("waiting_requests", ""),
    ("GPU KV cache usage", "%"): ("kv_cache_usage", "%"),
    ("CPU KV cache usage", "%"): ("cpu_kv_cache_usage", "%"),
    ("Prefix cache hit rate", "%"): ("prefix_cache_hit_rate", "%"),
}
"""Parts of a line by label and unit. "External prefix cache", "MM cache", "Preemptions" and the like have no name."""
_DEFERRED = "Deferred"
_ENGINE = re.compile(r"\bEngine (\d{1,6}): $")
_OLDER = ("swapped_requests", "cpu_kv_cache_usage")
_CONTINUED = 8
"""Lines that a hand-broken statistics line may have."""
_FULL = 0.95
_TOO_FAST = 600.0
"""Tokens a second and request that one sequence hardly reaches: the memory traffic of even a 1B model on an H100."""
_GAP = 1.8
"""Times the shortest gap between two lines: what is longer was an idle one."""


class _Moment(NamedTuple):
    at: float | None
    running: float | None
    generated: float | None


class Statistics:
    """Reads the statistics lines of both engines; keeps the last one for what only two of them show."""

    marks: tuple[str, ...] = (_MARK,)

    def __init__(self) -> None:
        self.open = False
        self._left = 0
        self._last: _Moment | None = None
        self._gap: float | None = None

    def line(self, line: Line, out: Observations) -> None:
        """Read a line, or one that carries it on."""
        at = line.text.find(_MARK)
        if at < 0:
            self._carry(line, out)
            return
        if engine := _ENGINE.search(line.text, max(0, at - 20), at):
            out.put("engine_index", int(engine[1]), line)
        out.seen(_KIND, line)
        out.tick(line)
        out.served_by("vllm")
        found = self._parts(line, out, at)
        self._compare(line, out, found)
        self._left = _CONTINUED
        self.open = line.text.endswith(",")

    def _carry(self, line: Line, out: Observations) -> None:
        self._left -= 1
        found = self._parts(line, out, 0) if line.text[:1].isspace() or line.text[:1].isupper() else {}
        self.open = bool(found) and self._left > 0 and line.text.endswith(",")

    def _parts(self, line: Line, out: Observations, start: int) -> dict[str, float]:
        found: dict[str, float] = {}
        for label, name, text, number, value in _pieces(line.text[start:]):
            if number is None:
                out.no_value(name, text, line)
            elif label == _DEFERRED:
                out.trap("deferred", "waiting_requests", line, count=int(number))
            elif name not in found:
                found[name] = number
                if value is None:
                    out.impossible(name, text, line)
                else:
                    out.keep(name, value, line)
        if found.get("swapped_requests") == 0 and found.get("kv_cache_usage", 0) >= 100 * _FULL:
            out.trap("swapped-zero", "swapped_requests", line)
        if any(name in found for name in _OLDER):
            out.flags.setdefault("VLLM_USE_V1", "0")
        return found

    def _compare(self, line: Line, out: Observations, found: Mapping[str, float]) -> None:
        now = _Moment(line.at, found.get("running_requests"), found.get("generation_throughput"))
        last, self._last = self._last, now
        if last is None:
            return
        if now.at is not None and last.at is not None and now.at > last.at:
            gap = now.at - last.at
            if self._gap is not None and gap > _GAP * self._gap and not last.running:
                out.trap("average-of-gap", "generation_throughput", line)
            self._gap = gap if self._gap is None else min(gap, self._gap)
        if now.running and last.running and now.generated and last.generated:
            slowest = min(now.generated, last.generated) / max(now.running, last.running)
            if slowest > _TOO_FAST:
                out.trap("requests-not-sequences", "running_requests", line)

    def end(self, out: Observations) -> None:
        """Note what the settings say of the figures."""
        if "kv_consumer" in out.flags.get("kv_transfer_config", "") and "prompt_throughput" in out.series:
            out.trap("transferred-prompts", "prompt_throughput")


_Piece = tuple[str, str, str, float | None, float | None]
"""A part of a line: its label, the name that it has with us, what is printed, the number that this is, and the value
that the number gives; each ``None`` where there is none."""
_WAYS = {part: (name, way_of(name, unit)) for part, (name, unit) in _NAMES.items()}


@lru_cache(maxsize=256)
def _pieces(text: str) -> list[_Piece]:
    """The parts of a line that are of interest; a server that is idle, or stuck, prints the same ones for hours."""
    found: list[_Piece] = []
    for label, digits, other, unit in _PART.findall(text):
        known = _WAYS.get((label, unit))
        if known is not None and digits:
            found.append((label, known[0], digits, float(digits), known[1].of(digits)))
        elif known is not None:
            found.append((label, known[0], other, None, None))
        elif label == _DEFERRED and digits:
            found.append((label, "", digits, float(digits), None))
    return found


_HITS = Rule(
    "Prefix cache hit rate: GPU",
    r"Prefix cache hit rate: GPU: (?P<prefix_cache_hit_rate>{N})%(?:, CPU: (?P<cpu_prefix_cache_hit_rate>{N})%)?",
    {"prefix_cache_hit_rate": "%", "cpu_prefix_cache_hit_rate": "%"},
    _KIND,
)
_DRAFTS = (
    Rule("Speculative metrics", r"Draft acceptance rate: (?P<spec_acceptance_rate>\d\.\d{3})(?!\d)", {}, _KIND),
    Rule("Speculative metrics", r"System efficiency: (?P<spec_system_efficiency>\d\.\d{3})(?!\d)"),
    Rule("Speculative metrics", r"Number of speculative tokens: (?P<num_speculative_tokens>\d{1,6})[,.]"),
    Rule("Speculative metrics", r"Number of accepted tokens: (?P<spec_accepted_tokens_total>\d{1,15})[,.]"),
    Rule("Speculative metrics", r"Number of draft tokens(?: tokens)?: (?P<spec_draft_tokens_total>\d{1,15})[,.]"),
    Rule(
        "Speculative metrics",
        r"Number of emitted tokens(?: tokens)?: (?P<spec_emitted_tokens_total>\d{1,15})(?:\.|$)",
    ),
    Rule("SpecDecoding metrics", r"Mean acceptance length: (?P<spec_accept_length>\d{1,6}\.\d\d)(?!\d)", {}, _KIND),
    Rule(
        "SpecDecoding metrics",
        r"raft acceptance rate: (?P<spec_acceptance_rate>\d{1,3}(?:\.\d{1,6})?)%",
        {"spec_acceptance_rate": "%"},
    ),
)


class Beside(Whole):
    """Reads the lines that V0 prints after its statistics, and those of speculative decoding of both engines."""

    def __init__(self) -> None:
        super().__init__((_HITS, *_DRAFTS), "vllm")

    def take(self, rule: Rule, match: re.Match[str], line: Line, out: Observations) -> None:
        """Keep the values of a match."""
        super().take(rule, match, line, out)
        if rule is _HITS:
            out.trap("since-start", "prefix_cache_hit_rate", line)


READERS = (Statistics, Beside)
