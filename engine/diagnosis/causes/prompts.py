"""Prompts: computed again and again, in pieces too small, or in front of everybody's next token."""

from __future__ import annotations

from fractions import Fraction

from engine.diagnosis.cases.case import Case
from engine.diagnosis.causes.row import Cause, Witness, flags, numbers, together, weaker, words
from engine.diagnosis.causes.situation import LONG_PROMPT, fails, ms, percent, tokens, usual_phase
from engine.diagnosis.model import Amount, Param

_MUCH = Fraction(1, 4)
"""Of the time between two tokens: prompts that take less of it are no wall."""
_HALF = Fraction(1, 2)
"""Of the card's time: prompts that take more of it are what there is to shorten."""
_SEEN = Fraction(72, 100)
"""Prefills that were counted in the log say what takes the steps; how long each takes only arithmetic says."""
_SMALL_BUDGET = 8
"""A prompt of so many budgets is computed in so many passes, and each reads weights and cache again."""


def cache_cannot_hit(case: Case) -> Witness | None:
    """Prefix caching is on and nothing hits: the shared part is shorter than a block, or stands behind what differs."""
    if not _complained(case) or case.scenario.prefix_caching is False:
        return None
    said = words(case, {"hit-rate-zero": "0.6"}, "shared-prefix", "slow-first-token")
    model = case.scenario.model
    hybrid = model is not None and model.hybrid is not None
    on = flags("0.3", "prefix_caching") if said and (case.scenario.prefix_caching or hybrid) else None
    return together(said, on)


def _complained(case: Case) -> bool:
    """Whether somebody says that nothing hits, or could: a log prints 0 % where nothing is shared too."""
    s = case.scenario
    return s.has("shared-prefix", "prompts-recomputed") or any(
        one.id == "hit-rate-zero" and one.source == "symptom" for one in s.signals
    )


def prefix_not_reused(case: Case) -> Witness | None:
    """Prompts begin alike and are computed whole every time."""
    said = words(case, {"prompts-recomputed": "0.58", "shared-prefix": "0.5"}, "slow-first-token", "prefill-heavy")
    if said is not None and shared_and_off(case):
        return together(said, flags("0.7", "prefix_caching"))
    return weaker(said, "0.5") if said and case.scenario.has("hit-rate-zero") else said


def shared_and_off(case: Case) -> bool:
    """Whether somebody switched the reuse of beginnings off, and prompts share theirs."""
    s = case.scenario
    return s.prefix_caching is False and s.has("shared-prefix", "prompts-recomputed")


def prefill_stalls(case: Case) -> Witness | None:
    """A long prompt runs between two tokens of everybody else."""
    said = words(case, {"spikes-between-tokens": "0.6"}, "slow-first-token")
    s = case.scenario
    off = flags("0.4", "chunked_prefill") if said and s.chunked_prefill is False else None
    long = flags("0.3", "prompt") if said and s.prompt is not None and s.prompt.high >= LONG_PROMPT else None
    return together(said, off, long)


def chunk_too_small(case: Case) -> Witness | None:
    """Chunks protect decodes; where there is hardly any decode they only cost passes."""
    s = case.scenario
    said = words(case, {"chunking-slower": "0.58"}, "prefill-heavy", "throughput-goal")
    budget = s.max_num_batched_tokens
    if s.chunked_prefill is False or budget is None or s.prompt is None or usual_phase(case) != "prefill":
        return said
    if s.prompt.mid < budget * _SMALL_BUDGET:
        return said
    return together(numbers("0.55")._replace(params={"tokens": tokens(budget)}), said)


def prompts_between(case: Case) -> Witness | None:
    """The measured time between two tokens is a step, and the prompts of others that are computed in between."""
    timing = case.timings.decode
    if timing is None or timing.measured_by != "tpot" or timing.shared == 1 or timing.excess or fails(case):
        return None
    share = 1 - timing.shared
    if share < _MUCH or not timing.measured:
        return None
    given: dict[str, Param] = {
        "measured": ms(timing.measured), "step": ms(timing.step.seconds), "others": max(1, case.batch - 1),
    }  # fmt: skip
    sure = Fraction(7, 10) + share / 5 if share >= Fraction(1, 2) else Fraction(45, 100) + share / 2
    return Witness(sure, "numbers", share, given, ("tpot",), "both")


