"""The memory of one card under each family of servers: what is taken, what the KV cache gets, and what fits into it.

vLLM's own account is :mod:`engine.pool`. The others share one shape: lines that are taken, a pool that is a share of
the card or of what is left of it, and the rest. A figure that no log gave has a spread and says where it comes from.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from engine import pool as paging
from engine import vllm
from engine.catalog import Model
from engine.diagnosis.cases.server import Server, asked_bytes, closed, entry, request_bytes, token_bytes
from engine.diagnosis.model import Entry, Ledger
from engine.formulas.registry import Value, result
from engine.memory import formula
from engine.parallel import ONE, fullest_stage
from engine.pool import Line, Pool
from engine.reservation import Reservation, reserve

_ZERO = Fraction(0)
_CELLS = 256
"""llama.cpp rounds the cells of a slot up to this."""
SMALLEST_FIT = 4096
"""Cells that llama.cpp's ``--fit`` leaves at least (``--fit-ctx``)."""
FIT_TARGET = vllm.GIB
"""Bytes that it leaves free on a card (``--fit-target``)."""


@lru_cache(maxsize=1024)
def build(server: Server) -> Ledger:
    """The ledger of one card.

    Raises:
        NoValues: the model cannot be sized.
        ValueError, FormulaError: no such spread, or numbers that no server can have.
    """
    server.parallel.check(server.model)
    makers = {
        "vllm": _vllm, "sglang": _of_card, "of-free": _of_free, "cells": _cells, "reserve": _reserved, "grows": _grows,
    }  # fmt: skip
    return _with_a_request(makers[server.kind](server), server)


def _with_a_request(found: Ledger, server: Server) -> Ledger:
    """With the cache of one request among what is taken, where the rest leaves no pool: a server that comes up needs
    that much more than what does not fit already, and the bytes that are missing are the same wherever one looks."""
    if found.pool is not None:
        size = a_request(found.pool, server) * found.pool.layers.block_bytes if found.pool.budget.bytes < 0 else _ZERO
    elif server.kind in ("sglang", "of-free") and found.entry("kv-pool") is None:
        size = least_request(server)
    else:
        return found
    if not size:
        return found
    one = Entry("kv-request", size, size, size, "computed", "one request", formula(server.model))
    taken = [each for each in found.entries if each.name not in ("outside", "free")]
    beyond = [each for each in found.entries if each.name == "outside"]
    return found._replace(entries=closed(server.card, [*taken, one, *beyond]))


USUAL_WINDOW = 4096
"""Tokens of the longest request that a server is expected to take where nobody says: the model's own window may be a
hundred times what its requests need, and then one sets a shorter one."""


def a_request(pool: Pool, server: Server) -> int:
    """Blocks of the longest request: of ``max_model_len`` where that is said, else of what requests need."""
    if server.max_len is not None:
        return pool.need
    tokens = min(pool.settings.max_len, max(server.request or 0, USUAL_WINDOW))
    return pool.layers.need(tokens, pool.settings.tokens)


def least_request(server: Server) -> Fraction:
    """Bytes of a request of the scenario's length, else of the window that is said, else of a token."""
    return request_bytes(server.model, server.request or server.max_len or 1, server.p, server.parallel)


def printed(of: Line, lines: Sequence[Line], tokens: int | None, request: int | None) -> Ledger:
    """The ledger of a card of which a log has the lines, whatever model it serves.

    Args:
        of: the card's memory.
        lines: what is taken of it.
        tokens: of the pool, where the log says so.
        request: tokens of one request; ``None`` where not said.
    """
    fits = tokens // request if tokens and request else None
    return Ledger(entry(of), closed(of, [entry(line) for line in lines]), None, None, tokens, request, fits, None)


# --- vLLM ------------------------------------------------------------------------------------------------------------


