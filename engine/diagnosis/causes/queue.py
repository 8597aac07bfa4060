"""Waiting: more arrives than is served, first tokens that wait behind others, inputs that cannot all be true."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from engine.diagnosis.cases.case import Case
from engine.diagnosis.cases.placement import offloads
from engine.diagnosis.causes.prompts import shared_and_off
from engine.diagnosis.causes.row import Cause, Witness, together, weaker, words
from engine.diagnosis.causes.situation import (
    capped,
    fails,
    gb,
    over_the_card,
    pool_is_full,
    serves,
    usual_phase,
)
from engine.diagnosis.model import Amount, Param, Timing, Wall

_OVER = Fraction(105, 100)
"""Arrivals have to exceed what is served by so much to be told: the estimate has a band."""
_NEARLY = Fraction(11, 10)
"""A wait up to so many times that of all prompts before it is theirs: beside them the running requests decode."""
_LATE = 3
"""A first token so many times later than its own prompt takes has waited for something else."""


def served_rate(case: Case) -> Fraction | None:
    """Requests a second that all replicas serve at most, by the usual times; ``None`` without lengths."""
    if case.output_rate is None or not case.output:
        return None
    return case.output_rate / case.output * max(case.spread.dp, 1)


def overload(case: Case) -> Witness | None:
    """More requests arrive than are served: the queue grows without end, whatever the step takes (Little's law)."""
    rate, served = case.scenario.request_rate, served_rate(case)
    if rate is None or served is None or fails(case) or rate <= served * _OVER:
        return None
    sure = min(Fraction(94, 100), Fraction(7, 10) + (rate - served) / rate / 2)
    wall: Wall = "compute" if _computing(case) > Fraction(1, 2) else "memory-bandwidth"
    phase = usual_phase(case)
    given: dict[str, Param] = {"rate": Amount(rate, "none"), "served": Amount(served, "none")}
    return Witness(sure, "numbers", None, given, ("request_rate",), phase, wall)


def _computing(case: Case) -> Fraction:
    """Share of the card's time under the load that is arithmetic, prompts and steps together."""
    decode, prefill, share = case.timings.decode, case.timings.prefill, case.timings.decode_share
    if decode is None or prefill is None or share is None:
        return Fraction(0)
    return share * decode.step.shares()["compute"] + (1 - share) * prefill.step.shares()["compute"]


class Wait(NamedTuple):
    """A wait for the first token that a cap explains.

    Attributes:
        measured, alone: seconds to the first token, and those of its own prompt.
        last: seconds until the last of those that wait has a place.
        sure: how sure it is, 0 to 1.
    """

    measured: Fraction
    alone: Fraction
    last: Fraction
    sure: Fraction


def wait_under_cap(case: Case) -> Wait | None:
    """The wait for a first token that the cap explains: a request that waits gets a place when an answer is done, and
    so many a second are done as are served (Little's law). ``None`` where the prompts that the cap lets in explain it,
    or the queue is too short for it."""
    s, timing, held, rate = case.scenario, case.timings.prefill, capped(case), _done_rate(case)
    if s.ttft is None or timing is None or held is None or not rate or usual_phase(case) == "prefill" or fails(case):
        return None
    prompts = _behind(case, timing, min(held.asked, held.cap))
    last = (held.asked - held.cap) / rate
    if s.ttft <= max(_LATE * timing.step.time.high, prompts) or last < s.ttft * _PART:
        return None
    return Wait(s.ttft, timing.step.seconds, last, _sure(1 - timing.step.seconds / s.ttft))


_PART = Fraction(1, 2)
"""Of a wait: a queue that explains less of it is not its cause."""


def _done_rate(case: Case) -> Fraction | None:
    """Requests a second that a replica finishes: as measured, else by the usual times."""
    if case.scenario.throughput and case.output:
        return case.scenario.throughput / case.output / max(case.spread.dp, 1)
    served = served_rate(case)
    return None if served is None else served / max(case.spread.dp, 1)


def _behind(case: Case, timing: Timing, together_at_most: int) -> Fraction:
    """Seconds that a prompt may wait for those that came with it, at the slow end of the band."""
    queue = (case.shared_prefill_seconds or timing.step.seconds) * together_at_most
    return queue * timing.step.time.high / timing.step.seconds * _NEARLY


def _sure(share: Fraction) -> Fraction:
    """How sure it is that a first token waits, by the share of the time that is not its own prompt's."""
    return Fraction(7, 10) + share / 5


def first_token_waits(case: Case) -> Witness | None:
    """The first token comes much later than its own prompt takes: behind prompts, for room, for the engine."""
    s, timing = case.scenario, case.timings.prefill
    said = words(case, {"ttft-at-full-rate": "0.3", "queue-grows": "0.2"}, "slow-first-token")
    if s.ttft is None or timing is None or fails(case) or s.ttft <= _LATE * timing.step.time.high:
        return None
    if case.asked == 1 and not s.waiting:
        return None  # one alone has nobody to wait for: beyond-band
    if wait_under_cap(case) is not None:
        return None  # cap_reached tells of it
    together_at_most = case.asked or 1
    queue = (case.shared_prefill_seconds or timing.step.seconds) * together_at_most
    behind = s.ttft <= _behind(case, timing, together_at_most)
    full = case.requests_that_fit is not None and together_at_most > case.requests_that_fit
    seen = pool_is_full(case) and usual_phase(case) != "prefill"
    if seen:
        behind = False  # they stand in front of a full pool: what has to come free is room
    wall: Wall = _prompts(timing) if behind else "kv-memory" if full or seen else "idle-scheduling"
    share = 1 - timing.step.seconds / s.ttft
    given: dict[str, Param] = {
        "measured": Amount(s.ttft, "s"), "alone": Amount(timing.step.seconds, "ms"), "together": together_at_most,
    }  # fmt: skip
    if together_at_most > 1:
        whole = Amount(queue, "s")
        given |= {"queue": whole} if behind else {} if seen else {"part": whole}
    found = together(Witness(_sure(share), "numbers", share, given, ("ttft",), "prefill", wall), said)
    return weaker(found, "0.7") if behind and shared_and_off(case) else found  # why the prompts take so long is named


def _prompts(timing: Timing) -> Wall:
    """What prompts wait for while others are computed: short ones read the weights for few tokens."""
    shares = timing.step.shares()
    return "memory-bandwidth" if shares["weights"] + shares["kv"] > shares["compute"] else "compute"


def inputs_disagree(case: Case) -> Witness | None:
    """It answers, and its weights are more than the card holds, and nothing says that any lie elsewhere: one of the
    inputs is another than was said, most likely the format of the weights."""
    beyond, ledger, size = over_the_card(case), case.ledger, case.weights_on_card
    if beyond is None or ledger is None or size is None or not serves(case) or offloads(case.scenario):
        return None
    given: dict[str, Param] = {"weights": gb(size), "room": gb(ledger.card.bytes)}
    return Witness(Fraction(78, 100), "numbers", None, given, ("weights", "gpu"), usual_phase(case))


CAUSES = (
    Cause(
        "overload", "fault", "compute", None, "both", overload,
        ("data-parallel", "fp8", "w8a8", "w4a16", "kv-quantization", "shorten-requests", "prefix-caching",
         "faster-gpu"),
        ("client-batching", "raise-concurrency", "admission-policy", "chunked-prefill"), ("limited-rate", ""),
        "Little, Operations Research 1961: what arrives faster than it is served waits without end",
    ),
    Cause(
        "first-token-waits", "fault", "compute", None, "prefill", first_token_waits,
        ("data-parallel", "prefix-caching", "fp8", "w8a8", "kv-quantization", "shorten-requests", "tensor-parallel",
         "cap-concurrency", "tune-serving-layer"),
        ("w4a16", "admission-policy", "raise-token-budget"), ("one-alone", ""),
        "incidents.md section 6.4: a first token behind others is queueing time, not prefill speed",
    ),
    Cause(
        "inputs-disagree", "fault", "weights-memory", None, "decode", inputs_disagree,
        ("w4a16", "fp8", "w8a8", "tensor-parallel", "more-memory", "pipeline-parallel"),
        ("cpu-offload", "raise-memory-utilization", "kv-quantization"), ("effective-settings", ""),
        "weights beyond a card's memory cannot be read from it",
    ),
)  # fmt: skip
"""In the order in which a person would look."""
