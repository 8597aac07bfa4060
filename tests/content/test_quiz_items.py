"""What revision can ask: every part, card, reverse item and slip, each once, and cheaply known by its id."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from content import course, words
from content.address import join
from content.cards import cards
from content.checking import check_part, expectation
from content.course import UnknownVariant
from content.files import shipped
from content.lang import LANGS, Lang
from content.quiz import concepts, items, questions
from content.quiz.alone import label
from content.quiz.model import Item
from content.schema import COMPUTED
from engine.answers.model import Expectation
from engine.answers.numeric import broken_values
from engine.answers.variants import passes_for_right
from engine.units import get

CATALOGUE = items.catalogue()
KINDS = {kind: [one for one in CATALOGUE.values() if one.kind == kind] for kind in ("part", "reverse", "card", "slip")}


def test_every_part_card_and_follow_up_is_an_item() -> None:
    entries = [entry for track in course.index().tracks for entry in track.exercises]
    parts = {part for entry in entries for part in (*entry.parts, *entry.followups)}
    assert {one.id for one in KINDS["part"]} == parts
    assert {one.id for one in KINDS["card"]} == {card.id for card in cards()}
    assert all(id_ == one.id for id_, one in CATALOGUE.items())


def test_there_are_many_reverse_items_over_the_levels() -> None:
    reverse = KINDS["reverse"]
    assert len(reverse) >= 20
    assert len({one.level for one in reverse}) >= 4
    assert {"S", "B", "L", "N", "p", "bandwidth", "capacity", "b_to"} <= {one.symbol for one in reverse}
    assert all(one.id == f"{one.source}/find-{one.symbol}" for one in reverse)


def test_every_item_knows_its_place_and_concepts() -> None:
    levels = {level.id for track in course.index().tracks for level in track.levels}
    lessons = {lesson.id for track in course.index().tracks for lesson in track.lessons}
    for one in CATALOGUE.values():
        assert one.track == "core"
        assert one.lesson in lessons, one.id
        anywhere = one.kind == "slip" or (one.kind == "card" and one.lesson == "core/C0")  # no exercise is C0's
        assert one.level == "" if anywhere else one.level in levels, one.id
        assert one.concepts, one.id
        assert set(one.concepts) <= set(concepts.concepts()), one.id


def test_an_item_is_known_by_its_id_without_the_levels() -> None:
    for id_, one in CATALOGUE.items():
        cheap = items.item(id_)
        assert cheap is not None, id_
        assert cheap._replace(concepts=one.concepts, lesson=one.lesson) == one
        assert cheap.lesson == one.lesson or one.kind == "slip"


def test_a_slip_with_words_is_an_item_even_where_no_part_shows_it() -> None:
    assert items.item("core/slip/spec-no-bonus") is not None
    assert "core/slip/spec-no-bonus" not in CATALOGUE
    assert items.slip_parts("spec-no-bonus") == ()
    with pytest.raises(KeyError):
        questions.question(Item("core/slip/spec-no-bonus", "slip", "core", "", "", "spec-no-bonus"))


@pytest.mark.parametrize(
    "id_",
    ["", "core", "core/L2.1", "core/L2.1/nothing", "core/L2.1/kv/find-B2", "core/L2.1/kv/find-n_head", "core/card/x",
     "core/slip/", "core/slip/x", "slip/gib-for-gb", "core/slip/core/slip/gib-for-gb", "core/L2.1@3/kv", "../slip/x"],
)  # fmt: skip
def test_what_is_no_item(id_: str) -> None:
    assert items.item(id_) is None


def test_the_cheap_look_opens_no_level() -> None:
    code = (
        "from content.quiz import items; from content import files\n"
        "assert items.item('core/L2.1/kv/find-S') and items.item('core/slip/gib-for-gb')\n"
        "assert items.item('core/card/token')\n"
        "import sys; print([n for n in sys.modules if n in ('sympy', 'textual', 'engine.answers.slips')])\n"
        "print(files.shipped.cache_info().misses)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    loaded, misses = done.stdout.splitlines()
    assert loaded == "[]"
    assert int(misses) == 3  # the index, the cards, the slips


# --- slips ----------------------------------------------------------------------------------------------------------


def test_slips_are_those_that_some_part_shows() -> None:
    table = shipped("words/slips.toml")
    for one in KINDS["slip"]:
        assert one.source in table
        assert items.slip_parts(one.source)
    assert {"gib-for-gb", "kv-drop-two", "swap-phase-bounds", "overflow-assumed"} <= {s.source for s in KINDS["slip"]}
    assert all(1 <= len(one.concepts) <= items.SLIP_CONCEPTS for one in KINDS["slip"])


def test_a_calculated_slip_really_shows_where_it_is_said_to() -> None:
    """The value of the broken calculation, typed: it is wrong, and that slip is among those named."""
    seen = typed = 0
    for one in KINDS["slip"]:
        for part_id in items.slip_parts(one.source):
            exercise, part = course.part(part_id)
            if part.kind not in COMPUTED:
                continue
            expect = expectation(exercise, part)
            for value in _apart(one.source, expect):
                unit = get(expect.unit).factor
                verdict = check_part(part_id, repr(float(value / unit)))
                assert verdict.verdict == "incorrect", (one.source, part_id)
                typed, seen = typed + 1, seen + (one.source in verdict.slips)
    assert seen == typed > 200


def _apart(slip: str, expect: Expectation) -> list[Fraction]:
    from engine.formulas import registry

    right = registry.result(expect.formula, expect.given)
    return [
        b.value for b in broken_values(expect)
        if b.slip == slip and b.rank == 0 and not passes_for_right(expect, b.value, right)
    ]  # fmt: skip


def test_whether_a_slip_shows_depends_on_the_numbers() -> None:
    one, several = (course.part(id_) for id_ in ("core/L2.1/kv", "core/L4.1/kv"))
    assert one[1].given["B"] == 1
    assert not questions.shows("kv-no-batch", *one)
    assert questions.shows("kv-no-batch", *several)
    shown = [n for n in range(1, 40) if questions.shows("kv-no-batch", *course.part(f"core/L2.1@{n}/kv"))]
    ones = [n for n in range(1, 40) if course.part(f"core/L2.1@{n}/kv")[1].given["B"] == 1]
    assert sorted(shown + ones) == list(range(1, 40))
    assert shown
    assert ones


# --- concepts -------------------------------------------------------------------------------------------------------


def test_every_concept_has_a_lesson_a_name_and_a_question() -> None:
    asked = {concept for one in CATALOGUE.values() for concept in one.concepts if one.kind != "slip"}
    for concept in concepts.concepts():
        assert concept in concepts.taught_in()
        assert concept in asked
        for lang in LANGS:
            assert 0 < len(words.say(f"quiz.concept.{concept}", lang)) <= 32
    assert len(concepts.concepts()) == 22
    assert set(shipped("words/quiz.toml")["concept"]) == set(concepts.concepts())


# --- questions of the course's own ------------------------------------------------------------------------------------


def test_a_part_is_asked_as_the_course_has_it() -> None:
    question = questions.question(CATALOGUE["core/L2.1/kv"])
    assert question.part == course.part("core/L2.1/kv")[1]
    third = questions.question(CATALOGUE["core/L2.1/kv"], 3)
    assert third.part is not None
    assert third.part.id == "core/L2.1@3/kv"
    assert third.variant == 3
    assert questions.check(question, "1.07 GB").verdict == "correct"
    assert questions.message(question, questions.check(question, "0.537"), "en").startswith("Exactly half.")
    assert questions.read_only(question, "5").verdict == "incorrect"
    assert questions.echo(question, "5 GB", "en") == "read as 5 GB = 5,000,000,000 bytes"
    assert questions.front(question, "en") == ""
    lines, text = questions.solution(question, "en")
    assert lines[-1] == "  = 1.07 GB"
    assert "{" not in text


def test_numbers_that_do_not_vary_are_no_variant() -> None:
    for id_ in ("core/L1.2/B", "core/L5.1b/why"):
        with pytest.raises(UnknownVariant):
            questions.question(CATALOGUE[id_], 4)


def test_a_slip_is_asked_where_one_wants_it() -> None:
    item = CATALOGUE["core/slip/gib-for-gb"]
    assert questions.question(item).part is not None
    question = questions.question(item, 2, "core/L4.1/total")
    assert question.exercise is not None
    assert (question.exercise.id, question.exercise.variant) == ("core/L4.1@2", 2)
    assert "GiB for GB" in questions.intro(question, "core/L2.1/kv", "en")
    assert "L2.1" in questions.intro(question, "core/L2.1@7/kv", "en")
    assert "@" not in questions.intro(question, "core/L2.1@7/kv", "en")
    assert questions.intro(question, "", "hi-Latn")
    assert questions.intro(questions.question(CATALOGUE["core/L2.1/kv"]), "core/L2.1/kv", "en") == ""


def test_a_card_is_turned_and_not_checked() -> None:
    question = questions.question(CATALOGUE["core/card/d-model"])
    assert question.card is not None
    for lang in LANGS:
        assert "4096" in questions.front(question, lang)
        assert "8192" in questions.solution(question, lang)[1].replace(",", "")
    with pytest.raises(ValueError, match="ticked"):
        questions.check(question, "x")


@pytest.mark.parametrize("lang", LANGS)
def test_names_fit_a_list_and_tell_items_apart(lang: str) -> None:
    names = [questions.name(one, lang) for one in CATALOGUE.values()]  # type: ignore[arg-type]
    assert all(0 < len(name) <= questions.NAME_WIDTH for name in names)
    assert not any("{" in name or "`" in name for name in names)
    reverse = [questions.name(one, lang) for one in KINDS["reverse"]]  # type: ignore[arg-type]
    assert len(set(reverse)) == len(reverse)


@pytest.mark.parametrize("item", [*KINDS["part"], *KINDS["reverse"]], ids=lambda item: item.id)
def test_a_name_in_a_list_is_true_of_every_variant(item: Item) -> None:
    """An item is no draw: what would differ between draws is no part of its name."""
    base = label(course.part(item.source)[1])
    for number in (1, 2, 3, 4):
        try:
            _, drawn = course.part(join(item.source, number))
        except UnknownVariant:
            continue
        assert label(drawn) == base
        assert "{" not in base.en + base.hi


def test_in_study_a_part_still_says_its_own_value() -> None:
    exercise = course.exercise("core/L3.2@1")
    part = next(part for part in exercise.parts if part.id.endswith("/int4_step"))
    assert part.label.en == f"{part.given['b']}-bit step" != label(part).en


# --- words ----------------------------------------------------------------------------------------------------------


def test_words_for_every_grade_reason_kind_and_mode() -> None:
    reasons = """right wrong slip-again near some-hints all-hints gave-up shown-before fast usual slow no-pace
        reason-wrong ticked-all ticked-some ticked-few other-slip study overruled test unit"""
    keys = [f"quiz.reason.{one}" for one in reasons.split()]
    keys += [f"quiz.grade.{one}.name" for one in ("again", "hard", "good", "easy")]
    keys += [f"quiz.kind.{one}.{key}" for one in KINDS for key in ("name", "many")]
    keys += [f"quiz.mode.{one}.{key}" for one in ("due", "level", "track", "weak", "test") for key in ("name", "about")]
    for key in keys:
        assert words.has(key), key


@pytest.mark.parametrize("lang", LANGS)
def test_the_right_answer_of_every_checked_question_can_be_said_in_a_line(lang: Lang) -> None:
    for item in [*KINDS["part"], *KINDS["reverse"]]:
        question = questions.question(item)
        told = questions.answer_shown(question, lang)
        assert question.part is not None
        assert bool(told) == (question.part.kind not in ("rubric", "order")), item.id
        if question.expect is None and question.part.kind in COMPUTED:
            assert questions.check(question, told).verdict == "correct", item.id


@pytest.mark.parametrize("lang", LANGS)
def test_where_two_readings_are_right_both_are_told(lang: Lang) -> None:
    shared = [one for one in KINDS["part"] if (part := questions.question(one).part) is not None and part.accept]
    assert shared
    for item in shared:
        question = questions.question(item)
        told = questions.answer_shown(question, lang).split(" / ")
        assert question.part is not None and len(told) == 1 + len(question.part.accept)
        assert all(questions.check(question, one).verdict == "correct" for one in told)
