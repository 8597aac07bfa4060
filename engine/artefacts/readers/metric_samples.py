"""One line of the Prometheus text format, as people paste it: of a page, of a search in it, of HTML, cut off."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import NamedTuple

from engine.artefacts.readers.metric_names import SERVERS, TOLD_APART, Metric, Server
from engine.artefacts.text import Line
from engine.artefacts.vocabulary import WHOLE, term

PARTS = ("_bucket", "_sum", "_count", "_created")
"""What the name of a metric may end with: the parts of a histogram, and when a series began."""

_LEAD = (
    r"\s{0,16}(?:<[^<>]{0,80}>\s{0,4}){0,3}"  # of a page saved as HTML
    r"(?:[\w./-]{1,200}:)??(?:\d{1,9}[:-]\s{0,4})?"  # of grep
)
_SAMPLE = re.compile(
    rf"{_LEAD}(?P<name>(?:ray_)?(?P<prefix>vllm|sglang|llamacpp|trtllm|tgi|nv_trt_llm)[:_](?P<metric>\w{{2,80}}))"
    r'(?P<labels>\{(?:[^"}]|"(?:[^"\\]|\\.)*+")*+\})?'
    r"[ \t]{1,20}(?P<value>[+-]?\d{1,30}(?:\.\d{0,30})?(?:[eE][+-]?\d{1,3})?)"
    r"(?P<after>[ \t]{1,20}-?\d{1,20}(?:\.\d{1,9})?)?[ \t]{0,20}(?P<rest>#.*|<[^<>]{0,80}>.{0,80})?$"
)
_BOUND = re.compile(r'([{,]\s{0,4})le="([^"\\]{1,40})"\s{0,4},?')
_LONGEST = 8192
"""Characters of labels that are read; a server's own take a tenth."""
_REMEMBERED = 4096

Labels = Mapping[str, str]


class Sample(NamedTuple):
    """A sample of a metric that is known.

    Attributes:
        printed: the metric's name, with its prefix, without what says which part of a histogram it is.
        part: of :data:`PARTS`, or "".
        bound: of a bucket, as printed.
        value: as printed.
    """

    printed: str
    known: Metric
    server: Server
    part: str
    labels: Labels
    bound: str
    value: str

    @property
    def series(self) -> tuple[str, frozenset[tuple[str, str]]]:
        """What tells it from the samples of other engines, models and outcomes."""
        return self.printed, frozenset(self.labels.items())


class Samples:
    """Reads lines; remembers the labels it has read, since a page repeats them."""

    def __init__(self) -> None:
        self._labels: dict[str, Labels | None] = {}

    def read(self, line: Line) -> Sample | None:
        """The sample of a line; ``None`` for a comment, an unknown metric, and a line that is cut off."""
        text = line.text
        found = _SAMPLE.match(html.unescape(text) if "&quot;" in text or "&#" in text else text)
        if found is None:
            return None
        server = SERVERS[found["prefix"]]
        metric, part = found["metric"], ""
        if metric.endswith(PARTS):
            metric, _, last = metric.rpartition("_")
            part = f"_{last}"
        printed = found["name"].removesuffix(part) if part else found["name"]
        block, bound = found["labels"] or "", ""
        if part == "_bucket" and (edge := _BOUND.search(block)):
            block, bound = f"{block[: edge.start()]}{edge[1]}{block[edge.end() :]}", edge[2]
        labels = self._read(block)
        known = None if labels is None else _known(server, metric, part, labels)
        if (
            known is None
            or labels is None
            or not (line.ended or found["after"] or found["rest"] or _whole(found, known))
        ):
            return None
        return Sample(printed, known, server, part, labels, bound, found["value"])

    def _read(self, block: str) -> Labels | None:
        if block in self._labels:
            return self._labels[block]
        if len(block) > _LONGEST:
            return None
        if len(self._labels) >= _REMEMBERED:
            self._labels.clear()
        self._labels[block] = found = _parsed(block)
        return found


def _parsed(block: str) -> Labels | None:
    if not block:
        return {}
    from prometheus_client.parser import text_string_to_metric_families  # at the first metric that is read

    try:
        return next(iter(text_string_to_metric_families(f"sample{block} 1\n"))).samples[0].labels
    except (ValueError, IndexError, KeyError):
        return None


def _known(server: Server, metric: str, part: str, labels: Labels) -> Metric | None:
    """The row of the table. The client of other languages leaves ``_total`` out; a name may end as a part does."""
    if metric in TOLD_APART and server is SERVERS["nv_trt_llm"]:
        metric = f"{metric}:{labels.get(TOLD_APART[metric], '')}"
    table = server.metrics
    found = table.get(metric) or table.get(f"{metric}_total")
    if part == "_created":
        return found
    if found is not None and (found.form == "histogram") == bool(part):
        return found
    return None


def _whole(found: re.Match[str], known: Metric) -> bool:
    """Whether nothing can be missing of a value that the text ends with: an exponent has two digits, a whole number
    ends in ".0", unless it is the beginning of one with an exponent."""
    value = found["value"]
    if re.search(r"[eE][+-]\d\d$", value):
        return True
    unit = term(known.name).unit
    counted = unit in WHOLE or found["metric"].endswith(("_count", "_bucket"))
    few = value == "0.0" or (known.form == "gauge" and unit == "requests")
    return counted and value.endswith(".0") and (few or len(value.partition(".")[0]) > 1)
