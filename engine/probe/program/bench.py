"""What every stage works with: the device, the clock, and the telling of readings and notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .clock import Clock
from .device import Device, Step
from .emit import Emitter
from .model import Facts, NoGraph, NoMemory, Plan, Refused, Request
from .timing import NOISY, QUIET, Timed, cost, measure

REASONS = ((0x4, "power"), (0x8, "hw-slowdown"), (0x20 | 0x40, "thermal"), (0x80, "brake"))
"""Event bits of NVML that hold a card's clocks down. Bit 1 is none of them: the card has nothing to do."""
MARGIN = 1.02
"""Over the most that the memory can move, what still counts as memory: clocks are told in whole MHz."""
RETRIES, PAUSE = 3, 0.2
"""How often a run waits for a quiet moment on the processor, and how many seconds."""


class Bench:
    """One run under way. ``cut`` says whether anything was dropped for lack of time."""

    def __init__(self, device: Device, emitter: Emitter, clock: Clock, request: Request, facts: Facts) -> None:
        self.device, self.emitter, self.clock, self.request, self.facts = device, emitter, clock, request, facts
        self._plan: Plan | None = None
        self.stage = ""
        self.cut = False
        self.rates: dict[str, float] = {}
        """Best rates so far by what was measured: bytes/s, FLOP/s."""
        self._noted: set[tuple[str, str]] = set()
        self._retries = RETRIES
        self._graphs = device.graphs

    @property
    def plan(self) -> Plan:
        """The plan, once the first stage has laid it."""
        assert self._plan is not None
        return self._plan

    @plan.setter
    def plan(self, made: Plan) -> None:
        self._plan = made

    @property
    def planned(self) -> Plan | None:
        """The plan, or ``None`` before there is one."""
        return self._plan

    # --- telling -----------------------------------------------------------------------------------------------------

    def begin(self, stage: str, n: int, of: int) -> None:
        """Open a stage and tell so."""
        self.clock.open(stage)
        self.stage = stage
        self.emitter.event(
            "stage", stage=stage, n=n, of=of, elapsed=self.clock.elapsed, budget=self.clock.seconds
        )  # fmt: skip

    def note(self, id: str, key: str = "", **params: Any) -> None:
        """Tell a condition, once for each ``key``."""
        if (id, key) not in self._noted:
            self._noted.add((id, key))
            self.emitter.event("note", id=id, **params)

    def noted(self, id: str) -> bool:
        """Whether a condition was told."""
        return any(known == id for known, _ in self._noted)

    def shorten(self) -> None:
        """Something of this stage was dropped for lack of time."""
        self.cut = True
        self.note("budget-cut", self.stage, stage=self.stage)

    def reading(self, what: str, timed: Timed, **fields: Any) -> None:
        """Tell one measurement."""
        if timed.flagged and timed.noise >= NOISY:
            self.note("noisy", what, what=what, noise=round(timed.noise, 4))
        graph = fields.pop("graph", False)
        self.emitter.event(
            "reading", stage=self.stage, what=what, **fields, seconds=timed.seconds, median=timed.median,
            noise=timed.noise, blocks=timed.blocks, graph=graph, flagged=timed.flagged,
        )  # fmt: skip

    def rate(self, name: str, value: float) -> None:
        """Keep the best rate of a kind: later stages judge by it what they have time for."""
        self.rates[name] = max(self.rates.get(name, 0.0), value)

    # --- measuring ---------------------------------------------------------------------------------------------------

    def affords(self, one: float) -> bool:
        """Whether the stage still has time for a point whose step takes ``one`` seconds."""
        return cost(one, self._graphs) <= self.clock.stage_left

    def time(self, step: Step, parts: int = 1) -> Timed:
        """Time a step, once more in a quiet second where something else used the processor.

        ``parts``: points for which the stage's time has to do.
        """
        left = self.clock.stage_left
        timed = measure(self.device, step, left, left / parts, self.facts.threads)
        if timed.quiet is None or timed.quiet >= QUIET:
            return timed
        if self.clock.stage_left > PAUSE + 3 * timed.median * timed.blocks and self.paused():
            left = self.clock.stage_left
            again = measure(self.device, step, left, left / parts, self.facts.threads)
            timed = min((timed, again), key=lambda one: one.seconds)
        if timed.quiet is not None and timed.quiet < QUIET:
            self.note("cpu-contention", share=round(timed.quiet, 3))
        return timed

    def paused(self) -> bool:
        """Wait for a quiet moment; ``False`` when the run has waited often enough."""
        if not self._retries:
            return False
        self._retries -= 1
        self.device.sleep(PAUSE)
        return True

    def recorded(self, step: Step) -> tuple[Step, bool]:
        """The step as a graph, or as it is where the device cannot."""
        if not self._graphs:
            return step, False
        try:
            return self.device.record(step), True
        except NoGraph as error:
            self._graphs = False
            self.note("no-graph", detail=str(error))
            return step, False

    @property
    def replays(self) -> bool:
        """Whether steps are replayed from graphs."""
        return self._graphs

    def made(self, make: Callable[[], Step]) -> Step | None:
        """A step, or ``None`` where the device refuses it or has no room."""
        try:
            return make()
        except Refused:
            return None
        except NoMemory:
            self.note("small-memory", free=self.facts.free)
            return None

    def impossible(self, what: str, rate: float) -> bool:
        """Whether a rate is more than the memory can do; then it is noted: a cache answered."""
        most = self.facts.bandwidth
        if most is None or rate <= MARGIN * most:
            return False
        self.note("cache-reading", what, what=what, share=round(rate / most, 3))
        return True

    # --- watching ----------------------------------------------------------------------------------------------------

    def watch(self) -> None:
        """Note what the witness saw during this stage."""
        seen = self.device.watch()
        reasons = [name for bits, name in REASONS if seen.reasons & bits]
        if reasons:
            self.note("capped", self.stage, reasons=reasons, where=self.stage)
        clock, most = seen.memory_clock, seen.memory_clock_max
        if self.stage == "bandwidth" and clock and most and clock < 0.99 * most:
            self.note("low-memory-clock", clock=clock, max=most)
        known = {pid for pid, _ in self.facts.others or ()}
        new = [one for one in seen.others or () if one[0] not in known]
        if new:
            taken = [size for _, size in new if size is not None]
            self.note(
                "others-on-card", "late", pids=[pid for pid, _ in new], bytes=sum(taken) if taken else None,
                utilization=None,
            )  # fmt: skip
