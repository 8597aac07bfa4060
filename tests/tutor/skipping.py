"""Time in which nobody works is skipped: a loop that only waits for its next timer is there at once.

An app waits for most of a test: for the next picture (sixty a second), for a pause between two keys, for a notice to
go. The clock that Python, its event loop and Textual read runs ahead by what would have been waited, so every timer
comes in its turn and as late as ever, and the test does not wait for it. Where something else may be at work (a thread,
a child behind a pipe, a socket), time runs as it always does.
"""

from __future__ import annotations

import asyncio
import selectors
import threading
import time
from asyncio.selector_events import BaseSelectorEventLoop
from concurrent.futures import ThreadPoolExecutor
from typing import Any

_clock = time.monotonic
_select = selectors.DefaultSelector.select
_ahead = 0.0
wanted = False
"""Whether it is skipped now: in tests of the app, which poll for nothing that another process does."""


def monotonic() -> float:
    """Seconds of a clock that never goes back, those that were skipped among them."""
    return _clock() + _ahead


def elsewhere(loop: asyncio.AbstractEventLoop) -> bool:
    """Whether a thread is at work, or a pipe or a socket may bring something, as far as this loop can tell."""
    if not isinstance(loop, BaseSelectorEventLoop):
        return True
    pool: ThreadPoolExecutor | None = loop._default_executor
    idle = pool._idle_semaphore._value if pool is not None else 0
    ours = threading.main_thread() is threading.current_thread()
    return not ours or threading.active_count() > 1 + idle or len(loop._selector.get_map()) > 1


def _skip(self: Any, timeout: float | None = None) -> list[Any]:
    global _ahead
    if timeout is None or timeout <= 0 or not wanted:
        return _select(self, timeout)
    loop = asyncio._get_running_loop()
    if not isinstance(loop, BaseSelectorEventLoop) or loop._selector is not self or elsewhere(loop):
        return _select(self, timeout)
    if not (ready := _select(self, 0)):
        _ahead += timeout
    return ready


def install() -> None:
    """Let this process skip it where it is wanted; before anything imports Textual, which takes its clock then."""
    time.monotonic = monotonic
    selectors.DefaultSelector.select = _skip  # type: ignore[method-assign]
