"""The memory of one card under vLLM: what is taken, line by line, and the pool that is left for the KV cache.

Every line has a spread and says where it comes from. Weights and the cache are exact; the peak of activations, what
PyTorch does not manage, and CUDA graphs are fits and observations, replaced by a log wherever there is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from engine import vllm
from engine.catalog import Gpu, Model
from engine.formulas import registry
from engine.groups import Grouping, Room, grouping, longest, room
from engine.parallel import Parallel
from engine.precision import Format
from engine.vllm import GIB, Resolved, Settings, Version
from engine.weights import per_gpu, rope_table

Origin = Literal["given", "config", "log", "measured", "computed", "assumed"]
"""Where a number comes from."""

Name = Literal["card", "weights", "activation", "non-torch", "graphs", "kv-pool", "kv", "free"]


class Line(NamedTuple):
    """One entry of the ledger of a card.

    Attributes:
        name: what it is.
        bytes: the best figure.
        low, high: what it may be.
        origin: where it comes from.
        source: the rule or the observation behind a computed or assumed figure.
        inside: whether it is taken from the share that ``gpu_memory_utilization`` allows.
    """

    name: Name
    bytes: Fraction
    low: Fraction
    high: Fraction
    origin: Origin
    source: str = ""
    inside: bool = True


def exactly(name: Name, size: Fraction | int, origin: Origin, source: str = "") -> Line:
    """A line without a spread."""
    exact = Fraction(size)
    return Line(name, exact, exact, exact, origin, source)


def _gib(name: Name, mid: str, low: str, high: str, source: str) -> Line:
    """An observed line, from texts in GiB."""
    return Line(name, Fraction(mid) * GIB, Fraction(low) * GIB, Fraction(high) * GIB, "assumed", source)


# --- the lines -----------------------------------------------------------------------------------------------------

_VISIBLE = Fraction(985, 1000), Fraction(905, 1000), Fraction(1)
"""What software sees of the GiB that the box counts: middle, least and most of the cards whose logs the catalogue has
(RTX 3090 0.9825, H100 0.990, B300 0.933, B200 1.000). Error correction inside GDDR6 takes the most: a sixteenth, and
the driver's part beside it (L40S 0.925, L4 0.918, T4 0.911)."""


@lru_cache(maxsize=256)
def card(gpu: Gpu) -> Line:
    """The memory of a card as software sees it: from the catalogue where a log showed it, else assumed from the box."""
    if gpu.visible:
        return exactly("card", gpu.visible, "log", gpu.source)
    box = Fraction(gpu.capacity * GIB, 10**9)
    mid, low, high = (box * share for share in _VISIBLE)
    return Line("card", mid, low, high, "assumed", "share of the box's GiB on other cards")


_BAND = Fraction(1, 10)
_MOE = Fraction(GIB, 2)
_FIT = "fit to 14 models under vLLM 0.19 and to vllm#10517 (0.6): mean error 3.8 %, worst 10 %"


def activation(model: Model, tokens: int, seqs: int, sampler: bool = True) -> Line:
    """The peak of temporary tensors in vLLM's profiling run, the larger of two passes.

    One pass is the widest layer over ``tokens`` tokens (``activation_layers``), the other the sampler's warm-up on
    ``seqs`` rows of logits (``activation_logits``), which V1 does on the card that has the head (``sampler``);
    vllm#10517 shows a V0 server without it. The peak changes neither with tensor parallelism nor with max_model_len.
    Both constants are a fit, good to about 10 %. Models with experts get 0.5 GiB more: three were seen 0.37 to 0.48 GiB
    above the rule.
    Image encoders are not in it.
    """
    shape = {"ffn": model.ffn, "d_model": model.d_model, "vocab": model.vocab}
    given = {"batched_tokens": tokens, "max_seqs": seqs, **shape}
    rules = ("activation_layers", "activation_logits") if sampler else ("activation_layers",)
    peak = max(registry.result(rule, given) for rule in rules)
    extra = _MOE if model.moe is not None else Fraction(0)
    return Line(
        "activation", peak + extra, peak * (1 - _BAND), peak * (1 + _BAND) + extra * (1 + _BAND), "assumed", _FIT
    )


_STUDY = "llm-d-planner, 50 runs of vLLM 0.19 on H100"


def non_torch(parallel: Parallel) -> Line:
    """What PyTorch does not manage: the CUDA context, and the buffers of NCCL and of the all-reduce between cards."""
    if parallel.tp >= 4:
        return _gib("non-torch", "2.13", "1.9", "2.4", _STUDY)
    if parallel.tp > 1:
        return _gib("non-torch", "2.07", "1.9", "2.4", _STUDY)
    if parallel.pp > 1:
        return _gib("non-torch", "0.07", "0.05", "0.35", _STUDY)
    return _gib("non-torch", "0.25", "0.16", "0.35", f"{_STUDY}; vllm#10517 and PR#14447 (0.20 to 0.35)")


