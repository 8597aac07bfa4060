"""The numbers of a report as rows: the memory of one card, and the time of a step."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from content.diagnosing import words
from content.diagnosing.block import Block
from content.diagnosing.words import label, named, sentence
from content.lang import Lang
from engine.diagnosis.model import Amount, Entry, Ledger, Report, Timing


def row(name: str, title: str, value: str, note: str = "", origin: str = "") -> Block:
    """One number: its name, its value, its spread or what it was computed for, and where it comes from."""
    tail = "; ".join(part for part in (note, origin) if part)
    return Block("row", f"{title}: {value}" + (f" ({tail})" if tail else ""), title, value, note, origin, name)


# --- memory ----------------------------------------------------------------------------------------------------------


def memory(report: Report, lang: Lang) -> Iterator[Block]:
    """The ledger, and what the pool holds."""
    ledger = report.ledger
    if ledger is None:
        return
    for entry in (*ledger.entries, ledger.card):
        yield entry_row(entry, lang, seen=of_others(entry, report))
    held = ledger.entry("kv")
    if ledger.asked is not None and (held is None or held.bytes != ledger.asked.bytes):
        yield entry_row(ledger.asked, lang)
    if ledger.pool_tokens is not None:
        pool = words.shown(ledger.pool_tokens, lang, "tokens")
        yield row("pool-tokens", named("measure", "pool-tokens", lang), pool)
    if ledger.longest is not None and ledger.longest != ledger.pool_tokens:
        yield row("longest", label("longest", lang), words.shown(ledger.longest, lang, "longest"))
    yield from _requests(ledger, lang)
    if ledger.reservation is not None:
        waste = words.shown(Amount(ledger.reservation.waste, "%"), lang)
        yield row("waste", label("waste", lang), waste)


def of_others(entry: Entry, report: Report) -> bool:
    """Whether a figure was seen on other servers, and not in the log of this one."""
    if any(one.name == entry.name and one.why == "seen-elsewhere" for one in report.assumed):
        return True
    pool = report.scenario.said.get("kv_pool") or report.scenario.said.get("kv_pool_tokens")
    own = entry.name in ("others", *report.scenario.logged) or (entry.name == "kv-pool" and pool is not None)
    return entry.origin == "log" and not own


def _requests(ledger: Ledger, lang: Lang) -> Iterator[Block]:
    tokens = "" if ledger.request_tokens is None else words.shown(ledger.request_tokens, lang, "tokens")
    if ledger.fits is not None:
        each = label("of_tokens", lang, tokens=tokens) if tokens else ""
        yield row("requests", label("fits", lang), words.shown(ledger.fits, lang, "fits"), each)
    elif tokens:
        yield row("request-tokens", label("request_tokens", lang), tokens)


def entry_row(entry: Entry, lang: Lang, short: bool = False, seen: bool = False) -> Block:
    """A line of the ledger; what is missing is shown as such, not as a negative rest.

    Args:
        entry: the line.
        lang: of the words.
        short: by its short name.
        seen: whether it is a figure of other servers, and is told so.
    """
    size, name = entry.bytes, entry.name
    missing = name == "free" and size < 0
    title = named("ledger", "short" if missing else name, lang, short)
    spread = ""
    if entry.low != entry.high and not missing:
        low = max(entry.low, Fraction(0)) if size >= 0 else entry.low
        spread = _band(words.gb(low), words.gb(entry.high), lang)
    origin = sentence("origin.seen" if seen else f"origin.{entry.origin}", {}, lang)
    return row(name, title, words.gb(abs(size)), spread, origin)


def _band(low: str, high: str, lang: Lang) -> str:
    """Both ends, with one unit where it is the same."""
    number, _, unit = low.partition(" ")
    return label("band", lang, low=number if high.endswith(f" {unit}") else low, high=high)


# --- times -----------------------------------------------------------------------------------------------------------


def times(report: Report, lang: Lang) -> Iterator[Block]:
    """Both kinds of step with their parts, and what was measured; nothing of a server that does not come up."""
    found = report.timings
    measured = any(one is not None and one.measured is not None for one in (found.decode, found.prefill))
    if _cannot_run(report.ledger) or (report.phase == "load" and not measured):
        return
    for name, timing in (("decode", found.decode), ("prefill", found.prefill)):
        if timing is not None:
            yield from _timing(name, timing, lang)
    if found.decode_share is not None:
        yield Block("note", label("decode_share", lang, share=words.share(found.decode_share, lang)))


def _cannot_run(ledger: Ledger | None) -> bool:
    """Whether the weights alone are more than the card: no step ever runs then."""
    weights = None if ledger is None else ledger.entry("weights")
    return ledger is not None and weights is not None and weights.bytes > ledger.card.bytes


def step_title(name: str, timing: Timing, lang: Lang) -> str:
    """What a step was computed for: "decode, 64 requests with 2176 tokens each"."""
    tokens = words.shown(timing.tokens, lang, "tokens")
    if name == "prefill":
        return label("prefill", lang, prompt=tokens)
    return label("decode", lang, batch=words.shown(timing.batch, lang, "batch"), context=tokens)


def step_load(name: str, timing: Timing, lang: Lang) -> str:
    """The same without the step's name: "64 requests with 2176 tokens each"."""
    tokens = words.shown(timing.tokens, lang, "tokens")
    if name == "prefill":
        return label("prefill_of", lang, prompt=tokens)
    return label("decode_of", lang, batch=words.shown(timing.batch, lang, "batch"), context=tokens)


def _timing(name: str, timing: Timing, lang: Lang) -> Iterator[Block]:
    band = timing.step.time
    spread = _band(words.seconds(band.low, lang), words.seconds(band.high, lang), lang)
    ideal = label("ideal", lang, value=words.seconds(timing.step.ideal.total, lang))
    title = named("measure", f"{name}-step", lang)
    note = f"{spread}; {step_load(name, timing, lang)}"
    yield row(name, title, words.seconds(timing.step.seconds, lang), note, ideal)
    shares, parts = timing.step.shares(), timing.step.parts()
    for part, time in sorted(parts.items(), key=lambda pair: -pair[1]):
        if time and shares[part] >= _LEAST_PART:
            share = words.share(shares[part], lang)
            yield row(f"{name}.{part}", f"  {named('part', part, lang)}", words.seconds(time, lang), share)
    if timing.measured is not None:
        yield Block("note", _measured(timing, lang))


_LEAST_PART = 0.01
"""Parts of a step under a hundredth of it are left out."""


def _measured(timing: Timing, lang: Lang) -> str:
    """What was measured beside the band that is printed; of a time that prompts of others share, the step's own."""
    band, measured, own = timing.step.time, timing.measured, timing.own
    assert measured is not None and own is not None
    shown, by = words.seconds(measured, lang), sentence(f"measured.{timing.measured_by}", {}, lang)
    shown = f"{shown} ({by})" if by else shown
    if timing.shared != 1:
        shown = label("measured_own", lang, measured=shown, own=words.seconds(own, lang))
    if timing.excess:
        high, beyond = words.seconds(band.high, lang), words.share(timing.excess, lang)
        return label("beyond_band", lang, measured=shown, high=high, share=beyond)
    return label("below_band" if own < band.low else "inside_band", lang, measured=shown)
