"""The main walk: home, lesson, exercise, a wrong and a right answer, the other language, quit, start again, resume."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tutor.frames import SIZES, answer, flat, paste, settle
from tutor.app import TutorApp
from tutor.screens.exercise import ExerciseScreen
from tutor.session import Session
from tutor.widgets.answer_input import AnswerInput
from tutor.widgets.rows import Rows

HALF = {"en": "Exactly half.", "hi-Latn": "Bilkul aadha"}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path


@pytest.mark.painted
@pytest.mark.parametrize("size", SIZES)
async def test_the_walk(size: tuple[int, int]) -> None:
    app = TutorApp(Session.start())
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert "Which language shall we use?" in flat(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "C2 The KV cache: what it costs to remember" in flat(app)
        await pilot.press(*["down"] * 7, "enter")  # begin, placement, diagnose, measure, play, C0, C1, C2
        await settle(pilot)
        assert app.session.progress.place().id == "core/C2"
        await pilot.press("n", "n", "e")
        await settle(pilot)
        assert "L2.1 How large is the KV cache?" in flat(app)
        app.screen.query_one("#offers", Rows).go("core/L2.1")
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ExerciseScreen)
        await answer(pilot, "0.537 GB")
        assert HALF["en"] in flat(app)
        told = app.screen.told["core/L2.1/kv"].verdict
        assert told.verdict == "incorrect" and told.ambiguous
        assert set(told.slips[:2]) == {"kv-drop-two", "kv-p-one"}
        await answer(pilot, "1.07 GB")
        assert "Right: 1.07 GB" in flat(app)
        await pilot.press("f2")
        await settle(pilot)
        assert "Sahi: 1.07 GB" in flat(app)
        assert app.screen.query_one(AnswerInput).value == "1.07 GB"
        await pilot.press("q")
        await settle(pilot)
    app.session.close()

    again = TutorApp(Session.start())
    async with again.run_test(size=size) as pilot:
        await settle(pilot)
        assert "Aage L2.2" in flat(again)  # L2.1 is solved; it is come back to all the same
        await pilot.press("c")
        await settle(pilot)
        assert isinstance(again.screen, ExerciseScreen)
        assert again.screen.query_one(AnswerInput).value == "1.07 GB"
        assert again.session.state("core/L2.1/kv").status == "solved"
    again.session.close()


async def test_a_killed_app_loses_no_word() -> None:
    app = TutorApp(Session.start("en"), ask=False)
    async with app.run_test(size=(80, 24)) as pilot:
        app.go("core/L2.1")
        await settle(pilot)
        await paste(pilot, "2*1*2048*32 [/b]")
        await pilot.pause(0.5)
        # No quitting here: what a second process reads is what is on the disk.
        other = Session.start("en")
        place = other.resume()
        assert place is not None
        assert (place.id, place.part, place.draft) == ("core/L2.1", "core/L2.1/kv", "2*1*2048*32 [/b]")
        second = TutorApp(other, ask=False)
    async with second.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert second.screen.query_one(AnswerInput).value == "2*1*2048*32 [/b]"


async def test_a_lesson_resumes_on_its_page() -> None:
    app = TutorApp(Session.start("en"), ask=False)
    async with app.run_test(size=(80, 24)) as pilot:
        app.go("core/C2")
        await settle(pilot)
        await pilot.press("n", "n")
        await settle(pilot)
        heading = app.screen.query_one("#heading").render()
        await pilot.press("escape")
        await settle(pilot)
        assert "Continue C2" in flat(app)
        await pilot.press("c")
        await settle(pilot)
        assert str(app.screen.query_one("#heading").render()) == str(heading)


async def test_the_language_is_asked_once_and_the_locale_only_proposes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "hi_IN.UTF-8")
    app = TutorApp(Session.start())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert app.screen.query_one(Rows).current == "hi-Latn"
        await pilot.press("enter")
        await settle(pilot)
        assert "Shuru karo" in flat(app)
    second = TutorApp(Session.start())
    async with second.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Shuru karo" in flat(second)
