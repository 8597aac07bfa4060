"""The KV cache of a server that runs: too small for what is asked, copied, cut into slots, padded."""

from __future__ import annotations

from fractions import Fraction

from engine.diagnosis.cases.case import Case
from engine.diagnosis.causes.row import Cause, Witness, flags, numbers, together, weaker, words
from engine.diagnosis.causes.situation import fails, percent, serves, tokens, usual_phase
from engine.diagnosis.model import Param

_FULL = Fraction(95, 100)
_ROOM = Fraction(6, 10)
"""A pool in use up to here has room: more requests would not wait for it (incidents.md section 5: capped at 59 %)."""

_QUEUED = Fraction(3, 10)
"""Where nearly all the time is prefill, what does not fit waits its turn and costs little: more of it would not make
the prompts' arithmetic shorter."""


def pool_overflow(case: Case) -> Witness | None:
    """What the running requests hold against what the pool has: the rest is preempted and computed again."""
    s = case.scenario
    direct = {"preempts": "0.6", "collapses-when-full": "0.6", "cache-full": "0.55", "recomputes": "0.5"}
    said = words(case, {**direct, "queue-grows": "0.25"}, "oom-running")
    gauge = numbers("0.85", used=percent(s.kv_usage)) if s.kv_usage is not None and s.kv_usage >= _FULL else None
    if s.kv_usage is not None and s.kv_usage < _ROOM:
        return None  # a gauge that reads low outranks what the arithmetic would expect
    return together(_asked_beyond(case), gauge, said)


_WASTED = Fraction(1, 4)
"""Share of empty slots from which reserving them is the matter; below it the cache is short of room as any other is."""


def _asked_beyond(case: Case) -> Witness | None:
    pool, asked = case.pool_tokens, case.asked_tokens
    if pool is None or asked is None or fails(case) or _takes_another(case, pool):
        return None
    if (kept := case.reserved) is not None:
        if kept.waste >= _WASTED:
            return None  # the slots that hold nothing are what is short
        asked = max(kept.reserved, kept.used) * (case.at_once or 0)
    if case.scenario.slots is not None and case.defaults.unified.value is False:
        return None  # each slot has its own part: what is short is theirs
    model, fits = case.scenario.model, case.requests_that_fit
    refused = case.ledger is not None and case.ledger.pool is not None and case.starts is False
    if pool <= 0 or ((fits == 0 or refused) and not serves(case)):
        return None  # not one request fits, or it does not come up: nothing runs that could overflow
    if model is not None and model.not_plain not in (None, "mla"):  # a token has no one size: windows and states end
        if not fits or (case.at_once or 0) <= fits:
            return None
        asked = pool * (case.at_once or 0) // fits
    if asked <= pool:
        return None
    sure = Fraction(75, 100) + min(Fraction(asked - pool, asked), Fraction(2, 10))
    if usual_phase(case) == "prefill" or (case.batch >= (case.at_once or 0) and not serves(case)):
        sure *= _QUEUED  # or all run at once, since few hold all of their tokens at the same time
    elif case.scenario.request_rate and case.scenario.concurrency is None:
        sure *= Fraction(9, 10)  # what arrives is too much, whatever the pool holds
    card = case.ledger.card.bytes if case.ledger is not None else None
    per_token = case.kv_per_token
    share = None if card is None or per_token is None else min(Fraction(1), pool * per_token / card)
    given: dict[str, Param] = {"asked": tokens(asked), "pool": tokens(pool), "fits": case.requests_that_fit or 0}
    return Witness(sure, "numbers", share, given)


def _takes_another(case: Case, pool: int) -> bool:
    """Whether requests wait in front of a pool whose gauge shows room for one more: it is not what they wait for."""
    s = case.scenario
    if s.kv_usage is None or not s.waiting or not case.peak_tokens:
        return False
    return (1 - s.kv_usage) * pool >= case.peak_tokens


