"""Every kind of part, answered with the keyboard alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from content import course
from tests.tutor.frames import answer, flat, make_app, paste, settle
from tutor.app import TutorApp
from tutor.progress import Place
from tutor.screens.exercise import ExerciseScreen
from tutor.widgets.forms import ChoiceForm
from tutor.widgets.forms_many import MatchForm, OrderForm
from tutor.widgets.rows import Rows


def at(part: str) -> Place:
    return Place("exercise", part.rpartition("/")[0], part=part)


def screen_of(app: TutorApp) -> ExerciseScreen:
    assert isinstance(app.screen, ExerciseScreen)
    return app.screen


@pytest.mark.parametrize(
    ("part", "typed"),
    [
        ("core/L2.1/kv", "2*1*2048*32*4096*2 bytes"),
        ("core/L2.2/batch", "37"),
        ("core/L2.3/shrink", "4x"),
        ("core/L3.1/paged_waste", "16.7 %"),
        ("core/L1.2/formula", "KV = 2 B S L n_head d_head p"),
    ],
)
async def test_typed_kinds(tmp_path: Path, part: str, typed: str) -> None:
    from content.checking import check_part

    expected = check_part(part, typed).verdict
    app = make_app(tmp_path, place=at(part))
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, typed)
        assert screen_of(app).told[part].verdict.verdict == expected
        assert (app.session.state(part).status == "solved") == (expected == "correct")


async def test_choice(tmp_path: Path) -> None:
    part = "core/L5.1a/bucket"
    app = make_app(tmp_path, place=at(part))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        form = screen_of(app).query_one(ChoiceForm)
        right = course.part(part)[1].answer[0]
        letter = next(row.letter for row in form.list.rows if row.id == right)
        await pilot.press(letter, "enter")
        await settle(pilot)
        assert app.session.state(part).status == "solved"


async def test_judge_asks_why(tmp_path: Path) -> None:
    part = "core/L3.2/twice_as_bad"
    app = make_app(tmp_path, "hi-Latn", at(part))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("n", "enter")  # nahi
        await settle(pilot)
        assert app.session.state(part).status == "solved"
        assert "Aur kyun?" in flat(app)
        form = screen_of(app).query_one(ChoiceForm)
        form.list.go(course.part(part)[1].reason)
        await pilot.press("enter")
        await settle(pilot)
        assert "wajah bhi yahi hai" in flat(app)


async def test_classify_accepts_letters_and_enter(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at("core/L1.1/a"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("a", "c", "enter")
        await settle(pilot)
        assert screen_of(app).told["core/L1.1/a"].verdict.verdict == "correct"


async def test_match_is_one_task(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L1.3"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        form = screen_of(app).query_one(MatchForm)
        letters = {option.id: "abcdefg"[n] for n, option in enumerate(form.options)}
        for part in form.parts:
            await pilot.press(letters[part.answer[0]])
        await pilot.press("enter")
        await settle(pilot)
        assert app.session.results("core/L1.3").solved == 3
        assert "3 of 3 right" in flat(app)


async def test_order(tmp_path: Path) -> None:
    part = "core/L3.3/chain"
    app = make_app(tmp_path, place=at(part))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        form = screen_of(app).query_one(OrderForm)
        letters = {step.id: step.letter.lower() for step in form.steps}
        right = course.part(part)[1].answer
        await pilot.press(letters[right[1]], "backspace", *(letters[id] for id in right), "enter")
        await settle(pilot)
        assert app.session.state(part).status == "solved"


async def test_rubric_is_marked_by_the_learner(tmp_path: Path) -> None:
    part = "core/L3.3/explain"
    app = make_app(tmp_path, place=at(part))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await paste(pilot, "prefill is [/b] compute-bound")
        await pilot.press("enter")
        await settle(pilot)
        assert "A model answer" in flat(app)
        count = len(course.part(part)[1].rubric)
        await pilot.press(*"abcdefg"[:count], "end", "enter")
        await settle(pilot)
        assert app.session.state(part).status == "solved"
        assert app.session.state(part).last_answer == "prefill is [/b] compute-bound"


async def test_hints_then_the_solution_after_a_warning(tmp_path: Path) -> None:
    part = "core/L2.1/kv"
    app = make_app(tmp_path, place=at(part))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "hint 1/3" in flat(app)
        await pilot.press("f3", "ctrl+t", "f3")
        await settle(pilot)
        assert "Hint 3/3" in flat(app)
        await pilot.press("f4")
        await settle(pilot)
        assert "will then not count as solved" in flat(app)
        await pilot.press("escape")
        await settle(pilot)
        assert app.session.state(part).status == "new" and "not count" not in flat(app)
        await pilot.press("f4", "ctrl+r")
        await settle(pilot)
        assert app.session.state(part).status == "shown"
        assert "2 · 1 · 2048 · 32 · 4096 · 2" in flat(app)
        await answer(pilot, "1.07 GB")
        assert app.session.state(part).status == "shown"


async def test_followups_are_offered_and_never_forced(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at("core/L2.1/kv"))
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, "1.07 GB")
        offers = app.screen.query_one("#offers", Rows)
        assert offers.has_focus and offers.current == "followups"
        await pilot.press("enter")
        await settle(pilot)
        assert screen_of(app).current.first.id == "core/L2.1/gqa8"
        await answer(pilot, "0.268 GB")
        assert app.session.state("core/L2.1/gqa8").status == "solved"


async def test_parts_are_walked_and_skipped(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L2.3"))
    async with app.run_test(size=(80, 24)) as pilot:
        await paste(pilot, "26")
        await pilot.press("down")
        await settle(pilot)
        assert screen_of(app).current.first.id == "core/L2.3/int8"
        await pilot.press("f8")
        await settle(pilot)
        assert app.session.state("core/L2.3/int8").status == "skipped"
        assert screen_of(app).current.first.id == "core/L2.3/int4"
        await pilot.press("up", "up")
        await settle(pilot)
        from tutor.widgets.answer_input import AnswerInput

        assert app.screen.query_one(AnswerInput).value == "26"
