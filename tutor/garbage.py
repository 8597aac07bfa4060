"""Garbage is collected while the learner rests: a round through all that lives takes longer than a frame.

Python starts such a round whenever enough objects were made, which in an app that only ever answers keys is in the
middle of one. So a full round becomes rare, and the app makes it itself in a pause between keys. Without keys nothing
is made, and no timer runs.
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
DUE = 10
"""The same, after which the app makes a full round in the next pause."""
PAUSE = 1.0
"""Seconds without a key that count as a pause."""


def spare() -> None:
    """Once in a process: no full round in the middle of a key, and none at all through what is loaded for good.

    Modules, course and sympy never become garbage.
    """
    if not gc.get_freeze_count():
        gc.freeze()
        young, middle, _old = gc.get_threshold()
        gc.set_threshold(young, middle, RARE)


class Pauses:
    """The pauses of one app, in which garbage is collected."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self._timer: Timer | None = None
        self._typed = 0.0

    def typed(self) -> None:
        """A key came; where a round is due, look for the next pause."""
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