def account(server: Server) -> Pool:
    """vLLM's own account of the card, which no request changes. Raises as :func:`engine.pool.pool`."""
    asked = vllm.Settings(
        server.version, server.share, server.max_len, server.tokens, server.seqs, server.block_size, server.eager,
        server.p, parallel=server.parallel,
    )  # fmt: skip
    known: dict[str, Line] = {line.name: line for line in (*server.logged, server.weights)}
    if server.pool is not None:
        known["kv-pool"] = server.pool
    elif server.pool_tokens is not None:
        size = server.pool_tokens * token_bytes(server.model, server.p, server.parallel)
        known["kv-pool"] = paging.exactly("kv-pool", size, "given", "kv_pool_tokens")
    return paging.pool(server.model, server.card, "", asked, known, server.gpu.name)


def _vllm(server: Server) -> Ledger:
    empty = _without_requests(server._replace(request=None, prompt=None, asked=None))
    found = empty.pool
    if not server.request or found is None:
        return empty._replace(request_tokens=server.request)
    need = found.layers.need(server.request, found.settings.tokens)
    fits = found.room.blocks // need if need else None
    if server.pool_tokens and found.layers.plain:
        fits = _whole(server.pool_tokens, server.request, found.layers.block_size)
    return empty._replace(request_tokens=server.request, fits=fits)


@lru_cache(maxsize=1024)  # what is taken, and how much is left, is the same for every load
def _without_requests(server: Server) -> Ledger:
    found = account(server)
    taken = [entry(line) for line in found.lines]
    peak = _wider(server.model, found.settings)
    taken = [one._replace(formula=peak) if one.name == "activation" else one for one in taken]
    spread = None
    if found.budget.bytes < 0:  # the lines take more than the share: what lies outside it is no help
        taken.append(_outside(server.card, found.settings.utilization, found.lines))
    else:
        taken.append(entry(found.budget))
        if found.budget.origin == "computed":
            rest = found.free
            spread = rest.low, rest.high
    entries = closed(server.card, taken, spread)
    tokens = server.pool_tokens or found.room.tokens
    return Ledger(entry(found.card), entries, found, None, tokens, None, None, found.longest)


def _wider(model: Model, settings: vllm.Resolved) -> str:
    """Which of the two rules gave the peak of the activations."""
    known: dict[str, Value] = {
        "batched_tokens": settings.tokens, "max_seqs": settings.seqs, "ffn": model.ffn, "d_model": model.d_model,
        "vocab": model.vocab,
    }  # fmt: skip
    sampled = settings.version >= vllm.V1
    wider = sampled and result("activation_logits", known) > result("activation_layers", known)
    return "activation_logits" if wider else "activation_layers"


def _whole(tokens: int, request: int, block: int) -> int:
    """Requests of whole blocks that fit into so many tokens."""
    return tokens // int(result("slots", {"used": request, "bs": block}))


# --- the others ------------------------------------------------------------------------------------------------------


def _lines(server: Server, tokens: int | None, graphs: bool = True) -> tuple[Line, ...]:
    """Weights, and what any server holds beside them: the temporary tensors of its largest pass, the context of the
    driver and of the links, graphs. Rules and observations of vLLM, taken for all, with nothing as their low end."""
    found = [server.weights]
    if tokens:
        peak = paging.activation(server.model, tokens, 1, sampler=False)
        found.append(peak._replace(low=_ZERO, source=f"{peak.source}; other servers taken alike"))
    found.append(paging.non_torch(server.parallel))
    if graphs and not server.eager:
        found.append(paging.graphs(vllm.NEWEST)._replace(low=_ZERO))
    return replaced(found, server.logged)


def replaced(lines: Sequence[Line], logged: Sequence[Line]) -> tuple[Line, ...]:
    """The lines with what a log says of them in their place."""
    known = {line.name: line for line in logged}
    return tuple(known.get(line.name, line) for line in lines)


_Spread = tuple[Fraction, Fraction]


