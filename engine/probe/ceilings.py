"""What the device reaches: rates of memory and of its processor, and the time that no size changes.

A step takes ``fixed + bytes/rate``. The fixed part is measured apart (the same kernels with nothing to read) and taken
off, so that a rate is that of the memory and not of the launches. Source: probe.md sections 2.2 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from engine import roofline
from engine.catalog import Gpu
from engine.efficiency import Efficiency, same
from engine.probe import curve
from engine.probe.model import Ceiling, Ceilings
from engine.probe.readings import Cache, Moved, Product, Run

_SPREAD = 4
"""Caches must differ this much in size before what is fixed can be told from what is read."""
DRIFT = 0.03
"""Slower than this at the end is told."""


def ceilings(run: Run, card: Gpu | None) -> Ceilings:
    """Every rate that the run allows, beside the data sheet's where that is known."""
    sheet = float(card.bandwidth) if card is not None else None
    read, copy = (_best(run.moved, what, sheet) for what in ("read", "copy"))
    bandwidth = max((one for one in (read, copy) if one is not None), key=lambda one: one.rate, default=None)
    most = max((rate for rate in (bandwidth and bandwidth.rate, sheet) if rate), default=None)
    kv_rate, kv_fixed = _caches(run.caches, most)
    weights = weights_rate(run, most)
    peak = float(card.peak_flops) if card is not None and card.peak_flops else None
    prefill = max((one.rate for one in run.prompts if one.stage != "case"), default=None)
    return Ceilings(
        bandwidth, read, copy, _products(run.products, card),
        Ceiling(weights, sheet) if weights else None, Ceiling(kv_rate, sheet) if kv_rate else None,
        Ceiling(prefill, peak) if prefill else None, fixed(run), launched(run), kv_fixed,
    )  # fmt: skip


def _best(moved: Sequence[Moved], what: str, sheet: float | None) -> Ceiling | None:
    rates = [one.rate for one in moved if one.what == what]
    return Ceiling(max(rates), sheet) if rates else None


def _products(products: Sequence[Product], card: Gpu | None) -> dict[str, Ceiling]:
    """The best rate of each type; zeros do not count, since they cost less power than numbers do."""
    found: dict[str, Ceiling] = {}
    for one in products:
        if one.fill != "zeros" and one.rate > (found[one.dtype].rate if one.dtype in found else 0):
            found[one.dtype] = Ceiling(one.rate, _sheet_rate(one.dtype, card))
    return found


def _sheet_rate(dtype: str, card: Gpu | None) -> float | None:
    units = {"bf16": "16-bit", "fp16": "16-bit", "fp8": "fp8", "int8": "int8"}
    if card is None or dtype not in units:
        return None
    rate = roofline.peak(card, units[dtype])  # type: ignore[arg-type]  # the table's values are units
    return float(rate) if rate else None


def product16(of: Ceilings) -> Ceiling | None:
    """The better 16-bit product; on a processor without one, the 32-bit product."""
    rates = [of.products[dtype] for dtype in ("bf16", "fp16") if dtype in of.products]
    return max(rates, key=lambda one: one.rate, default=of.products.get("fp32"))


# --- what is fixed ---------------------------------------------------------------------------------------------------


def fixed_step(run: Run) -> float:
    """Seconds of the stack's step that no size changes; 0 where it was not measured."""
    each = fixed(run)
    return each * run.plan.layers if each is not None and run.plan is not None else 0.0


def fixed(run: Run) -> float | None:
    """Seconds a layer."""
    layers = run.floor_layers or (run.plan.layers if run.plan is not None else None)
    if run.floor is None or not layers or (run.floor.flagged and run.floor.seconds > _least(run)):
        return None
    return run.floor.seconds / layers


def _least(run: Run) -> float:
    """Seconds of the quickest step of the whole stack: a step of nothing that takes longer was disturbed."""
    return min((one.time.seconds for one in run.linear), default=float("inf"))


def launched(run: Run) -> float | None:
    """Seconds a layer that are fixed where every kernel is launched anew: the eager step without its reading."""
    alone = next((one for one in run.linear if one.batch == 1), None)
    if run.eager is None or alone is None or run.plan is None:
        return None
    reading = max(0.0, alone.time.seconds - fixed_step(run))
    return max(0.0, run.eager.seconds - reading) / run.plan.layers or None


# --- rates without what is fixed -------------------------------------------------------------------------------------


def weights_rate(run: Run, most: float | None) -> float | None:
    """Bytes a second while the stack's matrices are read; never more than memory gives (``most``), however much of the
    time was fixed."""
    flat = curve.flat(run.linear)
    seconds = curve.flat_seconds(run.linear)
    if seconds is None:
        return None
    size = flat[0].bytes
    raw = size / seconds
    beyond = seconds - fixed_step(run)
    if most is None:
        return raw
    return max(raw, min(most, size / beyond) if beyond > 0 else most)


def _caches(caches: Sequence[Cache], most: float | None) -> tuple[float | None, float | None]:
    """Rate, and seconds a layer that are fixed: t = fixed + bytes/rate by least relative squares where sizes differ
    enough and the result can be; else the largest cache's plain rate, and nothing known of what is fixed."""
    if not caches:
        return None, None
    largest = max(caches, key=lambda one: one.bytes / one.layers)
    sizes = [one.bytes / one.layers for one in caches]
    seconds = [one.time.seconds / one.layers for one in caches]
    if max(sizes) >= _SPREAD * min(sizes):
        parts = [size / time for size, time in zip(sizes, seconds, strict=True)]
        solved = curve.least_squares([1 / time for time in seconds], parts)
        if solved is not None and min(solved) > 0:
            start, rate = solved[0], 1 / solved[1]
            if rate >= largest.rate and start < largest.time.seconds / largest.layers / 2:
                return (rate if most is None else max(largest.rate, min(rate, most))), start
    return largest.rate, None


# --- at the end ------------------------------------------------------------------------------------------------------


def drift(run: Run) -> float | None:
    """Share by which the same reading was slower at the end than at the start, of the worst; ``None`` without a
    re-check."""
    pairs: dict[tuple[object, ...], dict[bool, float]] = {}
    for one in run.moved:
        _keep(pairs.setdefault((one.what, one.bytes), {}), one.again, one.time.seconds)
    for product in run.products:
        _keep(pairs.setdefault((product.dtype, product.n, product.fill), {}), product.again, product.time.seconds)
    return max((both[True] / both[False] - 1 for both in pairs.values() if len(both) == 2), default=None)


def _keep(both: dict[bool, float], again: bool, seconds: float) -> None:
    both[again] = min(seconds, both.get(again, seconds))


# --- as the engine's roofline ----------------------------------------------------------------------------------------


def roof(of: Ceilings, attention: bool = True) -> tuple[roofline.Ceilings, Efficiency] | None:
    """The measured rates as a card of their own, all of which is reached; ``None`` where bytes or FLOPs have no rate.

    What was not measured falls back on what was: the stack's own rates before those of single kernels. ``attention``:
    whether a layer has its attention, or is its matrices alone.
    """
    weights = of.weights or of.bandwidth
    math = of.prefill or product16(of)
    if weights is None or math is None:
        return None
    kv = of.kv or of.bandwidth or weights
    one = same(1, "probe")
    card = roofline.Ceilings(Fraction(weights.rate), Fraction(math.rate), Fraction(math.rate))
    layer = (of.fixed or 0.0) + ((of.kv_fixed or 0.0) if attention else 0.0)
    return card, Efficiency(
        one, same(Fraction(kv.rate) / Fraction(weights.rate), "probe"), one, one, same(layer, "probe")
    )
