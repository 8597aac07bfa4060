"""What two samples of a page of /metrics say together: rates of counters, latencies of the interval between them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.artefacts.histogram import quantile
from engine.artefacts.model import Observations, Series

RATES = {
    "generation_throughput": "generation_tokens_total",
    "prompt_throughput": "prompt_tokens_total",
    "request_throughput": "requests_finished_total",
}
"""What a counter is, by what it gives in a second."""
COUNTERS = (*RATES.values(), "preemptions_total", "prefix_cache_queries_total", "prefix_cache_hits_total")
LATENCIES = ("ttft", "tpot", "e2e_latency", "queue_time")
LENGTHS = ("request_prompt_tokens", "request_generation_tokens")
QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99}
BEYOND = 1
"""Observations that must lie beyond a quantile for it to be told: the 99th percentile of four is their largest."""
_PARTS = ("mean", "count", "bucket_bounds", "bucket_counts")


def between(earlier: Observations, later: Observations, seconds: float) -> Observations:
    """What was so in the interval, the later sample's gauges and facts, and the counters of both samples.

    Rates are over all engines of a page together, latencies over all their requests. Where a counter fell, the server
    was started again in between: there are no rates then, and the trap ``counter-fell``.

    Args:
        earlier: the first sample.
        later: the second one, of the same server.
        seconds: between them.

    Raises:
        ValueError: the interval is not positive.
    """
    if not seconds > 0:
        raise ValueError("the interval must be positive")
    out = _copied(later)
    fallen = next((name for name in _counting(later) if _fell(earlier, later, name)), None)
    if fallen is not None:
        out.trap("counter-fell", fallen)
        return out
    out.trap("two-samples", "", None, seconds=f"{seconds:.3g}")
    for counter in COUNTERS:
        _both(counter, earlier, later, out)
    for name, counter in RATES.items():
        grown = grew(earlier, later, counter)
        if grown is not None:
            out.series.pop(name, None)  # a server's own average is of another interval
            out.put(name, grown / seconds)
    looked_up, found = (grew(earlier, later, f"prefix_cache_{what}_total") for what in ("queries", "hits"))
    if looked_up and found is not None:
        out.series.pop("prefix_cache_hit_rate", None)
        out.put("prefix_cache_hit_rate", min(1.0, found / looked_up))
    for name in (*LATENCIES, *LENGTHS):
        _latency(name, earlier, later, out)
    return out


def grew(earlier: Observations, later: Observations, counter: str) -> float | None:
    """By how much a counter grew, over all its series; ``None`` where a sample lacks it or it fell."""
    before, after = _total(earlier, counter), _total(later, counter)
    return None if before is None or after is None or after < before else after - before


def _both(counter: str, earlier: Observations, later: Observations, out: Observations) -> None:
    """A counter as it was in either sample, over all its series."""
    before, after = _total(earlier, counter), _total(later, counter)
    if before is not None and after is not None:
        line = later.series[counter].lines[0]
        out.series[counter] = both = Series()
        for value in (before, after):
            both.add(value, line, None)


# --- counters --------------------------------------------------------------------------------------------------------


def _counting(found: Observations) -> list[str]:
    return [*COUNTERS, *(f"{name}.count" for name in (*LATENCIES, *LENGTHS))]


def _total(found: Observations, name: str) -> float | None:
    series = found.series.get(name)
    return None if series is None or series.dropped else sum(series.values)


def _fell(earlier: Observations, later: Observations, name: str) -> bool:
    before, after = _total(earlier, name), _total(later, name)
    if before is None or after is None:
        return False
    first, second = earlier.series[name], later.series[name]
    each = len(first) == len(second) and any(b < a for a, b in zip(first, second, strict=True))
    return after < before or each


def _copied(later: Observations) -> Observations:
    """The later sample without what counts from the server's start."""
    out = Observations()
    over = {f"{name}.{part}" for name in (*LATENCIES, *LENGTHS) for part in _PARTS}
    for name, series in later.series.items():
        if name not in over:
            out.series[name] = copy = Series()
            for value, line, at in zip(series.values, series.lines, series.times, strict=True):
                copy.add(value, line, at)
    for trap in later.traps:
        if trap.id not in ("no-interval", "since-start"):
            out.traps.append(trap)
    out.kinds, out.flags, out.text = dict(later.kinds), dict(later.flags), later.text
    out.engine, out.version, out.lines, out.known = later.engine, later.version, later.lines, later.known
    return out


_EXACT = 1 - 1e-9
"""1 - 0.99 is a little less than 0.01."""


# --- histograms ------------------------------------------------------------------------------------------------------


class _Buckets(NamedTuple):
    bounds: tuple[float, ...]
    counts: tuple[float, ...]


def _latency(name: str, earlier: Observations, later: Observations, out: Observations) -> None:
    """Mean, count and quantiles of the interval; nothing where nothing was observed in it."""
    count = grew(earlier, later, f"{name}.count")
    if not count:
        return
    out.put(f"{name}.count", count)
    sums = [_sum(found, name) for found in (earlier, later)]
    if sums[0] is not None and sums[1] is not None and sums[1] >= sums[0]:
        out.put(f"{name}.mean", (sums[1] - sums[0]) / count)
    first, last = _buckets(earlier, name), _buckets(later, name)
    if last is None or first is None or first.bounds != last.bounds:
        return
    grown = [after - before for before, after in zip(first.counts, last.counts, strict=True)]
    for statistic, q in QUANTILES.items():
        found = quantile(q, last.bounds, grown, count) if count * (1 - q) >= BEYOND * _EXACT else None
        if found is not None:
            out.put(f"{name}.{statistic}", found)
            if q * count > max(grown):
                out.trap("open-bucket", f"{name}.{statistic}")


def _sum(found: Observations, name: str) -> float | None:
    """The sum of what was observed, from the means; a series without observations has no mean."""
    counts, means = found.series.get(f"{name}.count"), found.series.get(f"{name}.mean")
    if counts is None or counts.dropped:
        return None
    some = [count for count in counts if count > 0]
    values: Sequence[float] = [] if means is None else list(means)
    return sum(map(float.__mul__, some, values)) if len(some) == len(values) else None


def _buckets(found: Observations, name: str) -> _Buckets | None:
    """The buckets of all series added up; ``None`` where they differ in bounds, as where some are cut off."""
    bounds, counts = found.series.get(f"{name}.bucket_bounds"), found.series.get(f"{name}.bucket_counts")
    if bounds is None or counts is None or bounds.dropped or len(bounds) != len(counts):
        return None
    starts = [0, *(at for at, (a, b) in enumerate(pairwise(bounds), 1) if b <= a), len(bounds)]
    parts = [slice(a, b) for a, b in pairwise(starts)]
    edges = {tuple(bounds.values[part]) for part in parts}
    if len(edges) != 1:
        return None
    sums = tuple(map(sum, zip(*(counts.values[part] for part in parts), strict=True)))
    return _Buckets(edges.pop(), sums)
