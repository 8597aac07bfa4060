"""What is asked and what is answered: a scenario as it was read, and the report of a diagnosis. Data, no rules.

Everything that a person reads is an id with parameters here; the words are the content's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple

from engine.catalog import Gpu, Model
from engine.efficiency import Reached
from engine.links import Kind as LinkKind
from engine.pool import Pool
from engine.precision import Format
from engine.reservation import Reservation
from engine.roofline import Step
from engine.steps import Setup

Origin = Literal["given", "log", "config", "measured", "catalogue", "computed", "assumed"]
"""Where a number comes from. ``given``: an option or a scenario file; ``config``: a config.json or a model folder;
``measured``: a probe of the card at hand; ``assumed``: a default of an engine's version, an observation on other cards,
or a stand-in, and always listed."""

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
    "activation-peak", "graph-memory", "non-torch-memory", "shared-card", "slow-kernel", "prefix-cache-miss",
    "above-engine", "reserved-pool-misread", "figure-misread",
]  # fmt: skip
DETAILS: tuple[Detail, ...] = (
    "activation-peak", "graph-memory", "non-torch-memory", "shared-card", "slow-kernel", "prefix-cache-miss",
    "above-engine", "reserved-pool-misread", "figure-misread",
)  # fmt: skip

Engine = Literal[
    "vllm", "sglang", "tensorrt-llm", "llama.cpp", "tgi", "lmdeploy", "exllama", "transformers", "ollama", "other"
]
"""A family of servers. Flags are known of the first five; ``other`` is a name that none of them has."""


class Amount(NamedTuple):
    """A number for a sentence: in base units (bytes, seconds, tokens ...) with the unit's name of ``engine.units``."""

    value: Fraction
    unit: str

    @classmethod
    def of(cls, value: Fraction | int, unit: str) -> Amount:
        """An amount of a number that may be a whole one."""
        return cls(Fraction(value) if isinstance(value, int) else value, unit)


class Key(NamedTuple):
    """A word for a sentence that the content has in both languages: ``diagnosis.<name>``."""

    name: str


Param = Amount | Key | str | int
"""A value of a sentence. A ``str`` is shown as it is: a name, a flag, a learner's own text, never markup."""


class Span(NamedTuple):
    """A whole number, or a range of them ("16-64", "16/32/64"); a single number is both ends.

    ``text`` is what was written, for the report.
    """

    low: int
    high: int
    text: str = ""

    @property
    def mid(self) -> int:
        """The middle: what typical figures are computed with."""
        return (self.low + self.high) // 2

    @property
    def single(self) -> bool:
        """Whether it is one number."""
        return self.low == self.high


class Said(NamedTuple):
    """Where the value of a field comes from: ``source`` is an option ("--gpu"), a file, a log's line, a rule."""

    origin: Origin
    source: str = ""


class Signal(NamedTuple):
    """What a sentence in plain words means.

    Attributes:
        id: of the vocabulary in ``engine.diagnosis.symptoms.signals``.
        text: the sentence it was found in, shortened.
        source: "symptom", or a file and line.
    """

    id: str
    text: str
    source: str = "symptom"


class Unread(NamedTuple):
    """A value that was given and could not be used, kept with the reason; it may raise a question.

    Attributes:
        field: of the scenario ("batch", "gpu"), or "flags.<name>", or "file".
        text: what was written, shortened.
        reason: an id: "not-a-number", "two-cards", "no-one-number", "unknown-model", "unknown-format", "unknown-flag",
            "no-reader" ...
    """

    field: str
    text: str
    reason: str


class Conflict(NamedTuple):
    """Two sources said different things; ``kept`` won.

    ``rule`` is the id of what decided between two artefacts: "later", "printed" (what the server printed over what it
    was started with), "tokens" (the pool in tokens over its blocks). "" is the order of the sources: options over the
    file over artefacts over the catalogue.
    """

    field: str
    kept: str
    kept_source: str
    dropped: str
    dropped_source: str
    rule: str = ""


LOGGED = ("card", "weights", "activation", "non-torch", "graphs", "kv", "free-before", "free-after")
"""Lines of a ledger that a log may have in the place of what is computed, and what it says was free before and after
the weights were loaded; the pool has fields of its own, but for cells of a fixed window ("kv")."""


class Logged(NamedTuple):
    """A line of the ledger of one card as a log printed it: bytes, and where ("vllm.log:12")."""

    bytes: Fraction
    source: str


