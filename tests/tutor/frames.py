"""The screen as plain text, for tests. This is the only place that reads Textual's private compositor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from tests.tutor.resting import rest
from tutor.app import TutorApp
from tutor.progress import Place, memory_progress
from tutor.session import Session
from tutor.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

SIZES = ((60, 20), (80, 24), (120, 40))


def frame(app: TutorApp) -> str:
    """What stands on the screen now, line by line, without blanks at the ends."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


def flat(app: TutorApp) -> str:
    """The same on one line, so that a test need not know where a sentence is wrapped."""
    return " ".join(frame(app).split())


def column(app: TutorApp, place: str) -> str:
    """What stands in the columns of a widget now, on one line, without the scrollbar."""
    region = app.screen.query_one(place).region
    strips = app.screen._compositor.render_strips()
    lines = (strip.crop(region.x, region.right).text for strip in strips)
    return " ".join(" ".join(lines).split())


def make_app(tmp_path: Path, lang: str = "en", place: Place | None = None, **chosen: object) -> TutorApp:
    """An app with a progress of its own, in memory, and no question of language."""
    language = "hi-Latn" if lang == "hi-Latn" else "en"
    session = Session(
        language, Settings(language=language)._replace(**chosen), memory_progress(tmp_path / "none.sqlite3")
    )
    return TutorApp(session, place)


async def paste(pilot: Pilot[None], text: str) -> None:
    """Put a text into the focused input at once; a key press costs sixty milliseconds."""
    target = pilot.app.focused
    assert target is not None
    if isinstance(target, Input):
        target.value = ""
    target.post_message(events.Paste(text))
    await pilot.pause()


async def answer(pilot: Pilot[None], text: str) -> None:
    """Type an answer and wait for the verdict."""
    await paste(pilot, text)
    await pilot.press("enter")
    await settle(pilot)


async def settle(pilot: Pilot[None]) -> None:
    """Wait until workers and layout are done."""
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()
    await rest(0.08)  # a page scrolls to what is new once it has been laid out
    await pilot.pause()
