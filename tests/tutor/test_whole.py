"""A page that is turned is seen whole: no layout has the old text, or the new text without its figure."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.screen import Screen
from textual.widgets import Static

from content import course
from tests.tutor.frames import frame, make_app, settle
from tutor.figures.view import FigureView
from tutor.progress import Place
from tutor.screens.lesson import LessonScreen
from tutor.widgets.rows import Rows
from tutor.widgets.whole import whole

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


async def test_it_is_painted_before_anything_else_has_its_turn(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        screen, seen = app.screen, list[str]()
        screen.screen_layout_refresh_signal.subscribe(screen, lambda _: seen.append("laid out"), immediate=True)
        async with whole(screen):
            asyncio.get_running_loop().call_soon(seen.append, "another turn")
            await asyncio.sleep(0)
            for rows in screen.query(Rows):
                rows.forget()
            asyncio.get_running_loop().call_soon(seen.append, "a turn after that")
        assert seen == ["another turn", "laid out"]
        assert app._batch_count == 0


async def test_a_change_that_fails_leaves_the_screen_painting(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        with pytest.raises(LookupError):
            async with whole(app.screen):
                raise LookupError
        before = frame(app)
        await pilot.press("down")
        await settle(pilot)
        assert app._batch_count == 0
        assert frame(app) != before
