"""Placeholders: the same in both languages, every one with a value here, none that gives the answer away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from content import fill, words
from content.lang import LANGS, Lang, Text
from content.schema import COMPUTED, Part
from content.validate.source import Source
from content.validate.texts import Pair
from engine.formulas.registry import FormulaError

_EARLY = 2
"""So many hints may not name the answer."""


def same(source: Source, pair: Pair) -> None:
    """Both languages name the same values, each as often."""
    one, other = (Counter(words.placeholders(pair.text[lang])) for lang in LANGS)
    if one != other:
        shown = (" ".join(f"{{{name}}}" for name in sorted((a - b).elements())) for a, b in ((one, other), (other, one)))
        source.report(pair.place("hi-Latn"), "placeholders-differ", **dict(zip(("en", "hi"), shown, strict=True)))


def filled(source: Source, pair: Pair, scope: fill.Scope | None) -> Text | None:
    """The text with its values in both languages; ``None``, with each placeholder that has none reported."""
    if scope is None:
        return None
    found = [_fill(source, pair, lang, scope) for lang in LANGS]
    return Text(found[0], found[1]) if found[0] is not None and found[1] is not None else None


def _fill(source: Source, pair: Pair, lang: Lang, scope: fill.Scope) -> str | None:
    try:
        return fill.fill(pair.text[lang], lang, scope)
    except FormulaError:
        return None  # the value or the part behind it is reported where it stands
    except fill.FillError:
        for name in dict.fromkeys(words.placeholders(pair.text[lang])):
            if not _known(name, lang, scope):
                source.report_in(pair.place(lang), f"{{{name}}}", "cannot-fill", placeholder=f"{{{name}}}")
        return None


def _known(name: str, lang: Lang, scope: fill.Scope) -> bool:
    try:
        fill.fill(f"{{{name}}}", lang, scope)
    except fill.FillError:
        return False
    except FormulaError:
        return True
    return True


def gives_away(source: Source, pair: Pair, part: Part) -> None:
    """The question of a part and its first hints do not hold its answer."""
    if not _is_early(pair, part):
        return
    telling = {f"a.{part.name}"}
    telling |= {"f.value", "f.base"} if part.kind in COMPUTED else {"f.symbols"} if part.kind == "formula" else set()
    _report_telling(source, pair, telling)


def _is_early(pair: Pair, part: Part) -> bool:
    if pair.path[-1] in ("ask", "label"):
        return True
    return pair.path[-1] == "hints" and pair.rung is not None and pair.rung < _EARLY


def prompt_gives_away(source: Source, pair: Pair, parts: Iterable[Part]) -> None:
    """The prompt of an exercise holds none of its answers."""
    if pair.path[-1] == "prompt":
        _report_telling(source, pair, {f"a.{part.name}" for part in parts})


def _report_telling(source: Source, pair: Pair, telling: set[str]) -> None:
    for name in dict.fromkeys(words.placeholders(pair.text["en"]) + words.placeholders(pair.text["hi-Latn"])):
        if name in telling:
            lang: Lang = "en" if name in words.placeholders(pair.text["en"]) else "hi-Latn"
            source.report_in(pair.place(lang), f"{{{name}}}", "answer-given-away", placeholder=f"{{{name}}}")
