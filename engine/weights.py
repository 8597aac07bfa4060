"""Weights: parameters and bytes by class of tensor, what a step reads of them, and what one GPU of several holds.

Never parameters times bits: embeddings, head, norms, biases and routers stay at 16 bits in most formats, scales and
zero-points come on top, and a log's figure holds the rope table too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

from engine import precision
from engine.catalog import Model
from engine.catalog.families import family
from engine.experts import touched
from engine.formulas import registry
from engine.formulas.registry import Value
from engine.parallel import Parallel, kv_heads, stage_layers
from engine.precision import F16, Format, Kind, Layout
from engine.tensors import Tensor, is_exact, tensors


class Part(NamedTuple):
    """One class of tensors.

    Attributes:
        kind: the class.
        params, active: numbers in it, and those that one token goes through.
        bytes: what they take.
    """

    kind: Kind
    params: int
    active: int
    bytes: Fraction


@dataclass(frozen=True)
class Weights:
    """The weights of a model in a format.

    Attributes:
        parts: by class, in the order of :data:`engine.precision.KINDS`, classes that the model lacks left out.
        exact: whether every parameter has a name, so that no class holds a lump of another's.
    """

    model: Model
    format: Format
    parts: tuple[Part, ...]
    exact: bool

    @cached_property
    def bytes(self) -> Fraction:
        """All of them, as a checkpoint holds them."""
        return sum((part.bytes for part in self.parts), Fraction(0))

    @property
    def params(self) -> int:
        """Every parameter."""
        return sum(part.params for part in self.parts)

    @property
    def active(self) -> int:
        """Parameters that one token goes through, the whole embedding counted (as model cards mostly do)."""
        return sum(part.active for part in self.parts)

    @property
    def non_embedding(self) -> int:
        """Parameters without the embedding table, and without the head where that is a table of its own."""
        return self.params - self.of("embedding").params - self.of("head").params

    @property
    def matmul(self) -> int:
        """Parameters that one token multiplies: active ones without the looked-up embedding. Twice this is its FLOPs.

        A tied embedding is counted once, since it is multiplied as the head.
        """
        return self.active - (0 if self.model.tied else self.of("embedding").active)

    @cached_property
    def _always(self) -> Fraction:
        """Bytes that a step reads whatever its tokens are."""
        embedding = Fraction(0) if self.model.tied else self.of("embedding").bytes
        return self.bytes - self.of("expert").bytes - embedding

    def of(self, kind: Kind) -> Part:
        """One class; an empty one where the model has none."""
        found = self._by_kind.get(kind)
        return Part(kind, 0, 0, Fraction(0)) if found is None else found

    @cached_property
    def _by_kind(self) -> dict[Kind, Part]:
        return {part.kind: part for part in self.parts}

    def active_bytes(self, tokens: int = 1) -> Fraction:
        """Bytes that one step over ``tokens`` tokens reads: all but the embedding, of which it looks up a row a token,
        and of the experts those that any token was sent to (the formula ``experts_touched``)."""
        read = self._always
        if not self.model.tied:
            read += self.of("embedding").bytes * min(Fraction(tokens, self.model.vocab), Fraction(1))
        moe = self.model.moe
        if moe is not None:  # all of them where the catalogue does not know how many a token takes
            read += self.of("expert").bytes * touched(moe.experts, moe.active or moe.experts, tokens) / moe.experts
        return read


@lru_cache(maxsize=64)
def by_class(model: Model, form: Format | str) -> Weights:
    """The weights of a model in a format, or in the format of a name.

    Raises:
        UnknownFormat: no format has this name.
    """
    form = precision.find(form) if isinstance(form, str) else form
    sums: dict[Kind, list[Fraction]] = {}
    for one in tensors(model):
        entry = sums.setdefault(one.kind, [Fraction(0)] * 3)
        entry[0] += one.params
        entry[1] += one.active
        entry[2] += tensor_bytes(one, model, form)
    parts = tuple(Part(k, int(sums[k][0]), int(sums[k][1]), sums[k][2]) for k in precision.KINDS if k in sums)
    return Weights(model, form, parts, is_exact(model))


def tensor_bytes(one: Tensor, model: Model, form: Format) -> Fraction:
    """Bytes of all tensors of one entry in a format."""
    layout = form.layout(one.kind)
    if model.tied and one.name == "embedding" and layout is not F16:
        layout = form.layout("head") if form.layout("head") is not F16 else layout
    if form.better is not None and one.name in ("v", "down"):
        better = _better_layers(one.copies)
        return better * form.better.bytes(one.rows, one.columns) + (one.copies - better) * _packed(one, layout)
    return one.copies * _packed(one, layout)


def _packed(one: Tensor, layout: Layout) -> Fraction:
    if one.columns == 1:  # vectors have no groups; a lump has no shape
        given: dict[str, Value] = {"b": layout.bits, "meta_bits": layout.meta_bits, "group": layout.group or 4096}
        wide = registry.result("effective_bytes", given) if one.kind == "other" else Fraction(layout.bits, 8)
        return one.rows * (wide if one.kind == "other" else max(wide, Fraction(2)))
    return layout.bytes(one.rows, one.columns)


def _better_layers(count: int) -> int:
    """How many of so many layers K-quants give the better layout: llama.cpp, ``use_more_bits``: the first and last
    eighth, and every third between."""
    return sum(i < count // 8 or i >= 7 * count // 8 or (i - count // 8) % 3 == 2 for i in range(count))


# --- what a GPU holds ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)  # asked for with every ledger, and no load changes it
def rope_table(model: Model, positions: int | None = None) -> Fraction:
    """Bytes of the table of sines and cosines that vLLM keeps: a row a position, as wide as the rotated part of a head.

    It is in the "model weights" of a start-up log and on every GPU in whole. 0 for learned positions; models with
    rotary embeddings on part of a head have less.
    """
    if family(model.family).positions is not None or model.family in ("bloom", "mpt"):
        return Fraction(0)
    width = model.mla.rope if model.mla else model.head_dim
    given = {"positions": positions or model.context, "d_head": width, "p_w": 2}
    return registry.result("rope_table", given)


@lru_cache(maxsize=512)
def per_gpu(model: Model, form: Format | str, parallel: Parallel) -> Fraction:
    """Bytes of weights on the fullest GPU, the rope table left out.

    Small vectors, routers and latent projections are on every card of a tensor-parallel group; K and V heads are
    copied once cards outnumber them. Of pipeline stages the fullest counts: the first has the embedding, the last the
    head (and a copy of a tied embedding).

    Raises:
        UnknownFormat: no format has this name.
        ValueError: less than one card, or more stages than layers.
    """
    parallel.check(model)
    form = precision.find(form) if isinstance(form, str) else form
    return max(_stages(model, form, parallel))


def _stages(model: Model, form: Format, parallel: Parallel) -> Iterator[Fraction]:
    layers = Fraction(0)
    ends = {"first": Fraction(0), "last": Fraction(0)}
    for one in tensors(model):
        share = tensor_bytes(one, model, form) * _share(one, model, parallel)
        if one.place == "layers":
            layers += share
        else:
            ends[one.place] += share
        if one.name == "embedding" and model.tied and parallel.pp > 1:
            ends["last"] += share
    for stage, count in enumerate(stage_layers(model.layers, parallel.pp)):
        own = layers * count / model.layers
        own += ends["first"] if stage == 0 else 0
        own += ends["last"] if stage == parallel.pp - 1 else 0
        yield own


def _share(one: Tensor, model: Model, parallel: Parallel) -> Fraction:
    """What one GPU of a group holds of a tensor."""
    tp = parallel.tp
    match one.split:
        case "whole":
            return Fraction(1)
        case "kv":
            return kv_heads(model, tp) / model.kv_heads
        case "experts" if parallel.ep > 1:
            assert model.moe is not None
            return registry.result("per_card", {"whole": model.moe.experts, "cards": parallel.ep}) / model.moe.experts
        case _:
            return Fraction(1, tp)
