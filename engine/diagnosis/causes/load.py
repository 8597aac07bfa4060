"""What keeps a server from starting, or ends it with no memory left."""

from __future__ import annotations

from fractions import Fraction

from engine.diagnosis.cases.case import Case
from engine.diagnosis.causes.row import WORDS_MOST, Cause, Witness, flags, numbers, together, weaker, words
from engine.diagnosis.causes.situation import fails, gb, percent, serves, set_otherwise, tokens, usual_phase
from engine.diagnosis.model import Param

_NEARLY_ALL = Fraction(85, 100)
"""Weights over this share of what the engine may use leave no room worth serving from."""
_FULL_SHARE = Fraction(96, 100)
"""Shares of a card above which collectives, graphs and fragments have no room (threads: 0.90 to 0.95 is safe)."""


_OF_CARD = ("vllm", "sglang")
"""Engines whose share is one of the whole card; the others' is of what the weights leave."""


def _budget(case: Case) -> Fraction | None:
    """Bytes of a card that the engine may use."""
    if case.ledger is None or case.weights_on_card is None:
        return None
    share = case.defaults.utilization.value if case.scenario.engine in _OF_CARD else None
    return case.ledger.card.bytes * (share or 1)


def _runs_anyway(case: Case) -> bool:
    s = case.scenario
    offloads = bool(s.cpu_offload) or bool(s.expert_offload) or s.gpu_layers is not None
    return serves(case) or (offloads and not case.host_weights)  # what lies in host memory is off the card already


def weights_do_not_fit(case: Case) -> Witness | None:
    """Weights against what a card may give; what runs in spite of it keeps them elsewhere or in fewer bits."""
    said = words(case, {"oom-loading": "0.6"}, "fails-to-start", "oom") or _whatever_the_share(case)
    if case.scenario.has("after-upgrade"):
        said = weaker(said, "0.5")  # weights take the same bytes in every version
    budget = _budget(case)
    if budget is None or case.weights_on_card is None or case.ledger is None:
        return said
    size = case.weights_on_card
    if size <= budget:
        return weaker(said, "0.4") if size < budget * _NEARLY_ALL else said
    computed = numbers("0.96", size / case.ledger.card.bytes, weights=gb(size), room=gb(budget))
    return weaker(computed, "0.3") if _runs_anyway(case) else together(computed, said)


def _whatever_the_share(case: Case) -> Witness | None:
    """Memory runs out at every share of the card: the pool follows the share, weights do not."""
    s = case.scenario
    if s.has(*_SAYS_WHICH, "oom-warmup", "oom-running", "starts-only-eager") or not s.has("tried-utilization"):
        return None
    return words(case, {"oom": "0.36"}, "tried-utilization", "fails-to-start")


_IN_FEW_BITS = ("fp8", "awq", "gptq", "int4", "int8", "4bit", "8bit", "w4a16", "w8a8", "nvfp4", "fp4", "bnb", "gguf")
"""What the name of a checkpoint of few bits says."""


def quantizes_while_loading(case: Case) -> Witness | None:
    """Weights are quantized as they are loaded: their 16-bit tensors lie on the card first, and do not fit."""
    s, budget, size = case.scenario, _budget(case), case.weights_on_card
    told = s.said.get("weights")
    if s.weights is None or told is None or told.source != "quantization" or budget is None or size is None:
        return None
    if any(part in s.model_name.lower() for part in _IN_FEW_BITS) or not (fails(case) or s.has("oom")):
        return None
    whole = size * 16 / s.weights.linear_bits
    if size > budget or whole <= budget:
        return None
    return together(numbers("0.8", None, whole=gb(whole), room=gb(budget)), words(case, {"oom-loading": "0.6"}, "oom"))


def few_layers_left(case: Case) -> Witness | None:
    """llama.cpp with most layers on the card and a few in host memory: little is missing."""
    s = case.scenario
    said = words(case, {"layers-left-on-cpu": "0.6"}, "fails-to-start", "oom")
    if said is not None and _cache_is_larger(case):
        said = said._replace(wall="kv-memory")
    if s.gpu_layers is None or s.gpu_layers <= 0:
        return said
    if s.model is None:
        return None if said is None or serves(case) else together(said, flags("0.3", "gpu_layers"))
    missing = s.model.layers + 1 - s.gpu_layers  # llama.cpp counts the head as a layer
    if missing <= 0 or serves(case):
        return None  # it answers: what its layers in host memory cost is told by layers_on_processor
    if missing > s.model.layers // 8:
        return said
    return together(numbers("0.7", left=missing, layers=s.model.layers + 1), said)


def _cache_is_larger(case: Case) -> bool:
    """Whether the whole window's cache, which llama.cpp reserves at start, is larger than the weights: it is then what
    pushes layers off the card."""
    s = case.scenario
    window = s.context_total or s.max_model_len
    if window is None or case.kv_per_token is None or case.weights_on_card is None:
        return False
    return window * case.kv_per_token > case.weights_on_card


