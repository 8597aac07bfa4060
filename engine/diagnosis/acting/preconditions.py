"""What must hold for a lever: small functions from a case and what is aimed at to met, unknown or failed with a reason.

A lever whose precondition nobody can tell is shown with it; one whose precondition fails is shown as no help, with why.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

from engine.diagnosis.acting import acts, measures
from engine.diagnosis.acting.reasons import REASONS as REASONS
from engine.diagnosis.causes.situation import graphs_cover, has_graphs, serves, step_tokens
from engine.diagnosis.model import Detail, Phase, Wall

if TYPE_CHECKING:
    from engine.diagnosis.cases.case import Case


class Goal(NamedTuple):
    """What a lever is judged against: a finding, its kind of evidence, and the measure of its wall and phase."""

    wall: Wall
    phase: Phase
    detail: Detail | None
    measure: str
    by: Literal["numbers", "flags", "words"]


State = Literal["met", "unknown", "failed"]


MEMORY = ("weights-memory", "kv-memory", "kv-fragmentation")
"""Walls that bytes of a card make."""


LONG = 2000
"""Tokens of a prompt from which a beginning that is found in the cache is worth asking for."""


class Check(NamedTuple):
    """Whether a precondition holds; ``why`` is the reason's id, where it does not or nobody said."""

    state: State
    why: str = ""


Need = Callable[["Case", Goal], Check]

MET = Check("met")
UNKNOWN = Check("unknown")


def failed(why: str) -> Check:
    """A precondition that does not hold."""
    return Check("failed", why)


def known(holds: bool | None, why: str) -> Check:
    """Met, failed with a reason, or unknown for ``None``."""
    return UNKNOWN if holds is None else MET if holds else failed(why)


# --- the server ---------------------------------------------------------------------------------------


def reserved_today(case: Case, goal: Goal) -> Check:
    """Whole slots are reserved for requests today, and there is more than one."""
    scenario = case.scenario
    if scenario.concurrency is not None and scenario.concurrency.high == 1:
        return failed("one-request")
    if scenario.reserve or acts.split(case):
        return MET
    return failed("already-on") if case.defaults.paged.value else UNKNOWN


def static_today(case: Case, goal: Goal) -> Check:
    """Batches are static today, and requests overlap."""
    scenario = case.scenario
    if scenario.static_batching is not True and case.defaults.continuous.value:
        return failed("already-on")
    if scenario.concurrency is not None and scenario.concurrency.high == 1:
        return failed("one-request")
    return MET if scenario.static_batching else UNKNOWN


def graphs_missing(case: Case, goal: Goal) -> Check:
    """Graphs are off, or do not cover the batch."""
    scenario = case.scenario
    if not has_graphs(case):
        return failed("no-graphs")
    if scenario.eager or scenario.has("cliff-at-batch", "settings-overwritten"):
        return MET
    if graphs_cover(case):
        return failed("already-on")
    covered = None if case.asked is None else case.defaults.graph_max_batch.value
    if covered is not None and step_tokens(case) > covered:
        return MET
    timing = case.timings.decode
    if scenario.eager is None and goal.wall == "cpu-overhead" and timing is not None and timing.excess:
        return UNKNOWN  # they should be on; a step so far beyond the band says to look
    return UNKNOWN if covered is None else failed("already-on")


def host_waits(case: Case, goal: Goal) -> Check:
    """The engine's process waits for a core: only the host's own counters tell."""
    return MET if case.scenario.has("cpu-busy") else UNKNOWN


def graphs_on(case: Case, goal: Goal) -> Check:
    """Graphs are captured."""
    if not has_graphs(case):
        return failed("no-graphs")
    return failed("not-on") if case.scenario.eager else MET if case.scenario.has("oom-capture") else UNKNOWN


def not_eager(case: Case, goal: Goal) -> Check:
    """Graphs are on, and their capture is what fails."""
    if not has_graphs(case):
        return failed("no-graphs")
    if case.scenario.eager:
        return failed("already-on")
    return MET if case.scenario.has("oom-capture") or goal.detail == "graph-memory" else UNKNOWN


def requests_shorter(case: Case, goal: Goal) -> Check:
    """Real requests are shorter than the window; once the server runs, blocks are given as they fill."""
    now, need = acts.max_len(case), case.peak_tokens
    if goal.phase != "load" and goal.wall == "kv-memory" and not acts.split(case):
        return failed("no-effect")  # blocks are given as they fill: the window only counts at the start
    if now is None or not need:
        return UNKNOWN
    return known(need < now, "prompts-need-it")


