"""The app without a terminal, driven key by key: from a key to what it paints. For benchmarks of keystrokes.

Wall times are of this moment, on this machine, and a machine that does other things shows it; the processor's times
say what was worked.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from typing import Any, NamedTuple

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.drivers.headless_driver import HeadlessDriver
from textual.widgets import Static

SIZE = (120, 40)
FRAME = 16.0
"""Milliseconds that the design allows from a key to the repaint, 95 of 100 times."""
KEYS = int(os.environ.get("KEYS", "60"))
SETTLE = 0.03
"""Seconds without a byte after which a key has been painted whole."""
WARM = 6
"""Keys before the first that counts: what is read or imported once is paid by then."""
PATIENCE = 15.0
"""Seconds for a screen to be there."""
UNSEEN = 1.0
"""Seconds after which a key counts as one that paints nothing."""


class Counting(HeadlessDriver):
    """A terminal that only counts: what is written to it, and when last."""

    written = 0
    first = 0.0
    """When the first byte after a key was written; 0 before it."""
    last = 0.0

    @property
    def is_headless(self) -> bool:
        """Not for the app: it paints as it does for any terminal."""
        return False

    def write(self, data: str) -> None:
        """Take the bytes."""
        Counting.written += len(data.encode())
        Counting.last = time.perf_counter()
        Counting.first = Counting.first or Counting.last


class Pressed(NamedTuple):
    """Milliseconds from one key to its first and last byte, of the processor, and how many bytes."""

    first: float
    last: float
    worked: float
    size: int


class Taken(NamedTuple):
    """Milliseconds of a row of keys: to the first paint, to the last byte, of the processor; and the bytes of one."""

    p50: float
    p95: float
    whole: float
    worked: float
    size: float

    @classmethod
    def of(cls, keys: Sequence[Pressed]) -> Taken:
        """Those of many keys."""
        ranked = sorted(key.first for key in keys)
        return cls(
            statistics.median(ranked),
            ranked[int(len(ranked) * 0.95)],
            statistics.median(key.last for key in keys),
            statistics.median(key.worked for key in keys),
            statistics.median(key.size for key in keys),
        )


class Bare(App[None]):
    """The yardstick: a text of the size of the window, another one after every key."""

    BINDINGS = [Binding("right", "turn", show=False)]  # noqa: RUF012

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(id="text")

    def action_turn(self) -> None:
        """The other text: every cell changes."""
        self.turn = not getattr(self, "turn", False)
        line = ("WK" if self.turn else "KW") * (SIZE[0] // 2)
        self.query_one("#text", Static).update(Content("\n".join([line] * SIZE[1])))


async def bare() -> Taken:
    """The yardstick, driven."""
    app = Bare(driver_class=Counting)
    return await driven(app, lambda: cycle(["right"]), lambda: True)


async def driven(app: App[Any], keys: Callable[[], Iterator[str]], ready: Callable[[], bool]) -> Taken:
    """Press the keys one after the other, each when the one before has been painted."""
    running = asyncio.create_task(app.run_async(size=SIZE))
    deadline = time.perf_counter() + PATIENCE
    while not (app.is_running and app.screen_stack and ready()):
        if time.perf_counter() > deadline or running.done():
            raise TimeoutError("the screen is not there")
        await asyncio.sleep(0.05)
    await _quiet(0.5)
    done: list[Pressed] = []
    try:
        for turn, key in enumerate(islice(keys(), WARM + KEYS)):
            pressed = await _press(app, key)
            if pressed is not None and turn >= WARM:  # a value at its end paints nothing
                done.append(pressed)
    finally:
        app.exit()
        await running
    return Taken.of(done)


async def _press(app: App[Any], key: str) -> Pressed | None:
    """One key, and everything that it paints."""
    while getattr(app.screen, "busy", False):  # what the key before began is not over
        await asyncio.sleep(0.001)
    await _quiet(SETTLE)
    Counting.first, before = 0.0, Counting.written
    began, working = time.perf_counter(), time.process_time()
    send(app, key)
    while not Counting.first and time.perf_counter() - began < UNSEEN:
        await asyncio.sleep(0.001)
    await _quiet(SETTLE)
    if not Counting.first:
        return None
    worked = (time.process_time() - working) * 1000
    return Pressed((Counting.first - began) * 1000, (Counting.last - began) * 1000, worked, Counting.written - before)


def send(app: App[Any], key: str) -> None:
    """A key, as if the terminal had sent it."""
    assert app._driver is not None
    named = {"space": " ", "plus": "+", "minus": "-"}
    app._driver.process_message(events.Key(key, named.get(key, key if len(key) == 1 else None)))


async def _quiet(seconds: float) -> None:
    while time.perf_counter() - Counting.last < seconds:
        await asyncio.sleep(0.002)
