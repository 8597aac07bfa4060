"""Which levers help: each is applied, the scenario after it is computed, and one measure is compared.

A lever is judged by the first wall of the verdict; one that does nothing for it by the others that the verdict names.
Those that help come in the order of :mod:`engine.diagnosis.acting.ranking`; levers that nobody named follow where their
gain is large. Then those that do not help: what the causes named and the arithmetic, the card or the scenario refuses,
what people often try for this wall in vain, each with its reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from engine.diagnosis.acting import acts, effects, measures, pairing, parameters, typed
from engine.diagnosis.acting.aims import comes_up, goals, removes, told, window_fits
from engine.diagnosis.acting.levers import LEVERS, Lever
from engine.diagnosis.acting.preconditions import MET, Check, Goal
from engine.diagnosis.acting.ranking import LARGE, PAIR, Weighed, computed, ordered, ranked
from engine.diagnosis.causes import BY_ID
from engine.diagnosis.model import Amount, Finding, LeverResult, Param, Wall

if TYPE_CHECKING:
    from engine.diagnosis.cases.case import Case

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


def judge(
    case: Case, findings: Sequence[Finding], wanted: Sequence[str], useless: Sequence[str], walls: Sequence[Wall] = ()
) -> tuple[LeverResult, ...]:
    """The levers for a verdict: those that help, best first, then those that do not.

    Args:
        case: the scenario.
        findings: what was found, the verdict first.
        wanted: ids that the causes name, in their order.
        useless: ids that people try here in vain.
        walls: of the verdict.
    """
    aims = goals(case, findings)
    verdict = told(aims, walls)
    named = [name for name in _paired(case, wanted) if name in LEVERS]
    vain = [name for name in dict.fromkeys(useless) if name in LEVERS and name not in named]
    first = BY_ID.get(findings[0].cause) if findings else None
    own, idle = (first.levers, first.useless) if first is not None else ((), ())
    weighed = {
        name: _in_vain(case, verdict, LEVERS[name])
        if name in idle and name not in own
        else _weigh_for(case, aims[:1] if name in own else aims, verdict, LEVERS[name])
        for name in named
    }
    tried = [_in_vain(case, verdict, LEVERS[name]) for name in vain]
    usual = [_usual(case, verdict, LEVERS[name]) for name in USUAL[aims[0].wall] if name not in {*named, *vain}]
    tried += [one for one in usual if one is not None]
    alone = (*weighed.values(), *tried)

    def weigh(lever: Lever) -> Weighed:
        return _weigh(case, aims[0], lever, verdict)

    pair = pairing.first(case, aims[0], alone, weigh, _check) or pairing.regrouped(case, aims[0], alone, weigh, _check)
    if pair is not None:  # in the place of the one that is not enough alone
        weighed = {name: pair if name == pair.result.id else one for name, one in weighed.items()}
        tried = [pair if one.result.id == pair.result.id else one for one in tried]
    found = [one for one in tried if one.result.helps and not one.buys and not one.aside]
    found += [weighed[name] for name in named if weighed[name].result.helps]
    found += [one for one in tried if one.result.helps and (one.buys or one.aside)]
    cures = [name for name in own if name not in weighed or weighed[name].result.why != "already-on"]
    helping = ordered(found, named[-1] if named else "", cures)
    refused = [weighed[name].result for name in named if not weighed[name].result.helps]
    refused += [one.result for one in tried if not one.result.helps]
    known = {one.id for one in (*helping, *refused)}
    helping += _more(case, aims[0], verdict, known)
    engine = typed.engine_of(case)
    return (*(one._replace(flag=typed.with_places(one.flag, engine)) for one in helping), *refused)


def _paired(case: Case, wanted: Sequence[str]) -> list[str]:
    """The ids once each; of the two 8-bit formats the one that suits the card takes their place, the other is last."""
    names = list(dict.fromkeys(wanted))
    places = [place for place, name in enumerate(names) if name in PAIR]
    if not places or case.scenario.gpu is None:
        return names
    first = "fp8" if case.scenario.gpu.flops8 is not None else "w8a8"
    others = [name for name in names if name not in PAIR]
    return [*others[: places[0]], first, *others[places[0] :], PAIR[1 - PAIR.index(first)]]


def _more(case: Case, aim: Goal, verdict: Sequence[Goal], known: set[str]) -> list[LeverResult]:
    """Levers of this wall that no cause named, where their computed gain is large, nothing is bought and all is met."""
    found = []
    for lever in LEVERS.values():
        if lever.id in known or lever.weighs != "rank" or lever.hardware or aim.wall not in lever.attacks:
            continue
        if _check(case, aim, lever).state == "met":
            one = _weigh(case, aim, lever, verdict, LARGE)
            if one.result.helps and computed(one.result):
                found.append(one)
    return [one.result for one in ranked(found)]


# --- one lever -------------------------------------------------------------------------------------------------------


def _weigh_for(case: Case, aims: Sequence[Goal], verdict: Sequence[Goal], lever: Lever) -> Weighed:
    """A lever that a cause named: judged by the verdict's wall, or by the first one found that it attacks."""
    place = next((place for place, aim in enumerate(aims) if aim.wall in lever.attacks), 0)
    found = _weigh(case, aims[place], lever, verdict)
    if not found.result.helps:
        return _beside(case, verdict, lever, found)
    if place and lever.hardware and _waits(aims[0]):
        return Weighed(_refused(found.result, "not-the-wall", parameters.wall(aims[0])))
    if lever.of_all and _of_one(case):
        return found._replace(aside=True, crowd=True)
    if place and _costs(case, verdict[0], lever, found.changed):
        return _weigh(case, verdict[0], lever, verdict)  # more for another wall, and less of what is short first
    return found._replace(aside=place > 0 or (aims[place].wall not in lever.attacks and not found.removes))