def latent_replicated(case: Case) -> Witness | None:
    """Latent attention keeps one vector a token: tensor parallelism copies it to every card."""
    model = case.scenario.model
    if case.spread.tp < 2 or model is None or not (model.mla or model.kv_heads == 1):
        return None
    return _copies(case, {"cards": case.spread.tp})


def heads_copied(case: Case) -> Witness | None:
    """More cards than KV heads: each head is kept on several of them."""
    model = case.scenario.model
    if model is None or model.mla or model.kv_heads == 1 or case.spread.tp <= model.kv_heads:
        return None
    return _copies(case, {"heads": model.kv_heads, "cards": case.spread.tp})


def _copies(case: Case, params: dict[str, int]) -> Witness | None:
    """How much it matters: much where the cache is what is short, else it is only a remark."""
    s = case.scenario
    short = bool(case.pool_tokens) and case.asked_tokens is not None and case.asked_tokens > (case.pool_tokens or 0)
    asks_for_room = s.has("cache-full", "preempts", "worst-case-concurrency", "asks-how-many", "collapses-when-full")
    long = (s.max_model_len or 0) >= 100_000
    if not (short or asks_for_room or long):
        return None
    strength = Fraction("0.9" if short else "0.7" if asks_for_room else "0.56")
    if usual_phase(case) == "prefill" and not asks_for_room:
        strength *= _QUEUED
    return Witness(strength, "numbers" if short else "flags", None, dict(params), ("tp",))


def slots_reserved(case: Case) -> Witness | None:
    """Every request gets the slots of the longest one, used or not (PagedAttention, section 3)."""
    said = words(case, {"reserved-per-request": "0.58"}, "average-use-small", "oom", "oom-running")
    room = case.reserved
    if room is None and case.scenario.engine in _ADMIT_WHOLE:
        return weaker(said, "0.5")  # in blocks: limit_reserved
    if room is None:
        return said
    given = {
        "used": tokens(room.used), "reserved": tokens(room.reserved), "waste": percent(room.waste),
        "slots": tokens(room.paged_slots),
    }  # fmt: skip
    if room.waste < _WASTED:
        return weaker(said, "0.5")
    fits, asked = case.requests_that_fit, case.asked
    if asked is None and case.scenario.slots and serves(case):
        asked = 1  # nobody says that any waits for a slot
    if fits is not None and asked is not None and asked <= fits and not fails(case):
        return said  # all that are asked for run: what is kept for nothing is missed by nobody
    share = None
    if case.ledger is not None:
        held = case.ledger.entry("reserved")
        most = None if case.ledger.reservation is None or fits is None else case.ledger.reservation.bytes * fits
        held_bytes = None if held is None else held.bytes if most is None else min(held.bytes, most)
        share = None if held_bytes is None else held_bytes / case.ledger.card.bytes  # of those that are let in
    return together(Witness(Fraction(6, 10) + room.waste * Fraction(38, 100), "numbers", share, given), said)


_ADMIT_WHOLE = ("tensorrt-llm", "tgi")
"""Engines that hold blocks for a request's prompt and output limit before it starts."""


def limit_reserved(case: Case) -> Witness | None:
    """Blocks for prompt and output limit are held at admission: a large limit keeps others out, whatever is written."""
    if case.scenario.engine not in _ADMIT_WHOLE or case.reserved is not None:
        return None
    return words(case, {"reserved-per-request": "0.6"}, "average-use-small", "queue-grows")


