"""What a log printed beside what arithmetic expects: line by line, the difference explained where it can be.

A difference tells of a setting that nobody said: another format of the weights, a cache in 8 bits, another share of the
card, memory that something else holds. Nothing is judged by it; a person sees where the two accounts part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from engine.diagnosis.cases.case import Case
from engine.diagnosis.cases.placement import OFFLOADING
from engine.diagnosis.model import Amount, Entry, Ledger, Param, Reconciled, Scenario
from engine.vllm import GIB
from engine.weights import by_class

_ALIKE = Fraction(3, 100)
"""Of the computed figure: printed digits, buffers and alignment make so much of a difference."""
_RATIOS = tuple(Fraction(numerator, 4) for numerator in (1, 2, 8, 16))
"""How many times larger another width of a number makes a line: a quarter, half, twice, four times."""
_CARDS = (2, 4, 8)


def reconcile(case: Case) -> tuple[Reconciled, ...]:
    """The lines of the ledger that a log printed, each beside what would be computed without the log."""
    scenario = case.scenario
    if not scenario.logged and not _printed_pool(scenario):
        return ()
    bare = Case(scenario.having(logged={}, kv_pool=None, kv_pool_tokens=None))
    if bare.ledger is None or case.ledger is None:
        return ()
    found = [_line(case, bare.ledger, name) for name in scenario.logged if name != "card"]
    return (*(one for one in found if one is not None), *_pool(case, bare), *_tokens(case))


def _printed_pool(scenario: Scenario) -> bool:
    return any(scenario.said[name].origin == "log" for name in ("kv_pool", "kv_pool_tokens") if name in scenario.said)


# --- one line --------------------------------------------------------------------------------------------------------


def _line(case: Case, expected: Ledger, name: str) -> Reconciled | None:
    """A line without the pool."""
    entry, printed = expected.entry(name), case.scenario.logged[name]
    if entry is None or entry.bytes <= 0:
        return None
    why, params = _why(case, name, entry, printed.bytes)
    return _made(name, entry.bytes, printed.bytes, why, params, printed.source)


def _why(case: Case, name: str, entry: Entry, printed: Fraction) -> tuple[str, dict[str, Param]]:
    if _near(entry.bytes, printed):
        return "agrees", {}
    if entry.low <= printed <= entry.high:
        return "in-band", {"low": Amount(entry.low, "bytes"), "high": Amount(entry.high, "bytes")}
    if name == "weights":
        return _weights(case, entry.bytes, printed)
    if name == "graphs":
        return ("graphs-more" if printed > entry.high else "graphs-less"), {}
    if entry.origin == "assumed":
        return ("more-than-others" if printed > entry.high else "less-than-others"), {}
    return ("more" if printed > entry.bytes else "less"), {}


def _weights(case: Case, expected: Fraction, printed: Fraction) -> tuple[str, dict[str, Param]]:
    """Another width of the weights, another spread over cards, or tensors beside the language model."""
    for ratio in _RATIOS:
        if _near(expected * ratio, printed):
            bits = case.form.linear_bits * ratio if case.form is not None else Fraction(0)
            return "other-format", {"bits": Amount(bits, "none"), "times": Amount(printed / expected, "x")}
    for cards in _CARDS:
        if case.spread.tp == 1 and _near(expected / cards, printed):
            return "spread-over-cards", {"cards": cards}
    aside = _embedding(case)
    if aside and _near(expected - aside, printed):
        return "embedding-aside", {"size": Amount(aside, "bytes")}
    if printed > expected:
        return "tensors-beside", {"share": Amount((printed - expected) / expected, "%")}
    return "fewer-tensors", {"share": Amount((expected - printed) / expected, "%")}


def _embedding(case: Case) -> Fraction | None:
    """Bytes of the table of embeddings, where the engine keeps it in host memory; ``None`` elsewhere, and where the
    head is the same tensor, which then lies on the card too."""
    model, of = case.scenario.model, case.form
    if case.engine not in OFFLOADING or model is None or of is None or model.tied or case.host_weights:
        return None
    return by_class(model, of).of("embedding").bytes


# --- the pool --------------------------------------------------------------------------------------------------------


def _pool(case: Case, bare: Case) -> Iterator[Reconciled]:
    """The bytes of the pool: expected of computed lines, and again of those that the log printed. Of a pool of which
    only the tokens were printed the bytes are theirs."""
    scenario, expected = case.scenario, bare.ledger.entry("kv-pool") if bare.ledger else None
    size, name = _bytes(case)
    if size is None or expected is None or not _of_log(scenario, name):
        return
    source = scenario.said[name].source
    by_rule = _left_over(case)
    if by_rule is not None and abs(by_rule - size) <= max(_ALIKE * size, _ROUNDED):
        yield _made("kv-pool", by_rule, size, "free-rule", _free(case), source)._replace(basis="free")
        return
    why, params = "agrees", dict[str, Param]()
    if not _near(expected.bytes, size):
        inside = expected.low <= size <= expected.high
        why, params = ("in-band", {}) if inside else _other_pool(case, size)
        if why == "in-band":
            params = {"low": Amount(expected.low, "bytes"), "high": Amount(expected.high, "bytes")}
    yield _made("kv-pool", expected.bytes, size, why, params, source)


_ROUNDED = Fraction(GIB, 20)
"""Three figures of two digits behind the point, and a pool that ends with a whole page."""
_SETTINGS: Mapping[str | None, str] = {
    "sglang": "mem_fraction_static", "tensorrt-llm": "free_gpu_memory_fraction", "tgi": "cuda_memory_fraction",
    "lmdeploy": "cache_max_entry_count",
}  # fmt: skip
"""What each engine calls its share of the memory; the others have vLLM's name."""
_TELLS = Fraction(3, 100)
"""Of a card: what two servers differ by in lines that neither printed. Only more than that speaks for another share."""
_OF_FREE = frozenset(("tensorrt-llm", "tgi", "lmdeploy"))
"""Engines whose share is of what is free beside the weights."""


