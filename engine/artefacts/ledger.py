"""Lines of a card's memory that a log printed, in bytes: what stands in the ledger in the place of computed ones."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.artefacts.facts import Entry, Facts
from engine.diagnosis.model import Logged
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
    }
    return {
        name: Logged(exact(one.value), one.place) for name, one in found.items() if one is not None and one.value >= 0
    }


def pool(facts: Facts) -> Entry | None:
    """GiB of the KV pool of one rank: printed whole, as two halves, or as what was there at a refusal."""
    found = facts.last("kv_cache_memory", "kv_cache_memory.available")
    if found is not None:
        several = len(list(facts.entries("kv_cache_memory"))) > 1 and "n_ctx" in facts.names
        return None if several else found  # llama.cpp with a window keeps two caches: neither is the pool
    halves = [facts.last(name) for name in ("k_cache_memory", "v_cache_memory")]
    if halves[0] is None or halves[1] is None:
        return None
    return Entry(halves[0].value + halves[1].value, halves[0].place)


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