def _pooled(server: Server, lines: Sequence[Line], budget: Line, spread: _Spread | None = None) -> Ledger:
    """A paged pool of so many bytes behind the lines; ``spread`` is that of the rest, where the pool is computed."""
    model, request = server.model, server.request
    one = token_bytes(model, server.p, server.parallel)
    size = max(budget.bytes, _ZERO)
    tokens = server.pool_tokens
    if tokens is None:
        tokens = int(result("max_requests", {"budget": size}, {"kv_per_request": one})) if one else None
    elif server.pool is None:
        size = tokens * one
        budget = paging.exactly("kv-pool", size, "given", "kv_pool_tokens")
    taken = [entry(line) for line in lines]
    if budget.bytes > 0:
        taken.append(entry(budget))
    entries = closed(server.card, taken, spread if budget.origin == "computed" and budget.bytes > 0 else None)
    fits = None
    if request:
        full = int(result("slots", {"used": request, "bs": server.block_size}))
        need = request_bytes(model, full, server.p, server.parallel)
        fits = int(result("max_requests", {"budget": size}, {"kv_per_request": need})) if need else None
    return Ledger(entry(server.card), entries, None, None, tokens, request, fits, longest(server, size))


def longest(server: Server, size: Fraction) -> int:
    """Tokens of the longest request that fits into so many bytes alone; the window where nothing longer can be."""
    low, high = 0, server.model.context

    def need(tokens: int) -> Fraction:
        return request_bytes(server.model, tokens, server.p, server.parallel)

    if server.model.not_plain is None:
        one = token_bytes(server.model, server.p, server.parallel)
        return min(high, int(size / one)) if one else high
    if need(high) <= size:
        return high
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if need(middle) <= size else (low, middle - 1)
    return low


def _of_card(server: Server) -> Ledger:
    """Weights and pool together are a share of the card; all else has to fit beside them (SGLang)."""
    lines = _lines(server, server.tokens)
    inside = (lines[0], *(line._replace(inside=False) for line in lines[1:]))
    share = Fraction(9, 10) if server.share is None else server.share
    budget = server.pool or paging.left(server.card, inside, share)
    rest, beside = 1 - share, inside[1:]
    low = server.card.low * rest - sum(line.high for line in beside)
    high = server.card.high * rest - sum(line.low for line in beside)
    found = _pooled(server, inside, budget, (low, high))
    if budget.bytes >= 0:
        return found
    return found._replace(entries=closed(server.card, [*found.entries[:-1], _outside(server.card, share, inside)]))


def _outside(card: Line, share: Fraction, lines: Sequence[Line]) -> Entry:
    """What lies outside the engine's share of a card, and so is no help to lines that take more than it."""
    size = max(card.bytes * (1 - share) - sum(line.bytes for line in lines if not line.inside), _ZERO)
    return Entry("outside", size, size, size, "computed", "outside the engine's share")


def _of_free(server: Server) -> Ledger:
    """The pool is a share of what is free after everything else (TensorRT-LLM, TGI, lmdeploy)."""
    lines = _lines(server, server.tokens)
    share = Fraction(9, 10) if server.share is None else server.share
    free = paging.left(server.card, lines, Fraction(1))
    part = free._replace(bytes=free.bytes * share, low=free.low * share, high=free.high * share)
    return _pooled(server, lines, server.pool or part, (free.low * (1 - share), free.high * (1 - share)))


