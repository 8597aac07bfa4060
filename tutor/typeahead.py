"""Keys in the order in which they were typed, none lost: each waits until the one before has had its whole effect.

Textual hands every key to the widget that has the focus at that instant. A key typed while a screen or a form is being
swapped (a fast typist, a script, a busy machine) would reach a widget that is on its way out. So a key that may change
what the next one means is followed through the queues of its widgets, and what is typed meanwhile waits here.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING

from textual import events
from textual.app import ScreenStackError
from textual.message_pump import MessagePump

if TYPE_CHECKING:
    from textual.app import App

PATIENCE = 5.0
"""Seconds after which a widget that does not answer is no longer waited for: keys are late then, but not lost."""
BUSY = 1.0
"""Seconds for which keys wait for a check, or for fresh numbers, in a thread."""

Typed = events.Key | events.Paste


class Typeahead:
    """The keys of one app that wait for their turn."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self._waiting: deque[Typed] = deque()
        self._released: Typed | None = None
        self._follower: asyncio.Task[None] | None = None
        self._loose = False
        """Whether letters went on that were not followed."""

    def holds(self, event: Typed) -> bool:
        """Whether a key has to wait; it is kept then, and posted again when its turn comes."""
        if event is self._released:
            return False
        text = self._only_text(event)
        waits = self._follower is not None or not self._settled() or (self._loose and not text)
        if waits:
            self._waiting.append(event)
        self._loose = self._loose or text
        if self._follower is None and not (text and not waits):
            self._follower = asyncio.create_task(self._deliver(), name="typeahead")
        return waits

    def forget_text(self) -> None:
        """Let go of text and Enter that wait: typed for something that was not there yet, they are meant for nothing.

        What steers the app (escape, ctrl+q, a function key) stays.
        """
        self._waiting = deque(one for one in self._waiting if not _is_text(one))

    def _settled(self) -> bool:
        try:
            screen = self._app.screen
        except ScreenStackError:  # the first one is being made
            return False
        waits = getattr(screen, "busy", False) or getattr(self._app, "drawing", False)
        return screen.is_mounted and not waits

    def _only_text(self, event: Typed) -> bool:
        """Whether this is a letter for a text field: it changes that text, and nothing that a next letter needs."""
        if not self._settled() or not getattr(self._app.focused, "is_text_field", False):
            return False
        return isinstance(event, events.Paste) or (event.is_printable and not event.key.startswith("alt+"))

    async def _deliver(self) -> None:
        """Follow the last key, then let the waiting ones go, one after the other."""
        try:
            await self._effects()
            while self._waiting:
                text = self._only_text(self._waiting[0])
                if self._loose and not text:
                    await self._effects()
                self._released = self._waiting.popleft()
                self._app.post_message(self._released)
                self._loose = text
                await (_through(self._app) if text else self._effects())
        except ScreenStackError:  # the app is ending
            self._waiting.clear()
        finally:
            self._released = self._follower = None

    async def _effects(self) -> None:
        """Wait until the last key has done all that it does.

        A key climbs from the focused widget to the app, which runs its action; the action may post messages that climb
        in their turn. So the way is gone twice, and at each step twice, for what a step posts to itself.
        """
        await self._until_settled()
        for _ in range(2):
            start = self._app.focused or self._app.screen
            for pump in start.ancestors_with_self:
                await _through(pump)
                await _through(pump)
        await self._until_settled()

    async def _until_settled(self) -> None:
        """A screen that is being made, or that waits for a verdict or for fresh numbers, gets its keys afterwards."""
        end = time.monotonic() + BUSY
        while not self._settled() and time.monotonic() < end:
            await asyncio.sleep(0.005)


def _is_text(event: Typed) -> bool:
    if isinstance(event, events.Paste):
        return True
    return event.key == "enter" or (event.is_printable and not event.key.startswith("alt+"))


async def _through(pump: MessagePump) -> None:
    """Wait until a widget has handled what waits in its queue now, or is removed meanwhile."""
    passed = asyncio.Event()
    end = time.monotonic() + PATIENCE
    if not pump.call_later(passed.set):
        return
    while pump.is_running and time.monotonic() < end:
        try:
            await asyncio.wait_for(passed.wait(), 0.05)
            return
        except TimeoutError:
            continue
