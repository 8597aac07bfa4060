"""The figures and the verdict of a watch in words, for the screen and for plain lines."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from content.lang import Lang
from content.words import say
from engine.units import grouped

if TYPE_CHECKING:
    from engine.diagnosis.model import Report
    from tutor.live.sampling import Reading
    from tutor.live.watching import Verdict

SOON = 3600.0
"""Seconds until the pool is full beyond which nobody need know."""


def amount(value: float, unit: str, lang: Lang, digits: int = 3) -> str:
    """A figure in a unit that reads well."""
    from content.diagnosing import words

    return words.quantity(Fraction(value).limit_denominator(10**9), unit, lang, digits)


def share(value: float) -> str:
    """A share in percent, with one place, so that it moves when the pool does."""
    return f"{100 * value:.1f} %"


def whole(value: float) -> str:
    """A count."""
    return grouped(round(value))


def rate(value: float, lang: Lang) -> str:
    """Tokens a second; many of them without places."""
    return f"{grouped(round(value))} tok/s" if value >= 100 else f"{float(f'{value:.2g}'):g} tok/s"


def milliseconds(value: float, lang: Lang) -> str:
    """A time that is kept in ms."""
    return amount(value / 1000, "s", lang)


def span(seconds: float, lang: Lang) -> str:
    """A time to wait: whole seconds below two minutes, then minutes, then hours."""
    if seconds < 120:
        return f"{seconds:.1g} s" if seconds < 1 else f"{round(seconds)} s"
    return f"{round(seconds / 60)} min" if seconds < 7200 else f"{round(seconds / 3600)} h"


def centre(reading: Reading, name: str) -> tuple[str, float] | None:
    """The middle of a time: its median, else its mean; with which of them it is."""
    for part, key in (("p50", "median"), ("mean", "mean")):
        value = reading.figures.get(f"{name}.{part}")
        if value is not None:
            return key, value
    return None


class Told(NamedTuple):
    """A verdict for one look: the wall, the lever that helps most, what is asked; each may be ""."""

    wall: str
    lever: str = ""
    ask: str = ""
    problem: str = ""


def told(verdict: Verdict, lang: Lang) -> Told:
    """A verdict in words."""
    from content import diagnosis
    from content.diagnosing.blocks import undecided

    if verdict.problem is not None:
        return Told("", problem=verdict.problem.text(lang))
    report = verdict.report
    if report is None:
        return Told("")
    ask = _asked(report, lang) if undecided(report) else ""
    return Told(diagnosis.wall_text(report, lang), lever(report, lang), ask)


def lever(report: Report, lang: Lang) -> str:
    """The first lever that helps, with its effect and its flag; "" where none does."""
    from content import diagnosis

    first = next((one for one in report.levers if one.helps), None)
    if first is None:
        return ""
    words = diagnosis.lever(first, lang)
    effect = words.effects[0] if words.effects else words.effect
    tail = ", ".join(part for part in (effect, first.flag) if part)
    return f"{words.name}: {tail}" if tail else words.name


def _asked(report: Report, lang: Lang) -> str:
    from content.diagnosing import blocks

    if not report.questions:
        return ""
    return " ".join(part for part in blocks.question_words(report.questions[0], lang) if part)


def line(reading: Reading, lang: Lang) -> str:
    """A sample on one line, for a pipe or a screen reader: what it has, with commas."""
    figures = reading.figures
    made = []
    if reading.usage is not None:
        made.append(say("live.plain.kv", lang, value=share(reading.usage)))
    for name, key in (("running_requests", "running"), ("waiting_requests", "waiting")):
        if name in figures:
            made.append(say(f"live.plain.{key}", lang, n=whole(figures[name])))
    for name, key in (("generation_throughput", "output"), ("prompt_throughput", "prompt")):
        if name in figures:
            made.append(say(f"live.plain.{key}", lang, value=rate(figures[name], lang)))
    for name in ("ttft", "tpot"):
        found = times(reading, name, lang)
        if found:
            made.append(say(f"live.plain.{name}", lang, value=found))
    if reading.preempted:
        made.append(say("live.plain.preempted", lang, n=whole(reading.preempted)))
    if reading.idle:
        made.append(say("live.plain.idle", lang))
    return ", ".join(made)


def times(reading: Reading, name: str, lang: Lang) -> str:
    """A time's middle and its slow end: "p50 120 ms, p99 450 ms"."""
    middle = centre(reading, name)
    if middle is None:
        return ""
    slow = reading.figures.get(f"{name}.p99")
    parts = [say(f"live.watch.{middle[0]}", lang, value=milliseconds(middle[1], lang))]
    parts += [say("live.watch.slow", lang, value=milliseconds(slow, lang))] if slow is not None else []
    return " / ".join(parts)
