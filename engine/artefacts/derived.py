"""What follows from observations by arithmetic, and is not printed: bytes of a token, time to full, speed of a request.

Formulas that the registry has are taken from there; the rest are quotients of two things that were read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from engine.artefacts.evidence import Evidence
from engine.artefacts.facts import Facts, Moment, busy, steady, typical
from engine.artefacts.growth import growth, seconds_to_full
from engine.artefacts.ledger import exact, pool
from engine.artefacts.load import bench_rows
from engine.artefacts.signs import FULL, preempted, usage
from engine.catalog import Gpu, NoValues
from engine.diagnosis.fields import ScenarioProblem
from engine.diagnosis.reading import cards, checkpoint
from engine.formulas.registry import result
from engine.memory import kv_bytes_per_token


class Derived(NamedTuple):
    """A figure that follows.

    Attributes:
        id: its words are ``observed.derived.<id>``.
        value: in ``unit``, a name of :mod:`engine.units` or of the vocabulary.
        unit: of the value; "fraction/s" is the share of a pool that fills in a second.
        name: of the observation that it is told beside.
        share: of the card's data sheet, where that is known and says something; ``None`` elsewhere.
    """

    id: str
    value: float
    unit: str
    name: str
    share: float | None = None


def derive(evidence: Evidence) -> tuple[Derived, ...]:
    """Everything that follows from what was read, each once."""
    facts = Facts(evidence)
    found: list[Derived] = []
    for part in _PARTS:
        found += part(facts)
    return tuple(found)


# --- the pool --------------------------------------------------------------------------------------------------------


def _pool(facts: Facts) -> Iterator[Derived]:
    blocks, size = facts.number("num_gpu_blocks"), facts.number("block_size")
    tokens = facts.number("kv_cache_tokens")
    if blocks and size:
        whole = result("pool_tokens", {"bs": int(size)}, {"pool_blocks": Fraction(int(blocks))})
        yield Derived("pool_tokens", float(whole), "tokens", "num_gpu_blocks")
    if blocks and not size and (each := _block_size(facts, blocks, tokens)):
        yield Derived("block_size", each, "tokens", "num_gpu_blocks")
    yield from _token_bytes(facts, tokens)
    used, running = facts.last("kv_cache_tokens_used", "kv_cache_tokens_used.full"), facts.number("running_requests")
    if used is not None and used.value and running:
        yield Derived("tokens_per_request", used.value / running, "tokens", "kv_cache_tokens_used")


def _block_size(facts: Facts, blocks: float, tokens: float | None) -> float | None:
    """Tokens of a block, from a pool told in both, or from how many full requests fit it: a whole number or none."""
    fit, longest = facts.number("max_concurrency"), facts.number("max_model_len")
    whole = tokens or (fit * longest if fit and longest else 0)
    each = round(whole / blocks)
    return float(each) if each and abs(whole / blocks - each) <= _ROUNDED * each else None


_ROUNDED = 0.01
"""Of a block: how far a printed quotient of two digits may lie from a whole number."""


def _token_bytes(facts: Facts, tokens: float | None) -> Iterator[Derived]:
    """Bytes of a token on one rank: of the pool's two figures, else of a config. Tokens of a hybrid model, or of a pool
    with several groups, are no rate."""
    whole = pool(facts)
    hybrid = any(one.id == "hybrid-tokens" for artefact in facts.evidence.artefacts for one in artefact.found.traps)
    cells = facts.number("n_ctx")
    if whole is None and cells and len(caches := list(facts.entries("kv_cache_memory"))) == 1:
        whole = caches[0]  # llama.cpp; with a window it keeps two caches, and a token has no one size
    if whole is not None and (tokens or cells) and whole.value > 0 and not hybrid:
        size = exact(whole.value) / Fraction(tokens or cells or 1)
        yield Derived("kv_bytes_per_token", float(size), "bytes", "kv_cache_memory")
        return
    yield from _of_config(facts)


def _of_config(facts: Facts) -> Iterator[Derived]:
    """What a config's dimensions come to: its parameters, and bytes of a token in a cache of 16 bits."""
    for artefact in facts.evidence.artefacts:
        if artefact.found.config is not None:
            try:
                model = checkpoint.of(artefact.found.config, artefact.name).model
                yield Derived("parameters", float(model.params), "count", "n_layers")
                yield Derived("kv_bytes_per_token", float(kv_bytes_per_token(model, Fraction(2))), "bytes", "n_layers")
            except (NoValues, ScenarioProblem):
                continue
            return


def _quantization(facts: Facts) -> Iterator[Derived]:
    bits, group = facts.number("quantization_bits"), facts.number("quantization_group_size")
    if not bits or not group or group < 1:
        return
    zero = facts.last("quantization_zero_point")
    meta = 16 + (bits if zero is not None and zero.value is True else 0)  # a scale in 16 bits, a zero-point as wide
    whole = result("effective_bits", {"b": int(bits), "meta_bits": int(meta), "group": int(group)})
    yield Derived("bits_per_weight", float(whole), "bits", "quantization_bits")


