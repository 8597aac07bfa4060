"""Where a number of a report comes from: its formula with the values put in, and the lesson that teaches it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from content import course
from content.diagnosing import blocks, words
from content.diagnosing.steps import reached_notes, step_lines
from content.diagnosing.words import label, named, sentence
from content.diagnosing.working import Given, Line, work
from content.lang import Lang
from engine import memory
from engine.catalog import NoValues
from engine.diagnosis.model import Amount, Entry, Ledger, Report
from engine.formulas import registry
from engine.formulas.registry import FormulaError, result
from engine.parallel import kv_heads
from engine.roofline import peak
from engine.steps import Setup

_LESSONS: Mapping[str, str] = {
    **dict.fromkeys(("decode", "prefill", "knee", "decode-share"), "core/C1"),
    **dict.fromkeys(("kv", "kv-per-token", "kv-asked"), "core/C2"),
    **dict.fromkeys(("waste", "reserved"), "core/C3"),
    **dict.fromkeys(("weights", "kv-pool", "pool-tokens", "requests", "free", "card"), "core/C5"),
}
"""The lesson that teaches a number."""


class Explanation(NamedTuple):
    """Where a number comes from.

    Attributes:
        name: of the number.
        title, value: what it is called, and what it is.
        lines: the working: formula, numbers, value; to be shown as they are, not wrapped.
        notes: sentences about it.
        source: of the formula or of an observation, as it is written there; "" for none.
        lesson: id of the lesson that teaches it; "" where none does.
        lesson_title: its title.
    """

    name: str
    title: str
    value: str
    lines: tuple[str, ...]
    notes: tuple[str, ...]
    source: str
    lesson: str
    lesson_title: str


class _Told(NamedTuple):
    title: str
    value: str
    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    source: str = ""


def explain(report: Report, lang: Lang, name: str) -> Explanation | None:
    """The working of a number of the report; ``None`` for a name that it has no number of.

    Names are those of the blocks: lines of the ledger, "decode", "prefill" (and "decode.kv": a part of it),
    "kv-per-token", "knee", "waste", "requests", "pool-tokens".
    """
    whole = name.partition(".")[0]
    try:
        found = _MAKERS[whole](report, lang) if whole in _MAKERS else _entry(report, lang, whole)
    except (FormulaError, NoValues, ValueError, ArithmeticError):
        found = None
    if found is None:
        return None
    lesson = _LESSONS.get(whole, "")
    title = course.shipped().lesson_entry(lesson).title[lang] if lesson else ""
    return Explanation(name, *found, lesson, title)


def names(report: Report) -> tuple[str, ...]:
    """Every name that the report can explain."""
    ledger = report.ledger
    entries = () if ledger is None else tuple(one.name for one in (*ledger.entries, ledger.card))
    wanted = dict.fromkeys((*entries, *_MAKERS))
    return tuple(name for name in wanted if explain(report, "en", name) is not None)


# --- memory ----------------------------------------------------------------------------------------------------------


def _entry(report: Report, lang: Lang, name: str) -> _Told | None:
    ledger = report.ledger
    one = ledger.entry(name) if ledger is not None else None
    if ledger is None or one is None:
        return None
    row = blocks.entry_row(one, lang)
    told = _Told(row.label, row.value, source=_source(one.source))
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


def _weights(report: Report, ledger: Ledger, one: Entry, told: _Told, lang: Lang) -> _Told:
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
    return told._replace(lines=_texts(lines), notes=tuple(notes))


def _pool(report: Report, ledger: Ledger, one: Entry, told: _Told, lang: Lang) -> _Told:
    pool = ledger.pool
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
    return told._replace(lines=_texts(lines), notes=(sentence("explain.kv-pool", {}, lang),))


def _activation(report: Report, ledger: Ledger, one: Entry, told: _Told, lang: Lang) -> _Told:
    pool, model = ledger.pool, report.scenario.model
    if pool is None or model is None or one.origin != "assumed":
        return told._replace(notes=_seen(one, lang))
    given = {
        "batched_tokens": pool.settings.tokens, "max_seqs": pool.settings.seqs, "ffn": model.ffn,
        "d_model": model.d_model, "vocab": model.vocab,
    }  # fmt: skip
    rules = ("activation_layers", "activation_logits")
    lines = [line for rule in rules for line in work(rule, given, lang)]
    return told._replace(lines=_texts(lines), notes=(sentence("explain.activation", {}, lang), *_seen_band(one, lang)))


def _seen_band(one: Entry, lang: Lang) -> tuple[str, ...]:
    low, high = words.gb(one.low), words.gb(one.high)
    return (label("band", lang, low=low, high=high),) if one.low != one.high else ()


def _card(report: Report, ledger: Ledger, one: Entry, told: _Told, lang: Lang) -> _Told:
    return told._replace(notes=(sentence("explain.card", {"value": words.gb(one.bytes)}, lang),))


def _free(report: Report, ledger: Ledger, one: Entry, told: _Told, lang: Lang) -> _Told:
    others = [entry.bytes for entry in ledger.entries if entry is not one]
    numbers = " − ".join(words.gb(size) for size in (ledger.card.bytes, *others))
    lines = (numbers, f"  = {words.gb(one.bytes)}")
    return told._replace(lines=lines, notes=(sentence("explain.free", {}, lang),))


def _reserved(report: Report, ledger: Ledger, one: Entry, told: _Told, lang: Lang) -> _Told:
    s, setup, held = report.scenario, report.timings.setup, ledger.reservation
    if not s.reserve or setup is None or held is None or not held.bytes:
        return told._replace(notes=_seen(one, lang))
    known = {"kv_per_token": held.bytes / s.reserve}
    lines = _texts(work("reserved_bytes", {"max_len": s.reserve}, lang, known))
    requests = one.bytes / held.bytes
    total = f"{words.quantity(requests, 'requests', lang)} · {words.gb(held.bytes)} = {words.gb(one.bytes)}"
    return told._replace(lines=(*lines, total), notes=(sentence("explain.reserved", {}, lang),))


def _outside(report: Report, ledger: Ledger, one: Entry, told: _Told, lang: Lang) -> _Told:
    return told._replace(notes=(sentence("explain.outside", {"value": words.gb(one.bytes)}, lang),))


_ENTRIES: Mapping[str, Callable[[Report, Ledger, Entry, _Told, Lang], _Told]] = {
    "weights": _weights, "kv-pool": _pool, "activation": _activation, "card": _card, "free": _free,
    "reserved": _reserved, "outside": _outside,
}  # fmt: skip


# --- the cache -------------------------------------------------------------------------------------------------------


def _cache_symbols(setup: Setup) -> dict[str, Fraction | int] | None:
    """What the plain formula of the cache takes, on one card; ``None`` where it is not this model's."""
    model = setup.model
    if model.not_plain == "mla" and model.mla is not None:
        return {"L": model.layers, "latent": model.mla.latent, "rope_dim": model.mla.rope, "p": Fraction(setup.p)}
    if model.not_plain is not None or setup.pp > 1:
        return None
    heads = kv_heads(model, setup.tp)
    return {"L": model.layers, "n_kv_heads": heads, "d_head": model.head_dim, "p": Fraction(setup.p)}


