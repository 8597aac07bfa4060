"""A result as JSON: a public interface, its keys grow but never change. Rates in bytes/s, FLOP/s; times in seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from content.lang import LANGS
from content.probing import words
from content.probing.lines import lines
from engine.probe.model import CaseResult, Ceiling, Change, Gain, Prediction, Result, Verdict
from engine.probe.readings import Note

Document = dict[str, Any]


def document(
    result: Result,
    changes: Sequence[Change] = (),
    before: str = "",
    at: str = "",
    asked: Mapping[str, Any] | None = None,
) -> Document:  # fmt: skip
    """The whole result.

    Args:
        result: what was found.
        changes: beside an earlier run, which was at ``before``.
        before, at: moments as runs note them; "" for none.
        asked: what was asked of the program.
    """
    run = result.run
    made: Document = {
        "at": at or None,
        "demonstration": run.demonstration,
        "device": None if run.device is None else run.device._asdict(),
        "software": None if run.software is None else run.software._asdict(),
        "card": None if result.card is None else result.card.name,
        "plan": None if run.plan is None else run.plan._asdict(),
        "asked": dict(asked or {}),
        "ceilings": _ceilings(result),
        "curve": [spot._asdict() for spot in result.curve],
        "knee": None if result.knee is None else result.knee._asdict(),
        "no_knee": result.no_knee or None,
        "kv": [{"batch": one.batch, "context": one.context, "bytes": one.bytes, "seconds": one.time.seconds,
                "rate": one.rate} for one in run.caches],
        "prefill": [{"tokens": one.tokens, "seconds": one.time.seconds, "rate": one.rate, "own": one.stage == "case"}
                    for one in run.prompts],
        "prefill_slope": result.prefill_slope,
        "drift": result.drift,
        "blocked": result.blocked or None,
        "verdict": None if result.case is None else _verdict(result.case.verdict),
        "case": None if result.case is None else _case(result.case),
        "notes": [_note(one) for one in result.notes],
        "changes": [one._asdict() | {"change": one.change} for one in changes],
        "before": before or None,
        "ended": None if run.ended is None else run.ended._asdict(),
        "failed": None if run.failed is None else _failed(*run.failed),
        "odd": run.odd,
        "text": {lang: "\n".join(lines(result, lang, changes=changes, before=before)) for lang in LANGS},
    }  # fmt: skip
    plain: Document = _plain(made)
    return plain


def _plain(value: Any) -> Any:
    """What JSON can carry: tables and lists all the way down, no number that is none."""
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    return value


def _ceilings(result: Result) -> Document:
    of = result.ceilings
    rates = {name: _ceiling(getattr(of, name)) for name in ("bandwidth", "read", "copy", "weights", "kv", "prefill")}
    products = {dtype: _ceiling(one) for dtype, one in of.products.items()}
    return {
        **rates, "matmul": products, "fixed_seconds_per_layer": of.fixed, "launched_seconds_per_layer": of.launched,
        "kv_fixed_seconds_per_layer": of.kv_fixed,
    }  # fmt: skip


def _ceiling(one: Ceiling | None) -> Document | None:
    return None if one is None else {"rate": one.rate, "sheet": one.sheet, "share": one.share}


def _verdict(one: Verdict) -> Document:
    reasons = [
        {"id": why.id, "factor": why.factor, "params": why.params,
         "text": {lang: words.reason(why, lang) for lang in LANGS}}
        for why in one.reasons
    ]  # fmt: skip
    name = {lang: words.label(one.label, lang) for lang in LANGS}
    return one._asdict() | {"reasons": reasons, "name": name}


def _case(one: CaseResult) -> Document:
    return {
        "batch": one.workload.batch,
        "context": one.workload.context,
        "prompt": one.workload.prompt,
        "model": None if one.workload.setup is None else one.workload.setup.model.id,
        "layers": one.layers,
        "decode": _prediction(one.decode),
        "prefill": None if one.prefill is None else _prediction(one.prefill),
        "step_seconds": one.step_seconds,
        "weight_bytes": one.weight_bytes,
        "kv_bytes": one.kv_bytes,
        "levers": [_gain(gain) for gain in one.gains],
    }


def _prediction(one: Prediction) -> Document:
    return one._asdict() | {"ratio": one.ratio, "ratio_ceilings": one.ratio_ceilings}


def _gain(one: Gain) -> Document:
    return {
        "id": words.LEVERS.get(one.lever, one.lever), "before": one.before, "after": one.after,
        "speedup": one.speedup, "basis": one.basis, "per": "token" if one.lever == "larger-batch" else "step",
    }  # fmt: skip


def _note(one: Note) -> Document:
    return {"id": one.id, "params": one.params, "text": {lang: words.note(one, lang) for lang in LANGS}}


def _failed(id: str, detail: str) -> Document:
    return {"id": id, "detail": detail, "text": {lang: words.failed(id, detail, lang) for lang in LANGS}}
