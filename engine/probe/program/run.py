"""One run from the request to the last event."""

from __future__ import annotations

from collections.abc import Callable

from .bench import Bench
from .clock import STAGES, Clock
from .device import Device
from .emit import Emitter
from .model import Request
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
    try:
        identify.tell(bench)
        for place, stage in enumerate(stages):
            bench.begin(stage, place + 1, len(stages))
            if clock.left > 0 or stage == "identify":
                _WORK[stage](bench)
            else:
                bench.shorten()
        clock.close()
        peak = device.peak()
    finally:
        device.release()
    emitter.last(
        "end", reason="budget" if bench.cut else "done", elapsed=clock.elapsed, stages=clock.spent,
        memory={"budget": bench.plan.budget, "peak": peak},
    )  # fmt: skip
