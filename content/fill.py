"""Placeholders of course texts filled from the formulas: one scope per lesson, exercise or part.

``{S}`` a given value, ``{S.tokens}`` with its noun, ``{p.name}`` a precision, ``{v.NAME}`` a declared value,
``{a.PART}`` a part's answer, ``{f.symbols}`` and its kin the working of the part at hand,
``{gpu}`` and ``{model}`` the names of what the values belong to.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from content.lang import Lang, Text
from content.schema import COMPUTED, Exercise, Given, Lesson, Option, Part, Value
from content.words import _PLACEHOLDER, noun, symbol_meaning
from engine import units
from engine.formulas import worked
from engine.formulas.symbols import SYMBOLS

_PRECISIONS = {Fraction(4): "FP32", Fraction(2): "FP16", Fraction(1): "INT8", Fraction(1, 2): "INT4"}
_KV_PRECISIONS = {**_PRECISIONS, Fraction(1): "FP8"}


class Scope(NamedTuple):
    """What placeholders may name.

    Attributes:
        given: values of the symbols.
        values: declared values.
        answers: part name -> its part, for ``{a.PART}``.
        part: the part whose working ``{f.…}`` shows.
        names: names of what the values belong to, by placeholder.
    """

    given: Given
    values: Mapping[str, Value]
    answers: Mapping[str, Part]
    part: Part | None = None
    names: Mapping[str, str] = {}


class FillError(Exception):
    """A placeholder has no value here."""

    def __init__(self, placeholder: str) -> None:
        super().__init__(placeholder)
        self.placeholder = placeholder


def of_lesson(lesson: Lesson) -> Scope:
    """The scope of a lesson's texts."""
    return Scope(lesson.given, lesson.values, {})


def of_exercise(exercise: Exercise) -> Scope:
    """The scope of an exercise's prompt and nuances."""
    answers = {part.name: part for part in exercise.parts}
    return Scope(exercise.given, exercise.values, answers, names=exercise.names)


def of_part(exercise: Exercise, part: Part) -> Scope:
    """The scope of one part's texts."""
    answers = {p.name: p for p in exercise.parts}
    return Scope(part.given, exercise.values, answers, part, {**exercise.names, **part.names})


def settled(exercise: Exercise, part: Part) -> Part:
    """A part whose label and options are filled: they are shown in many places, without their scope."""
    scope = of_part(exercise, part)

    def both(text: Text) -> Text:
        return Text(fill(text.en, "en", scope), fill(text.hi, "hi-Latn", scope))

    def filled(options: tuple[Option, ...]) -> tuple[Option, ...]:
        return tuple(option._replace(text=both(option.text), but=option.but and both(option.but)) for option in options)

    attributes = tuple(filled(options) for options in part.attributes)
    return part._replace(
        label=both(part.label), options=filled(part.options), reasons=filled(part.reasons), attributes=attributes
    )


def fill(template: str, lang: Lang, scope: Scope) -> str:
    """A text with its placeholders filled.

    Raises:
        FillError: a placeholder that names nothing here.
        FormulaError: a formula that the scope's values do not fit.
    """
    return _PLACEHOLDER.sub(lambda found: _value(found[1], lang, scope), template)


def _value(name: str, lang: Lang, scope: Scope) -> str:
    head, _, tail = name.partition(".")
    if head == "v" and tail in scope.values:
        return declared(scope.values[tail])
    if head == "a" and tail in scope.answers:
        return answer_text(scope.answers[tail])
    if head == "f" and scope.part is not None and tail in _WORKING:
        return _WORKING[tail](work(scope.part))
    if name in scope.names:
        return scope.names[name]
    if head in scope.given:
        return given_text(head, tail, scope.given[head], lang)
    raise FillError(name)


_WORKING: Mapping[str, Callable[[worked.Worked], str]] = {
    "symbols": lambda w: w.symbols,
    "numbers": lambda w: w.numbers,
    "base": lambda w: w.base,
    "value": lambda w: w.value,
}


def work(part: Part) -> worked.Worked:
    """The working of a computed part."""
    return worked.work(part.formula, part.given, part.unit, part.digits)


def declared(value: Value) -> str:
    """A declared value, printed."""
    return worked.result_text(value.formula, value.given, value.unit or None, value.digits)


def answer_text(part: Part) -> str:
    """The right answer of a computed part as the course displays it; option ids of the others."""
    if part.kind in COMPUTED:
        return worked.result_text(part.formula, part.given, part.unit, part.digits)
    if part.kind == "formula":
        return work(part).symbols
    return " ".join(part.answer)


def given_text(symbol: str, style: str, value: Fraction, lang: Lang) -> str:
    """A given value: bare, with a noun, or as the name of a precision."""
    if style == "name":
        table = _KV_PRECISIONS if symbol == "p" else _PRECISIONS
        if value in table:
            return table[value]
        raise FillError(f"{symbol}.name")
    if not style:
        return plain_value(symbol, value, lang)
    shown = plain_value("", value, lang)
    width = symbol in SYMBOLS and SYMBOLS[symbol].unit == "width"  # bits already, not an amount of memory
    if style in units.UNITS and units.get(style).dimension == "bytes" and style != "bytes" and not width:
        return units.quantity(value, style, 6)
    try:
        return f"{shown} {noun(style, shown, lang)}"
    except KeyError:
        raise FillError(f"{symbol}.{style}") from None


def plain_value(symbol: str, value: Fraction, lang: Lang) -> str:
    """A value as running text has it: 4096, "13 billion", "80 GB", "2.039 TB/s"."""
    unit = SYMBOLS[symbol].unit if symbol in SYMBOLS else "none"
    if unit in ("bytes", "bytes/s", "FLOP/s", "FLOP") and abs(value) >= 1000:
        return worked.symbol_value(symbol, value)
    for size, word in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million")):
        if abs(value) >= size:
            return f"{units.number(value / size, 5)} {word}"
    return units.number(value, 8)


class GivenRow(NamedTuple):
    """One line of the table of givens."""

    symbol: str
    value: str
    meaning: str


def givens(exercise: Exercise, lang: Lang) -> tuple[GivenRow, ...]:
    """The table of givens beside a prompt."""
    return tuple(
        GivenRow(s, _amount(s, exercise.given[s]), symbol_meaning(s, lang))
        for s in exercise.show
        if s in exercise.given
    )


def _amount(symbol: str, value: Fraction) -> str:
    """A given value for the table: a count bare, since the meaning beside it says of what; a size with its unit."""
    counted = symbol in SYMBOLS and SYMBOLS[symbol].unit in units.COUNTS
    return worked.compact(value) if counted else worked.symbol_value(symbol, value)


def working(part: Part) -> tuple[str, ...]:
    """The worked solution's lines: each formula it uses, then itself, in symbols, numbers and value."""
    if part.kind == "formula":
        return (worked.work(part.formula, part.given).symbols,)
    if part.kind not in COMPUTED:
        return ()
    lines: list[str] = []
    for step in work(part).steps:
        lines += [f"{step.name} = {step.symbols}", f"  = {step.numbers}", f"  = {step.value}"]
    return tuple(lines)
