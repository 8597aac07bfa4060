"""What each lever does to a scenario: one small function a lever, from a case to the scenario after it.

An act answers ``None`` where it would change nothing: it is on already, at its limit, or what it needs is not known.
What was measured before the change is dropped, so that the scenario after it is judged by arithmetic alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from engine import precision
from engine.diagnosis.cases.told import OF_VLLM
from engine.diagnosis.model import Said, Scenario, Span
from engine.precision import UnknownFormat

if TYPE_CHECKING:
    from engine.diagnosis.cases.case import Case

Act = Callable[["Case"], Scenario | None]

FULL = Fraction(95, 100)
"""Utilization above which collectives, graphs and fragmentation are known to fail (levers.md)."""
SAFE = Fraction(94, 100)
"""The highest utilization that is advised: under :data:`FULL` by what two runs of one server differ."""
MARGIN = Fraction(5, 100)
"""How much one turn of the memory share moves it."""
WINDOW = 4096
"""A window to try where nothing says how long requests are."""


def changed(scenario: Scenario, **fields: object) -> Scenario:
    """The scenario with these fields, without what was measured and said before the change."""
    if fields.get("concurrency", 0) is None:
        fields = {name: value for name, value in fields.items() if name != "concurrency"}  # nothing said of it
    gone: dict[str, object] = {
        "ttft": None, "tpot": None, "throughput": None, "prompt_throughput": None, "waiting": None, "kv_usage": None,
        "signals": (), "conflicts": (), "unread": (),
    }  # fmt: skip
    if fields.keys() & {"prompt", "output"}:
        gone["held"] = None
    if scenario.concurrency is not None:
        gone["running"] = None  # what is offered decides, not what ran under the old settings
    elif (seen := offered(scenario)) is not None:
        gone |= {"running": None, "concurrency": seen}
    if scenario.engine is None and vllm_by_settings(fields) and not vllm_by_settings(vars(scenario)):
        gone["engine"] = "other"  # nobody named a server: a setting that is tried must not make it vLLM's rule
    said = {name: source for name, source in scenario.said.items() if name not in gone}
    if scenario.logged:
        gone["logged"] = {name: line for name, line in scenario.logged.items() if not fields.keys() & _DECIDES[name]}
    said |= dict.fromkeys((name for name, value in fields.items() if value is not None), Said("computed", "what-if"))
    return scenario.having(**{**gone, **fields, "said": said})


def offered(scenario: Scenario) -> Span | None:
    """Requests that all replicas are offered at once: as said, else those that were seen to run and to wait."""
    seen = ((scenario.running or 0) + (scenario.waiting or 0)) * max(scenario.dp or 1, 1)
    return scenario.concurrency or (Span(seen, seen) if seen else None)


_SPREAD = frozenset(("model", "tp", "pp", "dp", "gpus", "expert_parallel"))
_DECIDES: Mapping[str, frozenset[str]] = {
    "card": frozenset(("gpu",)),
    "card-memory": frozenset(("gpu",)),
    "weights": _SPREAD | {"gpu", "weights", "exact_weights", "cpu_offload", "gpu_layers", "expert_offload", "engine"},
    "activation": _SPREAD | {"max_num_seqs", "max_num_batched_tokens", "chunked_prefill", "images", "max_model_len"},
    "non-torch": _SPREAD | {"gpu"},
    "graphs": _SPREAD | {"eager", "graph_max_batch", "max_num_seqs"},
    "kv": _SPREAD | {"kv", "context_total", "max_model_len", "slots", "unified", "gpu_layers", "engine"},
    "free-before": _SPREAD | {"gpu"},
    "free-at-start": frozenset(("gpu",)),
    "kv-refused": _SPREAD | {"gpu", "weights", "exact_weights", "cpu_offload", "gpu_layers", "expert_offload"},
    "free-after": _SPREAD | {"weights", "exact_weights", "cpu_offload", "gpu"},
}
"""Fields that decide a line of the ledger: with another of them, what a log said of the line is no longer so."""


def vllm_by_settings(given: Mapping[str, object]) -> bool:
    """Whether settings are among these fields that speak for vLLM where no engine is named."""
    return any(given.get(name) is not None for name in OF_VLLM)


def again(scenario: Scenario) -> Case:
    """A scenario computed anew."""
    from engine.diagnosis.cases.case import Case  # the case knows no levers; they know it

    return Case(scenario)


def repooled(case: Case, after: Scenario, numbers: Fraction = Fraction(1), freed: Fraction | None = None) -> Scenario:
    """The scenario with its known pool changed as the act changes it.

    A pool that a log showed grows by what the weights free; one that was set stays. ``numbers`` is how much smaller a
    number of the cache becomes, ``freed`` what is freed besides weights.
    """
    scenario = case.scenario
    if scenario.kv_pool is None and scenario.kv_pool_tokens is None:
        return after
    token = case.kv_per_token
    if not token:
        tokens, grown = scenario.kv_pool_tokens, 1 + freed / scenario.kv_pool if freed and scenario.kv_pool else 1
        return replace(after, kv_pool_tokens=tokens and int(tokens * grown / numbers))
    size = scenario.kv_pool or (scenario.kv_pool_tokens or 0) * token
    if freed is None:
        freed = Fraction(0)
        if printed_pool(scenario):
            old, new = case.weights_on_card, again(after).weights_on_card
            freed = old - new if old is not None and new is not None else freed
    return replace(after, kv_pool=max(Fraction(0), size + freed), kv_pool_tokens=None)


def printed_pool(scenario: Scenario) -> bool:
    """Whether the known pool is what a server made of its memory: a log's, or that of an error or a sentence."""
    place = scenario.said.get("kv_pool") or scenario.said.get("kv_pool_tokens")
    return place is not None and (place.origin == "log" or " " in place.source)  # an option's name has no blank


