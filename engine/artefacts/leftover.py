"""Numbers of a person's note that nothing was read from: told, so that none is lost without a word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from engine.artefacts import notes, sentences
from engine.artefacts.evidence import Artefact
from engine.artefacts.lines import begins
from engine.diagnosis.model import Signal
from engine.diagnosis.symptoms import measured

_LINES = 12
"""Lines of a note; in a longer text nobody looks for each number."""
_MOST = 5
"""Numbers that are listed."""
_NUMBER = re.compile(
    r"(?<![\w.,:/=+\-\"'])[~≈]?(\d{1,9}(?:[.,]\d{1,9}){0,2}(?:\s?(?:k|%|[gmt]i?b|ms|s|x)(?![\w-]))?+)(?![\w.,:/-]?\w)"
    r"(\s(?:per\s)?[A-Za-z/]{3,12})?",
    re.IGNORECASE,
)
"""A number that is no part of a name, a date, a version or a path, and the word behind it."""
_COUNT = 3
"""Signs before a card's name that tell how many there are: "2x A6000"."""
_COUNTED = frozenset("st nd rd th bit bits lines line times am pm baje".split())


def numbers(artefact: Artefact, signals: Sequence[Signal]) -> tuple[str, ...]:
    """The numbers of a note's lines that no value, figure or signal has taken, each with the word behind it.

    Args:
        artefact: the text.
        signals: what was heard in it: numbers of a line that says nothing else are a part of that, and shares always.
    """
    rows = sentences.noted(artefact)
    if len(rows) > _LINES:
        return ()
    values = notes.read(artefact).values
    if not values and not signals:
        return ()
    found: list[str] = []
    for number, text in rows:
        if begins(text):
            continue
        spans = [(one.low - (_COUNT if one.name == "gpu" else 0), one.high) for one in values if one.line == number]
        heard = any(one.text.rstrip("…") in " ".join(text.split()) for one in signals)
        if not spans and (heard or artefact.found):
            continue
        found += [one for one in _left(text, spans, heard) if one not in found]
    return tuple(found[:_MOST])


def _left(text: str, spans: Sequence[tuple[int, int]], heard: bool) -> Iterator[str]:
    for one in _NUMBER.finditer(text):
        word = (one[2] or "").strip()
        if any(low < one.end(1) and one.start() < high for low, high in spans) or word.lower() in _COUNTED:
            continue
        if (heard and one[1].endswith(("%", "x"))) or (not spans and measured.read(text)):
            continue
        yield f"{one[1]} {word}".strip()
