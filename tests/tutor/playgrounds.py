"""The playground in tests: its screen, what it shows, and how one comes to a value."""

from __future__ import annotations

from rich.cells import cell_len
from textual.pilot import Pilot

from tests.tutor.frames import settle
from tutor.app import TutorApp
from tutor.figures.registry import get
from tutor.screens.playground import PlaygroundScreen


def playground(app: TutorApp) -> PlaygroundScreen:
    """The screen."""
    assert isinstance(app.screen, PlaygroundScreen)
    return app.screen


def state(app: TutorApp) -> dict[str, object]:
    """What the figure stands at."""
    view = playground(app).view
    assert view is not None
    return dict(view.state)


def value(app: TutorApp, name: str) -> str:
    """What stands beside the name of a value."""
    return next(row.value for row in playground(app).pane.rows if row.name == name)


def whole(text: str, size: tuple[int, int]) -> None:
    """Nothing of a frame is cut off, and no word is missing."""
    lines = text.splitlines()
    assert len(lines) <= size[1]
    assert all(cell_len(line) <= size[0] for line in lines)
    assert "{" not in text


async def started(pilot: Pilot[None], app: TutorApp, name: str = "two-buckets") -> None:
    """Open it at a figure."""
    app.playing_at = (name, get(name).defaults())
    await settle(pilot)
    await pilot.press("ctrl+g")
    await settle(pilot)


async def go_to(pilot: Pilot[None], app: TutorApp, name: str) -> None:
    """The values have the keys, and this one is at hand."""
    if not playground(app).is_typing():
        await pilot.press("tab")
    playground(app).pane.go(name)
    await settle(pilot)
