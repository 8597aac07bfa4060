"""What stands in sight, what a word does and what Enter picks, where an answer is chosen: one run for each kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tutor.frames import SIZES, answer, column, flat, frame, make_app, settle
from tests.tutor.test_app_kinds import at, screen_of
from tutor.progress import Place
from tutor.screens.placement import PlacementScreen
from tutor.widgets.forms_many import ClassifyForm, OrderForm
from tutor.widgets.list_form import ChoiceForm
from tutor.widgets.match_form import MatchForm


@pytest.mark.parametrize("size", SIZES)
async def test_the_next_question_is_in_sight_and_so_is_the_verdict(tmp_path: Path, size: tuple[int, int]) -> None:
    app = make_app(tmp_path, "hi-Latn", at("core/L1.1/a"))
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await pilot.press("f3", "f3", "a", "c", "enter")
        await settle(pilot)
        assert "✓ Har hissa sahi" in frame(app)
        await pilot.press("enter")
        await settle(pilot)
        form = screen_of(app).query_one(ClassifyForm)
        assert screen_of(app).number == 1
        assert screen_of(app).can_view_entire(screen_of(app).query_one("#ask")), frame(app)
        assert screen_of(app).can_view_entire(form), frame(app)


WRONG = """\
    2        a ✓
    B        b ✗
    S        c ✗
    L        d ✗
    d_model  e ✗
    p        f ✗"""
MENDED = """\
    2        a ✓
    B        g
    S        h
    L        d ✗
    d_model  e ✗
    p        f ✗"""


async def test_a_match_says_what_is_wrong_and_goes_on_to_it(tmp_path: Path) -> None:
    app = make_app(tmp_path, "hi-Latn", Place("exercise", "core/L1.2"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("a", "enter")
        await settle(pilot)
        assert "B ka letter abhi baaki hai." in column(app, "#missing")
        await pilot.press("f3", "f3", *"bcdef", "enter")
        await settle(pilot)
        assert "6 mein se 1 sahi." in frame(app)
        form = screen_of(app).query_one(MatchForm)
        assert "\n".join(f"    {row.text.plain}" for row in form.pairs.rows) == WRONG
        await pilot.press("g", "h")
        await settle(pilot)
        assert "\n".join(f"    {row.text.plain}" for row in form.pairs.rows) == MENDED
        assert "  ▸ L        d ✗" in frame(app), "the lines are in sight again"
        await pilot.pause(0.55)
        given = dict(form.picked)
        await pilot.press(*"d_model")
        assert form.picked == given and form.aimed == "core/L1.2/L"
        assert screen_of(app).query_one(MatchForm) is form


async def test_a_word_is_the_option_that_says_so_and_no_other_does_anything(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at("core/L1.1/a"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        form = screen_of(app).query_one(ClassifyForm)
        await pilot.press("enter")
        await settle(pilot)
        assert "One choice is still missing: a or b." in flat(app) and not any(form.picked)
        await pilot.press(*"decode")
        await pilot.pause()
        assert form.picked == ["decode", ""]
        await pilot.press("enter")
        await pilot.pause()
        assert "One choice is still missing: c or d." in flat(app) and form.picked == ["decode", ""]
        await pilot.press(*"quit glossary memo", "space", *"banana")
        await pilot.pause()
        assert form.picked == ["decode", ""] and screen_of(app).form is form
        await pilot.pause(0.55)
        await pilot.press(*"memory")
        await pilot.pause()
        assert form.picked == ["decode", "memory"]
        await pilot.press("up")
        await settle(pilot)
        assert "enter pick" in flat(app)


@pytest.mark.parametrize(("part", "kind"), [("core/L5.1a/bucket", ChoiceForm), ("core/L3.2/twice_as_bad", ChoiceForm)])
async def test_enter_alone_hands_nothing_in(tmp_path: Path, part: str, kind: type[ChoiceForm]) -> None:
    app = make_app(tmp_path, place=at(part))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        form = screen_of(app).query_one(kind)
        await pilot.press(*"banana", "enter")
        await settle(pilot)
        assert form.list.current == "" and part not in screen_of(app).told
        assert "Nothing is picked yet." in flat(app)
        await pilot.press("down")
        await settle(pilot)
        assert form.list.current and "Nothing is picked yet." not in flat(app)


async def test_steps_without_a_place_are_named(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at("core/L3.3/chain"))
    async with app.run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        form = screen_of(app).query_one(OrderForm)
        await pilot.press("b", "a", "enter")
        await settle(pilot)
        open_ = ", ".join(step.letter.lower() for step in form.steps if step.letter not in "AB")
        assert f"Still without a place: {open_}." in flat(app) and len(form.order) == 2
        await pilot.pause(0.55)
        await pilot.press(*"cabin")
        assert form.draft == "B A"


async def test_in_a_menu_enter_picks_and_a_sentence_leaves_nothing(tmp_path: Path) -> None:
    part = "core/L2.1/kv"
    app = make_app(tmp_path, place=at(part))
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, "1 GiB")
        screen = screen_of(app)
        await pilot.press("enter")
        await pilot.pause(0.5)
        assert screen.query_one("#offers").has_focus and "enter pick" in flat(app)
        await pilot.press(*"mujhelagtahaisq")
        await settle(pilot)
        assert app.screen is screen


async def test_the_placement_takes_no_word_for_a_choice(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("p")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, PlacementScreen)
        for _ in range(12):
            if screen.form is None or not screen.form.typing:
                break
            await pilot.press("f4")
            await settle(pilot)
        assert screen.form is not None
        before = screen.form.draft
        await pilot.press(*"banana")
        await pilot.press("enter")
        await settle(pilot)
        assert app.screen is screen and screen.form is not None and screen.form.draft == before
        assert "missing" in flat(app) or "Nothing is picked yet" in flat(app)
