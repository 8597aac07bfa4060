"""Parts asked backwards: nothing gives the value away, the right value is right in every variant, slips are named."""

from __future__ import annotations

from fractions import Fraction

import pytest

from content import course, fill
from content.address import join
from content.course import UnknownVariant
from content.files import shipped
from content.lang import LANGS, Lang
from content.quiz import items, questions
from content.quiz.model import Item, Question
from engine import units
from engine.answers.reverse import MOST_DIGITS
from engine.formulas import registry
from tutor.plain import asking

REVERSE = [one for one in items.catalogue().values() if one.kind == "reverse"]
VARIANTS = (0, 1, 2, 7)


def of(id_: str, variant: int = 0) -> Question:
    return questions.question(items.catalogue()[id_], variant)


def value_of(question: Question) -> Fraction:
    assert question.expect is not None
    assert question.expect.value is not None
    return question.expect.value


def typed(question: Question) -> str:
    """The right value as somebody would type it: in the unit asked for."""
    assert question.expect is not None
    return repr(float(value_of(question) / units.get(question.expect.unit).factor))


def lines(question: Question, lang: Lang) -> str:
    """All that is shown before an answer."""
    exercise, part = question.exercise, question.part
    assert exercise is not None
    assert part is not None
    return "\n".join(
        (asking.prompt(exercise, lang), asking.question(exercise, part, lang), asking.how(part, lang), part.label[lang])
    )


@pytest.mark.parametrize("item", REVERSE, ids=lambda one: one.id)
def test_the_right_value_is_right_in_every_variant(item: Item) -> None:
    for variant in VARIANTS:
        question = questions.question(item, variant)
        assert question.variant == variant
        assert questions.check(question, typed(question)).verdict == "correct"
        assert questions.check(question, repr(float(typed(question)) * 3 + 1)).verdict == "incorrect"
        part = course.part(join(item.source, variant))[1]
        assert value_of(question) == part.given[item.symbol]


@pytest.mark.parametrize("item", REVERSE, ids=lambda one: one.id)
def test_the_question_has_all_that_it_takes_and_not_what_it_asks_for(item: Item) -> None:
    for variant in VARIANTS:
        question = questions.question(item, variant)
        assert question.exercise is not None
        assert question.part is not None
        formula = course.part(item.source)[1].formula
        needed = set(registry.needed(formula, course.part(item.source)[1].given))
        assert set(question.exercise.show) == needed - {item.symbol}
        assert item.symbol not in question.exercise.given
        assert item.symbol not in question.part.given
        assert len(fill.givens(question.exercise, "en")) == len(needed) - 1
        for lang in LANGS:
            shown = lines(question, lang)
            assert "{" not in shown
            assert f"\n  {item.symbol} = " not in shown


@pytest.mark.parametrize("item", REVERSE, ids=lambda one: one.id)
def test_hints_lead_to_the_formula_and_never_to_the_number(item: Item) -> None:
    question = questions.question(item)
    assert question.part is not None
    assert len(question.part.hints) == 3
    for lang in LANGS:
        hints = [hint[lang] for hint in question.part.hints]
        assert all(item.symbol in hint for hint in hints)
        assert f"{item.symbol} = " in hints[-1]
        assert "{" not in "".join(hints)


@pytest.mark.parametrize("item", REVERSE, ids=lambda one: one.id)
def test_the_solution_shows_the_undone_formula(item: Item) -> None:
    for lang in LANGS:
        question = questions.question(item)
        working, text = questions.solution(question, lang)
        assert working[1].startswith(f"{item.symbol} = ")
        assert question.part is not None
        assert text == question.part.solution[lang]
        assert "{" not in text + "".join(working)


def test_every_symbol_asked_for_has_its_question_and_every_formula_its_sentence() -> None:
    table = shipped("words/quiz.toml")
    assert set(table["find"]) >= {one.symbol for one in REVERSE}
    assert set(table["answer"]) == {course.part(one.source)[1].formula for one in REVERSE}


