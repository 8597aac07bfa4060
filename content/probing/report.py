"""A result as the pieces of a report, in the order of reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from content.lang import Lang
from content.probing import curve, words
from content.probing.case import case, learned
from content.probing.section import Row, Section
from content.words import say
from engine.probe.model import Ceiling, Change, Result

LEAST_CHANGE = 0.02
"""Changes under this share are the noise of two runs."""


def sections(
    result: Result, lang: Lang, changes: Sequence[Change] = (), before: str = "", drawn: bool = True
) -> tuple[Section, ...]:
    """The report.

    Args:
        result: what was found.
        lang: of the words.
        changes: beside an earlier run, which was at ``before`` (UTC, ISO 8601).
        before: when that was; "" for no such run.
        drawn: whether the curve is among it, as lines of plain letters.
    """
    if result.blocked == "busy":  # the numbers are another program's
        made = [_head(result, lang), _changes(changes, before, lang), _notes(result, lang)]
    else:
        made = [
            _head(result, lang), _ceilings(result, lang), curve.section(result, lang, drawn), *case(result, lang),
            _changes(changes, before, lang), _notes(result, lang), learned(result, lang),
        ]  # fmt: skip
    return tuple(one for one in made if one is not None and (one.rows or one.texts or one.drawn))


# --- head ------------------------------------------------------------------------------------------------------------


def _head(result: Result, lang: Lang) -> Section:
    texts = [" - ".join(_device(result, lang))]
    if software := ", ".join(_software(result)):
        texts.append(software)
    if result.run.demonstration:
        texts.append(say("probe.report.demonstration", lang))
    return Section("head", "", texts=tuple(text for text in texts if text))


def _device(result: Result, lang: Lang) -> Iterator[str]:
    """Name, free memory, clock, others on it."""
    device = result.run.device
    if device is None:
        return
    yield words.clean(device.name, 60) or device.kind
    if device.free is not None:
        yield say("probe.report.free", lang, free=words.size(device.free, lang))
    if device.threads is not None:
        yield say("probe.report.threads", lang, n=device.threads)
    if device.clock is not None and device.clock > 0:
        yield say("probe.report.clock", lang, clock=words.clock(device.clock))
    if device.others:
        yield say("probe.report.others", lang, pids=", ".join(map(str, device.others[:4])))
    elif device.witness and device.kind == "cuda" and not any(note.id == "others-on-card" for note in result.notes):
        yield say("probe.report.alone", lang)


def _software(result: Result) -> Iterator[str]:
    software, device = result.run.software, result.run.device
    if software is not None:
        yield f"torch {words.clean(software.torch, 40)}"
        yield f"Python {words.clean(software.python, 20)}"
    if device is not None and device.driver:
        yield f"driver {words.clean(device.driver, 30)}"
    if device is not None and device.runtime:
        yield f"{'ROCm' if software is not None and software.backend == 'rocm' else 'CUDA'} {device.runtime[:20]}"


# --- what it reaches -------------------------------------------------------------------------------------------------


def _ceilings(result: Result, lang: Lang) -> Section:
    rows = (*_memory(result, lang), *_products(result, lang), *_stack(result, lang), *_knee(result, lang))
    texts = (words.no_knee(result.no_knee, lang),) if result.knee is None and result.curve and result.no_knee else ()
    return Section("ceilings", say("probe.report.ceilings", lang), rows, texts)


def of_sheet(one: Ceiling, lang: Lang, of: str) -> str:
    """A rate (of a dtype's products, or "bytes") beside the data sheet's; "" where that is not known."""
    if one.sheet is None or one.share is None:
        return ""
    sheet = words.rate(one.sheet, lang) if of == "bytes" else words.speed(one.sheet, lang, of)
    return say("probe.report.of_sheet", lang, share=words.share(one.share, lang), sheet=sheet)


def _memory(result: Result, lang: Lang) -> Iterator[Row]:
    of = result.ceilings
    if of.bandwidth is None:
        return
    by_read = of.read is not None and of.read.rate == of.bandwidth.rate
    slower, name = (of.copy, "by_copy") if by_read else (of.read, "by_read")
    notes = [
        say(f"probe.report.{'by_read' if by_read else 'by_copy'}", lang),
        of_sheet(of.bandwidth, lang, "bytes"),
    ]
    if slower is not None:
        what, rate = say(f"probe.report.{name}", lang), words.rate(slower.rate, lang)
        notes.append(say("probe.report.other_way", lang, what=what, rate=rate))
    yield Row(say("probe.report.memory", lang), words.rate(of.bandwidth.rate, lang), _joined(notes))


def _products(result: Result, lang: Lang) -> Iterator[Row]:
    for dtype, one in result.ceilings.products.items():
        title = say("probe.report.product", lang, dtype=words.dtype(dtype))
        yield Row(title, words.speed(one.rate, lang, dtype), of_sheet(one, lang, dtype))


def _stack(result: Result, lang: Lang) -> Iterator[Row]:
    """Rates and times of the stack that stands for a model."""
    of, run = result.ceilings, result.run
    alone = next((spot for spot in result.curve if spot.batch == 1), None)
    if of.fixed is not None:
        notes = [say("probe.report.a_layer", lang)]
        if of.kv_fixed:
            notes.append(say("probe.report.kv_fixed", lang, time=words.seconds(of.kv_fixed, lang)))
        if alone is not None and run.plan is not None:
            part = min(of.fixed * run.plan.layers / alone.seconds, 1.0)
            notes.append(say("probe.report.of_step", lang, share=words.share(part, lang)))
        if alone is not None and run.eager is not None and run.eager.seconds > 1.05 * alone.seconds:
            times = words.factor(run.eager.seconds / alone.seconds)
            notes.append(say("probe.report.eager", lang, factor=times))
        yield Row(say("probe.report.fixed", lang), words.seconds(of.fixed, lang), _joined(notes))
    if of.weights is not None:
        note = say("probe.report.weights_note", lang)
        yield Row(say("probe.report.weights", lang), words.rate(of.weights.rate, lang), note)
    yield from _kv(result, lang)
    yield from _prefill(result, lang)


def _kv(result: Result, lang: Lang) -> Iterator[Row]:
    of, caches = result.ceilings.kv, result.run.caches
    if of is None:
        return
    notes: list[str] = []
    if caches:
        largest, smallest = (pick(caches, key=lambda one: one.bytes / one.layers) for pick in (max, min))
        notes.append(say("probe.report.kv_note", lang, batch=largest.batch, context=largest.context))
        if smallest.rate < of.rate / 2:
            notes.append(
                say(
                    "probe.report.kv_small", lang, batch=smallest.batch, context=smallest.context,
                    rate=words.rate(smallest.rate, lang),
                )
            )  # fmt: skip
    yield Row(say("probe.report.kv", lang), words.rate(of.rate, lang), _joined(notes))


def _prefill(result: Result, lang: Lang) -> Iterator[Row]:
    of = result.ceilings
    if of.prefill is None:
        return
    best = max((one.rate for name, one in of.products.items() if name not in ("int8", "fp8")), default=None)
    prompts = sorted((one for one in result.run.prompts if one.stage != "case"), key=lambda one: one.tokens)
    notes = [
        say("probe.report.of_matmul", lang, tokens=one.tokens, share=words.share(one.rate / best, lang))
        for one in prompts[-2:]
        if best
    ]
    if result.prefill_slope is not None and result.prefill_slope >= _LINEAR:
        notes.append(say("probe.report.prefill_linear", lang))
    yield Row(say("probe.report.prefill", lang), words.speed(of.prefill.rate, lang), _joined(notes))


_LINEAR = 0.8
"""Slope from which on 99 % of steps were compute-bound (probe.md section 2.4)."""


def _knee(result: Result, lang: Lang) -> Iterator[Row]:
    knee = result.knee
    if knee is None:
        return
    notes = [
        say("probe.report.knee_band", lang, low=words.number(round(knee.low)), high=words.number(round(knee.high)))
    ]
    if knee.agree is False and knee.fitted is not None:
        notes.append(say("probe.report.knee_fit", lang, fitted=words.number(round(knee.fitted))))
        notes.append(say("probe.report.knee_apart", lang))
    if knee.ridge is not None:
        notes.append(say("probe.report.knee_ridge", lang, ridge=words.number(round(knee.ridge))))
    if knee.sheet is not None:
        notes.append(say("probe.report.knee_sheet", lang, sheet=words.number(round(knee.sheet))))
    value = say("probe.report.knee_value", lang, batch=words.number(round(knee.batch)))
    yield Row(say("probe.report.knee", lang), value, _joined(notes))


def _joined(notes: Sequence[str]) -> str:
    return "; ".join(note for note in notes if note)


# --- beside an earlier run, and what to know -------------------------------------------------------------------------


def _changes(changes: Sequence[Change], before: str, lang: Lang) -> Section | None:
    if not before:
        return None
    at = words.moment(before)
    if not changes:
        return Section("changes", "", texts=(say("probe.report.changes_not", lang, at=at),))
    large = [one for one in changes if abs(one.change) >= LEAST_CHANGE]
    if not large:
        text = say("probe.report.changes_none", lang, at=at, least=words.share(LEAST_CHANGE, lang))
        return Section("changes", "", texts=(text,))
    texts = (say("probe.report.changes_alike", lang),) if _alike(changes) else ()
    rows = tuple(Row(*words.change(one, lang)) for one in large)
    return Section("changes", say("probe.report.changes", lang, at=at), rows, texts)


def _alike(changes: Sequence[Change]) -> bool:
    """Whether all rates fell by about as much: then it is no single part of the card."""
    rates = [one.change for one in changes if one.name not in ("knee", "floor")]
    return len(rates) > 2 and max(rates) < -_FELL and max(rates) - min(rates) < _FELL


_FELL = 0.05
"""Share by which rates have fallen, and within which they have fallen alike."""


def _notes(result: Result, lang: Lang) -> Section:
    run = result.run
    found = dict.fromkeys(words.note(one, lang) for one in words.together(result.notes))
    if run.failed is not None:
        found[words.failed(*run.failed, lang)] = None
    elif run.ended is not None:
        found[words.ended(run.ended, lang)] = None
    if result.blocked:
        found[words.blocked(result.blocked, lang)] = None
    if run.odd:
        found[say("probe.report.odd", lang, n=run.odd)] = None
    return Section("notes", say("probe.report.notes", lang), texts=tuple(found))
