"""Which levers help: each is applied, the scenario after it is computed, and one measure is compared.

Order of those that help. The causes' order holds for levers whose effect cannot be computed, or rests on a choice: they
keep their places. The places between them go to the computed ones, in this order: what needs no more cards before what
does; what removes the cause (the server starts, the requests asked for fit, nothing crosses the link) before what only
softens it; then the clearly larger gain, else (and among what removes it) as the causes named them. Levers that nobody
named follow where their gain is large.

Then those that do not help: what the causes named and the arithmetic, the card or the scenario refuses, what people
often try for this wall in vain, each with its reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from engine.diagnosis import acts, measures, parameters, spelling
from engine.diagnosis.aims import goals
from engine.diagnosis.causes import BY_ID
from engine.diagnosis.levers import LEVERS, Lever
from engine.diagnosis.model import Amount, Effect, Finding, LeverResult, Param, Wall
from engine.diagnosis.preconditions import MET, Check, Goal

if TYPE_CHECKING:
    from engine.diagnosis.case import Case

LEAST = Fraction(103, 100)
"""A smaller gain is none: far inside the band of every step time."""
_CLEARLY = Fraction(11, 10)
"""A gain must be so many times another to come before it: smaller differences are below what the figures can tell."""
LARGE = Fraction(115, 100)
"""From this gain on a lever is told of although no cause named it."""

USUAL: Mapping[Wall, tuple[str, ...]] = {
    "weights-memory": ("kv-quantization", "raise-memory-utilization", "lower-max-model-len"),
    "kv-memory": ("raise-concurrency",),
    "kv-fragmentation": ("w4a16", "raise-concurrency"),
    "memory-bandwidth": ("kv-quantization", "raise-memory-utilization", "paged-attention", "continuous-batching"),
    "compute": ("w4a16", "kv-quantization", "raise-memory-utilization", "more-memory"),
    "idle-scheduling": ("w4a16", "faster-gpu", "more-memory"),
    "interconnect": ("tensor-parallel", "more-memory", "faster-gpu"),
    "cpu-overhead": ("faster-gpu", "more-memory", "w4a16"),
    "other": ("w4a16", "more-memory"),
    "none": ("raise-memory-utilization", "more-memory"),
}
"""What people often try first for a wall (incidents.md, sections 2 and 6): told of where it does not help."""

_PAIR = ("fp8", "w8a8")
"""The two formats that compute in 8 bits; a card has one that suits it."""


class _Weighed(NamedTuple):
    """A result; whether the lever removes the cause, buys cards, or serves another wall than the verdict's."""

    result: LeverResult
    removes: bool = False
    buys: bool = False
    aside: bool = False


def judge(
    case: Case, findings: Sequence[Finding], wanted: Sequence[str], useless: Sequence[str]
) -> tuple[LeverResult, ...]:
    """The levers for a verdict: those that help, best first, then those that do not.

    Args:
        case: the scenario.
        findings: what was found, the verdict first.
        wanted: ids that the causes name, in their order.
        useless: ids that people try here in vain.
    """
    aims = goals(case, findings)
    aim = aims[0]
    named = [name for name in _paired(case, wanted) if name in LEVERS]
    vain = [name for name in dict.fromkeys(useless) if name in LEVERS and name not in named]
    own = frozenset(BY_ID[findings[0].cause].levers if findings and findings[0].cause in BY_ID else ())
    weighed = {name: _weigh_for(case, aims[:1] if name in own else aims, LEVERS[name]) for name in named}
    tried = [_in_vain(case, aim, LEVERS[name]) for name in vain]
    found = [one for one in tried if one.result.helps and not one.buys] + [weighed[name] for name in named]
    found += [one for one in tried if one.result.helps and one.buys]
    helping = _ordered([one for one in found if one.result.helps], named[-1] if named else "")
    refused = [weighed[name].result for name in named if not weighed[name].result.helps]
    helping += _more(case, aim, {*named, *vain})
    refused += [one.result for one in tried if not one.result.helps]
    for name in USUAL[aim.wall]:
        if name not in named and name not in vain:
            usual = _weigh(case, aim, LEVERS[name]).result
            if not usual.helps:
                refused.append(usual)
            elif aim.wall not in LEVERS[name].attacks and not _computed(usual):
                refused.append(_refused(usual, "not-the-wall", parameters.wall(aim)))
    return (*helping, *refused)


def _paired(case: Case, wanted: Sequence[str]) -> list[str]:
    """The ids once each; of the two 8-bit formats the one that suits the card takes their place, the other is last."""
    names = list(dict.fromkeys(wanted))
    places = [place for place, name in enumerate(names) if name in _PAIR]
    if not places or case.scenario.gpu is None:
        return names
    first = "fp8" if case.scenario.gpu.flops8 is not None else "w8a8"
    others = [name for name in names if name not in _PAIR]
    return [*others[: places[0]], first, *others[places[0] :], _PAIR[1 - _PAIR.index(first)]]


