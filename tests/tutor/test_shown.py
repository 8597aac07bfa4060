"""What a terminal shows after a key is what stands on the screen: no paint leaves anything out, or anything old."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pyte
import pytest
from textual import events
from textual._context import active_app
from textual.drivers.headless_driver import HeadlessDriver

from tests.tutor.frames import frame, make_app
from tutor.app import TutorApp
from tutor.progress import Place
from tutor.travel import PLAYGROUND

WIDTH, HEIGHT = 100, 30


class Terminal(HeadlessDriver):
    """A terminal that shows what is written to it."""

    screen = pyte.Screen(WIDTH, HEIGHT)
    stream = pyte.Stream(screen)

    @property
    def is_headless(self) -> bool:
        """Not for the app: it paints as it does for any terminal."""
        return False

    def write(self, data: str) -> None:
        """Show it."""
        Terminal.stream.feed(data)


def shown() -> str:
    """What the terminal shows."""
    return "\n".join(line.rstrip() for line in Terminal.screen.display)


async def quiet(app: TutorApp, before: str) -> None:
    """Wait until no key waits, and until the terminal shows the screen, another one than before; or long enough."""
    for _ in range(400):
        await asyncio.sleep(0.05)
        still = app._typeahead._follower is None and not getattr(app.screen, "busy", False)
        if still and shown() != before and shown() == frame(app):
            return


@pytest.mark.painted
@pytest.mark.parametrize(
    ("start", "typed"),
    [
        (PLAYGROUND, ("down", "right", "1", "u", "tab", "plus", "down", "plus", "tab", "r", "f8", "f2")),
        (Place("lesson", "core/C2"), ("n", "tab", "right", "up", "n", "n", "p", "f2")),
        (Place("exercise", "core/L2.1"), ("1", "f3", "f3", "enter", "f4", "f4")),
    ],
    ids=str,
)
async def test_the_terminal_shows_the_screen(tmp_path: Path, start: Place | str, typed: Sequence[str]) -> None:
    app = make_app(tmp_path, motion="off")
    app._start, app.driver_class = start, Terminal
    Terminal.screen.reset()
    active_app.set(app)  # `frame` draws from here, outside of the app
    running = asyncio.create_task(app.run_async(size=(WIDTH, HEIGHT)))
    while not (app.is_running and app.screen_stack and app.screen.is_mounted):
        await asyncio.sleep(0.05)
    try:
        await quiet(app, "")
        for key in typed:
            before = shown()
            app._driver.process_message(events.Key(key, key if len(key) == 1 else None))
            await quiet(app, before)
            assert shown() == frame(app)
            assert shown() != before, key
    finally:
        app.exit()
        await running
