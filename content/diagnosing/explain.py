"""Where a number of a report comes from: its formula with the values put in, and the lesson that teaches it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from content import course
from content.diagnosing import cache, figures, room, words
from content.diagnosing.steps import reached_notes, step_lines
from content.diagnosing.words import label, sentence
from content.diagnosing.working import Given, Told, texts, work
from content.lang import Lang
from engine.catalog import NoValues
from engine.diagnosis.model import Amount, Report
from engine.formulas.registry import FormulaError, result
from engine.roofline import peak

_LESSONS: Mapping[str, str] = {
    **dict.fromkeys(("decode", "prefill", "knee"), "core/C1"),
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


def explain(report: Report, lang: Lang, name: str) -> Explanation | None:
    """The working of a number of the report; ``None`` for a name that it has no number of.

    Names are those of the blocks: lines of the ledger, "decode", "prefill" (and "decode.kv": a part of it),
    "kv-per-token", "knee", "waste", "requests", "pool-tokens".
    """
    whole = name.partition(".")[0]
    try:
        found = _MAKERS[whole](report, lang) if whole in _MAKERS else room.entry(report, lang, whole)
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


# --- time ------------------------------------------------------------------------------------------------------------


def _knee(report: Report, lang: Lang) -> Told | None:
    setup = report.timings.setup
    rate = None if setup is None else peak(setup.gpu, setup.unit)
    if setup is None or rate is None:
        return None
    given: Given = {"peak_flops": rate, "bandwidth": setup.gpu.bandwidth, "p_w": setup.form.linear_bits / 8}
    value = words.shown(Amount(result("knee_batch", given), "tokens"), lang)
    lines, note = work("knee_batch", given, lang), sentence("explain.knee", {}, lang)
    return Told(label("knee", lang), value, texts(lines), (note,))


def _step(name: str) -> Callable[[Report, Lang], Told | None]:
    def told(report: Report, lang: Lang) -> Told | None:
        timing = report.timings.decode if name == "decode" else report.timings.prefill
        if timing is None:
            return None
        lines, chunked = step_lines(report.timings.setup, timing, lang)
        notes = [sentence("explain.step-why", {}, lang)]
        if chunked:
            notes.append(sentence("explain.step-chunks", {}, lang))
        title = figures.step_title(name, timing, lang)
        if name == "decode" and report.timings.setup is not None:
            notes += cache.picked(report.timings.setup, timing.tokens, lang)
        notes += reached_notes(timing, lang)
        return Told(title, words.seconds(timing.step.seconds, lang), lines, tuple(notes))

    return told


_MAKERS: Mapping[str, Callable[[Report, Lang], Told | None]] = {
    **room.MAKERS, "knee": _knee, "decode": _step("decode"), "prefill": _step("prefill"),
}  # fmt: skip
