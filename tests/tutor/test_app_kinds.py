"""Every kind of part, answered with the keyboard alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from content import course, fill
from tests.tutor.frames import answer, flat, frame, make_app, paste, settle
from tutor import coursemap
from tutor.app import TutorApp
from tutor.progress import Place
from tutor.screens.exercise import ExerciseScreen
from tutor.screens.figure import PageFigure
from tutor.widgets.answer_input import AnswerInput
from tutor.widgets.forms_many import OrderForm
from tutor.widgets.list_form import ChoiceForm
from tutor.widgets.match_form import MatchForm
from tutor.widgets.page import AnswerPage
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


async def test_the_line_asks_for_as_many_digits_as_the_verdict(tmp_path: Path) -> None:
    part = "core/L4.1/total"
    app = make_app(tmp_path, place=at(part))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "(GB), at least 3 digits" in screen_of(app).query_one(AnswerInput).placeholder
        await answer(pilot, "80 GB")
        assert "Type at least 3 digits." in flat(app)


@pytest.mark.parametrize(
    ("part", "told"),
    [
        (
            "core/L3.1/naive_waste",
            {"en": "a percentage, at least 3 digits", "hi-Latn": "kitne percent, kam se kam 3 digits"},
        ),
        ("core/L2.3/shrink", {"en": "a factor, like 3x", "hi-Latn": "kitne guna, jaise 3x"}),
    ],
)
async def test_a_percentage_or_factor_asks_for_its_digits(tmp_path: Path, part: str, told: dict[str, str]) -> None:
    """94 % is refused as too short to tell; 4x is all there is."""
    for lang, words in told.items():
        app = make_app(tmp_path / lang, lang, place=at(part))
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            assert screen_of(app).query_one(AnswerInput).placeholder == words


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


async def test_marks_are_said_to_be_kept_and_stand_there_again(tmp_path: Path) -> None:
    part = "core/L3.3/explain"
    app = make_app(tmp_path, place=at(part))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await paste(pilot, "it reads fewer bytes")
        await pilot.press("enter", *"abc", "end")
        await settle(pilot)
        assert "enter keep marks" in flat(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "Marks kept: 3 of 4" in flat(app) and "enter go on" in flat(app)
        attempts = len(app.session.progress.attempts(part))
        app.go("core/L2.1")
        await settle(pilot)
        app.go(at(part))
        await settle(pilot)
        assert "A model answer" in flat(app) and len(screen_of(app).marked[part]) == 3
        await pilot.press("end")
        await settle(pilot)
        assert "Keep my marks: 3 of 4" in flat(app) and "enter go on" in flat(app)
        await pilot.press("enter")
        await settle(pilot)
        assert len(app.session.progress.attempts(part)) == attempts
        assert screen_of(app).current.first.name == "chain", "on to what is open"


async def test_after_a_match_hints_are_about_what_is_wrong(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L1.2"))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        form = screen_of(app).query_one(MatchForm)
        letters = {option.id: "abcdefghij"[n] for n, option in enumerate(form.options)}
        given = {part.name: part.answer[0] for part in form.parts}
        given["L"], given["S"] = given["S"], given["L"]
        await pilot.press(*(letters[given[part.name]] for part in form.parts), "enter")
        await settle(pilot)
        assert "4 of 6 right" in flat(app) and "F3 hint 1/" in flat(app)
        await pilot.press("f3")
        await settle(pilot)
        assert "S: Hint 1/" in flat(app)
        assert app.session.state("core/L1.2/S").hints == 1 and app.session.state("core/L1.2/p").hints == 0
        await pilot.press("down")  # the hints are those of the part under the cursor
        await settle(pilot)
        assert screen_of(app).aimed().name == "L" and "S: Hint" not in flat(app)


async def test_a_reason_that_is_another_one_leaves_the_hints(tmp_path: Path) -> None:
    part = "core/L4.1/fits"
    app = make_app(tmp_path, place=at(part))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("y", "enter")
        await settle(pilot)
        form = screen_of(app).query_one(ChoiceForm)
        form.list.go(next(one.id for one in course.part(part)[1].reasons if one.id != course.part(part)[1].reason))
        await pilot.press("enter")
        await settle(pilot)
        assert "F3 hint 1/" in flat(app) and "enter check" in flat(app) and "enter go on" not in flat(app)
        await pilot.press("f3")
        await settle(pilot)
        assert "Hint 1/" in flat(app)
        form.list.go(course.part(part)[1].reason)
        await pilot.press("enter")
        await settle(pilot)
        assert "F3 hint" not in flat(app) and "enter go on" in flat(app)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_way_to_the_figure_and_back_is_told(tmp_path: Path, size: tuple[int, int]) -> None:
    app = make_app(tmp_path, place=at("core/L2.1/kv"))
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert "tab figure" in flat(app)
        before = app.focused
        await pilot.press("tab")
        await settle(pilot)
        assert isinstance(app.focused, PageFigure) and "tab answer" in flat(app)
        await pilot.press("tab")
        await settle(pilot)
        assert app.focused is before and "tab figure" in flat(app)


async def test_in_a_short_window_the_answer_line_is_there_from_the_start(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at("core/L3.1/naive_waste"))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        form = screen_of(app).query_one("#answer")
        assert screen_of(app).can_view_entire(form)
        assert "part 1 of 5" in flat(app) and "wasted slots" not in flat(app)
        await pilot.resize_terminal(60, 40)
        await settle(pilot)
        assert "wasted slots" in flat(app)


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


async def test_an_exercise_whose_lesson_was_not_read_comes_behind_that_lesson(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    for part in course.exercise("core/L1.1").parts:
        app.session.check(part.id, fill.answer_text(part))
    async with app.run_test(size=(80, 50)) as pilot:
        for read, shown in ((False, False), (True, True)):
            if read:
                coursemap.saw(app.session, "core/C1", "decode")
            for place in ("core/L1.1", "results"):
                if place == "results":
                    await pilot.press("f10")
                else:
                    app.go(place)
                await settle(pilot)
                said = flat(app)
                assert "Next: L1.2 Six factors" in said
                assert ("First read: C2 The KV cache" in said.partition("Next: L1.2")[0]) is shown, place
            await pilot.press("escape")


async def test_followups_are_offered_and_never_forced(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at("core/L2.1/kv"))
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, "1.07 GB")
        offers = app.screen.query_one("#offers", Rows)
        assert offers.has_focus and offers.current == "followups"
        assert "Nothing is left open" not in flat(app) and "enter go on" in flat(app)
        await pilot.press("enter")  # nothing is picked from a list that nobody sees
        await settle(pilot)
        await pilot.pause(0.35)  # the line of keys follows once the page has come to rest
        assert "Nothing is left open" in flat(app) and "enter pick" in flat(app), frame(app)
        await pilot.press("enter")
        await settle(pilot)
        assert screen_of(app).current.first.id == "core/L2.1/gqa8"
        await answer(pilot, "0.268 GB")
        assert app.session.state("core/L2.1/gqa8").status == "solved"


async def test_followups_that_are_chosen_twice_come_once(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at("core/L2.1/kv"))
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, "1.07 GB")
        offers = app.screen.query_one("#offers", Rows)
        for _ in range(2):  # Enter and a click, before the row has gone
            offers.post_message(Rows.Chosen(offers, "followups"))
        await settle(pilot)
        assert screen_of(app).current.first.id == "core/L2.1/gqa8"
        assert app.crash is None and len({task.first.id for task in screen_of(app).tasks}) == len(screen_of(app).tasks)


@pytest.mark.parametrize("status", ["solved", "tried"])
async def test_a_followup_that_was_begun_stays_in_the_list(tmp_path: Path, status: str) -> None:
    app = make_app(tmp_path)
    extra = [part for part in course.exercise("core/L3.1").parts if part.followup]
    app.session.check(extra[0].id, "123456 slots" if status == "tried" else fill.answer_text(extra[0]))
    async with app.run_test(size=(80, 24)) as pilot:
        app.go("core/L3.1")
        await settle(pilot)
        assert app.session.state(extra[0].id).status == status
        for _ in range(len(screen_of(app).tasks)):
            await pilot.press("down")
            await settle(pilot)
        assert screen_of(app).current.first.id == extra[0].id


@pytest.mark.parametrize(("lang", "told"), [("en", "part 2 of 5"), ("hi-Latn", "5 mein se part 2")])
async def test_a_short_window_says_which_part_it_is_as_no_score(tmp_path: Path, lang: str, told: str) -> None:
    app = make_app(tmp_path, lang, place=at("core/L3.1/worst_case"))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        assert told in flat(app) and "2/5" not in flat(app)


@pytest.mark.parametrize("lang", ["en", "hi-Latn"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_lines_and_reasons_are_seen_together(tmp_path: Path, size: tuple[int, int], lang: str) -> None:
    app = make_app(tmp_path, lang, place=at("core/L1.2/two"))
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        page, form = app.screen.query_one(AnswerPage), app.screen.query_one(MatchForm)
        options = form.query_one("#options")
        while options.region.bottom > page.region.bottom:
            page.scroll_to(y=page.scroll_y + 3, animate=False)
            await settle(pilot)
            if options.region.y <= page.region.y:
                assert page.region.contains_region(form.pairs.region), "the lines stay while the reasons go by"
        at_rest = page.scroll_y
        await pilot.press("c", "d", "up")
        await settle(pilot)
        assert page.scroll_y == at_rest, "a letter moves nothing"
        assert list(form.picked.values()) == [form.options[2].id, form.options[3].id]
        assert page.region.contains_region(form.pairs.region)


@pytest.mark.parametrize("lang", ["en", "hi-Latn"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_what_is_said_to_a_match_moves_no_reason(tmp_path: Path, size: tuple[int, int], lang: str) -> None:
    app = make_app(tmp_path, lang, place=at("core/L1.2/two"))
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        page, form = app.screen.query_one(AnswerPage), app.screen.query_one(MatchForm)
        options = form.query_one("#options")
        first = options.region.y + page.scroll_y
        await pilot.press("f3")
        await settle(pilot)
        hint = form.query_one("#help")
        assert hint.region.y == form.pairs.region.bottom + 1, "the hint stands under the lines"
        assert options.region.y + page.scroll_y == first
        assert page.region.contains_region(hint.region) and page.region.contains_region(form.pairs.region)
        assert options.region.y >= page.region.y, "the first reasons can be read with it"
        await pilot.press("c", "enter")
        await settle(pilot)
        lacking = form.query_one("#missing")
        assert lacking.display and lacking.region.y == form.pairs.region.bottom + 1
        assert options.region.y + page.scroll_y == first


async def test_lines_with_long_names_stand_above_where_there_is_no_room_beside(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at("core/L1.3/paged"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        form = app.screen.query_one(MatchForm)
        assert form.query_one("#options").region.y == form.pairs.region.y
        await pilot.resize_terminal(60, 24)
        await settle(pilot)
        assert form.query_one("#options").region.y == form.pairs.region.bottom


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


@pytest.mark.parametrize("size", [(80, 24), (120, 60)])
async def test_what_lies_below_the_window_is_said(tmp_path: Path, size: tuple[int, int]) -> None:
    app = make_app(tmp_path, place=at("core/L1.2/two"))
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        low = size[1] < 40
        assert ("PgDn more" in flat(app)) is low
        await pilot.press("pagedown")
        await settle(pilot)
        assert "PgDn more" not in flat(app)
        await pilot.press("pageup")
        await settle(pilot)
        assert ("PgDn more" in flat(app)) is low
