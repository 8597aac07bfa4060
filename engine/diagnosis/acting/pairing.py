"""Two levers that do together what neither does alone: all weights on the card with an 8-bit cache, FP8 with a shorter
window, smaller groups of cards with weights of fewer bits.

A pair is a lever that goes the right way and is not enough, with a second one that frees what is still missing. Nothing
is bought with either, and no work is taken away. A pair is weighed like one lever, whose act is both acts, by the same
engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from engine.diagnosis.acting import acts, moves, typed
from engine.diagnosis.acting.aims import LEAST_POOL
from engine.diagnosis.acting.levers import LEVERS, Lever
from engine.diagnosis.acting.preconditions import MEMORY, Check, Goal
from engine.diagnosis.acting.ranking import CLEARLY, Weighed, computed
from engine.diagnosis.model import Partner, Scenario

if TYPE_CHECKING:
    from engine.diagnosis.cases.case import Case

Weigh = Callable[[Lever], Weighed]
"""Weighs a lever for the goal that the pair is for."""
Test = Callable[["Case", Goal, Lever], Check]
"""Whether what a lever needs holds for a case."""

_SHORT = ("not-enough", "does-not-fit")
"""Reasons of a lever that lacks bytes, and that a second one may give them."""
PARTNERS = tuple(
    row for row in LEVERS.values()
    if row.act is not None and row.weighs == "rank" and not row.hardware and not row.of_all
    and not row.sure_cost and set(MEMORY).intersection(row.attacks) and row.narrows != "weights"
)  # fmt: skip
"""Levers that free bytes beside the weights, whose format is never the smaller half of a pair."""


def first(case: Case, aim: Goal, found: Sequence[Weighed], weigh: Weigh, test: Test) -> Weighed | None:
    """The first pair that takes the wall away, as the result of its first lever; ``None`` where there is none, or where
    one lever does so at no higher price.

    Args:
        case: the scenario.
        aim: what is wrong.
        found: levers as they do alone, the cause's first choice first.
        weigh: weighs a lever for ``aim``.
        test: its preconditions.
    """
    if any(_enough(one) for one in found):
        return None
    for one in (each.result for each in found):
        lever = LEVERS[one.id]
        if one.why in _SHORT and one.after is not None and lever.weighs == "rank" and not lever.hardware:
            pair = _fitting(case, aim, lever, one.after, weigh, test)
            if pair is not None:
                return pair
    return None


_FEWER_BITS = ("w4a16", "fp8", "w8a8")
"""Formats that let a copy of the weights fit fewer cards."""


def regrouped(case: Case, aim: Goal, found: Sequence[Weighed], weigh: Weigh, test: Test) -> Weighed | None:
    """Smaller groups of cards with weights of fewer bits, as the result of the replicas, where the link between the
    cards is the wall and smaller groups alone do not help: fewer cards that share a layer read more of it each.

    ``None`` where the groups are as small as can be, or no format helps either. Of formats that give about as much the
    one of more bits, which costs the answers least.
    """
    alone = next((one.result for one in found if one.result.id == "data-parallel" and not one.result.helps), None)
    if aim.wall != "interconnect" or case.spread.tp < 2 or case.host_weights or alone is None or alone.why in _ASKED:
        return None
    pairs: list[tuple[Fraction, Weighed]] = []
    for name in _FEWER_BITS:
        lever = LEVERS[name]
        state = test(case, aim, lever).state
        half = (
            lever.act(case) if lever.act is not None and state != "failed" and name not in case.scenario.tried else None
        )
        between = None if half is None else acts.again(half)
        after = None if between is None else moves.data_parallel(between)
        if half is None or between is None or after is None:
            continue
        one = weigh(LEVERS["data-parallel"]._replace(act=lambda case, after=after: after))  # type: ignore[misc]
        if not one.result.helps or one.buys or not computed(one.result) or one.result.gain is None:
            continue
        flag = typed.both((name, case, half), ("data-parallel", between, after))
        beside = Partner(name, typed.flag(name, case, half), state)
        pairs.append((one.result.gain, one._replace(result=one.result._replace(flag=flag, beside=beside))))
    if not pairs:
        return None
    most = max(gain for gain, _ in pairs)
    return next(one for gain, one in reversed(pairs) if gain * CLEARLY >= most)


_ASKED = ("tried", "few-requests", "one-request", "one-chip")
"""Reasons of replicas that no format changes."""


def _enough(one: Weighed) -> bool:
    """Whether a lever takes the wall away alone and nothing is bought; what 4 bits cost of the answers, 8 bits with a
    setting may spare."""
    lever = LEVERS[one.result.id]
    free = lever.weighs == "rank" and not lever.hardware and not one.buys
    return free and one.result.helps and one.removes and not lever.coarse


def _fitting(case: Case, aim: Goal, lever: Lever, half: Scenario, weigh: Weigh, test: Test) -> Weighed | None:
    """A lever with the first of its partners that removes the wall; the others that would are named beside."""
    between = acts.again(half)
    checked = [(test(between, aim, other).state, other) for other in PARTNERS
               if other.id != lever.id and other.id not in case.scenario.tried]  # fmt: skip
    checked.sort(key=lambda pair: _asks(*pair))
    found: Weighed | None = None
    instead: list[Partner] = []
    for state, other in checked:
        after = other.act(between) if state != "failed" and other.act is not None else None
        if after is None:
            continue
        result = weigh(lever._replace(act=lambda case, after=after: after))  # type: ignore[misc]
        if not (result.result.helps and result.removes) or result.buys or _useless(case, after):
            continue
        if weigh(other).removes:
            continue  # it does so alone
        beside = Partner(other.id, typed.flag(other.id, between, after), state)
        if found is None:
            flag = typed.both((lever.id, case, half), (other.id, between, after))
            found = result._replace(result=result.result._replace(flag=flag, beside=beside))
        else:
            instead.append(beside)
    if found is None:
        return None
    return found._replace(result=found.result._replace(instead=tuple(instead)))


def _asks(state: str, other: Lever) -> int:
    """What a partner asks for: nothing that is not known to hold; a setting, whose user knows; a format, whose card."""
    return 0 if state == "met" else 2 if other.narrows else 1


def _useless(case: Case, after: Scenario) -> bool:
    """Whether the pool then holds less than a request needs, or where nobody said how long one is, a common one."""
    least = max(LEAST_POOL, min(case.peak_tokens or acts.WINDOW, acts.WINDOW))
    held = acts.again(after).pool_tokens
    return held is not None and held < least
