"""No timer of no time: Textual would look for its next moment for ever, and the app would hear nothing any more.

It makes one itself: a notice that is about to be shown just as its time is up has less than none left.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from textual.timer import Timer

SHORTEST = 0.001
"""Seconds of a timer at least; a thousand times what looking for the next moment takes."""


def that_end() -> None:
    """Give every timer from now on some time, once in a process."""
    made = Timer.__init__
    if hasattr(made, "__wrapped__"):
        return

    @wraps(made)
    def bounded(self: Timer, event_target: Any, interval: float, **named: Any) -> None:
        made(self, event_target, max(SHORTEST, interval), **named)

    setattr(Timer, "__init__", bounded)  # noqa: B010  typed as a method of its own
