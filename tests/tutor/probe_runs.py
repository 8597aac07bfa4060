"""Runs of the probe for the screen's tests: recorded events, told one by one, and a machine made by hand."""

from __future__ import annotations

import json
import queue
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from engine.diagnosis.model import Scenario
from tutor.probing import running
from tutor.probing.cards import Card, Other, Present
from tutor.probing.pythons import Found, Search, Tried
from tutor.probing.running import NotReady, Ready
from tutor.screens import probe_doors as doors

RECORDED = Path(__file__).parents[1] / "engine" / "data" / "probe" / "fake-card.jsonl"
Event = Mapping[str, Any]

CARD = Card("nvidia", "NVIDIA H200", total=150 * 10**9, free=149 * 10**9, others=())
BUSY = CARD._replace(others=(Other(4242, "vllm", 90 * 10**9),))
FOUND = Found("/opt/torch/bin/python", "3.12.3", "2.9.0+cu130", "cuda", "path")
TRIED = (Tried("/usr/bin/python3", "path", "no-torch"), Tried("[b]/old[/b]", "path", "too-old"))


def ready(found: Found, *cards: Card, device: running.Device = "auto") -> Ready:
    """What a run has on a machine with such a Python and these cards."""
    card = None if device == "cpu" or not cards else cards[0]
    load = running.workload(None, None)
    request: dict[str, Any] = {
        "device": device,
        "seconds": 25.0,
        "shape": None,
        "case": {},
        "layers": None,
        "zeros": False,
    }
    warnings = tuple(running._warnings(Present(cards, "nvml"), card, None, device))
    return Ready(request, found, card, {}, load, "no-model", warnings)


CPU_TORCH = FOUND._replace(torch="2.9.0+cpu", build="cpu")
WITH_CARD = ready(FOUND, CARD)
WITH_BUSY = ready(FOUND, BUSY)
CPU_ONLY = ready(CPU_TORCH)
CPU_BUILD = ready(CPU_TORCH, CARD)
NO_TORCH = NotReady("no-torch", Search(None, TRIED), Present((), ""))


def recorded() -> list[Event]:
    """The events of the recorded run."""
    return [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]


def upto(stage: str, count: int = 0) -> list[Event]:
    """The recorded events before a stage begins, and ``count`` more."""
    events = recorded()
    end = next(n for n, event in enumerate(events) if event["event"] == "stage" and event["stage"] == stage)
    return events[: end + count]


@dataclass
class Told:
    """A run whose events a test tells when it likes; told to stop it ends, as the program does."""

    asked: Mapping[str, Any] = field(default_factory=dict)
    cancelled: bool = False

    def __post_init__(self) -> None:
        self._queue: queue.SimpleQueue[Event] = queue.SimpleQueue()

    def tell(self, *events: Event) -> None:
        """What the program says next."""
        for event in events:
            self._queue.put(event)

    @property
    def silent(self) -> bool:
        """Whether all that was told has been heard."""
        return self._queue.empty()

    def events(self) -> Iterator[Event]:
        """What was told, until an end."""
        while True:
            event = self._queue.get(timeout=20)
            yield event
            if event["event"] in ("end", "failed"):
                return

    def cancel(self) -> None:
        """End it."""
        self.cancelled = True
        self.tell({"event": "end", "reason": "stop", "elapsed": 3.0, "stages": {}, "memory": {}})


@dataclass
class Machine:
    """What the screen finds in place of this machine."""

    ready: Ready | NotReady = WITH_CARD
    now: float = 100.0
    runs: list[Told] = field(default_factory=list)
    refuses: str = ""

    def look(self, scenario: Scenario | None, cpu: bool, python: str | None) -> Ready | NotReady:
        """What a run would have."""
        return ready(FOUND, CARD, device="cpu") if cpu else self.ready

    def start(self, ready: Ready) -> Told:
        """A run, or the system's refusal."""
        if self.refuses:
            raise OSError(13, self.refuses)
        self.runs.append(Told(ready.request))
        return self.runs[-1]


def install(monkeypatch: pytest.MonkeyPatch, home: Path, ready: Ready | NotReady = WITH_CARD) -> Machine:
    """Put a machine in place of this one; runs are kept in a folder of the test."""
    machine = Machine(ready)
    monkeypatch.setenv("LLM_TUTOR_HOME", str(home))
    monkeypatch.setattr(doors, "look", machine.look)
    monkeypatch.setattr(doors, "start", machine.start)
    monkeypatch.setattr(doors, "clock", lambda: machine.now)
    return machine
