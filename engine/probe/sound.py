"""A run without readings that no device can have given: numbers from another process are not believed blindly."""

from __future__ import annotations

from dataclasses import replace

from engine.probe.readings import Run, Time

_SECONDS = (1e-9, 1e4)
_RATE = (1e3, 1e20)
"""Wide of every device: a product of one microsecond, memory of a petabyte a second."""


def sound(run: Run) -> Run:
    """The run without readings outside of what any device can do; each counts as an odd line."""
    kept = replace(
        run,
        moved=tuple(one for one in run.moved if _time(one.time) and _rate(one.rate)),
        products=tuple(one for one in run.products if _time(one.time) and _rate(one.rate)),
        linear=tuple(one for one in run.linear if _passes(one.up, one.down) and _works(one.bytes, one.flops, one.time)),
        caches=tuple(one for one in run.caches if _works(one.bytes, one.flops, one.time)),
        prompts=tuple(one for one in run.prompts if _time(one.time) and _rate(one.rate)),
        floor=run.floor if run.floor is not None and _time(run.floor) else None,
        eager=run.eager if run.eager is not None and _time(run.eager) else None,
        case=run.case if run.case is not None and _works(run.case.weight_bytes, 1, run.case.time) else None,
    )
    return replace(kept, odd=run.odd + _readings(run) - _readings(kept))


def _readings(run: Run) -> int:
    lists = (run.moved, run.products, run.linear, run.caches, run.prompts)
    return sum(len(one) for one in lists) + sum(one is not None for one in (run.floor, run.eager, run.case))


def _time(time: Time) -> bool:
    return _SECONDS[0] <= time.seconds <= _SECONDS[1] and _SECONDS[0] <= time.median <= _SECONDS[1]


def _passes(*passes: Time | None) -> bool:
    return all(one is None or _time(one) for one in passes)


def _rate(rate: float) -> bool:
    return _RATE[0] <= rate <= _RATE[1]


def _works(size: int, flops: int, time: Time) -> bool:
    return _time(time) and _rate(size / time.seconds) and flops / time.seconds <= _RATE[1]
