"""A part of the course asked backwards: its answer is given, and one of its values asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from content import course
from content.address import join
from content.checking import expectation
from content.course import UnknownVariant
from content.fill import plain_value
from content.lang import LANGS, Lang, Text
from content.quiz.alone import label as listed_label
from content.quiz.model import Item, Question
from content.schema import Exercise, Part
from content.words import has, say, symbol_meaning
from engine import units
from engine.answers import reverse as engine
from engine.answers.model import Verdict
from engine.answers.numeric import read_number
from engine.answers.reverse import ANSWER, Reversal
from engine.formulas import registry, worked
from engine.formulas.symbols import SYMBOLS
from engine.tree import Sym, substitute, text

LABELLED = 2
"""So many possible slips are named in one sentence at most."""


def question(item: Item, variant: int = 0) -> Question:
    """A reverse item as it is asked with the numbers of one draw.

    Raises:
        UnknownVariant: the exercise has no such variant, or its numbers do not decide the symbol.
    """
    exercise, part = course.part(join(item.source, variant))
    asked = _asked(item.source, item.symbol, variant)
    if asked is None:
        raise UnknownVariant(item.source.rpartition("/")[0], variant)
    made = _part(item, part, asked)
    return Question(item, _exercise(exercise, part, made, asked), made, expect=asked.expect, variant=variant)


def check(question: Question, typed: str) -> Verdict:
    """The verdict on an answer to a reversed question, with the slips that lead to it."""
    return engine.check(_of(question), typed)


def read_only(question: Question, typed: str) -> Verdict:
    """How a typed text reads, unjudged: incorrect stands for readable."""
    return read_number(_of(question).expect, typed)


def message(question: Question, verdict: Verdict, lang: Lang) -> str:
    """What a verdict says to the learner."""
    from content import verdicts, verdicts_read

    asked, part, exercise = _of(question), question.part, question.exercise
    assert part is not None and exercise is not None
    if verdict.verdict == "invalid":
        return verdicts_read.unreadable(verdict, lang)
    if verdict.verdict == "correct":
        return say("quiz.reverse.correct", lang, value=_value(asked, lang), answer=asked.shown)
    named = [slip for slip in verdict.slips if has(f"slips.{slip}.name")][:LABELLED]
    clauses = [verdicts.clause(slip, exercise, part, verdict, lang) for slip in named]
    if len(clauses) == LABELLED and all(clauses):
        return say("quiz.reverse.slip_two", lang, a=clauses[0], b=clauses[1])
    if clauses and clauses[0]:
        return say("quiz.reverse.slip_one", lang, a=clauses[0])
    if named:
        return say("quiz.reverse.slip_name", lang, name=say(f"slips.{named[0]}.name", lang))
    key = "near" if "near" in verdict.notes else "incorrect"
    return say(f"quiz.reverse.{key}", lang, shown=verdicts_read.shown(verdict, part, lang))


def solution(question: Question, lang: Lang) -> tuple[tuple[str, ...], str]:
    """The lines of working, from the formula to the value, and one sentence."""
    asked, item = _of(question), question.item
    _, part = course.part(join(item.source, question.variant))
    known = {**registry.values(part.given), ANSWER: asked.answer}
    numbers = worked.numbers_text(asked.inverse, known)
    lines = (
        f"{part.formula} = {_formula(part)}",
        f"{item.symbol} = {_inverse(part, asked)}",
        f"  = {numbers}",
        f"  = {_value(asked, lang)}",
    )
    said = say("quiz.reverse.solution", lang, symbol=item.symbol, value=_value(asked, lang), answer=asked.shown)
    return lines, said


def answer_shown(question: Question, lang: Lang) -> str:
    """The right answer to a reversed question, as a line has it."""
    return _value(_of(question), lang)


def name(item: Item, part: Part, lang: Lang) -> str:
    """A reverse item's name, by the part it is made of: "KV cache: find S"."""
    own = f"quiz.answer.{part.formula}.name"  # where the part's label would hold what is asked for
    label = say(own, lang) if has(own) else listed_label(part)[lang]
    return say("quiz.reverse.name", lang, label=label, symbol=item.symbol)


