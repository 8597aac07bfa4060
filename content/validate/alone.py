"""Whether a part can be asked by itself, as revision asks it: there is a question, whole, with the values it takes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from content import words
from content.lang import LANGS, Lang, Text
from content.quiz.alone import alone
from content.schema import COMPUTED, Exercise, Part
from content.validate import answers
from content.validate.positions import Path
from content.validate.source import Source
from engine.formulas import registry

_POINTING: Mapping[Lang, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:these|those|now|again|before|such|another|the same|in that case|one more|your|are that|is that)\b"
        r"|^and\b",
        re.IGNORECASE,
    ),
    "hi-Latn": re.compile(
        r"\b(?:ab|in|inmein|in(?:ka|ke|ki|hi|he)|usi|isi mein|wahi|yahi|phir|aise|aisa|aisi|pehle|ek aur|apni)\b"
        r"|^(?:aur|us|yeh)\b",
        re.IGNORECASE,
    ),
}
"""Words that point to something said before. No proof either way: what they do not catch only a reader sees, and what
is clear on its page the author says with ``clear``."""
_QUOTED = re.compile(r"\"[^\"]*\"|\{[^}]*\}")


def asked(source: Source, path: Path, exercise: Exercise) -> None:
    """Check every part of an exercise as it stands by itself."""
    for place, part in enumerate(exercise.parts):
        if part.kind:
            _part(source, (*path, "part", place), exercise, part)


def _part(source: Source, path: Path, exercise: Exercise, part: Part) -> None:
    page, made = alone(exercise, part)
    if made.ask is None and page.prompt is not exercise.prompt:  # else the prompt asks
        source.report(path, "asks-nothing")
    for symbol in part.alone.show or ():
        if symbol not in part.given:
            source.report_in((*path, "alone"), symbol, "not-given", symbol=symbol)
    answers.hints(source, (*source.ids(path), "alone"), part._replace(hints=part.alone.hints))
    if made.ask is not None and len(exercise.parts) > 1:
        _pointing(source, path, part, made.ask)
    if part.kind in COMPUTED and registry.is_formula(part.formula):
        _values(source, path, page, made)


def pointing(text: str, lang: Lang) -> tuple[str, ...]:
    """Words of a question that may point to something before it, each once, in lower case."""
    return tuple(dict.fromkeys(found.lower() for found in _POINTING[lang].findall(_QUOTED.sub("\x00", text))))


def _pointing(source: Source, path: Path, part: Part, ask: Text) -> None:
    inner = (*path, "alone", "ask") if part.alone.ask is not None else (*path, "ask")
    used: set[str] = set()
    for lang in LANGS:
        for word in pointing(ask[lang], lang):
            used.add(word)
            if word not in part.alone.clear:
                source.report_in((*inner, lang), word, "points-before", word=word)
    for word in part.alone.clear:
        if word not in used:
            source.report((*path, "alone", "clear"), "nothing-points", word=word)


def _values(source: Source, path: Path, page: Exercise, part: Part) -> None:
    """What the formula takes stands in the table of givens or in the text."""
    seen = {*page.show, *_named(page, part)}
    for symbol in registry.needed(part.formula, part.given):
        if symbol in part.given and symbol not in seen:
            source.report(path, "value-hidden", symbol=symbol)


def _named(page: Exercise, part: Part) -> Iterator[str]:
    for text in (page.prompt, *((part.ask,) if part.ask else ())):
        yield from (name.partition(".")[0] for name in words.placeholders(text.en))