def _bytes(case: Case) -> tuple[Fraction | None, str]:
    """Bytes of the known pool, and the field that tells them."""
    scenario, token = case.scenario, case.kv_per_token
    if scenario.kv_pool is not None:
        return scenario.kv_pool, "kv_pool"
    tokens = scenario.kv_pool_tokens
    plain = scenario.model is not None and scenario.model.not_plain in (None, "mla")
    return (tokens * token if tokens is not None and token and plain else None), "kv_pool_tokens"


def _of_log(scenario: Scenario, name: str) -> bool:
    return name in scenario.said and scenario.said[name].origin == "log"


def _left_over(case: Case) -> Fraction | None:
    """SGLang's own rule: what is free after loading, less the part of what was free before that is kept for the rest.

    Source: sglang, model_runner (profile_max_num_token): available memory less the total before times what
    mem_fraction_static leaves.
    """
    logged, share = case.scenario.logged, case.defaults.utilization.value
    if share is None or not {"free-before", "free-after"} <= logged.keys():
        return None
    return logged["free-after"].bytes - logged["free-before"].bytes * (1 - share)


def _free(case: Case) -> dict[str, Param]:
    logged, share = case.scenario.logged, case.defaults.utilization.value or Fraction(1)
    return {
        "before": Amount(logged["free-before"].bytes, "bytes"), "after": Amount(logged["free-after"].bytes, "bytes"),
        "kept": Amount(1 - share, "%"),
    }  # fmt: skip


