"""Which step can go wrong in which formula: slip ids and the edits that make them.

The first of several with one value is the likelier. A formula that refers to others has their breaks too
(see :mod:`engine.answers.slips`), so each stands here once. Words and evidence: content, by the slip's id. Values
carried over, rounding on the way and mix-ups of units happen to any formula: they are made elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.answers.edits import Edit, Known, add_factors, drop, form, over, power_of, put, rounding, times, when

Breaks = tuple[tuple[str, Edit], ...]


def _sub_two(known: Known) -> bool:
    """The weights are below 16 bits."""
    return known.get("p_w", 2) < 2


def _four_bits(known: Known) -> bool:
    """The weights are below 8 bits."""
    return known.get("p_w", 2) < 1


def _quantized(known: Known) -> bool:
    """The weights were in FP16 before, or are below 8 bits."""
    return _four_bits(known) or (known.get("p_from") == 2 and _sub_two(known))


def _four_bits_alone(known: Known) -> bool:
    """The weights are below 8 bits, and nothing but weights is counted."""
    return _four_bits(known) and "p" not in known


def _lower_arm_longer(known: Known) -> bool:
    """The range reaches further below zero than above it."""
    return known.get("r_min", Fraction(0)) + known.get("r_max", Fraction(0)) < 0


_KV: Breaks = (
    ("weight-quant-shrinks-kv", when(_sub_two, put(p="p*p_w/2"))),
    ("kv-still-fp16", when(lambda known: known.get("p", 2) < 2, put(p="2"))),
    ("kv-drop-two", drop(2)),
    ("kv-p-one", put(p="1")),
    ("kv-two-twice", times("2")),
    ("kv-fp32", put(p="4")),
    ("kv-bits-as-bytes", put(p="8*p")),
    ("kv-bits-as-bytes", put(p="p/8")),
    ("kv-int4-p", put(p="1/2")),
    ("divide-for-multiply", put(p="1/p")),
    ("kv-no-layers", put(L="1")),
    ("kv-dhead", put(d_model="d_model/n_head")),
    ("kv-dhead", put(n_kv_heads="1")),
    ("gqa-ignored", put(n_kv_heads="n_head")),
    ("head-dim-derived", put(d_head="d_model/n_head")),
    ("kv-extra-heads", times("n_head")),
    ("kv-no-batch", put(B="1")),
    ("kv-includes-q", times("3/2")),
    ("kv-per-token-only", put(S="1")),
    ("kv-quadratic-s", put(S="S^2")),
    ("kv-quadratic-s", put(S="S*S")),
    ("power-for-product", power_of("d_model", "p")),
    ("d-model-missing", put(d_model="1")),
    ("d-squared", put(d_model="d_model^2")),
    ("d-squared", put(d_model="d_model*d_model")),
    ("sum-for-product", add_factors),
)

_WEIGHTS: Breaks = (
    ("weights-still-fp16", when(_quantized, put(p_w="2"))),
    ("int4-unpacked", when(_four_bits, put(p_w="1"))),
    ("weights-fp32-base", put(p_w="2*p_w")),
    ("weights-fp32-base", when(_four_bits_alone, put(p_w="p_w/2"))),
    ("weights-twice", times("2")),
    ("weights-bits-as-bytes", put(p_w="8*p_w")),
    ("keeps-fp16-copy", when(_sub_two, form("N*2 + N*p_w"))),
    ("weights-other-precision", put(p_w="2")),
    ("weights-other-precision", put(p_w="1")),
    ("weights-other-precision", put(p_w="1/2")),
)

_ROUNDING: Breaks = (
    ("ceil-not-floor", rounding("ceil")),
    ("round-not-floor", rounding("round")),
    ("fraction-kept", rounding(None)),
)

_UP: Breaks = (("not-rounded-up", rounding(None)), ("not-rounded-up", rounding("floor")))

BREAKS: Mapping[str, Breaks] = {
    "kv_cache": _KV,
    "weights": _WEIGHTS,
    "total": (
        ("weights-omitted", form("kv_cache")),
        ("kv-omitted", form("weights")),
        ("weights-per-request", form("B*weights + kv_cache")),
        ("early-rounding", form("weights + B*round(kv_per_request/10^7)*10^7")),
        ("mixed-gb-gib", form("weights + kv_cache*10^9/2^30")),
    ),
    "headroom": (
        ("used-not-left", form("total")),
        ("saved-as-headroom", when(_sub_two, form("N*2 - weights"))),
        ("gpu-is-80-gib", put(capacity="capacity*2^30/10^9")),
        ("gib-for-gb", form("capacity - total*10^9/2^30")),
    ),
    "usable_memory": (("gpu-is-80-gib", put(capacity="capacity*2^30/10^9")),),
    "kv_pool": (
        ("gmu-of-free", form("(capacity - weights)*fraction - reserve")),
        ("gmu-of-free", form("(capacity - reserve - weights)*fraction")),
        ("weights-omitted", form("usable_memory - reserve")),
    ),
    "pool_requests": (
        *_ROUNDING,
        ("mixed-gb-gib", form("floor(kv_pool/10^9/(kv_per_request/2^30))")),
        ("gross-budget", form("floor(usable_memory/kv_per_request)")),
        ("gross-budget", form("floor(capacity/kv_per_request)")),
    ),
    "max_requests": (
        *_ROUNDING,
        ("gib-for-gb", form("floor(budget*2^30/10^9/kv_per_request)")),
        ("one-gb-each", form("floor(budget/(round(kv_per_request/10^9)*10^9))")),
    ),
    "extra_requests": (
        *_ROUNDING,
        ("mixed-gb-gib", form("floor(headroom/10^9/(kv_per_request/2^30))")),
        ("total-for-extra", form("B + floor(headroom/kv_per_request)")),
        ("gross-budget", form("floor(capacity/kv_per_request)")),
        ("batch-kv-as-one", form("floor(headroom/kv_cache)")),
    ),
    "precision_shrink": (
        ("factor-two", form("8/b_to")),
        ("int4-unpacked", form("b_from/8")),
        ("weights-fp32-base", form("32/b_to")),
        ("saving-for-factor", form("1 - b_to/b_from")),
        ("difference-for-ratio", form("b_from - b_to")),
    ),
    "bytes_of_bits": (("weights-bits-as-bytes", form("b")),),
    "vector_bytes": (
        ("kv-p-one", put(p="1")),
        ("kv-fp32", put(p="4")),
        ("kv-bits-as-bytes", put(p="8*p")),
        ("d-model-missing", put(d_model="1")),
    ),
    "unused_slots": (("used-not-waste", form("used")),),
    "naive_waste": (
        ("used-not-waste", form("used/max_len")),
        ("percent-of-used", form("(max_len - used)/used")),
        ("count-for-share", form("(max_len - used)/100")),
    ),
    "worst_slack": (
        ("worst-is-block", form("bs")),
        ("worst-plus-one", form("bs + 1")),
        ("actual-for-worst", form("wasted_slots")),
        ("average-for-worst", form("(bs - 1)/2")),
        ("average-for-worst", form("bs/2")),
        ("paged-zero-waste", form("0")),
    ),
    "mean_slack": (("worst-for-average", form("bs - 1")), ("half-a-block", form("bs/2"))),
    "blocks": (
        ("paged-floor", rounding("floor")),
        ("not-rounded-up", rounding(None)),
        ("paged-still-maxlen", form("max_len/bs")),
    ),
    "slots": (("tokens-for-slots", form("used")),),
    "wasted_slots": (
        ("actual-for-worst", form("bs - 1")),
        ("paged-floor", form("used - floor(used/bs)*bs")),
        ("paged-still-maxlen", form("max_len - used")),
        ("slots-not-waste", form("slots")),
    ),
    "paged_waste": (
        ("used-not-waste", form("used/slots")),
        ("naive-share", form("(max_len - used)/max_len")),
        ("worst-fraction", form("(bs - 1)/bs")),
        ("percent-of-used", form("wasted_slots/used")),
        ("percent-of-maxlen", form("wasted_slots/max_len")),
        ("count-for-share", form("wasted_slots/100")),
        ("one-over-block", form("1/bs")),
    ),
    "worst_share": (("used-not-waste", form("1/bs")),),
    "paged_waste_bound": (("percent-of-used", form("worst_slack/used")),),
    "density_gain": (("gain-ignores-blocks", form("max_len/used")),),
    "paged_sessions": (
        *_ROUNDING,
        ("gain-ignores-blocks", form("floor(budget/(used*kv_per_token))")),
        ("gib-for-gb", form("floor(budget*2^30/10^9/(slots*kv_per_token))")),
    ),
    "naive_sessions": (*_ROUNDING, ("gib-for-gb", form("floor(budget*2^30/10^9/(max_len*kv_per_token))"))),
    "quant_step": (
        ("quant-2b", form("(r_max - r_min)/2^b")),
        ("quant-true-symmetric", form("absmax/(2^(b-1) - 1)")),
        ("quant-signed-steps", form("(r_max - r_min)/(2^(b-1) - 1)")),
        ("quant-half-step", over("2")),
        ("quant-range-diff", form("(r_max + r_min)/(2^b - 1)")),
        ("quant-range-diff", when(_lower_arm_longer, form("(-r_min - r_max)/(2^b - 1)"))),
        ("quant-max-only", form("r_max/(2^b - 1)")),
        ("quant-bits-ratio", form("(r_max - r_min)/b")),
        ("range-for-step", form("r_max - r_min")),
        ("missing-brackets", form("(r_max - r_min)/2^b - 1")),
    ),
    "step_ratio": (
        ("quant-2b", form("2^b_high/2^b_low")),
        ("quant-two-to-difference", form("2^(b_high - b_low)")),
        ("quant-true-symmetric", form("(2^(b_high-1) - 1)/(2^(b_low-1) - 1)")),
        ("quant-signed-steps", form("(2^(b_high-1) - 1)/(2^(b_low-1) - 1)")),
        ("quant-bits-ratio", form("b_high/b_low")),
        ("quant-mse", form("((2^b_high - 1)/(2^b_low - 1))^2")),
        ("difference-for-ratio", form("2^b_high - 2^b_low")),
        ("early-rounding", form("(r_max - r_min)/(2^b_low - 1)/(floor((r_max - r_min)/(2^b_high - 1)*1000)/1000)")),
    ),
    "symmetric_step": (
        ("quant-half-codes", form("absmax/2^(b-1)")),
        ("quant-asymmetric", form("2*absmax/(2^b - 1)")),
        ("quant-half-step", over("2")),
        ("range-for-step", form("absmax")),
        ("missing-brackets", form("absmax/2^(b-1) - 1")),
    ),
    "symmetric_step_ratio": (
        ("quant-half-codes", form("2^(b_high - b_low)")),
        ("quant-asymmetric", form("(2^b_high - 1)/(2^b_low - 1)")),
    ),
    "codes": (("quant-marks-vs-gaps", form("2^b - 1")),),
    "gaps": (("quant-2b", form("2^b")),),
    "effective_bits": (("int4-no-overhead", form("b")),),
    "quantized_weights": (
        ("int4-no-overhead", form("(N_linear + N_rest)*floor(bits_linear)/8")),
        ("int4-no-overhead", form("(N_linear*floor(bits_linear) + N_rest*bits_rest)/8")),
        ("weights-bits-as-bytes", times("8")),
    ),
    "decode_rate": (
        ("steps-for-tokens", form("bandwidth/total")),
        ("batch-free-lunch", form("B*bandwidth/(weights + kv_per_request)")),
    ),
    "smallest_compute_prompt": _UP,
    "critical_batch": _UP,
    "decode_speedup": (("four-x-faster", form("p_from/p_w")),),
    "ridge": (("sparse-as-dense", put(peak_flops="2*peak_flops")),),
    "compute_time": (("sparse-as-dense", put(peak_flops="2*peak_flops")),),
}
"""Formula name -> the breaks of its own step."""

COMMON: frozenset[str] = frozenset(
    """kv-drop-two kv-p-one kv-no-layers kv-no-batch kv-dhead kv-per-token-only gqa-ignored kv-omitted
    weight-quant-shrinks-kv weights-still-fp16 weights-omitted weights-bits-as-bytes used-not-left
    ceil-not-floor round-not-floor fraction-kept total-for-extra gross-budget
    used-not-waste percent-of-used paged-floor gain-ignores-blocks
    quant-2b quant-max-only quant-range-diff sparse-as-dense steps-for-tokens gib-for-gb""".split()
)
"""Slips that happen often enough for two of them to meet in one answer. Values carried over and mix-ups of units join
them; a slip that is rare alone is not looked for in company, since every further one makes a chance hit likelier."""

FREQUENT: frozenset[str] = frozenset("kv-drop-two kv-p-one gib-for-gb ceil-not-floor".split())
"""The most frequent of them: two of these at once are as likely as one slip that is rare."""

OLD_VALUE = "old-value-kept"
"""The slip of leaving a value from before in one place, while the new one stands in the others."""
OLD_BELOW: Mapping[tuple[str, str], str] = {("decode_rate", "B"): "batch-free-lunch"}
"""Formula and symbol -> what that is where only the steps below the formula have the old value."""
