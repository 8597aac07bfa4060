"""The limit that a healthy server has: what its steps take most of their time for.

With a model and a card it is computed. Without, what holds on every card of the catalogue can still be said: a small
batch reads weights for few, a long prompt is arithmetic.
"""

from __future__ import annotations

from fractions import Fraction

from engine.diagnosis.cases.case import Case
from engine.diagnosis.causes.row import Cause, Witness, numbers, together, weaker, words
from engine.diagnosis.causes.situation import (
    BELOW_KNEES,
    LARGE_BATCH,
    LONG_PROMPT,
    SMALL_BATCH,
    asks,
    explained,
    fails,
    over_the_card,
    percent,
    serves,
    tokens,
    usual_phase,
)
from engine.diagnosis.model import Param, Timing, Wall
from engine.roofline import Part

_COMPUTED = Fraction(1, 2)
_MEASURED = Fraction(85, 100)
_GUESSED = Fraction(4, 10)


def _silent(case: Case) -> bool:
    """Where no step is the question: it does not start, a figure is asked about, or the weights lie elsewhere, so that
    reading them from the card's own memory is not what happens."""
    out = case.scenario.has("oom") and not serves(case)  # memory is short, and nothing is said of speed
    return fails(case) or asks(case) or out or over_the_card(case) is not None


def _decoding(case: Case) -> Timing | None:
    return case.timings.decode if usual_phase(case) in ("decode", "both") else None


def _sure(timing: Timing) -> Fraction:
    """A measurement inside the band confirms what was computed; beyond it, only that much of the step is explained."""
    if timing.own is None:
        return _COMPUTED
    band = timing.step.time
    if timing.own > band.high:
        return _MEASURED * timing.step.seconds / timing.own
    return _MEASURED if timing.own >= band.low * Fraction(9, 10) else _COMPUTED


def _of(case: Case, timing: Timing | None, names: tuple[Part, ...], params: dict[str, Param]) -> Witness | None:
    """A base cause by numbers: certain in proportion to its share of the step, and to the phase's of the load."""
    if timing is None:
        return None
    shares = timing.step.shares()
    share = sum((shares[name] for name in names), Fraction(0))
    if share < Fraction(1, 10):
        return None
    sure = _sure(timing) * share * _weight(case, timing)
    return Witness(sure, "numbers", share, {"share": percent(share * explained(timing)), **params})


def _weight(case: Case, timing: Timing) -> Fraction:
    """The phase's share of the load, where both matter."""
    decode = case.timings.decode_share
    if decode is None or usual_phase(case) != "both":
        return Fraction(1)
    return decode if timing is case.timings.decode else 1 - decode


def _reading(case: Case, own: Part, params: dict[str, Param]) -> Witness | None:
    """One of the two things that a decode step reads. The larger speaks for the bandwidth as a whole."""
    timing = _decoding(case)
    if timing is None:
        return None
    shares = timing.step.shares()
    alone = _of(case, timing, (own,), params)
    if alone is None or shares[own] < max(shares["weights"], shares["kv"]):
        return alone
    whole = _of(case, timing, ("weights", "kv"), params)
    return None if whole is None else alone._replace(strength=whole.strength)


_NOT_BYTES = ("more-cards-slower", "collectives-slow", "slow-link", "sampling-slower")
"""Bytes a card reads get fewer when cards are added, and do not change with a link or with what is sampled."""


def reads_weights(case: Case) -> Witness | None:
    """Every step reads all the weights, for as many requests as run."""
    if _silent(case):
        return None
    if _decoding(case) is not None:
        told = case.scenario.running or case.asked is not None  # else nobody said how many share the read
        return _reading(case, "weights", {"batch": case.batch} if told else {})
    s = case.scenario
    if usual_phase(case) == "prefill" or s.speculation:
        return words(case, {"slow-decode": "0.2"})
    few = s.concurrency is not None and s.concurrency.high <= BELOW_KNEES
    direct = {"slow-decode": "0.3", "wants-faster": "0.25", "same-as-other-runner": "0.35"}
    if s.concurrency is None or s.concurrency.low <= 1:
        direct["one-at-a-time"] = "0.3"  # where several are sent, it says that they are kept apart
    said = words(case, direct)
    if not few or s.concurrency is None:
        return said
    sure = _GUESSED if s.concurrency.high <= SMALL_BATCH else _GUESSED * Fraction(3, 4)
    found = together(Witness(sure, "flags", None, {"batch": s.concurrency.mid}), said)
    return weaker(found, "0.6") if s.has(*_NOT_BYTES) else found


def reads_cache(case: Case) -> Witness | None:
    """Every step reads the whole cache of every running request."""
    if _silent(case):
        return None
    if _decoding(case) is None and usual_phase(case) != "prefill":
        return words(case, {"slows-with-context": "0.52"}, "slow-decode")  # weights stay as many, the cache grows
    return _reading(case, "kv", {"context": tokens(case.context or 1)})


def batch_math(case: Case) -> Witness | None:
    """Past the knee a decode step computes longer than it reads."""
    if _silent(case):
        return None
    params: dict[str, Param] = {"batch": case.batch or 1}
    if case.knee is not None:
        params["knee"] = int(case.knee)
    timing = _decoding(case)
    if timing is not None:
        return _of(case, timing, ("compute",), params)
    s = case.scenario
    wide = s.concurrency is not None and s.concurrency.low >= LARGE_BATCH * 4 and usual_phase(case) == "decode"
    return Witness(Fraction(3, 10), "flags", None, params) if wide else None