def no_room_for_cache(case: Case) -> Witness | None:
    """Weights and the rest fit, and nothing that a request could use is left."""
    said = words(
        case, {"not-enough-memory-fraction": "0.58", "no-cache-blocks": "0.5", "fails-to-start": "0.42", "oom": "0.25"}
    )
    if case.scenario.has("window-over-model") or case.share_taken is not None:
        return None  # it says itself why it does not start
    if case.scenario.has("no-bf16", "no-kernel-for-format"):
        said = None  # what it says of is no memory
    ledger, budget = case.ledger, _budget(case)
    if ledger is None or budget is None or ledger.pool_tokens is None or case.weights_on_card is None:
        known = bool(case.scenario.kv_pool or case.scenario.kv_pool_tokens)
        refuted = known and not case.scenario.has("not-enough-memory-fraction", "no-cache-blocks")
        return said if said and fails(case) and not refuted else None
    if case.weights_on_card > budget:
        return None
    need = min(case.peak_tokens or 1024, 1024)
    if ledger.pool_tokens < need and not serves(case):
        pool = ledger.entry("kv-pool") or ledger.entry("free")
        size = case.weights_on_card
        found = numbers(
            "0.93", size / ledger.card.bytes, weights=gb(size), room=gb(budget), pool=gb(pool.bytes if pool else 0)
        )
        # where weights take nearly all, they are what is too large, and no other line could give a pool worth having
        return together(found._replace(wall="weights-memory" if size > budget * _NEARLY_ALL else None), said)
    if case.starts and set_otherwise(case):
        return None  # it failed with other settings than those that are asked about, and with these it comes up
    return weaker(said, "0.6") if said and fails(case) else None


def window_exceeds_cache(case: Case) -> Witness | None:
    """One request of the longest length does not fit the pool: vLLM refuses to start."""
    said = words(case, {"window-exceeds-cache": "0.6"}, "fails-to-start", "inflated-window")
    ledger = case.ledger
    if case.window_told is not None and not serves(case) and case.window_told > (case.pool_tokens or 0):
        held = tokens(case.pool_tokens or 0)  # without its card: the log says what the pool holds
        return together(numbers("0.94", max_len=tokens(case.window_told), pool=held, longest=held), said)
    if ledger is None or ledger.pool is None or not ledger.pool_tokens:
        return said
    pool = ledger.pool
    if pool.starts or ledger.pool_tokens <= 0:
        return said  # an engine's own refusal: what was assumed about the server is wrong, not the refusal
    budget = max(pool.budget.bytes, Fraction(0))
    computed = numbers(
        "0.94", budget / ledger.card.bytes,
        max_len=tokens(pool.settings.max_len), pool=tokens(ledger.pool_tokens), longest=tokens(pool.longest),
    )  # fmt: skip
    s = case.scenario
    if s.max_model_len is None and not fails(case) and (s.prompt or s.concurrency or serves(case)):
        # the model's own window, which nobody may have left in force: a server that answers has a shorter one
        kept = "0.45" if not case.starts else "0.2" if usual_phase(case) == "both" else "0.3"
        return weaker(computed, "0.15" if serves(case) else kept)
    return weaker(computed, "0.35") if serves(case) else together(computed, said)


def profiling_peak(case: Case) -> Witness | None:
    """The largest pass that start-up tries: seen where memory fails though weights and cache would fit."""
    if case.share_taken is not None:
        return None  # it ended before any pass was tried
    s = case.scenario
    said = words(
        case, {"oom-warmup": "0.58", "warmup-prefill": "0.6", "inflated-window": "0.5", "no-cache-blocks": "0.3"},
        "after-upgrade", "fails-to-start", "memory-above-file",
    )  # fmt: skip
    if not (fails(case) or s.has("oom")):
        return said or together(_takes_the_pool(case), _set_high(case) if _takes_the_pool(case) else None)
    told = together(said, words(case, {"after-upgrade": "0.4"}))
    if told is not None:
        told = told._replace(strength=min(WORDS_MOST, told.strength))
    return together(_by_elimination(case), told, _set_high(case))


def _set_high(case: Case) -> Witness | None:
    """Settings that make the pass large."""
    s = case.scenario
    high = {
        "images": bool(s.images),
        "max_num_seqs": (s.max_num_seqs or 0) >= 512,
        "max_num_batched_tokens": (s.max_num_batched_tokens or 0) >= 16384,
    }
    named = [name for name, on in high.items() if on]
    return flags("0.5", *named) if named else None


