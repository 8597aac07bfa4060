"""What a log printed beside what arithmetic expects: line by line, the difference explained where it can be.

A difference tells of a setting that nobody said: another format of the weights, a cache in 8 bits, another share of the
card, memory that something else holds. Nothing is judged by it; a person sees where the two accounts part.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from engine.diagnosis.cases.case import Case
from engine.diagnosis.model import Amount, Entry, Ledger, Param, Reconciled, Scenario

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
    if printed > expected:
        return "tensors-beside", {"share": Amount((printed - expected) / expected, "%")}
    return "fewer-tensors", {"share": Amount((expected - printed) / expected, "%")}


# --- the pool --------------------------------------------------------------------------------------------------------


def _pool(case: Case, bare: Case) -> Iterator[Reconciled]:
    """The bytes of the pool: expected of computed lines, and again of those that the log printed."""
    scenario, expected = case.scenario, bare.ledger.entry("kv-pool") if bare.ledger else None
    said = scenario.said.get("kv_pool")
    if scenario.kv_pool is None or said is None or said.origin != "log" or expected is None:
        return
    why, params = "agrees", dict[str, Param]()
    if not _near(expected.bytes, scenario.kv_pool):
        inside = expected.low <= scenario.kv_pool <= expected.high
        why, params = ("in-band", {}) if inside else _other_pool(case, scenario.kv_pool)
        if why == "in-band":
            params = {"low": Amount(expected.low, "bytes"), "high": Amount(expected.high, "bytes")}
    yield _made("kv-pool", expected.bytes, scenario.kv_pool, why, params, said.source)


def _other_pool(case: Case, printed: Fraction) -> tuple[str, dict[str, Param]]:
    """Why a pool is another than expected: its other lines are, graphs are counted elsewhere, or the share is."""
    scenario = case.scenario
    with_lines = Case(scenario.having(kv_pool=None, kv_pool_tokens=None)).ledger
    entry = with_lines.entry("kv-pool") if with_lines is not None else None
    if entry is None or with_lines is None:
        return ("more" if printed > 0 else "less"), {}
    if _near(entry.bytes, printed) or entry.low <= printed <= entry.high:
        return "from-lines", {}
    graphs = with_lines.entry("graphs")
    for sign, id in ((1, "graphs-outside"), (-1, "graphs-inside")):
        if graphs is not None and graphs.bytes and _near(entry.bytes + sign * graphs.bytes, printed):
            return id, {"graphs": Amount(graphs.bytes, "bytes")}
    share = case.defaults.utilization.value
    if share is None:
        return ("more" if printed > entry.bytes else "less"), {}
    implied = share + (printed - entry.bytes) / with_lines.card.bytes
    if 0 < implied < 1:
        return "implied-share", {"share": Amount(share, "%"), "implied": Amount(implied, "%")}
    return ("more" if printed > entry.bytes else "less"), {}


def _tokens(case: Case) -> Iterator[Reconciled]:
    """The tokens of the pool against its bytes: a cache in other bits, or spread otherwise, holds more or fewer."""
    scenario, said = case.scenario, case.scenario.said.get("kv_pool_tokens")
    size, token = scenario.kv_pool, case.kv_per_token
    if scenario.kv_pool_tokens is None or said is None or said.origin != "log" or not size or not token:
        return
    plain = scenario.model is not None and scenario.model.not_plain in (None, "mla")
    expected, printed = size / token, Fraction(scenario.kv_pool_tokens)
    why, params = _other_tokens(case, expected, printed) if plain else ("hybrid", dict[str, Param]())
    yield _made("kv-tokens", expected, printed, why, params, said.source, "tokens")


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
