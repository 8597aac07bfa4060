"""Every figure on its lesson's page: whole in a tall window, with the sentence that says what to notice."""

from __future__ import annotations

from pathlib import Path

import pytest

from content import course
from content.lang import LANGS, Lang
from tests.tutor.frames import make_app, settle
from tutor.figures.pen import Pen
from tutor.figures.view import FigureView
from tutor.progress import Place

PAGES = [
    (lesson.id, section.id)
    for lesson in (course.lesson(f"core/C{number}") for number in range(7))
    for section in lesson.sections
    if section.figure is not None
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: "-".join(page))
async def test_a_tall_window_shows_what_to_notice(tmp_path: Path, page: tuple[str, str]) -> None:
    lang: Lang = LANGS[PAGES.index(page) % 2]
    app = make_app(tmp_path, lang, Place("lesson", *page))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        view = app.screen.query_one(FigureView)
        assert view.figure.notice is not None
        said = view.figure.notice(view.state, Pen(view.content_size.width, view.most_rows, lang))
        drawn = " ".join(str(view.render()).split())
        assert said in drawn, f"{page}\n{view.render()}"
        assert view.size.height <= 24 + 2


async def test_a_short_window_gives_a_figure_no_more_than_it_has(tmp_path: Path) -> None:
    app = make_app(tmp_path, "en", Place("lesson", "core/C6", "second-question"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        view = app.screen.query_one(FigureView)
        assert view.content_size.height <= view.max_rows == 16
        await pilot.resize_terminal(120, 40)
        await settle(pilot)
        assert view.content_size.height > 16
