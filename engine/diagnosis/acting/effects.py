"""What a lever does to the measures of a case: the one that it is judged by, and those that are worth a line."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from engine.diagnosis.acting import measures
from engine.diagnosis.acting.preconditions import Goal
from engine.diagnosis.model import Effect, Scenario, Span

if TYPE_CHECKING:
    from engine.diagnosis.acting.levers import Lever
    from engine.diagnosis.cases.case import Case

LEAST = Fraction(103, 100)
"""A smaller gain is none: far inside the band of every step time."""


def as_long(case: Case, after: Scenario) -> Scenario:
    """The scenario with sequences as long as they are before a lever: where only the gauge of the pool told that, what
    is computed after it would take another length, and the gain would be that of shorter requests."""
    told = case.held_of_pool if case.peak_tokens is None and case.scenario.held is None else None
    if told is None or after.held is not None or after.prompt is not None or after.output is not None:
        return after
    return after.having(held=told)


def held(case: Case, after: Scenario) -> Scenario:
    """The scenario after a lever under the load of before: where arrivals decide how many run, a faster server would
    have fewer, and its steps would seem faster than the lever makes them."""
    same = after.concurrency is None and after.request_rate is not None and case.asked is not None
    if not same or after.request_rate != case.scenario.request_rate:
        return after
    at_once = (case.asked or 1) * case.spread.dp
    return after.having(concurrency=Span(at_once, at_once))


def effect(case: Case, after: Case, aim: Goal, lever: Lever) -> Effect | None:
    """What a lever does to the measure of a goal. A step of more requests takes longer and yields more: where another
    number of them runs, it is the yield that is compared."""
    name = lever.instead.get(aim.measure, aim.measure)
    if name == "outside" and case.share_taken is not None:
        name = "free"  # whether it starts decides, not what is left for others
    if name == "free" and case.cache_refused is not None and measures.cache(after) != measures.cache(case):
        name = "cache"  # what the card has for it is only known to be less than it was asked for
    if name == "decode-step" and after.batch != case.batch and case.output_rate and after.output_rate:
        name = "output-rate"
    return measures.effect(name, case, after) if name else None


def gain(case: Case, after: Case, aim: Goal, lever: Lever) -> Fraction | None:
    """How many times better the measure of a goal gets; ``None`` where it cannot be told."""
    found = effect(case, after, aim, lever)
    return None if found is None else measures.gain(found, case, after)


def shown(
    case: Case, after: Case, lever: Lever, verdict: Sequence[Goal], first: tuple[Effect, ...]
) -> tuple[Effect, ...]:
    """The effects that are worth a line: the first, what gets better, then what gets worse; of the measures of the
    verdict the one that a lever worsens most is always told. None where only worse ones are known: they are of other
    things than the lever is for."""
    of_verdict = [aim.measure for aim in verdict if aim.measure]
    had = {one.measure for one in first}
    found = [one for name in dict.fromkeys(lever.shows) if name not in had and (one := moving(name, case, after))]
    others = dict.fromkeys(("prefill-step", "decode-step", *of_verdict)) if of_verdict else {}
    losses = []
    for name in others:
        one = None if name in had or name in lever.shows else moving(name, case, after)
        times = None if one is None else measures.gain(one, case, after)
        if one is not None and times is not None and times * LEAST < 1:
            losses.append((times, one))
    if losses:
        found.append(min(losses, key=lambda pair: pair[0])[1])
    better = [one for one in found if not worse(one)]
    return (*first, *better, *(one for one in found if worse(one))) if first or better else ()


def moving(name: str, case: Case, after: Case) -> Effect | None:
    """A measure that a lever moves by enough to be worth a line."""
    found = measures.effect(name, case, after)
    return found if found is not None and moved(found) else None


def moved(one: Effect) -> bool:
    """Whether an effect is worth a line: a hundredth at least."""
    (old, of_old), (new, of_new) = one.before.value.as_integer_ratio(), one.after.value.as_integer_ratio()
    change = new * of_old - old * of_new  # over both denominators: no fraction is reduced for it
    return change != 0 and abs(change) * 100 >= abs(old) * of_new


def worse(one: Effect) -> bool:
    """Whether a measure gets worse."""
    old, new = one.before.value, one.after.value
    return new < old if one.better > 0 else new > old


def lost(case: Case, after: Case) -> Effect | None:
    """The time that a lever costs where it gains none; ``None`` where it gains some, or nothing can be told."""
    found = [one for name in ("decode-step", "prefill-step") if (one := moving(name, case, after)) is not None]
    times = [each for one in found if (each := measures.gain(one, case, after)) is not None]
    return found[0] if times and max(times) < LEAST and min(times) * LEAST < 1 else None
