"""What the app keeps and shows besides answers: drafts, reasons, sources, a figure that cannot be drawn."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from content import course
from content.schema import FigureRef
from tests.tutor.frames import answer, flat, frame, make_app, paste, settle
from tutor import coursemap
from tutor.app import TutorApp
from tutor.plain.study import run
from tutor.plain.terminal import Terminal
from tutor.progress import Place, memory_progress
from tutor.screens.exercise import ExerciseScreen
from tutor.screens.figure import figure_of
from tutor.serving.inside import ServedApp
from tutor.session import Session
from tutor.settings import Settings
from tutor.widgets.answer_input import AnswerInput
from tutor.widgets.form import letter
from tutor.widgets.page import Page
from tutor.widgets.rows import Rows

KV = "core/L2.1/kv"
FITS = "core/L4.1/fits"


@pytest.mark.parametrize(
    "end",
    [
        lambda app: app.end_by(15),
        lambda app: ServedApp.on_exit_app(app),  # the server is gone
        lambda app: app.keep_all(),  # leaving, and stepping aside
    ],
)
async def test_an_end_keeps_what_no_message_has_told_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: Callable[[TutorApp], None]
) -> None:
    monkeypatch.setattr("tutor.ending.threading.Timer", Mock())  # it would end the tests too
    app = make_app(tmp_path, place=Place("exercise", "core/L2.1"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.screen.query_one(AnswerInput).value = "1.0"
        end(app)
        assert app.session.drafts("core/L2.1") == {KV: "1.0"}


async def test_a_draft_waits_where_it_was_left(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L2.3", part="core/L2.3/int8"))
    async with app.run_test(size=(80, 24)) as pilot:
        await paste(pilot, "13.")
        await pilot.press("f9")
        await settle(pilot)
        assert app.session.progress.place().screen == "lesson"
        app.go("core/L2.1")
        await settle(pilot)
        await paste(pilot, "1.0")
        await pilot.press("escape")
        await settle(pilot)
        app.go("core/L2.3/int8")
        await settle(pilot)
        assert app.screen.query_one(AnswerInput).value == "13."
        await answer(pilot, "13 GB")
        assert app.session.drafts("core/L2.3") == {}
        app.go("core/L2.1")
        await settle(pilot)
        assert app.screen.query_one(AnswerInput).value == "1.0"


async def test_an_answer_handed_in_is_no_draft(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L2.1"))
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, "0.537 GB")
        app.action_home()
        await settle(pilot)
        app.go("core/L2.1")
        await settle(pilot)
        await pilot.pause(0.4)
        assert app.screen.query_one(AnswerInput).value == "0.537 GB"
        assert app.session.drafts("core/L2.1") == {}


async def test_a_match_comes_back_as_it_was_answered(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L1.3"))
    async with app.run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        await pilot.press("a", "a", "a", "enter")
        await settle(pilot)
        form = app.screen.form
        picked = dict(form.picked)
        app.action_home()
        await settle(pilot)
        app.go("core/L1.3")
        await settle(pilot)
        assert len(picked) == 3 and app.screen.form.picked == picked


async def test_a_wrong_pair_stays_wrong_whatever_was_looked_up_before(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L1.3"))
    async with app.run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        await pilot.press("f4", "f4")
        await settle(pilot)
        assert "so this part stays unsolved." in flat(app) and "Enter goes on" not in flat(app)
        form = app.screen.form
        first, *others = form.parts
        wrong = next(option.id for option in form.options if option.id not in first.answer)
        for part, option in ((first, wrong), *((part, part.answer[0]) for part in others)):
            form.pairs.go(part.id)
            await pilot.press(letter([one.id for one in form.options].index(option)).lower())
        await pilot.press("enter")
        await settle(pilot)
        app.action_home()
        await settle(pilot)
        app.go("core/L1.3")
        await settle(pilot)
        form = app.screen.form
        assert (form.wrong, form.right) == ((first.id,), tuple(part.id for part in others))
        assert form.aimed == first.id


async def test_the_reason_is_asked_recorded_and_shown(tmp_path: Path) -> None:
    part = course.part(FITS)[1]
    wrong = next(option.id for option in part.reasons if option.id != part.reason)
    app = make_app(tmp_path, place=Place("exercise", "core/L4.1", part=FITS))
    async with app.run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, ExerciseScreen)
        options = screen.query_one("#options", Rows)
        options.go(part.answer[0])
        await pilot.press("enter")
        await settle(pilot)
        assert "And why?" in flat(app) and not screen.current.settled(screen.states)
        app.action_home()
        await settle(pilot)
        app.go(FITS)  # it is asked again until it is given
        await settle(pilot)
        assert "And why?" in flat(app)
        for reason, said in ((wrong, "other reason"), (part.reason, "reason right")):
            app.screen.query_one("#options", Rows).go(reason)
            await pilot.press("enter")
            await settle(pilot)
            await pilot.press("f10")
            await settle(pilot)
            assert said in flat(app)
            await pilot.press("escape")
            await settle(pilot)
        assert app.session.progress.attempts(FITS)[0].reasons == (wrong, part.reason)
        await pilot.press("enter")
        await settle(pilot)
        assert app.screen.current.first.id != FITS


SOURCED = next(
    (entry.id, section)
    for entry in course.index().tracks[0].lessons
    for section in course.lesson(entry.id).sections
    if section.source
)


@pytest.mark.parametrize("lang", ["en", "hi-Latn"])
async def test_sources_stand_under_the_fold(tmp_path: Path, lang: str) -> None:
    lesson, section = SOURCED
    app = make_app(tmp_path, lang, place=Place("lesson", lesson, section.id))
    async with app.run_test(size=(120, 60)) as pilot:
        await settle(pilot)
        assert f"source: {section.source[lang]}"[:30] not in flat(app)
        await pilot.press("i")
        await settle(pilot)
        assert f"source: {section.source[lang]}"[:30] in flat(app)


@pytest.mark.parametrize("lang", ["en", "hi-Latn"])
def test_sources_are_told_in_lines(tmp_path: Path, lang: str) -> None:
    lesson, section = SOURCED
    session = Session(lang, Settings(language=lang), memory_progress(tmp_path / "x"))  # type: ignore[arg-type]
    out = io.StringIO()
    run(session, Terminal(io.StringIO("quit\n"), out), Place("lesson", lesson, section.id))
    assert f"source: {section.source[lang]}" in " ".join(out.getvalue().split())


def test_the_map_knows_what_was_read(tmp_path: Path) -> None:
    session = Session("en", Settings(language="en"), memory_progress(tmp_path / "x"))
    for section in course.lesson("core/C2").sections:
        coursemap.saw(session, "core/C2", section.id)
    coursemap.saw(session, "core/C3", course.lesson("core/C3").sections[0].id)
    state = coursemap.figure_state(FigureRef("map", {"at": "token"}), session)
    known = state["mastery"]
    assert known["core/C2"] == 1 and 0 < known["core/C3"] < 1 and known["core/C0"] == 0  # type: ignore[index]
    view = figure_of(FigureRef("map", {"at": "token"}), session)
    assert view is not None and view.state["mastery"] == known


@pytest.mark.parametrize("ref", [FigureRef("no-such", {}), FigureRef("two-buckets", {"N": "many"}),
                                 FigureRef("two-buckets", {"L": [1]}), FigureRef("ruler", {"b": "x"})])  # fmt: skip
async def test_a_figure_that_cannot_be_drawn_leaves_the_page(
    tmp_path: Path, ref: FigureRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = course.exercise("core/L4.1")._replace(figure=ref)
    monkeypatch.setattr(course, "exercise", lambda id: broken)
    app = make_app(tmp_path, place=Place("exercise", "core/L4.1"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert not app.screen.query("FigureView")
        await answer(pilot, "26 GB")
        assert "Right" in flat(app)


async def test_the_situation_is_read_first(tmp_path: Path) -> None:
    for exercise in (entry.id for entry in course.index().tracks[0].exercises):
        app = make_app(tmp_path, place=Place("exercise", exercise))
        async with app.run_test(size=(60, 20)) as pilot:
            await settle(pilot)
            first = course.exercise(exercise).prompt.en.strip().split("\n")[0].split(" ")[:2]
            assert all(word in frame(app) for word in first if "{" not in word)
            assert app.screen.query_one(Page).scroll_y == 0
            assert app.session.drafts(exercise) == {}


async def test_typing_brings_the_line_into_sight(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L4.1"))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        assert "›" not in frame(app)
        await paste(pilot, "26")
        await settle(pilot)
        assert "› 26" in frame(app)


async def test_the_last_answer_is_typed_over(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L2.1"))
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, "0.537 GB")
        app.action_home()
        await settle(pilot)
        app.go("core/L2.1")
        await settle(pilot)
        await pilot.press("1")
        assert app.screen.query_one(AnswerInput).value == "1"
