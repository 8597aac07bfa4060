"""Questions about a case that several causes ask."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from engine import catalog
from engine.diagnosis.cases.case import Case
from engine.diagnosis.model import Amount, Finding, Phase, Timing

START = (
    "fails-to-start", "oom-loading", "oom-warmup", "oom-capture", "no-cache-blocks", "window-exceeds-cache",
    "not-enough-memory-fraction", "warmup-prefill", "layers-left-on-cpu",
)  # fmt: skip
"""Signals of a server that does not come up."""

SERVING = (
    "oom-running", "preempts", "cache-full", "queue-grows", "collapses-when-full", "recomputes", "more-cards-slower",
    "extremely-slow", "offload-slow", "low-gpu-use", "cliff-at-batch", "adapter-slower", "grammar-slower",
    "drafting-no-gain", "drafting-worse-under-load", "quantized-slower", "quantized-slower-large-batch",
    "quantized-kv-slower", "one-at-a-time", "time-grows-with-requests", "stuck-below-offered", "gain-below-advertised",
    "same-as-other-runner", "slow-first-token", "first-time-slow", "spikes-between-tokens", "hit-rate-zero",
    "chunking-slower", "collectives-slow", "slow-link", "sampling-slower", "replicas-no-gain",
    "slows-with-context",
    "slow-decode", "regression", "proxy-in-between", "engine-alone-fast", "low-power-on-cards", "copies-to-device",
)  # fmt: skip
"""Signals of a server that answers."""

MISREAD = (
    "uses-most-memory", "quantized-uses-same", "gauge-lower-with-cards", "asks-how-many",
    "token-count-differs", "derived-tokens", "worst-case-concurrency", "ttft-at-full-rate",
)  # fmt: skip
"""Signals of a question about a figure."""

_MOSTLY = Fraction(6, 10)
"""A phase with more than this share of the requests' time is the one to look at."""

_ASKED = Fraction(1, 4)

LONG_PROMPT = 2000
"""Tokens from which a prompt is worth looking at before the answer, where nothing can be computed."""
SMALL_BATCH = 8
"""Requests at once up to which a decode step reads weights for nearly nobody: under a fifth of the lowest 16-bit knee
of the catalogue's data-centre cards (H20, 37)."""
BELOW_KNEES = 32
"""Up to here a step of 16-bit weights is on the memory side on every data-centre card of the catalogue."""
LARGE_BATCH = 64
"""From here on 4-bit weights have lost most of their gain on most cards (calculators.md section 4.7: 40 to 75)."""


def measured(case: Case) -> bool:
    """Whether a speed was measured: a server that has one runs."""
    s = case.scenario
    return any(one is not None for one in (s.ttft, s.tpot, s.throughput, s.prompt_throughput, s.running, s.kv_usage))


def serves(case: Case) -> bool:
    """Whether something shows that the server answers requests."""
    return measured(case) or case.scenario.has(*SERVING)


_MEMORY = frozenset((
    "model", "weights", "kv", "gpu", "gpus", "tp", "pp", "max_model_len", "gpu_memory_utilization", "utilization",
    "max_num_seqs", "max_num_batched_tokens", "cpu_offload", "eager",
))  # fmt: skip
"""Settings that decide whether a server comes up."""


def set_otherwise(case: Case) -> bool:
    """Whether somebody asks about other settings than those of the log that tells of a failure."""
    return any(one.field in _MEMORY and one.kept_source == "options" for one in case.scenario.conflicts)


def fails(case: Case) -> bool:
    """Whether something says that it does not come up."""
    return case.scenario.has(*START) and not measured(case)


def asks(case: Case) -> bool:
    """Whether it is a question about a figure and nothing is said to be slow or to fail."""
    s = case.scenario
    return s.has(*MISREAD) and not s.has("wants-faster") and not fails(case) and not serves(case)


_ROOM = Fraction(7, 10)
"""A pool in use below this share has room for more requests."""
_FULL = Fraction(95, 100)
"""From this share on it has none."""
_SPARE = Fraction(5, 4)
"""A pool that holds so many times what the cap lets run is not what they wait for."""


class Capped(NamedTuple):
    """A cap under what wants to run, and a pool that holds more: most that run, and those that want to."""

    cap: int
    asked: int


def capped(case: Case) -> Capped | None:
    """Whether a cap that was set holds requests back although the pool has room: by its gauge, else by its size."""
    s, asked, fits = case.scenario, case.asked, case.requests_that_fit
    cap = None if s.max_num_seqs is None else case.at_most
    if cap is None or asked is None or asked <= cap:
        return None
    room = s.kv_usage is not None and s.kv_usage < _ROOM
    if fits is None and s.prompt is None and case.pool_tokens and s.model is not None:
        fits = case.pool_tokens // min(s.max_model_len or s.model.context, s.model.context)  # of the longest there are
    if not room and (fits is None or fits <= cap * _SPARE):
        return None
    return Capped(cap, asked)


