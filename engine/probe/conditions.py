"""What weakened a whole run: each condition with its factor on the distance from a coin toss."""

from __future__ import annotations

from collections.abc import Iterator

from engine.probe.classify import FACTORS, drifted
from engine.probe.model import Reason
from engine.probe.readings import Run


def weakened(run: Run, drift: float | None, has_knee: bool) -> tuple[Reason, ...]:
    """The conditions of a run, in the order in which they matter."""
    found = [Reason(name, FACTORS[name], params) for name, params in _named(run, has_knee)]
    return tuple(sorted((*found, *drifted(drift)), key=lambda reason: reason.factor))


def _named(run: Run, has_knee: bool) -> Iterator[tuple[str, dict[str, object]]]:
    device = run.device
    if not has_knee:
        yield "few-points", {}
    if (device is not None and device.others) or run.has("others-on-card") or run.has("bimodal"):
        yield "others", {"pids": list(device.others) if device is not None else []}
    if run.has("cpu-contention"):
        yield "contention", {}
    if run.has("no-graph") or _launches(run):
        yield "no-graph", {}
    if device is not None and device.slice:
        yield "slice", {"slice": device.slice}
    flagged = sum(one.time.flagged for one in run.linear)
    if flagged and flagged >= len(run.linear) / 4:
        yield "noisy", {"points": flagged}
    if device is None or device.cache is None:
        yield "unknown-cache", {}


def _launches(run: Run) -> bool:
    """Whether a card's steps were launched kernel by kernel, so that this time is inside every number."""
    return not run.demonstration and any(not one.time.graph for one in run.linear)
