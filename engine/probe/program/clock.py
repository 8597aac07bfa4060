"""The budget of time: every stage may use its share of what is left, and what it leaves is left for the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

WEIGHTS = {
    "identify": 1.0, "ramp": 1.5, "bandwidth": 1.5, "matmul": 3.0, "floor": 0.5, "linear": 6.0, "kv": 3.0,
    "prefill": 4.0, "case": 3.0, "recheck": 1.0,
}  # fmt: skip
"""Shares of the stages: seconds on a card with much to do, as of the study's table of stages."""
STAGES = tuple(WEIGHTS)
KEPT = 0.06
"""Share kept back: what the last point took longer than expected, and giving the memory back."""


class Clock:
    """Tells what may still be spent. A run on a quick device ends long before its budget does."""

    def __init__(self, now: Callable[[], float], seconds: float, stages: Sequence[str] = STAGES) -> None:
        self._now, self.seconds, self.stages = now, seconds, tuple(stages)
        self.started = now()
        self.spent: dict[str, float] = {}
        self._stage, self._opened, self._until = "", self.started, self.started

    @property
    def elapsed(self) -> float:
        """Seconds since the run began."""
        return self._now() - self.started

    @property
    def left(self) -> float:
        """Seconds that the run may still use, at most; never negative."""
        return max(0.0, self.seconds * (1 - KEPT) - self.elapsed)

    @property
    def stage_left(self) -> float:
        """Seconds that the stage may still use; never negative."""
        return max(0.0, min(self._until - self._now(), self.left))

    def open(self, stage: str) -> None:
        """Begin a stage, with its share of what is left for it and those behind it."""
        self.close()
        behind = self.stages[self.stages.index(stage) :]
        share = WEIGHTS[stage] / sum(WEIGHTS[one] for one in behind)
        self._stage, self._opened = stage, self._now()
        self._until = self._opened + self.left * share

    def close(self) -> None:
        """End the stage that is open."""
        if self._stage:
            self.spent[self._stage] = self._now() - self._opened
        self._stage = ""
