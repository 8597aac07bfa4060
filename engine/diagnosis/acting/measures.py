"""What levers are compared by: one number of a scenario each, so that an effect is the number after against before.

Every measure answers ``None`` where the scenario lacks an input, and computes nothing but itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

from engine import flops, serving
from engine.diagnosis.cases.timings import usual
from engine.diagnosis.model import Amount, Effect
from engine.formulas.registry import FormulaError
from engine.groups import longest

if TYPE_CHECKING:
    from engine.diagnosis.cases.case import Case

Number = Fraction | int | None


class Measure(NamedTuple):
    """One number of a scenario.

    Attributes:
        name: its id; the words are ``diagnosis.measure.<name>``.
        unit: name of ``engine.units``; a share is kept as 0 to 1 with the unit "%".
        better: +1 where more is better, else -1.
        of: computes it.
    """

    name: str
    unit: str
    better: Literal[-1, 1]
    of: Callable[[Case], Number]


ACCEPTANCE = Fraction(7, 10)
"""Share of drafted tokens taken for accepted where nobody measured it: between the 0.6 to 0.8 that papers print."""
DRAFT_COST = Fraction(1, 20)
"""Time of drafting one token, as a share of the target's step: an assumption for a cheap draft."""
HIT_RATE = Fraction(1, 2)
"""Share of a prompt's tokens taken for cached where nobody measured it."""


def fill(case: Case) -> Fraction | None:
    """What must fit on a card over what there is for it; over 1 the server does not start."""
    left, found = case.free_bytes, case.ledger
    if left is None or found is None:
        return None
    room = found.card.bytes * (found.pool.settings.utilization if found.pool else 1)
    return (room - left) / room if room > 0 else None


def demand(case: Case) -> Fraction | None:
    """What the requests that may run at once want to hold, over what the pool holds (all replicas)."""
    if case.asked is None or not case.peak_tokens or not case.pool_tokens:
        return None
    model, fits, asked = case.scenario.model, case.requests_that_fit, case.at_once or case.asked
    if model is not None and model.not_plain not in (None, "mla") and fits:
        return Fraction(asked, fits)  # a token has no one size there: windows and states end
    return Fraction(asked * case.peak_tokens, case.pool_tokens)


def waste(case: Case) -> Fraction | None:
    """Share of the slots kept for a request that hold nothing; ``None`` where none are kept."""
    return case.reserved.waste if case.reserved else None


def window(case: Case) -> int | None:
    """Tokens that one request may have: a slot's share of split cells, or the longest that the pool holds."""
    scenario = case.scenario
    if scenario.context_total:
        split = 1 if scenario.unified or not scenario.slots else scenario.slots
        return scenario.context_total // split
    pool = case.ledger.pool if case.ledger else None
    if pool is not None:
        return longest(pool.room.blocks, pool.layers, pool.settings.tokens)
    return case.ledger.longest if case.ledger else None


def full_request(case: Case) -> Fraction | None:
    """One request of the longest length that is allowed, over what the pool holds: over 1 vLLM does not start. The
    window in force counts, the model's own where none is set."""
    pool = case.ledger.pool if case.ledger else None
    if case.window_told and case.pool_tokens:
        return Fraction(case.window_told, case.pool_tokens)
    return None if pool is None or pool.room.blocks <= 0 else Fraction(pool.need, pool.room.blocks)


def outside(case: Case) -> Fraction | None:
    """Bytes of a card that the server leaves alone: for graphs, buffers, peaks, other programs."""
    found = case.ledger.entry("free") if case.ledger else None
    return None if found is None else found.bytes


def pause(case: Case) -> Fraction | None:
    """Seconds that running requests wait while a new prompt is computed: all of it, or one piece of it."""
    return None if not case.prompt else _at_once(case, min(case.prompt, case.load.chunk or case.prompt))


def _at_once(case: Case, tokens: int, cached: int = 0) -> Fraction | None:
    setup = case.setup
    if setup is None:
        return None
    try:
        return usual(setup, flops.prefill(tokens, cached=cached))
    except (ValueError, FormulaError):  # no link for what must cross one
        return None


def _with_hits(case: Case) -> Fraction | None:
    """Seconds of a prefill when :data:`HIT_RATE` of the prompt is cached already."""
    prompt, now = case.prompt, case.prefill_seconds
    if not prompt or now is None:
        return None
    kept = int(prompt * HIT_RATE)
    whole, rest = _at_once(case, prompt), _at_once(case, prompt - kept, kept)
    return now * rest / whole if whole and rest is not None else None


