"""Garbage is collected when a key has been painted, or while the learner rests, never in the middle of a key.

Python starts a round whenever enough objects were made, which in an app that only ever answers keys is before the
answer to one can be seen. So its own rounds become rare. The app makes those through the young objects itself, right
behind the paint, and a full one, which takes longer than a frame, in a pause between keys. Without keys nothing is
made, and no timer runs.
"""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.app import App
    from textual.timer import Timer

RARE = 200
"""Rounds through the younger objects after which Python makes a full one by itself; its own value is 10. Reached only
by some two thousand keys without a pause."""
YOUNG = 700
"""Young objects from which such a round is worth its while: as many as Python itself waits for."""
DUE = 10
"""The same, after which the app makes a full round in the next pause."""
LATE = 20_000
"""Young objects at which Python makes a round by itself; some twenty keys that are not painted make as many."""
PAUSE = 1.0
"""Seconds without a key that count as a pause."""


def spare() -> None:
    """Once in a process: no full round in the middle of a key, and none at all through what is loaded for good.

    Modules, course and sympy never become garbage.
    """
    if not gc.get_freeze_count():
        gc.freeze()
        _young, middle, _old = gc.get_threshold()
        gc.set_threshold(LATE, middle, RARE)


def painted() -> None:
    """The answer to a key can be seen: the moment for a round through what was made for it."""
    young, middle, _old = gc.get_count()
    if young > YOUNG:
        gc.collect(0 if middle < gc.get_threshold()[1] else 1)


class Pauses:
    """The pauses of one app, in which garbage is collected."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self._timer: Timer | None = None
        self._typed = 0.0

    def typed(self) -> None:
        """A key came; where a full round is due, look for the next pause."""
        self._typed = time.monotonic()
        if self._timer is None and gc.get_count()[2] >= DUE:
            self._wait(PAUSE)

    def _wait(self, seconds: float) -> None:
        self._timer = self._app.set_timer(seconds, self._look, name="garbage")

    def _look(self) -> None:
        self._timer = None
        missing = PAUSE - (time.monotonic() - self._typed)
        if missing > 0:
            self._wait(missing)
        else:
            gc.collect()
