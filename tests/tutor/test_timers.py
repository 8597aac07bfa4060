"""A timer of no time, and a notice whose time is up as it is shown: both end, and the app goes on."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from textual.notifications import Notification
from textual.timer import Timer
from textual.widgets._toast import Toast

from tests.tutor.frames import make_app, settle
from tutor import timers


@pytest.mark.parametrize("seconds", [-1.0, -0.009, 0.0, 1e-9])
async def test_a_timer_of_no_time_comes_once(tmp_path: Path, seconds: float) -> None:
    app = make_app(tmp_path)
    came: list[float] = []
    async with app.run_test(size=(80, 24)) as pilot:
        assert Timer(app, seconds)._interval == timers.SHORTEST  # else the next line would never come back
        app.set_timer(seconds, lambda: came.append(seconds))
        for _ in range(50):
            await pilot.pause(0.01)
            if came:
                break
        assert came == [seconds]
        assert Timer(app, 2.5)._interval == 2.5


async def test_a_notice_that_is_late_goes_again(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        assert Timer(app, -1)._interval == timers.SHORTEST
        late = Toast(Notification("late", raised_at=time.time() - 10, timeout=5))
        await app.screen.mount(late)
        for _ in range(50):
            await pilot.pause(0.01)
            if not app.screen.query(Toast):
                break
        assert not app.screen.query(Toast)
        await pilot.press("f1")
        await settle(pilot)
        assert len(app.screen_stack) > 1


def test_asking_twice_changes_nothing() -> None:
    timers.that_end()
    made = Timer.__init__
    timers.that_end()
    assert Timer.__init__ is made