def at_the_knee(case: Case) -> Witness | None:
    """Reading and computing the matrices take about as long: whichever is the shorter is the second wall."""
    timing = None if _silent(case) else _decoding(case)
    if timing is None or timing.step.regime != "knee" or case.knee is None:
        return None
    usual = timing.step.usual
    reading, computing = usual.weights + usual.kv, (usual.matrices or 0) + (usual.attention or 0)
    wall: Wall = "compute" if reading >= computing else "memory-bandwidth"
    share = min(reading, computing) / timing.step.seconds
    sure = _sure(timing) * share * _weight(case, timing)
    return Witness(sure, "numbers", share, {"batch": case.batch, "knee": int(case.knee)}, wall=wall)


def prompt_math(case: Case) -> Witness | None:
    """Prefill multiplies every weight by every token of the prompt: the arithmetic takes the time."""
    if _silent(case):
        return None
    s = case.scenario
    phase = usual_phase(case)
    timing = case.timings.prefill if phase in ("prefill", "both") else None
    params: dict[str, Param] = {} if case.prompt is None else {"prompt": tokens(case.prompt)}
    if timing is not None:
        return _of(case, timing, ("compute",), params)
    said = words(case, {"slow-first-token": "0.42", "prefill-heavy": "0.4"}, "throughput-goal")
    long = s.prompt is not None and s.prompt.mid >= LONG_PROMPT and phase == "prefill"
    return together(Witness(_GUESSED, "flags", None, params) if long else None, said)


def short_prompts(case: Case) -> Witness | None:
    """A prompt under the knee: its pass reads all the weights for few tokens."""
    if _silent(case) or usual_phase(case) == "decode" or case.prompt is None:
        return None
    return _of(case, case.timings.prefill, ("weights", "kv"), {"prompt": tokens(case.prompt)})


def link_time(case: Case) -> Witness | None:
    """What crosses a link in every step."""
    if _silent(case):
        return None
    timing = case.timings.prefill if usual_phase(case) == "prefill" else _decoding(case)
    works_there = case.setup is not None and case.setup.on_processor  # then nothing is waited for: layers_on_processor
    return _of(case, timing, ("link",) if works_there else ("link", "host"), {})


def fixed_time(case: Case) -> Witness | None:
    """A small model on a fast card: the steps' fixed part is the longest."""
    if _silent(case):
        return None
    return _of(case, _decoding(case), ("overhead",), {})


def unknown(case: Case) -> Witness | None:
    """Nothing else has a witness."""
    return numbers("0.01")._replace(by="words")


_DECODE_VAIN = ("paged-attention", "continuous-batching", "raise-memory-utilization", "chunked-prefill")
_PREFILL = ("prefix-caching", "fp8", "w8a8", "tensor-parallel", "shorten-requests", "faster-gpu", "raise-token-budget",
            "chunked-prefill")  # fmt: skip
_PREFILL_VAIN = ("w4a16", "paged-attention", "kv-quantization", "raise-memory-utilization", "continuous-batching",
                 "speculative-decoding")  # fmt: skip
_ROOFLINE = "Williams et al., Roofline (CACM 2009); probe.md section 0"

CAUSES = (
    Cause(
        "reads-weights", "base", "memory-bandwidth", None, "decode", reads_weights,
        ("w4a16", "fp8", "client-batching", "speculative-decoding", "w8a8", "faster-gpu", "tensor-parallel"),
        (*_DECODE_VAIN, "kv-quantization"), ("double-batch", "client-batching"), _ROOFLINE,
    ),
    Cause(
        "reads-cache", "base", "memory-bandwidth", None, "decode", reads_cache,
        ("kv-quantization", "shorten-requests", "fp8", "w4a16", "faster-gpu", "tensor-parallel"),
        (*_DECODE_VAIN, "raise-concurrency"), ("shorter-context", "shorten-requests"), _ROOFLINE,
    ),
    Cause(
        "prompt-math", "base", "compute", None, "prefill", prompt_math, _PREFILL, _PREFILL_VAIN,
        ("half-prompt", ""), _ROOFLINE,
    ),
    Cause(
        "short-prompts", "base", "memory-bandwidth", None, "prefill", short_prompts,
        ("client-batching", "w4a16", "fp8", "faster-gpu"), ("chunked-prefill", "kv-quantization", "paged-attention"),
        ("double-batch", "client-batching"), _ROOFLINE,
    ),
    Cause(
        "batch-math", "base", "compute", None, "decode", batch_math,
        ("fp8", "w8a8", "faster-gpu", "tensor-parallel", "data-parallel"),
        ("w4a16", "speculative-decoding", "raise-concurrency", "kv-quantization"),
        ("half-concurrency", "cap-concurrency"), _ROOFLINE,
    ),
    Cause(
        "at-the-knee", "base", "compute", None, "decode", at_the_knee,
        ("fp8", "w8a8", "faster-gpu", "tensor-parallel"), ("speculative-decoding", "raise-concurrency"),
        ("half-concurrency", "cap-concurrency"), "probe.md section 0.1: a coin toss between half the knee and twice it",
    ),
    Cause(
        "link-time", "base", "interconnect", None, "decode", link_time,
        ("data-parallel", "fix-topology", "pipeline-parallel", "raise-token-budget"),
        ("tensor-parallel", "w4a16"), ("one-card", "tensor-parallel"), "Megatron-LM: two all-reduces a layer",
    ),
    Cause(
        "fixed-time", "base", "cpu-overhead", None, "decode", fixed_time,
        ("cuda-graphs", "client-batching", "speculative-decoding", "upgrade-engine"), ("w4a16", "kv-quantization"),
        ("double-batch", "client-batching"), "probe.md section 5: a constant factor hides a fixed cost",
    ),
    Cause(
        "unknown", "base", "none", None, "none", unknown, (), (), ("", ""), "nothing to go by",
    ),
)  # fmt: skip
"""The limits of a step; the last one where nothing can be said."""
