"""Lines of a card's memory that a log printed, in bytes.

They stand in the ledger in the place of computed ones. And what a log tells of how the memory is shared out.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.artefacts.facts import Entry, Facts, is_number
from engine.catalog import NoValues
from engine.diagnosis.fields import ScenarioProblem
from engine.diagnosis.model import Logged
from engine.diagnosis.reading import formats, named, standin
from engine.vllm import GIB

_NEAR = 1.06
"""Totals of one card that differ by no more are one card: nvidia-smi counts what the driver keeps, engines do not."""


def logged(facts: Facts) -> Mapping[str, Logged]:
    """The lines by their names in the ledger; each of one rank, the fullest where several print it."""
    found = {
        "card": _card(facts),
        "weights": _weights(facts),
        "activation": facts.last("activation_memory") or _devices(facts, "compute_buffer_memory"),
        "non-torch": facts.last("non_torch_memory"),
        "graphs": facts.last("graph_memory", "graph_memory.estimated"),
        "kv": (_cells(facts) or _refused_cells(facts)) if _by_device(facts) else None,
        "kv-refused": _refused_cells(facts),
        **_around_loading(facts),
        "free-at-start": _at_refusal(facts),
    }
    return {
        name: Logged(exact(one.value), one.place) for name, one in found.items() if one is not None and one.value >= 0
    }


def pool(facts: Facts) -> Entry | None:
    """GiB of the KV pool of one rank: printed whole, as two halves, or as what was there at a refusal."""
    if _by_device(facts):
        return None  # llama.cpp's cache has a line of its own: its cells are as many as they were asked for
    found = facts.last("kv_cache_memory", "kv_cache_memory.available")
    if found is not None:
        return found
    halves = [facts.last(name) for name in ("k_cache_memory", "v_cache_memory")]
    if halves[0] is None or halves[1] is None:
        return None
    return Entry(halves[0].value + halves[1].value, halves[0].place)


def fields(facts: Facts) -> dict[str, Entry]:
    """Inputs of the diagnoser that the memory of a log tells, by their public names: the format of a GGUF file, the
    layers and the slots of llama.cpp, and the pool of a refusal that names the longest request it would hold."""
    found: dict[str, Entry] = {}
    form = _file_format(facts)
    if form is not None:
        found["weights"] = form
    layers = facts.last("layers_on_gpu", "n_gpu_layers")
    if layers is not None and is_number(layers.value) and layers.value >= 0:
        found["gpu_layers"] = layers
    slots = facts.last("n_seq_max")
    if slots is not None and is_number(slots.value) and slots.value >= 1:
        found["slots"] = slots
    found |= _shape(facts)
    longest = facts.last("max_model_len.estimated")
    if longest is not None and not facts.names.keys() & {"kv_cache_tokens", "num_gpu_blocks"}:
        found["kv_pool_tokens"] = longest
    return found


_SHAPE: Mapping[str, str] = {
    "layers": "n_layers", "d_model": "hidden_size", "n_head": "n_heads", "n_kv_heads": "n_kv_heads",
    "d_head": "head_dim", "ffn": "intermediate_size", "vocab": "vocab_size", "context": "max_position_embeddings",
}  # fmt: skip
"""Dimensions of a dense model, and what llama.cpp's log has of them."""


def _shape(facts: Facts) -> dict[str, Entry]:
    """The dimensions of a dense model whose name says nothing to the catalogue; what the log leaves out of them follows
    from the number of parameters."""
    found = {name: one for name, printed in _SHAPE.items() if (one := facts.last(printed)) is not None}
    name, experts = facts.last("model"), facts.number("n_experts")
    if not _by_device(facts) or experts or not found.keys() >= _LEAST:
        return {}
    if name is not None and (known := named.of_name(str(name.value))).model is not None and not known.stand_in:
        return {}
    try:
        size = facts.first("parameters")
        if size is not None and not found.keys() >= set(named.NEEDED):
            rest = standin.completed(int(size.value), {one: int(entry.value) for one, entry in found.items()})
            found |= {one: Entry(value, size.place) for one, value in rest.items() if one not in found}
        if not found.keys() >= set(named.NEEDED):
            return {}
        named.dense("", {one: int(entry.value) for one, entry in found.items()})
    except (NoValues, ScenarioProblem, ValueError):
        return {}  # numbers that no model has: the log is of something else
    return found


