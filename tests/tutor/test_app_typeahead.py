"""Keys that come faster than the screen: none is lost, each does what it does when typed slowly."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual import events

from tests.tutor.frames import flat, make_app, settle
from tutor.app import TutorApp
from tutor.progress import Place
from tutor.screens.exercise import ExerciseScreen
from tutor.screens.lesson import LessonScreen
from tutor.widgets.answer_input import AnswerInput


def burst(app: TutorApp, *keys: str) -> None:
    """Send keys as a terminal does, without waiting for anything."""
    for key in keys:
        for one in [key] if key in ("down", "up", "end", "enter", "escape", "backspace") else list(key):
            app.post_message(
                events.Key(one if len(one) > 1 or one.isalnum() else "full_stop", one[:1] if len(one) == 1 else None)
            )


async def quiet(app: TutorApp) -> None:
    """Wait until no key waits any more."""
    for _ in range(400):
        await asyncio.sleep(0.01)
        if app._typeahead._follower is None:
            return
    raise AssertionError("keys still wait")


@pytest.mark.parametrize("pause", [0, 0.005, 0.02])
async def test_letters_after_the_next_part_go_into_it(tmp_path: Path, pause: float) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L2.3"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        burst(app, "down")
        await asyncio.sleep(pause)
        burst(app, "13.0")
        await quiet(app)
        assert app.screen.query_one(AnswerInput).value == "13.0"
        assert app.session.progress.place().part == "core/L2.3/int8"
        burst(app, "up", "26", "down", "down", "7")
        await quiet(app)
        await settle(pilot)
        assert app.screen.query_one(AnswerInput).value == "7"
        assert app.screen.drafts == {"core/L2.3/fp16": "26", "core/L2.3/int8": "13.0", "core/L2.3/int4": "7"}


async def test_the_whole_way_from_home_in_one_burst(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        burst(app, *["down"] * 7, "enter", "e", "down", "enter", "1.07", "backspace", "8")
        await quiet(app)
        await settle(pilot)
        assert isinstance(app.screen, ExerciseScreen)
        assert app.screen.query_one(AnswerInput).value == "1.08"


async def test_a_verdict_comes_before_the_next_key(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L2.3"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        burst(app, "26", "enter", "enter", "13", "enter", "enter", "5")
        await quiet(app)
        await settle(pilot)
        assert app.screen.query_one(AnswerInput).value == "5"
        assert [app.session.state(f"core/L2.3/{part}").last_answer for part in ("fp16", "int8")] == ["26", "13"]


async def test_a_page_asked_for_while_the_lesson_opens_wins(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("lesson", "core/C2"))
    async with app.run_test(size=(80, 24)) as pilot:
        app.post_message(events.Key("e", "e"))
        await quiet(app)
        await settle(pilot)
        assert "L2.1" in flat(app)
        screen = app.screen
        assert isinstance(screen, LessonScreen)
        await asyncio.gather(screen.turn(0), screen.turn(1), screen.turn(2))
        assert screen.number == 2 and len(screen.query("FigureView")) <= 1


async def test_keys_do_not_wait_for_ever_for_a_check_that_hangs(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L2.3"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.screen.busy = True
        burst(app, "7")
        await quiet(app)
        assert app.screen.query_one(AnswerInput).value == "7"
