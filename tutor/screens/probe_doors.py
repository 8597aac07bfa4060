"""What the probe's screen asks of the rest of the house: from worker threads, and nothing before it is needed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from engine.probe.model import Change, Result, Workload
    from engine.probe.readings import Event, Run
    from tutor.probing.cards import Card, Present
    from tutor.probing.pythons import Search

SECONDS = 25.0
"""Seconds of measuring, beside those of loading torch."""
clock = time.monotonic
"""Seconds for the bar of progress; tests put their own here."""


class Ready(NamedTuple):
    """What a run would have: the Python, the cards of this machine, the one that is the least busy."""

    search: Search
    present: Present
    card: Card | None

    @property
    def python(self) -> str | None:
        """The file of the Python; ``None`` where none has torch."""
        return self.search.found.python if self.search.found is not None else None

    @property
    def only_cpu(self) -> str:
        """Why only the processor can be measured: "no-gpu", "cpu-build" or ""."""
        if self.card is None:
            return "no-gpu"
        found = self.search.found
        return "cpu-build" if found is not None and found.build == "cpu" else ""


class Running(Protocol):
    """A run that goes on: a child process, or what a test has in its place."""

    def events(self) -> Iterator[Event]:
        """What it tells; an ``end`` or a ``failed`` last."""

    def cancel(self) -> None:
        """Ask it to stop; it ends within seconds."""


class Outcome(NamedTuple):
    """What a run came to: its meaning, the run before it on the same device, when that was (UTC), what changed since.

    ``unkept`` is the system's reason where the run could not be kept.
    """

    result: Result
    before: Result | None = None
    at: str = ""
    changes: tuple[Change, ...] = ()
    unkept: str = ""


def look(python: str | None = None) -> Ready:
    """The Pythons and cards of this machine; takes as long as the slowest of them."""
    from tutor.probing import cards, conditions, pythons

    present = cards.present()
    return Ready(pythons.find(python, bool(present.cards)), present, conditions.best(present.cards))


def request(cpu: bool, workload: Workload | None) -> Mapping[str, Any]:
    """What the program is asked for."""
    from engine.probe.workload import asked

    told = asked(workload)
    return {
        "device": "cpu" if cpu else "auto", "seconds": SECONDS, "shape": told.shape, "case": told.case,
        "layers": told.layers, "zeros": False,
    }  # fmt: skip


def start(asked: Mapping[str, Any], python: str) -> Running:
    """Start the program. Raises ``OSError``."""
    from tutor.probing import child

    return child.start(asked, python)


def judged(run: Run, workload: Workload | None) -> Outcome:
    """What a run means, beside the last one of the same device."""
    from engine.probe.changes import changes
    from engine.probe.result import judge
    from tutor.probing import kept

    result = judge(run, None, workload)
    last = kept.latest(like=run)
    if last is None:
        return Outcome(result)
    before = judge(last.run, None, workload)
    return Outcome(result, before, last.at, changes(result, before))


def keep(asked: Mapping[str, Any], events: tuple[Event, ...]) -> str:
    """Keep a run for later ones to be set beside; the system's reason where that cannot be, else ""."""
    from tutor.probing import kept

    try:
        kept.append(kept.Kept(kept.now(), asked, events))
    except OSError as error:
        return str(error.strerror or error)
    return ""


def latest() -> Result | None:
    """The newest run that is kept, judged; ``None`` without one, or where it cannot be read."""
    from engine.probe.result import judge
    from tutor.probing import kept

    with suppress(OSError):
        last = kept.latest()
        return None if last is None else judge(last.run)
    return None
