"""Where the numbers of memory come from: lines of the ledger, the cache, what fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from content.diagnosing import cache, figures, words
from content.diagnosing.words import label, named, sentence
from content.diagnosing.working import Given, Told, texts, work
from content.lang import Lang
from engine import memory
from engine.diagnosis.model import Amount, Entry, Ledger, Report
from engine.formulas import registry
from engine.formulas.registry import result
from engine.steps import Setup

# --- memory ----------------------------------------------------------------------------------------------------------


def entry(report: Report, lang: Lang, name: str) -> Told | None:
    """A line of the ledger; ``None`` where it has none of this name. Raises as its formula does."""
    ledger = report.ledger
    one = ledger.entry(name) if ledger is not None else None
    if ledger is None or one is None:
        return None
    row = figures.entry_row(one, lang)
    told = Told(row.label, row.value, source=_source(one.source))
    maker = _ENTRIES.get(name)
    return told._replace(notes=_seen(one, lang)) if maker is None else maker(report, ledger, one, told, lang)


def _source(text: str) -> str:
    """Where a figure comes from; of a formula's name what the formula rests on."""
    return registry.get(text).source if registry.is_formula(text) else words.source(text)


def _seen(one: Entry, lang: Lang) -> tuple[str, ...]:
    """A figure that no formula gives."""
    if one.low == one.high:
        return (sentence("explain.none", {}, lang),)
    return (sentence("explain.observed", {"low": words.gb(one.low), "high": words.gb(one.high)}, lang),)


def _whole(size: Fraction) -> Fraction:
    """Bytes to the nearest whole one: a spread is no reason to print fractions of bytes."""
    return Fraction(round(size))


def _weights(report: Report, ledger: Ledger, one: Entry, told: Told, lang: Lang) -> Told:
    setup, s = report.timings.setup, report.scenario
    if s.exact_weights is not None:
        whole = words.quantity(Fraction(s.exact_weights), "bytes", lang, 4)
        return told._replace(notes=(sentence("explain.weights-file", {"value": whole}, lang),))
    params = s.params if s.model is None else s.model.params
    if not params:
        return told._replace(notes=_seen(one, lang))
    cards = 1 if setup is None else setup.tp * setup.pp
    host = Fraction(0) if setup is None else Fraction(setup.host_weights)
    whole_bytes = (one.bytes + host) * cards
    lines = work("weights", {"N": params, "p_w": whole_bytes / params}, lang)
    notes = [sentence("explain.weights", {}, lang)]
    if host:
        notes.append(sentence("explain.weights-host", {"value": words.gb(host)}, lang))
    if cards > 1:
        given = {"cards": words.shown(cards, lang, "cards"), "value": words.gb(one.bytes)}
        notes.append(sentence("explain.weights-split", given, lang))
    return told._replace(lines=texts(lines), notes=tuple(notes))


def _pool(report: Report, ledger: Ledger, one: Entry, told: Told, lang: Lang) -> Told:
    pool = ledger.pool
    if pool is None and one.origin == "computed":
        return told._replace(notes=(sentence("explain.kv-pool-rule", {}, lang),), source="")
    if pool is None or one.origin in ("given", "log"):
        return told._replace(notes=(sentence("explain.kv-pool-log", {"value": words.gb(one.bytes)}, lang),))
    inside = {line.name: _whole(line.bytes) for line in pool.lines if line.inside}
    zero = Fraction(0)
    held = {
        "activation": inside.get("activation", zero), "non_torch": inside.get("non-torch", zero),
        "graphs": inside.get("graphs", zero),
    }  # fmt: skip
    share = {"capacity": _whole(pool.card.bytes), "fraction": pool.settings.utilization}
    reserve = result("held_back", held)
    lines = (
        *work("held_back", held, lang),
        *work("kv_pool", {**share, "reserve": reserve}, lang, {"weights": inside.get("weights", zero)}),
    )
    return told._replace(lines=texts(lines), notes=(sentence("explain.kv-pool", {}, lang),))


def _activation(report: Report, ledger: Ledger, one: Entry, told: Told, lang: Lang) -> Told:
    pool, model = ledger.pool, report.scenario.model
    if pool is None or model is None or one.origin != "assumed":
        return told._replace(notes=_seen(one, lang))
    given = {
        "batched_tokens": pool.settings.tokens, "max_seqs": pool.settings.seqs, "ffn": model.ffn,
        "d_model": model.d_model, "vocab": model.vocab,
    }  # fmt: skip
    rules = ("activation_layers", "activation_logits")
    lines = [line for rule in rules for line in work(rule, given, lang)]
    return told._replace(lines=texts(lines), notes=(sentence("explain.activation", {}, lang), *_seen_band(one, lang)))