def _of_one(case: Case) -> bool:
    """Whether one stream is asked about, and its answer is to come sooner."""
    s = case.scenario
    alone = s.concurrency is None and s.running == 1 and not s.waiting  # seen with one user
    wish = s.has("wants-faster", "slow-decode") or s.tpot is not None or alone
    return case.asked == 1 and wish and not s.has("throughput-goal")


_WAITING: frozenset[Wall] = frozenset(("idle-scheduling", "cpu-overhead"))
"""Walls that leave a card idle: more or better ones would idle alike, whatever else is found."""


def _waits(aim: Goal) -> bool:
    """Whether a wall leaves the card idle; a slow kernel keeps it busy."""
    return aim.wall in _WAITING and aim.detail != "slow-kernel"


_OF_ONE_WALL = frozenset(("no-effect", "not-the-wall", "pool-has-room", "frees-other-bytes"))
"""Reasons that speak of one wall: for another one the lever may help."""


def _beside(case: Case, verdict: Sequence[Goal], lever: Lever, first: Weighed) -> Weighed:
    """A lever that does nothing for the first wall, judged by the others that the verdict names; it must not cost the
    first one anything."""
    if first.result.why not in _OF_ONE_WALL:
        return first
    for aim in verdict[1:]:
        if aim.wall not in lever.attacks or lever.weighs == "show":
            continue
        if lever.hardware and _waits(verdict[0]):
            continue
        found = _weigh(case, aim, lever, verdict, LARGE)
        if found.result.helps and computed(found.result) and not _costs(case, verdict[0], lever, found.changed):
            return found._replace(aside=True)
    return first


def _costs(case: Case, aim: Goal, lever: Lever, changed: Case | None) -> bool:
    """Whether a lever worsens the measure of a goal."""
    gain = None if changed is None else effects.gain(case, changed, aim, lever)
    return gain is not None and gain * effects.LEAST < 1


def _weigh(
    case: Case, aim: Goal, lever: Lever, verdict: Sequence[Goal] = (), least: Fraction = effects.LEAST
) -> Weighed:
    """A lever for a case: whether it helps, at ``least`` how many times, or why not."""
    scenario, check = case.scenario, _check(case, aim, lever)
    bare = typed.flag(lever.id, case, None)
    found = LeverResult(lever.id, True, (), None, check.state, "", {}, lever.warning(case), bare)
    if lever.id in scenario.tried:
        return Weighed(_refused(found, "tried"))
    worth = check.state != "failed" or check.why in _SHOWN
    after = lever.act(case) if lever.act is not None and worth else None
    if after is None:
        why = check.why if check.state == "failed" else _nothing_left(case, check, lever)
        if why:
            return Weighed(_refused(found, why, _reason(case, aim, lever, why)))
        return Weighed(_published(found, lever))
    after = effects.as_long(case, after)
    changed = acts.again(effects.held(case, after))
    gone = removes(case, changed, aim)
    found = _measured(case, changed, aim, lever, found._replace(after=after), gone)
    if check.state == "failed":
        return Weighed(_refused(found, check.why, _reason(case, aim, lever, check.why)))
    if _no_room(case, changed, aim, lever):
        return Weighed(_not_enough(found, changed, aim, lever))
    if aim.phase != "load" and not _runs_none(case) and _runs_none(changed):
        return Weighed(_refused(found, "holds-none", _one_request(changed)))
    if found.gain is not None and _weak(found.gain, least, gone, lever):
        why = "slower" if found.gain * effects.LEAST < 1 else "no-effect"
        return Weighed(_refused(found, why, {"gain": Amount(found.gain, "x")}))
    found = _helping(found, lever, gone)
    runs_today = aim.phase != "load"
    if lever.sure_cost and runs_today and (lost := effects.lost(case, changed)) is not None:
        return Weighed(_refused(found._replace(effects=(lost,)), "slower"))
    found = found._replace(effects=effects.shown(case, changed, lever, verdict, found.effects))
    if aim.measure in ("free", "full-request") and gone and not window_fits(changed):
        found = _completed(case, found, changed)
    buys = changed.cards > max(scenario.gpus or 1, case.cards)
    idle = lever.staged and changed.batch < changed.spread.pp
    return Weighed(found, gone, buys or after.gpu != scenario.gpu, idle, changed=changed)