def test_what_is_shown_before_an_answer() -> None:
    assert lines(of("core/L2.1/kv/find-S"), "en").splitlines() == [
        '"How large is the KV cache?", the other way round: the answer is known, and one of the values is not.',
        "  L = 32: layers",
        "  d_model = 4096: width of a token's vector (hidden size)",
        "  B = 1: requests in the batch",
        "  p = 2 bytes: bytes per number in the cache",
        "The KV cache takes 1.074 GB. How many tokens does each request have in the cache (S)? (1 GB = 10^9 bytes)",
        "Your answer, a whole number (tokens)",
        "KV cache (S is asked)",
    ]
    for variant in range(4):  # its label holds both numbers of bits
        assert "to 4 bits" not in lines(of("core/L2.3/shrink/find-b_to", variant), "en")


def test_the_answer_shown_has_no_more_digits_than_it_takes() -> None:
    for item in REVERSE:
        question = questions.question(item)
        assert question.part is not None
        number = next(word for word in question.part.ask["en"].split() if word[0].isdigit())  # type: ignore[index]
        assert len(number.replace(".", "").rstrip("x")) <= MOST_DIGITS
        assert len(number) <= 9, number


@pytest.mark.parametrize(
    ("id_", "typed", "said"),
    [
        ("core/L2.1/kv/find-S", "4096", "It looks as if the 2 for key and value is missing, or each number was"),
        ("core/L2.1/kv/find-S", "2199", "It looks as if 2^30 bytes were taken for a GB."),
        ("core/L2.1/kv/find-S", "2080", "Close: 2080 tokens is only a little off."),
        ("core/L2.1/kv/find-S", "777", "Not yet: 777 tokens is not it."),
        ("core/L2.1/kv/find-S", "2048", "Right: 2048 tokens. Put back in, it gives 1.074 GB."),
        ("core/L2.1/kv/find-B", "1", "Right: 1 request."),
        ("core/L2.3/fp16/find-N", "13 billion", "Right: 13 billion. Put back in, it gives 26 GB."),
        ("core/L4.1/total/find-B", "23.7", "It looks as if the weights were left out."),
        ("core/L3.1/naive_waste/find-used", "1928", "It looks as if the used share was given"),
        ("core/L3.2/int4_step/find-r_min", "0.6", "the minus of r_min was lost in the range"),
        ("core/L4.3/rate16/find-bandwidth", "2039 GB", "GB does not measure what is asked."),
        ("core/L2.1/kv/find-S", "[red]x[/red]", ""),
    ],
)
def test_what_is_said_of_an_answer(id_: str, typed: str, said: str) -> None:
    question = of(id_)
    verdict = questions.check(question, typed)
    assert said in questions.message(question, verdict, "en")
    for lang in LANGS:
        assert "{" not in questions.message(question, verdict, lang)


def test_no_message_gives_the_value_away() -> None:
    for item in REVERSE:
        question = questions.question(item, 1)
        right = typed(question)
        for factor in (Fraction(1, 2), 2, 3, Fraction(7, 5)):
            wrong = repr(float(Fraction(right) * factor))
            verdict = questions.check(question, wrong)
            assert verdict.verdict == "incorrect"
            said = questions.message(question, verdict, "en").replace(wrong, "")
            assert right not in said.split(), item.id


def test_the_echo_reads_and_does_not_judge() -> None:
    question = of("core/L4.2/headroom/find-capacity")
    assert questions.echo(question, "79 GB", "en") == "read as 79 GB = 79,000,000,000 bytes"
    assert questions.echo(question, "79 GB", "en") != questions.echo(question, "79 GB", "hi-Latn")
    assert "not readable yet" in questions.echo(question, "79 apples", "en")
    assert questions.echo(question, "", "en") == questions.echo(question, "  ", "en")


def test_a_variant_that_there_is_none_of() -> None:
    item = items.catalogue()["core/L2.1/kv/find-S"]
    lost = item._replace(id="core/L2.2/batch/find-budget", source="core/L2.2/batch", symbol="budget")
    with pytest.raises(UnknownVariant):
        questions.question(lost)
