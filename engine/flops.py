"""The work of one step: floating-point operations of the matrices and of attention, and the KV cache it moves.

A step is a list of :class:`Piece`: decode is many sequences with one new token each, prefill one sequence with many,
a chunked step both. Conventions (calculators.md section 4.6): 2 FLOPs a weight and token; the input embedding is a
lookup and costs none; the output head is computed for the tokens whose next one is wanted; attention is counted
causally, each token against those before it and itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine.catalog import Model, NoValues
from engine.formulas import registry
from engine.formulas.registry import Value, result
from engine.memory import Bytes, index_bytes, index_symbols, kv_bytes, state_bytes


class Piece(NamedTuple):
    """``requests`` sequences that compute ``queries`` new tokens each after ``context`` tokens already in the cache.

    ``logits`` is how many of the new tokens of a sequence need the output head: one, since only the last predicts; 0
    for a chunk of a prompt that is not its last.
    """

    requests: int
    queries: int
    context: int
    logits: int = 1

    @property
    def tokens(self) -> int:
        """New tokens in all."""
        return self.requests * self.queries


def decode(batch: int, context: int) -> Piece:
    """One decode step: every sequence reads ``context`` tokens (the new one among them) and makes one.

    Raises ``ValueError`` for an empty batch or a context under 1.
    """
    return _checked(Piece(batch, 1, context - 1))


def prefill(prompt: int, requests: int = 1, cached: int = 0, last: bool = True) -> Piece:
    """``prompt`` new tokens of each of ``requests`` sequences, behind ``cached`` ones (a shared prefix, an earlier
    chunk); ``last`` says whether the prompt ends here. Raises ``ValueError`` for nothing to compute.
    """
    return _checked(Piece(requests, prompt, cached, 1 if last else 0))


def _checked(piece: Piece) -> Piece:
    if piece.requests < 1 or piece.queries < 1 or piece.context < 0:
        raise ValueError("a step needs at least one request and one token")
    return piece


class Flops(NamedTuple):
    """FLOPs of a step: matrices of the layers, attention, the output head."""

    matrices: Fraction
    attention: Fraction
    head: Fraction

    @property
    def linear(self) -> Fraction:
        """All that are matrix products with weights."""
        return self.matrices + self.head

    @property
    def total(self) -> Fraction:
        """All of them."""
        return self.matrices + self.attention + self.head


def step_flops(model: Model, pieces: Sequence[Piece]) -> Flops:
    """FLOPs of a step of the whole model; divide by the cards that share it.

    A token of a mixture of experts goes through its active ones only. Windowed layers see at most their window. Latent
    attention (MLA) computes decode on the latent vector itself and prefill on full keys and values, as engines do.
    Not counted: norms, activations, rotary positions, the scan of linear-attention layers (their matrices are), and
    attention of layers that reuse another layer's cache. Together they are a few percent. Sparse attention
    (DeepSeek-V3.2, GLM-5) scores every token by its index key and sees the picked ones alone, on the latent vector in
    prefill too (vLLM's sparse backends). Chunked attention (Llama 4) is counted as windowed: an upper bound.

    Raises:
        NoValues: the active parameters are not known, or the model cannot be sized.
    """
    if model.cannot_size:
        raise NoValues("cannot-size", model.id, model.cannot_size)
    if model.matmul is None:
        raise NoValues("unknown-active", model.id, "")
    body, head = _matrices(model)
    logits = sum(piece.requests * piece.logits for piece in pieces)
    tokens = sum(piece.tokens for piece in pieces)
    return Flops(
        result("matmul_flops", {"N": body, "T": tokens}),
        sum((_attention(model, piece) for piece in pieces), Fraction(0)),
        result("matmul_flops", {"N": head, "T": logits}),
    )


@lru_cache(maxsize=256)
def _matrices(model: Model) -> tuple[Fraction, Fraction]:
    """Parameters in matrices: those of the layers that one token uses, and the output head's."""
    head = result("matrix_weights", {"d_in": model.d_model, "d_out": model.vocab})
    return (model.matmul or 0) - head, head


def _attention(model: Model, piece: Piece) -> Fraction:
    picked = picks(model)
    key, value = _widths(model, piece.queries == 1 or picked is not None)
    shape: dict[str, Value] = {"n_head": model.heads, "d_key": key, "d_value": value}
    found = _index_flops(model, piece)
    for layers, window in ((model.full_layers, picked), (model.sliding_layers, model.window)):
        if layers:
            seen = pairs(piece.queries, piece.context, window)
            found += result("attention_flops", {**shape, "pairs": seen, "L": layers})
    return piece.requests * found


def picks(model: Model) -> int | None:
    """The most tokens that a query of sparse attention sees; ``None`` where it sees all, or where no one said."""
    return model.mla.index_topk if model.mla is not None and model.mla.index_key else None


def _index_flops(model: Model, piece: Piece) -> Fraction:
    """Scores of one sequence's index keys: a product with a key for each head, and no value behind it."""
    index = index_symbols(model)
    if model.mla is None or not index:
        return Fraction(0)
    seen = pairs(piece.queries, piece.context) / model.mla.index_pool
    shape: dict[str, Value] = {"n_head": model.mla.index_heads, "d_key": model.mla.index_key, "d_value": 0}
    return result("attention_flops", {**shape, "pairs": seen, "L": index["L_index"]})


def _widths(model: Model, absorbed: bool) -> tuple[int, int]:
    """Numbers of a head's key and value that one pair multiplies."""
    if model.mla is None:
        return model.head_dim, model.head_dim
    if absorbed:
        return model.mla.latent + model.mla.rope, model.mla.latent
    return model.mla.nope + model.mla.rope, model.mla.value


def pairs(queries: int, context: int, window: int | None = None) -> Fraction:
    """Pairs of a query and a key that causal attention computes for ``queries`` tokens after ``context`` others.

    ``window``: the most tokens that one sees, itself among them (formula ``causal_pairs``, cut there).
    """
    if window is None:
        return result("causal_pairs", {"q_tokens": queries, "context": context})
    growing = max(0, min(queries, window - context))
    grown = result("causal_pairs", {"q_tokens": growing, "context": context}) if growing else Fraction(0)
    return grown + (queries - growing) * window


def kv_traffic(model: Model, pieces: Sequence[Piece], p: Bytes = 2, tp: int = 1) -> Fraction:
    """Bytes of cache that a step moves on one of ``tp`` cards: every cached token is read once, every new one written,
    and the fixed state of linear layers is read and written. Sparse attention reads the index keys of all tokens, and
    itself those that the step's queries pick.

    Attention kernels read a prompt's own keys again for each block of queries, but out of the processor's cache. States
    are not counted where the catalogue does not know their size.

    Raises:
        NoValues: as :func:`engine.memory.kv_bytes`.
    """
    moved = Fraction(0)
    for piece in pieces:
        held, picked = piece.context + piece.queries, picks(model)
        read = held if picked is None else min(held, piece.queries * picked)
        moved += kv_bytes(model, read, p, piece.requests, tp) + index_bytes(model, held - read, piece.requests)
        if model.hybrid is not None and model.hybrid.state is not None and model.hybrid.conv is not None:
            moved += 2 * state_bytes(model, piece.requests, tp=tp)
    return moved


# --- single operators ------------------------------------------------------------------------------------------------


class Operator(NamedTuple):
    """One operator: what it computes and what it moves between memory and processor."""

    flops: Fraction
    bytes_moved: Fraction

    @property
    def intensity(self) -> Fraction:
        """FLOPs a byte (formula ``arithmetic_intensity``)."""
        return result("arithmetic_intensity", {"flops": self.flops, "bytes_moved": self.bytes_moved})


def matrix(d_in: int, d_out: int, tokens: int, p_w: Value = 2, p_act: Value = 2) -> Operator:
    """One matrix product: weights are read once, activations read and written (LLM-Viewer, arXiv 2402.16363).

    ``p_w`` and ``p_act`` are bytes per weight and per activation, group metadata included where there is any.
    """
    shape: dict[str, Value] = {"d_in": d_in, "d_out": d_out, "q_tokens": tokens, "p_w": p_w, "p_act": p_act}
    flops = result("matmul_flops", {"N": registry.result("matrix_weights", shape), "T": tokens})
    return Operator(flops, result("matrix_bytes", shape))
