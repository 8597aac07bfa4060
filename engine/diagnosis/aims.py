"""What levers are judged by: for each wall that was found the measure that a lever for it has to better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from engine.diagnosis.causes import BY_ID
from engine.diagnosis.causes.situation import usual_phase
from engine.diagnosis.model import Finding, Phase
from engine.diagnosis.preconditions import Goal

if TYPE_CHECKING:
    from engine.diagnosis.case import Case

_BYTES = ("activation-peak", "graph-memory", "non-torch-memory", "shared-card")
"""Details that bytes of a card make, whatever the phase."""
_STEPS: Mapping[Phase, str] = {"prefill": "prefill-step", "decode": "decode-step", "both": "output-rate"}


def goals(case: Case, findings: Sequence[Finding]) -> tuple[Goal, ...]:
    """What levers are judged by: one goal for each wall that was found, the verdict's first; never empty."""
    first = {one.wall: one for one in reversed(findings)}
    order = dict.fromkeys(one.wall for one in findings)
    return tuple(_goal(case, first[wall]) for wall in order) or (Goal("none", "none", None, "", "words"),)


def _goal(case: Case, found: Finding) -> Goal:
    if found.wall == "kv-fragmentation":
        measure = "waste" if case.scenario.reserve else "max-len" if case.scenario.context_total else "requests"
    elif found.wall == "weights-memory" and case.host_weights:
        measure = "decode-step"  # it starts, with weights where every step has to fetch them
    elif found.phase == "load" or found.wall == "weights-memory" or found.detail in _BYTES:
        measure = "free"
    elif found.wall == "kv-memory":
        measure = "requests"
    else:
        measure = "output-rate" if found.wall == "idle-scheduling" else _STEPS.get(_phase(case, found), "")
    return Goal(found.wall, found.phase, found.detail, measure, found.by)


def _phase(case: Case, found: Finding) -> Phase:
    """The phase whose time a lever must shorten: both, where a limit is one of a load that both take their part of."""
    base = found.cause in BY_ID and BY_ID[found.cause].group == "base"
    return "both" if base and usual_phase(case) == "both" else found.phase
