"""The two ceilings: how fast memory moves and how fast matrices are multiplied, once the clocks are up."""

from __future__ import annotations

from math import ceil

from .. import sizes
from ..bench import Bench
from ..timing import Timed, bimodal

WINDOW = 0.1
ALIKE = 0.02
LONGEST, CPU_LONGEST = 1.5, 0.5
"""Seconds of warming up at most. A processor's clocks are up within a few windows; what still moves are neighbours."""
PRODUCTS = (2048, 4096, 8192)
CPU_PRODUCTS = (512, 1024, 2048)
SLOW = 0.3
"""Seconds of a product above which it is left out."""
COPY_TO_READ = 1.35
"""Times that reading may be faster than copying; more is a cache at work. A copy reaches 0.85 to 0.95 of a read."""
DRIFT = 0.03
"""Share slower at the end from which it is told: as much costs confidence."""


def ramp(bench: Bench) -> None:
    """Multiply until three windows of 100 ms agree within 2 %: the clocks are up."""
    cpu = bench.facts.kind == "cpu"
    n = _ramp_size(bench, 512 if cpu else 2048)
    step = bench.made(lambda: bench.device.product(bench.plan.dtype, n))
    if step is None:
        return None
    device, began = bench.device, bench.device.now()
    one = device.time(step, 1, 1)[0]
    if bench.clock.stage_left < 4 * one:
        return bench.shorten()
    first = device.time(step, 1, 1)[0]
    windows: list[float] = []
    settled = False
    while not settled:
        one = windows[-1] if windows else first
        window = min(WINDOW, bench.clock.stage_left / 3)
        if device.now() - began > (CPU_LONGEST if cpu else LONGEST) or bench.clock.stage_left < 2 * max(one, window):
            break
        windows.append(device.time(step, max(1, ceil(window / max(one, 1e-9))), 1)[0])
        last = windows[-3:]
        settled = len(last) == 3 and max(last) - min(last) <= ALIKE * min(last)
    if not windows:
        return bench.shorten()
    bench.emitter.event(
        "reading", stage="ramp", what="ramp", first=windows[0], last=windows[-1], windows=len(windows), settled=settled
    )
    if not settled and not cpu:
        bench.note("not-settled")
    bench.watch()
    return None


def _ramp_size(bench: Bench, usual: int) -> int:
    """Size of the product that warms up: smaller where the trial says that one alone would take a window."""
    while usual > 128 and 2 * usual**3 / bench.rates["flops"] > WINDOW:
        usual //= 2
    return usual


def bandwidth(bench: Bench) -> None:
    """Copy and read a buffer that no cache holds."""
    found = [timed for what in ("copy", "read") if (timed := _moved(bench, what)) is not None]
    if any(bimodal(timed.samples) for timed in found):
        bench.note("bimodal")
    bench.watch()


def _moved(bench: Bench, what: str, times: int = 1) -> Timed | None:
    """Measure one of the two; once more on a larger buffer when it is faster than memory can be."""
    copied, wanted = sizes.buffer(bench.facts, bench.plan, times)
    size = copied if what == "copy" else wanted
    moved = 2 * size if what == "copy" else size
    known = bench.rates.get("copy")
    if known and not bench.affords(moved / known):
        bench.shorten()
        return None
    make = bench.device.copy if what == "copy" else bench.device.read
    step = bench.made(lambda: make(size))
    if step is None:
        return None
    timed = bench.time(step)
    rate = moved / timed.seconds
    if _cached(bench, what, rate):
        larger = sizes.buffer(bench.facts, bench.plan, 2 * times)
        enlarged = times == 1 and larger != (copied, wanted)
        return _moved(bench, what, 2) if enlarged else None
    bench.rate(what, rate)
    bench.rate("moved", rate)
    bench.reading(what, timed, bytes=moved)
    return timed


def _cached(bench: Bench, what: str, rate: float) -> bool:
    """Whether a rate tells of a cache: over the memory's own, or reading far over copying where that is not known."""
    if bench.impossible(what, rate):
        return True
    copy = bench.rates.get("copy")
    if bench.facts.kind == "cpu" or bench.facts.bandwidth or what != "read" or not copy:
        return False
    if rate <= COPY_TO_READ * copy:
        return False
    bench.note("cache-reading", what, what=what, share=round(rate / copy, 3))
    return True