def share_left(case: Case, goal: Goal) -> Check:
    """The share is below what is advised at most, and the card is not shared."""
    if case.scenario.has("other-process"):
        return failed("shared-card")
    if case.scenario.has("oom-running", "oom-only-near-full") or (case.scenario.has("oom") and serves(case)):
        return failed("runs-out")
    if acts.split(case):
        return MET
    now = case.defaults.utilization.value
    return UNKNOWN if now is None else known(now < acts.SAFE, "at-limit")


def in_pieces(case: Case, goal: Goal) -> Check:
    """What PyTorch holds would do, in one piece."""
    return known(case.scenario.has("allocator-fragmented") or None, "not-on")


def others_there(case: Case, goal: Goal) -> Check:
    """Others hold a part of the card."""
    return known(case.scenario.has("other-process") or case.share_taken is not None or None, "not-on")


def pool_can_shrink(case: Case, goal: Goal) -> Check:
    """Memory runs out after the pool is made, and the start does not lack it already."""
    scenario = case.scenario
    if scenario.has("oom-running", "oom-only-near-full", "oom-capture", "other-process", "uses-above-cap",
                    "allocator-fragmented"):  # fmt: skip
        return MET
    if case.starts is False or goal.wall in ("weights-memory", "kv-memory"):
        return failed("start-short")
    return UNKNOWN


_CAPPED_FOR_OTHERS: frozenset[Wall] = frozenset(("other", "cpu-overhead", "kv-fragmentation"))
"""Walls that fewer sequences help against whatever the pool holds: peaks, graphs that cover them, slots."""


def pool_known(case: Case, goal: Goal) -> Check:
    """The pool holds fewer requests than are asked for."""
    fits, asked = case.requests_that_fit, case.asked
    if goal.wall == "kv-fragmentation" and not acts.split(case):
        return failed("not-the-wall")
    if goal.phase == "load" or goal.wall in _CAPPED_FOR_OTHERS:
        return MET if case.asked or case.scenario.max_num_seqs else UNKNOWN
    if fits is None or asked is None:
        return UNKNOWN
    return known((case.at_once or asked) > fits, "pool-has-room")


def requests_wait(case: Case, goal: Goal) -> Check:
    """Requests wait, and the pool has room for them."""
    scenario, fits, now = case.scenario, case.requests_that_fit, case.at_most
    if case.asked is not None and fits is not None and fits <= min(case.asked, now or case.asked):
        return failed("pool-full")
    if goal.wall in ("kv-memory", "kv-fragmentation"):
        return failed("pool-full")
    if scenario.waiting:
        return MET
    cap = scenario.slots or now
    return UNKNOWN if case.asked is None or cap is None else known(case.asked > cap, "nothing-waits")


def card_idles(case: Case, goal: Goal) -> Check:
    """The card could run more sequences: the pool has room and the batch is below the knee."""
    scenario, batch, fits = case.scenario, case.batch, case.requests_that_fit
    if batch is None or (scenario.concurrency is None and scenario.running is None):
        if scenario.has("one-at-a-time", "time-grows-with-requests"):
            return MET
        return failed("nothing-waits") if scenario.request_rate else UNKNOWN  # more do not come
    if fits is not None and batch >= fits:
        return failed("pool-full")
    if batch < (case.asked or 0) and (scenario.running is None or scenario.waiting):
        return failed("at-limit")  # more wait already than the server runs at once
    return MET if case.knee is None else known(batch < case.knee, "beyond-knee")


def admits_early(case: Case, goal: Goal) -> Check:
    """The engine admits requests that cannot finish."""
    if case.scenario.engine in ("tensorrt-llm", "tgi") and case.defaults.full_admission.value:
        return failed("already-on")
    if case.scenario.watermark and case.scenario.watermark >= acts.MARGIN:
        return failed("at-limit")
    return MET if case.scenario.has("preempts", "recomputes", "collapses-when-full") else UNKNOWN


def answers_may_shrink(case: Case, goal: Goal) -> Check:
    """Only the people who ask know whether shorter will do."""
    return UNKNOWN


def prompts_whole(case: Case, goal: Goal) -> Check:
    """Prompts are computed whole between the steps of running requests."""
    if case.scenario.chunked_prefill is not False and case.defaults.chunked_prefill.value:
        return failed("already-on")
    stalls = case.scenario.has("spikes-between-tokens")  # then there are running requests to protect
    if case.scenario.has("throughput-goal", "chunking-slower") or (case.scenario.has("prefill-heavy") and not stalls):
        return failed("throughput-goal")
    if case.asked == 1:
        return failed("one-request")
    return MET if stalls else UNKNOWN