def _seen_band(one: Entry, lang: Lang) -> tuple[str, ...]:
    low, high = words.gb(one.low), words.gb(one.high)
    return (label("band", lang, low=low, high=high),) if one.low != one.high else ()


def _card(report: Report, ledger: Ledger, one: Entry, told: Told, lang: Lang) -> Told:
    return told._replace(notes=(sentence("explain.card", {"value": words.gb(one.bytes)}, lang),))


def _free(report: Report, ledger: Ledger, one: Entry, told: Told, lang: Lang) -> Told:
    others = [entry.bytes for entry in ledger.entries if entry is not one]
    numbers = " − ".join(words.gb(size) for size in (ledger.card.bytes, *others))
    lines = (numbers, f"  = {words.gb(one.bytes)}")
    return told._replace(lines=lines, notes=(sentence("explain.free", {}, lang),))


def _reserved(report: Report, ledger: Ledger, one: Entry, told: Told, lang: Lang) -> Told:
    s, setup, held = report.scenario, report.timings.setup, ledger.reservation
    if not s.reserve or setup is None or held is None or not held.bytes:
        return told._replace(notes=_seen(one, lang))
    known = {"kv_per_token": held.bytes / s.reserve}
    lines = texts(work("reserved_bytes", {"max_len": s.reserve}, lang, known))
    requests = one.bytes / held.bytes
    total = f"{words.quantity(requests, 'requests', lang)} · {words.gb(held.bytes)} = {words.gb(one.bytes)}"
    return told._replace(lines=(*lines, total), notes=(sentence("explain.reserved", {}, lang),))


def _outside(report: Report, ledger: Ledger, one: Entry, told: Told, lang: Lang) -> Told:
    return told._replace(notes=(sentence("explain.outside", {"value": words.gb(one.bytes)}, lang),))


def _one_request(report: Report, ledger: Ledger, one: Entry, told: Told, lang: Lang) -> Told:
    return told._replace(notes=(sentence("explain.kv-request", {}, lang),))


_ENTRIES: Mapping[str, Callable[[Report, Ledger, Entry, Told, Lang], Told]] = {
    "weights": _weights, "kv-pool": _pool, "activation": _activation, "card": _card, "free": _free,
    "reserved": _reserved, "outside": _outside, "kv-request": _one_request,
}  # fmt: skip


# --- the cache -------------------------------------------------------------------------------------------------------


def _kv_per_token(report: Report, lang: Lang) -> Told | None:
    setup = report.timings.setup
    if setup is None:
        return None
    size = memory.kv_bytes_per_token(setup.model, setup.p, setup.tp, setup.pp)
    told = Told(label("kv_per_token", lang), words.quantity(size, "bytes", lang))
    return told._replace(lines=cache.worked(setup, lang), notes=cache.kept(setup, told.value, lang))


def _kv(report: Report, lang: Lang) -> Told | None:
    """The cache where it grows with its requests, or has a fixed number of cells."""
    ledger, setup = report.ledger, report.timings.setup
    one = None if ledger is None else ledger.entry("kv")
    if one is None:
        return None
    row = figures.entry_row(one, lang)
    told = Told(row.label, row.value, source=_source(one.source))
    if setup is None:
        return told._replace(notes=_seen(one, lang))
    token = memory.kv_bytes_per_token(setup.model, setup.p, setup.tp, setup.pp)
    return told._replace(
        lines=cache.worked(setup, lang, 1, one.bytes / token), notes=cache.kept(setup, row.value, lang)
    )


def _asked(report: Report, lang: Lang) -> Told | None:
    """What the cache holds when every request has all its tokens."""
    ledger, setup = report.ledger, report.timings.setup
    one = None if ledger is None else ledger.asked
    if ledger is None or one is None:
        return None
    row = figures.entry_row(one, lang)
    kept = () if setup is None else cache.state(setup, lang)
    told = Told(row.label, row.value, notes=(sentence("explain.asked", {}, lang), *kept))
    if not ledger.request_tokens or setup is None or not memory.formula(setup.model):
        return told
    request = memory.kv_bytes(setup.model, ledger.request_tokens, setup.p, tp=setup.tp, pp=setup.pp)
    return told._replace(lines=cache.worked(setup, lang, one.bytes / request, ledger.request_tokens))