def _cells(server: Server) -> Ledger:
    """The cache of a fixed window is taken at the start, and slots share it or have their own part (llama.cpp)."""
    model = server.model
    micro = 512 if server.tokens is None else server.tokens
    lines = replaced((server.weights, _compute_buffer(server, micro), paging.non_torch(ONE)), server.logged)
    room = paging.left(server.card, lines, Fraction(1))
    cells, slots = server.cells, max(server.slots, 1)
    if cells is None:
        alone = longest(server, max(room.bytes - FIT_TARGET, _ZERO))
        cells = max(min(model.context, alone), min(model.context, SMALLEST_FIT))
    split = slots > 1 and not server.unified
    each, held = (max(1, -(-cells // slots // _CELLS)) * _CELLS, slots) if split else (cells, 1)
    size = held * request_bytes(model, each, server.p, server.parallel) * server.cells_here
    taken = [entry(line) for line in lines]
    printed = next((line for line in server.logged if line.name == "kv"), None)
    computed = Entry("kv", size, size, size, "computed", "cells x bytes of a token", formula(model))
    taken.append(computed if printed is None else entry(printed))
    taken += _unseen(server, room.bytes)
    fits = None
    if server.request:
        fits = slots if each >= server.request else 0
        fits = fits if split else min(slots, cells // server.request)
    entries = closed(server.card, taken)
    return Ledger(entry(server.card), entries, None, None, held * each, server.request, fits, min(each, model.context))


_PRINTED = Fraction(2**20)
"""llama.cpp's buffers are told in MiB: a cache that was refused lacked one at least."""


def _unseen(server: Server, room: Fraction) -> tuple[Entry, ...]:
    """What others must hold of a card: a cache was refused that the room beside the weights would have taken."""
    if server.refused is None or server.refused > room:
        return ()
    held = room - server.refused + _PRINTED
    return (Entry("others", held, held, room, "log", "a refused allocation"),)


def _compute_buffer(server: Server, micro: int) -> Line:
    """llama.cpp's buffer of temporary tensors: logits and one hidden vector of a micro-batch in 32 bits. Without flash
    attention the scores of a micro-batch come on top: the high end."""
    model = server.model
    rows = result("activation_bytes", {"q_tokens": micro, "d_model": model.vocab + model.d_model, "p_act": 4})
    scores = Fraction(4 * micro * model.heads * min(server.cells or model.context, model.context))
    source = "llama.cpp: logits and one vector of a micro-batch in 32 bits; scores on top without flash attention"
    return Line("activation", rows, rows / 2, rows + scores, "assumed", source)


def _reserved(server: Server) -> Ledger:
    """Whole slots are kept for every request, used or not."""
    slots = server.reserve or server.model.context
    lines = _lines(server, server.prompt, graphs=False)
    budget = server.pool or paging.left(server.card, lines, server.share or Fraction(1))
    size = request_bytes(server.model, slots, server.p, server.parallel)
    used = min(server.request or slots, slots)
    stage = fullest_stage(server.model, server.parallel.pp)
    what: Reservation = reserve(
        server.model, budget.bytes / stage, slots, used, server.p, server.block_size, server.parallel.tp
    )
    what = what._replace(bytes=what.bytes * stage)
    held = (what.requests if server.asked is None else server.asked) * size
    taken = [entry(line) for line in lines]
    taken.append(Entry("reserved", held, held, held, "computed", "requests x reserved slots", "reserved_bytes"))
    fits = what.requests if server.request is None or server.request <= slots else 0
    return Ledger(
        entry(server.card), closed(server.card, taken), None, what, what.requests * slots, server.request, fits,
        slots if what.requests else 0,
    )  # fmt: skip


def _grows(server: Server) -> Ledger:
    """The cache takes what its requests hold, and the rest of the card is there for more of them."""
    lines = _lines(server, server.prompt or server.request, graphs=False)
    share = Fraction(1) if server.share is None else server.share
    budget = server.pool or paging.left(server.card, lines, share)
    found = _pooled(server if server.blocks else server._replace(block_size=1), lines, budget)
    full = result("slots", {"used": server.request or 0, "bs": server.block_size})
    asked = asked_bytes(server._replace(request=int(full)) if server.blocks and server.request else server)
    taken = [entry(line) for line in lines]
    if asked is not None:
        taken.append(asked._replace(name="kv"))
    return found._replace(entries=closed(server.card, taken))
