"""Events of the probe's program into a :class:`engine.probe.readings.Run`, one by one; what a cut-short run told stays.

The events are described in :mod:`engine.probe.program`. They come from another process: a line that is odd is counted
and left out, never an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

from engine.probe.readings import (
    Cache,
    CaseStep,
    Device,
    Ended,
    Event,
    Linear,
    Moved,
    Note,
    Plan,
    Product,
    Prompt,
    Ramp,
    Run,
    Software,
    Time,
)


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