def _ordered(found: list[_Weighed], last: str) -> list[LeverResult]:
    """Computed ones among themselves, the others in their places (see above); an 8-bit format that is the card's second
    choice stays ``last``."""
    second = [one for one in found if one.result.id == last and last in _PAIR]
    weak = [one for one in found if _weak(one)] if any(_ranks(one) and not one.buys for one in found) else []
    found = [one for one in found if one not in weak]
    places = [place for place, one in enumerate(found) if _ranks(one) and not one.buys and one not in second]
    behind = places[-1] + 1 if places else len(found)
    found = [*found[:behind], *weak, *found[behind:]]
    ranked = iter(_ranked([one for one in found if _ranks(one) and one not in second]) + second)
    return [(next(ranked) if _ranks(one) else one).result for one in found]


def _weak(one: _Weighed) -> bool:
    """Whether nothing says that a lever would work here, and where somebody measured it, it gave little."""
    result = one.result
    return result.published and result.precondition == "unknown" and (result.gain or 1) < LARGE


def _ranked(found: Iterable[_Weighed]) -> list[_Weighed]:
    """Sorted by the rule above: each goes up past those that it beats."""
    order: list[_Weighed] = []
    for one in found:
        place = len(order)
        while place and _beats(one, order[place - 1]):
            place -= 1
        order.insert(place, one)
    return order


def _beats(one: _Weighed, other: _Weighed) -> bool:
    mine, theirs = ((each.aside, each.buys, not each.removes) for each in (one, other))
    if mine != theirs:
        return mine < theirs
    if one.removes and not one.buys and other.removes:
        return False  # the cause is gone with either: as the causes named them
    return (one.result.gain or 1) > (other.result.gain or 1) * _CLEARLY


def _ranks(one: _Weighed) -> bool:
    return LEVERS[one.result.id].weighs == "rank" and _computed(one.result)


def _computed(result: LeverResult) -> bool:
    return result.gain is not None and not result.published


def _more(case: Case, aim: Goal, named: set[str]) -> list[LeverResult]:
    """Levers of this wall that no cause named, where their computed gain is large, nothing is bought and all is met."""
    found = []
    for lever in LEVERS.values():
        if lever.id in named or lever.weighs != "rank" or lever.hardware or aim.wall not in lever.attacks:
            continue
        if _check(case, aim, lever).state == "met":
            one = _weigh(case, aim, lever, LARGE)
            if one.result.helps and _computed(one.result):
                found.append(one)
    return [one.result for one in _ranked(found)]


# --- one lever -------------------------------------------------------------------------------------------------------


def _weigh_for(case: Case, aims: Sequence[Goal], lever: Lever) -> _Weighed:
    """A lever that a cause named: judged by the verdict's wall, or by the first one found that it attacks."""
    place = next((place for place, aim in enumerate(aims) if aim.wall in lever.attacks), 0)
    found = _weigh(case, aims[place], lever)
    return found._replace(aside=place > 0 or (aims[place].wall not in lever.attacks and not found.removes))


def _weigh(case: Case, aim: Goal, lever: Lever, least: Fraction = LEAST) -> _Weighed:
    """A lever for a case: whether it helps, at ``least`` how many times, or why not."""
    scenario, check = case.scenario, _check(case, aim, lever)
    found = LeverResult(
        lever.id, True, (), None, check.state, "", {}, lever.warning(case), spelling.flag(lever.id, scenario)
    )
    if lever.id in scenario.tried:
        return _Weighed(_refused(found, "tried"))
    worth = check.state != "failed" or check.why in _SHOWN
    after = lever.act(case) if lever.act is not None and worth else None
    if after is None:
        why = check.why if check.state == "failed" else _nothing_left(case, check, lever)
        if why:
            return _Weighed(_refused(found, why, _reason(case, aim, lever, why)))
        return _Weighed(_published(found, lever))
    changed = acts.again(after)
    removes = _removes(case, changed, aim)
    first = measures.effect(lever.instead.get(aim.measure, aim.measure), case, changed) if aim.measure else None
    if removes and aim.wall == "interconnect" and aim.by == "words" and not case.host_weights:
        first = None  # what was seen is a path that is slower than the link that arithmetic knows
    gain = measures.gain(first, case, changed) if first is not None else None
    found = found._replace(
        after=after, gain=gain, effects=() if first is None else (first,), params=parameters.chosen(case, after)
    )
    if check.state == "failed":
        return _Weighed(_refused(found, check.why, _reason(case, aim, lever, check.why)))
    if _no_room(case, changed, aim, lever):
        short = changed.free_bytes
        lacking = {} if short is None else {"short": Amount(-short, "bytes")}
        return _Weighed(_refused(found._replace(precondition="failed"), "does-not-fit", lacking))
    if gain is not None and gain < least and lever.weighs != "show" and not (removes and gain * LEAST >= 1):
        why = "slower" if gain * LEAST < 1 else "no-effect"
        return _Weighed(_refused(found, why, {"gain": Amount(gain, "x")}))
    if gain is None or lever.weighs == "show":
        worse = gain is not None and gain < 1  # what it cures is not in the arithmetic, which only sees what it costs
        moved = tuple(one for one in found.effects if _moved(one) and not worse)
        found = _published(found._replace(gain=None, effects=moved), lever)
    shown = [measures.effect(name, case, changed) for name in lever.shows if not first or name != first.measure]
    found = found._replace(effects=(*found.effects, *(one for one in shown if one is not None and _moved(one))))
    buys = changed.cards > max(scenario.gpus or 1, case.cards)
    return _Weighed(found, removes, buys or after.gpu != scenario.gpu)


