"""Keys in any order at any speed: no order of them ends the app, and none leaves it without a screen."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from textual import events
from textual.widget import Widget
from textual.worker import WorkerCancelled

from tests.tutor.frames import frame, make_app, settle
from tutor import keys
from tutor.dialogs.jump import JumpPanel
from tutor.progress import Place
from tutor.screens.base import Panel
from tutor.travel import DIAGNOSE, QUIZ

LEAVING = {"quit", "aside"}
KEYS = [key for command in keys.TABLE if command.id not in LEAVING for key in command.keys]
KEYS += ["enter"] * 8 + ["escape"] * 4 + ["tab", "shift+tab", "home", "end", "pageup", "pagedown", "backspace", "space"]
KEYS += [*"abdfhjkmoruvwxyz0123456789", "ctrl+u", "ctrl+w", "ctrl+z", "delete", "ctrl+a", "f12"]
SIZES = [(80, 24), (60, 20), (39, 11), (120, 40)]


async def test_a_panel_closes_once_however_often_it_is_asked_to(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f1")
        await settle(pilot)
        panel = app.screen
        assert isinstance(panel, Panel)
        for _ in range(3):  # two clicks and a key, all before the first is answered
            await panel.go_back()
        app.go("core/C2")
        await panel.go_back()
        await settle(pilot)
        assert len(app.screen_stack) == 2 and "C2" in frame(app)


@pytest.mark.painted
@pytest.mark.parametrize(
    ("seed", "place"),
    [(1, None), (7, Place("lesson", "core/C3")), (9, Place("exercise", "core/L3.3"))],
)
async def test_any_keys_in_any_order(tmp_path: Path, seed: int, place: Place | None) -> None:
    random = Random(seed)
    app = make_app(tmp_path, place=place)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for number in range(24):
            for _ in range(random.choice((1, 1, 2, 5))):
                key = random.choice(KEYS)
                app.post_message(events.Key(key, key if len(key) == 1 else None))
            await asyncio.sleep(random.choice((0, 0, 0.003)))
            if number % 8 == 7:
                await pilot.resize_terminal(*random.choice(SIZES))
        for _ in range(300):
            if app._typeahead._follower is None:
                break
            await asyncio.sleep(0.01)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert app.is_running and app.screen_stack and frame(app).strip()


async def test_a_screen_that_is_left_while_it_is_made_takes_nothing_with_it(tmp_path: Path) -> None:
    class Left(JumpPanel):
        """Somebody leaves before its widgets are there."""

        def body(self) -> Iterable[Widget]:
            self.app.pop_screen()
            yield from super().body()

    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        before, home = frame(app), app.screen
        app.push_screen(Left())
        await settle(pilot)
        assert app.screen is home and app.crash is None
        assert frame(app) == before


@pytest.mark.parametrize("name", [*keys.PANELS, DIAGNOSE, QUIZ])
async def test_a_screen_that_is_being_made_is_asked_for_nothing(tmp_path: Path, name: str) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        if name in (DIAGNOSE, QUIZ):
            app.go(name)
        else:
            app.show_panel(app._panel(name))
        for _ in range(40):  # a click on the page below, a signal, a command that goes elsewhere: at any moment of it
            await app.action_back()
            app.keep_all()
            app._keep_here()
            await asyncio.sleep(0)
        with suppress(WorkerCancelled):  # a panel that is closed counts no further
            await settle(pilot)
        await settle(pilot)
        assert app.is_running and frame(app).strip()
