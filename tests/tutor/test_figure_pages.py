"""Every figure on its page: whole in a small window, in a tall one with the sentence that says what to notice."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from content import course
from content.lang import LANGS, Lang
from tests.tutor.frames import frame, make_app, settle
from tutor.app import TutorApp
from tutor.figures.pen import Pen
from tutor.figures.registry import get
from tutor.figures.view import FigureView
from tutor.progress import Place
from tutor.screens.base import LAYOUT
from tutor.screens.lesson import LessonScreen
from tutor.widgets.page import Page

PAGES = [
    (lesson.id, section.id)
    for lesson in (course.lesson(f"core/C{number}") for number in range(7))
    for section in lesson.sections
    if section.figure is not None and "note" not in section.figure.state.get("hide", ())
]
"""Where the page alone says what to notice, the figure is left the rows."""
LESSONS = sorted({lesson for lesson, _ in PAGES})


@pytest.mark.parametrize("lesson", LESSONS)
async def test_a_tall_window_shows_what_to_notice(tmp_path: Path, lesson: str) -> None:
    lang: Lang = LANGS[(LESSONS.index(lesson) + 1) % 2]  # the other one than in the small window below
    app = make_app(tmp_path, lang, Place("lesson", lesson))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, LessonScreen)
        ids = [section.id for section in screen.lesson.sections]
        for page in (section for id, section in PAGES if id == lesson):
            await screen.turn(ids.index(page))
            await settle(pilot)
            view = screen.query_one(FigureView)
            assert view.figure.notice is not None
            said = view.figure.notice(view.state, Pen(view.content_size.width, view.most_rows, lang))
            drawn = " ".join(str(view.render()).split())
            assert said in drawn, f"{lesson} {page}\n{view.render()}"
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


EXERCISES = [
    entry.id
    for track in course.index().tracks
    for level in track.levels
    for entry in level.exercises
    if course.exercise(entry.id).figure is not None
]


async def _whole(pilot: Pilot[None], app: TutorApp, place: str) -> None:
    """The figure has the keys: its frame, its title and its line of keys can be seen."""
    view = app.screen.query_one(FigureView)
    app.screen.set_focus(view)
    await settle(pilot)
    seen = frame(app)
    assert app.screen.can_view_entire(view), f"{place}\n{seen}"
    inner = [line.strip() for line in str(view.render()).split("\n") if line.strip()]
    assert [line for line in inner if line not in seen] == [], f"{place}\n{seen}"
    assert "╭─" in seen and "─╯" in seen, f"{place}\n{seen}"


@pytest.mark.parametrize("lesson", LESSONS)
async def test_a_small_window_shows_the_whole_figure_of_a_lesson(tmp_path: Path, lesson: str) -> None:
    lang = LANGS[LESSONS.index(lesson) % 2]
    sections = [section for id, section in PAGES if id == lesson]
    app = make_app(tmp_path, lang, Place("lesson", lesson, sections[0]))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, LessonScreen)
        ids = [section.id for section in screen.lesson.sections]
        for section in sections:
            await screen.turn(ids.index(section))
            await settle(pilot)
            await _whole(pilot, app, f"{lesson} {section}")
            for action in dict.fromkeys(key.action for key in screen.query_one(FigureView).figure.keys):
                screen.query_one(FigureView).action_press(action)
            await _whole(pilot, app, f"{lesson} {section}, after its keys")


@pytest.mark.parametrize("exercise", EXERCISES)
async def test_a_small_window_shows_the_whole_figure_of_an_exercise(tmp_path: Path, exercise: str) -> None:
    lang = LANGS[EXERCISES.index(exercise) % 2]
    app = make_app(tmp_path, lang, Place("exercise", exercise, part=course.exercise(exercise).parts[0].id))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await _whole(pilot, app, exercise)


async def test_a_page_key_that_comes_to_a_figure_shows_it_whole_and_gives_it_the_keys(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("lesson", "core/C1", "prefill"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, LessonScreen) and screen._figure is not None
        assert not screen._figure.has_focus and "←→ figure" in frame(app)
        await pilot.press("pagedown")
        await settle(pilot)
        await settle(pilot)
        assert screen._figure.has_focus and screen.can_view_entire(screen._figure)
        before = dict(screen._figure.state)
        await pilot.press("tab")  # the figure has the keys already: it keeps them
        await pilot.press("right")
        assert screen._figure.state != before and screen.number == 1
        await pilot.press("pagedown", "pagedown", "n")
        await settle(pilot)
        assert screen.number == 2


async def test_arrows_are_the_figures_whoever_has_the_keys_and_show_it_first(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("lesson", "core/C1", "prefill"), motion="off")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, LessonScreen) and screen._figure is not None
        view, number = screen._figure, screen.number
        assert not screen.can_view_entire(view)
        before = dict(view.state)
        await pilot.press("right")
        await settle(pilot)
        assert view.has_focus and screen.can_view_entire(view) and view.state == before
        await pilot.press("right")
        assert view.state != before
        await pilot.press("shift+tab")
        assert isinstance(screen.focused, Page)
        moved = dict(view.state)
        await pilot.press("right")
        assert view.has_focus and view.state != moved and screen.number == number
        await pilot.press("shift+tab", "p")
        await settle(pilot)
        assert screen.number == number - 1 and screen._figure is None
        await pilot.press("right")
        await settle(pilot)
        assert screen.number == number, "without a figure arrows turn the page"


@pytest.mark.parametrize("lang", LANGS)
async def test_a_small_window_names_the_keys_of_the_page_of_its_figure_and_of_the_language(
    tmp_path: Path, lang: Lang
) -> None:
    app = make_app(tmp_path, lang, Place("lesson", "core/C2", "one-token"))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        for _ in range(2):
            keys = frame(app).splitlines()[-1].split()
            assert {"n", "PgDn", "p", "←→", "F2", "F1"} <= set(keys), keys
            await pilot.press("right")
            await settle(pilot)


async def test_an_arrow_that_a_figure_has_no_use_for_turns_the_page(tmp_path: Path) -> None:
    place = next(
        (lesson, section)
        for lesson, section in PAGES
        if {"left", "right"}.isdisjoint(
            key.action
            for key in get(
                next(s.figure.name for s in course.lesson(lesson).sections if s.id == section and s.figure)
            ).keys
        )
    )
    app = make_app(tmp_path, "en", Place("lesson", *place))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, LessonScreen)
        number = screen.number
        screen.set_focus(screen.query_one(Page))
        await settle(pilot)
        assert "tab figure" in frame(app) and "←→" not in frame(app).splitlines()[-1]
        await pilot.press("right")
        await settle(pilot)
        assert screen.number == number + 1


@pytest.mark.parametrize(("size", "beside"), [((120, 40), True), ((80, 24), False)])
async def test_what_to_notice_stands_under_the_figure_or_where_that_is_beside_it_under_the_text(
    tmp_path: Path, size: tuple[int, int], beside: bool
) -> None:
    app = make_app(tmp_path, "en", Place("lesson", "core/C2", "one-token"))
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, LessonScreen)
        text, view = screen.query_one("#text"), screen.query_one(FigureView)
        (told,) = [one for one in screen._notices() if one.display]
        above = text if beside else view
        assert told.region.y == above.region.bottom + 1
        await screen.turn(0)
        await settle(pilot)
        assert not any(one.region.height for one in screen._notices()), "a page without a figure has nothing to notice"


async def test_the_key_that_plays_other_figures_does_not_turn_the_page(tmp_path: Path) -> None:
    place = next(
        (lesson, section)
        for lesson, section in PAGES
        if get(next(s.figure.name for s in course.lesson(lesson).sections if s.id == section and s.figure)).advance
        is None
    )
    app = make_app(tmp_path, "en", Place("lesson", *place), motion="off")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, LessonScreen)
        view, number = screen.query_one(FigureView), screen.number
        screen.set_focus(view)
        await pilot.press("space")
        await settle(pilot)
        assert (screen.number, screen.query_one(Page).scroll_y) == (number, 0)
        assert not view.playing


async def test_a_figure_that_goes_out_of_sight_gives_the_keys_back(tmp_path: Path) -> None:
    app = make_app(tmp_path, "en", Place("lesson", "core/C1", _below_the_text("core/C1")), motion="off")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen = app.screen
        screen.set_focus(screen.query_one(FigureView))
        await pilot.resize_terminal(60, 20)
        await settle(pilot)
        await pilot.pause(2 * LAYOUT)
        assert isinstance(screen.focused, Page)


def _below_the_text(lesson: str) -> str:
    """The section with a figure and the longest text: in a small window its figure lies below the window."""
    with_figure = [section for section in course.lesson(lesson).sections if section.figure is not None]
    return max(with_figure, key=lambda section: len(section.text["en"])).id