def refitted(after: Scenario) -> Scenario:
    """The scenario with no more weights in host memory than it still needs there."""
    if not after.cpu_offload and not after.gpu_layers:
        return after
    bare = replace(after, cpu_offload=Fraction(0), gpu_layers=None)
    left = again(bare).free_bytes
    if left is None or left >= 0:
        return after if left is None else bare
    return after if after.gpu_layers else replace(after, cpu_offload=min(after.cpu_offload or Fraction(0), -left))


# --- formats ---------------------------------------------------------------------------------------------------------


def _weights(name: str) -> Act:
    def act(case: Case) -> Scenario | None:
        now, new = case.form, precision.FORMATS[name]
        if name == "awq" and _as_file(case):
            new = precision.FORMATS["q4_k_m"]
        if now is not None and (
            now.linear_bits < 6 if new.weight_only else not now.weight_only and now.linear_bits < 10
        ):
            return None  # as few bits already; weights alone in 4 or 8 bits still gain a unit from the others
        return refitted(repooled(case, changed(case.scenario, weights=new, exact_weights=None)))

    return act


def _as_file(case: Case) -> bool:
    """Whether weights come in llama.cpp's formats here: by the engine, or where the card has no other."""
    from engine.diagnosis.acting.typed import engine_of  # it spells what acts do

    return engine_of(case) in ("llama.cpp", "ollama")


w4a16, w8a8, fp8 = _weights("awq"), _weights("w8a8"), _weights("fp8")


def kv_quantization(case: Case) -> Scenario | None:
    """The KV cache in 8 bits, where it has 16 today."""
    scenario = case.scenario
    if quantized_kv(case):
        return None
    name = "q8_0" if scenario.engine in ("llama.cpp", "ollama") else "fp8"
    return repooled(case, changed(scenario, kv=name), numbers=precision.kv_bytes_per_number(name) / 2)


def quantized_kv(case: Case) -> bool:
    """Whether the cache has under 16 bits a number."""
    try:
        return case.scenario.kv is not None and precision.kv_layout(case.scenario.kv).bits < 16
    except UnknownFormat:
        return False


def keep_16bit(case: Case) -> Scenario | None:
    """Weights in 16 bits, or the cache where only that has fewer."""
    now = case.form
    if now is not None and now.linear_bits != 16:
        return repooled(case, changed(case.scenario, weights=precision.FORMATS["bf16"], exact_weights=None))
    if quantized_kv(case):
        return repooled(case, changed(case.scenario, kv="auto"), numbers=Fraction(2))
    return None


def float16(case: Case) -> Scenario | None:
    """16-bit weights in fp16, which every card has, and the refusal gone with it."""
    scenario, now = case.scenario, case.form
    if now is None or now.name != "bf16":
        return None
    kept = tuple(one for one in scenario.signals if one.id not in ("no-bf16", "fails-to-start"))
    return changed(scenario, weights=precision.FORMATS["fp16"]).having(signals=kept)


# --- memory of the server --------------------------------------------------------------------------------------------


def paged_attention(case: Case) -> Scenario | None:
    """One pool in blocks in place of slots that are reserved whole."""
    scenario = case.scenario
    if scenario.reserve:
        return changed(scenario, reserve=None, block_size=scenario.block_size or 16)
    if split(case):
        return changed(scenario, unified=True)
    return None


def split(case: Case) -> bool:
    """Whether fixed slots share the cells of the server."""
    scenario = case.scenario
    return bool(scenario.slots and scenario.slots > 1 and scenario.context_total and not scenario.unified)


def max_len(case: Case) -> int | None:
    """The longest sequence in force."""
    scenario = case.scenario
    if scenario.max_model_len or scenario.context_total:
        return scenario.max_model_len or scenario.context_total
    return scenario.model.context if scenario.model else None