def _reason(case: Case, aim: Goal, lever: Lever, why: str) -> dict[str, Param]:
    """The numbers of a reason; the limit that is told is the share's."""
    if why == "at-limit" and lever.id != "raise-memory-utilization":
        return {}
    return parameters.reason(case, aim, why)


def _nothing_left(case: Case, check: Check, lever: Lever) -> str:
    """Why an act changes nothing where all that it needs is known: it has gone as far as it can. "" where it may."""
    known = case.setup is not None and check.state == "met"
    if not (known and lever.act and (lever.weighs == "rank" or lever.hardware) and not lever.published):
        return ""
    return "does-not-fit" if lever.id == "data-parallel" else "at-limit"


def _check(case: Case, aim: Goal, lever: Lever) -> Check:
    """The worst of a lever's preconditions."""
    checks = [one(case, aim) for one in lever.needs]
    order = ("failed", "unknown", "met")
    return min(checks, key=lambda one: order.index(one.state), default=MET)


_SHOWN = frozenset(("no-effect", "slower", "does-not-fit", "math-stays-16bit", "frees-other-bytes", "no-unit"))
"""Reasons that the numbers after the change show."""


def _refused(found: LeverResult, why: str, params: Mapping[str, Param] | None = None) -> LeverResult:
    found = found._replace(helps=False, why=why, params=params or {}, published=False)
    return found if why in _SHOWN else found._replace(effects=(), gain=None)


def _published(found: LeverResult, lever: Lever) -> LeverResult:
    if lever.published is None:
        return found
    return found._replace(gain=lever.published[0], published=True)


def _no_room(case: Case, after: Case, aim: Goal, lever: Lever) -> bool:
    """Whether the server would not start with the lever: where that is the question, or the lever takes memory."""
    if aim.measure == "free" and case.starts is False:
        return after.starts is False
    if not lever.must_fit or after.starts is not False:
        return False
    weights, card = after.weights_on_card, after.ledger.card.bytes if after.ledger else None
    return case.starts is not False or (weights is not None and card is not None and weights >= card)


def _moved(one: Effect) -> bool:
    """Whether an effect is worth a line: a hundredth at least."""
    return abs(one.after.value - one.before.value) * 100 >= abs(one.before.value)


def _removes(case: Case, after: Case, aim: Goal) -> bool:
    """Whether the cause is gone, as far as arithmetic can tell."""
    if aim.measure == "free":
        return (case.starts is False or not _window_fits(case)) and after.starts is True and _window_fits(after)
    if aim.wall == "weights-memory":
        return bool(case.host_weights) and not after.host_weights
    if aim.wall == "kv-memory":
        wanted = measures.demand(after)
        return wanted is not None and wanted <= 1
    if aim.wall == "kv-fragmentation":
        return (bool(case.scenario.reserve) and not after.scenario.reserve) or bool(after.scenario.unified)
    if aim.wall == "cpu-overhead":
        return case.setup is not None and after.setup is not None and not case.setup.graphs and after.setup.graphs
    if aim.wall == "interconnect":
        return not after.host_weights if case.host_weights else after.spread.tp == 1 < case.spread.tp
    return False


def _window_fits(case: Case) -> bool:
    """Whether the pool holds a request of the window in force, which vLLM wants of it at start: the model's own where
    none is set."""
    pool = case.ledger.pool if case.ledger else None
    return pool is None or pool.starts


def _in_vain(case: Case, aim: Goal, lever: Lever) -> _Weighed:
    """A lever that people try for this in vain: with the reason that its numbers or its precondition give, if any.
    Where the numbers say that with it the server starts, it is none."""
    weighed = _weigh(case, aim, lever)
    found = weighed.result
    if not found.helps or (weighed.removes and aim.measure == "free" and lever.weighs == "rank"):
        return weighed
    specific = {"weights-memory": {"kv-quantization": "frees-other-bytes"}, "compute": {"w4a16": "math-stays-16bit"}}
    why = specific.get(aim.wall, {}).get(lever.id, "not-the-wall")
    return _Weighed(_refused(found, why, parameters.reason(case, aim, why)))
