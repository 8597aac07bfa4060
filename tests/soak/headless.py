"""The walk in the app itself, without a terminal: every object can be counted, and every failed task is heard."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from textual import events
from textual.pilot import Pilot
from textual.worker import Worker, WorkerState

from tests.soak import measure, walk
from tests.soak.ran import Ran, Wanted
from tests.soak.walk import Step
from tests.tutor.frames import frame
from tutor import garbage, ondisk, paths
from tutor.app import TutorApp
from tutor.progress import records
from tutor.session import Session

BURST = 4
"""Keys at most that come before the app has had time for one of them."""
STUCK = 60.0
"""Seconds after which an app that does not come to rest is taken for hanging."""


class SoakApp(TutorApp):
    """The app, which stays when it is left, and tells of workers that fail in silence."""

    def __init__(self, session: Session, failed: Callable[[BaseException], None]) -> None:
        super().__init__(session, ask=False)
        self._failed = failed
        self.left = 0

    async def action_quit(self) -> None:
        """What leaving keeps is kept; but the life goes on."""
        self.keep_all()
        self.left += 1

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that may fail without ending the app must not fail either."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self._failed(event.worker.error)


class Clock:
    """The present moment of the app, which can be moved."""

    def __init__(self) -> None:
        self.offset = timedelta()
        self._now = records.now

    def __call__(self) -> datetime:
        """As :func:`tutor.progress.records.now`."""
        return self._now() + self.offset

    def wear(self) -> None:
        """Put this clock wherever the app has taken the other one; modules come as they are needed."""
        for name, module in sys.modules.copy().items():
            if name.startswith("tutor.") and getattr(module, "now", None) is self._now:
                setattr(module, "now", self)  # noqa: B010  it is imported there

    def take_off(self) -> None:
        """Leave everything as it was."""
        for module in sys.modules.copy().values():
            if getattr(module, "now", None) is self:
                setattr(module, "now", self._now)  # noqa: B010


class Headless:
    """One run of the walk in one app."""

    def __init__(self, wanted: Wanted, home: Path, server: str) -> None:
        self.wanted, self.home, self.server = wanted, home, server
        self.ran = Ran("headless", wanted.seed)
        self.clock = Clock()
        self.latest: deque[Step] = deque(maxlen=wanted.latest)

    def failed(self, error: BaseException) -> None:
        """Note what went wrong in silence."""
        self.ran.fail(self.latest, "".join(trace(error)))

    async def run(self) -> Ran:
        """Walk until the time or the steps are over, then look at everything."""
        session = Session.start()
        app = SoakApp(session, self.failed)
        asyncio.get_running_loop().set_exception_handler(self._lost)
        try:
            async with app.run_test(size=(80, 24), notifications=True) as pilot:
                with hooks(self.failed):
                    await self._walk(app, pilot)
                    await self._rest(app, pilot)
                    await self._idle()
        except Exception as error:
            self.failed(error)
        finally:
            self.clock.take_off()
        session.close()
        self.ran.left, self.ran.broken = app.left, measure.broken(self.home)
        if session.problems:
            self.ran.fail(self.latest, f"told to the learner: {session.problems}")
        return self.ran

    async def _walk(self, app: SoakApp, pilot: Pilot[None]) -> None:
        began, measured_at = time.monotonic(), 0
        steps = islice(walk.walk(self.wanted.seed), self.wanted.first, self.wanted.last)
        for step in steps:
            if time.monotonic() - began > self.wanted.seconds or self.ran.failures:
                break
            self.latest.append(step)
            self.ran.steps += 1
            self.clock.wear()
            await asyncio.wait_for(self._do(app, pilot, step), STUCK)
            frame(app)  # without a terminal nothing is painted by itself
            self.ran.screens[type(app.screen).__name__] += 1
            if self.ran.keys - measured_at >= self.wanted.window:
                measured_at = self.ran.keys
                await self._rest(app, pilot)
                self.ran.windows.append(measure.inside(self.ran.keys, self.home))
                self.wanted.tell(self.ran)

    async def _do(self, app: SoakApp, pilot: Pilot[None], step: Step) -> None:
        if not app.is_running or app.crash is not None:
            raise app.crash or RuntimeError(f"the app has ended, with status {app.return_code}")
        width, height = app.size
        if step.kind == "key":
            self._press(app, step.text)
            if self.ran.steps % BURST == 0:
                await settled(app)
        elif step.kind == "type":
            for letter in step.text.replace("{server}", self.server):
                self._press(app, letter)
            await settled(app)
        elif step.kind == "paste":
            app.post_message(events.Paste(step.text))
            self.ran.keys += 1
            await settled(app)
        elif step.kind == "size":
            await pilot.resize_terminal(step.x, step.y)
        elif step.kind in ("click", "wheel"):
            mouse(app, step, width, height)
            self.ran.keys += 1
            await settled(app)
        elif step.kind == "wait":
            await asyncio.sleep(step.x / 1000)
        elif step.kind == "clock":
            self.clock.offset += timedelta(hours=step.x)

    def _press(self, app: SoakApp, key: str) -> None:
        self.ran.keys += 1
        named = {" ": "space", "+": "plus", "-": "minus"}.get(key, key)
        letter = key if len(key) == 1 else {"space": " ", "plus": "+", "minus": "-"}.get(key)
        app.post_message(events.Key(named, letter))

    async def _rest(self, app: SoakApp, pilot: Pilot[None]) -> None:
        """Go home and wait until nothing is going on: workers, notices, what is kept for later."""
        for step in walk.go_home():
            await self._do(app, pilot, step)
            await settled(app)
        await app.workers.wait_for_complete()
        app.clear_notifications()
        await asyncio.sleep(ondisk.RETRY if app.session.unwritten else 0.7)
        await settled(app)

    async def _idle(self) -> None:
        await asyncio.sleep(2 * garbage.PAUSE)  # what the last keys left is collected once, as in any pause
        used = time.process_time()
        database = (self.home / measure.DATABASE).stat().st_mtime_ns
        await asyncio.sleep(self.wanted.idle)
        self.ran.idle_cpu = (time.process_time() - used) / self.wanted.idle
        self.ran.idle_wrote = int((self.home / measure.DATABASE).stat().st_mtime_ns != database)

    def _lost(self, _loop: object, context: dict[str, Any]) -> None:
        """A task that failed while nobody waited for it."""
        error = context.get("exception")
        if isinstance(error, BaseException):
            self.failed(error)
        else:
            self.ran.fail(self.latest, str(context.get("message")))


async def settled(app: TutorApp) -> None:
    """Wait until no key waits for its turn."""
    end = time.monotonic() + STUCK
    await asyncio.sleep(0)
    while app._typeahead._follower is not None and app.crash is None:
        if time.monotonic() > end:
            raise TimeoutError("keys still wait for their turn")
        await asyncio.sleep(0.002)
    await asyncio.sleep(0.001)


def mouse(app: TutorApp, step: Step, width: int, height: int) -> None:
    """Turn the wheel, or press and release, as the driver tells it."""
    x, y = step.x * width // 1000, step.y * height // 1000
    still = dict.fromkeys(("delta_x", "delta_y"), 0) | dict.fromkeys(("shift", "meta", "ctrl"), False)
    rest: dict[str, Any] = {"widget": None, "x": x, "y": y, "screen_x": x, "screen_y": y, **still}
    kinds: dict[str, list[type[events.MouseEvent]]] = {"up": [events.MouseScrollUp], "down": [events.MouseScrollDown]}
    for kind in kinds[step.text] if step.kind == "wheel" else [events.MouseMove, events.MouseDown, events.MouseUp]:
        app.post_message(kind(**rest, button=0 if kind is events.MouseMove or step.kind == "wheel" else 1))


@contextmanager
def hooks(failed: Callable[[BaseException], None]) -> Iterator[None]:
    """Hear of threads that end in an error, and of errors that could not be raised."""
    threads, unraisable = threading.excepthook, sys.unraisablehook

    def raised(args: Any) -> None:
        if args.exc_value is not None:
            failed(args.exc_value)

    threading.excepthook = sys.unraisablehook = raised
    try:
        yield
    finally:
        threading.excepthook, sys.unraisablehook = threads, unraisable


def trace(error: BaseException) -> list[str]:
    """The traceback, for the report."""
    import traceback

    return traceback.format_exception(error)


def run(wanted: Wanted, home: Path, server: str) -> Ran:
    """Walk in an app of its own; its home is the one that the environment names."""
    if paths.home() != home:
        raise ValueError(home)
    return asyncio.run(Headless(wanted, home, server).run())
