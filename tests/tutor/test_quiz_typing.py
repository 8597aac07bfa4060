"""Answers that are picked by a letter: a word that is typed or pasted is a word, not a row of letters."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from tests.tutor.frames import make_app, paste, settle
from tests.tutor.test_app_kinds import at, screen_of
from tutor.screens.exercise import ExerciseScreen
from tutor.widgets.forms_many import ClassifyForm
from tutor.widgets.list_form import ChoiceForm
from tutor.widgets.match_form import MatchForm

JUDGE, CHOICE, CLASSIFY = "core/L3.2/twice_as_bad", "core/L5.1a/bucket", "core/L1.1/a"


@pytest.mark.parametrize("lang", ["en", "hi-Latn"])
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("nahi", "no"),
        ("nahin", "no"),
        ("no", "no"),
        ("haan", "yes"),
        ("yes", "yes"),
        ("y", "yes"),
        ("NAHI", "no"),
        ("yn", "no"),
        ("nh", "yes"),
        ("nahihaan", "yes"),
        ("hnahi", "no"),
    ],
)
async def test_a_yes_or_no_is_the_word_that_was_typed(tmp_path: Path, lang: str, typed: str, meant: str) -> None:
    app = make_app(tmp_path, lang, at(JUDGE))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        form = screen_of(app).query_one(ChoiceForm)
        form.list.go("yes" if meant == "no" else "no")
        await pilot.press(*typed)
        assert form.list.current == meant
        assert isinstance(app.screen, ExerciseScreen)  # the s of "yes" is no command


async def test_a_word_leaves_the_options_as_they_were(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at(CHOICE))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        form = screen_of(app).query_one(ChoiceForm)
        rows = [row.id for row in form.list.rows if row.id]
        await pilot.press("b")
        assert form.list.current == rows[1]
        await pilot.press("a")
        assert form.list.current == rows[0]
        for word in ("nahi", "backlog"):
            await pilot.press("down")
            before = form.list.current
            await pilot.press(*word)
            assert form.list.current == before, word
            assert isinstance(app.screen, ExerciseScreen)  # the l of "backlog" opens nothing
            await pilot.pause(0.55)
        await pilot.press("a")
        assert form.list.current == rows[0]


async def test_what_is_pasted_is_one_answer_or_none(tmp_path: Path) -> None:
    app = make_app(tmp_path, "hi-Latn", at(JUDGE))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        form = screen_of(app).query_one(ChoiceForm)
        for text, meant in ((" Nahi\n", "no"), ("haan", "yes"), ("na jaane", "yes"), ("no", "no")):
            form.list.post_message(events.Paste(text))
            await settle(pilot)
            assert form.list.current == meant


async def test_a_word_picks_and_matches_nothing(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at(CLASSIFY))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        form = screen_of(app).query_one(ClassifyForm)
        await pilot.press(*"vda")
        assert not any(form.picked)
        await pilot.press("escape")
    app = make_app(tmp_path, place=at("core/L1.3/paged"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        match = screen_of(app).query_one(MatchForm)
        await pilot.press(*"wabc")
        assert not match.picked


@pytest.mark.parametrize("lang", ["en", "hi-Latn"])
async def test_the_button_that_counts_has_room_on_both_sides(tmp_path: Path, lang: str) -> None:
    app = make_app(tmp_path, lang, at("core/L3.3/explain"))
    async with app.run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        await paste(pilot, "prefill is compute-bound")
        await pilot.press("enter")
        await settle(pilot)
        strips = app.screen._compositor.render_strips()
        inked = [s.text for strip in strips for s in strip if s.style is not None and s.style.reverse]
        button = next(text for text in inked if "marks" in text)
        assert button == f" {button.strip()} "
