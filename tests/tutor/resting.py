"""When the app of a test has come to rest, read from its event loop: no waiting, and no message to every widget.

Textual's pilot posts a callback to each widget after each key and then sleeps until the process hardly computes: half
of a test's computing and most of its time. An app whose loop has nothing left to run, and no timer due soon, is done
at once. Where something else may still be at work (a thread, a child behind a pipe, a message that is not yet dealt
with), the pilot waits as it always did. This is the only place that knows the loop's own lists.
"""

from __future__ import annotations

import asyncio
from asyncio import BaseEventLoop
from time import process_time

import textual.app
import textual.pilot
from textual._wait import SLEEP_GRANULARITY, SLEEP_IDLE, wait_for_idle
from textual.message_pump import MessagePump
from textual.pilot import Pilot

from tests.tutor.skipping import elsewhere, monotonic

SOON = SLEEP_GRANULARITY
"""A timer due within this is waited for, as the pilot's own nap does."""
_TURNS = 2000
"""Turns of the loop that an app may take to come to rest; one that takes more is left to the pilot."""

_wait_for_screen = Pilot._wait_for_screen


async def rest(soon: float = SOON, most: float = 1.0) -> None:
    """Return once nothing is left to run and no timer is due `soon`, or `most` seconds have passed."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, BaseEventLoop)
    start = monotonic()
    while monotonic() - start < most:
        if elsewhere(loop) or not await _run_out(loop):
            await asyncio.sleep(soon - SOON)
            await wait_for_idle(0)
            return
        computed, until = process_time(), loop.time() + soon
        while (due := _next_timer(loop)) is not None and due <= until and monotonic() - start < most:
            await asyncio.sleep(due - loop.time())
            await _run_out(loop)
        if process_time() - computed < SLEEP_IDLE:
            return


async def _run_out(loop: BaseEventLoop) -> bool:
    """Let everything run that can; whether that came to an end."""
    for _ in range(_TURNS):
        await asyncio.sleep(0)
        if not loop._ready:
            return True
    return False


def _next_timer(loop: BaseEventLoop) -> float | None:
    return next((handle.when() for handle in loop._scheduled if not handle.cancelled()), None)


def _waits(pump: MessagePump) -> bool:
    """Whether a pump has dealt with all its messages and waits for the next."""
    queue = pump._message_queue
    return queue.empty() and bool(queue.ready_event._waiters)


async def _screen_rests(self: Pilot[object], timeout: float = 30.0) -> bool:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, BaseEventLoop)
    done = await _run_out(loop)
    if self.app._exception_event.is_set():
        return False
    try:
        screen = self.app.screen
    except Exception:
        return False
    pumps = (self.app, *screen.walk_children(with_self=True))
    if done and all(_waits(pump) for pump in pumps if pump._running and not pump._closing):
        return True
    return await _wait_for_screen(self, timeout)


async def _idle(min_sleep: float = SLEEP_GRANULARITY, max_sleep: float = 1) -> None:
    await rest(most=max_sleep)


def install() -> None:
    """Read it from the loop from now on, in this process."""
    Pilot._wait_for_screen = _screen_rests  # type: ignore[method-assign]
    textual.pilot.wait_for_idle = _idle  # type: ignore[attr-defined]
    textual.app.wait_for_idle = _idle  # type: ignore[attr-defined]
