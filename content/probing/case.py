"""The workload's own step in words: its class with both witnesses, what levers would do, how it was predicted."""

from __future__ import annotations

from collections.abc import Iterator

from content.lang import Lang
from content.probing import words
from content.probing.section import Row, Section
from content.words import say
from engine.probe.model import CaseResult, Gain, Prediction, Result, Spot, Verdict

TOSS = 0.6
"""A confidence under this is hardly more than a coin toss, and is called so."""
NO_GAIN = 1.01
"""Speed-ups under this are none."""


def case(result: Result, lang: Lang) -> Iterator[Section]:
    """The verdict on the workload, and its levers; nothing where it did not run."""
    found = result.case
    if found is None:
        return
    ran = result.run.case
    batch, context = (ran.batch, ran.context) if ran is not None else (found.workload.batch, found.workload.context)
    key = "case" if result.own_layers else "case_own"
    title = say(f"probe.report.{key}", lang, batch=batch, context=context)
    yield Section("case", title, texts=tuple(_verdict(result, found, batch, lang)))
    if result.usable and found.gains:
        rows = tuple(Row(words.lever(one.lever, lang), *_gain(one, lang)) for one in found.gains)
        assumed = any(one.basis == "assumed" for one in found.gains)
        texts = (say("probe.report.assumed", lang),) if assumed else ()
        yield Section("levers", say("probe.report.levers", lang), rows, texts)


def _verdict(result: Result, found: CaseResult, batch: int, lang: Lang) -> Iterator[str]:
    if result.usable:
        of = found.verdict
        key = "verdict_here" if result.run.demonstration else "verdict"
        name = words.label(of.label, lang)
        said = say(f"probe.report.{key}", lang, label=name, confidence=words.share(of.confidence, lang))
        yield f"{said[0].upper()}{said[1:]} {words.label_text(of.label, lang)}"
        if of.confidence < TOSS:
            yield say("probe.report.toss", lang)
        yield " ".join(_witnesses(of, batch, bool(found.kv_bytes), lang))
        if of.reasons:
            reasons = "; ".join(words.reason(one, lang) for one in of.reasons)
            yield say("probe.report.lowered", lang, reasons=reasons)
    else:
        yield words.blocked(result.blocked, lang)
    yield " ".join(_whole(result, found, lang))


def _witnesses(of: Verdict, batch: int, cached: bool, lang: Lang) -> Iterator[str]:
    """Both witnesses with their numbers; where a cache is read, time against time in place of the knee."""
    if of.position is not None and not cached:
        yield say("probe.report.witness_place", lang, batch=batch, position=words.number(of.position))
    else:
        yield say("probe.report.witness_rho", lang, rho=words.share(of.rho, lang))
    if of.label == "compute" and of.compute_share is not None:
        yield say("probe.report.witness_compute", lang, share=words.share(of.compute_share, lang))
    elif of.bandwidth_share is not None:
        yield say("probe.report.witness_memory", lang, share=words.share(of.bandwidth_share, lang))
    if of.label == "overhead" and of.fixed_share is not None:
        yield say("probe.report.witness_fixed", lang, share=words.share(of.fixed_share, lang))
    yield say("probe.report.witnesses" if of.witnesses == 2 else "probe.report.witness_one", lang)


def _whole(result: Result, found: CaseResult, lang: Lang) -> Iterator[str]:
    """The model's whole step and that it is scaled, or the step that ran where it stands for no model."""
    step = words.seconds(found.step_seconds, lang)
    weights, kv = (words.size(size, lang) for size in (found.weight_bytes, found.kv_bytes))
    ran = result.run.case
    if ran is not None and abs(found.weight_bytes / ran.weight_bytes - 1) < _SAME:
        yield say(
            "probe.report.step_ran", lang, layers=words.layers(found.layers, lang), step=step, weights=weights, kv=kv
        )
    else:
        yield say("probe.report.whole_step", lang, step=step, weights=weights, kv=kv)
        every = found.workload.setup.model.layers if found.workload.setup is not None else found.layers
        if every > found.layers:
            yield say("probe.report.scaled", lang, ran=found.layers, all=every)
    if found.workload.setup is not None and not result.own_layers:
        yield say("probe.report.stand_in", lang)


_SAME = 0.001


def _gain(one: Gain, lang: Lang) -> tuple[str, str]:
    if one.speedup < NO_GAIN:
        return say("probe.report.no_gain", lang), say(f"probe.basis.{one.basis}", lang)
    value = f"{words.seconds(one.before, lang)} → {words.seconds(one.after, lang)} ({words.factor(one.speedup)})"
    per = say("probe.report.per_token", lang) if one.lever == "larger-batch" else ""
    return value, "; ".join(text for text in (per, say(f"probe.basis.{one.basis}", lang)) if text)


# --- how it was predicted --------------------------------------------------------------------------------------------


def learned(result: Result, lang: Lang) -> Section | None:
    """Which formula gave the prediction, predicted against measured, and what was not measured at all."""
    texts = list(_predicted(result, lang))
    if not texts:
        return None
    formula, honest = say("probe.report.learn_formula", lang), say("probe.report.honest", lang)
    named = result.case is not None and result.case.workload.setup is not None
    further = () if named or result.run.demonstration else (say("probe.report.name_model", lang),)
    return Section("learn", say("probe.report.learn", lang), texts=(formula, *texts, honest, *further))


def _predicted(result: Result, lang: Lang) -> Iterator[str]:
    found = result.case
    if found is None:
        spot = _typical(result.curve)
        if spot is not None and spot.predicted:
            yield say("probe.report.learn_spot", lang, batch=spot.batch, **_beside(spot.predicted, spot.seconds, lang))
        return
    beside = _beside(found.decode.ceilings, found.decode.measured, lang)
    yield say("probe.report.learn_case", lang, layers=words.layers(found.layers, lang), **beside)
    yield from _band(found.decode, lang)
    if found.prefill is not None:
        beside = _beside(found.prefill.ceilings, found.prefill.measured, lang)
        yield say("probe.report.learn_prefill", lang, **beside)
        yield from _band(found.prefill, lang)


def _typical(curve: tuple[Spot, ...]) -> Spot | None:
    """The batch of eight, or the nearest below it."""
    return max((spot for spot in curve if spot.batch <= 8), key=lambda spot: spot.batch, default=None)


def _beside(predicted: float, measured: float, lang: Lang) -> dict[str, str]:
    return {
        "predicted": words.seconds(predicted, lang), "measured": words.seconds(measured, lang),
        "ratio": f"{measured / predicted:.2f}",
    }  # fmt: skip


def _band(one: Prediction, lang: Lang) -> Iterator[str]:
    if one.usual is not None and one.low is not None and one.high is not None:
        usual, low, high = (words.seconds(value, lang) for value in (one.usual, one.low, one.high))
        yield say("probe.report.learn_band", lang, usual=usual, low=low, high=high)
