"""From the causes' witnesses to findings: which causes are there, how sure, in which order.

The order is that of strength, after three corrections, each of which keeps a weaker kind of evidence behind a stronger:

1. *It does not start.* Then what is slow afterwards is not the question.
2. *The measured step lies inside the band.* Nothing beside the model's own work takes time, whatever is said to.
3. *The measured step lies beyond it.* Something does; the likeliest fault explains the excess and has it as its share.
"""

from __future__ import annotations

from fractions import Fraction

from engine.diagnosis.cases.case import Case
from engine.diagnosis.causes import CAUSES, Cause, Witness
from engine.diagnosis.causes.row import together
from engine.diagnosis.causes.situation import fails, usual_phase
from engine.diagnosis.model import Finding, Phase, Wall

_ASIDE = Fraction(1, 2)
"""What a server that does not start makes of everything that could only slow it down."""
_CONTRADICTED = Fraction(2, 5)
"""What a measurement inside the band makes of faults that would lengthen the step."""
_EXPLAINED = Fraction(3, 5)

_TIME: frozenset[Wall] = frozenset(("cpu-overhead", "interconnect", "idle-scheduling"))
KEEPS_OUT = frozenset(("cap-reached",))
"""Causes that keep requests out of a step, and make none longer: no excess is theirs."""
_LOADING = frozenset(("slots-split",))
"""Faults that may be seen at start already."""


def find(case: Case) -> tuple[Finding, ...]:
    """Every cause with a witness, surest first; the table's order settles ties. There is always one."""
    found = [(cause, witness) for cause in CAUSES if (witness := cause.witness(case)) is not None]
    found = [(cause, _corrected(case, cause, witness)) for cause, witness in found]
    found = _explained(case, found)
    order = sorted(found, key=lambda pair: -pair[1].strength)
    order = order[:-1] if len(order) > 1 else order  # the last is "unknown", which only speaks where it is alone
    return tuple(_finding(case, cause, witness) for cause, witness in order)


def _corrected(case: Case, cause: Cause, witness: Witness) -> Witness:
    if cause.group == "base" or cause.id in _LOADING:
        return witness
    strength = witness.strength
    if cause.group == "fault" and fails(case):
        strength *= _ASIDE
    if cause.group == "fault" and cause.wall in _TIME and witness.by != "numbers" and _inside(case):
        strength *= _CONTRADICTED
    if cause.wall == "idle-scheduling" and witness.by == "words" and _computing(case):
        strength *= _EXPLAINED
    return witness._replace(strength=strength)


def _computing(case: Case) -> bool:
    """Whether the step that counts is arithmetic for the most part: a card that computes all the time does not idle."""
    timing = case.timings.prefill if usual_phase(case) == "prefill" else case.timings.decode
    return timing is not None and timing.step.shares()["compute"] > Fraction(6, 10)


def _inside(case: Case) -> bool:
    timing = case.timings.decode
    if timing is None or timing.own is None or case.scenario.stand_in:
        return False
    return timing.own <= timing.step.time.high


def _explained(case: Case, found: list[tuple[Cause, Witness]]) -> list[tuple[Cause, Witness]]:
    """A measured excess strengthens the likeliest fault that lengthens a step, and leaves its own row behind."""
    excess = next((witness for cause, witness in found if cause.id == "beyond-band"), None)
    faults = [
        (cause, witness) for cause, witness in found
        if cause.group == "fault" and cause.wall in _TIME and cause.id not in ("beyond-band", *KEEPS_OUT)
    ]  # fmt: skip
    if excess is None or not faults:
        return found
    best = max(faults, key=lambda pair: pair[1].strength)
    proof = Witness(_EXPLAINED, "numbers", excess.share, excess.params)
    merged = together(best[1], proof)
    assert merged is not None
    step, over = best[1].share, excess.share
    if best[1].by == "numbers" and step is not None and over is not None and best[0].wall == "cpu-overhead":
        merged = merged._replace(share=over + (1 - over) * step)  # its part of the step, and what lies beyond it
    merged = merged._replace(params={**proof.params, **best[1].params})
    rest = [pair for pair in found if pair[0].id not in ("beyond-band", best[0].id)]
    behind = next(cause for cause, _ in found if cause.id == "beyond-band")
    left = excess._replace(strength=min(excess.strength, merged.strength * _ASIDE))
    return [*rest, (best[0], merged), (behind, left)]


def _finding(case: Case, cause: Cause, witness: Witness) -> Finding:
    wall = witness.wall or cause.wall
    detail = cause.detail if wall == cause.wall else None
    phase: Phase = witness.phase or cause.phase
    if fails(case) and cause.group == "fault":
        phase = "load"
    share = witness.share if witness.share is None or witness.share <= 1 else None  # no part of what it is more than
    return Finding(
        cause.id, wall, detail, phase, witness.strength, share, witness.by, witness.params, witness.because
    )  # fmt: skip
