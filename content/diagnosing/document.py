"""A report as JSON: a public interface, its keys grow but never change.

Numbers are plain, in the unit beside them; a sentence is there in both languages.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from content.diagnosing import blocks, layout, reconciled, words
from content.diagnosing import evidence as read
from content.diagnosing.levers import lever, times_better
from content.lang import LANGS, Lang
from engine import units
from engine.artefacts.evidence import Evidence
from engine.diagnosis import scenario
from engine.diagnosis.model import (
    Amount,
    Assumed,
    Effect,
    Entry,
    Finding,
    Key,
    LeverResult,
    Param,
    Partner,
    Question,
    Reconciled,
    Report,
    Scenario,
    Timing,
)
from engine.roofline import Times

Document = dict[str, Any]


def document(report: Report, evidence: Evidence | None = None, probe: Any = None) -> Document:
    """The whole report.

    Args:
        report: what was found.
        evidence: what was read in files, by the names of observed quantities.
        probe: what a probe of the card at hand found.
    """
    return {
        "phase": report.phase,
        "wall": report.wall,
        "detail": report.detail,
        "walls": [{"id": one.id, "share": plain(one.share), "detail": one.detail} for one in report.walls],
        "findings": [_finding(one) for one in report.findings],
        "levers": [_lever(one) for one in report.levers],
        "ledger": _ledger(report),
        "room": _room(report),
        "steps": {"decode": _step(report.timings.decode), "prefill": _step(report.timings.prefill)},
        "decode_share": plain(report.timings.decode_share),
        **read.document(evidence or Evidence()),
        "reconciliation": [_reconciled(one) for one in report.reconciled],
        "assumed": [_assumed(one) for one in report.assumed],
        "questions": [_question(one) for one in report.questions],
        "experiment": _experiment(report),
        "unread": [{"field": one.field, "text": one.text, "reason": one.reason, "why": _unread(one)}
                   for one in report.scenario.unread],
        "conflicts": [one._asdict() for one in report.scenario.conflicts],
        "probe": probe,
        "scenario": _scenario(report.scenario),
        "text": {lang: "\n".join(layout.lines(report, lang)) for lang in LANGS},
    }  # fmt: skip


def plain(value: Fraction | int | None) -> int | float | str | None:
    """An exact value as a JSON number; one that is too large for it stays text."""
    if value is None:
        return None
    exact = Fraction(value)
    if exact.denominator == 1:
        return int(exact) if abs(exact) < 2**63 else str(exact.numerator)
    try:
        return float(exact)
    except OverflowError:
        return str(exact)


def amount(one: Amount) -> Document:
    """A value in its unit; bytes in GB, times in ms, shares as fractions, so that one need not look."""
    unit = {"bytes": "GB", "s": "ms", "%": "fraction"}.get(one.unit, one.unit)
    size = Fraction(1) if unit in ("fraction", "none") else units.get(unit).factor
    return {"value": plain(one.value / size), "unit": "" if unit == "none" else unit}


def param(one: Param) -> Any:
    """A parameter: a number with its unit, or what is written."""
    if isinstance(one, Amount):
        return amount(one)
    return one.name if isinstance(one, Key) else one


def _both(texts: Mapping[Lang, str]) -> dict[str, str] | None:
    """A sentence in both languages; ``None`` where there is none."""
    return {lang: texts[lang] for lang in LANGS} if all(texts.values()) else None


def _finding(one: Finding) -> Document:
    return {
        "cause": one.cause, "wall": one.wall, "detail": one.detail, "phase": one.phase,
        "strength": plain(one.strength), "share": plain(one.share), "by": one.by, "because": list(one.because),
        "params": {name: param(value) for name, value in one.params.items()},
        "text": _both({lang: words.cause(one, lang) for lang in LANGS}),
    }  # fmt: skip


# --- levers ----------------------------------------------------------------------------------------------------------


def _lever(one: LeverResult) -> Document:
    said = {lang: lever(one, lang) for lang in LANGS}
    return {
        "id": one.id,
        "helps": one.helps,
        "effect": [_effect(effect) for effect in one.effects],
        "gain": plain(one.gain),
        "published": one.published,
        "precondition": _both({lang: said[lang].need for lang in LANGS}),
        "met": _MET[one.precondition],
        "warning": _both({lang: said[lang].warning for lang in LANGS}),
        "why": _both({lang: said[lang].why for lang in LANGS}),
        "reason": one.why or None,
        "flag": one.flag or None,
        "params": {name: param(value) for name, value in one.params.items()},
        "with": None if one.beside is None else _partner(one.beside),
        "or_with": [_partner(other) for other in one.instead],
    }


def _partner(one: Partner) -> Document:
    return {"id": one.id, "flag": one.flag or None, "met": _MET[one.precondition]}


_MET = {"met": True, "failed": False, "unknown": None}


def _effect(one: Effect) -> Document:
    return {
        "measure": one.measure, "before": amount(one.before), "after": amount(one.after),
        "factor": plain(times_better(one)),
        "batches": None if one.batches is None else list(one.batches),
    }  # fmt: skip


# --- what was computed -----------------------------------------------------------------------------------------------


def _ledger(report: Report) -> list[Document]:
    ledger = report.ledger
    return [] if ledger is None else [_entry(one) for one in (*ledger.entries, ledger.card)]


def _entry(one: Entry) -> Document:
    return {
        "name": one.name, "bytes": plain(one.bytes), "low": plain(one.low), "high": plain(one.high),
        "origin": one.origin, "source": one.source,
    }  # fmt: skip


def _room(report: Report) -> Document | None:
    ledger = report.ledger
    if ledger is None:
        return None
    held = ledger.reservation
    return {
        "pool_tokens": ledger.pool_tokens,
        "request_tokens": ledger.request_tokens,
        "requests": ledger.fits,
        "longest": ledger.longest,
        "asked": None if ledger.asked is None else plain(ledger.asked.bytes),
        "reserved": held and {
            "bytes": plain(held.bytes), "requests": held.requests, "unused": held.unused, "waste": plain(held.waste),
            "paged_requests": held.paged_requests, "paged_waste": plain(held.paged_waste),
        },
    }  # fmt: skip


def _step(one: Timing | None) -> Document | None:
    if one is None:
        return None
    band, shares = one.step.time, one.step.shares()
    return {
        "unit": "s",
        "batch": one.batch,
        "tokens": one.tokens,
        "low": plain(band.low),
        "usual": plain(band.mid),
        "high": plain(band.high),
        "data_sheet": plain(one.step.ideal.total),
        "parts": {part: plain(time) for part, time in one.step.parts().items()},
        "shares": {part: plain(share) for part, share in shares.items()},
        "times": _times(one.step.usual),
        "measured": plain(one.measured),
        "measured_by": one.measured_by or None,
        "excess": plain(one.excess),
    }


def _times(one: Times) -> Document:
    return {name: plain(value) for name, value in one._asdict().items()}


# --- the rest --------------------------------------------------------------------------------------------------------


def _assumed(one: Assumed) -> Document:
    why = {lang: blocks.assumed_words(one, lang)[2] for lang in LANGS}
    return {"name": one.name, "value": param(one.value), "reason": one.why, "why": _both(why), "source": one.source}


def _question(one: Question) -> Document:
    said = {lang: blocks.question_words(one, lang) for lang in LANGS}
    return {
        "input": one.input,
        "ask": _both({lang: said[lang][0] for lang in LANGS}),
        "why": _both({lang: said[lang][1] for lang in LANGS}),
    }


def _experiment(report: Report) -> Document | None:
    one = report.experiment
    if one is None:
        return None
    text = {lang: blocks.experiment_text(report, lang) for lang in LANGS}
    return {"id": one.id, "flag": one.flag or None, "text": _both(text)}


def _reconciled(one: Reconciled) -> Document:
    text = {lang: reconciled.why(one, lang) for lang in LANGS}
    return {
        "name": one.name, "computed": amount(one.expected), "logged": amount(one.printed),
        "residual": amount(one.residual), "why": one.why, "source": one.source, "basis": one.basis,
        "params": {name: param(value) for name, value in one.params.items()}, "text": _both(text),
    }  # fmt: skip


def _unread(one: Any) -> dict[str, str] | None:
    return _both({lang: words.unread(one.field, one.text, one.reason, lang) for lang in LANGS})


def _scenario(one: Scenario) -> Document:
    return dict(scenario.export(one))
