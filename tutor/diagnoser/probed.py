"""A probe of this machine's card as a diagnosis uses it: which run counts, and the scenario with what it measured."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from engine.diagnosis.model import Scenario
    from engine.efficiency import Idle
    from engine.probe.model import Result
    from engine.probe.readings import Device
    from tutor.probing.cards import Card, Present
    from tutor.probing.running import Ready

FRESH = timedelta(days=1)
"""Age up to which a kept run stands for the card: drivers and cooling change, ceilings do not by the hour."""


class Seen(NamedTuple):
    """A measurement that a diagnosis takes into account.

    Attributes:
        result: what was found.
        at: when (UTC, ISO 8601); "" for just now.
        own: whether it was made for a workload of the reader's; :func:`about` says whether it is this one still.
    """

    result: Result
    at: str = ""
    own: bool = True


class Chance(NamedTuple):
    """What is to be had without asking anybody: a run of the last day, or one that may start now; else why there is
    none, as the id of a condition and the values of its sentence ("" where nobody need know)."""

    seen: Seen | None = None
    ready: Ready | None = None
    reason: str = ""
    params: Mapping[str, Any] = MappingProxyType({})


def look(scenario: Scenario, python: str | None = None) -> Chance:
    """What this machine can say to a scenario by itself; ``python`` is the one that was chosen for the probe. Takes as
    long as its drivers and Pythons; raises nothing of theirs."""
    from tutor.probing import cards, conditions, running

    present = cards.present()
    if not present.cards or names_another(scenario, present):
        return Chance()
    seen = recent(scenario, present)
    if seen is not None:
        return Chance(seen)
    ready = running.prepare(scenario, python=python)
    found = None if isinstance(ready, running.NotReady) else ready
    may = conditions.may_start(present, found.python if found is not None else None, scenario.gpu)
    if may.answer == "go":
        return Chance(ready=found)
    return Chance(reason=may.reason, params=may.params)


def about(scenario: Scenario, seen: Seen) -> Seen:
    """The measurement, its step the scenario's own only where that very model and load ran: a form goes on being filled
    in, and a name alone runs the probe's own stack."""
    from tutor.probing import running

    own = seen.own and seen.result.own_layers  # most measurements are not, and a workload takes its time
    return seen._replace(own=own and seen.result.ran(running.workload(scenario, seen.result.card)))


def fed(scenario: Scenario, seen: Seen) -> Scenario:
    """The scenario with what was measured; the same one where nothing usable was, or where it is about another card.
    The class of the step counts too where ``seen`` is about its own.

    A scenario that names no card, or one by a short name that this machine's fits too, runs on this machine's.
    """
    from engine.diagnosis.model import Said

    result = seen.result
    card = result.card or result.measured_card
    if result.reached is None or not result.usable or card is None:
        return scenario
    if scenario.gpu is None and (card.name in scenario.gpu_options or not scenario.gpu_name):
        said = {**scenario.said, "gpu": Said("measured", "probe")}
        scenario = scenario.having(gpu=card, gpu_name=card.name, gpu_options=(), said=said)
    made = scenario.having(probed=result.reached._replace(idle=_idle(result) if seen.own else None))
    return made if made.seen is not None else scenario


def _idle(result: Result) -> Idle | None:
    """That the step waited for neither memory nor math, where the probe classed it so."""
    from engine.efficiency import Idle

    if result.case is None or result.case.verdict.label != "overhead":
        return None
    of = result.case.verdict
    moved = None if of.bandwidth_share is None else Fraction(of.bandwidth_share).limit_denominator(1000)
    return Idle(Fraction(of.confidence).limit_denominator(1000), moved)


def names_another(scenario: Scenario, present: Present) -> bool:
    """Whether a scenario is about a card that this machine has not: then nothing here can be measured for it."""
    from tutor.probing import running

    gpus = running.meant(scenario)
    if not gpus:
        return bool(scenario.gpu_name)
    return not any(running.is_one(card, gpus) for card in present.cards)


def recent(scenario: Scenario, present: Present) -> Seen | None:
    """The newest usable run of the card that would be measured, if it is not too old."""
    from engine.probe.result import judge
    from tutor.probing import kept, running

    card = running.chosen(present.cards, running.meant(scenario))
    if card is None:
        return None
    for one in reversed(kept.runs()):
        if one.run.device is not None and _is_of(one.run.device, card) and _age(one.at) <= FRESH:
            result = judge(one.run)
            if result.usable and result.reached is not None:
                return Seen(result, one.at, own=False)
    return None


def _is_of(device: Device, card: Card) -> bool:
    """Whether a run's device is a card of this machine: by its name, and its driver where both tell it."""
    if device.kind == "cpu" or device.name != card.name:
        return False
    return not card.driver or device.driver in (None, card.driver)


def _age(at: str) -> timedelta:
    """How long ago a run was; more than any limit where its moment cannot be read, or lies ahead of the clock."""
    try:
        then = datetime.fromisoformat(at)
    except ValueError:
        return timedelta.max
    if then.tzinfo is None:
        return timedelta.max
    age = datetime.now(UTC) - then
    return age if age > timedelta(minutes=-5) else timedelta.max
