"""Nothing is wrong: a figure that means something else than it seems to."""

from __future__ import annotations

from fractions import Fraction

from engine.diagnosis.cases.case import Case
from engine.diagnosis.causes.row import Cause, Witness, flags, together, weaker, words
from engine.diagnosis.causes.situation import fails, percent, serves, tokens
from engine.diagnosis.model import Param


def _alone(case: Case, witness: Witness | None) -> Witness | None:
    """A misreading explains a figure; where something is slow or fails, there is more to it."""
    if witness is None or not (fails(case) or serves(case) or case.scenario.has("oom")):
        return witness
    return weaker(witness, "0.6")


def pool_is_reserved(case: Case) -> Witness | None:
    """The pool takes its share of the card at start, whatever the model."""
    share = case.defaults.utilization.value
    direct = {"uses-most-memory": "0.58", "quantized-uses-same": "0.58"}
    said = words(case, direct, "memory-above-file", "asks-how-many")
    if said is None:
        return None
    if share is not None:
        said = said._replace(params={"share": percent(share)})
    size, card = case.weights_on_card, None if case.ledger is None else case.ledger.card.bytes
    small = size is not None and card is not None and size < card / 2
    return _alone(case, together(said, flags("0.2", "model")) if small else said)


def figure_misread(case: Case) -> Witness | None:
    """A percentage or a count that was derived, taken for a quantity of its own."""
    said = words(case, {"gauge-lower-with-cards": "0.6", "derived-tokens": "0.58", "gauge-low": "0.3"}, "asks-how-many")
    return _alone(case, said)


def shares_differ(case: Case) -> Witness | None:
    """Two engines, two pools: different shares of the card, not different sizes of a token."""
    said = words(case, {"token-count-differs": "0.5"}, "engines-compared")
    given = any(one.id == "engines-compared" and one.source == "flags" for one in case.scenario.signals)
    two = flags("0.4", "flags") if given else None
    return _alone(case, together(said, two))


def worst_case_figure(case: Case) -> Witness | None:
    """ "Maximum concurrency" counts requests of the full window; shorter ones fit more often."""
    length = case.scenario.max_model_len
    said = words(case, {"worst-case-concurrency": "0.6", "asks-how-many": "0.45" if length else "0.3"}, "oom")
    if said is not None and length is not None:
        said = said._replace(params={"max_len": tokens(length)})
    return _alone(case, said)


def how_many(case: Case) -> Witness | None:
    """The question is how many fit, and the pool answers it."""
    fits, pool, used = case.requests_that_fit, case.pool_tokens, case.peak_tokens
    if not case.scenario.has("asks-how-many") or fits is None or pool is None or used is None:
        return None
    given: dict[str, Param] = {"fits": fits, "pool": tokens(pool), "each": tokens(used)}
    return _alone(case, Witness(Fraction(64, 100), "numbers", None, given))


def queueing_not_prefill(case: Case) -> Witness | None:
    """At an unlimited request rate the first token waits in the queue."""
    return words(case, {"ttft-at-full-rate": "0.6"}, "slow-first-token")


_GAUGE = ("raise-memory-utilization", "kv-quantization", "w4a16")

CAUSES = (
    Cause(
        "how-many", "misread", "none", "figure-misread", "none", how_many,
        ("do-nothing", "kv-quantization", "w4a16", "shorten-requests"), ("raise-concurrency",), ("count-tokens", ""),
        "calculators.md section 4.5: tokens of the pool over tokens of a request",
    ),
    Cause(
        "pool-is-reserved", "misread", "none", "reserved-pool-misread", "none", pool_is_reserved, ("do-nothing",),
        ("w4a16", "kv-quantization", "more-memory"), ("two-models", ""), "incidents.md section 6.1",
    ),
    Cause(
        "figure-misread", "misread", "none", "figure-misread", "none", figure_misread, ("do-nothing",), _GAUGE,
        ("count-tokens", ""), "incidents.md section 6.3; levers.md section 2",
    ),
    Cause(
        "shares-differ", "misread", "none", "figure-misread", "none", shares_differ,
        ("do-nothing", "raise-memory-utilization", "lower-token-budget", "kv-quantization"), ("upgrade-engine",),
        ("same-share", "raise-memory-utilization"), "incidents.md section 6.7",
    ),
    Cause(
        "worst-case-figure", "misread", "none", "figure-misread", "none", worst_case_figure,
        ("do-nothing", "shorten-requests", "lower-max-model-len"), ("more-memory",), ("count-tokens", ""),
        "calculators.md section 4.5: concurrency = tokens / max_model_len",
    ),
    Cause(
        "queueing-not-prefill", "misread", "none", "figure-misread", "none", queueing_not_prefill,
        ("do-nothing", "client-batching"), ("w4a16", "faster-gpu"), ("limited-rate", ""), "incidents.md section 6.4",
    ),
)  # fmt: skip
"""In the order in which a person would look."""
