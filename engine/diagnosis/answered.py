"""What is answered: the report of a diagnosis, from the ledger to the experiments. Data, no rules.

Everything that a person reads is an id with parameters here; the words are the content's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from engine.diagnosis.asked import Amount, Origin, Param, Scenario
from engine.pool import Pool
from engine.reservation import Reservation
from engine.roofline import Step
from engine.steps import Setup

Phase = Literal["load", "prefill", "decode", "both", "none"]
PHASES: tuple[Phase, ...] = ("load", "prefill", "decode", "both", "none")

Wall = Literal[
    "weights-memory", "kv-memory", "kv-fragmentation", "memory-bandwidth", "compute", "idle-scheduling",
    "interconnect", "cpu-overhead", "other", "none",
]  # fmt: skip
WALLS: tuple[Wall, ...] = (
    "weights-memory", "kv-memory", "kv-fragmentation", "memory-bandwidth", "compute", "idle-scheduling",
    "interconnect", "cpu-overhead", "other", "none",
)  # fmt: skip

Detail = Literal[
    "activation-peak", "graph-memory", "non-torch-memory", "fragmented-memory", "shared-card", "slow-kernel",
    "prefix-cache-miss", "above-engine", "format-refused", "reserved-pool-misread", "figure-misread",
]  # fmt: skip
DETAILS: tuple[Detail, ...] = (
    "activation-peak", "graph-memory", "non-torch-memory", "fragmented-memory", "shared-card", "slow-kernel",
    "prefix-cache-miss", "above-engine", "format-refused", "reserved-pool-misread", "figure-misread",
)  # fmt: skip


# --- what was computed -----------------------------------------------------------------------------------------------


class Entry(NamedTuple):
    """A line of the ledger of one card.

    Attributes:
        name: weights, kv, activation, graphs, non-torch, free, card, or kv-pool, reserved, short.
        bytes, low, high: the figure and its spread; ``free`` below zero is what is missing.
        origin, source: where it comes from.
        formula: that gives it, for "explain" ("" where none does).
    """

    name: str
    bytes: Fraction
    low: Fraction
    high: Fraction
    origin: Origin
    source: str = ""
    formula: str = ""


class Ledger(NamedTuple):
    """The memory of one card.

    Attributes:
        card: all of it.
        entries: what takes it, ``free`` last; together they are the card (a negative ``free`` is the shortfall).
        pool: vLLM's own account, where that is the engine and paging is on.
        reservation: what reserving whole slots does, where a server does that.
        pool_tokens: tokens that the KV pool holds in all cards of a replica; ``None`` where it is not known.
        request_tokens: tokens of one request (prompt and output); ``None`` where not said.
        fits: requests of that length that the pool holds.
        longest: tokens of the longest request that fits alone.
        asked: what the cache holds when every request asked for has all its tokens; it stands beside the pool.
    """

    card: Entry
    entries: tuple[Entry, ...]
    pool: Pool | None
    reservation: Reservation | None
    pool_tokens: int | None
    request_tokens: int | None
    fits: int | None
    longest: int | None
    asked: Entry | None = None

    def entry(self, name: str) -> Entry | None:
        """A line by its name."""
        return next((one for one in (self.card, *self.entries) if one.name == name), None)


class Timing(NamedTuple):
    """One kind of step.

    Attributes:
        step: computed, with its band and its parts.
        batch, tokens: sequences, and tokens of context (decode) or of the prompt (prefill) that it was computed for.
        measured: seconds that were measured, and what was measured ("tpot", "throughput", "ttft", "prompt_throughput").
        shared: share of the measured time that is the step's own: prompts of others are computed in the rest of it.
    """

    step: Step
    batch: int
    tokens: int
    measured: Fraction | None = None
    measured_by: str = ""
    shared: Fraction = Fraction(1)

    @property
    def own(self) -> Fraction | None:
        """The measured time without the prompts of others in it: what the step's band is compared with."""
        return self.measured if self.measured is None or self.shared == 1 else self.measured * self.shared

    @property
    def impossible(self) -> bool:
        """Whether less was measured than the data sheet allows: then something that was said is not so."""
        own = self.own
        return own is not None and own < self.step.ideal.total

    @property
    def excess(self) -> Fraction | None:
        """Share of the measured time that lies beyond the band; 0 inside it, ``None`` where nothing was measured."""
        own = self.own
        if own is None:
            return None
        beyond = own - self.step.time.high
        return max(Fraction(0), beyond / own) if own else Fraction(0)


class Timings(NamedTuple):
    """Steps of the two phases; ``None`` where an input is missing. ``setup`` is what they were computed with.

    ``decode_share`` is decode's share of the card's time under the load: each prompt is computed for itself, a decode
    step for all that run.
    """

    setup: Setup | None
    decode: Timing | None
    prefill: Timing | None
    decode_share: Fraction | None


# --- the verdict -----------------------------------------------------------------------------------------------------


class Finding(NamedTuple):
    """A cause that has a witness.

    Attributes:
        cause: its id (``engine.diagnosis.causes``); its sentence is ``diagnosis.cause.<id>``.
        wall, detail, phase: what it says.
        strength: how sure, 0 to 1: numbers up to 1, flags up to 0.8, words alone up to 0.6.
        share: of the step's time (time walls) or of the card's bytes (memory walls); ``None`` where not computable.
        by: "numbers", "flags" or "words".
        params: of the sentence.
        because: the sentences, flags or numbers it rests on.
    """

    cause: str
    wall: Wall
    detail: Detail | None
    phase: Phase
    strength: Fraction
    share: Fraction | None
    by: Literal["numbers", "flags", "words"]
    params: Mapping[str, Param]
    because: tuple[str, ...] = ()


