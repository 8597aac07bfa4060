"""Where a model lies: how many cards share it, in which format, and which of its weights stay in host memory."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine import links, precision, weights
from engine.catalog import Gpu, Model
from engine.diagnosis.model import Amount, Assumed, Engine, Scenario
from engine.formulas.registry import result
from engine.parallel import Parallel
from engine.precision import Format

LAYERWISE: frozenset[Engine | None] = frozenset(("llama.cpp", "ollama", "exllama", "transformers"))
"""Engines that put layers one after the other on several cards where nothing else is said (llama.cpp ``-sm layer``,
exllama's autosplit, ``device_map="auto"``)."""
OFFLOADING: frozenset[Engine | None] = frozenset(("llama.cpp", "ollama"))
"""Engines that keep in host memory what does not fit, unasked (llama.cpp ``--fit``, from December 2025)."""
_FIT_SINCE = "2025-12"


class Spread(NamedTuple):
    """How cards share the work: ``tp`` share each layer, ``pp`` stages follow one another, ``dp`` replicas serve side
    by side; ``ep`` cards hold different experts whole."""

    tp: int = 1
    pp: int = 1
    dp: int = 1
    ep: int = 1

    @property
    def cards(self) -> int:
        """All cards that work."""
        return self.tp * self.pp * self.dp

    @property
    def parallel(self) -> Parallel:
        """One replica."""
        return Parallel(self.tp, self.pp, self.ep)


def spread(s: Scenario) -> tuple[Spread, tuple[Assumed, ...]]:
    """What is said, 1 for the rest; several cards of which nothing is said serve one copy of the model."""
    tp, pp, dp = s.tp, s.pp, s.dp
    noted: list[Assumed] = []
    if tp is pp is dp is None:
        cards = s.gpus or 1
        layerwise = s.engine in LAYERWISE
        tp, pp = (1, cards) if layerwise else (cards, 1)
        if layerwise and s.model is not None and cards > s.model.layers:
            pp = s.model.layers
        if s.gpus is None and (s.gpu is not None or s.gpu_name):
            noted.append(Assumed("gpus", 1, "one-card"))
        elif cards > 1:
            name, value = ("pp", pp) if layerwise else ("tp", tp)
            noted.append(Assumed(name, value, "cards-serve-one-copy"))
    tp, pp, dp = tp or 1, pp or 1, dp or 1
    ep = tp * dp if s.expert_parallel and s.model is not None and s.model.moe is not None else 1
    if s.attention_dp and tp > 1:
        tp, dp, ep = _attending_apart(s, tp, dp)
    found = Spread(tp, pp, dp, ep)
    if s.gpus is not None and found.cards < s.gpus:
        noted.append(Assumed("gpus", found.cards, "cards-idle"))
    return found, tuple(noted)


def _attending_apart(s: Scenario, group: int, dp: int) -> tuple[int, int, int]:
    """Ranks, replicas and holders of experts of data-parallel attention, whose replicas are parts of the tensor
    parallel group (SGLang ``--tp 8 --dp 8``: 8 cards; TensorRT-LLM: a replica on each); a dense model's
    group stays one."""
    replicas = group if s.engine == "tensorrt-llm" else dp
    if s.model is not None and s.model.moe is None:
        return group, 1, 1
    return (group // replicas, replicas, group) if replicas > 1 and group % replicas == 0 else (group, 1, group)


_OLLAMA = "q4_k_m"
"""What Ollama pulls where a tag says no format (ollama.com/library: the default tags of dense chat models)."""


def form(s: Scenario) -> tuple[Format | None, tuple[Assumed, ...]]:
    """The weights' format: said, or the published one of the model; ``None`` where there is no model to ask."""
    if s.weights is not None:
        return s.weights, ()
    if s.model is None:
        return None, ()
    if s.engine == "ollama":
        return precision.find(_OLLAMA), (Assumed("weights", _OLLAMA, "default-tag"),)
    try:
        found = precision.find(s.model.dtype)
    except precision.UnknownFormat:
        return precision.FORMATS["bf16"], (Assumed("weights", "bf16", "format-unknown", s.model.dtype),)
    return found, (Assumed("weights", found.name, "stand-in" if s.stand_in else "published-format", s.model.source),)


@lru_cache(maxsize=1024)
def on_card(model: Model, of: Format, parallel: Parallel, exact: int | None) -> Fraction:
    """Bytes of weights on the fullest card of a replica; scaled to a checkpoint's files where their size is known.

    Raises:
        ValueError: an impossible spread.
    """
    size = weights.per_gpu(model, of, parallel)
    if exact is None:
        return size
    whole = weights.by_class(model, of).bytes
    return size * exact / whole if whole else Fraction(exact, parallel.tp * parallel.pp)


def nominal(params: int, of: Format, cards: int) -> Fraction:
    """Bytes of weights on a card where only the number of parameters is known (formula ``weights``)."""
    return result("weights", {"N": params, "p_w": of.linear_bits / 8}) / cards


def in_host(s: Scenario, of: Format, size: Fraction, short: Fraction) -> tuple[Fraction, tuple[Assumed, ...]]:
    """Bytes of a card's weights that stay in host memory.

    Said ones first: experts, so many bytes, or the layers that are not put on the card. Else, with an engine that does
    so by itself, what is short on the card.

    Args:
        s: the scenario; its model is known.
        of: the format of the weights.
        size: of one card's weights.
        short: bytes that the card lacks with all of them on it; zero or less where they fit.
    """
    model = s.model
    assert model is not None
    if s.gpu is not None and _one_memory(s.gpu):
        return Fraction(0), ()  # what does not fit has no other place to be
    if s.expert_offload and model.moe is not None:
        held = weights.by_class(model, of)
        return size * held.of("expert").bytes / held.bytes, ()
    if s.cpu_offload is not None:
        return min(max(s.cpu_offload, Fraction(0)), size), ()
    if s.gpu_layers is not None:
        return size * _in_host_by_layers(model, of, s.gpu_layers), ()
    by_itself = s.engine in OFFLOADING and _fits_itself(s)
    if short > 0 and (by_itself or serves_beyond(s)):
        host = min(short, size)
        why = "engine-offloads" if by_itself else "serves-beyond-the-card"
        return host, (Assumed("cpu_offload", Amount(host, "GB"), why, s.engine_name or str(s.engine)),)
    return Fraction(0), ()


def _in_host_by_layers(model: Model, of: Format, layers: int) -> Fraction:
    """Share of the weights that stays in host memory with so many layers on the card: the others, the table of
    embeddings, and the head, which llama.cpp counts as the last layer."""
    if not 0 <= layers <= model.layers:
        return Fraction(0)  # all of it, or a figure that means so
    held = weights.by_class(model, of)
    inside = held.bytes - held.of("embedding").bytes - held.of("head").bytes
    return 1 - inside * layers / model.layers / held.bytes


def looked_up(model: Model, of: Format) -> Fraction:
    """Bytes of a model's table of embeddings; none of a table that is the head too, for that is read."""
    return Fraction(0) if model.tied else weights.by_class(model, of).of("embedding").bytes


def cells_here(s: Scenario) -> Fraction:
    """Share of a window's cells that lie on the card: a layer's cache is where the layer is (llama.cpp), or in host
    memory where a flag says so."""
    if any(name.strip("-").replace("-", "_") in _CACHE_IN_HOST for name in s.flags):
        return Fraction(0)
    if s.gpu_layers is None or s.model is None or s.engine not in OFFLOADING:
        return Fraction(1)
    return Fraction(min(max(s.gpu_layers, 0), s.model.layers), s.model.layers)


_CACHE_IN_HOST = ("no_kv_offload", "nkvo")


def offloads(s: Scenario) -> bool:
    """Whether a flag, the engine itself or a sentence says that weights lie in host memory. Without any of them weights
    beyond a card that serves are a contradiction, and no reason to invent such a place."""
    flags = bool(s.cpu_offload) or bool(s.expert_offload) or s.gpu_layers is not None
    named = any("offload" in name.lower() for name in s.flags)
    said = s.has("offload-slow", "copies-to-device", "layers-left-on-cpu")
    return flags or named or said or s.engine in LAYERWISE


def serves_beyond(s: Scenario) -> bool:
    """Whether weights of a said format are served, and are said to lie partly in host memory: all that the cards do
    not hold is there."""
    serves = s.tpot or s.throughput or s.running or s.has("offload-slow", "copies-to-device", "slow-decode")
    return s.weights is not None and not s.stand_in and bool(serves) and offloads(s)


def _one_memory(gpu: Gpu) -> bool:
    """Whether processor and card share one memory, so that there is none beside it."""
    link = links.to_host(gpu)
    return gpu.vendor == "Apple" or (link is not None and link.kind == "unified")


def _fits_itself(s: Scenario) -> bool:
    """Whether this version does so: llama.cpp's versions of before are dates."""
    dated = s.engine == "llama.cpp" and s.version is not None and s.version[:2] == "20" and "-" in s.version
    return not dated or str(s.version) >= _FIT_SINCE