def lower_max_model_len(case: Case) -> Scenario | None:
    """A window of what real requests need; else of what fits; else a common one. The model's own where a server says
    that it refuses a longer one."""
    now, own = max_len(case), case.scenario.model_window
    if now is None:
        return None
    if own and own < now and case.scenario.has("window-over-model"):
        return changed(case.scenario, max_model_len=own)
    fits = case.longest
    target = _rounded(case.peak_tokens) if case.peak_tokens else WINDOW
    if not case.peak_tokens and fits and fits >= 256:
        target = fits // 256 * 256
    if case.scenario.context_total:
        return _fewer_cells(case, target)
    return None if target >= now else changed(case.scenario, max_model_len=target)


_FEWEST_CELLS = 512
"""Cells of a slot below which no window would serve anybody."""


def _fewer_cells(case: Case, target: int) -> Scenario | None:
    """A window of fixed cells that is smaller than today's: what requests of the target's length need; where the server
    does not come up, half of today's until it does, for its cells are what does not fit."""
    scenario = case.scenario
    now, slots = scenario.context_total or 0, 1 if scenario.unified else scenario.slots or 1
    total = min(target * slots, now)
    if case.starts is False:
        while total > _FEWEST_CELLS * slots and (total >= now or again(_in_cells(scenario, total)).starts is False):
            total //= 2
    return _in_cells(scenario, total) if total < now else None


def _in_cells(scenario: Scenario, total: int) -> Scenario:
    slots = 1 if scenario.unified else scenario.slots or 1
    return changed(scenario, max_model_len=total // slots, context_total=total)


def _rounded(tokens: int) -> int:
    """A round window that holds so many tokens, with a little room."""
    step = 1024 if tokens > 2048 else 256
    return -(-tokens // step) * step


def raise_memory_utilization(case: Case) -> Scenario | None:
    """A larger share for the pool, up to :data:`SAFE`; of a server of slots more cells."""
    scenario = case.scenario
    if split(case) and scenario.context_total and scenario.slots:
        return changed(scenario, context_total=scenario.context_total * scenario.slots)
    now = case.defaults.utilization.value
    if now is None or now >= SAFE:
        return None
    share = SAFE if scenario.engine in (None, "vllm", "tensorrt-llm") else min(SAFE, now + MARGIN)
    after = changed(scenario, utilization=share)
    if scenario.kv_pool is None and scenario.kv_pool_tokens is None:
        return after
    if scenario.gpu is not None and not printed_pool(scenario):  # a pool of a set size: the share decides again
        return replace(after, kv_pool=None, kv_pool_tokens=None)
    size = _card(case)
    return after if size is None else repooled(case, after, freed=(share - now) * size)


_BESIDE = Fraction(11, 10)
"""Weights, pool and the rest of an engine's share over weights and pool, at most: peaks and buffers are the rest."""


def _card(case: Case) -> Fraction | None:
    """Bytes of the card; where nobody says which it is, what weights, pool and share of a log make of it at most."""
    scenario, share = case.scenario, case.defaults.utilization.value
    if scenario.gpu is not None:
        return Fraction(scenario.gpu.visible or scenario.gpu.capacity)
    logged, size = scenario.logged, scenario.kv_pool
    for name in ("card", "card-memory"):
        if name in logged:
            return logged[name].bytes
    if "weights" not in logged or size is None or not share or not printed_pool(scenario):
        return None
    return (logged["weights"].bytes + size) / share * _BESIDE


def free_card(case: Case) -> Scenario | None:
    """Nobody else on the card, where a log says what was free of it."""
    logged = case.scenario.logged
    if "free-at-start" not in logged:
        return None
    left = {name: one for name, one in logged.items() if name != "free-at-start"}
    return _not_refused(case.scenario.having(logged=left))


def _not_refused(after: Scenario) -> Scenario:
    """The scenario without what the refusal said of itself: the share is to be had now."""
    kept = tuple(one for one in after.signals if one.id not in ("other-process", "fails-to-start"))
    return after.having(signals=kept)


def lower_memory_utilization(case: Case) -> Scenario | None:
    """A smaller share for the pool: what others leave of the card, where a log says how much that is; else back to 0.9
    from above, or a step down."""
    now = case.defaults.utilization.value
    if now is not None and case.share_taken is not None and case.free_at_start is not None and case.ledger is not None:
        left = Fraction(int(case.free_at_start / case.ledger.card.bytes * 100), 100)  # two digits, and never more
        return _not_refused(changed(case.scenario, utilization=left)) if 0 < left < now else None
    if now is None or now <= Fraction(1, 2):
        return None
    share = Fraction(9, 10) if now > Fraction(9, 10) else now - MARGIN
    return changed(case.scenario, utilization=share)