def _kv_per_token(report: Report, lang: Lang) -> _Told | None:
    setup = report.timings.setup
    if setup is None:
        return None
    size = memory.kv_bytes_per_token(setup.model, setup.p, setup.tp, setup.pp)
    told = _Told(label("kv_per_token", lang), words.quantity(size, "bytes", lang))
    symbols = _cache_symbols(setup)
    if symbols is None:
        return told._replace(notes=(sentence("explain.kv-kinds", {"value": told.value}, lang),))
    one = {"B": 1, "S": 1} if "latent" in symbols else {}
    lines = work("mla_cache" if one else "kv_per_token", {**symbols, **one}, lang)
    return told._replace(lines=_texts(lines), notes=(sentence("explain.kv-per-token", {}, lang),))


def _kv(report: Report, lang: Lang) -> _Told | None:
    """The cache where it grows with its requests, or has a fixed number of cells."""
    ledger, setup = report.ledger, report.timings.setup
    one = None if ledger is None else ledger.entry("kv")
    if one is None:
        return None
    row = blocks.entry_row(one, lang)
    told = _Told(row.label, row.value, source=_source(one.source))
    symbols = None if setup is None else _cache_symbols(setup)
    if setup is None or symbols is None or "latent" in symbols:
        return told._replace(notes=(sentence("explain.kv-kinds", {"value": row.value}, lang),))
    token = result("kv_per_token", symbols)
    lines = work("kv_cache", {**symbols, "B": 1, "S": one.bytes / token}, lang)
    return told._replace(lines=_texts(lines), notes=(sentence("explain.kv-per-token", {}, lang),))


