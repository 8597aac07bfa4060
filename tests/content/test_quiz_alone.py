"""A part asked by itself: its page says all that it takes, and the study pages stay as they are."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from content import course, fill
from content.course import UnknownVariant
from content.files import ROOT
from content.lang import LANGS, Lang
from content.markup import plain
from content.quiz import items, questions
from content.quiz.alone import alone
from content.quiz.model import Question
from content.schema import COMPUTED
from content.validate import alone as checks
from content.validate import validate

CATALOGUE = items.catalogue()
PARTS = [one.id for one in CATALOGUE.values() if one.kind == "part"]


def asked(id_: str, variant: int = 0) -> Question:
    return questions.question(CATALOGUE[id_], variant)


def page(question: Question, lang: Lang = "en") -> str:
    """The situation, the table of givens and the question, as a learner reads them."""
    assert question.exercise is not None
    situation = plain(fill.fill(question.exercise.prompt[lang], lang, fill.of_exercise(question.exercise)))
    rows = [f"{row.symbol} = {row.value}" for row in fill.givens(question.exercise, lang)]
    return "\n".join([situation, *rows, plain(questions.front(question, lang))])


def variants_of(id_: str) -> list[Question]:
    try:
        return [asked(id_), asked(id_, 1), asked(id_, 2)]
    except UnknownVariant:
        return [asked(id_)]


# --- what a page says -------------------------------------------------------------------------------------------------


def test_the_share_of_wasted_slots_says_of_which_slots() -> None:
    said = page(asked("core/L5.1a/paged_waste"))
    assert "Name the bucket" not in said
    assert "blocks of 16 tokens" in said and "a session of 60 tokens" in said and "these" not in said
    assert "in slots" not in page(asked("core/L5.1a/paged_waste"), "hi-Latn")


def test_the_study_pages_are_unchanged() -> None:
    exercise, part = course.part("core/L5.1a/paged_waste")
    assert part.ask is not None and part.ask.en.startswith("What percentage of the slots in its blocks does such a")
    assert "Name the bucket" in exercise.prompt.en
    question = asked("core/L5.1a/paged_waste")
    assert question.part is not None and question.part.id == part.id and question.part.answer == part.answer


def test_a_part_that_stands_by_itself_already_is_asked_as_the_course_has_it() -> None:
    exercise, part = course.part("core/L2.1/kv")
    made, same = alone(exercise, part)
    assert same == part
    assert (made.prompt, made.show) == (exercise.prompt, exercise.show)


def test_a_situation_is_told_with_the_values_of_the_part_that_is_asked() -> None:
    assert "21 requests of 4096 tokens" in page(asked("core/L4.3/rate21"))
    assert "B = 21" in page(asked("core/L4.3/rate21"))
    cache = page(asked("core/L4.3/fp8_total"))
    assert "weights in FP16" in cache and "cache in FP8" in cache and "p = 1 byte" in cache
    assert "INT4" not in cache
    assert "H100" in page(asked("core/L1.1/ridge_h100")) and "chat server" not in page(asked("core/L1.1/ridge_h100"))


def test_what_the_question_does_not_take_is_not_in_its_table() -> None:
    assert "r_min" not in page(asked("core/L3.2/awq"))
    assert "bs = " not in page(asked("core/L5.1a/lever")), "it would name the lever"
    assert "bs = " in page(asked("core/L5.1a/blocks"))


@pytest.mark.parametrize("id_", PARTS)
def test_every_page_is_whole_in_both_languages_and_in_variants(id_: str) -> None:
    for question in variants_of(id_):
        exercise, part = question.exercise, question.part
        assert exercise is not None and part is not None
        for lang in LANGS:
            said = page(question, lang)
            assert "?" in said or "likho" in said or "Write" in said or part.kind in ("order", "rubric"), said
            scope = fill.of_part(exercise, part)
            texts = [said, *(fill.fill(hint[lang], lang, scope) for hint in part.hints)]
            texts.append(fill.fill(part.solution[lang], lang, scope))
            assert not any("{" in text for text in texts)


@pytest.mark.parametrize("id_", [id_ for id_ in PARTS if course.part(id_)[1].kind in COMPUTED])
def test_a_page_does_not_hold_its_answer(id_: str) -> None:
    _, part = course.part(id_)
    assert f"= {fill.answer_text(part)}" not in page(asked(id_))
    for text in (part.alone.ask, part.alone.situation):
        assert text is None or "{a." not in text.en + text.hi


def test_hints_are_as_many_as_in_the_course() -> None:
    for id_ in PARTS:
        part = asked(id_).part
        assert part is not None
        assert len(part.hints) == len(course.part(id_)[1].hints), id_


def test_answers_are_checked_as_the_course_checks_them() -> None:
    question = asked("core/L4.3/rate21", 2)
    part = question.part
    assert part is not None
    right = fill.answer_text(part)
    assert questions.check(question, right).verdict == "correct"
    assert questions.check(question, "1").verdict == "incorrect"


def test_a_solution_is_told_without_other_answers_of_the_exercise() -> None:
    lines, text = questions.solution(asked("core/L4.1/fits"), "en")
    assert lines == () and "the next one" not in text
    assert "next 2 exercises" not in questions.solution(asked("core/L4.1/kv"), "en")[1]


def test_a_slip_is_asked_on_such_a_page_too() -> None:
    slip = CATALOGUE["core/slip/gib-for-gb"]
    question = questions.question(slip, 1, "core/L4.1/total")
    assert "Find the pieces" not in page(question)
    assert "all requests together" in page(question)


# --- what is checked --------------------------------------------------------------------------------------------------


def problems(tmp_path: Path, file: str, *changes: tuple[str, str]) -> list[tuple[str, str]]:
    shutil.copytree(Path(ROOT) / "course", tmp_path / "course", ignore=shutil.ignore_patterns("__pycache__"))
    target = tmp_path / "course" / "core" / file
    text = target.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, f"the course no longer holds {old!r}"
        text = text.replace(old, new, 1)
    target.write_text(text, encoding="utf-8")
    return [(one.reason, "/".join(one.where)) for one in validate(tmp_path)]


PAGED = 'alone.ask.en = "With PagedAttention and blocks of {bs.tokens} in place of the reservations: what percentage'


def test_a_question_that_points_is_found(tmp_path: Path) -> None:
    assert problems(tmp_path, "L5.toml", (PAGED, PAGED.replace("what percentage", "now what percentage"))) == [
        ("points-before", "L5.1a/paged_waste/alone/ask/en")
    ]


def test_a_question_of_the_course_is_looked_at_where_nothing_stands_for_it(tmp_path: Path) -> None:
    old = 'ask.en = "Which single lever helps most?"'
    assert problems(tmp_path, "L5.toml", (old, old.replace("lever", "lever now"))) == [
        ("points-before", "L5.1a/lever/ask/en")
    ]


def test_what_is_called_clear_must_be_there(tmp_path: Path) -> None:
    assert problems(tmp_path, "L4.toml", ('clear = ["the same"]', 'clear = ["the same", "now"]')) == [
        ("nothing-points", "L4.3/extra/alone/clear")
    ]


def test_a_part_without_a_question_is_found(tmp_path: Path) -> None:
    lines = (Path(ROOT) / "course/core/L4.toml").read_text(encoding="utf-8").splitlines(keepends=True)
    gone = [
        line for line in lines if line.startswith("alone.ask.") and ("All that is free" in line or "woh sab" in line)
    ]
    assert len(gone) == 2
    clear = 'alone.clear = ["the same"]\n'
    assert problems(tmp_path, "L4.toml", *((line, "") for line in gone), (clear, "")) == [
        ("asks-nothing", "L4.3/extra")
    ]


def test_a_value_that_is_nowhere_is_found(tmp_path: Path) -> None:
    for old in ("in {p_w.name}? (1 GB", "{p_w.name} mein weights kitne"):
        assert old in (Path(ROOT) / "course/core/L2.toml").read_text(encoding="utf-8")
    found = problems(
        tmp_path,
        "L2.toml",
        ("in {p_w.name}? (1 GB", "in FP16? (1 GB"),
        ("{p_w.name} mein weights", "FP16 mein weights"),
    )
    assert found == [("value-hidden", "L2.3/fp16")]


def test_languages_placeholders_and_answers_are_checked_as_in_other_texts(tmp_path: Path) -> None:
    hindi = (
        'alone.ask.hi-Latn = "Maan lo job W8A8 par chalta hai. Kya isse KV cache bhi chhota hota hai? (haan ya nahi)"\n'
    )
    assert problems(tmp_path / "a", "L5.toml", (hindi, "")) == [("missing-language", "L5.1b/kv_left/alone/ask")]
    given = 'alone.ask.en = "Weights and caches together: how many GB?"'
    found = problems(tmp_path / "b", "L4.toml", (given, given.replace("how", "{S} and how")))
    assert ("placeholders-differ", "L4.3/fp8_total/alone/ask/hi-Latn") in found
    hi = "alone.ask.hi-Latn ="
    told = problems(
        tmp_path / "c", "L4.toml",
        ('"Weights and caches together: how many GB?"', '"Weights and caches together: {a.fp8_total}?"'),
        (f'{hi} "Weights aur caches milakar kitne GB?"', f'{hi} "Weights aur caches: {{a.fp8_total}}?"'),
    )  # fmt: skip
    assert [reason for reason, _ in told if reason == "answer-given-away"]
    assert [
        one for one in problems(tmp_path / "d", "L5.toml", ("alone.clear", "alone.clean")) if one[0] == "unknown-key"
    ]


def test_the_words_that_point_are_those_that_the_course_uses() -> None:
    """Without what stands for them, the questions that need the page before them are found."""
    pointing: set[str] = set()
    for id_ in PARTS:
        _, part = course.part(id_)
        if part.ask is not None and any(checks.pointing(part.ask[lang], lang) for lang in LANGS):
            pointing.add(id_.removeprefix("core/"))
    wanted = {"L5.1a/paged_waste", "L4.2/headroom", "L4.2/fits", "L3.2/symmetric_ratio", "L2.1/gqa8"}
    assert wanted <= pointing
    assert not {"L5.1a/waste", "L4.1/weights", "L3.2/int8_step"} & pointing