def graphs(version: Version, eager: bool = False) -> Line:
    """CUDA graphs: about 1 GiB, inside the utilization from 0.21 on, beside it before. Estimates by vLLM itself were
    far off at times (vllm#45178, PR#51590)."""
    if eager:
        return exactly("graphs", 0, "given")._replace(inside=version >= vllm.GRAPHS)
    return _gib("graphs", "1.03", "0.5", "1.85", _STUDY)._replace(inside=version >= vllm.GRAPHS)


def weights(model: Model, form: Format | str, parallel: Parallel, max_len: int | None = None) -> Line:
    """Weights on the fullest card, with the rope table that vLLM keeps beside them.

    Raises:
        UnknownFormat: no format has this name.
    """
    size = per_gpu(model, form, parallel) + rope_table(model, max(max_len or 0, model.context))
    return exactly("weights", size, "computed", "tensor by tensor")


# --- the pool ------------------------------------------------------------------------------------------------------


class Pool(NamedTuple):
    """One card's memory.

    Attributes:
        settings: the settings that it was computed for, defaults filled in.
        card: all of it.
        lines: what is taken before the cache.
        budget: what is left for the cache; its spread is that of the lines.
        layers: how the model's layers share the pool.
        room: what fits.
        need: blocks of one request of ``max_len``.
    """

    settings: Resolved
    card: Line
    lines: tuple[Line, ...]
    budget: Line
    layers: Grouping
    room: Room
    need: int

    @property
    def starts(self) -> bool:
        """Whether vLLM starts: one request of ``max_len`` must fit."""
        return 0 < self.need <= self.room.blocks

    @property
    def free(self) -> Line:
        """What the utilization leaves alone, less what is taken beside it: nothing of the server's may use it, other
        programs and graphs of older versions do. Below zero where graphs do not fit there."""
        share = 1 - self.settings.utilization
        beside = [line for line in self.lines if not line.inside]
        mid = self.card.bytes * share - sum(line.bytes for line in beside)
        low = self.card.low * share - sum(line.high for line in beside)
        high = self.card.high * share - sum(line.low for line in beside)
        return Line("free", mid, low, high, "computed")

    @property
    def longest(self) -> int:
        """Tokens of the longest request that fits alone: the estimate of vLLM's error text."""
        return longest(self.room.blocks, self.layers, self.settings.tokens)

    def line(self, name: Name) -> Line:
        """A line by its name."""
        return next(line for line in (self.card, *self.lines, self.budget) if line.name == name)


def pool(
    model: Model,
    of: Line,
    form: Format | str,
    asked: Settings = vllm.DEFAULT,
    known: Mapping[str, Line] | None = None,
    name: str = "",
) -> Pool:
    """The ledger of one card and its KV pool.

    Args:
        model: what is served.
        of: the card's memory, :func:`card` or a line of one's own.
        form: format of the weights, or its name.
        asked: what the server was started with.
        known: lines that need no computing, by name: from a log or given ("kv-pool" too).
        name: of the card, where vLLM's defaults depend on it (A100).

    Raises:
        NoValues: no one figure of KV bytes would be right for this model.
        UnknownFormat: no format has this name.
    """
    known = known or {}
    spread = asked.parallel
    spread.check(model)
    settings = vllm.resolve(asked, model, of.bytes, name)
    lines = tuple(
        known[line.name]._replace(inside=line.inside) if line.name in known else line
        for line in (
            known.get("weights") or weights(model, form, spread, settings.max_len),
            activation(model, settings.tokens, settings.seqs, spread.pp == 1 and settings.version >= vllm.V1),
            non_torch(spread),
            graphs(settings.version, asked.eager),
        )
    )
    budget = known.get("kv-pool") or left(of, lines, settings.utilization)
    layers = grouping(
        model, asked.p, asked.block_size, spread.tp, spread.pp, asked.p_state, settings.version >= vllm.GROUPS
    )
    redefined = settings.version >= vllm.GRAPHS
    fits = room(budget.bytes, layers, settings.max_len, settings.tokens, redefined)
    return Pool(settings, of, lines, budget, layers, fits, layers.need(settings.max_len, settings.tokens))


def left(of: Line, lines: tuple[Line, ...], share: Fraction) -> Line:
    """What the lines leave of the share of a card (formulas ``kv_pool`` and ``held_back``), with the worst and the best
    of their spreads. Below zero where they take more than there is."""
    mid = _left(of.bytes, {line.name: line.bytes for line in lines if line.inside}, share)
    low = _left(of.low, {line.name: line.high for line in lines if line.inside}, share)
    high = _left(of.high, {line.name: line.low for line in lines if line.inside}, share)
    return Line("kv-pool", mid, low, high, "computed", "kv_pool")


def _left(capacity: Fraction, taken: Mapping[str, Fraction], share: Fraction) -> Fraction:
    none = Fraction(0)
    given = {
        "activation": taken.get("activation", none), "non_torch": taken.get("non-torch", none),
        "graphs": taken.get("graphs", none),
    }  # fmt: skip
    reserve = registry.result("held_back", given)
    known = {"capacity": capacity, "fraction": share, "reserve": reserve}
    return registry.result("kv_pool", known, {"weights": taken.get("weights", none)})