_SAYS_WHICH = (
    "window-exceeds-cache", "oom-loading", "oom-capture", "not-enough-memory-fraction", "other-process", "no-bf16",
    "no-kernel-for-format", "window-over-model",
)  # fmt: skip
"""Signals that name what is short: nothing is left to eliminate."""


def _takes_the_pool(case: Case) -> Witness | None:
    """A pass that was set larger than usual takes more bytes than are short."""
    ledger, short = case.ledger, case.free_bytes
    peak = None if ledger is None else ledger.entry("activation")
    if ledger is None or ledger.pool is None or peak is None or short is None or serves(case):
        return None
    if case.starts is not False or _set_high(case) is None or peak.bytes * 3 / 4 + short < 0:
        return None
    pool = ledger.pool
    given: dict[str, Param] = {
        "peak": gb(peak.bytes), "tokens": tokens(pool.settings.tokens), "seqs": pool.settings.seqs,
    }  # fmt: skip
    return Witness(Fraction(9, 10), "numbers", peak.bytes / ledger.card.bytes, given)


def _by_elimination(case: Case) -> Witness | None:
    """It is said to fail, and the ledger shows room for weights and cache: a peak that nobody counted is left."""
    ledger = case.ledger
    told = fails(case) or case.scenario.has("oom", "memory-above-file")
    if case.scenario.has(*_SAYS_WHICH):
        return None
    if ledger is None or ledger.pool is None or not told or serves(case):
        return None
    peak = ledger.entry("activation")
    pool = ledger.pool
    if peak is None:
        return None
    given: dict[str, Param] = {
        "peak": gb(peak.bytes),
        "tokens": tokens(pool.settings.tokens),
        "seqs": pool.settings.seqs,
    }
    if not pool.starts and pool.budget.bytes + peak.bytes > 0 and peak.bytes > abs(pool.budget.bytes):
        return Witness(Fraction(85, 100), "numbers", peak.bytes / ledger.card.bytes, given)
    if pool.starts and pool.budget.bytes > ledger.card.bytes / 10:
        return Witness(Fraction(62, 100), "numbers", None, {"room": gb(pool.budget.bytes)})
    return None


def graph_capture_memory(case: Case) -> Witness | None:
    """Memory runs out while graphs are captured."""
    direct = {"oom-capture": "0.6"}
    if not case.scenario.eager:
        direct["starts-only-eager"] = "0.55"  # what eager mode leaves out is the capture
    return words(case, direct, "fails-to-start", "oom")


def outside_the_share(case: Case) -> Witness | None:
    """Buffers that profiling does not see, with hardly anything of the card left for them."""
    s = case.scenario
    said = words(case, {"oom-only-near-full": "0.6", "uses-above-cap": "0.58"}, "oom", "oom-running")
    share = s.utilization
    near = share is not None and share >= _FULL_SHARE
    trouble = s.has("oom", "oom-running", "oom-capture", "oom-only-near-full", "fails-to-start")
    if not (near and trouble and share):
        return said
    return together(said, flags("0.55", "gpu_memory_utilization")._replace(params={"share": percent(share)}))


_COUNTED = Fraction(3, 4)
"""PyTorch's own account of its memory says it, byte by byte; that its pieces could be joined is likely, not sure."""


def allocator_fragmented(case: Case) -> Witness | None:
    """PyTorch holds more than was asked for and has not allocated it: it lies in pieces, and none is large enough."""
    said = words(case, {"allocator-fragmented": "0.6"}, "oom", "oom-running")
    printed = any(one.id == "allocator-fragmented" and one.source != "symptom" for one in case.scenario.signals)
    return said._replace(by="numbers", strength=_COUNTED) if said is not None and printed else said


def shared_card(case: Case) -> Witness | None:
    """Other programs hold a part of the card: as much as its own account of what is free says, where it has one."""
    said = words(case, {"other-process": "0.6"}, "fails-to-start", "oom", "no-cache-blocks")
    if said is not None and any(one.id == "other-process" and one.source != "symptom" for one in case.scenario.signals):
        said = said._replace(by="numbers")  # a program counted it
    free, share, found = case.free_at_start, case.defaults.utilization.value, case.ledger
    if case.share_taken is None or free is None or share is None or found is None or serves(case):
        return said
    card = found.card.bytes
    given: dict[str, Param] = {
        "free": gb(free), "card": gb(card), "wanted": gb(share * card), "share": percent(share),
        "most": percent(free / card),
    }  # fmt: skip
    return together(Witness(Fraction(97, 100), "numbers", 1 - free / card, given), said)


def run_time_peak(case: Case) -> Witness | None:
    """Memory runs out while requests are served: a prompt or batch larger than what was planned for."""
    said = words(case, {"oom-running": "0.6"}, "slow-first-token")
    if case.scenario.has("oom") and not case.scenario.has(*_SAYS_WHICH, "oom-warmup") and not fails(case):
        return together(said, _everything_fits(case))
    return said