def matmul(bench: Bench) -> None:
    """Square products by dtype: 16 bits first, then what the card has of 8 bits."""
    for dtype in _sixteen(bench):
        _products(bench, dtype, CPU_PRODUCTS if bench.facts.kind == "cpu" else PRODUCTS)
    if bench.facts.kind == "cuda":
        for dtype in ("fp8", "int8"):
            _eight(bench, dtype)
    if bench.request.zeros and bench.facts.kind != "cpu":
        _products(bench, bench.plan.dtype, (4096,), fill="zeros")
    bench.watch()


def _sixteen(bench: Bench) -> list[str]:
    """The stack's dtype, and the other 16-bit one of a card. Never FP16 on a processor: up to 200 times slower."""
    used = bench.plan.dtype
    if bench.facts.kind == "cpu":
        return [used]
    return [used, *(other for other in bench.device.dtypes if other != used and other != "fp32")]


def _eight(bench: Bench, dtype: str) -> None:
    """8-bit products, after a tiny one has shown that card and torch have them."""
    trial = bench.made(lambda: bench.device.product(dtype, 64))
    if trial is None or not _products(bench, dtype, PRODUCTS[1:]):
        bench.note("no-fast8", dtype, dtype=dtype)


def _products(bench: Bench, dtype: str, wanted: tuple[int, ...], fill: str = "random") -> bool:
    """Time products of growing size; whether the device has them at all."""
    one, before = None, 0
    for n in wanted:
        if not sizes.fits_product(bench.plan, dtype, n):
            break
        expected = one * (n / before) ** 3 if one is not None else _expected(bench, n)
        if one is not None and expected > SLOW:
            break
        if not bench.affords(expected):
            bench.shorten()
            break
        if not _product(bench, dtype, n, fill):
            return False
        one, before = 2 * n**3 / bench.rates[f"{dtype} {fill}"], n
    return True


def _expected(bench: Bench, n: int) -> float:
    rate = bench.rates.get("flops")
    return 2 * n**3 / rate if rate else 0.0


def _product(bench: Bench, dtype: str, n: int, fill: str) -> bool:
    step = bench.made(lambda: bench.device.product(dtype, n, fill == "zeros"))
    if step is None:
        return False
    timed = bench.time(step)
    flops = 2 * n**3
    bench.rate(f"{dtype} {fill}", flops / timed.seconds)
    if fill == "random" and dtype == bench.plan.dtype:
        bench.rate("flops", flops / timed.seconds)
        bench.rate(f"flops {n}", flops / timed.seconds)
    bench.reading("matmul", timed, dtype=dtype, n=n, flops=flops, fill=fill)
    return True


def recheck(bench: Bench) -> None:
    """Both ceilings once more: what became slower was held down meanwhile, by heat most of all."""
    before = dict(bench.rates)
    share = 0.0
    for what in ("read", "copy"):
        if what in before and (timed := _moved(bench, what)) is not None:
            size = sizes.buffer(bench.facts, bench.plan)[what == "read"] * (2 if what == "copy" else 1)
            share = max(share, 1 - size / timed.seconds / before[what])
    done = [n for n in (*CPU_PRODUCTS, *PRODUCTS) if f"flops {n}" in before]
    again = next((n for n in reversed(done) if 2 * n**3 / before[f"flops {n}"] < 0.02), None)
    if again is not None and not bench.affords(2 * again**3 / before["flops"]):
        bench.shorten()
    elif again is not None:
        step = bench.device.product(bench.plan.dtype, again)
        timed = bench.time(step)
        flops = 2 * again**3
        bench.reading("matmul", timed, dtype=bench.plan.dtype, n=again, flops=flops, fill="random")
        share = max(share, 1 - flops / timed.seconds / before[f"flops {again}"])
    if share > DRIFT and not bench.noted("cpu-contention"):
        bench.note("drift", share=round(share, 4), times=round(1 / (1 - share), 4))
    bench.watch()
