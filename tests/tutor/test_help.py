"""Help is about the screen that it lies over: what that is for, then its own keys."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import tutor.dialogs
import tutor.screens
from content.files import shipped
from tests.tutor.frames import flat, make_app, paste, settle
from tutor.dialogs.glossary import GlossaryPanel
from tutor.dialogs.help import HelpPanel, kebab
from tutor.screens.base import TutorScreen


def classes(of: type) -> Iterator[type]:
    for one in of.__subclasses__():
        yield one
        yield from classes(one)


def screens() -> set[str]:
    """The names of the screens that are opened, not only built upon."""
    for package in (tutor.screens, tutor.dialogs):
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{module.name}")
    ours = {one for one in classes(TutorScreen) if one.__module__.startswith("tutor.")}
    built_upon = {base for one in ours for base in one.__mro__[1:]}  # by ours: other tests make screens of their own
    return {kebab(one.__name__) for one in ours - built_upon if one is not HelpPanel}


def test_every_screen_says_what_it_is_for() -> None:
    assert set(shipped("words/help.toml")) == screens()


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("f7", "Glossary The words of the course."),
        ("f6", "Go to All lessons and exercises."),
        ("s", "Settings Each setting with its value."),
        ("p", "In the placement A few questions that suggest a level"),
    ],
)
async def test_help_lies_over_the_panel_that_it_is_about(tmp_path: Path, key: str, told: str) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press(key)
        await settle(pilot)
        below = app.screen
        await pilot.press("f1")
        await settle(pilot)
        assert isinstance(app.screen, HelpPanel) and told in flat(app)
        await pilot.press("escape")
        await settle(pilot)
        assert app.screen is below


async def test_another_panel_takes_the_place_of_help_and_of_what_lay_below(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for key in ("f6", "f1", "f7"):
            await pilot.press(key)
            await settle(pilot)
        assert isinstance(app.screen, GlossaryPanel) and len(app.screen_stack) == 2
        await pilot.press("f2", "f1")
        await settle(pilot)
        assert "Course ke shabd." in flat(app)


async def test_enter_opens_a_term_and_closes_it_searched_or_not(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    meaning = "A head that keeps a key and a value"
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("f7")
        await settle(pilot)

        async def enter() -> str:
            before = flat(app)
            await pilot.press("enter")
            await settle(pilot)
            assert flat(app) != before
            return flat(app)

        assert "enter open" in flat(app) and "enter close" in await enter() and "enter open" in await enter()
        await paste(pilot, "kv")  # a search opens the first that it finds
        await settle(pilot)
        assert meaning in flat(app) and "enter close" in flat(app)
        assert meaning not in await enter()
        assert meaning in await enter()
        await pilot.press("down")
        await settle(pilot)
        assert "enter open" in flat(app) and meaning not in await enter()
