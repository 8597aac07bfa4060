"""The figure beside an exercise, in the app and in plain lines: it tells what was found and keeps what was turned."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from textual.pilot import Pilot

from content import course, fill
from content.lang import LANGS
from content.schema import Exercise
from content.words import say
from tests.tutor.frames import answer, column, make_app, settle
from tutor import cli
from tutor.app import TutorApp
from tutor.progress import Place
from tutor.screens.exercise import ExerciseScreen
from tutor.screens.figure import PageFigure

SIZE = (120, 40)
CARD = "core/L4.1"


def at(page: str) -> Place:
    return Place("exercise", page, part=course.exercise(page).parts[0].id)


def view(app: TutorApp) -> PageFigure:
    assert isinstance(app.screen, ExerciseScreen)
    return app.screen.query_one(PageFigure)


def seen(app: TutorApp) -> str:
    """What stands beside the exercise."""
    return column(app, "#right")


def right(exercise: Exercise, name: str) -> str:
    return fill.answer_text(exercise.part(name))


async def solve(pilot: Pilot[None], exercise: Exercise, name: str) -> None:
    await answer(pilot, right(exercise, name))


@pytest.mark.parametrize("lang", LANGS)
async def test_a_part_that_is_solved_shows_in_the_figure(tmp_path: Path, lang: str) -> None:
    app = make_app(tmp_path, lang, at(CARD))
    exercise = course.exercise(CARD)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert "80 GB" in seen(app), "the card is given"
        assert "26 GB" not in seen(app) and "53.69" not in seen(app)
        await solve(pilot, exercise, "weights")
        assert "26 GB" in seen(app) and "53.69" not in seen(app)


async def test_a_wrong_answer_or_a_skipped_part_shows_nothing(tmp_path: Path) -> None:
    app = make_app(tmp_path, "en", at(CARD))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await answer(pilot, "13 GB")
        assert "26 GB" not in seen(app)
        await pilot.press("alt+n")
        await settle(pilot)
        assert app.session.progress.states(CARD)[f"{CARD}/weights"].status != "solved"
        assert "26 GB" not in seen(app)


async def test_a_solution_that_is_shown_shows_in_the_figure(tmp_path: Path) -> None:
    app = make_app(tmp_path, "en", at(CARD))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("f4")
        await settle(pilot)
        assert "26 GB" not in seen(app), "the warning alone tells nothing"
        await pilot.press("f4")
        await settle(pilot)
        assert app.session.progress.states(CARD)[f"{CARD}/weights"].status == "shown"
        assert "26 GB" in seen(app)


async def test_what_was_found_before_is_there_when_the_page_opens(tmp_path: Path) -> None:
    app = make_app(tmp_path, "en", at(CARD))
    app.session.check(f"{CARD}/weights", "26 GB", 1.0)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert "26 GB" in seen(app) and "53.69" not in seen(app)


async def test_a_variant_has_its_own_numbers_and_its_own_answers(tmp_path: Path) -> None:
    app = make_app(tmp_path, "en", at(CARD))
    app.session.check(f"{CARD}/weights", "26 GB", 1.0)
    page = f"{CARD}@2"
    drawn = course.exercise(page)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+n", "ctrl+n")
        await settle(pilot)
        state = view(app).state
        assert app.screen.exercise.id == page  # type: ignore[attr-defined]
        assert state["capacity"] == drawn.given["capacity"] and state["S"] == drawn.given["S"]
        assert right(drawn, "weights") not in seen(app), "solved as written, not with these values"
        await solve(pilot, drawn, "weights")
        assert right(drawn, "weights") in seen(app)


async def test_a_dial_that_the_reader_turned_stays_turned(tmp_path: Path) -> None:
    app = make_app(tmp_path, "en", at(CARD))
    exercise = course.exercise(CARD)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        figure, form = view(app), app.focused
        figure.focus()
        await pilot.press("right")
        assert figure.state["B"] != figure.first["B"] == 16
        assert form is not None
        form.focus()
        await solve(pilot, exercise, "weights")
        assert figure.state["B"] != 16 and "weights" not in figure.state["hide"]  # type: ignore[operator]
        figure.focus()
        await pilot.press("r")
        assert figure.state["B"] == 16 and "weights" not in figure.state["hide"]  # type: ignore[operator]


async def test_another_language_keeps_the_figure_as_it_is(tmp_path: Path) -> None:
    app = make_app(tmp_path, "en", at(CARD))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await solve(pilot, course.exercise(CARD), "weights")
        figure = view(app)
        before = figure.state
        await pilot.press("f2")
        await settle(pilot)
        assert view(app) is figure and figure.state == before
        assert "26 GB" in seen(app) and "53.69" not in seen(app)
        assert str(figure.border_title) == say("figures.title.two-buckets", "hi-Latn")


@pytest.mark.parametrize("lang", LANGS)
async def test_techniques_are_tried_out_once_they_are_matched(tmp_path: Path, lang: str) -> None:
    page = "core/L1.3"
    app = make_app(tmp_path, lang, at(page))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        figure = view(app)
        figure.focus()
        before = figure.state
        await pilot.press("1")
        assert figure.state == before and "[ ]" not in seen(app)
        for part in course.exercise(page).parts:
            app.session.check(part.id, part.answer[0], 1.0)
        app.screen.refresh_task()  # type: ignore[attr-defined]
        await settle(pilot)
        assert "[ ]" in seen(app)
        await pilot.press("1")
        assert figure.state["paging"] != before["paging"]


# --- in plain lines --------------------------------------------------------------------------------------------------


def lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], page: str, *typed: str) -> list[str]:
    """What plain study says to the typed lines, cut at each question."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
    assert cli.run(("study", page, "--plain")) == 0
    return re.split(r"(?m)^Part \d", capsys.readouterr().out)


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)


@pytest.mark.usefixtures("home")
def test_plain_lines_say_after_a_part_what_the_figure_tells_now(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = lines(monkeypatch, capsys, CARD, "26 GB", "3.36 GB", "53.69 GB", "skip", "quit")
    title = say("figures.title.two-buckets", "en")
    assert f"{title}\nW weights: ?" in said[0]
    assert f"{title}\nW weights: 26 GB\n" in said[1]
    assert "one request holds: 3.36 GB" in said[2] and "53.69" not in said[2].split(title)[1]
    assert "KV in use: 53.69 GB" in said[3]
    assert title not in said[4], "a part that is skipped tells nothing"


@pytest.mark.usefixtures("home")
def test_plain_lines_show_what_a_shown_solution_tells(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = lines(monkeypatch, capsys, "core/L2.1@1", "solution", "solution", "quit")
    drawn = course.exercise("core/L2.1@1")
    assert right(drawn, "kv") not in said[0]
    assert f"{say('figures.title.kv-factors', 'en')}\n" in said[1]
    assert right(drawn, "kv") in said[1]