def _pool_tokens(report: Report, lang: Lang) -> _Told | None:
    ledger, setup = report.ledger, report.timings.setup
    if ledger is None or ledger.pool_tokens is None:
        return None
    told = _Told(named("measure", "pool-tokens", lang), words.shown(ledger.pool_tokens, lang, "tokens"))
    if report.scenario.context_total and ledger.entry("kv") is not None:
        return told._replace(notes=(sentence("explain.cells", {}, lang),))
    if ledger.pool is not None and not ledger.pool.layers.plain:
        return told._replace(notes=(sentence("explain.pool-kinds", {}, lang),))
    pool = ledger.entry("kv-pool")
    if pool is not None and pool.bytes > 0 and setup is not None:
        size = memory.kv_bytes_per_token(setup.model, setup.p, setup.tp, setup.pp)
        for block in _BLOCKS if ledger.pool is None else (ledger.pool.layers.block_size,):
            given: Given = {"budget": Fraction(int(pool.bytes)), "bs": block}
            if result("pool_tokens", given, {"kv_per_token": size}) == ledger.pool_tokens:
                return told._replace(lines=_texts(work("pool_tokens", given, lang, {"kv_per_token": size})))
    return told._replace(notes=(sentence("explain.none", {}, lang),))


_BLOCKS = (1, 16, 32, 64, 128)
"""Sizes of blocks to try where the ledger does not say its own; only one that gives the number is shown."""


def _requests(report: Report, lang: Lang) -> _Told | None:
    ledger, setup = report.ledger, report.timings.setup
    if ledger is None or ledger.fits is None:
        return None
    told = _Told(label("fits", lang), words.shown(ledger.fits, lang, "fits"))
    note = sentence("explain.requests", {}, lang)
    if ledger.pool is None or setup is None or not ledger.request_tokens:
        return told._replace(notes=(note,))
    size = memory.kv_bytes(setup.model, ledger.request_tokens, setup.p, tp=setup.tp, pp=setup.pp)
    budget = Fraction(max(int(ledger.pool.budget.bytes), 0))
    lines = work("max_requests", {"budget": budget}, lang, {"kv_per_request": size})
    blocks_note: tuple[str, ...] = ()
    if result("max_requests", {"budget": budget}, {"kv_per_request": size}) != ledger.fits:
        blocks_note = (sentence("explain.blocks", {"value": told.value}, lang),)
    return told._replace(lines=_texts(lines), notes=(note, *blocks_note))


def _waste(report: Report, lang: Lang) -> _Told | None:
    s, ledger = report.scenario, report.ledger
    used = None if s.prompt is None or s.output is None else s.prompt.mid + s.output.mid
    if ledger is not None and ledger.request_tokens:
        used = ledger.request_tokens
    if not s.reserve or not used or used > s.reserve:
        return None
    given = {"max_len": s.reserve, "used": used, "bs": 16 if s.block_size is None else s.block_size}
    value = words.shown(Amount(result("naive_waste", given), "%"), lang)
    lines = (*work("naive_waste", given, lang), *work("paged_waste", given, lang))
    return _Told(label("waste", lang), value, _texts(lines), (sentence("explain.waste", {}, lang),))


# --- time ------------------------------------------------------------------------------------------------------------


def _knee(report: Report, lang: Lang) -> _Told | None:
    setup = report.timings.setup
    rate = None if setup is None else peak(setup.gpu, setup.unit)
    if setup is None or rate is None:
        return None
    given: Given = {"peak_flops": rate, "bandwidth": setup.gpu.bandwidth, "p_w": setup.form.linear_bits / 8}
    value = words.shown(Amount(result("knee_batch", given), "tokens"), lang)
    lines, note = work("knee_batch", given, lang), sentence("explain.knee", {}, lang)
    return _Told(label("knee", lang), value, _texts(lines), (note,))


def _step(name: str) -> Callable[[Report, Lang], _Told | None]:
    def told(report: Report, lang: Lang) -> _Told | None:
        timing = report.timings.decode if name == "decode" else report.timings.prefill
        if timing is None:
            return None
        lines, chunked = step_lines(report.timings.setup, timing, lang)
        notes = [sentence("explain.step-why", {}, lang)]
        if chunked:
            notes.append(sentence("explain.step-chunks", {}, lang))
        title = blocks.step_title(name, timing, lang)
        notes += reached_notes(timing, lang)
        return _Told(title, words.seconds(timing.step.seconds, lang), lines, tuple(notes))

    return told


_MAKERS: Mapping[str, Callable[[Report, Lang], _Told | None]] = {
    "kv": _kv, "kv-per-token": _kv_per_token, "pool-tokens": _pool_tokens, "requests": _requests, "waste": _waste,
    "knee": _knee, "decode": _step("decode"), "prefill": _step("prefill"),
}  # fmt: skip


def _texts(lines: Iterable[Line]) -> tuple[str, ...]:
    return tuple(text for line in lines for text in line.texts())