@dataclass(frozen=True)
class Scenario:
    """A workload as it was read. ``None`` is "not said": what then holds is decided, and listed, by who needs it.

    Names of the fields are those of scenario files. Lengths are tokens, times seconds, rates per second, memory bytes.

    Attributes:
        model: from the catalogue, a config, or a stand-in made from the number of parameters (see ``stand_in``).
        model_name: what was written.
        stand_in: whether ``model`` is only shaped like models of its size.
        exact_weights: bytes of a checkpoint's files, from safetensors headers.
        params: number of parameters where only that is known.
        gpu: the card; made from ``gpu_memory``, ``bandwidth`` and ``tflops`` for one outside the catalogue.
        gpu_name: what was written.
        gpu_options: the cards that an ambiguous name fits ("A100"); then ``gpu`` is ``None``.
        gpus: cards in all.
        nodes: machines.
        link: between the cards.
        weights: format of the weights.
        kv: name of the KV cache's format.
        prompt, output: tokens of a request.
        concurrency: requests at once (sequences, in flight at the client).
        request_rate: requests that arrive a second.
        requests: of an offline run, in all.
        max_model_len: longest sequence.
        reserve: slots kept for each request by a server without paging.
        utilization: ``gpu_memory_utilization``, or the like of another engine (``mem_fraction_static``).
        engine, engine_name, version: the server.
        tp, pp, dp: cards that share each layer, stages of layers, replicas.
        expert_parallel: whether experts are spread whole.
        max_num_seqs, max_num_batched_tokens: caps of a step.
        kv_pool: bytes of the KV pool on one card, where it was set or logged.
        kv_pool_tokens: tokens of the pool, where it was set or logged.
        block_size: tokens of a block.
        context_total: KV cells of the whole server that slots share (llama.cpp ``-c``).
        slots: parallel slots of such a server.
        unified: whether the slots share one pool.
        eager: no CUDA graphs.
        graph_max_batch: largest captured batch, in tokens of a step.
        chunked_prefill, prefix_caching: as set.
        full_admission: admits only a request whose whole prompt (or prompt and output limit) fits.
        watermark: share of the pool that admission keeps free.
        speculation: drafting is on; ``draft_tokens`` a step.
        lora: adapters are served unmerged; ``loras`` of them.
        grammar: structured output is on.
        static_batching: no continuous batching.
        images: pictures in a prompt.
        cpu_offload: bytes of each card's weights that are kept in host memory.
        gpu_layers: layers on the card (llama.cpp ``-ngl``).
        expert_offload: experts alone in host memory.
        no_custom_all_reduce, p2p_off: collectives without the direct path.
        act_order: a GPTQ checkpoint with act-order.
        ttft, tpot: measured seconds to the first token, and between two.
        throughput: measured output tokens a second, of all requests.
        prompt_throughput: measured prompt tokens a second.
        running, waiting: requests in the engine's batch and its queue, as observed.
        kv_usage: share of the pool in use, as observed.
        held: tokens in the cache of one running request, as observed.
        price_per_hour: of one card, in any currency.
        signals: what sentences in plain words mean.
        tried: ids of levers that were tried without success, or are named as on.
        said: where each field that is set comes from, by its name.
        unread, conflicts: what could not be used, and what was told twice.
        flags: flags as written that set no field here, by name.
        logged: lines of the ledger that a log printed, by their names in :data:`LOGGED`.
        probed: what a probe of this machine's card measured; it holds for that card alone.
    """

    model: Model | None = None
    model_name: str = ""
    stand_in: bool = False
    exact_weights: int | None = None
    params: int | None = None
    gpu: Gpu | None = None
    gpu_name: str = ""
    gpu_options: tuple[str, ...] = ()
    gpus: int | None = None
    nodes: int | None = None
    link: LinkKind | None = None
    weights: Format | None = None
    kv: str | None = None
    prompt: Span | None = None
    output: Span | None = None
    concurrency: Span | None = None
    request_rate: Fraction | None = None
    requests: int | None = None
    max_model_len: int | None = None
    reserve: int | None = None
    utilization: Fraction | None = None
    engine: Engine | None = None
    engine_name: str = ""
    version: str | None = None
    tp: int | None = None
    pp: int | None = None
    dp: int | None = None
    expert_parallel: bool | None = None
    max_num_seqs: int | None = None
    max_num_batched_tokens: int | None = None
    kv_pool: Fraction | None = None
    kv_pool_tokens: int | None = None
    block_size: int | None = None
    context_total: int | None = None
    slots: int | None = None
    unified: bool | None = None
    eager: bool | None = None
    graph_max_batch: int | None = None
    chunked_prefill: bool | None = None
    prefix_caching: bool | None = None
    full_admission: bool | None = None
    watermark: Fraction | None = None
    speculation: bool | None = None
    draft_tokens: int | None = None
    lora: bool | None = None
    loras: int | None = None
    grammar: bool | None = None
    static_batching: bool | None = None
    images: int | None = None
    cpu_offload: Fraction | None = None
    gpu_layers: int | None = None
    expert_offload: bool | None = None
    no_custom_all_reduce: bool | None = None
    p2p_off: bool | None = None
    act_order: bool | None = None
    ttft: Fraction | None = None
    tpot: Fraction | None = None
    throughput: Fraction | None = None
    prompt_throughput: Fraction | None = None
    running: int | None = None
    waiting: int | None = None
    kv_usage: Fraction | None = None
    held: int | None = None
    price_per_hour: Fraction | None = None
    signals: tuple[Signal, ...] = ()
    tried: frozenset[str] = frozenset()
    said: Mapping[str, Said] = field(default_factory=dict)
    unread: tuple[Unread, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    flags: Mapping[str, str] = field(default_factory=dict)
    logged: Mapping[str, Logged] = field(default_factory=dict)
    probed: Reached | None = None

    @property
    def seen(self) -> Reached | None:
        """What was measured on the very card of the scenario; ``None`` where it was another one."""
        here = self.probed is not None and self.gpu is not None and self.probed.card == self.gpu.name
        return self.probed if here else None

    def having(self, **fields: object) -> Scenario:
        """The same with these fields: ``dataclasses.replace``, which takes its time where there are so many.

        Raises ``TypeError`` for a name that is no field.
        """
        if not fields.keys() <= vars(self).keys():
            raise TypeError(f"not all of these are fields of a scenario: {', '.join(fields)}")
        made = object.__new__(Scenario)
        vars(made).update(vars(self), **fields)
        return made

    def has(self, *signals: str) -> bool:
        """Whether any of these signals was read."""
        return any(one.id in signals for one in self.signals)


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
    where more is better, else -1.
    """

    measure: str
    before: Amount
    after: Amount
    better: Literal[-1, 1]


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
