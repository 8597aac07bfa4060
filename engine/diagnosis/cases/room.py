"""What a ledger holds: requests of a length, bytes to spare, and what reserved slots waste."""

from __future__ import annotations

from fractions import Fraction

from engine.diagnosis.cases.ledger import a_request, least_request
from engine.diagnosis.cases.server import Server, request_bytes, token_bytes
from engine.diagnosis.model import Ledger
from engine.formulas.registry import Value, result


def holds(found: Ledger, server: Server, tokens: int) -> int | None:
    """Requests of so many tokens that a ledger's pool holds."""
    if found.pool is not None:
        need = found.pool.layers.need(tokens, found.pool.settings.tokens)
        return found.pool.room.blocks // need if need else None
    if found.reservation is not None:
        return found.reservation.requests
    if server.kind == "cells":
        return max(server.slots, 1) if not server.unified else min(server.slots, (found.pool_tokens or 0) // tokens)
    if found.pool_tokens is None:
        return None
    need_bytes = request_bytes(server.model, tokens, server.p, server.parallel)
    whole = found.pool_tokens * token_bytes(server.model, server.p, server.parallel)
    return int(result("max_requests", {"budget": whole}, {"kv_per_request": need_bytes})) if need_bytes else None


def spare(found: Ledger, server: Server) -> Fraction:
    """Bytes left over on a card once one request of the longest length has its cache: of vLLM's budget, of a pool that
    has its own share (a request of the scenario's length there, or a token), else of the card."""
    if found.pool is not None:
        return found.pool.budget.bytes - a_request(found.pool, server) * found.pool.layers.block_bytes
    free = found.entries[-1].bytes
    budget = found.entry("kv-pool")
    if server.kind not in ("sglang", "of-free") or found.entry("kv-request") is not None:
        return free
    return (budget.bytes if budget else min(free, Fraction(0))) - least_request(server)


def starts(found: Ledger, server: Server) -> bool:
    """Whether a server comes up, by the usual figures: vLLM wants room for one request of the longest length, others
    for any token."""
    if found.pool is not None:
        return 0 < a_request(found.pool, server) <= found.pool.room.blocks
    if server.kind in ("sglang", "of-free"):
        return (found.pool_tokens or 0) > 0 and found.entries[-1].bytes >= 0
    return found.entries[-1].bytes >= 0


def reserved_numbers(used: int, reserved: int, block: int) -> tuple[Fraction, int, Fraction, Fraction]:
    """Waste of whole slots, and slots, waste and gain in density of blocks, which need no model.

    Raises ``FormulaError`` for no slots at all.
    """
    known: dict[str, Value] = {"used": used, "max_len": reserved, "bs": block}
    paged = int(result("slots", known))
    return (
        result("naive_waste", known), paged, result("paged_waste", known), result("density_gain", known),
    )  # fmt: skip
