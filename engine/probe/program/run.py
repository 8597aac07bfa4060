"""One run from the request to the last event."""

from __future__ import annotations

from collections.abc import Callable

from .bench import Bench
from .clock import STAGES, Clock
from .device import Device
from .emit import Emitter
from .model import NoMemory, Request, Stopped
from .stages import ceilings, identify, steps

_WORK: dict[str, Callable[[Bench], None]] = {
    "identify": identify.identify, "ramp": ceilings.ramp, "bandwidth": ceilings.bandwidth, "matmul": ceilings.matmul,
    "floor": steps.floor, "linear": steps.linear, "kv": steps.kv, "prefill": steps.prefill, "case": steps.case,
    "recheck": ceilings.recheck,
}  # fmt: skip


def measure(device: Device, emitter: Emitter, request: Request) -> None:
    """Run all stages on a device and tell what they find.

    Raises ``NoMemory`` and ``Refused`` when the device cannot be measured at all; the memory is given back whatever
    happens.
    """
    stages = [stage for stage in STAGES if stage != "case" or request.case is not None]
    clock = Clock(device.now, request.seconds, stages)
    bench = Bench(device, emitter, clock, request, device.facts())
    reason = "done"
    try:
        identify.tell(bench)
        for place, stage in enumerate(stages):
            bench.begin(stage, place + 1, len(stages))
            _run(bench, stage)
        reason = "budget" if bench.cut else "done"
    except Stopped:
        reason = "stop"
    finally:
        clock.close()
        peak = device.peak()
        device.release()
    made = bench.planned
    emitter.last(
        "end", reason=reason, elapsed=clock.elapsed, stages=clock.spent,
        memory={"budget": made.budget if made else None, "peak": peak},
    )  # fmt: skip


def _run(bench: Bench, stage: str) -> None:
    """One stage. Without its memory or its time it is left out, and the next one runs; only the first one must run."""
    if stage == "identify":
        return _WORK[stage](bench)
    if not bench.clock.left:
        return bench.shorten()
    try:
        _WORK[stage](bench)
    except NoMemory:
        bench.note("small-memory", free=bench.facts.free)
    return None
