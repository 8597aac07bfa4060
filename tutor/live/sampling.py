"""Samples of a server's metrics: what each says, what two neighbours say together, and a bounded memory of both."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from tutor.live.page import Page

if TYPE_CHECKING:
    from engine.artefacts.model import Observations

SHORTEST, LONGEST, USUAL = 0.5, 600.0, 5.0
"""Seconds between two samples: the least and the most that may be asked for, and where nothing is said."""
KEPT = 240
"""Readings of a watch that are kept: 20 minutes of the usual interval."""

SUMS = ("running_requests", "waiting_requests")
MADE = ("generation_throughput", "prompt_throughput")
LARGEST = ("kv_cache_usage", "kv_cache_usage.full", "kv_cache_usage.swa", "mamba_usage")
FIGURES = (
    *SUMS, *LARGEST, "generation_throughput", "prompt_throughput", "request_throughput", "prefix_cache_hit_rate",
    *(f"{name}.{part}" for name in ("ttft", "tpot") for part in ("mean", "p50", "p90", "p99")),
)  # fmt: skip
"""What is followed from sample to sample. With several engines on a page requests add up, and the fullest pool binds;
of the others the page has one figure, or the last one counts."""


RESTARTED = "counter-fell"
"""The note of two samples between which the server was started again."""


class NoMetrics(Exception):
    """A page of metrics without one that a reader knows."""


class Reading(NamedTuple):
    """What was learned with one sample.

    Attributes:
        at: seconds of the clock.
        seconds: since the sample before; 0 for a first one, or the first one after a restart.
        found: of both samples together, of a first one alone.
        figures: those of :data:`FIGURES` that it has, in their own units.
        preempted: requests that were preempted since the watch began.
    """

    at: float
    seconds: float
    found: Observations
    figures: Mapping[str, float]
    preempted: int

    @property
    def rated(self) -> bool:
        """Whether it has rates."""
        return self.seconds > 0

    @property
    def usage(self) -> float | None:
        """Share of the fullest pool that is in use."""
        known = [self.figures[name] for name in LARGEST if name in self.figures]
        return max(known) if known else None

    @property
    def in_flight(self) -> float:
        """Requests that run or wait."""
        return sum(self.figures.get(name, 0.0) for name in SUMS)

    @property
    def idle(self) -> bool:
        """Whether nothing runs or waits, as far as the page says, and nothing was made since the sample before: between
        two short requests a busy server stands still too."""
        known = any(name in self.figures for name in SUMS)
        return known and self.in_flight == 0 and not any(self.figures.get(name) for name in MADE)


class Sampling:
    """Takes samples from whatever fetches pages. One call at a time, from any thread."""

    def __init__(self, fetch: Callable[[], Page], keep: int = KEPT) -> None:
        self.readings: deque[Reading] = deque(maxlen=keep)
        self.page: Page | None = None
        self._fetch = fetch
        self._before: tuple[float, Observations] | None = None
        self._preempted = 0

    def take(self) -> Reading:
        """One more sample.

        Raises:
            tutor.live.fetch.Trouble: the page could not be had.
            NoMetrics: it has nothing that we know.
        """
        from engine.artefacts import rates, registry

        page = self.page = self._fetch()
        found = registry.read((page.data,))
        if not found.series:
            raise NoMetrics
        before, self._before = self._before, (page.at, found)
        seconds, together = 0.0, found
        if before is not None and page.at > before[0]:
            together = rates.between(before[1], found, page.at - before[0])
            if not any(trap.id == RESTARTED for trap in together.traps):
                seconds = page.at - before[0]
            self._preempted += round(rates.grew(before[1], found, "preemptions_total") or 0)
        reading = Reading(page.at, seconds, together, figures(together), self._preempted)
        self.readings.append(reading)
        return reading


def figures(found: Observations) -> dict[str, float]:
    """The figures that are followed, of what was read."""
    made = {}
    for name in FIGURES:
        values = [float(one) for one in found.all(name) if isinstance(one, int | float)]
        if values:
            made[name] = sum(values) if name in SUMS else max(values) if name in LARGEST else values[-1]
    return made
