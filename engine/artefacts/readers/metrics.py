"""Pages of /metrics in the Prometheus text format: gauges, counters and histograms of inference servers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from engine.artefacts.model import MOST_ENTRIES, Observations
from engine.artefacts.readers.metric_names import CONFIGURED, FLAGS
from engine.artefacts.readers.metric_samples import Labels, Sample, Samples
from engine.artefacts.text import Line
from engine.artefacts.vocabulary import factor

_NOTHING = frozenset(("", "None", "none", "null"))
_SINCE_START = frozenset(
    ("vllm:gpu_prefix_cache_hit_rate", "vllm:cpu_prefix_cache_hit_rate", "trtllm_kv_cache_hit_rate")
)


class _Histogram:
    """The parts of one series of a histogram, as they were printed."""

    def __init__(self, sample: Sample, line: Line) -> None:
        self.sample, self.line = sample, line
        self.buckets: list[tuple[str, str, Line]] = []
        self.sum = self.count = ""
        self.counted: Line | None = None
        self._bounds: set[str] = set()

    def add(self, sample: Sample, line: Line) -> bool:
        """Keep a part; whether it was not there yet: if it was, another sample of the page begins."""
        if sample.part == "_sum" and not self.sum:
            self.sum = sample.value
        elif sample.part == "_count" and not self.count:
            self.count, self.counted = sample.value, line
        elif sample.part == "_bucket" and sample.bound not in self._bounds:
            self._bounds.add(sample.bound)
            if sample.bound.lower() not in ("+inf", "inf"):
                self.buckets.append((sample.bound, sample.value, line))
        else:
            return False
        return True

    def give(self, out: Observations) -> None:
        """Its mean, count and buckets."""
        name, unit = self.sample.known.name, self.sample.known.unit
        if self.sum and self.count and Fraction(self.count) > 0:
            out.put(f"{name}.mean", float(Fraction(self.sum) / Fraction(self.count) * factor(name, unit)))
        if self.count:
            out.put(f"{name}.count", self.count, self.counted)
        if not unit:
            return  # of lengths the mean is enough
        for bound, count, line in self.buckets:
            out.put(f"{name}.bucket_bounds", bound, line, unit)
            out.put(f"{name}.bucket_counts", count, line)


class _Older(NamedTuple):
    """What a metric's older name gave: kept until the page's end says whether the newer one is there too."""

    printed: str
    line: Line
    actions: list[Callable[[Observations], None]]


class Page:
    """Samples of the metrics of inference servers, wherever they stand in a text."""

    marks = ("vllm:", "vllm_", "sglang", "tgi_", "llamacpp", "trtllm", "nv_trt_llm")
    open = False

    def __init__(self) -> None:
        self._samples = Samples()
        self._histograms: dict[object, _Histogram] = {}
        self._older: dict[str, _Older] = {}
        self._newer: dict[str, str] = {}
        self._counted: dict[str, tuple[Line, set[object]]] = {}
        self._repeated: set[str] = set()
        self._told: set[int] = set()
        self._held = 0

    def line(self, line: Line, out: Observations) -> None:
        """Read a sample; comments, other exporters' metrics and lines that are cut off are none."""
        sample = self._samples.read(line)
        if sample is None:
            return
        out.seen("metrics", line)
        if id(sample.labels) not in self._told:
            self._told.add(id(sample.labels))
            out.served_by(sample.server.engine)
            _about(sample, line, out)
        if sample.part == "_created":
            out.trap("created-is-time", "", line)
        elif sample.known.form == "info":
            _configured(sample.labels, line, out)
        elif sample.part:
            self._gather(sample, line, out)
        elif not sample.known.needed or Fraction(sample.value):
            self._keep(sample, line, out)

    def end(self, out: Observations) -> None:
        """Give the histograms, and what has only an older name."""
        for one in self._histograms.values():
            self._give(one.sample, one.line, one.give, out)
        for name, older in self._older.items():
            if name in self._newer:
                out.trap("both-names", name, older.line, old=older.printed, new=self._newer[name])
                continue
            for action in older.actions:
                action(out)
        for name, (line, _) in self._counted.items():
            if name not in self._repeated:
                out.trap("no-interval", name, line)

    def _keep(self, sample: Sample, line: Line, out: Observations) -> None:
        name = sample.known.name
        if sample.known.form == "counter":
            series = self._counted.setdefault(name, (line, set()))[1]
            if sample.series in series:
                self._repeated.add(name)
            elif len(series) < MOST_ENTRIES:
                series.add(sample.series)
        self._give(sample, line, partial(_gauge, sample, line), out)

    def _gather(self, sample: Sample, line: Line, out: Observations) -> None:
        series = sample.series
        known = self._histograms.get(series)
        if known is not None and known.add(sample, line):
            self._held += 1
            return
        if known is not None:
            del self._histograms[series]
            self._held -= len(known.buckets)
            self._give(known.sample, known.line, known.give, out)
        if self._held >= MOST_ENTRIES:
            out.trap("many-entries", f"{sample.known.name}.bucket_counts", line, most=MOST_ENTRIES)
            return
        self._histograms[series] = begun = _Histogram(sample, line)
        begun.add(sample, line)

    def _give(self, sample: Sample, line: Line, action: Callable[[Observations], None], out: Observations) -> None:
        name = sample.known.name
        if not sample.known.older:
            self._newer.setdefault(name, sample.printed)
            action(out)
            return
        held = self._older.setdefault(name, _Older(sample.printed, line, []))
        if len(held.actions) < MOST_ENTRIES:
            held.actions.append(action)


def _gauge(sample: Sample, line: Line, out: Observations) -> None:
    name = sample.known.name
    out.put(name, sample.value, line, sample.known.unit)
    if name == "kv_cache_usage" and sample.printed.endswith("_perc"):
        out.trap("perc-is-fraction", name, line)
    elif name in ("kv_cache_usage.swa", "mamba_usage"):
        out.trap("two-pools", "kv_cache_usage", line)
    elif name == "running_requests" and sample.server.engine == "vllm":
        out.trap("requests-not-sequences", name, line)
    elif name == "swapped_requests" and not Fraction(sample.value):
        out.trap("swapped-zero", name, line)
    elif sample.printed in _SINCE_START:
        out.trap("since-start", name, line)


def _about(sample: Sample, line: Line, out: Observations) -> None:
    """What the labels say of the server."""
    labels = sample.labels
    model = labels.get("model_name") or labels.get("model", "")
    if model.strip(" .") and sample.known.form != "info":
        out.put("model", model, line)
    if sample.server.engine == "vllm" and labels.get("engine", "").isdecimal():
        out.put("engine_index", int(labels["engine"][:9]), line)


def _configured(labels: Labels, line: Line, out: Observations) -> None:
    """Facts of the labels of cache_config_info."""
    for label, name in CONFIGURED.items():
        text = labels.get(label, "")
        if text in _NOTHING or (text == "0" and name == "num_gpu_blocks"):
            continue
        if name in FLAGS:
            out.flags.setdefault(name, text)
        if text.lower() in ("true", "false"):
            out.put(name, text.lower() == "true", line)
            continue
        try:
            number = float(text)
        except ValueError:
            out.put(name, text, line)
            continue
        out.put(name, int(number) if number.is_integer() and abs(number) < 2**53 else number, line)


READERS = (Page,)
