"""What levers are judged by: a goal for each wall that was found, with the measure that tells whether it moves."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from engine.diagnosis.acting import measures
from engine.diagnosis.acting.preconditions import Goal
from engine.diagnosis.causes import BY_ID
from engine.diagnosis.causes.situation import usual_phase
from engine.diagnosis.model import Finding, Phase, Wall

if TYPE_CHECKING:
    from engine.diagnosis.cases.case import Case

_BYTES = ("activation-peak", "graph-memory", "non-torch-memory", "fragmented-memory", "shared-card")
"""Details that bytes of a card make, whatever the phase."""
_REFUSED = (None, "format-refused")
"""Details of a setting that an engine refuses before it loads anything."""
_STEPS: dict[Phase, str] = {"prefill": "prefill-step", "decode": "decode-step", "both": "output-rate"}
_LITTLE = Fraction(1, 2)
"""Of the card's time: a phase that takes less is not what a load waits for."""
LEAST_POOL = 1024
"""Tokens below which a pool is none: no window that fits it would serve anybody."""


def goals(case: Case, findings: Sequence[Finding]) -> tuple[Goal, ...]:
    """What levers are judged by: one goal for each wall that was found, the verdict's first; never empty."""
    first = {one.wall: one for one in reversed(findings)}
    order = dict.fromkeys(one.wall for one in findings)
    return tuple(_goal(case, first[wall]) for wall in order) or (Goal("none", "none", None, "", "words"),)


def told(aims: Sequence[Goal], walls: Sequence[Wall]) -> tuple[Goal, ...]:
    """The goals of the walls that a verdict names, the first one first; where a server does not start, of all that may
    keep it from it."""
    loads = aims[0].phase == "load"
    return (*aims[:1], *(aim for aim in aims[1:] if aim.wall in walls or (loads and aim.phase == "load")))


def _goal(case: Case, found: Finding) -> Goal:
    if found.wall == "kv-fragmentation":
        measure = "waste" if case.scenario.reserve else "max-len" if case.scenario.context_total else "requests"
    elif found.wall == "weights-memory" and case.host_weights and case.starts is not False:
        measure = "decode-step"  # it starts, with weights where every step has to fetch them
    elif found.wall == "kv-memory" and found.phase == "load" and refused_for_window(case):
        measure = "full-request"
    elif found.wall == "other" and found.detail in _REFUSED and _at_load(found):
        measure = ""  # a setting is refused: no bytes are short
    elif found.phase == "load" or found.wall == "weights-memory" or found.detail in _BYTES:
        measure = "free"
    elif found.wall == "kv-memory":
        measure = "requests"
    else:
        measure = "output-rate" if found.wall == "idle-scheduling" else _STEPS.get(_phase(case, found), "")
    return Goal(found.wall, found.phase, found.detail, measure, found.by)


def _at_load(found: Finding) -> bool:
    return found.cause in BY_ID and BY_ID[found.cause].group == "load"


def _phase(case: Case, found: Finding) -> Phase:
    """The phase whose time a lever must shorten: both, where a limit is one of a load that both take their part of, or
    where arithmetic is short and most of it goes into the other phase."""
    base = found.cause in BY_ID and BY_ID[found.cause].group == "base"
    if base and usual_phase(case) == "both":
        return "both"
    share = case.timings.decode_share
    if found.wall == "compute" and found.phase == "decode" and share is not None and share < _LITTLE:
        return "both"
    return found.phase


def window_fits(case: Case) -> bool:
    """Whether the pool holds a request of the window in force, which vLLM wants of it at start: the model's own where
    none is set."""
    pool = case.ledger.pool if case.ledger else None
    if case.window_told is not None:
        return case.window_told <= (case.pool_tokens or 0)
    return pool is None or pool.starts


def refused_for_window(case: Case) -> bool:
    """Whether all that keeps the server from starting is the window: there is a pool, and one request is too long."""
    return not window_fits(case) and (case.pool_tokens or 0) >= max(LEAST_POOL, min(case.peak_tokens or 0, 4096))


def comes_up(case: Case, aim: Goal) -> bool | None:
    """Whether the server starts, by the rule that the goal is measured with."""
    if aim.measure == "full-request":
        return case.starts is not False and window_fits(case)
    return case.starts


def removes(case: Case, after: Case, aim: Goal) -> bool:
    """Whether the cause is gone, as far as arithmetic can tell."""
    if aim.measure in ("free", "full-request"):
        was = case.starts is False or not window_fits(case)
        up = after.starts is True or (after.starts is None and after.window_told is not None)
        return was and up and (window_fits(after) or not refused_for_window(case))
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
