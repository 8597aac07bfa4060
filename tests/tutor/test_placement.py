"""The placement without a screen: what is asked, how sure an answer makes, and where one is placed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content import course
from content.lang import LANGS
from content.quiz import questions
from content.quiz.model import Question
from content.schema import Part
from tutor.placement import asked, belief, telling, where
from tutor.placement.belief import BEYOND, LEVELS, Said
from tutor.placement.placement import LEAST, MOST, Placement, Score, Suggestion

OUTCOMES = st.sampled_from(("right", "wrong", "unknown"))
SAID = st.lists(st.builds(Said, st.sampled_from(LEVELS), OUTCOMES, st.sampled_from((0.03, 0.25, 0.5))), max_size=MOST)


# --- what is asked ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_asks_parts_of_its_own_that_are_judged(level: int) -> None:
    parts = asked.POOL[level]
    assert len(set(parts)) == len(parts) >= 4
    for id_ in parts:
        question = asked.question(id_)
        assert question.item.level == where.level_id(level)
        assert question.part is not None and question.exercise is not None
        assert question.part.kind not in ("rubric", "formula", "order")
        assert 0 < asked.guess(question.part) <= 1 / 2


def right_answer(question: Question, lang: str = "en") -> str:
    part = question.part
    assert part is not None
    if part.kind in ("choice", "match", "judge", "classify"):
        return " ".join(part.answer)
    return questions.answer_shown(question, "en" if lang == "en" else "hi-Latn")


@pytest.mark.parametrize("id_", [id_ for parts in asked.POOL.values() for id_ in parts])
def test_the_engine_judges_and_the_prompt_holds_all_values(id_: str) -> None:
    question = asked.question(id_)
    assert questions.check(question, right_answer(question)).verdict == "correct"
    assert questions.check(question, "¿?").verdict == "invalid"
    exercise, part = question.exercise, question.part
    assert exercise is not None and part is not None
    if part.formula:
        from content import fill

        said = fill.fill(exercise.prompt["en"], "en", fill.of_exercise(exercise))
        said += fill.fill(part.ask["en"], "en", fill.of_part(exercise, part)) if part.ask else ""
        # the givens are left out of the page: whatever number stands there stands in the sentences too
        for row in fill.givens(exercise, "en"):
            number = row.value.split()[0]
            spoken = {"13e9": "13 billion", "0.5": "INT4", "2": ("FP16", "2 bytes"), "0.9": "0.9", "40": "40"}
            forms = spoken.get(number, number)
            forms = forms if isinstance(forms, tuple) else (forms,)
            assert any(form in said for form in (*forms, number)), (id_, row)


def test_another_turn_begins_with_another_question() -> None:
    assert {asked.in_turn(2, turn)[0] for turn in range(4)} == set(asked.POOL[2])
    assert sorted(asked.in_turn(5, 3)) == sorted(asked.POOL[5])


# --- how sure ---------------------------------------------------------------------------------------------------------


@given(SAID)
def test_chances_add_up_and_an_answer_moves_them_its_own_way(said: list[Said]) -> None:
    before = belief.chances(said)
    assert sum(before) == pytest.approx(1) and min(before) > 0
    level = belief.next_level(before, LEVELS)
    assert level is not None
    for outcome, way in (("right", 1), ("wrong", -1), ("unknown", -1)):
        after = belief.chances([*said, Said(level, outcome, 0.25)])  # type: ignore[arg-type]
        following = belief.next_level(after, LEVELS)
        assert following is not None and (following - level) * way >= 0
        assert (belief.begin(after) - belief.begin(before)) * way >= 0


def test_the_first_question_is_of_level_two_and_a_guess_says_less_than_a_number() -> None:
    first = belief.next_level(belief.PRIOR, LEVELS)
    assert first == 2
    typed, guessed = (sum(belief.chances([Said(2, "right", guess)])[2:]) for guess in (0.03, 0.5))
    assert typed > guessed > sum(belief.PRIOR[2:])
    assert belief.next_level(belief.PRIOR, ()) is None


# --- where one is placed ----------------------------------------------------------------------------------------------


def placed(begin: int, luck: Random | None = None, *, slip: float = 0.0, shy: bool = False) -> Placement:
    """A placement taken by somebody who knows the levels below ``begin``; with ``luck`` they guess, and slip."""
    one = Placement(luck.randrange(4) if luck else 0)
    while (question := one.next()) is not None:
        part = question.part
        assert part is not None
        known = int(question.item.level[-1]) < begin
        if not known and shy:
            one.dont_know()
            continue
        chance = 1 - slip if known else asked.guess(part) if luck else 0.0
        right = (luck or Random(0)).random() < chance
        one.answer(right_answer(question) if right else wrong_answer(question, part))
    return one


def wrong_answer(question: Question, part: Part) -> str:
    if part.kind == "classify":
        return " ".join(next(o.id for o in several if o.id not in part.answer) for several in part.attributes)
    if part.kind == "judge":
        return "no" if part.answer == ("yes",) else "yes"
    if part.options:
        return next(option.id for option in part.options if option.id not in part.answer)
    typed = "987654 " + {"%": "%", "GB": "GB"}.get(part.unit, "")
    return typed if questions.check(question, typed).verdict == "incorrect" else "98.7654"


@pytest.mark.parametrize("shy", [False, True])
@pytest.mark.parametrize("begin", range(1, BEYOND + 1))
def test_who_knows_some_levels_is_placed_behind_them(begin: int, shy: bool) -> None:
    one = placed(begin, shy=shy)
    found = one.suggestion()
    assert (found.level, found.beyond) == (min(begin, 5), begin == BEYOND)
    assert LEAST <= len(one.said) <= 6
    assert all(score.well is (level < begin) for level, score in found.scores.items())
    assert one.next() is None and one.current is None


def test_guessing_and_slips_seldom_place_two_levels_off() -> None:
    luck = Random(7)
    off = [abs(placed(begin, luck, slip=0.1).suggestion().level - min(begin, 5)) for begin in (1, 2, 3, 4, 5) * 12]
    assert sum(one == 0 for one in off) >= 50 and sum(one > 1 for one in off) <= 4


@pytest.mark.parametrize("third", [True, False])
def test_two_answers_that_may_be_luck_skip_no_three_levels(third: bool) -> None:
    one = Placement()
    for lucky in (True, False, True):  # levels 2 and 3, not 4
        question = one.next()
        assert question is not None and question.part is not None
        one.answer(right_answer(question) if lucky else wrong_answer(question, question.part))
    assert {level for level, score in one.suggestion().scores.items() if score.well} == {2, 3}
    question = one.next()
    while question is not None and question.part is not None:
        one.answer(
            right_answer(question)
            if third and question.item.level == "core/L3"
            else wrong_answer(question, question.part)
        )
        question = one.next()
    assert (one.suggestion().level == 4) is third


def test_one_number_and_a_lucky_yes_skip_no_two_levels() -> None:
    """One multiplication of level 2, and a yes or no further up that was guessed: level 3 is not suggested on that."""
    one, typed = Placement(), 0
    while (question := one.next()) is not None and question.part is not None:
        lucky = question.part.kind == "judge" or (question.item.level == "core/L2" and not typed)
        typed += lucky and question.part.kind != "judge"
        one.answer(right_answer(question) if lucky else wrong_answer(question, question.part))
    assert typed == 1 and one.suggestion().level < 3
    again = placed(3)
    assert again.suggestion().level == 3
    assert sum(said.outcome == "right" and said.guess < 0.5 for said in again.said) >= 2


def test_what_cannot_be_read_counts_for_nothing_and_may_be_mended() -> None:
    one = Placement()
    question = one.next()
    assert question is not None and one.number == 1
    assert one.answer("hmm").verdict == "invalid"
    assert one.current is question and not one.said
    assert one.answer("26 GB").verdict == "correct"
    assert one.current is None and one.said[0].outcome == "right"
    with pytest.raises(ValueError):
        one.answer("26 GB")
    with pytest.raises(ValueError):
        one.dont_know()


@pytest.mark.parametrize("typed", ["I don't know", "mujhe nahi pata", "idk"])
def test_who_writes_that_they_do_not_know_has_answered(typed: str) -> None:
    one = Placement()
    question = one.next()
    assert question is not None
    one.answer(typed)
    assert one.current is None and [said.outcome for said in one.said] == ["unknown"]


def lines(found: Suggestion) -> Iterator[str]:
    yield telling.headline(found, "en")
    yield from telling.why(found, "en")


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (
            Suggestion(3, False, {2: Score(2, 2), 3: Score(0, 2), 4: Score(0, 1)}),
            [
                "Begin with L3 Analysis.",
                "What went well: L2 Application (2 of 2).",
                "Not yet there: L3 Analysis (0 of 2), L4 Synthesis (0 of 1).",
            ],
        ),
        (
            Suggestion(1, False, {1: Score(0, 2), 2: Score(0, 1)}),
            [
                "Begin with the first lesson. It starts from a single token, and the lessons after it lead to the "
                "exercises of L1 Recognition.",
                "Not yet there: L1 Recognition (0 of 2), L2 Application (0 of 1).",
            ],
        ),
        (
            Suggestion(5, True, {5: Score(3, 3)}),
            [
                "You know most of this course. Begin with L5 Mastery, or try a quiz or a server of your own.",
                "What went well: L5 Mastery (3 of 3).",
            ],
        ),
    ],
)
def test_the_end_says_where_to_begin_and_why(found: Suggestion, told: list[str]) -> None:
    assert list(lines(found)) == told
    assert [well for _, well in telling.table(found, "en")] == [score.well for score in found.scores.values()]


def test_one_begins_at_a_place_of_the_course() -> None:
    assert [where.target(level) for level in LEVELS] == ["core/C0", "core/L2.1", "core/L3.1", "core/L4.1", "core/L5.1a"]
    assert [where.lesson_before(level) for level in LEVELS] == ["", "core/C2", "core/C3", "core/C5", "core/C6"]
    assert all(course.resolve(where.target(level)) for level in LEVELS)
    assert all(where.place_name("core/C0", lang).startswith("C0 ") for lang in LANGS)
