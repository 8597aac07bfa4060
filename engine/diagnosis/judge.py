"""The verdict: causes found, walls with shares, levers weighed, questions, the experiment that would refute it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from engine.diagnosis import questions
from engine.diagnosis.acting import acts, levers, typed
from engine.diagnosis.cases.case import Case
from engine.diagnosis.causes import BY_ID
from engine.diagnosis.causes.situation import between_tokens, explained, graphs_cover, has_graphs, usual_phase
from engine.diagnosis.finding import KEEPS_OUT, find
from engine.diagnosis.model import Experiment, Finding, Phase, Report, Scenario, Timing, Wall, WallShare
from engine.diagnosis.reconcile import reconcile
from engine.diagnosis.settings import spelling
from engine.roofline import PARTS, Part

_OF_PART: dict[Part, Wall] = {
    "overhead": "cpu-overhead", "weights": "memory-bandwidth", "kv": "memory-bandwidth", "compute": "compute",
    "link": "interconnect", "host": "interconnect",
}  # fmt: skip
_FAULTS: frozenset[Wall] = frozenset(("cpu-overhead", "interconnect", "idle-scheduling"))
_BASE: frozenset[Wall] = frozenset(_OF_PART.values())

_CRASHES = ("activation-peak", "graph-memory", "non-torch-memory", "fragmented-memory", "shared-card")
"""Details of a server that ends: what its steps wait for is no second wall."""
OWN_WHOLE = frozenset(("first-token-waits",))
"""Causes whose share is of a time of its own: the wait for a first token."""
_SECOND_SHARE = Fraction(1, 5)
"""Of the step: a second wall below this share is not worth a word."""
_AS_SURE = Fraction(4, 5)
"""Of the strength of a wall's first finding: what else is so sure has its levers in the answer."""
_SECOND_SURE = Fraction(11, 20)
"""Of the first finding's strength: a second one below it is only listed among the findings."""


def diagnose(scenario: Scenario) -> Report:
    """What the matter is with a workload. Never raises: what cannot be computed is left out and asked for."""
    return verdict(Case(scenario))


def verdict(case: Case) -> Report:
    """The report of a case."""
    findings = _by_share(case, find(case))
    walls = _walls(case, findings)
    named = _named(findings, walls)
    wanted, useless = _levers_of(named, walls)
    weighed = levers.judge(case, findings, wanted, useless, [wall.id for wall in walls]) if wanted else ()
    return Report(
        case.scenario, _phase(case, findings[0]), walls, findings, case.ledger, case.timings, weighed,
        questions.ask(case, findings), case.assumed if wanted else (), _experiment(case, findings[0]),
        reconcile(case),
    )  # fmt: skip


def _phase(case: Case, first: Finding) -> Phase:
    if BY_ID[first.cause].group == "base" and first.wall != "none" and usual_phase(case) == "both":
        return "both"
    return first.phase


def _named(findings: Sequence[Finding], walls: Sequence[WallShare]) -> list[Finding]:
    """The findings of each wall of the verdict: the first, and what numbers show nearly as surely of the same wall."""
    named: list[Finding] = []
    for wall in walls:
        same = [one for one in findings if one.wall == wall.id]
        named += same[:1] + [
            one for one in same[1:] if one.by == "numbers" and one.strength >= same[0].strength * _AS_SURE
        ]
    if findings[0].phase == "load":  # whatever else may keep it from starting has its levers behind
        named += [one for one in findings[1:] if one.phase == "load" and one not in named][:1]
    return named


