"""What the probe's program reported, as frozen data: events come in one by one, a cut-short run keeps what it has.

The events are described in :mod:`engine.probe.program`. They come from another process: a line that is odd is counted
and left out, never an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
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


@dataclass
class Gather:
    """Builds a :class:`Run` from events, in the order in which they came."""

    run: Run = field(default_factory=Run)

    def feed(self, event: object) -> None:
        """Take one event. One that is no event of ours, or lacks a number, is counted in ``odd``."""
        try:
            self.run = _taken(self.run, event)
        except (KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError, AttributeError):
            self.run = replace(self.run, odd=self.run.odd + 1)


def gathered(events: Iterable[object]) -> Run:
    """The run that a list of events tells of."""
    gather = Gather()
    for event in events:
        gather.feed(event)
    return gather.run


def _taken(run: Run, event: object) -> Run:
    if not isinstance(event, Mapping):
        raise TypeError("an event is a table")
    kind = event["event"]
    if kind == "reading":
        return _reading(run, event)
    made = _MAKERS[kind](run, event)
    return replace(run, **made)


def _number(event: Event, name: str) -> float:
    """A positive finite number. Raises ``ValueError`` for anything else."""
    value = event[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value <= 0:
        raise ValueError(name)
    return float(value)


_MOST = 10**24
"""Bytes and FLOPs of a step stay far below."""
_MOST_COUNTED = 10**9
_SIZES = ("bytes", "flops", "budget")
"""Ends of the names of what is no count of layers, tokens or the like."""


def _whole(event: Event, name: str) -> int:
    """A whole number of 1 and over that a device can have. Raises as :func:`_number`."""
    value = int(_number(event, name))
    if not 1 <= value <= (_MOST if name.endswith(_SIZES) else _MOST_COUNTED):
        raise ValueError(name)
    return value


def _wholes(event: Event, *names: str) -> dict[str, Any]:
    """Whole positive numbers by name. Raises as :func:`_number`."""
    return {name: _whole(event, name) for name in names}


def _some(event: Event, name: str) -> Any:
    """A number that may be missing."""
    value = event.get(name)
    usable = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    return value if usable else None


def _text(event: Event, name: str) -> str:
    """A short printable text: it comes from a driver or another process."""
    value = event.get(name)
    return "" if value is None else "".join(c for c in str(value) if c.isprintable())[:200]


_NOISIEST = 4.0
"""An interquartile range of four medians says all that noise can say."""


def _time(event: Event) -> Time:
    noise = max(0.0, _some(event, "noise") or 0.0)
    return Time(
        _number(event, "seconds"), _number({"median": event.get("median", event["seconds"])}, "median"),
        min(_NOISIEST, noise), int(_some(event, "blocks") or 1), bool(event.get("graph")), bool(event.get("flagged")),
    )  # fmt: skip


# --- events that are no readings -------------------------------------------------------------------------------------


def _software(run: Run, event: Event) -> dict[str, Any]:
    seconds = float(_some(event, "import_seconds") or 0.0)
    return {"software": Software(_text(event, "python"), _text(event, "torch"), _text(event, "backend"), seconds)}


def _device(run: Run, event: Event) -> dict[str, Any]:
    others = event.get("others") or []
    pids = tuple(int(one["pid"]) for one in others if isinstance(one, Mapping) and "pid" in one)
    wholes = {name: _some(event, name) for name in ("total", "free", "cache", "units", "memory_bus_bits", "threads")}
    return {"device": Device(
        _text(event, "kind"), _text(event, "name"), _text(event, "capability") or None, _text(event, "arch") or None,
        clock=_some(event, "clock"), memory_clock=_some(event, "memory_clock"),
        integrated=bool(event.get("integrated")), slice=_text(event, "slice") or None,
        driver=_text(event, "driver") or None, runtime=_text(event, "runtime") or None,
        witness=bool(event.get("witness")), others=pids, utilization=_some(event, "utilization"),
        **{name: int(value) if value is not None and 1 <= value <= _MOST else None for name, value in wholes.items()},
    )}  # fmt: skip


def _plan(run: Run, event: Event) -> dict[str, Any]:
    names = ("d_model", "d_ff", "n_head", "n_kv_heads", "d_head", "layers", "weight_bytes", "budget")
    return {"plan": Plan(
        dtype=_text(event, "dtype"), gated=bool(event.get("gated", True)), origin=_text(event, "origin"),
        **_wholes(event, *names),
    )}  # fmt: skip


def _stage(run: Run, event: Event) -> dict[str, Any]:
    return {"stage": _text(event, "stage"), "elapsed": float(_some(event, "elapsed") or run.elapsed)}


def _note(run: Run, event: Event) -> dict[str, Any]:
    params = {name: value for name, value in event.items() if name not in ("event", "id")}
    return {"notes": (*run.notes, Note(_text(event, "id"), params))}


def _end(run: Run, event: Event) -> dict[str, Any]:
    stages, memory = event.get("stages") or {}, event.get("memory") or {}
    spent = {str(name): float(value) for name, value in stages.items() if isinstance(value, int | float)}
    budget, peak = _some(memory, "budget"), _some(memory, "peak")
    elapsed = float(_some(event, "elapsed") or 0.0)
    return {"ended": Ended(_text(event, "reason"), elapsed, spent, budget, peak), "elapsed": elapsed}


def _failed(run: Run, event: Event) -> dict[str, Any]:
    return {"failed": (_text(event, "id") or "error", _text(event, "detail"))}


_MAKERS = {
    "hello": _software, "device": _device, "plan": _plan, "stage": _stage, "note": _note, "end": _end,
    "failed": _failed,
}  # fmt: skip


# --- readings --------------------------------------------------------------------------------------------------------


def _reading(run: Run, event: Event) -> Run:
    what, again = event["what"], event.get("stage") == "recheck"
    if what == "ramp":
        ramp = Ramp(_number(event, "first"), _number(event, "last"), bool(event.get("settled")))
        return replace(run, ramp=ramp)
    time = _time(event)
    if what in ("copy", "read"):
        return replace(run, moved=(*run.moved, Moved(what, _whole(event, "bytes"), time, again)))
    if what == "matmul":
        product = Product(
            _text(event, "dtype"), _whole(event, "n"), _whole(event, "flops"), _text(event, "fill"), time, again
        )  # fmt: skip
        return replace(run, products=(*run.products, product))
    if what == "floor":
        return replace(run, floor=time, floor_layers=_whole(event, "layers") if event.get("layers") else None)
    if what == "eager":
        return replace(run, eager=time)
    if what == "linear":
        return replace(run, linear=_with_pass(run.linear, event, time))
    if what == "kv":
        cache = Cache(**_wholes(event, "batch", "context", "layers", "bytes", "flops"), time=time)
        return replace(run, caches=(*run.caches, cache))
    if what == "prefill":
        sizes = _wholes(event, "tokens", "linear_flops", "attention_flops", "bytes")
        return replace(run, prompts=(*run.prompts, Prompt(**sizes, time=time, stage=_text(event, "stage"))))
    if what == "case":
        names = ("batch", "context", "layers", "weight_bytes", "kv_bytes", "linear_flops", "attention_flops")
        return replace(run, case=CaseStep(**_wholes(event, *names), time=time))
    raise ValueError(what)


def _with_pass(known: tuple[Linear, ...], event: Event, time: Time) -> tuple[Linear, ...]:
    """The curve with one more pass of a batch; batches in order."""
    batch, down = _whole(event, "batch"), event.get("pass") == 2
    old = next((one for one in known if one.batch == batch), None)
    up, back = (old.up, old.down) if old is not None else (None, None)
    made = Linear(
        batch, _whole(event, "bytes"), _whole(event, "flops"), up if down else time, time if down else back
    )  # fmt: skip
    return tuple(sorted((*(one for one in known if one.batch != batch), made), key=lambda one: one.batch))
