"""This run beside an earlier one of the same device: what became faster or slower since."""

from __future__ import annotations

from collections.abc import Mapping

from engine.probe.model import Ceiling, Change, Result


def changes(now: Result, before: Result) -> tuple[Change, ...]:
    """Each number that both runs have; nothing for runs of different devices or of different stacks' sizes."""
    if not same_device(now, before):
        return ()
    current, earlier = _numbers(now), _numbers(before)
    if not (now.usable and before.usable):
        return ()
    alike = _stack(now) == _stack(before)
    stack_only = ("knee", "prefill", "floor")
    return tuple(
        Change(name, earlier[name], value)
        for name, value in current.items()
        if name in earlier and (alike or name not in stack_only)
    )


def same_device(now: Result, before: Result) -> bool:
    """Whether two runs measured the same kind of device, or the same slice of it."""
    one, other = now.run.device, before.run.device
    if one is None or other is None:
        return False
    return (one.kind, one.name, one.slice, one.total) == (other.kind, other.name, other.slice, other.total)


def _stack(of: Result) -> tuple[object, ...] | None:
    plan = of.run.plan
    return None if plan is None else (plan.dtype, plan.d_model, plan.d_ff, plan.layers)


def _numbers(of: Result) -> Mapping[str, float]:
    rates: dict[str, Ceiling | None] = {
        "bandwidth": of.ceilings.bandwidth,
        **{dtype: of.ceilings.products.get(dtype) for dtype in ("bf16", "fp8", "int8")},
    }
    found: dict[str, float | None] = {name: one.rate if one is not None else None for name, one in rates.items()}
    found["knee"] = of.knee.batch if of.knee is not None else None
    found["kv"] = of.ceilings.kv.rate if of.ceilings.kv is not None else None
    found["prefill"] = of.ceilings.prefill.rate if of.ceilings.prefill is not None else None
    found["floor"] = of.ceilings.fixed
    return {name: value for name, value in found.items() if value}
