"""Time in which nobody works is skipped: timers come in their turn and at their time, and nobody waits for them."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

from tests.tutor import skipping
from tests.tutor.frames import make_app


async def test_an_hour_goes_by_at_once_and_everything_in_its_turn() -> None:
    came: list[tuple[str, int]] = []
    began, really = time.monotonic(), skipping._clock()

    async def after(seconds: float, name: str) -> None:
        await asyncio.sleep(seconds)
        came.append((name, round(time.monotonic() - began)))

    await asyncio.gather(after(3600, "hour"), after(60, "minute"), after(1, "second"), after(60.4, "then"))
    assert came == [("second", 1), ("minute", 60), ("then", 60), ("hour", 3600)]
    assert skipping._clock() - really < 1800


async def test_a_thread_at_work_is_waited_for() -> None:
    done = threading.Event()
    ahead = skipping._ahead

    def work() -> None:
        done.wait(5)

    loop = asyncio.get_running_loop()
    loop.call_later(0.05, done.set)
    await loop.run_in_executor(None, work)
    assert done.is_set() and skipping._ahead == ahead


async def test_a_timer_of_the_app_comes_at_its_time(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    came: list[float] = []
    async with app.run_test(size=(80, 24)) as pilot:
        began = time.monotonic()
        app.set_timer(3, lambda: came.append(time.monotonic() - began))
        await pilot.pause(3.5)
    assert len(came) == 1 and came[0] > 2.9