def _everything_fits(case: Case) -> Witness | None:
    """Weights and a cache fit with room to spare, and memory runs out all the same: what is left is the work itself."""
    if case.ledger is None or not case.starts or case.weights_on_card is None:
        return None
    roomy = case.weights_on_card < case.ledger.card.bytes * Fraction(7, 10)
    return Witness(Fraction(1, 2), "numbers") if roomy else None


_FIT = ("w4a16", "fp8", "w8a8", "tensor-parallel", "more-memory", "pipeline-parallel", "expert-offload", "cpu-offload")
_INCIDENTS = "incidents.md sections 1, 6 and 8"

CAUSES = (
    Cause(
        "weights-do-not-fit", "load", "weights-memory", None, "load", weights_do_not_fit, _FIT,
        ("raise-memory-utilization", "lower-max-model-len", "kv-quantization", "paged-attention", "cpu-offload"),
        ("load-smaller-format", "w4a16"), "incidents.md section 1: params x bytes against the card",
    ),
    Cause(
        "quantizes-while-loading", "load", "weights-memory", None, "load", quantizes_while_loading,
        ("prequantized-checkpoint", "w4a16", "tensor-parallel", "more-memory", "upgrade-engine"),
        ("lower-max-model-len", "raise-memory-utilization", "kv-quantization", "eager-mode"),
        ("load-smaller-format", "w4a16"), "vllm#7200, sglang#2895: all 16-bit weights are on the card first",
    ),
    Cause(
        "few-layers-left", "load", "weights-memory", None, "load", few_layers_left,
        ("kv-quantization", "lower-max-model-len", "better-kernel", "lower-token-budget", "w4a16"), ("cpu-offload",),
        ("smaller-cache", "kv-quantization"), "incidents.md section 1; the cache's bytes are the missing layers'",
    ),
    Cause(
        "no-room-for-cache", "load", "kv-memory", None, "load", no_room_for_cache,
        ("raise-memory-utilization", "w4a16", "fp8", "w8a8", "tensor-parallel", "lower-token-budget", "more-memory"),
        ("kv-quantization", "lower-memory-utilization"), ("smaller-window", "lower-max-model-len"), _INCIDENTS,
    ),
    Cause(
        "window-exceeds-cache", "load", "kv-memory", None, "load", window_exceeds_cache,
        ("lower-max-model-len", "raise-memory-utilization", "kv-quantization", "tensor-parallel", "w4a16", "fp8",
         "more-memory"),
        ("eager-mode", "cap-concurrency"), ("smaller-window", "lower-max-model-len"),
        "vLLM: one request of max_model_len must fit the pool",
    ),
    Cause(
        "profiling-peak", "load", "other", "activation-peak", "load", profiling_peak,
        ("lower-token-budget", "cap-concurrency", "lower-max-model-len", "more-memory"),
        ("w4a16", "tensor-parallel", "eager-mode"), ("smaller-budget", "lower-token-budget"),
        "incidents.md section 6.8: the profiling batch, not the model",
    ),
    Cause(
        "graph-capture-memory", "load", "other", "graph-memory", "load", graph_capture_memory,
        ("fewer-cuda-graphs", "lower-memory-utilization", "upgrade-engine", "eager-mode"),
        ("lower-max-model-len", "raise-memory-utilization"), ("graphs-off", "eager-mode"),
        "levers.md section 2, graph-memory",
    ),
    Cause(
        "outside-the-share", "load", "other", "non-torch-memory", "load", outside_the_share,
        ("lower-memory-utilization", "upgrade-engine", "fewer-cuda-graphs"),
        ("raise-memory-utilization", "w4a16"), ("smaller-share", "lower-memory-utilization"),
        "levers.md section 2, non-torch-memory",
    ),
    Cause(
        "allocator-fragmented", "load", "other", "fragmented-memory", "both", allocator_fragmented,
        ("expandable-segments", "lower-memory-utilization", "lower-token-budget"),
        ("raise-memory-utilization",), ("expandable-segments", ""),
        "PyTorch, CUDA semantics, memory management: expandable_segments",
    ),
    Cause(
        "shared-card", "load", "other", "shared-card", "load", shared_card,
        ("free-card", "lower-memory-utilization", "more-memory"), ("raise-memory-utilization", "w4a16"),
        ("free-card", ""),
        "levers.md section 2, shared-card",
    ),
    Cause(
        "run-time-peak", "fault", "other", "activation-peak", "both", run_time_peak,
        ("lower-memory-utilization", "lower-token-budget", "cap-concurrency", "chunked-prefill"),
        ("raise-memory-utilization", "w4a16"), ("smaller-budget", "lower-token-budget"),
        "levers.md: lower-memory-utilization where OOM comes after the pool is made",
    ),
)  # fmt: skip
"""In the order in which a person would look."""