class WallShare(NamedTuple):
    """A wall of the verdict with its share, ``None`` where nothing could be computed."""

    id: Wall
    share: Fraction | None
    detail: Detail | None = None


class Effect(NamedTuple):
    """One computed effect of a lever.

    ``measure`` names what it is: decode-step, prefill-step, ttft, output-rate (tokens a second), requests (that fit),
    pool-tokens, weights (bytes a card), free (bytes a card), waste (share), request-tokens, max-len. ``better`` is +1
    where more is better, else -1. ``batches``: the requests of the step before and after, where they are not the same.
    """

    measure: str
    before: Amount
    after: Amount
    better: Literal[-1, 1]
    batches: tuple[int, int] | None = None


class Partner(NamedTuple):
    """A lever that goes with another one: its id, how the engine at hand spells it, whether its precondition holds."""

    id: str
    flag: str
    precondition: Literal["met", "unknown", "failed"]


class LeverResult(NamedTuple):
    """A lever, judged for this scenario.

    Attributes:
        id: of levers.md.
        helps: whether it is recommended.
        effects: computed; the first is the one that it is ranked by. Empty where it cannot be computed.
        gain: what it is ranked by: how many times better the first effect's measure gets (1 is no change), or the
            published gain (``published``); ``None`` where neither is known.
        precondition: "met", "unknown" or "failed", and the id of its sentence.
        why: for a lever that does not help, the id of the reason ("already-on", "tried", "no-effect", "not-the-wall",
            "no-unit", "does-not-fit", "at-limit", "backfires" ...), with ``params``.
        warning: id of the sentence that says when it backfires; every lever has one or "" where it cannot.
        flag: how the engine at hand spells it; "" where it has no flag.
        after: the scenario with the lever applied; ``None`` where it changes nothing that is computed.
        beside: a second lever that it takes: alone it is not enough; its effects, its flag and ``after`` are of both.
        instead: levers that would do in the place of the second one.
    """

    id: str
    helps: bool
    effects: tuple[Effect, ...]
    gain: Fraction | None
    precondition: Literal["met", "unknown", "failed"]
    why: str
    params: Mapping[str, Param]
    warning: str
    flag: str
    published: bool = False
    after: Scenario | None = None
    beside: Partner | None = None
    instead: tuple[Partner, ...] = ()


class Question(NamedTuple):
    """What would change the verdict: the field asked for, and the id of the sentence that says why."""

    input: str
    why: str
    params: Mapping[str, Param] = {}


class Assumed(NamedTuple):
    """Something taken for granted: a field or a line, the value, and the id of the reason with its parameters."""

    name: str
    value: Param
    why: str
    source: str = ""


class Experiment(NamedTuple):
    """The one change that would refute the verdict: its id, the flag or act that it uses, and what to expect."""

    id: str
    flag: str
    params: Mapping[str, Param]


RECONCILED = (
    "agrees", "in-band", "other-format", "spread-over-cards", "tensors-beside", "fewer-tensors", "graphs-more",
    "graphs-less", "more", "less", "from-lines", "graphs-outside", "graphs-inside", "implied-share", "hybrid",
    "cache-half", "cache-double", "other-token", "more-than-others", "less-than-others", "free-rule",
    "implied-share-free", "rests-on-others", "embedding-aside",
)  # fmt: skip
"""Ids of why a logged figure and a computed one are as far apart as they are."""


class Reconciled(NamedTuple):
    """A figure that a log printed, beside what is computed without the log.

    Attributes:
        name: of the ledger's line, or "kv-tokens".
        expected, printed: both figures, in one unit.
        why: one of :data:`RECONCILED`.
        params: of its sentence.
        source: where it was printed.
        basis: what the expected figure is made of: "computed" without the log, "bytes" that the log itself has for the
            pool, or "free", what the log says was free.
    """

    name: str
    expected: Amount
    printed: Amount
    why: str
    params: Mapping[str, Param]
    source: str = ""
    basis: Literal["computed", "bytes", "free"] = "computed"

    @property
    def residual(self) -> Amount:
        """What was printed less what was expected."""
        return Amount(self.printed.value - self.expected.value, self.printed.unit)


@dataclass(frozen=True)
class Report:
    """The answer.

    Attributes:
        scenario: what it is about.
        phase, walls: the verdict; the first wall is the answer, a second one follows where it is close.
        findings: every cause that has a witness, best first.
        ledger, timings: what was computed; ``None`` where inputs are missing.
        levers: those that help in order of effect, then those that do not.
        questions: at most three.
        assumed: everything taken for granted.
        experiment: what would refute it.
        reconciled: what a log printed beside what is computed.
    """

    scenario: Scenario
    phase: Phase
    walls: tuple[WallShare, ...]
    findings: tuple[Finding, ...]
    ledger: Ledger | None
    timings: Timings
    levers: tuple[LeverResult, ...]
    questions: tuple[Question, ...]
    assumed: tuple[Assumed, ...]
    experiment: Experiment | None
    reconciled: tuple[Reconciled, ...] = ()

    @property
    def wall(self) -> Wall:
        """The first wall."""
        return self.walls[0].id

    @property
    def detail(self) -> Detail | None:
        """Its detail."""
        return self.walls[0].detail