def pool_is_full(case: Case) -> bool:
    """Whether something shows that the pool of a server that answers is full: its gauge, or what it put back."""
    usage = case.scenario.kv_usage
    if usage is not None:
        return usage >= _FULL
    return case.scenario.has("preempts", "cache-full")


def usual_phase(case: Case) -> Phase:
    """The phase that most of the time of the requests goes to, as far as it can be told."""
    known: Phase | None = case.__dict__.get("usual_phase")  # asked by nearly every cause
    if known is None:
        known = case.__dict__["usual_phase"] = _usual_phase(case)
    return known


def _usual_phase(case: Case) -> Phase:
    share = case.timings.decode_share
    s = case.scenario
    if share is not None:
        low, high = 1 - _MOSTLY, _MOSTLY
        first, next_ones = bool(s.ttft) or s.has("slow-first-token"), bool(s.tpot) or s.has("slow-decode")
        if next_ones and not first:
            low = high = _ASKED  # what was measured or complained of is what is asked about, unless it hardly matters
        elif first and not next_ones:
            low = high = 1 - _ASKED
        return "decode" if share > high else "prefill" if share < low else "both"
    if s.has("slow-first-token", "prompts-recomputed", "prefill-heavy", "prompts-fill-steps", "chunking-slower"):
        return "prefill"
    if s.prompt is not None and s.output is None and s.prompt.mid >= LONG_PROMPT:
        return "prefill"
    if s.prompt is not None and s.output is not None and s.prompt.mid >= 64 * s.output.mid:
        timed = case.timings.decode is not None and case.timings.prefill is None  # a card whose arithmetic is not known
        return "decode" if timed and s.prompt.mid < LONG_PROMPT else "prefill"
    return "decode"


def explained(timing: Timing) -> Fraction:
    """Share of a measured step that the usual one is, where it was measured beyond its band; else 1. Where the
    prompts of others are in what was measured, a step is told as it is computed."""
    if not timing.own or not timing.excess or timing.shared != 1:
        return Fraction(1)
    return timing.step.seconds / timing.own


def between_tokens(timing: Timing, findings: Sequence[Finding], phase: Phase) -> bool:
    """Whether shares are of the measured time between two tokens, which holds a step and the prompts of others."""
    if any(one.cause == "prompts-between" for one in findings):
        return True
    return phase == "decode" and timing.shared != 1 and bool(timing.excess)


def over_the_card(case: Case) -> Fraction | None:
    """Bytes of weights beyond all that a card has; ``None`` where they could lie on it."""
    ledger, size = case.ledger, case.weights_on_card
    if ledger is None or size is None or size <= ledger.card.high:
        return None
    return size - ledger.card.bytes


def part(case: Case, *names: str) -> Fraction | None:
    """Share of the usual step, of the phase that counts, that these parts of it take."""
    timing = case.timings.prefill if usual_phase(case) == "prefill" else case.timings.decode
    if timing is None:
        return None
    shares = timing.step.shares()
    return sum((share for name, share in shares.items() if name in names), Fraction(0))


def gb(size: Fraction | int) -> Amount:
    """Bytes for a sentence."""
    return Amount(Fraction(size), "GB")


def percent(share: Fraction) -> Amount:
    """A share for a sentence."""
    return Amount(share, "%")


def ms(seconds: Fraction) -> Amount:
    """Seconds for a sentence."""
    return Amount(seconds, "ms")


def tokens(count: int | Fraction) -> Amount:
    """Tokens for a sentence."""
    return Amount(Fraction(count), "tokens")


def cards(case: Case) -> int:
    """Cards that serve one copy of the model."""
    return case.spread.tp * case.spread.pp


def apple(case: Case) -> bool:
    """Whether the card, or every one that its name may mean, is a chip of Apple's."""
    scenario = case.scenario
    cards = [scenario.gpu] if scenario.gpu is not None else [catalog.gpu(name) for name in scenario.gpu_options]
    return bool(cards) and all(card.vendor == "Apple" for card in cards)


def graphs_cover(case: Case) -> bool:
    """Whether steps run in CUDA graphs: a log says so, or the engine does it by default and its settings, which a log
    printed, say nothing else; and the batch is no larger than those captured."""
    s, largest = case.scenario, case.defaults.graph_max_batch.value
    printed = any(s.said[name].origin == "log" for name in _PRINTED if name in s.said)
    if s.eager or not has_graphs(case) or (s.eager is None and not (printed and case.defaults.graphs.value)):
        return False
    return largest is None or step_tokens(case) <= largest


def step_tokens(case: Case) -> int:
    """Tokens of a decode step, drafted ones among them: what the sizes of captured graphs count."""
    s = case.scenario
    return case.batch * ((s.draft_tokens or 0) + 1 if s.speculation else 1)


_PRINTED = ("max_model_len", "max_num_seqs", "utilization", "tp", "max_num_batched_tokens", "chunked_prefill")
"""Settings that a log prints beside that of graphs."""


def has_graphs(case: Case) -> bool:
    """Whether a card can replay a graph of kernels: Metal has none."""
    return not apple(case)