_LEAST = frozenset(("layers", "d_model", "n_head"))
"""What nothing else tells."""
_NO_FORMAT = "unknown"
"""In what llama.cpp prints of a file whose kind it has no name for."""


def _file_format(facts: Facts) -> Entry | None:
    """The format of a GGUF file's weights by its own name, else by its bits a weight."""
    told = facts.first("bench_model") or (facts.last("quantization_method") if _by_device(facts) else None)
    if told is not None:
        text = str(told.value)
        tail = text.split("B ", 1)[-1] if "bench_model" in facts.names else text  # behind the size: "llama 8B Q4_0"
        if _reads(tail):
            return Entry(tail, told.place)
    size, weights = facts.first("model_size"), facts.first("parameters")
    if size is None or weights is None or not weights.value or told is None:
        return None
    bits = size.value * 8 * float(GIB) / weights.value
    return Entry(f"{bits:.2f} bpw", size.place) if 1 <= bits <= 16 else None


def _reads(text: str) -> bool:
    try:
        formats.read(text)
    except formats.NotAFormat:
        return False
    return _NO_FORMAT not in text.lower()


def _by_device(facts: Facts) -> bool:
    """Whether llama.cpp printed its buffers, or its window."""
    return "n_ctx" in facts.names or any(map(facts.with_qualifier, ("compute_buffer_memory", "weights_memory")))


def _cells(facts: Facts) -> Entry | None:
    """The cache on the card; where no device is told, all of it. With a sliding window there are two, and neither is
    the whole."""
    several = len(list(facts.entries("kv_cache_memory"))) > 1
    devices = [one for one in facts.with_qualifier("kv_cache_memory") if one.rpartition(".")[2] not in _ROLES]
    if several:
        return None
    return _devices(facts, "kv_cache_memory") if devices else facts.last("kv_cache_memory")


_ROLES = ("needed", "available")


def _around_loading(facts: Facts) -> dict[str, Entry]:
    """What was free before SGLang loaded the weights and after it: its pool is what is left of it above the part that
    is kept. The first card's; a draft model is loaded later."""
    loaded = next(facts.entries("model_loading_memory"), None)
    before: Entry | None = None
    for one in facts.entries("gpu_memory_free") if loaded is not None and "mem_fraction_static" in facts.names else ():
        if loaded is not None and one.place == loaded.place:
            return {} if before is None else {"free-before": before, "free-after": one}
        before = before if before is not None and before.value <= one.value else one
    return {}


def _at_refusal(facts: Facts) -> Entry | None:
    """What was free where vLLM refused to start for it: the line that tells beside it what the share comes to."""
    wanted = facts.last("memory_budget")
    found = facts.entries("gpu_memory_free") if wanted is not None else ()
    return next((one for one in found if wanted is not None and one.place == wanted.place), None)


def _refused_cells(facts: Facts) -> Entry | None:
    """What llama.cpp asked a card for and did not get, where it was for the cache of its whole window."""
    buffer = facts.last("failed_buffer")
    return facts.last("failed_allocation") if buffer is not None and buffer.value == "kv cache" else None


def exact(gib: float) -> Fraction:
    """Bytes of so many GiB, by the digits that were printed."""
    return Fraction(repr(float(gib))) * GIB


def _weights(facts: Facts) -> Entry | None:
    """What the profiler counts decides over what a loading line says (vLLM's block)."""
    return (
        facts.last("weights_memory") or facts.chosen("model_loading_memory", max) or _devices(facts, "weights_memory")
    )


def _devices(facts: Facts, name: str) -> Entry | None:
    """The largest part on one card of what is printed by device; host memory is no card."""
    found = [
        one
        for each in facts.with_qualifier(name)
        if not _is_host(each.rpartition(".")[2]) and (one := facts.last(each))
    ]
    return max(found, key=lambda one: one.value, default=None)


def _is_host(device: str) -> bool:
    return device.startswith(("cpu", "host")) or device.endswith("_host")


def _card(facts: Facts) -> Entry | None:
    least, most = facts.chosen("gpu_memory_total", min), facts.chosen("gpu_memory_total", max)
    if least is not None and most is not None:
        return least if least.value and most.value <= least.value * _NEAR else None  # cards of several sizes: none
    budget, share = facts.last("memory_budget"), facts.number("gpu_memory_utilization")
    if budget is None or not share:
        return None
    return Entry(budget.value / share, budget.place)
