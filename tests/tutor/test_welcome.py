"""The question of the first start: the cursor, the frame and F2 agree, and Enter takes what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tutor.frames import SIZES, flat, settle
from tutor.app import TutorApp
from tutor.session import Session
from tutor.widgets.rows import Rows
from tutor.widgets.topline import TopLine

HOME = {"en": "Begin", "hi-Latn": "Shuru karo"}
NAMES = {"en": "English", "hi-Latn": "Hinglish"}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    for name in ("LLM_TUTOR_LANG", "LC_ALL", "LC_MESSAGES", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_IN.UTF-8")
    return tmp_path


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("locale", "keys", "taken"),
    [
        ("en_IN.UTF-8", [], "en"),
        ("hi_IN.UTF-8", [], "hi-Latn"),
        ("en_IN.UTF-8", ["f2"], "hi-Latn"),
        ("en_IN.UTF-8", ["f2", "f2"], "en"),
        ("hi_IN.UTF-8", ["f2"], "en"),
        ("en_IN.UTF-8", ["down"], "hi-Latn"),
        ("en_IN.UTF-8", ["down", "f2"], "en"),
        ("en_IN.UTF-8", ["f2", "up"], "en"),
    ],
)
async def test_cursor_frame_and_switch_agree(
    size: tuple[int, int], locale: str, keys: list[str], taken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", locale)
    app = TutorApp(Session.start())
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        for key in keys:
            await pilot.press(key)
            await settle(pilot)
        assert app.screen.query_one(Rows).current == taken
        assert NAMES[taken] in str(app.screen.query_one(TopLine).render())
        await pilot.press("enter")
        await settle(pilot)
        assert HOME[taken] in flat(app)
        assert app.session.settings.language == taken
    app.session.close()


async def test_moving_keeps_nothing() -> None:
    app = TutorApp(Session.start())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("down")
        await settle(pilot)
        await pilot.press("q")
        await settle(pilot)
    assert app.session.settings.language is None
    app.session.close()
