"""What a text must be on any screen and in both languages: width, length, numbers."""

from __future__ import annotations

import re

from content.lang import LANGS, Text
from content.markup import blocks
from content.validate.source import Source
from content.validate.texts import Pair

WIDEST = 56
"""Columns of a worked line, so that it fits 60 columns with its frame."""
WIDEST_IDEA = 60
"""Columns of a card's idea, which stands beside a box to tick."""
_SHORT = 40
_RATIO = (0.6, 1.8)
_WORDS = dict(zip("one two three four five six seven eight nine ten".split(), map(str, range(1, 11)), strict=True))
_NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{2,3})*(?:\.\d+)?")


def width(source: Source, pair: Pair, text: Text) -> None:
    """Worked lines are not wrapped, so they must be narrow once their values are in."""
    for lang in LANGS:
        for block in blocks(text[lang]):
            if block.kind == "code" and len(block.text) > WIDEST:
                head = block.text.split("  ")[0]
                params = {"columns": len(block.text), "most": WIDEST, "line": block.text}
                source.report_in(pair.place(lang), f"| {head}", "too-wide", **params)


def idea_width(source: Source, pair: Pair, text: Text) -> None:
    """An idea of a card is one clause, short once its values are in."""
    if pair.path[-1:] != ("ideas",):
        return
    for lang in LANGS:
        if len(text[lang]) > WIDEST_IDEA:
            source.report(pair.place(lang), "idea-too-wide", columns=len(text[lang]), most=WIDEST_IDEA)


def length(source: Source, pair: Pair, text: Text) -> None:
    """A text that is far shorter in one language has lost something."""
    if len(text.en) <= _SHORT:
        return
    ratio = len(text.hi) / len(text.en)
    if not _RATIO[0] <= ratio <= _RATIO[1]:
        source.report(pair.place("hi-Latn"), "length-differs", ratio=f"{ratio:.2f}", least=_RATIO[0], most=_RATIO[1])


def numbers(source: Source, pair: Pair, text: Text) -> None:
    """Both languages give the same numbers; how often they repeat one, and whether English spells it, is theirs."""
    one, other = (set(_NUMBER.findall(text[lang])) for lang in LANGS)
    spelled = {digit for word, digit in _WORDS.items() if re.search(rf"\b{word}\b", text.en, re.IGNORECASE)}
    only = (one - other, other - one - spelled)
    if any(only):
        shown = (", ".join(sorted(numbers)) or "-" for numbers in only)
        source.report(pair.place("hi-Latn"), "numbers-differ", **dict(zip(("en", "hi"), shown, strict=True)))