def _measured(case: Case, changed: Case, aim: Goal, lever: Lever, found: LeverResult, gone: bool) -> LeverResult:
    """With what the server computes to under it: its gain, its effect on the wall, its numbers and its flag."""
    assert found.after is not None
    first = effects.effect(case, changed, aim, lever)
    if gone and aim.wall == "interconnect" and aim.by == "words" and not case.host_weights:
        first = None  # what was seen is a path that is slower than the link that arithmetic knows
    return found._replace(
        gain=measures.gain(first, case, changed) if first is not None else None,
        effects=() if first is None else (first,),
        params={**parameters.chosen(case, found.after), **parameters.seen(case, first)},
        flag=typed.flag(lever.id, case, found.after),
    )


def _weak(gain: Fraction, least: Fraction, gone: bool, lever: Lever) -> bool:
    """Whether a computed gain is too small to help; what takes the cause away may cost a little."""
    if gain >= least or (gone and gain * effects.LEAST >= 1):
        return False
    return lever.weighs != "show" or (gain * effects.LEAST < 1 and lever.sure_cost)


def _helping(found: LeverResult, lever: Lever, gone: bool) -> LeverResult:
    """A lever that helps, with the gain that is said of it: none where its cure is not in the arithmetic."""
    if gone and found.gain is not None and found.gain < 1:
        found = found._replace(gain=None, effects=())  # the cause is gone by what this measure does not show
    if found.gain is not None and lever.weighs != "show":
        return found
    worse = found.gain is not None and found.gain < 1  # the arithmetic sees only what it costs
    moved = tuple(one for one in found.effects if effects.moved(one) and not worse)
    return _published(found._replace(gain=None, effects=moved), lever)


def _not_enough(found: LeverResult, after: Case, aim: Goal, lever: Lever) -> LeverResult:
    """With it the server does not start either: what is still missing."""
    pool = after.ledger.pool if after.ledger else None
    lacking: dict[str, Param] = {}
    if aim.measure == "full-request" and pool is not None and (after.pool_tokens or 0) > 0:
        lacking = {
            "holds": Amount(Fraction(pool.longest), "tokens"),
            "needs": Amount(Fraction(pool.settings.max_len), "tokens"),
        }
    elif aim.measure == "full-request" and after.window_told and after.pool_tokens:
        lacking = {
            "holds": Amount(Fraction(after.pool_tokens), "tokens"),
            "needs": Amount(Fraction(after.window_told), "tokens"),
        }  # fmt: skip
    elif after.free_bytes is not None and after.free_bytes < 0:
        lacking = {"short": Amount(-after.free_bytes, "bytes")}
    helps = found.gain is not None and found.gain >= effects.LEAST and aim.measure in ("free", "full-request")
    if helps and (aim.measure == "full-request" or (found.gain or 0) >= LARGE):
        return _refused(found, "not-enough", lacking)
    if found.gain is not None and aim.measure == "full-request":
        why = "slower" if found.gain * effects.LEAST < 1 else "no-effect"
        return _refused(found, why, {"gain": Amount(found.gain, "x")})
    return _refused(found._replace(precondition="failed"), "does-not-fit", lacking)


def _runs_none(case: Case) -> bool:
    """Whether the pool holds not even one request: no speed of such a server means anything."""
    if case.requests_that_fit is not None:
        return case.requests_that_fit < 1
    return case.pool_tokens is not None and case.scenario.held is not None and case.pool_tokens < case.scenario.held


def _one_request(case: Case) -> dict[str, Param]:
    """What the pool holds and what a request needs."""
    needs = case.peak_tokens or case.scenario.held
    if needs is None or case.pool_tokens is None:
        return {}
    return {"holds": Amount(Fraction(case.pool_tokens), "tokens"), "needs": Amount(Fraction(needs), "tokens")}


