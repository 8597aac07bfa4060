"""The numbers of a lever's sentences: why it does not help, and what its act chose."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from engine.diagnosis.acting import acts, measures
from engine.diagnosis.acting.preconditions import Goal
from engine.diagnosis.cases import placement
from engine.diagnosis.model import Amount, Effect, Key, Param, Scenario

if TYPE_CHECKING:
    from engine.diagnosis.cases.case import Case


def wall(aim: Goal) -> dict[str, Param]:
    """The wall that a lever is not for."""
    slow = (aim.wall, aim.detail) == ("cpu-overhead", "slow-kernel")  # that is on the card
    return {"wall": Key("detail.slow-kernel" if slow else f"wall.{aim.wall}")}


def reason(case: Case, aim: Goal, why: str) -> dict[str, Param]:
    """The numbers of a reason."""
    return {name: value for name, value in _numbers(case, aim, why).items() if value is not None}


def _numbers(case: Case, aim: Goal, why: str) -> Mapping[str, Param | None]:
    match why:
        case "no-unit" | "no-kernel" | "no-fp8-cache":
            return {"card": case.scenario.gpu.name if case.scenario.gpu else None}
        case "frees-other-bytes":
            free = case.free_bytes
            return {"short": _amount(-free, "bytes") if free is not None and free < 0 else None}
        case "at-limit":
            return {"now": _amount(case.defaults.utilization.value, "%")}
        case "pool-full":
            return {"fits": _amount(case.requests_that_fit, "requests")}
        case "pool-has-room":
            return {
                "fits": _amount(case.requests_that_fit, "requests"), "asked": _amount(case.asked, "requests")
            }  # fmt: skip
        case "nothing-waits":
            return {"asked": _amount(case.asked, "requests")}
        case "beyond-knee":
            return {"batch": _amount(case.batch, "requests"), "knee": _amount(case.knee, "tokens")}
        case "busy":
            return {"batch": _amount(case.batch, "requests")}
        case "prompts-need-it":
            return {"tokens": _amount(case.peak_tokens, "tokens")}
        case "whole-prompt":
            return {"tokens": _amount(case.prompt, "tokens")}
        case "not-the-wall":
            return wall(aim)
    return {}


def _amount(value: int | Fraction | None, unit: str) -> Amount | None:
    return None if value is None else Amount.of(value, unit)


_APART = Fraction(5, 4)
"""A measured rate so many times a computed one, or less, is another figure than it: a person has to see both."""


def seen(case: Case, first: Effect | None) -> dict[str, Param]:
    """The output rate that was measured, where a lever's effect starts from one that is computed and far from it."""
    rate = case.scenario.throughput
    if first is None or first.measure != "output-rate" or not rate or first.before.value <= 0:
        return {}
    times = first.before.value / rate
    return {"measured": Amount(rate, "tokens/s")} if not 1 / _APART <= times <= _APART else {}


_UNITS = {
    "utilization": "%", "watermark": "%", "max_model_len": "tokens", "context_total": "tokens", "slots": "slots",
    "max_num_seqs": "requests", "graph_max_batch": "tokens", "max_num_batched_tokens": "tokens", "cpu_offload": "bytes",
}  # fmt: skip
"""Numbers of a scenario that an act sets, with their units."""


def chosen(case: Case, after: Scenario) -> dict[str, Param]:
    """What the act chose, for its sentence: ``to``, a card, a format, cards, and what was assumed."""
    before = case.scenario
    found: dict[str, Param] = {}
    for name, unit in _UNITS.items():
        value = getattr(after, name)
        unseen = name == "graph_max_batch" and before.eager  # without graphs their size is no choice
        if value and value != getattr(before, name) and "to" not in found and not unseen:
            found["to"] = Amount.of(value, unit)
    if after.weights is not None and after.weights != before.weights:
        found["format"] = after.weights.name
    elif after.kv is not None and after.kv != before.kv:
        found["format"] = after.kv
    if after.gpu is not None and after.gpu != before.gpu:
        found["card"] = after.gpu.name
    if (after.tp, after.pp, after.dp) != (before.tp, before.pp, before.dp):
        spread = placement.spread(after)[0]
        found["cards"] = Amount(Fraction(spread.cards), "cards")
        found["each"] = Amount(Fraction(spread.tp * spread.pp), "cards")
    if "to" not in found and after.concurrency not in (None, acts.offered(before)):
        assert after.concurrency is not None
        found["to"] = Amount(Fraction(after.concurrency.mid), "requests")
    for name in ("prompt", "output"):
        span = getattr(after, name)
        if span is not None and span != getattr(before, name):
            found["to"] = Amount(Fraction(span.mid), "tokens")
    if after.speculation and not before.speculation:
        found["assumed"] = Amount(measures.ACCEPTANCE, "%")
    if after.prefix_caching and not before.prefix_caching:
        found["assumed"] = Amount(measures.HIT_RATE, "%")
    return found
