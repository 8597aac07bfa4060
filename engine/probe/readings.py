"""What the probe's program reported, as frozen data; :mod:`engine.probe.gather` makes it from events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

Event = Mapping[str, Any]

STAGES = (
    "identify", "ramp", "bandwidth", "matmul", "floor", "linear", "kv", "prefill", "case", "recheck",
)  # fmt: skip
"""Stages of a run in their order."""


class Time(NamedTuple):
    """Seconds of one step, product or copy.

    Attributes:
        seconds: 20th percentile of the blocks; the better of two passes.
        median: the typical value.
        noise: interquartile range over median.
        blocks: how many were timed.
        graph: whether it was replayed from a graph.
        flagged: whether it stayed too noisy when it was measured again.
    """

    seconds: float
    median: float
    noise: float
    blocks: int
    graph: bool
    flagged: bool = False


class Moved(NamedTuple):
    """A copy (bytes read and written) or a read of a buffer."""

    what: str
    bytes: int
    time: Time
    again: bool

    @property
    def rate(self) -> float:
        """Bytes a second."""
        return self.bytes / self.time.seconds


class Product(NamedTuple):
    """One square matrix product of ``n``; ``fill`` is "random" or "zeros"."""

    dtype: str
    n: int
    flops: int
    fill: str
    time: Time
    again: bool

    @property
    def rate(self) -> float:
        """FLOP/s, for INT8 operations a second."""
        return self.flops / self.time.seconds


class Linear(NamedTuple):
    """The matrices of the stack for ``batch`` tokens: ``up`` on the way up the list of batches, ``down`` back."""

    batch: int
    bytes: int
    flops: int
    up: Time | None
    down: Time | None

    @property
    def time(self) -> Time:
        """The faster pass."""
        passes = [one for one in (self.up, self.down) if one is not None]
        return min(passes, key=lambda one: one.seconds)

    @property
    def drift(self) -> float | None:
        """(up - down)/mean; ``None`` with one pass."""
        if self.up is None or self.down is None:
            return None
        return 2 * (self.up.seconds - self.down.seconds) / (self.up.seconds + self.down.seconds)


class Cache(NamedTuple):
    """Attention alone of ``batch`` sequences of ``context`` tokens over ``layers`` distinct caches."""

    batch: int
    context: int
    layers: int
    bytes: int
    flops: int
    time: Time

    @property
    def rate(self) -> float:
        """Bytes a second."""
        return self.bytes / self.time.seconds


class Prompt(NamedTuple):
    """The stack with causal attention for a prompt; ``stage`` is "prefill", or "case" for the workload's own."""

    tokens: int
    linear_flops: int
    attention_flops: int
    bytes: int
    time: Time
    stage: str

    @property
    def rate(self) -> float:
        """FLOP/s."""
        return (self.linear_flops + self.attention_flops) / self.time.seconds


class CaseStep(NamedTuple):
    """One decode step of the workload, over as many layers as found room."""

    batch: int
    context: int
    layers: int
    weight_bytes: int
    kv_bytes: int
    linear_flops: int
    attention_flops: int
    time: Time


class Ramp(NamedTuple):
    """Seconds of one product when the card was cold, and once its clocks had settled (or not)."""

    first: float
    last: float
    settled: bool


class Device(NamedTuple):
    """What was measured on; ``None`` is "not told". Clocks in MHz.

    Attributes:
        kind: cuda (ROCm too), cpu or mps.
        capability, arch: CUDA compute capability, AMD architecture.
        total, free: bytes of its memory when the run began.
        cache: bytes of the last-level cache.
        units: multiprocessors or cores.
        slice: profile of a MIG slice.
        threads: of a processor.
        witness: whether the driver told clocks and other processes.
        others: processes on the card besides the probe.
        utilization: percent, before the run.
    """

    kind: str
    name: str
    capability: str | None = None
    arch: str | None = None
    total: int | None = None
    free: int | None = None
    cache: int | None = None
    units: int | None = None
    clock: float | None = None
    memory_clock: float | None = None
    memory_bus_bits: int | None = None
    integrated: bool = False
    slice: str | None = None
    driver: str | None = None
    runtime: str | None = None
    threads: int | None = None
    witness: bool = False
    others: tuple[int, ...] = ()
    utilization: int | None = None


class Plan(NamedTuple):
    """The stack that stands for a model; ``origin`` is default, case (the workload's shape) or reduced."""

    dtype: str
    d_model: int
    d_ff: int
    n_head: int
    n_kv_heads: int
    d_head: int
    gated: bool
    layers: int
    weight_bytes: int
    budget: int
    origin: str


class Software(NamedTuple):
    """Versions behind a run, and the seconds that importing torch took."""

    python: str
    torch: str
    backend: str
    import_seconds: float


class Note(NamedTuple):
    """A condition that the reader must know of; ``params`` are numbers and short texts."""

    id: str
    params: Mapping[str, Any]


class Ended(NamedTuple):
    """How a run ended: ``reason`` done, budget, stop or failed; ``stages`` seconds by stage; memory in bytes."""

    reason: str
    elapsed: float
    stages: Mapping[str, float]
    budget: int | None = None
    peak: int | None = None


@dataclass(frozen=True)
class Run:
    """Everything that one run reported so far.

    Attributes:
        floor: the decode graph with nothing to read; ``floor_layers`` are its layers (``None``: as many as the plan's).
        eager: the stack at batch 1 launched kernel by kernel.
        failed: id and detail of what ended it early.
        odd: lines that could not be used.
    """

    software: Software | None = None
    device: Device | None = None
    plan: Plan | None = None
    stage: str = ""
    elapsed: float = 0.0
    ramp: Ramp | None = None
    moved: tuple[Moved, ...] = ()
    products: tuple[Product, ...] = ()
    floor: Time | None = None
    floor_layers: int | None = None
    eager: Time | None = None
    linear: tuple[Linear, ...] = ()
    caches: tuple[Cache, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    case: CaseStep | None = None
    notes: tuple[Note, ...] = ()
    ended: Ended | None = None
    failed: tuple[str, str] | None = None
    odd: int = 0

    @property
    def demonstration(self) -> bool:
        """Whether it ran on a processor: the shape is real, the verdict holds for no GPU."""
        return self.device is not None and self.device.kind == "cpu"

    def has(self, note: str) -> bool:
        """Whether a note was made."""
        return any(one.id == note for one in self.notes)
