"""The rest of an app, as tests read it from the event loop: what is awaited, and what is not."""

from __future__ import annotations

import asyncio
import threading

import pytest

from tests.tutor import resting


async def test_a_timer_that_is_due_soon_is_awaited_and_a_later_one_is_not() -> None:
    came: list[str] = []
    loop = asyncio.get_running_loop()
    loop.call_later(0.01, lambda: loop.call_later(0.01, came.append, "soon, and what it leads to"))
    late = loop.call_later(60, came.append, "late")
    await resting.rest(5, 60)
    late.cancel()
    assert came == ["soon, and what it leads to"]


async def test_all_that_can_run_has_run() -> None:
    came: list[int] = []

    async def on(left: int) -> None:
        came.append(left)
        if left:
            await asyncio.sleep(0)
            asyncio.get_running_loop().create_task(on(left - 1))

    first = asyncio.create_task(on(50))
    await resting.rest()
    assert first.done() and came[-1] == 0


async def test_where_a_thread_is_at_work_the_pilots_own_wait_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    async def waited(least: float) -> None:
        asked.append(least)

    monkeypatch.setattr(resting, "wait_for_idle", waited)
    await resting.rest()
    assert not asked
    done = threading.Event()
    work = asyncio.get_running_loop().run_in_executor(None, done.wait, 60)
    await resting.rest()
    done.set()
    await work
    assert asked == [0]
