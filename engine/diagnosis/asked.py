"""What is asked: a scenario as it was read, and all that reading it told. Data, no rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple

from engine.catalog import Gpu, Model
from engine.efficiency import Reached
from engine.links import Kind as LinkKind
from engine.precision import Format

Origin = Literal["given", "log", "config", "measured", "catalogue", "computed", "assumed"]
"""Where a number comes from. ``given``: an option or a scenario file; ``config``: a config.json or a model folder;
``measured``: a probe of the card at hand; ``assumed``: a default of an engine's version, an observation on other cards,
or a stand-in, and always listed."""

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
    was started with), "tokens" (the pool in tokens over its blocks); "card" is a named card whose memory the log counts
    otherwise. "" is the order of the sources: options over the
    file over artefacts over the catalogue.
    """

    field: str
    kept: str
    kept_source: str
    dropped: str
    dropped_source: str
    rule: str = ""


LOGGED = (
    "card", "card-memory", "weights", "activation", "non-torch", "graphs", "kv", "free-before", "free-after",
    "free-at-start", "kv-refused",
)  # fmt: skip
"""Lines of a ledger that a log may have in the place of what is computed, and what it says was free before and after
the weights were loaded, or when the engine refused to start for it, and what of a cache it asked for in vain; the pool
has fields of its own, but for cells of a fixed window ("kv")."""


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
        attention_dp: each rank of the tensor-parallel group attends for requests of its own, experts are shared by all.
        act_order: a GPTQ checkpoint with act-order.
        ttft, tpot: measured seconds to the first token, and between two.
        throughput: measured output tokens a second, of all requests.
        prompt_throughput: measured prompt tokens a second.
        running, waiting: requests in the engine's batch and its queue, as observed.
        kv_usage: share of the pool in use, as observed.
        held: tokens in the cache of one running request, as observed.
        model_window: tokens that a server gives as the model's own longest sequence where it refuses a longer one.
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
    attention_dp: bool | None = None
    act_order: bool | None = None
    ttft: Fraction | None = None
    tpot: Fraction | None = None
    throughput: Fraction | None = None
    prompt_throughput: Fraction | None = None
    running: int | None = None
    waiting: int | None = None
    kv_usage: Fraction | None = None
    held: int | None = None
    model_window: int | None = None
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