def prompts_fill_steps(case: Case) -> Witness | None:
    """The log's own lines: prefills one after another, a queue in front of them, and hardly a decode step between."""
    s = case.scenario
    if (found := _by_their_rate(case)) is not None:
        return found
    seen = words(case, {"prompts-fill-steps": "0.6"})
    if seen is None or fails(case) or usual_phase(case) == "decode":
        return None
    if not any(one.id == "prompts-fill-steps" and one.source != "symptom" for one in s.signals):
        return seen
    found = seen._replace(by="numbers", strength=_SEEN)
    return found._replace(params={"waiting": s.waiting, "running": s.running}) if s.waiting and s.running else found


def _by_their_rate(case: Case) -> Witness | None:
    """Prompts that were computed at a rate that takes most of the card's time by arithmetic."""
    busy, rate = case.prompts_busy, case.scenario.prompt_throughput
    if busy is None or not rate or busy < _HALF or fails(case):
        return None
    given: dict[str, Param] = {"rate": Amount(rate, "tokens/s"), "share": percent(busy)}
    return Witness(_SEEN, "numbers", busy, given, ("prompt_throughput",), "prefill")


CAUSES = (
    Cause(
        "prompts-fill-steps", "fault", "compute", None, "prefill", prompts_fill_steps,
        ("prefix-caching", "fp8", "w8a8", "data-parallel", "tensor-parallel", "shorten-requests", "faster-gpu"),
        ("cuda-graphs", "w4a16", "raise-concurrency", "client-batching", "kv-quantization"), ("limited-rate", ""),
        "SGLang's lines: one of each prefill, one of 40 decode steps",
    ),
    Cause(
        "prompts-between", "fault", "compute", None, "both", prompts_between,
        ("chunked-prefill", "prefix-caching", "fp8", "w8a8", "data-parallel", "lower-token-budget", "shorten-requests",
         "tensor-parallel", "cap-concurrency"),
        ("w4a16", "cuda-graphs", "upgrade-engine", "raise-concurrency", "client-batching"), ("limited-rate", ""),
        "engine.serving: decode gets the time that prefills leave",
    ),
    Cause(
        "cache-cannot-hit", "fault", "other", "prefix-cache-miss", "prefill", cache_cannot_hit,
        ("prefix-caching", "upgrade-engine", "shorten-requests"), ("raise-memory-utilization", "w4a16"),
        ("longer-prefix", ""), "levers.md section 2, prefix-cache-miss",
    ),
    Cause(
        "prefix-not-reused", "fault", "compute", None, "prefill", prefix_not_reused,
        ("prefix-caching", "shorten-requests", "fp8", "w8a8"), ("w4a16", "kv-quantization", "raise-concurrency"),
        ("same-prompt-twice", "prefix-caching"), "incidents.md section 5, prefix caching",
    ),
    Cause(
        "prefill-stalls", "fault", "compute", None, "both", prefill_stalls,
        ("chunked-prefill", "lower-token-budget", "prefix-caching", "fp8", "w8a8"),
        ("raise-token-budget", "w4a16", "raise-concurrency"), ("smaller-chunk", "lower-token-budget"),
        "Agrawal et al., Sarathi-Serve (OSDI 2024); incidents.md section 5",
    ),
    Cause(
        "chunk-too-small", "fault", "compute", None, "prefill", chunk_too_small,
        ("raise-token-budget", "prefix-caching", "fp8", "w8a8", "shorten-requests"),
        ("chunked-prefill", "lower-token-budget", "w4a16"), ("larger-pass", "raise-token-budget"),
        "incidents.md section 5: budget 8k to 16k gave +36 to 56 % prefill",
    ),
)  # fmt: skip
"""In the order in which a person would look."""