def token_time(case: Case) -> Fraction | None:
    """Seconds between two tokens of one sequence; with drafting a step brings several (:data:`ACCEPTANCE`).

    Of k drafted tokens a step accepts 1 + a + ... + a^k with its own (Leviathan et al., arXiv 2211.17192, eq. 1).
    """
    step, drafted = case.decode_seconds, case.scenario.draft_tokens or 3
    if step is None or not case.scenario.speculation:
        return step
    brought = sum((ACCEPTANCE**power for power in range(drafted + 1)), Fraction(0))
    return step * (1 + drafted * DRAFT_COST) / brought


def cost(case: Case) -> Fraction | None:
    """Price of a million output tokens; ``None`` without a price."""
    rate, price = output_rate(case), case.scenario.price_per_hour
    if not rate or price is None:
        return None
    return serving.cost_per_million(price * case.spread.cards, rate)


def output_rate(case: Case) -> Fraction | None:
    """Output tokens a second of all replicas."""
    return None if case.output_rate is None else case.output_rate * case.spread.dp


def weights(case: Case) -> Fraction | None:
    """Bytes of weights on one card, with what the server keeps beside them: as the ledger has them."""
    found = case.ledger.entry("weights") if case.ledger else None
    return case.weights_on_card if found is None else found.bytes


def cache(case: Case) -> Fraction | None:
    """Bytes on one card of a cache that is taken whole at the start; ``None`` where it is a pool."""
    found = case.ledger.entry("kv") if case.ledger else None
    return None if found is None else found.bytes


def requests(case: Case) -> int | None:
    """Requests of the scenario's length that all replicas hold at once."""
    fits = case.requests_that_fit
    return None if fits is None else fits * case.spread.dp


MEASURES: Mapping[str, Measure] = {
    one.name: one
    for one in (
        Measure("decode-step", "s", -1, lambda case: case.decode_seconds),
        Measure("prefill-step", "s", -1, lambda case: case.prefill_seconds),
        Measure("output-rate", "tokens/s", 1, output_rate),
        Measure("token-time", "s", -1, token_time),
        Measure("pause", "s", -1, pause),
        Measure("requests", "requests", 1, requests),
        Measure("demand", "%", -1, demand),
        Measure("pool-tokens", "tokens", 1, lambda case: case.pool_tokens),
        Measure("weights", "bytes", -1, weights),
        Measure("cache", "bytes", -1, cache),
        Measure("free", "bytes", 1, lambda case: case.free_bytes),
        Measure("outside", "bytes", 1, outside),
        Measure("full-request", "%", -1, full_request),
        Measure("waste", "%", -1, waste),
        Measure("max-len", "tokens", 1, window),
        Measure("request-tokens", "tokens", -1, lambda case: case.peak_tokens),
        Measure("cost", "none", -1, cost),
    )
}
"""Every measure by name."""


def effect(name: str, before: Case, after: Case) -> Effect | None:
    """One measure after against before; ``None`` where either cannot be computed."""
    measure = MEASURES[name]
    old, new = measure.of(before), measure.of(after)
    if name == "waste" and before.reserved and not after.reserved:
        new = before.reserved.paged_waste  # only its last block is not full
    elif name == "prefill-step" and after.scenario.prefix_caching and not before.scenario.prefix_caching:
        new = _with_hits(after)
    if old is None or new is None:
        return None
    batches = (before.batch, after.batch) if name == "decode-step" and before.batch != after.batch else None
    return Effect(name, Amount.of(old, measure.unit), Amount.of(new, measure.unit), measure.better, batches)


def gain(found: Effect, before: Case, after: Case) -> Fraction | None:
    """How many times better an effect's measure gets; 1 is no change.

    Free bytes count by how full the card is, since they cross zero; waste by the share of slots in use.
    """
    old, new = found.before.value, found.after.value
    if found.measure == "free":
        full, less = fill(before), fill(after)
        return full / less if full and less and less > 0 else None
    if found.measure == "waste":
        old, new = 1 - old, 1 - new
        return new / old if old > 0 else None
    if old == new:
        return Fraction(1)  # none before and none after too
    if min(old, new) <= 0:
        return None
    return new / old if found.better > 0 else old / new
