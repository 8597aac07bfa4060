"""Patience with the probe's child: what is known of its progress, and when it has to be ended."""

from __future__ import annotations

import time
from typing import NamedTuple

from tutor.probing.pipes import Event

MAX_EVENTS, MAX_ODD = 10_000, 1_000
"""Events, and lines that are none, after which a child is no probe."""


class Limits(NamedTuple):
    """Patience with a child, in seconds.

    Attributes:
        start: for the import of torch and the device's context, beyond the seconds that were asked for.
        silence: without an event before it counts as hung; before the plan, ``start``.
        leave: from its last event, or from being asked to stop, to its end.
    """

    start: float = 90.0
    silence: float = 30.0
    leave: float = 2.0


class Watch:
    """What is known of a child's progress, and for how long it may be silent."""

    def __init__(self, seconds: float, limits: Limits) -> None:
        self._limits = limits
        self._began = self._heard = time.monotonic()
        self._hard = self._began + seconds + limits.start
        self._until: float | None = None
        self._count = 0
        self.greeted = self.planned = self.ended = self.stopping = self.flooded = False
        self.stage = ""
        self.late = ""
        self.own: int | None = None

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._began

    def patience(self) -> float:
        """Seconds until the next look at the clock."""
        return max(0.0, min(self._deadline() - time.monotonic(), 1.0))

    def _deadline(self) -> float:
        silence = self._limits.silence if self.planned else self._limits.start
        found = min(self._hard, self._heard + silence)
        return found if self._until is None else min(found, self._until)

    def stop(self) -> None:
        """It was asked to end."""
        self.stopping = True
        self._until = time.monotonic() + self._limits.leave

    def heard(self, event: Event) -> None:
        """It said something."""
        self._heard = time.monotonic()
        self._count += 1
        self.flooded = self.flooded or self._count > MAX_EVENTS
        kind = event.get("event")
        self.greeted = self.greeted or kind == "hello"
        self.planned = self.planned or kind == "plan"
        if kind == "stage":
            self.stage = str(event.get("stage", ""))[:40]
        if kind in ("end", "failed"):
            self.ended = True
            self._until = time.monotonic() + self._limits.leave

    def look(self) -> None:
        """Look at the clock: ``late`` says why the child must be ended now."""
        now = time.monotonic()
        if self.flooded:
            self.late = "unreadable"
        elif self._until is not None and now >= self._until:
            self.late = "leaving"
        elif now >= self._hard:
            self.late = "timeout"
        elif now >= self._deadline():
            self.late = "hung"
