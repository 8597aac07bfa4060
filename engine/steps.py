"""Steps of a model on cards: what :mod:`engine.roofline` needs, taken from the model, the format and the card.

A setup is what stays the same while batch, context and prompt vary. Nothing here is a number of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine import flops, links, precision, roofline, weights
from engine.catalog import Gpu, Model
from engine.efficiency import Efficiency, Reached, Stack, llama_unit, measured, of_card
from engine.flops import Piece
from engine.formulas.registry import Value
from engine.memory import Bytes
from engine.parallel import Parallel
from engine.precision import Format, Unit
from engine.roofline import Step


class Setup(NamedTuple):
    """A model served on cards.

    Attributes:
        model, gpu: of the catalogue, or made from a config and a data sheet.
        form: weight format.
        p: bytes per number of the KV cache, scales in (:func:`engine.memory.number_bytes`).
        tp, pp: cards that share every layer, and stages of layers.
        link: kind of link between the cards; ``None`` for the fastest that the card can have.
        stack: llama.cpp and its like, or a serving engine.
        graphs: whether decode replays CUDA graphs.
        host_weights: bytes of each card's weights that stay in host memory.
        on_processor: whether the processor computes with those, out of its own memory, and they cross no link.
        reached: efficiencies that hold whatever the format; ``None`` for those of the card's group.
        seen: what a probe measured on this card, in place of the group's bands.
        ep: cards that hold different experts whole, and serve the tokens of as many replicas as they are; 1 where
            tensor parallelism cuts each expert.
    """

    model: Model
    gpu: Gpu
    form: Format
    p: Bytes = 2
    tp: int = 1
    pp: int = 1
    link: links.Kind | None = None
    stack: Stack = "serving"
    graphs: bool = True
    host_weights: Value = 0
    on_processor: bool = False
    reached: Efficiency | None = None
    ep: int = 1
    seen: Reached | None = None

    @property
    def unit(self) -> Unit:
        """What the matrices are multiplied in on this card."""
        if self.stack == "llama.cpp":
            return llama_unit(self.gpu, self.form.linear_bits)
        return precision.matmul(self.form, self.gpu).unit

    @property
    def efficiency(self) -> Efficiency:
        """What its steps reach."""
        if self.reached is not None:
            return self.reached
        usual = of_card(self.gpu, self.form.linear_bits, self.unit, self.stack, self.graphs)
        if self.seen is None:
            return usual
        same16 = of_card(self.gpu, 16, "16-bit", self.stack, self.graphs)
        seen = self.seen._replace(math=()) if self.stack == "llama.cpp" else self.seen
        return measured(usual, same16, seen, self.unit, self.form.linear_bits, self.graphs)


def demand(setup: Setup, pieces: Sequence[Piece]) -> roofline.Demand:
    """What a step asks of each of the cards.

    Of a pipeline it is the way of one token through all stages, one after the other; each stage needs about its share
    of it, and several batches on their way at once fill the stages (formula ``pipeline_bubble``).

    Raises:
        NoValues: the model cannot be sized.
        ValueError: less than one card, or more stages than layers.
    """
    model = setup.model
    spread = Parallel(tp=setup.tp, pp=setup.pp)
    spread.check(model)
    tokens = sum(piece.tokens for piece in pieces)
    on_card = _on_card(model, setup.form, setup.tp, setup.ep)
    read = _read(model, setup.form, setup.tp, setup.ep, tokens)
    from_host = Fraction(0)
    if setup.host_weights:
        from_host = read * min(Fraction(1), Fraction(setup.host_weights) / on_card)
        read -= from_host
    return roofline.demand(
        model, pieces, read, _moved(model, tuple(pieces), setup.p, setup.tp),
        cards=setup.tp, link=_crossing(model, tokens, setup.tp, setup.pp, setup.ep), host_bytes=from_host,
    )  # fmt: skip


# Parts of a demand, each by what decides it: setups that are compared differ in one of these things and share the rest.


@lru_cache(maxsize=256)
def _on_card(model: Model, form: Format, tp: int, ep: int) -> Fraction:
    """Bytes of weights on one card of a tensor-parallel group."""
    return weights.per_gpu(model, form, Parallel(tp=tp, ep=ep))


@lru_cache(maxsize=1024)
def _read(model: Model, form: Format, tp: int, ep: int, tokens: int) -> Fraction:
    """Bytes of them that a step over so many tokens reads. Experts that are spread whole see the tokens of all the
    replicas that share them."""
    held, on_card = weights.by_class(model, form), _on_card(model, form, tp, ep)
    if ep == 1:
        return held.active_bytes(tokens) * on_card / held.bytes
    experts = held.of("expert").bytes
    always, all_of = held.active_bytes(0), held.active_bytes(tokens * max(1, ep // tp))
    touched = all_of - always  # what grows with tokens: experts, and a row of the embedding each
    return always * (on_card - experts / ep) / (held.bytes - experts) + touched / ep


@lru_cache(maxsize=1024)
def _crossing(model: Model, tokens: int, tp: int, pp: int, ep: int) -> links.Crossing:
    """What it sends to other cards."""
    if ep > tp and model.moe is not None:
        routed = links.experts(model.layers - model.moe.dense_layers, model.d_model, tokens, model.moe.active or 1, ep)
    else:
        routed = links.Crossing(Fraction(0), 0)
    inside = links.tensor_parallel(model.layers, model.d_model, tokens, tp)
    across = links.pipeline(model.d_model, tokens, pp)
    sent = inside.bytes_sent + across.bytes_sent + routed.bytes_sent
    return links.Crossing(sent, inside.hops + across.hops + routed.hops)


@lru_cache(maxsize=1024, typed=True)  # typed: a float means its decimal digits, an equal fraction itself
def _moved(model: Model, pieces: tuple[Piece, ...], p: Bytes, tp: int) -> Fraction:
    """Bytes of cache that one card moves in a step."""
    return flops.kv_traffic(model, pieces, p, tp)


def step(setup: Setup, pieces: Sequence[Piece]) -> Step:
    """The time of one step.

    Raises:
        NoValues: the model cannot be sized.
        ValueError: as :func:`demand`, or the catalogue knows no link for what must cross one.
    """
    return roofline.step(demand(setup, pieces), ceilings(setup), setup.efficiency)


def usual_seconds(setup: Setup, pieces: Sequence[Piece]) -> Fraction:
    """The usual time of :func:`step` alone, for comparisons. Raises as it does."""
    return roofline.times(demand(setup, pieces), ceilings(setup), setup.efficiency).total


def ceilings(setup: Setup) -> roofline.Ceilings:
    """The data sheet that a setup's steps meet: one card's, and its links."""
    found = _ceilings(setup.gpu, setup.unit, max(setup.tp * setup.pp, setup.ep), setup.link)
    return found._replace(host=links.HOST_MEMORY) if setup.on_processor else found


@lru_cache(maxsize=256)
def _ceilings(gpu: Gpu, unit: Unit, cards: int, kind: links.Kind | None) -> roofline.Ceilings:
    return roofline.ceilings(gpu, unit, links.between(gpu, cards, kind), links.to_host(gpu))


def decode(setup: Setup, batch: int, context: int) -> Step:
    """One decode step of ``batch`` sequences that hold ``context`` tokens each. Raises as :func:`step`."""
    return step(setup, (flops.decode(batch, context),))


def prefill(setup: Setup, prompt: int, requests: int = 1, cached: int = 0) -> Step:
    """The prefill of prompts in one step, ``cached`` tokens of each already there. Raises as :func:`step`."""
    return step(setup, (flops.prefill(prompt, requests, cached),))


def chunked_prefill(setup: Setup, prompt: int, chunk: int, beside: Piece | None = None) -> tuple[Step, ...]:
    """The steps of one prompt in chunks of at most ``chunk`` tokens, each beside ``beside`` (the decoding sequences).

    Every chunk reads the weights and the prompt so far again: small chunks cost more in all, and delay others less.

    Raises:
        ValueError: a chunk of no tokens; else as :func:`step`.
    """
    if chunk < 1:
        raise ValueError("a chunk needs at least one token")
    found = []
    for done in range(0, prompt, chunk):
        now = min(chunk, prompt - done)
        piece = flops.prefill(now, cached=done, last=done + now == prompt)
        found.append(step(setup, (piece,) if beside is None else (piece, beside)))
    return tuple(found)


def decode_seconds(setup: Setup, context: int) -> Callable[[int], Fraction]:
    """Seconds of a decode step by batch, for :func:`engine.serving.steady`."""
    card, reached = ceilings(setup), setup.efficiency

    def usual(batch: int) -> Fraction:
        return roofline.times(demand(setup, (flops.decode(batch, context),)), card, reached).total

    return usual
