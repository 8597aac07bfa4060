"""The question cards at the end of a lesson."""

from __future__ import annotations

from pathlib import Path

from tests.tutor.frames import flat, make_app, settle
from tutor.progress import Place


async def test_think_turn_next_and_back(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("lesson", "core/C1", "end"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Check yourself: 4 questions" in flat(app)
        await pilot.press("down", "enter")
        await settle(pilot)
        assert "question 1 of 4" in flat(app)
        assert "Memory-bound: the time goes into moving bytes" not in flat(app)
        await pilot.press("enter")
        assert "Memory-bound: the time goes into moving bytes" in flat(app)
        await pilot.press("f2")
        assert "4 mein se sawaal 1" in flat(app)
        await pilot.press("enter", "n", "n")
        assert "4 mein se sawaal 4" in flat(app)
        await pilot.press("left")
        assert "4 mein se sawaal 3" in flat(app)
        await pilot.press("escape")
        await settle(pilot)
        assert "C1" in flat(app)
        assert app.session.language == "hi-Latn"


async def test_behind_the_last_card_the_panel_closes(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("lesson", "core/C1", "end"))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await pilot.press("down", "enter")
        await settle(pilot)
        await pilot.press("n", "n", "n", "n")
        await settle(pilot)
        assert "Next lesson" in flat(app) and "▸ C2" in flat(app)  # enter goes on, and does not ask again
