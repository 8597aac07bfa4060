"""An invented device with a simulated clock: the probe's stages run on it in milliseconds, without torch."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from engine.probe.program import sizes
from engine.probe.program.device import Step
from engine.probe.program.emit import Emitter
from engine.probe.program.model import Facts, NoGraph, NoMemory, Plan, Refused, Request, Snapshot
from engine.probe.program.run import measure

GB = 10**9
STALL = 0.3
H200 = Facts(
    "cuda", "cuda", "NVIDIA H200", "9.0", None, 150 * GB, 149 * GB, 60 * 1024 * 1024, 132, 1980.0, 3201.0, 6144, False,
    None, None, "580.65.06", "13.0", None, True, (), 0, 1.1,
)  # fmt: skip
CPU = Facts("cpu", "cpu", "Some Processor", None, None, 32 * GB, 24 * GB, 32 << 20, 2, threads=2)


@dataclass
class Work:
    """What a step does: kernels, bytes, floating-point operations; ``footprint`` bytes that it touches."""

    kernels: int
    moved: float
    flops: float
    dtype: str
    footprint: float
    graph: bool = False

    def __call__(self) -> None:
        raise AssertionError("a step is timed by its device only")


@dataclass
class Card:
    """A device of given speeds. Times and rates in seconds, bytes/s, FLOP/s.

    Attributes:
        kernel, launch: seconds a kernel takes at least, replayed and launched.
        cached: times that bytes which fit the cache are faster; ``hidden``: cache that the driver does not tell of.
        warm: seconds of work until the clocks are up; before that it is up to ``cold`` times as slow.
        stalls: every so many-th block stands still for ``STALL`` seconds; 0: none does.
        tired: times slower from ``tired_after`` seconds of work on (heat).
        noise: standard deviation of a block's time, as a share.
        reasons: event bits by the seconds of work from which on the driver tells them.
        memory_clock: MHz at work, where it is not the highest.
        late: processes that come onto the card during the run.
        twice: every second block takes so much longer.
        share: of the processor that the process gets.
        overlap: power at which memory and compute time add up; 1: one after the other.
        breaks: what is raised after so many timings.
    """

    known: Facts = H200
    bandwidth: float = 4.3e12
    peaks: Mapping[str, float] = field(
        default_factory=lambda: {"bf16": 788e12, "fp16": 770e12, "fp8": 1400e12, "int8": 1300e12}
    )
    kernel: float = 4e-6
    launch: float = 9e-6
    cached: float = 2.5
    hidden: int = 0
    records: str = ""
    noise: float = 0.004
    cold: float = 1.0
    warm: float = 0.3
    stalls: int = 0
    tired: float = 1.0
    tired_after: float = 1.0
    reasons: Mapping[float, int] = field(default_factory=dict)
    memory_clock: float | None = None
    late: Sequence[tuple[int, int | None]] = ()
    twice: float = 0.0
    share: float = 1.0
    overlap: float = 2.0
    breaks: tuple[int, BaseException] | None = None

    def __post_init__(self) -> None:
        self.graphs = self.ahead = self.known.kind == "cuda"
        self.block = 0.02 if self.known.kind == "mps" else 0.001
        self.dtypes: Sequence[str] = ("bf16", "fp16") if self.known.kind == "cuda" else tuple(self.peaks)
        self.clock, self.worked, self.released, self.held = 0.0, 0.0, 0, 0
        self.plan: Plan | None = None
        self.random = Random(7)
        self.slept: list[float] = []
        self.blocks = self.timings = 0

    # --- the device ----------------------------------------------------------------------------------------------

    def facts(self) -> Facts:
        return self.known

    def trial(self, dtype: str, n: int) -> float:
        return self.time(self._product(dtype, n), 1, 1)[0]

    def reserve(self, plan: Plan) -> None:
        if plan.budget > (self.known.free or 0):
            raise NoMemory("too little")
        self.plan, self.held = plan, plan.budget
        self.clock += plan.weight_bytes / self.bandwidth

    def copy(self, size: int) -> Step:
        assert 0 < 2 * size <= self._planned.weight_bytes
        return Work(1, 2 * size, 0, "", 2 * size)

    def read(self, size: int) -> Step:
        assert 0 < size <= self._planned.weight_bytes
        return Work(1, size, 0, "", size)

    def product(self, dtype: str, n: int, zeros: bool = False) -> Step:
        assert self._planned
        if n > 64:
            assert sizes.fits_product(self._planned, dtype, n)
        return self._product(dtype, n)

    def _product(self, dtype: str, n: int) -> Work:
        if dtype not in self.peaks:
            raise Refused(dtype)
        moved = 3 * n * n * sizes.ITEM[dtype]
        return Work(1, moved, 2 * n**3, dtype, moved)

    def stack(self, batch: int, empty: bool = False) -> Step:
        plan = self._planned
        assert sizes.activations(plan, batch) <= sizes.work(plan)
        size = 4 * plan.layers * 256 * 256 * sizes.ITEM[plan.dtype] if empty else plan.weight_bytes
        flops = 0 if empty else sizes.linear_flops(plan, batch)
        return Work(4 * plan.layers, size, flops, plan.dtype, size)

    def attention(self, batch: int, context: int, layers: int) -> Step:
        plan = self._planned
        size = layers * sizes.cache_bytes(plan, batch, context)
        assert layers >= 1
        assert size <= plan.kv_budget
        return Work(layers, size, sizes.attention_flops(plan, batch * context, layers), plan.dtype, size)

    def decode(self, batch: int, context: int, layers: int) -> Step:
        plan = self._planned
        kv = self.attention(batch, context, layers)
        assert isinstance(kv, Work)
        assert layers <= plan.layers
        moved = kv.moved + layers * plan.layer_bytes
        return Work(5 * layers, moved, sizes.linear_flops(plan, batch, layers) + kv.flops, plan.dtype, moved)

    def prefill(self, tokens: int) -> Step:
        plan = self._planned
        assert sizes.activations(plan, tokens) <= max(sizes.work(plan), plan.kv_budget)
        pairs = sizes.causal_pairs(tokens)
        flops = sizes.linear_flops(plan, tokens) + sizes.attention_flops(plan, pairs, plan.layers)
        return Work(5 * plan.layers, plan.weight_bytes, flops, plan.dtype, plan.weight_bytes)

    def record(self, step: Step) -> Step:
        if self.records:
            raise NoGraph(self.records)
        assert isinstance(step, Work)
        self.time(step, 2, 1)
        return replace(step, graph=True)

    def time(self, step: Step, repeats: int, blocks: int) -> list[float]:
        assert isinstance(step, Work)
        assert repeats >= 1
        assert blocks >= 1
        self.timings += 1
        if self.breaks and self.timings == self.breaks[0]:
            raise self.breaks[1]
        return [self._block(step, repeats) for _ in range(blocks)]

    def now(self) -> float:
        return self.clock

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.clock += seconds

    def busy(self) -> float | None:
        return self.worked * self.share * (self.known.threads or 1) if self.known.threads else None

    def watch(self) -> Snapshot:
        held = 0
        for after, bits in self.reasons.items():
            if self.worked >= after:
                held |= bits
        top = self.known.memory_clock
        others = (*(self.known.others or ()), *self.late) if self.known.witness else None
        return Snapshot(others, held, self.memory_clock or top, top)

    def peak(self) -> int | None:
        return self.held

    def release(self) -> None:
        self.released += 1

    # --- its physics ---------------------------------------------------------------------------------------------

    @property
    def _planned(self) -> Plan:
        assert self.plan is not None, "memory is taken before anything runs"
        return self.plan

    def _block(self, work: Work, repeats: int) -> float:
        slow = self.cold + (1 - self.cold) * min(1.0, self.worked / self.warm)
        slow *= self.tired if self.worked > self.tired_after else 1.0
        self.blocks += 1
        if self.twice and self.blocks % 2:
            slow *= 1 + self.twice
        one = self._seconds(work) * slow * max(0.2, 1 + self.random.gauss(0, self.noise)) / self.share
        if self.stalls and self.blocks % self.stalls == 0:
            one += STALL / repeats
        self.clock += one * repeats
        self.worked += one * repeats
        return one

    def _seconds(self, work: Work) -> float:
        fast = self.cached if work.footprint <= max(self.known.cache or 0, self.hidden) else 1.0
        memory = work.moved / (self.bandwidth * fast)
        compute = work.flops / self.peaks[work.dtype] if work.flops else 0.0
        fixed = work.kernels * (self.kernel if work.graph or not self.graphs else self.launch)
        p = self.overlap
        return float(fixed + (memory**p + compute**p) ** (1 / p))


def asked(seconds: float = 25.0, **fields: Any) -> Request:
    """A request, as the parent would send it."""
    return Request(**{"device": "auto", "seconds": seconds, "shape": None, "case": None, "layers": None,
                      "zeros": False, **fields})  # fmt: skip


def events(card: Card, request: Request | None = None) -> list[dict[str, Any]]:
    """Everything that a run on the card tells."""
    out = io.StringIO()
    measure(card, Emitter(out), request or asked())
    return [json.loads(line) for line in out.getvalue().splitlines()]
