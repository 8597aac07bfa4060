"""The curve of a decode step's time over the batch, in plain letters."""

from __future__ import annotations

from itertools import groupby
from math import log

from content.lang import Lang
from content.probing import words
from content.probing.section import Section
from content.words import say
from engine.probe.model import Result, Spot

BAR = 24
"""Letters of the longest bar."""


def section(result: Result, lang: Lang, drawn: bool = True) -> Section | None:
    """The curve with the class of each batch; ``None`` without one."""
    if not result.curve:
        return None
    plan = result.run.plan
    title = say("probe.report.curve", lang, layers=words.layers(plan.layers, lang) if plan is not None else "?")
    texts = [say("probe.report.curve_scale", lang)] if drawn and result.knee is not None else []
    texts.append(say("probe.report.curve_ranges", lang, ranges=ranges(result, lang)))
    return Section("curve", title, texts=tuple(texts), drawn=_drawn(result, lang) if drawn else ())


def ranges(result: Result, lang: Lang) -> str:
    """The classes with their batches: "memory-bound 1-64; at the knee 128-256"."""
    said = []
    for label, group in groupby(result.curve, key=lambda spot: spot.label):
        batches = [spot.batch for spot in group]
        shown = str(batches[0]) if len(batches) == 1 else f"{batches[0]}-{batches[-1]}"
        said.append(say("probe.report.curve_range", lang, label=words.label(label, lang), batches=shown))
    return "; ".join(said)


def _drawn(result: Result, lang: Lang) -> tuple[str, ...]:
    """A line a batch: its time, a bar of its logarithm, its class; the knee between the batches where it lies."""
    spots = result.curve
    low, high = min(spot.seconds for spot in spots), max(spot.seconds for spot in spots)
    batch = max(len(str(spot.batch)) for spot in spots)
    times = [words.seconds(spot.seconds, lang) for spot in spots]
    width = max(map(len, times))
    knee, found = result.knee, []
    for spot, time in zip(spots, times, strict=True):
        if knee is not None and spot.batch > knee.batch:
            found.append(f"{' ' * (batch + width + 3)}^ {say('probe.report.knee', lang)} {round(knee.batch)}")
            knee = None
        bar = "#" * _letters(spot, low, high)
        found.append(f"b={spot.batch:<{batch}} {time:>{width}} {bar:<{BAR}} {words.label(spot.label, lang)}")
    return tuple(found)


def _letters(spot: Spot, low: float, high: float) -> int:
    """Letters of a bar: eight for the shortest time, so that flat is seen as flat."""
    if high <= low * 1.0001:
        return BAR // 3
    # from a third of the width on, a doubling is as wide wherever it stands
    return round(BAR / 3 + (BAR - BAR / 3) * log(spot.seconds / low) / max(log(high / low), log(2)))
