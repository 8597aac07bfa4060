"""What the probe's screen asks of :mod:`tutor.probing`: from worker threads, and nothing before it is needed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from engine.diagnosis.model import Scenario
    from engine.probe.model import Result
    from engine.probe.readings import Event, Run
    from tutor.probing.running import NotReady, Outcome, Ready

SECONDS = 25.0
"""Seconds of measuring, as the command has them (`tutor.probing.running`, which the page need not import)."""
clock = time.monotonic
"""Seconds for the bar of progress; tests put their own here."""


class Running(Protocol):
    """A run that goes on: a child process, or what a test has in its place."""

    def events(self) -> Iterator[Mapping[str, Any]]:
        """What it tells; an ``end`` or a ``failed`` last."""

    def cancel(self) -> None:
        """Ask it to stop; it ends within seconds."""


class Finished(NamedTuple):
    """What a run came to; ``before``: the last one of the same device, judged, ``None`` without one."""

    outcome: Outcome
    before: Result | None = None


def look(scenario: Scenario | None, cpu: bool, python: str | None) -> Ready | NotReady:
    """What a run would have; takes as long as the slowest Python or driver."""
    from tutor.probing import running

    return running.prepare(scenario, device="cpu" if cpu else "auto", python=python)


def start(ready: Ready) -> Running:
    """Start the program. Raises ``OSError``."""
    from tutor.probing import running

    return running.start(ready)


def finish(run: Run, events: Sequence[Event], ready: Ready, scenario: Scenario | None) -> Finished:
    """Judge a run, beside the one before it, and keep it."""
    from engine.diagnosis.scenario import export
    from engine.probe.result import judge
    from tutor.probing import kept, running

    last = kept.latest(like=run) if run.moved else None
    options = dict(export(scenario)) if scenario is not None else {}
    asked = {"device": ready.request["device"], "seconds": ready.request["seconds"], "options": options,
             "request": dict(ready.request)}  # fmt: skip
    outcome = running.finish([dict(event) for event in events], ready.workload, asked)
    return Finished(outcome, None if last is None else judge(last.run))