def slots_split(case: Case) -> Witness | None:
    """llama.cpp with slots of their own: each sees its part of the window."""
    s = case.scenario
    said = words(case, {"context-split-by-slots": "0.6"}, "prompts-truncated")
    if s.slots is None or s.slots < 2 or case.defaults.unified.value:
        return said
    if case.cache_refused is not None and not serves(case):
        return said  # however they are cut, the cells take the same bytes
    strength = "0.7" if s.has("context-split-by-slots", "prompts-truncated", "window-exceeds-cache") else "0.5"
    if s.context_total is None:
        return together(said, flags(strength, "slots"))
    each = s.context_total // s.slots
    tight = case.peak_tokens is not None and case.peak_tokens > each
    if case.peak_tokens is not None and not tight and said is None and not s.has("window-exceeds-cache"):
        return None  # every request fits its slot
    given: dict[str, Param] = {"total": tokens(s.context_total), "slots": s.slots, "each": tokens(each)}
    found = numbers("0.93") if tight else flags(strength, "slots", "context_total")
    return together(found._replace(params=given), said)


def padded_groups(case: Case) -> Witness | None:
    """Layers of different kinds in groups of one size: places that no layer fills still take blocks."""
    said = words(case, {"padding-warning": "0.6"})
    pool = case.ledger.pool if case.ledger is not None else None
    if pool is None or said is None:
        return said
    return said._replace(share=pool.layers.padding_share)


_SHORT = ("admission-policy", "cap-concurrency", "kv-quantization", "raise-memory-utilization", "shorten-requests",
          "w4a16", "fp8", "tensor-parallel", "more-memory", "prefix-caching")  # fmt: skip
_VAIN = ("raise-concurrency", "paged-attention", "chunked-prefill", "client-batching")

CAUSES = (
    Cause(
        "pool-overflow", "fault", "kv-memory", None, "both", pool_overflow, _SHORT, _VAIN,
        ("half-concurrency", "cap-concurrency"), "incidents.md section 1: pool tokens against tokens asked for",
    ),
    Cause(
        "latent-replicated", "fault", "kv-memory", None, "both", latent_replicated,
        ("data-parallel", "kv-quantization", "shorten-requests"), ("tensor-parallel", "raise-concurrency"),
        ("replicas", "data-parallel"), "incidents.md section 4.8: a latent is on every rank",
    ),
    Cause(
        "heads-copied", "fault", "kv-memory", None, "both", heads_copied,
        ("data-parallel", "pipeline-parallel", "kv-quantization"), ("tensor-parallel", "raise-concurrency"),
        ("replicas", "data-parallel"), "vLLM: ceil(kv_heads/tp); incidents.md section 4.8",
    ),
    Cause(
        "slots-reserved", "fault", "kv-fragmentation", None, "both", slots_reserved,
        ("paged-attention", "cap-concurrency", "shorten-requests", "continuous-batching"),
        ("w4a16", "kv-quantization", "raise-concurrency", "more-memory"), ("paged-server", "paged-attention"),
        "Kwon et al., PagedAttention (SOSP 2023), section 3",
    ),
    Cause(
        "limit-reserved", "fault", "kv-memory", None, "both", limit_reserved,
        ("shorten-requests", "admission-policy", "raise-memory-utilization", "kv-quantization", "more-memory"),
        ("raise-concurrency", "faster-gpu", "client-batching"), ("smaller-limit", "shorten-requests"),
        "TensorRT-LLM: GUARANTEED_NO_EVICT; TGI: prompt and max_new_tokens against max_batch_total_tokens",
    ),
    Cause(
        "slots-split", "fault", "kv-fragmentation", None, "both", slots_split,
        ("paged-attention", "raise-memory-utilization", "cap-concurrency", "kv-quantization"),
        ("raise-concurrency", "w4a16"), ("one-slot", "cap-concurrency"),
        "llama.cpp server: n_ctx is divided among slots unless unified",
    ),
    Cause(
        "padded-groups", "fault", "kv-fragmentation", None, "both", padded_groups,
        ("drop-speculation", "upgrade-engine", "cap-concurrency"), ("raise-concurrency", "w4a16"),
        ("count-tokens", ""), "vLLM, v1/core/kv_cache_utils.py; calculators.md section 4.5",
    ),
)  # fmt: skip
"""In the order in which a person would look."""
