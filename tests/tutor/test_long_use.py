"""What hours of use at any window size found: what is gone stays in no memory, and is asked nothing."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest
from textual.content import Content
from textual.geometry import Offset, Size
from textual.screen import Screen
from textual.style import Style
from textual.visual import RenderOptions
from textual.widgets import Static, TextArea

from content import course
from tests.soak.headless import mouse
from tests.soak.walk import Step
from tests.tutor.frames import frame, make_app, settle
from tutor.dialogs.settings import SettingsPanel
from tutor.widgets.match_form import MatchForm
from tutor.widgets.painted import Strips
from tutor.widgets.rows import Row, Rows
from tutor.widgets.tasks import tasks_of


@pytest.mark.painted
async def test_what_a_panel_has_painted_goes_with_it(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("f1")
        await settle(pilot)
        frame(app)
        painted = [weakref.ref(one._styles_cache) for one in app.screen.walk_children() if one._styles_cache._cache]
        assert len(painted) > 2
        await pilot.press("escape")
        await settle(pilot)
        frame(app)
        gc.unfreeze()
        gc.collect()
        assert not [one for one in painted if one() is not None]


@pytest.mark.parametrize("width", [1, 2, 5, 11, 12, 13, 20])
def test_a_list_with_hanging_lines_wraps_in_any_width(width: int) -> None:
    rows = Rows()
    rows._rows = (
        Row(text=Content(" " * 14 + "a heading that stands far in")),
        Row("a", Content("a long line that wraps, 漢字 and wide letters too"), lead="L5.1b", hang=10),
        Row("b", Content("another"), right=Content("on the right"), hang=20),
    )
    rows.cursor = 0
    assert rows.get_content_height(Size(width, 20), Size(width, 20), width) > 3


def test_rows_without_a_column_are_painted_as_none_and_then_again() -> None:
    """In a window of one column a list has no width left."""
    strips, rows = Strips(), (Content("one"), Content("two"))
    options = RenderOptions(lambda _: Style(), {}, None, None)
    whole = strips.of(rows, 10, Style(), options)
    assert strips.of(rows, 0, Style(), options) == []
    assert [strip.text for strip in strips.of(rows, 10, Style(), options)] == [strip.text for strip in whole]


async def test_a_press_on_what_has_just_gone_does_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        gone = (Static("gone"), Offset(0, 0))
        monkeypatch.setattr(Screen, "get_widget_and_offset_at", lambda *_: gone)
        for step in (Step("click", x=300, y=400), Step("wheel", "up", 300, 400)):
            mouse(app, step, 80, 24)
        await settle(pilot)
        assert app.is_running and app.crash is None


@pytest.mark.parametrize("gone", [False, True])
async def test_a_screen_without_its_widgets_says_nothing(tmp_path: Path, gone: bool) -> None:
    """What was drawn in a thread arrives when another screen is just being made, or taken away."""
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        screen = SettingsPanel()
        if gone:
            await app.push_screen(screen)
            await screen.remove_children()
        screen.retell()
        screen.retell_keys()
        screen.say_waiting("a moment")
        await pilot.pause()
        assert app.crash is None


def test_a_form_that_is_not_on_the_screen_any_more_can_be_asked() -> None:
    task = next(one for one in tasks_of(course.exercise("core/L1.3"), followups=False) if len(one.parts) > 1)
    assert MatchForm(task.parts).aimed == ""


OWN_WORDS = next(part.id for part in course.exercise("core/L3.3").parts if part.kind == "rubric")


@pytest.mark.parametrize("part", ["", OWN_WORDS])
async def test_a_text_of_several_lines_goes_with_its_screen(tmp_path: Path, part: str) -> None:
    """Textual's own would be kept by the app until the theme changes."""
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        if part:
            app.go(part)
        else:
            await pilot.press("d", "alt+o")
        await settle(pilot)
        typed = [weakref.ref(one) for one in app.screen.query(TextArea)]
        assert typed
        await pilot.press("escape", "alt+m")
        await settle(pilot)
        assert not [one for screen in app.screen_stack for one in screen.query(TextArea)]
        for _ in range(100):
            known = [one for watchers in getattr(app, "__watchers", {}).values() for one, _ in watchers]
            kept = [one for one in typed if one() in known]
            if not kept:
                break
            await pilot.pause(0.02)
        assert not kept
