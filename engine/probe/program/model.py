"""What the parts of the program tell each other, as frozen data."""

from __future__ import annotations

from typing import NamedTuple


class Shape(NamedTuple):
    """The matrices and the attention of one layer of a dense decoder."""

    d_model: int
    d_ff: int
    n_head: int
    n_kv_heads: int
    d_head: int
    gated: bool

    @property
    def matrices(self) -> tuple[tuple[int, int], ...]:
        """Rows and columns of query-key-value, output, up (with gate) and down, each fused as servers do."""
        inner = self.n_head * self.d_head
        return (
            (inner + 2 * self.n_kv_heads * self.d_head, self.d_model),
            (self.d_model, inner),
            (self.d_ff * (2 if self.gated else 1), self.d_model),
            (self.d_model, self.d_ff),
        )

    @property
    def parameters(self) -> int:
        """Numbers in the matrices of a layer."""
        return sum(rows * columns for rows, columns in self.matrices)

    @property
    def cached(self) -> int:
        """Numbers that one token keeps in the KV cache of a layer."""
        return 2 * self.n_kv_heads * self.d_head

    @property
    def activations(self) -> int:
        """Numbers that one token holds while a layer works on it: input, output, and what the matrices make."""
        return 2 * self.d_model + sum(rows for rows, _ in self.matrices)


class Case(NamedTuple):
    """The workload's own step: sequences, tokens that each holds, tokens of a prompt (``None``: not asked)."""

    batch: int
    context: int
    prompt: int | None


class Request(NamedTuple):
    """What is asked. ``layers`` bounds those of the stack; ``zeros``: also time one product of zeros."""

    device: str
    seconds: float
    shape: Shape | None
    case: Case | None
    layers: int | None
    zeros: bool


class Facts(NamedTuple):
    """What the driver and torch say of a device. Bytes, MHz; ``None`` where they do not say.

    Attributes:
        backend: cuda, rocm, mps or cpu.
        cache: of the last level; on AMD without the Infinity Cache.
        units: multiprocessors, or cores.
        slice: profile of a MIG slice ("1g.10gb"); ``slice_of`` its share as (k, of).
        witness: whether the driver tells clocks and other processes.
        others: (process id, bytes) on the card before the probe came; ``None`` where the driver does not say.
    """

    backend: str
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
    slice_of: tuple[int, int] | None = None
    driver: str | None = None
    runtime: str | None = None
    threads: int | None = None
    witness: bool = False
    others: tuple[tuple[int, int | None], ...] | None = None
    utilization: int | None = None
    context_seconds: float | None = None

    @property
    def bandwidth(self) -> float | None:
        """Bytes a second that the memory can move at most: clock times bus width, two transfers a clock.

        NVIDIA's driver tells half the transfer rate for GDDR and HBM alike (H100 2619 MHz x 5120 bits is 3.35 TB/s,
        RTX 3090 9751 MHz x 384 bits 936 GB/s). AMD's means another thing for GDDR6, and memory shared with a processor
        tells the processor's: ``None`` for both.
        """
        if self.backend != "cuda" or self.integrated or not self.memory_clock or not self.memory_bus_bits:
            return None
        return self.memory_clock * 1e6 * self.memory_bus_bits * 2 / 8


class Plan(NamedTuple):
    """The stack that stands for a model, and the memory of a run. ``origin`` is default, case or reduced."""

    dtype: str
    shape: Shape
    layers: int
    layer_bytes: int
    kv_budget: int
    scratch: int
    origin: str

    @property
    def weight_bytes(self) -> int:
        """Bytes of all layers' matrices."""
        return self.layers * self.layer_bytes

    @property
    def budget(self) -> int:
        """Bytes that the run may hold at once."""
        return self.weight_bytes + self.kv_budget + self.scratch


class Snapshot(NamedTuple):
    """What the witness saw since it was last asked.

    Attributes:
        others: (process id, bytes) on the card besides the probe; ``None``: not told.
        reasons: why clocks were held down, event bits of NVML.
        memory_clock, memory_clock_max: MHz, while the card worked.
    """

    others: tuple[tuple[int, int | None], ...] | None = None
    reasons: int = 0
    memory_clock: float | None = None
    memory_clock_max: float | None = None


class Refused(Exception):
    """The device has no such product: the dtype, the size or the card."""


class NoMemory(Exception):
    """The device has too little memory for it."""


class NoDevice(Exception):
    """The device asked for is not there, or does not let itself be used."""


class Stopped(BaseException):
    """Somebody asked the program to end. Not an ``Exception``: nothing that tries something out may swallow it."""


class NoGraph(Exception):
    """A step cannot be recorded. The text says why, in one line."""
