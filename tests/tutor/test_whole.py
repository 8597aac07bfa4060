"""A page that is turned is seen whole: no layout has the old text, or the new text without its figure."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from content import course
from tests.tutor.frames import make_app, settle
from tutor.figures.view import FigureView
from tutor.progress import Place
from tutor.screens.lesson import LessonScreen
from tutor.widgets import whole
from tutor.widgets.whole import whole as painted_whole

Seen = tuple[str, tuple[str, ...]]
TICKS = 0.1
"""Seconds in which a screen is laid out and painted several times, if it asks for that."""


def _look(screen: Screen[object]) -> Seen:
    heading = str(screen.query_one("#heading", Static).content)
    return heading, tuple(one.figure.name for one in screen.query(FigureView) if one.region)


@pytest.mark.parametrize("key", ["n", "p"])
async def test_a_page_is_turned_in_one_layout(tmp_path: Path, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = course.lesson("core/C0")
    onward = 1 if key == "n" else -1
    figures = [one.figure is not None for one in lesson.sections]
    start = next(i for i in range(1, len(figures) - 1) if figures[i] and figures[i + onward])
    swap = LessonScreen._swap_figure

    async def slowly(self: LessonScreen) -> None:
        await self.query(FigureView).remove()
        await asyncio.sleep(TICKS)
        await swap(self)
        await asyncio.sleep(TICKS)

    monkeypatch.setattr(LessonScreen, "_swap_figure", slowly)
    app = make_app(tmp_path, place=Place("lesson", lesson.id, lesson.sections[start].id), motion="off")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen, seen = app.screen, list[Seen]()
        before = _look(screen)
        screen.screen_layout_refresh_signal.subscribe(screen, lambda _: seen.append(_look(screen)), immediate=True)
        await pilot.press(key)
        await settle(pilot)
        assert seen
        assert _look(screen) != before
        assert set(seen) == {_look(screen)}


async def test_a_widget_that_does_not_answer_holds_nothing_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole, "PATIENCE", 0.01)
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        monkeypatch.setattr(Widget, "call_later", lambda *_: True)
        async with painted_whole(app.screen):
            pass
        monkeypatch.undo()
        await pilot.press("down")
        assert app._batch_count == 0
