"""Notes on what was read: what a value really means, said once where several share it, and how a counter grew."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from content import words
from content.diagnosing.observed_names import ROOT, trap, value
from content.diagnosing.words import clean
from content.lang import Lang
from engine.artefacts.evidence import Evidence
from engine.artefacts.model import Observations, shown
from engine.artefacts.rates import COUNTERS, grew

PARTS = (".bucket_bounds", ".bucket_counts")
"""Of a histogram: what its quantiles are worked out from, and nothing that a person reads."""
ONE_SAMPLE = "no-interval"
"""The note of a counter that it takes two of."""
SHARED = 2
"""Names from which a note that they share is told once, above them."""


class Remark(NamedTuple):
    """A note about a text as a whole: the text's name, the line where it holds (``None`` for no one), the sentence."""

    source: str
    line: int | None
    text: str


_PASTED = re.compile(r"pasted text(?: (\d{1,4}))?")


def source(name: str, lang: Lang) -> str:
    """The name of a text: a file's own; of a text that was pasted or piped, in words."""
    found = _PASTED.fullmatch(name)
    if found is None:
        return words.say("cli.batch.input", lang) if name == "standard input" else clean(name, 60)
    return words.say(f"{ROOT}.row.pasted_n", lang, n=found[1]) if found[1] else words.say(f"{ROOT}.row.pasted", lang)


def remarks(evidence: Evidence, lang: Lang) -> list[Remark]:
    """Notes that are about no name of the list, and those that several values of a text share."""
    made: list[Remark] = []
    for artefact in evidence.artefacts:
        names = artefact.found.series.keys()
        bases = {name.partition(".")[0] for name in names}
        for one in artefact.found.traps:
            if one.name not in names and one.name not in bases:
                made.append(Remark(artefact.name, one.line or None, trap(one, lang)))
    return made + _shared(evidence, lang)


def _shared(evidence: Evidence, lang: Lang) -> list[Remark]:
    """The notes that several names have, each once, where the first of them is."""
    counted: dict[str, dict[str, Remark]] = {}
    for artefact in evidence.artefacts:
        for name, series in artefact.found.series.items():
            if len(series) and not name.endswith(PARTS):
                for text in dict.fromkeys(notes(evidence, artefact.found, name, lang)):
                    one = Remark(artefact.name, series.lines[0] or None, text)
                    counted.setdefault(text, {}).setdefault(name.partition(".")[0], one)
    return [next(iter(found.values())) for found in counted.values() if len(found) >= SHARED]


def notes(evidence: Evidence, found: Observations, name: str, lang: Lang) -> Iterable[str]:
    """What a value of a text really means, in sentences."""
    base = name.partition(".")[0]
    kin = [one for one in found.series if one.partition(".")[0] == base]
    for one in found.traps:
        if one.name == name or (one.name == base and base not in found.series and name in kin):
            sampled = sum(one.name in each.found.series for each in evidence.artefacts)
            timeless = one.id == ONE_SAMPLE and sampled > 1  # of two samples it is their time that is missing
            yield words.say(f"{ROOT}.row.timeless", lang) if timeless else trap(one, lang)


def grown(evidence: Evidence, place: int, name: str, lang: Lang) -> Iterable[str]:
    """By how much a counter grew since the sample of the text before."""
    before = next((one for one in reversed(evidence.artefacts[:place]) if name in one.found.series), None)
    if before is None or name not in COUNTERS or name in evidence.corrected:
        return
    grown = grew(before.found, evidence.artefacts[place].found, name)
    if grown is not None:
        since = source(before.name, lang)
        yield words.say(f"{ROOT}.row.grown", lang, value=value(name, shown(name, grown), lang), source=since)
