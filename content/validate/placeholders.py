"""Placeholders: the same in both languages, every one with a value here, none that gives the answer away."""

from __future__ import annotations

import re
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
_WRITTEN = re.compile(r"""\{["'\s.][^{}]*\}""")
"""Braces that a text shows as they are, as in an example of JSON: what they hold begins as no name does."""
_ODD = re.compile(r"\{[^{}]*\}|[{}]")
_OPEN, _CLOSE = "\ue000", "\ue001"
"""Around the name of a placeholder in place of its braces: signs that no text has, `script` sees to it."""


def same(source: Source, pair: Pair) -> bool:
    """Whether both languages name the same values, each as often; reported if not."""
    one, other = (Counter(words.placeholders(pair.text[lang])) for lang in LANGS)
    if one != other:
        params = {"en": _shown(one - other), "hi": _shown(other - one)}
        source.report(pair.place("hi-Latn"), "placeholders-differ", **params)
    return one == other


def _shown(names: Counter[str]) -> str:
    return " ".join(f"{{{name}}}" for name in sorted(names.elements())) or "-"


def whole(source: Source, pair: Pair) -> bool:
    """Whether all that looks like a placeholder is one; reported if not: a format, a conversion, half of two braces."""
    odd = [(lang, one) for lang in LANGS for one in dict.fromkeys(_odd(pair.text[lang]))]
    for lang, one in odd:
        source.report_in(pair.place(lang), one, "odd-placeholder", placeholder=one)
    return not odd


def _odd(text: str) -> list[str]:
    text = words.put(text, {name: f"{_OPEN}{name}{_CLOSE}" for name in words.placeholders(text)})
    while (plain := _WRITTEN.sub("", text)) != text:  # the inner ones first
        text = plain
    return [one.replace(_OPEN, "{").replace(_CLOSE, "}") for one in _ODD.findall(text)]


class Filler:
    """Fills the texts of one file; a value is computed once, whatever the number of texts that name it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._known: dict[tuple[int, str, str], str | None] = {}

    def filled(self, pair: Pair, scope: fill.Scope) -> Text | None:
        """The text with its values in both languages; ``None``, and reported, when a placeholder has none.

        ``scope`` must be one object for all texts that share it, and live as long as the filler.
        """
        found = [self._fill(pair, lang, scope) for lang in LANGS]
        return Text(found[0], found[1]) if found[0] is not None and found[1] is not None else None

    def _fill(self, pair: Pair, lang: Lang, scope: fill.Scope) -> str | None:
        values: dict[str, str | None] = {}
        for name in words.placeholders(pair.text[lang]):
            try:
                values[name] = self._value(name, lang, scope)
            except fill.FillError:
                values[name] = None
                shown = f"{{{name}}}"
                self._source.report_in(pair.place(lang), shown, "cannot-fill", placeholder=shown)
        return None if None in values.values() else words.put(pair.text[lang], values)

    def _value(self, name: str, lang: Lang, scope: fill.Scope) -> str | None:
        """The value of a placeholder; ``None`` where its formula or unit is wrong: that is reported where it stands."""
        key = (id(scope), name, "" if name.partition(".")[0] in ("v", "a", "f") else lang)
        if key not in self._known:
            try:
                self._known[key] = fill.fill(f"{{{name}}}", lang, scope)
            except (FormulaError, KeyError):
                self._known[key] = None
        return self._known[key]


def gives_away(source: Source, pair: Pair, part: Part) -> None:
    """The question of a part and its first hints do not hold its answer."""
    if not _is_early(pair, part):
        return
    telling = {f"a.{part.name}"}
    telling |= {"f.value", "f.base"} if part.kind in COMPUTED else {"f.symbols"} if part.kind == "formula" else set()
    _report_telling(source, pair, telling)


def _is_early(pair: Pair, part: Part) -> bool:
    if pair.path[-1] in ("ask", "label", "situation"):
        return True
    return pair.path[-1] == "hints" and pair.rung is not None and pair.rung < _EARLY


def prompt_gives_away(source: Source, pair: Pair, parts: Iterable[Part]) -> None:
    """The prompt of an exercise holds none of its answers, and neither does its situation."""
    if pair.path[-1] in ("prompt", "situation"):
        _report_telling(source, pair, {f"a.{part.name}" for part in parts})


def _report_telling(source: Source, pair: Pair, telling: set[str]) -> None:
    for name in dict.fromkeys(words.placeholders(pair.text["en"]) + words.placeholders(pair.text["hi-Latn"])):
        if name in telling:
            lang: Lang = "en" if name in words.placeholders(pair.text["en"]) else "hi-Latn"
            source.report_in(pair.place(lang), f"{{{name}}}", "answer-given-away", placeholder=f"{{{name}}}")