# --- how it is made -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _asked(source: str, symbol: str, variant: int) -> Reversal | None:
    exercise, part = course.part(join(source, variant))
    return engine.reversal(expectation(exercise, part), symbol)


def _of(question: Question) -> Reversal:
    asked = _asked(question.item.source, question.item.symbol, question.variant)
    assert asked is not None, question.item.id  # it was made from one
    return asked


def _exercise(exercise: Exercise, part: Part, made: Part, asked: Reversal) -> Exercise:
    """The situation: its title and the values that are known; its own text would give the asked one away."""
    needed = [s for s in registry.needed(part.formula, part.given) if s != asked.symbol]
    show = sorted(needed, key=lambda s: exercise.show.index(s) if s in exercise.show else len(exercise.show))
    prompt = _both(lambda lang: say("quiz.reverse.prompt", lang, title=exercise.title[lang]))
    return exercise._replace(
        prompt=prompt, given=made.given, show=tuple(show), figure=None, values={}, carry=None, nuances=(),
        parts=(made,), vary=None,
    )  # fmt: skip


def _part(item: Item, part: Part, asked: Reversal) -> Part:
    """The question: a part of no exercise, whose texts are filled already."""
    given = {name: value for name, value in part.given.items() if name != asked.symbol}
    return Part(
        id=item.id,
        kind="integer" if SYMBOLS[item.symbol].whole else "number",
        label=_both(lambda lang: name(item, part, lang)),
        ask=_both(lambda lang: _ask(part, asked, lang)),
        hints=_hints(part, asked),
        solution=_both(lambda lang: _told(item, asked, lang)),
        nuances=(),
        followup=part.followup,
        given=given,
        unit=asked.expect.unit,
        concepts=part.concepts,
    )


def _ask(part: Part, asked: Reversal, lang: Lang) -> str:
    """What is known, and the question."""
    known, find = f"quiz.answer.{part.formula}.text", f"quiz.find.{asked.symbol}"
    if has(known):
        said = say(known, lang, answer=asked.shown)
    else:
        said = say("quiz.reverse.answer", lang, label=part.label[lang], answer=asked.shown)
    meaning = symbol_meaning(asked.symbol, lang)
    wanted = say(find if has(find) else "quiz.reverse.find", lang, symbol=asked.symbol, meaning=meaning)
    sizes = units.get(part.unit).dimension == "bytes"
    return " ".join((said, wanted, say("quiz.reverse.bytes", lang)) if sizes else (said, wanted))


def _hints(part: Part, asked: Reversal) -> tuple[Text, ...]:
    params = {"symbol": asked.symbol, "formula": _formula(part), "inverse": _inverse(part, asked)}
    keys = ("hint_first", "hint_formula", "hint_inverse")
    return tuple(Text(*(say(f"quiz.reverse.{key}", lang, **params) for lang in LANGS)) for key in keys)


def _told(item: Item, asked: Reversal, lang: Lang) -> str:
    return say("quiz.reverse.solution", lang, symbol=item.symbol, value=_value(asked, lang), answer=asked.shown)


def _formula(part: Part) -> str:
    """The formula of a part in symbols, all in one: "N · p_w + 2 · B · S · L · d_model · p"."""
    return text(registry.multi_head(registry.expanded(part.formula), part.given))


def _inverse(part: Part, asked: Reversal) -> str:
    return text(substitute(asked.inverse, {ANSWER: Sym(part.formula)}))


def _value(asked: Reversal, lang: Lang) -> str:
    value, unit = asked.expect.value, asked.expect.unit
    assert value is not None
    if unit not in units.COUNTS:
        return worked.symbol_value(asked.symbol, value)
    return units.quantity(value, unit, 6) if abs(value) < 10**6 else plain_value(asked.symbol, value, lang)


def _both(made: Callable[[Lang], str]) -> Text:
    return Text(made("en"), made("hi-Latn"))
