"""The levers: what each attacks, what it does, what must hold for it, when it backfires. A table and small functions.

Ids, preconditions and warnings are those of the project's table of levers, settled on 109 public incidents.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

from engine.diagnosis.acting import acts, moves, pacing
from engine.diagnosis.acting import backfires as near
from engine.diagnosis.acting import preconditions as need
from engine.diagnosis.acting import preconditions_cards as place
from engine.diagnosis.acting import preconditions_formats as bits
from engine.diagnosis.acting.acts import Act
from engine.diagnosis.acting.backfires import Near
from engine.diagnosis.acting.preconditions import Need
from engine.diagnosis.model import Amount, Finding, LeverResult, Report, Scenario, Wall

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.diagnosis.cases.case import Case


class Lever(NamedTuple):
    """A lever.

    Attributes:
        id: its name.
        attacks: walls, the first its own.
        act: what it does to a scenario; ``None`` where no field of a scenario stands for it.
        needs: preconditions, all of which must hold.
        instead: measures that it is weighed by in place of the wall's.
        shows: measures shown beside.
        nears: whether the case is near the point where it backfires, and the warning for that.
        warns: whether it can backfire at all.
        weighs: what its computed effect decides: "rank", whether it helps and where it stands; "place", only whether
            it helps, since how much rests on a choice (how far a prompt is shortened, which card is bought); "show",
            neither, since what it cures is not in the arithmetic.
        must_fit: whether it may take more memory than there is, so that the start has to be computed again.
        published: how many times better somebody measured it, with the source.
        hardware: whether it needs more or other cards.
        of_all: whether its gain is of all requests together, and none of them is answered sooner.
        narrows: what it gives a narrower format, which the card must have a unit for: "weights", "cache", or nothing.
        coarse: whether that format is so narrow that the answers may show it.
        sure_cost: whether its cure may lie outside the arithmetic, and its cost may not: what it loses of the verdict's
            measure is as sure as all that is computed here.
        staged: whether it works in stages: fewer requests than stages leave cards idle, and no stage is faster.
        spent: the reason why it is none where it has gone as far as it can.
        of_share: whether that limit is the share of the card, to be told with its number.
        source: of the row.
    """

    id: str
    attacks: tuple[Wall, ...]
    act: Act | None = None
    needs: tuple[Need, ...] = ()
    instead: Mapping[str, str] = {}
    shows: tuple[str, ...] = ()
    nears: tuple[tuple[Near, str], ...] = ()
    warns: bool = True
    weighs: Literal["rank", "place", "show"] = "rank"
    must_fit: bool = False
    published: tuple[Fraction, str] | None = None
    hardware: bool = False
    of_all: bool = False
    narrows: Literal["", "weights", "cache"] = ""
    coarse: bool = False
    sure_cost: bool = False
    staged: bool = False
    spent: str = "at-limit"
    of_share: bool = False
    source: str = "levers.md, section 1"

    def warning(self, case: Case) -> str:
        """The id of the sentence that says when it backfires; a nearer one where the case shows it close."""
        if not self.warns:
            return ""
        return next((name for close, name in self.nears if close(case)), self.id)


# --- the table -------------------------------------------------------------------------------------------------------

_INC = "incidents.md, section 5"
_RATE = {"decode-step": "output-rate"}
_TOKEN = dict.fromkeys(("decode-step", "output-rate"), "token-time")
_PAUSE = dict.fromkeys(("prefill-step", "output-rate", "decode-step"), "pause")

_ROWS = (
    Lever("paged-attention", ("kv-fragmentation",), acts.paged_attention, (need.reserved_today,),
          shows=("requests", "max-len"), published=(Fraction(2), "PagedAttention paper: 2 to 4 times the throughput")),
    Lever("continuous-batching", ("idle-scheduling",), pacing.continuous_batching, (need.static_today,), weighs="show"),
    Lever("w4a16", ("weights-memory", "memory-bandwidth", "kv-memory"), acts.w4a16,
          (bits.bits_to_save, bits.fused_4bit), shows=("weights", "decode-step", "requests"),
          narrows="weights", coarse=True,
          nears=((near.knee, "w4a16-knee"), (near.prompts, "w4a16-prefill"), (near.small_model, "w4a16-small"))),
    Lever("w8a8", ("compute", "weights-memory", "memory-bandwidth", "kv-memory"), acts.w8a8, (bits.int8_unit,),
          shows=("weights", "prefill-step", "decode-step", "requests"), must_fit=True, narrows="weights"),
    Lever("fp8", ("compute", "weights-memory", "memory-bandwidth", "kv-memory"), acts.fp8, (bits.fp8_unit,),
          shows=("weights", "prefill-step", "decode-step", "requests"),
          nears=((near.ampere, "fp8-storage"), (near.fits_today, "fp8-answers")), must_fit=True, narrows="weights"),
    Lever("kv-quantization", ("kv-memory", "memory-bandwidth"), acts.kv_quantization, (bits.cache_to_save,),
          shows=("pool-tokens", "requests", "decode-step"), narrows="cache",
          nears=((near.converts_fp8, "kv-quantization-no-fp8"), (near.short_context, "kv-quantization-short")),
          published=(Fraction(3, 2), f"{_INC}: throughput of a 7B with full heads on long contexts")),
    Lever("keep-16bit", ("compute", "cpu-overhead", "memory-bandwidth", "other"), acts.keep_16bit,
          (bits.something_narrow,), shows=("weights", "requests"), weighs="show", must_fit=True, sure_cost=True),
    Lever("float16", ("other",), acts.float16, (bits.bf16_today,), weighs="show", source="vLLM: --dtype half"),
    Lever("prequantized-checkpoint", ("weights-memory", "cpu-overhead"), needs=(bits.quantized_while_loading,),
          warns=False, weighs="show"),
    Lever("better-kernel", ("cpu-overhead", "compute", "other"), needs=(bits.kernel_named,), weighs="show",
          published=(Fraction(2), f"{_INC}: Marlin against fp16; unfused formats lose 2 to 10 times")),
    Lever("cuda-graphs", ("cpu-overhead",), pacing.cuda_graphs, (need.graphs_missing,), shows=("decode-step", "free"),
          nears=((near.little_free, "cuda-graphs-memory"),),
          published=(Fraction(2), "levers.md: decode without graphs 2 to 4 times slower"), must_fit=True),
    Lever("fewer-cuda-graphs", ("other", "kv-memory"), pacing.fewer_cuda_graphs, (need.graphs_on,), weighs="show"),
    Lever("eager-mode", ("other",), pacing.eager_mode, (need.not_eager,), shows=("free", "decode-step"), weighs="show"),
    Lever("lower-max-model-len", ("kv-memory", "other", "kv-fragmentation"), acts.lower_max_model_len,
          (need.requests_shorter,), shows=("free", "requests")),
    Lever("raise-memory-utilization", ("kv-memory", "kv-fragmentation"), acts.raise_memory_utilization,
          (need.share_left,), shows=("pool-tokens", "requests"),
          nears=((near.little_free, "raise-memory-utilization-full"),), of_share=True),
    Lever("lower-memory-utilization", ("other",), acts.lower_memory_utilization, (need.pool_can_shrink,),
          {"free": "outside"}, ("pool-tokens",), weighs="show"),
    Lever("expandable-segments", ("other",), None, (need.in_pieces,), weighs="show",
          source="PyTorch, CUDA semantics: expandable_segments"),
    Lever("free-card", ("other",), acts.free_card, (need.others_there,), shows=("pool-tokens",), weighs="show"),
    Lever("cap-concurrency", ("kv-memory", "other", "kv-fragmentation", "cpu-overhead"), pacing.cap_concurrency,
          (need.pool_known,), {"requests": "demand", **_RATE}, ("demand", "free")),
    Lever("raise-concurrency", ("memory-bandwidth", "idle-scheduling"), pacing.raise_concurrency, (need.requests_wait,),
          _RATE, ("output-rate", "decode-step"), nears=((near.slots_split, "raise-concurrency-slots"),), of_all=True),
    Lever("client-batching", ("idle-scheduling", "memory-bandwidth"), pacing.client_batching, (need.card_idles,),
          _RATE, ("output-rate", "decode-step", "cost"), of_all=True),
    Lever("admission-policy", ("kv-memory",), pacing.admission_policy, (need.admits_early,), weighs="show",
          published=(Fraction(105, 100), "flags.md: watermark 0.05, preemptions 1065 to 187, throughput up 5 %")),
    Lever("shorten-requests", ("kv-memory", "compute"), pacing.shorten_requests, (need.answers_may_shrink,),
          shows=("request-tokens", "requests", "prefill-step"), weighs="place"),
    Lever("chunked-prefill", ("compute", "other"), pacing.chunked_prefill, (need.prompts_whole,),
          _PAUSE, ("pause", "prefill-step"),
          nears=((near.prompts, "chunked-prefill-heavy"),), weighs="place"),
    Lever("raise-token-budget", ("compute", "interconnect"), pacing.raise_token_budget, (need.prompt_cut,),
          {"output-rate": "prefill-step"}, ("prefill-step", "free"), weighs="show",
          published=(Fraction(136, 100), f"{_INC}: 8k to 16k, 36 to 56 % more prefill")),
    Lever("lower-token-budget", ("other", "kv-memory"), pacing.lower_token_budget, (need.peak_large,),
          _PAUSE, ("free", "pause", "prefill-step")),
    Lever("prefix-caching", ("compute", "kv-memory", "other"), pacing.prefix_caching, (need.shared_beginning,),
          {"output-rate": "prefill-step", "requests": "prefill-step"}, ("prefill-step",), weighs="place"),
    Lever("speculative-decoding", ("memory-bandwidth",), pacing.speculative_decoding, (need.few_sequences,),
          _TOKEN, ("token-time",),
          nears=((near.busy, "speculative-decoding-busy"),)),
    Lever("drop-speculation", ("compute", "cpu-overhead", "weights-memory", "kv-fragmentation"),
          pacing.drop_speculation, (need.drafting,), _TOKEN, weighs="show",
          nears=((near.small_batch, "drop-speculation-small"),),
          published=(Fraction(3), f"{_INC}: drafts of several slots, 10.8 tokens/s in all against 33")),
    Lever("tensor-parallel", ("weights-memory", "kv-memory", "compute", "memory-bandwidth"), moves.tensor_parallel,
          (place.ranks_can_talk,), shows=("weights", "requests", "decode-step", "prefill-step"), hardware=True,
          nears=((near.over_pcie, "tensor-parallel-pcie"), (near.copied_heads, "tensor-parallel-heads"))),
    Lever("data-parallel", ("interconnect", "compute", "kv-memory"), moves.data_parallel, (place.cards_to_spare,),
          {**_RATE, "prefill-step": "output-rate"}, ("output-rate", "requests", "decode-step"),
          hardware=True, must_fit=True, spent="does-not-fit"),
    Lever("pipeline-parallel", ("interconnect", "weights-memory"), moves.pipeline_parallel, (place.stages_filled,),
          shows=("weights", "requests", "prefill-step", "decode-step"), hardware=True,
          nears=((near.small_batch, "pipeline-parallel-small"),), must_fit=True, staged=True),
    Lever("fix-topology", ("interconnect",), moves.fix_topology, (place.several_cards,), weighs="show"),
    Lever("cpu-offload", ("weights-memory",), moves.cpu_offload, (place.nothing_else_fits,),
          shows=("free", "decode-step"), weighs="place"),
    Lever("drop-cpu-offload", ("interconnect",), moves.drop_cpu_offload, (place.offloads,),
          shows=("decode-step", "free"),
          published=(Fraction(20), "levers.md: offloaded weights seen 20 times slower"), must_fit=True),
    Lever("expert-offload", ("weights-memory",), moves.expert_offload, (place.has_experts,),
          shows=("free", "decode-step"), weighs="place",
          published=(Fraction(5, 2), f"{_INC}: decode against whole layers on the CPU")),
    Lever("merge-lora", ("cpu-overhead",), pacing.merge_lora, (need.adapters,), weighs="show",
          published=(Fraction(3, 2), f"{_INC}: adapters cost a third of a 7B's throughput")),
    Lever("lower-adapter-rank", ("cpu-overhead", "kv-memory"), needs=(need.rank_set,), weighs="show"),
    Lever("grammar-backend", ("cpu-overhead",), pacing.grammar_backend, (need.grammar,), weighs="show"),
    Lever("lighter-sampling", ("cpu-overhead",), needs=(need.samples_heavily,), weighs="show",
          source="vLLM pull request 18437: penalties and logprobs of every sequence, in every step"),
    Lever("free-cpu", ("cpu-overhead",), needs=(need.host_waits,), weighs="show",
          source="vLLM documentation, CPU resources for GPU deployments: a core for each process of the engine"),
    Lever("tune-serving-layer", ("other",), needs=(need.bare_engine_measured,), weighs="show"),
    Lever("more-memory", ("weights-memory", "kv-memory"), moves.more_memory, (place.card_is_short,),
          shows=("free", "requests"), weighs="place", hardware=True),
    Lever("faster-gpu", ("compute", "memory-bandwidth"), moves.faster_gpu, (place.near_the_roof,),
          shows=("prefill-step", "decode-step"), weighs="place", hardware=True, must_fit=True),
    Lever("upgrade-engine", ("other", "cpu-overhead"), needs=(need.version_known,), weighs="show"),
    Lever("do-nothing", ("none",), needs=(need.explained,), weighs="show"),
)  # fmt: skip

LEVERS: Mapping[str, Lever] = {row.id: row for row in _ROWS}
"""Every lever by its id."""

WARNINGS: frozenset[str] = frozenset(
    name for row in _ROWS if row.warns for name in (row.id, *(close for _, close in row.nears))
)
"""Every id that a warning may have; the words are ``diagnosis.lever.<id>.warning`` and, for the nearer ones,
``diagnosis.warning.<id>``."""


def judge(
    case: Case, findings: Sequence[Finding], wanted: Sequence[str], useless: Sequence[str], walls: Sequence[Wall] = ()
) -> tuple[LeverResult, ...]:
    """The levers for a verdict, those that help first (:func:`engine.diagnosis.acting.weighing.judge`)."""
    from engine.diagnosis.acting import weighing

    return weighing.judge(case, findings, wanted, useless, walls)


def against(report: Report, finding: Finding) -> LeverResult | None:
    """The first thing to do about a finding beside the verdict; ``None`` where nothing helps against it."""
    from engine.diagnosis.acting import weighing
    from engine.diagnosis.cases.case import Case
    from engine.diagnosis.causes import BY_ID

    wanted = BY_ID[finding.cause].levers
    if not wanted:
        return None
    found = weighing.judge(Case(report.scenario), [finding], wanted, (), [finding.wall])
    return next((one for one in found if one.helps and one.id in wanted), None)


def apply(name: str, scenario: Scenario) -> Scenario | None:
    """The scenario with a lever applied; ``None`` where it changes nothing that is computed.

    Raises ``KeyError`` for a name that is no lever.
    """
    from engine.diagnosis.acting import effects
    from engine.diagnosis.cases.case import Case

    act, case = LEVERS[name].act, Case(scenario)
    after = None if act is None else act(case)
    return None if after is None else effects.as_long(case, after)


def applied(name: str, report: Report) -> Scenario | None:
    """The report's scenario with a lever applied, as the report advises it: with the window that its flag sets beside.

    ``None`` where it changes nothing that is computed. Raises ``KeyError`` for a name that is no lever.
    """
    advised = next((one for one in report.levers if one.id == name and one.after is not None), None)
    if advised is None or advised.after is None:
        return apply(name, report.scenario)
    window = advised.params.get("window")
    return advised.after.having(max_model_len=int(window.value)) if isinstance(window, Amount) else advised.after
