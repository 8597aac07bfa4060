"""What a probe adds to a diagnosis, in a few lines: the ceilings that its steps were computed with, and its verdict."""

from __future__ import annotations

from collections.abc import Iterator

from content.lang import Lang
from content.probing import words
from content.probing.report import of_sheet
from content.probing.section import Row, Section
from content.words import say
from engine.probe.model import CaseResult, Result

WEAKENING = ("others-on-card", "capped", "drift", "no-graph", "slice", "bimodal", "cpu-contention")
"""Notes without which the numbers would be taken for more than they are."""


def brief(result: Result, lang: Lang, at: str = "", own: bool = True) -> Section:
    """The short form of a report.

    Args:
        result: what was found.
        lang: of the words.
        at: when it was measured (UTC, ISO 8601); "" for just now.
        own: whether the step that ran was that of the diagnosed workload.
    """
    device = result.run.device
    name = words.clean(device.name, 60) if device is not None else ""
    when = say("probe.brief.at", lang, at=words.moment(at)) if at else say("probe.brief.now", lang)
    title = say("probe.brief.title", lang, name=name, when=when)
    case = result.case if own else None
    texts = [_verdict(case, lang)] if case is not None else []
    texts += [words.note(note, lang) for note in result.notes if note.id in WEAKENING]
    if result.reached is not None:
        texts.append(say("probe.brief.used", lang))
    return Section("probe", title, tuple(_rows(result, case, lang)), tuple(texts))


def unused(result: Result, lang: Lang) -> str:
    """One sentence or two for a measurement that a diagnosis cannot use: why, and what it rests on instead."""
    return say("probe.brief.unused", lang, why=ending(result, lang))


def ending(result: Result, lang: Lang) -> str:
    """Why a run gives nothing to compute with: how it failed, what forbids a verdict, or how it ended."""
    if result.run.failed is not None:
        return words.failed(*result.run.failed, lang)
    if result.blocked or result.run.ended is None:
        return words.blocked(result.blocked or "few-points", lang)
    return words.ended(result.run.ended, lang)


def _rows(result: Result, case: CaseResult | None, lang: Lang) -> Iterator[Row]:
    of, plan = result.ceilings, result.run.plan
    if of.bandwidth is not None:
        rate = words.rate(of.bandwidth.rate, lang)
        yield Row(say("probe.report.memory", lang), rate, of_sheet(of.bandwidth, lang, "bytes"))
    product = of.products.get(plan.dtype) if plan is not None else None
    if plan is not None and product is not None:
        title = say("probe.report.product", lang, dtype=words.dtype(plan.dtype))
        yield Row(title, words.speed(product.rate, lang, plan.dtype), of_sheet(product, lang, plan.dtype))
    if result.knee is not None:
        yield Row(
            say("probe.report.knee", lang),
            say("probe.report.knee_value", lang, batch=words.number(round(result.knee.batch))),
        )
    if case is not None:
        ratio, setup = case.decode.ratio_ceilings, case.workload.setup
        given = {
            "layers": words.layers(case.layers, lang), "all": setup.model.layers if setup is not None else case.layers,
            "predicted": words.seconds(case.step_seconds / ratio, lang), "ratio": f"{ratio:.2f}",
        }  # fmt: skip
        note = say("probe.brief.ratio", lang, **given)
        yield Row(say("probe.brief.step", lang), words.seconds(case.step_seconds, lang), note)


def _verdict(case: CaseResult, lang: Lang) -> str:
    label, confidence = words.label(case.verdict.label, lang), words.share(case.verdict.confidence, lang)
    return say("probe.brief.verdict", lang, label=label, confidence=confidence)
