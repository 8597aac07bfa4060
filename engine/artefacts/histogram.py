"""Quantiles of a histogram whose buckets are cumulative counts."""

from __future__ import annotations

from collections.abc import Sequence


def quantile(q: float, bounds: Sequence[float], counts: Sequence[float], total: float) -> float | None:
    """The value that a share ``q`` of the observations does not exceed, as near as the buckets tell.

    Observations are taken as spread evenly inside a bucket; the first one begins at 0 where its bound is positive, and
    what lies above the last bound is told by that bound alone, so that the value is then at least so much. This is what
    Prometheus' ``histogram_quantile`` does (its documentation of query functions).

    Args:
        q: from 0 to 1.
        bounds: upper bounds without the open last one, rising; the result has their unit.
        counts: cumulative, beside the bounds. One that is below an earlier one counts as that.
        total: of all observations, with those above the last bound.

    Returns:
        ``None`` where there is no bound or no observation.
    """
    if not bounds or not total > 0:
        return None
    rank, before, lower = min(max(q, 0.0), 1.0) * total, 0.0, min(0.0, bounds[0])
    for bound, count in zip(bounds, counts, strict=True):
        if count > before and count >= rank:
            return lower + (bound - lower) * max(0.0, rank - before) / (count - before)
        before, lower = max(before, count), bound
    return bounds[-1]
