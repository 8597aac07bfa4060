"""Who is measured, and with what: the device, conditions that bear on every figure, and the plan."""

from __future__ import annotations

from .. import sizes
from ..bench import PAUSE, Bench
from ..model import NoMemory, Refused

ASSUMED = 2 * sizes.GB
"""Free bytes where the system does not say."""
SLOW = 0.05
"""Seconds of a trial's product above which a dtype is out of the question (FP16 on many processors)."""
SHARED = 0.75
"""Share of the processor under which a trial is repeated: it is short, and one thread makes its numbers."""
WORTH = 1.5
"""Times faster that another dtype must be to take the place of the usual one."""


def tell(bench: Bench) -> None:
    """Tell the device, and what is known before anything is measured."""
    facts = bench.facts
    others = None if facts.others is None else [{"pid": pid, "bytes": size} for pid, size in facts.others]
    fields = facts._asdict()
    for name in ("backend", "slice_of"):
        del fields[name]
    bench.emitter.event("device", **{**fields, "others": others})
    if facts.kind == "cpu":
        bench.note("demonstration")
        return
    if facts.integrated:
        bench.note("unified-memory")
    if facts.slice is not None:
        k, of = facts.slice_of or (None, None)
        bench.note("slice", k=k, of=of)
    if not facts.witness:
        bench.note("no-witness")
    if facts.others or (facts.utilization or 0) > 20:
        taken = [size for _, size in facts.others or () if size is not None]
        bench.note(
            "others-on-card", pids=[pid for pid, _ in facts.others or ()], bytes=sum(taken) if taken else None,
            utilization=facts.utilization,
        )  # fmt: skip


def identify(bench: Bench) -> None:
    """Choose the dtype by trial, lay the plan, take the memory. Raises ``NoMemory`` and ``Refused``."""
    free = ASSUMED if bench.facts.free is None else bench.facts.free
    if free < sizes.NEEDED:
        raise NoMemory(f"{free // sizes.MB} MB free")
    if free < sizes.LITTLE:
        bench.note("small-memory", free=free)
    dtype, rate = _chosen(bench)
    bench.rate("flops", rate)
    bench.plan = made = sizes.plan(bench.facts, free, dtype, bench.request, rate)
    shape = made.shape._asdict()
    bench.emitter.event(
        "plan", dtype=made.dtype, **shape, layers=made.layers, layer_bytes=made.layer_bytes,
        weight_bytes=made.weight_bytes, kv_budget=made.kv_budget, scratch=made.scratch, budget=made.budget,
        origin=made.origin,
    )  # fmt: skip
    bench.device.reserve(made)


def _chosen(bench: Bench) -> tuple[str, float]:
    """The dtype of the stack and the FLOP/s of its trial. Raises ``Refused`` where the device takes none."""
    n = 256 if bench.facts.kind == "cpu" else 1024
    found, quiet = _trials(bench, n)
    if not quiet and bench.clock.left > 10 * PAUSE and bench.paused():
        again, _ = _trials(bench, n)
        found = {dtype: min(seconds, again.get(dtype, seconds)) for dtype, seconds in found.items()}
    usual = next(iter(found))
    best = min(found, key=lambda dtype: found[dtype])
    quick = found[usual] < SLOW and found[usual] < WORTH * found[best]
    dtype = usual if quick else best
    return dtype, 2 * n**3 / found[dtype]


def _trials(bench: Bench, n: int) -> tuple[dict[str, float], bool]:
    """Seconds of a small product by dtype, and whether the processor was the probe's meanwhile."""
    device, threads = bench.device, bench.facts.threads
    busy, wall = device.busy(), device.now()
    found: dict[str, float] = {}
    said = Refused("no dtype works")
    for dtype in device.dtypes:
        try:
            found[dtype] = device.trial(dtype, n)
        except Refused as refused:
            said = refused
    if not found:
        raise said
    after, wall = device.busy(), device.now() - wall
    if threads is None or busy is None or after is None or wall <= 0:
        return found, True
    return found, (after - busy) / (wall * threads) >= SHARED