def _pool_tokens(report: Report, lang: Lang) -> Told | None:
    ledger, setup = report.ledger, report.timings.setup
    if ledger is None or ledger.pool_tokens is None:
        return None
    told = Told(named("measure", "pool-tokens", lang), words.shown(ledger.pool_tokens, lang, "tokens"))
    if report.scenario.engine in _CELLS and ledger.entry("kv") is not None:
        return told._replace(notes=(sentence("explain.cells", {}, lang),))
    if ledger.pool is not None and not ledger.pool.layers.plain:
        return told._replace(notes=(sentence("explain.pool-kinds", {}, lang),))
    room = _cache_may_have(ledger)
    if room is not None and room > 0 and setup is not None:
        size = memory.kv_bytes_per_token(setup.model, setup.p, setup.tp, setup.pp)
        for block in _BLOCKS if ledger.pool is None else (ledger.pool.layers.block_size,):
            given: Given = {"budget": Fraction(int(room)), "bs": block}
            if result("pool_tokens", given, {"kv_per_token": size}) == ledger.pool_tokens:
                return told._replace(lines=texts(work("pool_tokens", given, lang, {"kv_per_token": size})))
    return told._replace(notes=(sentence("explain.none", {}, lang),))


_CELLS = ("llama.cpp", "ollama", "exllama")
"""Servers whose cache is so many cells, taken at the start."""
_BLOCKS = (1, 16, 32, 64, 128)
"""Sizes of blocks to try where the ledger does not say its own; only one that gives the number is shown."""


def _requests(report: Report, lang: Lang) -> Told | None:
    ledger, setup = report.ledger, report.timings.setup
    if ledger is None or ledger.fits is None:
        return None
    told = Told(label("fits", lang), words.shown(ledger.fits, lang, "fits"))
    note = sentence("explain.requests", {}, lang)
    if ledger.pool is None and setup is not None and ledger.request_tokens:
        return told._replace(lines=_in_blocks(report, ledger, setup, lang), notes=(note,))
    if ledger.pool is None or setup is None or not ledger.request_tokens:
        return told._replace(notes=(note,))
    size = cache.request(setup, ledger.request_tokens)
    budget = Fraction(max(int(ledger.pool.budget.bytes), 0))
    lines = work("max_requests", {"budget": budget}, lang, {"kv_per_request": size})
    blocks_note = cache.state(setup, lang)
    if result("max_requests", {"budget": budget}, {"kv_per_request": size}) != ledger.fits:
        blocks_note = (*blocks_note, sentence("explain.blocks", {"value": told.value}, lang))
    return told._replace(lines=texts(lines), notes=(note, *blocks_note))


def _in_blocks(report: Report, ledger: Ledger, setup: Setup, lang: Lang) -> tuple[str, ...]:
    """Requests of whole blocks in what the cache may have; nothing where that does not give the number."""
    size, used = _cache_may_have(ledger), ledger.request_tokens
    if size is None or not used or ledger.reservation is not None:
        return ()
    budget: Given = {"budget": _whole(size)}
    for block in dict.fromkeys((report.scenario.block_size or 1, *_BLOCKS)):
        slots = int(result("slots", {"used": used, "bs": block}))
        each = {"kv_per_request": cache.request(setup, slots)}
        if result("max_requests", budget, each) == ledger.fits:
            rounded = texts(work("slots", {"used": used, "bs": block}, lang)) if block > 1 else ()
            return (*rounded, *texts(work("max_requests", budget, lang, each)))
    return ()


def _cache_may_have(ledger: Ledger) -> Fraction | None:
    """Bytes of a pool, or of a cache that grows: what it holds now and what is free beside it."""
    pool, now, free = ledger.entry("kv-pool"), ledger.entry("kv"), ledger.entry("free")
    if pool is not None:
        return pool.bytes
    return None if now is None or free is None else now.bytes + free.bytes


def _waste(report: Report, lang: Lang) -> Told | None:
    s, ledger = report.scenario, report.ledger
    used = None if s.prompt is None or s.output is None else s.prompt.mid + s.output.mid
    if ledger is not None and ledger.request_tokens:
        used = ledger.request_tokens
    if not s.reserve or not used or used > s.reserve:
        return None
    given = {"max_len": s.reserve, "used": used, "bs": 16 if s.block_size is None else s.block_size}
    value = words.shown(Amount(result("naive_waste", given), "%"), lang)
    lines = (*work("naive_waste", given, lang), *work("paged_waste", given, lang))
    return Told(label("waste", lang), value, texts(lines), (sentence("explain.waste", {}, lang),))


MAKERS: Mapping[str, Callable[[Report, Lang], Told | None]] = {
    "kv": _kv, "kv-asked": _asked, "kv-per-token": _kv_per_token, "pool-tokens": _pool_tokens, "requests": _requests,
    "waste": _waste,
}  # fmt: skip
"""Numbers that are no line of the ledger, or are more than one."""
