"""Watching a server: sample after sample, each judged, with what went wrong in between. Neither screen nor terminal.

What is shown is a frozen :class:`Watched`; a :class:`Watcher` makes the steps, which take their time and so happen in a
thread, and says when the next one is due.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from tutor.commands.context import Refusal
from tutor.live.address import Address
from tutor.live.fetch import Fetcher, Trouble
from tutor.live.sampling import LONGEST, SHORTEST, USUAL, NoMetrics, Reading, Sampling

if TYPE_CHECKING:
    from engine.artefacts.model import Observations
    from engine.diagnosis.model import Report, Scenario

PACES = (SHORTEST, 1.0, 2.0, USUAL, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, LONGEST)
"""Intervals that faster and slower go through."""
LONGEST_WAIT = 60.0
"""Seconds between two tries at a server that does not answer, at most; an interval that is longer stays."""

Feed = Callable[["Observations"], "Scenario"]
"""What was read of the server as a scenario, with all else that is known of it."""


class Verdict(NamedTuple):
    """What a sample means.

    Attributes:
        report: the diagnosis; ``None`` where there is none.
        problem: why there is none, to be said.
    """

    report: Report | None
    problem: Refusal | None = None


class Seen(NamedTuple):
    """What came of one step: a reading with its verdict, or a trouble."""

    reading: Reading | None
    verdict: Verdict | None
    trouble: Refusal | None
    to_full: float | None = None


@dataclass(frozen=True)
class Watched:
    """What there is to show.

    Attributes:
        address: of the server.
        interval: seconds between samples.
        paused: whether nothing is asked.
        readings: the last of them, oldest first.
        verdict: of the last one.
        to_full: seconds until the KV pool is full, where its use rises.
        trouble: why the last try failed; ``None`` where it did not.
        failures: tries that failed one after the other.
        retry: seconds that the next one was put off by.
        age: seconds since the last good sample, while there is a trouble.
    """

    address: Address
    interval: float
    paused: bool = False
    readings: tuple[Reading, ...] = ()
    verdict: Verdict | None = None
    to_full: float | None = None
    trouble: Refusal | None = None
    failures: int = 0
    retry: float = 0.0
    age: float = 0.0

    @property
    def phase(self) -> Literal["connecting", "trouble", "idle", "live"]:
        """What the server is doing, as far as is known."""
        if self.trouble is not None:
            return "trouble"
        if not self.readings:
            return "connecting"
        return "idle" if self.readings[-1].idle else "live"

    @property
    def last(self) -> Reading | None:
        """The newest reading."""
        return self.readings[-1] if self.readings else None


class Watcher:
    """Samples one server for as long as somebody looks.

    Args:
        fetcher: of its page.
        feed: makes a scenario of what was read.
        interval: seconds between samples.
        clock: monotonic seconds, the fetcher's own.
    """

    def __init__(
        self, fetcher: Fetcher, feed: Feed, interval: float = USUAL, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.watched = Watched(fetcher.address, interval)
        self._fetcher = fetcher
        self._feed = feed
        self._clock = clock
        self._sampling = Sampling(fetcher)
        self._began = clock()

    # --- a step, in whatever thread ----------------------------------------------------------------------------------

    def step(self) -> Seen:
        """Take a sample and judge it. Raises nothing of the server's."""
        self._began = self._clock()
        try:
            reading = self._sampling.take()
        except Trouble as trouble:
            return Seen(None, None, trouble)
        except NoMetrics:
            return Seen(None, None, Trouble("nothing", self._fetcher.address))
        except Exception as error:  # a mistake of ours must not end the watch
            return Seen(None, None, _broken(error))
        return Seen(reading, self._judged(reading), None, time_to_full(self._sampling.readings))

    def _judged(self, reading: Reading) -> Verdict:
        from engine.diagnosis import judge
        from engine.diagnosis.fields import ScenarioProblem
        from tutor.diagnoser.reading import Impossible

        try:
            return Verdict(judge.diagnose(self._feed(reading.found)))
        except Refusal as refusal:
            return Verdict(None, refusal)
        except ScenarioProblem as problem:
            return Verdict(None, Impossible(problem))
        except Exception as error:
            return Verdict(None, _broken(error))

    def begin(self) -> None:
        """Somebody looks again."""
        self._fetcher.begin()

    def end(self) -> None:
        """Break off a request that goes on; nobody looks any more."""
        self._fetcher.end()

    # --- what is known ------------------------------------------------------------------------------------------------

    def heard(self, seen: Seen) -> Watched:
        """Take over what came of a step."""
        was = self.watched
        if seen.trouble is not None:
            failures = was.failures + 1
            retry = max(was.interval, min(LONGEST_WAIT, was.interval * 2.0 ** min(failures - 1, 16)))
            self.watched = replace(was, trouble=seen.trouble, failures=failures, retry=retry, age=self._age())
        else:
            self.watched = replace(
                was, readings=tuple(self._sampling.readings), verdict=seen.verdict, to_full=seen.to_full, trouble=None,
                failures=0, retry=0.0, age=0.0,
            )  # fmt: skip
        return self.watched

    def older(self) -> Watched:
        """The age of the last good sample now."""
        self.watched = replace(self.watched, age=self._age())
        return self.watched

    def _age(self) -> float:
        last = self.watched.last
        return 0.0 if last is None else self._clock() - last.at

    def paused(self, paused: bool) -> Watched:
        """Ask nothing, or go on."""
        self.watched = replace(self.watched, paused=paused)
        return self.watched

    def paced(self, step: int) -> Watched:
        """The next longer interval (+1), or the next shorter one (-1)."""
        now = self.watched.interval
        further = [one for one in PACES if (one - now) * step > 0]
        chosen = now if not further else min(further) if step > 0 else max(further)
        retry = max(chosen, min(self.watched.retry, LONGEST_WAIT)) if self.watched.failures else 0.0
        self.watched = replace(self.watched, interval=chosen, retry=retry)
        return self.watched

    def due(self) -> float:
        """Seconds until the next step: counted from when the last one began, so that slow answers do not add up."""
        wait = self.watched.retry or self.watched.interval
        return max(0.0, self._began + wait - self._clock())


def _broken(error: Exception) -> Refusal:
    from tutor.diagnoser.doors import broken

    return Refusal("app.diagnose.broken", **broken(error).params)


def time_to_full(readings: Iterable[Reading]) -> float | None:
    """Seconds until the KV pool is full at the rate at which its use rose lately; ``None`` where it does not."""
    from engine.artefacts import growth

    known = [(one.at, one.usage) for one in readings if one.usage is not None][-_LATELY:]
    return growth.seconds_to_full(known) if len(known) >= _LEAST else None


_LEAST = 3
_LATELY = 12
"""Readings that the growth is taken from."""
