"""Quiz, sheet and progress at three sizes in both languages: whole lines, both edges in place, nothing cut."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tutor.frames import SIZES, flat, frame, paste, settle
from tests.tutor.quizzes import drawn, question, quiz_app, right
from tests.tutor.test_app_frames import check_frame
from tutor.app import TutorApp
from tutor.progress import Place, now
from tutor.screens.home import HomeScreen
from tutor.screens.progress import ProgressPanel
from tutor.screens.progress_concept import ConceptPanel
from tutor.screens.quiz_sheet import SheetPanel
from tutor.session import Session

KV, BATCH, CARD = "core/L2.1/kv", "core/L2.2/batch", "core/card/decode-limit"
Walk = Callable[[TutorApp, "Pilot[None]"], Awaitable[None]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path


def study(days_ago: int = 9) -> None:
    """Some answers, some time ago."""
    session = Session.start("en")
    session.clock = lambda: now() - timedelta(days=days_ago)
    session.check(KV, "1.00 GB", 30)
    for part, answer in ((KV, "1.07 GB"), (BATCH, "37"), ("core/L2.3/fp16", "26")):
        session.check(part, answer, 40)
    session.set_place(Place("exercise", "core/L2.1", part=KV))
    session.close()


async def asked(app: TutorApp, pilot: Pilot[None]) -> None:
    """The first question."""


async def graded(app: TutorApp, pilot: Pilot[None]) -> None:
    """A right answer."""
    await paste(pilot, right(question(app)))
    await pilot.press("enter")
    await drawn(pilot)


async def wrong(app: TutorApp, pilot: Pilot[None]) -> None:
    """A wrong answer, a hint, the solution."""
    await paste(pilot, "1.234 GB")
    await pilot.press("enter")
    await drawn(pilot)
    await pilot.press("f3", "f4")
    await drawn(pilot)


async def turned(app: TutorApp, pilot: Pilot[None]) -> None:
    """The card, turned."""
    await pilot.press("f8")
    await drawn(pilot)
    await paste(pilot, "memory")
    await pilot.press("enter")
    await settle(pilot)


async def sheet(app: TutorApp, pilot: Pilot[None]) -> None:
    """The sheet, after what was answered."""
    await pilot.press("escape")
    await settle(pilot)
    assert isinstance(app.screen, SheetPanel)


async def chosen(app: TutorApp, pilot: Pilot[None]) -> None:
    """The choice of a quiz, from the sheet."""
    await pilot.press("r")
    await settle(pilot)


async def progress(app: TutorApp, pilot: Pilot[None]) -> None:
    """The progress."""
    await pilot.press("alt+i")
    await drawn(pilot)
    assert isinstance(app.screen, ProgressPanel)


async def concept(app: TutorApp, pilot: Pilot[None]) -> None:
    """How a mastery is computed, from the progress."""
    await pilot.press("down", "down", "enter")
    await drawn(pilot)
    assert isinstance(app.screen, ConceptPanel)


WALKS: dict[str, tuple[Walk, ...]] = {
    "graded": (asked, graded),
    "turned": (turned,),
    "sheet": (wrong, sheet, chosen),
    "progress": (progress, concept),
}
"""What is looked at one after the other in one app."""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", WALKS)
async def test_frames(name: str, size: tuple[int, int]) -> None:
    study()
    app = quiz_app([KV, CARD, BATCH])
    async with app.run_test(size=size) as pilot:
        await drawn(pilot)
        for walk in WALKS[name]:
            await walk(app, pilot)
            for language in ("English", "Hinglish"):
                check_frame(frame(app), size)
                lines = frame(app).splitlines()
                assert lines[0].rstrip().endswith(language) and "F1" in lines[-1]
                assert len(app.screen.query("*")) < 60
                await pilot.press("f2")
                await settle(pilot)


@pytest.mark.parametrize("size", SIZES)
async def test_the_clock_stands_in_the_top_line(size: tuple[int, int]) -> None:
    study()
    app = quiz_app([KV, BATCH], mode="test")
    async with app.run_test(size=size) as pilot:
        await drawn(pilot)
        for _ in ("en", "hi-Latn"):
            check_frame(frame(app), size)
            assert "4:5" in frame(app).splitlines()[0] or "5:00" in frame(app).splitlines()[0]
            await pilot.press("f2")
            await settle(pilot)


@pytest.mark.parametrize("walks", [(graded,), (turned,), (wrong, sheet), (progress,)])
async def test_ascii(walks: tuple[Walk, ...]) -> None:
    study()
    app = quiz_app([KV, CARD, BATCH], ascii=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        for walk in walks:
            await walk(app, pilot)
        marks = set("‹›▸✓✗●◐○━─│╭╮╰╯▁▂▃▄▅▆▇█")
        assert not marks & set("".join(frame(app).splitlines()))


async def test_without_colour_the_grade_still_stands_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    study()
    app = quiz_app([KV])
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        await graded(app, pilot)
        assert app.native_ansi_color and "✓ Right" in flat(app) and "‹ " in flat(app)
        check_frame(frame(app), (80, 24))


async def test_home_says_what_is_due() -> None:
    study()
    app = quiz_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, HomeScreen)
        cursor = next(line for line in frame(app).splitlines() if "▸" in line).split("enter")[0].rstrip()
        while " due," not in flat(app):  # counted soon after the first frame
            await pilot.pause(0.02)
        first, second = [line for line in frame(app).splitlines() if "Revise" in line or "▸" in line][:2]
        assert "Revise" in first and "due" in first and "min" in first and first.endswith("enter")
        assert second == cursor, "the cursor stays on what was read there: enter does that"


async def test_the_progress_counts_slips_and_days() -> None:
    study()
    app = quiz_app()
    async with app.run_test(size=(80, 80)) as pilot:
        await settle(pilot)
        await progress(app, pilot)
        text = flat(app)
        assert "L2 Application" in text and "GiB for GB" in text and "once, on" in text
        assert "the target is 90 %" in text and "today ━" in text
