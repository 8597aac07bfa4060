"""The class of a step: memory, knee, compute or overhead, from two witnesses, and how sure that is.

The first witness is the place: tokens over the knee for matrices alone, compute time over memory time (rho) where a
cache is read too. The second is what was achieved: far below the knee and yet far below the bandwidth is neither, but
launches or kernels that are too small. Rules and numbers: probe.md sections 2.4 and 2.5.

The confidence of ``memory`` and ``compute`` is the calibrated chance on its side of a coin toss; of ``knee`` the chance
that the true place is within a factor two of the knee; of ``overhead`` the larger of the part of the time that no size
changes, and of the part of steps with so little of the bandwidth that did not follow it. Each condition that weakens a
witness shrinks the distance from a coin toss.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from engine import roofline
from engine.probe import chance
from engine.probe.ceilings import product16
from engine.probe.model import Ceilings, Label, Reason, Verdict

FIXED = 0.5
"""Over this share of the time nothing else matters."""
REACHED = 0.6
"""Of the measured bandwidth: under it, far from the knee, memory is not what is waited for."""
COMPUTED = 0.3
"""Of the measured rate: likewise for the processor."""

FACTORS = {
    "no-bandwidth-witness": 0.5,
    "few-points": 0.5,  # ours: the knee is the ceilings', not the stack's: one of the two witnesses is not there
    "others": 0.6,
    "contention": 0.6,  # ours: another process, as ``others``
    "no-graph": 0.8,
    "slice": 0.8,
    "noisy": 0.8,  # ours: as a missing graph
    "other-format": 0.8,  # ours: kernels of the workload's format did not run
    "unknown-cache": 0.9,
}
"""How much each condition leaves of the distance from a coin toss."""
_DRIFT = ((0.10, 0.5), (0.03, 0.8))


class Work(NamedTuple):
    """A step that ran.

    Attributes:
        batch: tokens of it.
        seconds: it took.
        weight_bytes, kv_bytes: it read.
        linear_flops, attention_flops: it computed.
        fixed: seconds of it that no size changes, where that is known.
        flat: seconds of the same bytes in the flat part of a sweep: time that grows with the tokens is computing that
            begins, not overhead.
    """

    batch: int
    seconds: float
    weight_bytes: float
    kv_bytes: float
    linear_flops: float
    attention_flops: float
    fixed: float | None
    flat: float | None = None


class Place(NamedTuple):
    """Where the knee is, and the standard deviation of its logarithm; ``batch`` is ``None`` without a knee."""

    batch: float | None
    deviation: float


def rho(work: Work, of: Ceilings) -> float | None:
    """Compute time over memory time, weights and cache each at its own measured rate; ``None`` without rates."""
    weights, math = of.weights or of.bandwidth, of.prefill or product16(of)
    if weights is None or math is None:
        return None
    kv = of.kv or of.bandwidth or weights
    memory = roofline.memory_seconds(work.weight_bytes, weights.rate) + roofline.memory_seconds(work.kv_bytes, kv.rate)
    return float(roofline.compute_seconds(work.linear_flops + work.attention_flops, math.rate) / memory)


def verdict(
    work: Work, of: Ceilings, place: Place, weakened: tuple[Reason, ...] = (), ratio: float | None = None
) -> Verdict | None:
    """The class of a step; ``None`` where the run has no rates to set it against.

    Args:
        work: what ran.
        of, place: the ceilings and the knee.
        weakened: conditions of the whole run.
        ratio: rho of the workload itself where it is in another format than what ran; else that of ``work``.
    """
    compared = rho(work, of) if ratio is None else ratio
    if compared is None or compared <= 0:
        return None
    position = work.batch / place.batch if place.batch else None
    where = position if position is not None and not work.kv_bytes and ratio is None else compared
    moved, computed = _achieved(work, of)
    fixed = min(1.0, work.fixed / work.seconds) if work.fixed is not None else None
    slowed = max(1.0, work.seconds / work.flat) if work.flat else 1.0
    label = _label(where, compared, moved * slowed if moved is not None else None, computed, fixed)
    second = _second(label, moved, computed, fixed)
    reasons = (*(() if second else (Reason("no-bandwidth-witness", FACTORS["no-bandwidth-witness"], {}),)), *weakened)
    likely = chance.memory(where, place.deviation)
    if label == "overhead":
        sure = _overhead(moved, fixed)
        likely = min(likely, 1 - sure)
    else:
        sure = {"memory": likely, "compute": 1 - likely, "knee": chance.at_knee(where, place.deviation)}[label]
    return Verdict(
        label, confidence(sure, reasons), likely, position, compared, moved, computed, fixed, 1 + second, reasons
    )  # fmt: skip


def confidence(sure: float, reasons: tuple[Reason, ...]) -> float:
    """What is left of a chance, between a coin toss and the most that the data support."""
    return min(chance.MOST, 0.5 + max(0.0, sure - 0.5) * prod(reason.factor for reason in reasons))


def _label(where: float, ratio: float, moved: float | None, computed: float | None, fixed: float | None) -> Label:
    if fixed is not None and fixed > FIXED:
        return "overhead"
    idle = moved is not None and moved < REACHED and (computed is None or computed < COMPUTED)
    if idle and ratio < roofline.KNEE[0]:
        return "overhead"
    return roofline.regime(where)


def _achieved(work: Work, of: Ceilings) -> tuple[float | None, float | None]:
    """Shares of the measured bandwidth and of the measured rate."""
    math = product16(of) or of.prefill
    moved = (work.weight_bytes + work.kv_bytes) / work.seconds / of.bandwidth.rate if of.bandwidth else None
    return moved, (work.linear_flops + work.attention_flops) / work.seconds / math.rate if math else None


def _second(label: Label, moved: float | None, computed: float | None, fixed: float | None) -> bool:
    """Whether what was achieved says the same as the place."""
    reads, computes = moved is not None and moved >= REACHED, computed is not None and computed >= COMPUTED
    if label == "overhead":
        return (moved is not None and moved < REACHED) or (fixed is not None and fixed > FIXED)
    return {"memory": reads, "compute": computes, "knee": reads or computes}[label]


def _overhead(moved: float | None, fixed: float | None) -> float:
    not_followed = 1 - chance.followed(moved) if moved is not None else 0.5
    return min(chance.MOST, max(not_followed, fixed or 0.0))


def drifted(share: float | None) -> tuple[Reason, ...]:
    """What a slow-down over the run leaves of the confidence."""
    found = next((factor for over, factor in _DRIFT if share is not None and share > over), None)
    return (Reason("drift", found, {"times": 1 + (share or 0.0)}),) if found is not None else ()