def _card(facts: Facts) -> Iterator[Derived]:
    """The card's memory, from what a share of it would have to be for graphs to be beside it (vLLM 0.21)."""
    graphs = facts.number("graph_memory.estimated")
    share, alike = facts.number("gpu_memory_utilization"), facts.number("gpu_memory_utilization.equivalent")
    if graphs and share and alike and share > alike:
        yield Derived("gpu_memory_implied", graphs / (share - alike), "GiB", "gpu_memory_utilization.equivalent")


# --- the course of a log ---------------------------------------------------------------------------------------------


def _course(facts: Facts) -> Iterator[Derived]:
    moments = facts.moments()
    full = busy(moments)
    running, speed = typical(full, "running_requests"), steady(full, "generation_throughput")
    if running is not None and speed is not None and running.value and speed.value:
        yield Derived("rate_per_request", speed.value / running.value, "tokens/s", "generation_throughput")
        yield Derived("time_per_token", 1000 * running.value / speed.value, "ms", "generation_throughput")
    held = full[-1].values.get("running_requests", 0.0) if full else 0.0
    if held and (used := usage(full[-1])) > 0:
        yield Derived("kv_per_request", used / held, "fraction", "kv_cache_usage")
    prompts = typical(full, "prompt_throughput")
    written = (speed.value if speed else 0.0) + (prompts.value if prompts else 0.0)  # both phases write the cache
    known = any(facts.last(name) is not None for name in ("kv_cache_tokens", "num_gpu_blocks"))
    if not preempted(moments):
        yield from _filling(moments, 0.0 if known else written)
    else:
        lost = moments[0].values["running_requests"] - moments[-1].values["running_requests"]
        yield Derived("inferred_preemptions", lost, "requests", "running_requests")


_FORECAST = 600.0
"""Seconds: by then requests have ended and others have come, and the rate says nothing."""


def _filling(moments: Sequence[Moment], speed: float) -> Iterator[Derived]:
    """How fast the pool fills, when it would be full, and how large it then is."""
    points = [(one.at, usage(one)) for one in moments if one.at is not None and usage(one) >= 0]
    rate = growth(points)
    if rate is None or points[-1][1] >= FULL:
        return
    yield Derived("kv_growth", rate, "fraction/s", "kv_cache_usage")
    left = seconds_to_full(points)
    if left is not None and left <= _FORECAST:
        yield Derived("seconds_to_full", left, "s", "kv_cache_usage")
    if speed:
        yield Derived("pool_estimate", speed / rate, "tokens", "kv_cache_usage")


def _shares(facts: Facts) -> Iterator[Derived]:
    cached, new = facts.last("prefill_cached_tokens"), facts.last("prefill_new_tokens")
    if cached is not None and new is not None and cached.value + new.value:
        share = cached.value / (cached.value + new.value)
        yield Derived("prefill_cached_share", share, "fraction", "prefill_cached_tokens")
    hits, asked = facts.number("prefix_cache_hits_total"), facts.number("prefix_cache_queries_total")
    if hits is not None and asked:
        yield Derived("cache_hit_rate", hits / asked, "fraction", "prefix_cache_hits_total")


# --- results ---------------------------------------------------------------------------------------------------------


def _lengths(facts: Facts) -> Iterator[Derived]:
    done = facts.number("completed_requests") or facts.number("num_prompts")
    for id, name in (("mean_input_len", "input_tokens_total"), ("mean_output_len", "output_tokens_total")):
        tokens = facts.number(name)
        if done and tokens is not None:
            yield Derived(id, tokens / done, "tokens", name)


def _reached(facts: Facts) -> Iterator[Derived]:
    """Bytes and FLOPs a second of llama-bench's rows: all weights are read for a token, two FLOPs each for a prompt."""
    rows = bench_rows(facts)
    size, params = facts.first("model_size"), facts.first("parameters")
    gpu = _gpu(facts)
    decode, prefill = rows.get("tg"), rows.get("pp")
    if decode is not None and size is not None and size.value:
        moved = exact(size.value) * Fraction(repr(decode[1].value))
        share = float(moved / gpu.bandwidth) if gpu is not None and gpu.bandwidth else None
        yield Derived("bandwidth_used", float(moved) / 1e9, "GB/s", "bench_throughput", share)
    if prefill is not None and params is not None and params.value:
        done = result("matmul_flops", {"N": round(params.value), "T": Fraction(repr(prefill[1].value))})
        share = float(done / gpu.peak_flops) if gpu is not None and gpu.peak_flops else None
        yield Derived("compute_used", float(done) / 1e12, "TFLOP/s", "bench_throughput", share)


def _gpu(facts: Facts) -> Gpu | None:
    """The card, where one kind of it is named and known."""
    names = {str(one.value) for one in facts.entries("gpu_name")}
    return cards.read(names.pop()).gpu if len(names) == 1 else None


_PARTS: tuple[Callable[[Facts], Iterator[Derived]], ...] = (
    _pool, _quantization, _card, _course, _shares, _lengths, _reached,
)  # fmt: skip