def _levers_of(named: Sequence[Finding], walls: Sequence[WallShare]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Levers that the causes want, and those that are tried in vain; where two causes disagree the first one decides,
    or the limit that takes more of the step."""
    wants: dict[str, bool] = {}
    if named[0].phase == "load" or named[0].wall == "other":
        # what keeps it from running is mended before any speed
        named = [named[0], *(one for one in named[1:] if one.phase == "load")]
    shares = {one.id: one.share for one in walls}
    most = walls[0].share or _SECOND_SURE
    for one in named:
        cause = BY_ID[one.cause]
        larger = cause.group == "base" and one.by == "numbers" and (shares[one.wall] or 0) > most
        larger = larger and walls[0].id != "interconnect"  # what is sent over a slow link does not get less by it
        for lever in cause.levers:
            wants[lever] = True if larger else wants.get(lever, True)
        for lever in cause.useless:
            wants.setdefault(lever, False)
    return tuple(x for x, wanted in wants.items() if wanted), tuple(x for x, wanted in wants.items() if not wanted)


def _by_share(case: Case, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings with the limit first whose wall takes the most of the step, where nothing but limits was found."""
    first = findings[0]
    if BY_ID[first.cause].group != "base" or first.by != "numbers":
        return findings
    shares = _time_shares(case, first)
    limits = [
        one for one in findings if BY_ID[one.cause].group == "base" and one.by == "numbers" and one.wall in shares
    ]
    most = max(limits, key=lambda one: shares[one.wall], default=first)
    if most.wall == first.wall:
        return findings
    return (most, *(one for one in findings if one is not most))


def _walls(case: Case, findings: Sequence[Finding]) -> tuple[WallShare, ...]:
    """The first finding's wall, and a second one that is nearly as sure, or takes a good part of the step."""
    first = findings[0]
    shares = steps = _time_shares(case, first)
    timing = case.timings.decode
    if timing is not None and between_tokens(timing, findings, _phase(case, first)):
        shares = _between(timing, first, case.timings.prefill)
    of_time = shares is not steps and first.wall in _FAULTS and first.wall in shares
    own = shares[first.wall] if of_time else _share(first, shares)
    answer = WallShare(first.wall, own, first.detail)
    if first.wall == "none":
        return (answer,)
    for other in findings[1:]:
        if other.wall in (first.wall, "none") or (first.detail in _CRASHES and other.phase != "load"):
            continue
        if other.strength >= first.strength * _SECOND_SURE:
            share = _share(other, shares)
            if not {first.cause, other.cause} & OWN_WHOLE:
                share = _beside(answer, share, other.wall)
            return (_borne_out(answer, first, share), WallShare(other.wall, share, other.detail))
    if first.wall in _BASE and first.phase != "load":
        rest = {wall: share for wall, share in shares.items() if wall != first.wall and share >= _SECOND_SHARE}
        if rest:
            second = max(rest, key=lambda wall: rest[wall])
            share = rest[second] if first.cause in OWN_WHOLE else _beside(answer, rest[second], second)
            return (_borne_out(answer, first, share), WallShare(second, share))
    return (answer,)


def _borne_out(answer: WallShare, first: Finding, second: Fraction | None) -> WallShare:
    """A wall that was told, not computed: arithmetic that gives more of the step to the second one does not know what
    share the first one has."""
    told = BY_ID[first.cause].group == "fault" and first.by != "numbers"
    return answer._replace(share=None) if told and (second or 0) > (answer.share or 1) else answer


def _beside(answer: WallShare, share: Fraction | None, wall: Wall) -> Fraction | None:
    """The share of a second wall: of the step both are parts of, no more than the first one leaves of it."""
    if share is None or answer.share is None or wall not in _BASE or answer.id not in _BASE:
        return share
    return min(share, 1 - answer.share)


def _share(finding: Finding, shares: dict[Wall, Fraction]) -> Fraction | None:
    if finding.wall in shares and BY_ID[finding.cause].group == "base":
        return shares[finding.wall]
    return finding.share if finding.share is not None else shares.get(finding.wall)


def _lengthens(first: Finding) -> Wall:
    """The wall that a step's time beyond bytes and math belongs to. A cap keeps requests out of a step, and makes none
    longer."""
    return first.wall if first.wall in _FAULTS and first.cause not in KEEPS_OUT else "cpu-overhead"


def _between(timing: Timing, first: Finding, prompts_of: Timing | None) -> dict[Wall, Fraction]:
    """Walls by their share of the time between two tokens: a step, the prompts of others, and what lies beyond them.
    What of a prompt crosses a link is the link's; the rest of it is told as arithmetic."""
    found: dict[Wall, Fraction] = {}
    whole = max(timing.measured or timing.step.seconds, timing.step.seconds)
    for part, share in timing.step.shares().items():
        found[_OF_PART[part]] = found.get(_OF_PART[part], Fraction(0)) + share * timing.step.seconds / whole
    prompts = min(timing.step.seconds / timing.shared, whole) - timing.step.seconds
    sent = Fraction(0) if prompts_of is None else prompts_of.step.shares()["link"]
    found["compute"] = found.get("compute", Fraction(0)) + (1 - sent) * prompts / whole
    if sent:
        found["interconnect"] = found.get("interconnect", Fraction(0)) + sent * prompts / whole
    if timing.excess:
        wall = _lengthens(first)
        found[wall] = found.get(wall, Fraction(0)) + 1 - (timing.step.seconds + prompts) / whole
    return found


def _time_shares(case: Case, first: Finding) -> dict[Wall, Fraction]:
    """Walls by their share of the step that counts: of what was measured, if it was, with the excess to the fault."""
    phase, times = _phase(case, first), case.timings
    found: dict[Wall, Fraction] = {}
    decode = {"prefill": Fraction(0), "both": times.decode_share}.get(phase, Fraction(1))
    decode = Fraction(1) if decode is None else decode
    for timing, weight in ((times.decode, decode), (times.prefill, 1 - decode)):
        if timing is None or not weight:
            continue
        parts, usual = timing.step.shares(), explained(timing)
        part_weight, excess = weight * usual, 1 - usual
        for part in PARTS:
            share = found.setdefault(_OF_PART[part], Fraction(0))
            if parts[part]:
                found[_OF_PART[part]] = share + part_weight * parts[part]
        if excess:
            wall = _lengthens(first)
            found[wall] = found.get(wall, Fraction(0)) + weight * excess
    return found


def _experiment(case: Case, first: Finding) -> Experiment | None:
    name, lever = BY_ID[first.cause].experiment
    if not name:
        return None
    if lever == "cuda-graphs" and (first.phase == "prefill" or not has_graphs(case) or graphs_cover(case)):
        name, lever = "bare-engine" if first.phase == "prefill" else "other-card-clock", ""  # no graphs, or on already
    return Experiment(name, _experiment_flag(case, lever) if lever else "", first.params)


def _experiment_flag(case: Case, lever: str) -> str:
    """How the experiment is spelled here; "" where it takes 16-bit weights, and the cards at hand do not hold them."""
    if lever != "keep-16bit":
        return spelling.flag(lever, case.scenario)
    after = acts.keep_16bit(case)
    if after is None:
        return spelling.flag(lever, case.scenario) if case.form is None else ""
    changed = acts.again(after)
    held, card = changed.weights_on_card, case.ledger.card.bytes if case.ledger else None
    too_large = held is not None and card is not None and held >= card
    return "" if too_large else typed.flag(lever, case, after)