def _other_pool(case: Case, printed: Fraction) -> tuple[str, dict[str, Param]]:
    """Why a pool is another than expected: its other lines are, graphs are counted elsewhere, or the share is."""
    scenario = case.scenario
    with_lines = Case(scenario.having(kv_pool=None, kv_pool_tokens=None)).ledger
    entry = with_lines.entry("kv-pool") if with_lines is not None else None
    if entry is None or with_lines is None:
        return "more", {}
    guessed = any(one.origin == "assumed" for one in with_lines.entries)
    little = abs(printed - entry.bytes) < _TELLS * with_lines.card.bytes
    unknown = "rests-on-others" if guessed and little else "more" if printed > entry.bytes else "less"
    if _near(entry.bytes, printed) or entry.low <= printed <= entry.high:
        return "from-lines", {}
    graphs = with_lines.entry("graphs")
    if graphs is not None and graphs.origin == "log":  # of a figure that other servers had no more can be said
        sign, id = (1, "graphs-outside") if _graphs_inside(case, with_lines) else (-1, "graphs-inside")
        if graphs.bytes and _near(entry.bytes + sign * graphs.bytes, printed):
            return id, {"graphs": Amount(graphs.bytes, "bytes")}
    share = case.defaults.utilization.value
    if share is None:
        return unknown, {}
    implied, id = share + (printed - entry.bytes) / with_lines.card.bytes, "implied-share"
    by_rule = _left_over(case)
    if by_rule is not None:
        implied = share + (printed - by_rule) / scenario.logged["free-before"].bytes
    elif case.engine in _OF_FREE:
        implied, id = share * printed / entry.bytes if entry.bytes > 0 else Fraction(0), "implied-share-free"
    if not 0 < implied < 1 or (guessed and by_rule is None and little):
        return unknown, {}
    setting = _SETTINGS.get(case.engine, "gpu_memory_utilization")
    return id, {"share": Amount(share, "%"), "implied": Amount(implied, "%"), "setting": setting}


def _graphs_inside(case: Case, found: Ledger) -> bool:
    """Whether the arithmetic takes the graphs off the pool."""
    return found.pool.line("graphs").inside if found.pool is not None else case.engine in _OF_FREE


def _tokens(case: Case) -> Iterator[Reconciled]:
    """The tokens of the pool against its bytes: a cache in other bits, or spread otherwise, holds more or fewer."""
    scenario, said = case.scenario, case.scenario.said.get("kv_pool_tokens")
    size, token = scenario.kv_pool, case.kv_per_token
    if scenario.kv_pool_tokens is None or said is None or said.origin != "log" or not size or not token:
        return
    plain = scenario.model is not None and scenario.model.not_plain in (None, "mla")
    expected, printed = size / token, Fraction(scenario.kv_pool_tokens)
    why, params = _other_tokens(case, expected, printed) if plain else ("hybrid", dict[str, Param]())
    yield _made("kv-tokens", expected, printed, why, params, said.source, "tokens")._replace(basis="bytes")


def _other_tokens(case: Case, expected: Fraction, printed: Fraction) -> tuple[str, dict[str, Param]]:
    if _near(expected, printed):
        return "agrees", {}
    token = case.kv_per_token or Fraction(1)
    told: dict[str, Param] = {"printed": Amount(token * expected / printed, "bytes"), "token": Amount(token, "bytes")}
    if _near(expected * 2, printed):
        return "cache-half", told
    if _near(expected / 2, printed):
        return "cache-double", told
    for cards in _CARDS:
        if case.spread.tp == 1 and _near(expected * cards, printed):
            return "spread-over-cards", {"cards": cards}
    return "other-token", told


# --- all of them -----------------------------------------------------------------------------------------------------


def _near(expected: Fraction, printed: Fraction) -> bool:
    return abs(printed - expected) <= _ALIKE * abs(expected)


def _made(
    name: str, expected: Fraction, printed: Fraction, why: str, params: dict[str, Param], source: str,
    unit: str = "bytes",
) -> Reconciled:  # fmt: skip
    return Reconciled(name, Amount(expected, unit), Amount(printed, unit), why, params, source)
