"""A page that is turned is seen whole: no layout has the old text, or the new text without its figure."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widget import Widget
from textual.widgets import Static

from content import course
from tests.tutor.frames import make_app, settle
from tutor.figures.view import FigureView
from tutor.progress import Place
from tutor.widgets import whole
from tutor.widgets.whole import whole as painted_whole

Seen = tuple[str, tuple[str, ...]]


@pytest.mark.parametrize("key", ["n", "p"])
async def test_a_page_is_turned_in_one_layout(tmp_path: Path, key: str) -> None:
    lesson = course.lesson("core/C0")
    with_figure = [one.figure is not None for one in lesson.sections]
    start = next(
        i for i in range(1, len(with_figure) - 1) if with_figure[i] != with_figure[i + (1 if key == "n" else -1)]
    )
    app = make_app(tmp_path, place=Place("lesson", lesson.id, lesson.sections[start].id), motion="off")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen, seen = app.screen, list[Seen]()

        def look(_: object) -> None:
            heading = str(screen.query_one("#heading", Static).content)
            seen.append((heading, tuple(one.figure.name for one in screen.query(FigureView) if one.region)))

        look(None)
        screen.screen_layout_refresh_signal.subscribe(screen, look, immediate=True)
        await pilot.press(key)
        await settle(pilot)
        before, *after = seen
        look(None)
        assert after
        assert seen[-1] != before
        assert set(after) == {seen[-1]}


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