def _completed(case: Case, found: LeverResult, after: Case) -> LeverResult:
    """A lever that lets the weights fit, with the window that the pool then holds: the model's own is longer."""
    pool = after.ledger.pool if after.ledger else None
    longest = pool.longest // 256 * 256 if pool is not None else 0
    if longest < 256:
        return found
    flag = " ".join(one for one in (found.flag, typed.window(case, longest)) if one)
    return found._replace(flag=flag, params={**found.params, "window": Amount(Fraction(longest), "tokens")})


def _reason(case: Case, aim: Goal, lever: Lever, why: str) -> dict[str, Param]:
    """The numbers of a reason; the limit that is told is the share's."""
    if why == "at-limit" and not lever.of_share:
        return {}
    return parameters.reason(case, aim, why)


def _nothing_left(case: Case, check: Check, lever: Lever) -> str:
    """Why an act changes nothing where all that it needs is known: it has gone as far as it can. "" where it may."""
    known = case.setup is not None and check.state == "met"
    if not (known and lever.act and (lever.weighs == "rank" or lever.hardware) and not lever.published):
        return ""
    return lever.spent


def _check(case: Case, aim: Goal, lever: Lever) -> Check:
    """The worst of a lever's preconditions."""
    checks = [one(case, aim) for one in lever.needs]
    order = ("failed", "unknown", "met")
    return min(checks, key=lambda one: order.index(one.state), default=MET)


_SHOWN = frozenset(
    ("no-effect", "slower", "does-not-fit", "not-enough", "math-stays-16bit", "frees-other-bytes", "no-unit")
)
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
    if aim.measure in ("free", "full-request") and comes_up(case, aim) is False:
        return comes_up(after, aim) is False
    if not lever.must_fit or after.starts is not False:
        return False
    weights, card = after.weights_on_card, after.ledger.card.bytes if after.ledger else None
    return case.starts is not False or (weights is not None and card is not None and weights >= card)


def _in_vain(case: Case, verdict: Sequence[Goal], lever: Lever) -> Weighed:
    """A lever that people try for this in vain: with the reason that its numbers or its precondition give, if any.
    Where the numbers say that it takes the wall away, or that it helps against another of the verdict, it is none."""
    aim = verdict[0]
    weighed = _weigh(case, aim, lever, verdict)
    found = weighed.result
    if aim.measure == "waste" and not weighed.removes and (more := _lets_in(case, aim, lever, verdict)) is not None:
        return more
    if not found.helps:
        return _beside(case, verdict, lever, weighed)
    by_numbers = aim.measure in ("free", "full-request") or aim.by == "numbers"
    if weighed.removes and lever.weighs == "rank" and computed(found) and by_numbers:
        return weighed
    specific = {"weights-memory": {"kv-quantization": "frees-other-bytes"}, "compute": {"w4a16": "math-stays-16bit"}}
    why = specific.get(aim.wall, {}).get(lever.id, "not-the-wall")
    if why == "math-stays-16bit" and computed(found) and (found.gain or 0) >= LARGE:
        why = "not-the-wall"  # the bytes are what most of the time is: its own number would deny the reason
    if why == "not-the-wall" and aim.wall in lever.attacks and by_numbers and computed(found) and found.gain:
        if found.gain >= LARGE:
            return weighed
        little = {"factor": Amount(found.gain, "x")}
        return _beside(case, verdict, lever, Weighed(_refused(found, "little", little)))
    refused = Weighed(_refused(found, why, parameters.reason(case, aim, why)))
    return _beside(case, verdict, lever, refused)


def _lets_in(case: Case, aim: Goal, lever: Lever, verdict: Sequence[Goal]) -> Weighed | None:
    """A lever that leaves the waste of slots as it is, and lets more of the requests in that wait for one: it helps,
    behind what takes the waste away."""
    fits = case.requests_that_fit
    if fits is None or case.asked is None or fits >= case.asked:
        return None
    more = _weigh(case, aim._replace(measure="requests"), lever, verdict, LARGE)
    held = more.result.effects[:1]
    if not more.result.helps or not computed(more.result) or not held or held[0].measure != "requests":
        return None
    return more._replace(removes=False, aside=True)


def _usual(case: Case, verdict: Sequence[Goal], lever: Lever) -> Weighed | None:
    """What people try first for a wall: told of where it does not help, or helps against another of the verdict."""
    aim = verdict[0]
    found = _weigh(case, aim, lever, verdict)
    if found.result.helps and aim.wall not in lever.attacks and not computed(found.result):
        found = Weighed(_refused(found.result, "not-the-wall", parameters.wall(aim)))
    if found.result.helps:
        return None  # one of those that nobody named
    more = _lets_in(case, aim, lever, verdict) if aim.measure == "waste" else None
    return more or _beside(case, verdict, lever, found)
