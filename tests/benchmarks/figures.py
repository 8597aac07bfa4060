"""Figures under the fingers: `python -m tests.benchmarks.figures [FIGURE...]`.

Per figure, at 120 x 40: the drawing alone; from a key to the first paint and to the last byte (whole), on a lesson's
page and in the playground, beside one frame of 16 ms and beside a bare Textual app that paints a text of the same size;
and what importing the figure's module costs a process that has the other parts already.

Wall times are of this moment, on this machine, and a machine that does other things shows it; the processor's times
say what was worked. Nothing here is a test.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.drivers.headless_driver import HeadlessDriver
from textual.widgets import Static

from tutor.figures.registry import get, names
from tutor.figures.view import FigureView

SIZE = (120, 40)
FRAME = 16.0
"""Milliseconds that the design allows from a key to the repaint, 95 of 100 times."""
KEYS = int(os.environ.get("KEYS", "60"))
SETTLE = 0.03
"""Seconds without a byte after which a key has been painted whole."""
WARM = 6
"""Keys before the first that counts: what is read or imported once is paid by then."""
PATIENCE = 15.0
"""Seconds for a page to show its figure."""
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


def main(wanted: Sequence[str]) -> int:
    """Measure everything and print the table."""
    bare = asyncio.run(_bare())
    print(f"{KEYS} keys at {SIZE[0]}x{SIZE[1]}, milliseconds. A bare app: {_brief(bare)}; one frame is {FRAME:.0f}.")
    columns = "  p50   p95  whole  work  bytes   bare    "
    print(f"{'':<34}   {'lesson':<42}  playground")
    print(f"{'':<18} {'draw':>6} {'import':>7}   {columns}   {columns}")
    for name in wanted or names():
        lesson, play = asyncio.run(_lesson(name)), asyncio.run(_playground(name))
        print(f"{name:<18} {drawing(name):>6.2f} {importing(name):>7.1f}   {_long(lesson, bare)}  {_long(play, bare)}")
    return 0


def _brief(taken: Taken) -> str:
    times = f"p50 {taken.p50:.1f}, p95 {taken.p95:.1f}, whole {taken.whole:.1f}, worked {taken.worked:.1f}"
    return f"{times}, {taken.size:.0f} bytes"


def _long(taken: Taken | None, bare: Taken) -> str:
    if taken is None:
        return f"{'on no page':<42}"
    held = "ok" if taken.p95 <= FRAME else "OVER"
    times = f"{taken.p50:5.1f} {taken.p95:5.1f} {taken.whole:6.1f} {taken.worked:5.1f} {taken.size:6.0f}"
    return f"{times} {taken.p50 / bare.p50:5.2f}x {held:<4}"


def drawing(name: str) -> float:
    """Milliseconds of one drawing at 120 x 40, each of another state."""
    figure = get(name)
    states = list(islice(_states(name), KEYS))
    began = time.process_time()
    for state in states:
        figure.draw(state, *SIZE, "en")
    return (time.process_time() - began) * 1000 / len(states)


def _states(name: str) -> Iterator[Mapping[str, object]]:
    figure = get(name)
    state = figure.defaults()
    figure.draw(state, *SIZE, "en")  # what is read once has been read
    for action in _turns(name):
        state = figure.press(state, action)
        yield state


def _turns(name: str) -> Iterator[str]:
    """The figure's keys, each a few times running, for ever."""
    return (key.action for key in cycle(get(name).keys) for _ in range(3))


@cache
def importing(name: str) -> float:
    """Milliseconds that a figure's first drawing adds to a process that has the others' parts: import and reading."""
    module = get(name).notice.__module__ if get(name).notice else get(name).paint.__module__
    code = (
        "import time, textual.content, tutor.figures.base, tutor.figures.view, content.words\n"
        f"began = time.perf_counter()\nimport {module}\nprint((time.perf_counter() - began) * 1000)"
    )
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(3)
    ]
    return min(times)


async def _bare() -> Taken:
    app = Bare(driver_class=Counting)
    return await _driven(app, lambda: cycle(["right"]), lambda: True)


async def _lesson(name: str) -> Taken | None:
    from tutor.progress import Place

    place = _page(name)
    return None if place is None else await _in_the_app(name, Place("lesson", *place))


async def _playground(name: str) -> Taken | None:
    try:
        from tutor.travel import PLAYGROUND
    except ImportError:
        return None
    return await _in_the_app(name, PLAYGROUND)


async def _in_the_app(name: str, start: Any) -> Taken:
    from tests.tutor.frames import make_app

    with tempfile.TemporaryDirectory() as home:
        app = make_app(Path(home), "en", motion="off")  # a glide paints for a while after its key
        app.driver_class = Counting
        app._start = start
        if not hasattr(start, "screen"):
            app.playing_at = (name, get(name).defaults())

        def focused() -> bool:
            for view in app.screen.query(FigureView):
                view.focus(scroll_visible=False)
                return bool(view.figure.name == name)
            return False

        from tutor.figures.base import KEYS as NAMED

        return await _driven(app, lambda: (NAMED[action][0] for action in _turns(name)), focused)


@cache
def _page(name: str) -> tuple[str, str] | None:
    """The first lesson with this figure, and the section."""
    from content import course

    for number in range(7):
        lesson = course.lesson(f"core/C{number}")
        for section in lesson.sections:
            if section.figure is not None and section.figure.name == name:
                return lesson.id, section.id
    return None


async def _driven(app: App[Any], keys: Callable[[], Iterator[str]], ready: Callable[[], bool]) -> Taken:
    """Press the keys one after the other, each when the one before has been painted."""
    running = asyncio.create_task(app.run_async(size=SIZE))
    deadline = time.perf_counter() + PATIENCE
    while not (app.is_running and app.screen_stack and ready()):
        if time.perf_counter() > deadline or running.done():
            raise TimeoutError("the figure is not on the screen")
        await asyncio.sleep(0.02)
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
    driver = app._driver
    assert isinstance(driver, Counting)
    Counting.first, before = 0.0, Counting.written
    began, working = time.perf_counter(), time.process_time()
    driver.process_message(events.Key(key, " " if key == "space" else key if len(key) == 1 else None))
    while not Counting.first and time.perf_counter() - began < UNSEEN:
        await asyncio.sleep(0.001)
    await _quiet(SETTLE)
    if not Counting.first:
        return None
    worked = (time.process_time() - working) * 1000
    return Pressed((Counting.first - began) * 1000, (Counting.last - began) * 1000, worked, Counting.written - before)


async def _quiet(seconds: float) -> None:
    while time.perf_counter() - Counting.last < seconds:
        await asyncio.sleep(0.002)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
