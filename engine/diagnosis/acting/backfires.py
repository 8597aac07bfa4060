"""When a lever is near the point where it backfires: small functions from a case, for warnings that name the point."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from engine.diagnosis.acting import acts
from engine.diagnosis.acting.preconditions_formats import INTEGER_CACHES
from engine.diagnosis.cases.paths import fast_link

if TYPE_CHECKING:
    from engine.diagnosis.cases.case import Case

Near = Callable[["Case"], bool]


def knee(case: Case) -> bool:
    """The batch is near the one where the smaller weights no longer decide the step."""
    now = case.form
    if case.batch is None or case.knee is None:
        return False
    smaller = Fraction(1) if now is None else Fraction(17, 4) / now.linear_bits  # the knee moves with the bits
    return case.batch >= case.knee * smaller / 2


def prompts(case: Case) -> bool:
    """Prompts are far longer than outputs."""
    return bool(case.prompt and case.output and case.prompt >= 8 * case.output)


def small_model(case: Case) -> bool:
    """Under two billion parameters: little is read, and the head stays 16-bit."""
    model = case.scenario.model
    return model is not None and model.params < 2 * 10**9


def ampere(case: Case) -> bool:
    """The card has no FP8 unit: FP8 is stored, not computed."""
    gpu = case.scenario.gpu
    return gpu is not None and gpu.flops8 is None


def converts_fp8(case: Case) -> bool:
    """An FP8 cache is converted at every read; that of llama.cpp and its kin holds integers with a scale."""
    return ampere(case) and case.scenario.engine not in INTEGER_CACHES


def fits_today(case: Case) -> bool:
    """The weights that run today fit: fewer bits are for speed, and what they may cost is the answers."""
    return case.starts is True and not case.host_weights


def short_context(case: Case) -> bool:
    """Few and short sequences, by what somebody said or a log counted: the cache is no large part of a step."""
    s = case.scenario
    if (s.prompt is None and s.held is None) or case.asked is None:
        return False
    return bool(case.context and case.context < 4096 and case.batch <= 8)


def little_free(case: Case) -> bool:
    """Under a fiftieth of the card is free."""
    card = case.ledger.card.bytes if case.ledger else None
    return card is not None and case.free_bytes is not None and case.free_bytes < card / 50


def copied_heads(case: Case) -> bool:
    """Twice the ranks would copy K and V heads, or a latent, and not share them."""
    model = case.scenario.model
    return model is not None and (model.mla is not None or model.kv_heads < 2 * case.spread.tp)


def over_pcie(case: Case) -> bool:
    """The cards talk over PCIe."""
    return fast_link(case) is False


def small_batch(case: Case) -> bool:
    """At most four sequences at once."""
    return case.scenario.concurrency is not None and case.scenario.concurrency.high <= 4


def busy(case: Case) -> bool:
    """More than a handful of sequences at once."""
    return case.batch is not None and case.batch > 4


def slots_split(case: Case) -> bool:
    """Each request has a slot of fixed size."""
    return bool(case.scenario.reserve) or acts.split(case)