def prompt_cut(case: Case, goal: Goal) -> Check:
    """The prompt is cut by the token budget."""
    now, prompt = case.defaults.token_budget.value, case.prompt
    if case.scenario.chunked_prefill is None and case.defaults.chunked_prefill.value is False:
        return failed("whole-prompt")
    return UNKNOWN if now is None or not prompt else known(prompt > now, "whole-prompt")


def peak_large(case: Case, goal: Goal) -> Check:
    """The peak of the profiling or prefill pass is what is short."""
    if goal.phase == "load" or goal.detail == "activation-peak":
        return MET
    return failed("prompts-whole") if whole_prompts(case) else UNKNOWN


def whole_prompts(case: Case) -> bool:
    """Whether a setting makes vLLM compute each prompt whole: its token budget must then hold the longest sequence."""
    return case.engine == "vllm" and case.scenario.chunked_prefill is False


def shared_beginning(case: Case, goal: Goal) -> Check:
    """Prompts share a beginning, and its KV is not reused."""
    scenario = case.scenario
    if scenario.has("hit-rate-zero", "prompts-recomputed") or goal.detail == "prefix-cache-miss":
        return MET  # on or not, it does not hit
    if case.defaults.prefix_caching.value:
        on_by_default = scenario.prefix_caching is None
        may_hit = scenario.has("shared-prefix") or (case.prompt or 0) >= LONG
        return UNKNOWN if on_by_default and may_hit else failed("already-on")  # that it is on is not that it hits
    return MET if scenario.has("shared-prefix") else UNKNOWN


def few_sequences(case: Case, goal: Goal) -> Check:
    """So few sequences that the step has arithmetic to spare."""
    scenario = case.scenario
    if scenario.speculation:
        return failed("already-on")
    return UNKNOWN if scenario.concurrency is None or case.batch is None else known(case.batch <= 8, "busy")


def drafting(case: Case, goal: Goal) -> Check:
    """Drafting is on."""
    said = case.scenario.has("drafting-no-gain", "drafting-worse-under-load")
    if case.scenario.speculation and not said and _drafts_pay(case):
        return failed("slower")
    on = case.scenario.speculation or said
    return known(on or (None if case.scenario.speculation is None and not case.scenario.engine else False), "not-on")


def _drafts_pay(case: Case) -> bool:
    """Whether a token takes longer without drafting, at a usual acceptance."""
    plain = acts.again(acts.changed(case.scenario, speculation=False, draft_tokens=None))
    now, without = measures.token_time(case), measures.token_time(plain)
    return now is not None and without is not None and now * Fraction(103, 100) < without


def adapters(case: Case, goal: Goal) -> Check:
    """One adapter is served, unmerged; a cap on adapters does not tell how many there are."""
    scenario = case.scenario
    if not scenario.lora and not scenario.has("adapter-slower"):
        return failed("not-on") if scenario.lora is False else UNKNOWN
    if scenario.loras is not None and scenario.loras > 1:
        return failed("many-adapters")
    return MET if scenario.loras == 1 else UNKNOWN


def samples_heavily(case: Case, goal: Goal) -> Check:
    """Requests ask for penalties, log probabilities and the like."""
    return MET if case.scenario.has("sampling-slower") else UNKNOWN


def rank_set(case: Case, goal: Goal) -> Check:
    """The cap on the rank of adapters was raised: whether above what they have, only their files tell."""
    scenario = case.scenario
    if not scenario.lora and not scenario.has("adapter-slower"):
        return failed("not-on") if scenario.lora is False else UNKNOWN
    set_here = any(name.replace("_", "-").endswith("max-lora-rank") for name in scenario.flags)
    return UNKNOWN if set_here or not scenario.engine else failed("not-on")


def grammar(case: Case, goal: Goal) -> Check:
    """Structured output is on."""
    return MET if case.scenario.grammar or case.scenario.has("grammar-slower") else UNKNOWN


def bare_engine_measured(case: Case, goal: Goal) -> Check:
    """The engine was measured without what is in front of it."""
    return MET if case.scenario.has("engine-alone-fast", "proxy-in-between", "constant-offset") else UNKNOWN


def version_known(case: Case, goal: Goal) -> Check:
    """Only release notes tell whether a newer version has the fix."""
    return UNKNOWN


def explained(case: Case, goal: Goal) -> Check:
    """The arithmetic gives what was observed."""
    return known(goal.wall == "none" or goal.detail in ("reserved-pool-misread", "figure-misread"), "not-the-wall")
