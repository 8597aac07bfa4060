"""What the playground gives away: command lines, and the exercises that a figure becomes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.tutor.frames import flat, frame, make_app, settle
from tests.tutor.playgrounds import go_to, playground, started, state
from tutor.playing import matching
from tutor.playing.matching import Match
from tutor.progress import Place
from tutor.screens.playground import PlaygroundScreen
from tutor.screens.playground_panels import CommandsPanel, MatchesPanel

BOTH = ("en", "hi-Latn")
GRID = Place("exercise", "core/L3.1")


async def test_command_lines_are_shown_and_copied(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app, "block-grid")
        await go_to(pilot, app, "used")
        await pilot.press(*"300", "f9")
        await settle(pilot)
        assert isinstance(app.screen, CommandsPanel)
        lines = app.screen.lines
        assert lines[-1].startswith("llm-tutor playground block-grid used=300")
        assert lines[0].startswith("llm-tutor calc") and "used=300" in lines[0]
        assert all(line in flat(app) for line in lines)
        await pilot.press("down", "enter")
        await settle(pilot)
        assert app.clipboard == lines[1] and "Copied" in frame(app)
        await pilot.press("f2", "down")
        await settle(pilot)
        assert "Copy ho gaya" not in frame(app)


@pytest.fixture
def matched(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, object]]]:
    asked: list[tuple[str, object]] = []

    def matches(name: str, state: object) -> Sequence[Match]:
        asked.append((name, state))
        return (Match("core/L3.1", True), Match("core/L5.1a@3", False)) if name == "block-grid" else ()

    monkeypatch.setattr(matching, "matches", matches)
    yield asked


async def test_a_figure_becomes_an_exercise_and_escape_leads_back(
    tmp_path: Path, matched: list[tuple[str, object]]
) -> None:
    app = make_app(tmp_path, place=Place("lesson", "core/C3"))
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot, app, "block-grid")
        await pilot.press("right")
        await settle(pilot)
        before = state(app)
        await pilot.press("f4")
        await settle(pilot)
        assert isinstance(app.screen, MatchesPanel)
        assert [(name, dict(given)) for name, given in matched] == [("block-grid", before)]  # type: ignore[call-overload]
        assert "these numbers" in frame(app) and "variant 3" in frame(app) and "nearest" in frame(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "L3.1" in frame(app).splitlines()[0]
        await pilot.press("escape")
        await settle(pilot)
        assert playground(app).opened.name == "block-grid" and state(app) == before
        await pilot.press("escape")
        await settle(pilot)
        assert "C3" in frame(app).splitlines()[0], "the lesson that it was opened over"


async def test_the_nearest_variant_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "matches", lambda name, state: (Match("core/L5.1a@3", False),))
    app = make_app(tmp_path, "hi-Latn")
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot, app, "block-grid")
        await pilot.press("e")
        await settle(pilot)
        assert "sabse paas" in flat(app) and "kisi mein nahi" in flat(app)


async def test_a_figure_without_exercises_says_so(tmp_path: Path, matched: list[tuple[str, object]]) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot, app, "tracks")
        await app.workers.wait_for_complete()
        await pilot.press("alt+e")
        await settle(pilot)
        assert [note.message for note in app._notifications] == ["No exercise asks about this figure."]
        assert isinstance(app.screen, PlaygroundScreen) and not matched
