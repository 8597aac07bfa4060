"""What must hold for levers that spread, offload or replace cards: as :mod:`engine.diagnosis.acting.preconditions`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from engine.diagnosis.acting import moves
from engine.diagnosis.acting.acts import again
from engine.diagnosis.acting.preconditions import MEMORY, MET, UNKNOWN, Check, Goal, failed, known
from engine.diagnosis.cases.paths import fast_link, own_all_reduce
from engine.diagnosis.causes.situation import apple

if TYPE_CHECKING:
    from engine.diagnosis.cases.case import Case


_HALF = Fraction(1, 2)
"""Of a measured step: where more than it lies beyond the band, the card is not what it waits for."""
BOARD = 8
"""Cards that one switch joins on a board (HGX, OAM)."""


def stands_alone(case: Case) -> bool:
    """Whether nothing joins the chip, or any that its name may mean, to others."""
    return apple(case)


def ranks_can_talk(case: Case, goal: Goal) -> Check:
    """The cards have a link of the class of NVLink; for memory alone a slower one will do."""
    if stands_alone(case):
        return failed("one-chip")
    fast = fast_link(case)
    if goal.wall in MEMORY:
        return UNKNOWN if fast is None else MET
    if goal.wall == "interconnect" and not moves.offloads(case):
        return failed("slow-link")
    if fast and 2 * case.spread.tp * case.spread.pp > BOARD:
        return UNKNOWN  # more than a board holds: whether a rack or a network joins them is not known
    if fast is False and case.setup is not None:
        return UNKNOWN  # the time on the link is in the step that is computed
    return known(fast, "slow-link")


def cards_to_spare(case: Case, goal: Goal) -> Check:
    """There are several cards, and one copy of the weights fits fewer of them."""
    scenario = case.scenario
    if goal.wall == "weights-memory":
        return failed("does-not-fit")
    if stands_alone(case):
        return failed("one-chip")
    after = moves.data_parallel(case)
    if scenario.concurrency is not None and after is not None and scenario.concurrency.high < (after.dp or 1):
        return failed("one-request" if scenario.concurrency.high == 1 else "few-requests")
    fits = None if after is None else again(after).starts
    return MET if (scenario.gpus or 1) > 1 and fits else UNKNOWN


def stages_filled(case: Case, goal: Goal) -> Check:
    """A large batch or a long prompt fills the stages, or memory is what is wanted."""
    if stands_alone(case):
        return failed("one-chip")
    if goal.wall in MEMORY or goal.phase == "prefill" or moves.offloads(case):
        return MET
    if fast_link(case) and goal.wall == "interconnect":
        return UNKNOWN
    return UNKNOWN if case.scenario.concurrency is None else known(case.scenario.concurrency.high > 1, "one-request")


def several_cards(case: Case, goal: Goal) -> Check:
    """There are several cards, and the path between them is slower than its kind."""
    scenario = case.scenario
    if stands_alone(case):
        return failed("one-chip")
    if scenario.gpus == 1:
        return failed("one-card")
    told = scenario.p2p_off or scenario.has("extremely-slow", "low-power-on-cards")
    if scenario.no_custom_all_reduce:
        if not told and own_all_reduce(case) is False:
            return failed("own-all-reduce-off")
        told = True
    if not told and goal.by == "numbers" and fast_link(case) is False:
        return failed("slow-link")  # by its kind, not by a fault: there is nothing to mend
    return MET if told else UNKNOWN


def nothing_else_fits(case: Case, goal: Goal) -> Check:
    """The server does not start otherwise."""
    if goal.phase != "load" and goal.wall != "weights-memory":
        return failed("interactive")
    return UNKNOWN


def offloads(case: Case, goal: Goal) -> Check:
    """Weights lie in host memory today."""
    scenario = case.scenario
    if moves.offloads(case) or scenario.has("offload-slow", "copies-to-device", "layers-left-on-cpu"):
        return MET
    return failed("not-on") if scenario.cpu_offload == 0 or (scenario.gpus and scenario.engine == "vllm") else UNKNOWN


def has_experts(case: Case, goal: Goal) -> Check:
    """The model has experts."""
    model = case.scenario.model
    if case.scenario.expert_offload:
        return failed("already-on")
    return UNKNOWN if model is None else known(model.moe is not None, "no-experts")


def card_is_short(case: Case, goal: Goal) -> Check:
    """Memory is what is short, on the card or because weights lie elsewhere."""
    if goal.wall == "other" and goal.phase == "load":
        return known(None if case.starts is None else not case.starts, "not-the-wall")
    short = goal.wall in ("weights-memory", "kv-memory") or (goal.wall == "interconnect" and moves.offloads(case))
    short = short or (goal.wall == "kv-fragmentation" and goal.measure == "requests")  # slots for more of them
    return known(short, "not-the-wall")


def near_the_roof(case: Case, goal: Goal) -> Check:
    """The step is close to what the card can do."""
    if goal.wall not in ("compute", "memory-bandwidth"):
        return failed("not-the-wall")
    if case.scenario.gpu is not None and moves.faster(case.scenario.gpu) is None:
        return failed("at-limit")  # none of its kind is
    timing = case.timings.prefill if goal.phase == "prefill" else case.timings.decode
    if timing is None or timing.excess is None or timing.impossible:
        return UNKNOWN
    if 0 < timing.excess <= _HALF:
        return UNKNOWN  # most of it is what the card does; the rest would stay
    return known(timing.excess <= 0, "far-from-roof")
