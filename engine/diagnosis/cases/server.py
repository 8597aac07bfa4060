"""What decides the memory of a card, every gap filled, and what all servers' ledgers are made of."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from engine.catalog import Gpu, Model
from engine.diagnosis.model import Entry
from engine.memory import formula, kv_bytes, kv_bytes_per_token, state_bytes
from engine.parallel import ONE, Parallel
from engine.pool import Line

Kind = Literal["vllm", "sglang", "of-free", "cells", "reserve", "grows"]
"""How a server takes memory: vLLM's pool; a pool that is a share of the card with the weights (SGLang), or of what is
free after them (TensorRT-LLM, TGI, lmdeploy); cells for a fixed window, taken at the start (llama.cpp, exllama); whole
slots a request; or a cache that grows with its requests (transformers, and servers that we do not know)."""


class Server(NamedTuple):
    """What decides the memory of a card; hashable, so that equal questions are computed once.

    Attributes:
        kind: how it takes memory.
        model, gpu: what is served, and on what.
        card: the card's memory.
        weights: on this card, those in host memory left out.
        parallel: how the model is spread.
        p: bytes of a number of the KV cache.
        asked: requests at once on one replica; ``None`` where not said.
        request: tokens of one request, prompt and output; ``None`` where not said.
        prompt: tokens that one prefill pass computes at most.
        version: of the engine.
        share: of the card, or of what is free; ``None`` for vLLM's default.
        max_len, tokens, seqs, block_size, eager: as in :class:`engine.vllm.Settings`.
        pool: bytes of the KV pool where they were set or logged.
        pool_tokens: its tokens, likewise.
        cells: KV cells for all slots (llama.cpp); ``None`` for the trained window, or as much of it as fits.
        slots: slots that share them.
        unified: whether they share them as one pool.
        reserve: slots of tokens kept for each request.
        blocks: whether a cache that grows does so in blocks.
        cells_here: share of the cells of a window that lie on the card; others are in host memory with their layers.
        refused: bytes of a cache that the card did not have; what it has for one is less.
        logged: lines that a log printed, in the place of computed ones.
    """

    kind: Kind
    model: Model
    gpu: Gpu
    card: Line
    weights: Line
    parallel: Parallel = ONE
    p: Fraction = Fraction(2)
    asked: int | None = None
    request: int | None = None
    prompt: int | None = None
    version: str | None = None
    share: Fraction | None = None
    max_len: int | None = None
    tokens: int | None = None
    seqs: int | None = None
    block_size: int = 16
    eager: bool = False
    pool: Line | None = None
    pool_tokens: int | None = None
    cells: int | None = None
    slots: int = 1
    unified: bool = True
    reserve: int | None = None
    blocks: bool = False
    cells_here: Fraction = Fraction(1)
    refused: Fraction | None = None
    logged: tuple[Line, ...] = ()


@lru_cache(maxsize=1024)
def request_bytes(model: Model, tokens: int, p: Fraction, parallel: Parallel) -> Fraction:
    """Bytes on one card of a request of so many tokens: its cache, and its state where a model has one."""
    tp, pp = parallel.tp, parallel.pp
    return kv_bytes(model, tokens, p, tp=tp, pp=pp) + state_bytes(model, tp=tp, pp=pp)


@lru_cache(maxsize=1024)
def token_bytes(model: Model, p: Fraction, parallel: Parallel) -> Fraction:
    """Bytes of one token of the cache on one card."""
    return kv_bytes_per_token(model, p, parallel.tp, parallel.pp)


def asked_bytes(server: Server) -> Entry | None:
    """What the cache really holds when every asked request has all its tokens; ``None`` where either is not said.

    It stands beside the pool: a pool is taken whether it is used or not.
    """
    if server.asked is None or not server.request:
        return None
    size = server.asked * request_bytes(server.model, server.request, server.p, server.parallel)
    return Entry("kv-asked", size, size, size, "computed", "requests x tokens", formula(server.model))


# --- entries ---------------------------------------------------------------------------------------------------------


def entry(line: Line) -> Entry:
    """A line of the pool's account as an entry of the ledger."""
    formula = "kv_pool" if line.name == "kv-pool" and line.origin == "computed" else ""
    return Entry(line.name, line.bytes, line.low, line.high, line.origin, line.source, formula)


def closed(card: Line, taken: Sequence[Entry], spread: tuple[Fraction, Fraction] | None = None) -> tuple[Entry, ...]:
    """Entries with what is left of the card behind them, below zero where they take more than there is.

    ``spread`` is that of the rest where it is narrower than all entries' together: a pool that takes what its lines
    leave grows when they shrink.
    """
    size = card.bytes - sum(one.bytes for one in taken)
    low, high = spread or (card.low - sum(one.high for one in taken), card.high - sum(one.low for one in taken))
    return (*taken, Entry("free", size, min(size, low), max(size, high), "computed", "", "headroom"))
