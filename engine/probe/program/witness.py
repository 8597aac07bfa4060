"""A second witness beside the program's own timings: NVIDIA's management library, when Python has it.

It knows who else is on the card, whether its clocks are held down, and how fast its memory is clocked. Every question
may go unanswered (WSL2 tells no processes, a MIG slice no utilisation), and none may stop the run.
"""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable
from typing import Any

from .model import Snapshot

_UNTOLD = 1 << 62
"""Bytes above which the library means that it cannot say."""
EVERY = 0.05
"""Seconds between two looks at a card that works."""


class Witness:
    """Asks about one card. ``told`` says whether there is anybody to ask.

    Processes are looked up before the program touches a card: in a container its own shows under a foreign id, and
    would pass for somebody else. What came right after is the program itself.
    """

    def __init__(self) -> None:
        self._lib = _library()
        count = self.ask("nvmlDeviceGetCount") or 0
        handles = [self.ask("nvmlDeviceGetHandleByIndex", index) for index in range(count)]
        self._handles = [handle for handle in handles if handle is not None]
        self._before = [(self._processes(handle), self._utilization(handle)) for handle in self._handles]
        self._card: Any = None
        self.others: tuple[tuple[int, int | None], ...] | None = None
        self.utilization: int | None = None
        self._own: set[int] = {os.getpid()}
        self._reasons, self._looked = 0, 0.0
        self._clock: float | None = None

    @property
    def told(self) -> bool:
        """Whether a driver answers for the card."""
        return self._card is not None

    def ask(self, name: str, *args: Any) -> Any:
        """The answer to a question of the library; ``None`` where it has none."""
        question: Callable[..., Any] | None = getattr(self._lib, name, None)
        if question is None:
            return None
        try:
            return question(*args)
        except Exception:
            return None

    def choose(self, uuid: str | None) -> None:
        """Say which card it is about, once the program's context exists on it."""
        place = self._place(uuid)
        if place is None:
            return
        self._card = self._handles[place]
        before, self.utilization = self._before[place]
        self.others = None if before is None else tuple(one for one in before if one[0] != os.getpid())
        known = {pid for pid, _ in before or ()}
        self._own |= {pid for pid, _ in self._processes(self._card) or () if pid not in known}

    def _place(self, uuid: str | None) -> int | None:
        wanted = (uuid or "").lower().replace("gpu-", "")
        for place, handle in enumerate(self._handles):
            found = self.ask("nvmlDeviceGetUUID", handle)
            text = found.decode() if isinstance(found, bytes) else str(found or "")
            if wanted and text.lower().replace("gpu-", "") == wanted:
                return place
        return 0 if len(self._handles) == 1 else None

    def max_memory_clock(self) -> float | None:
        """MHz."""
        return _positive(self.ask("nvmlDeviceGetMaxClockInfo", self._card, _MEMORY)) if self.told else None

    def bus_bits(self) -> int | None:
        """Width of the memory bus."""
        found = _positive(self.ask("nvmlDeviceGetMemoryBusWidth", self._card)) if self.told else None
        return int(found) if found else None

    def driver(self) -> str | None:
        """Version of the driver."""
        found = self.ask("nvmlSystemGetDriverVersion")
        return found.decode() if isinstance(found, bytes) else found

    def look(self) -> None:
        """Look at the clocks; called while the card works, and quick when it just did."""
        if not self.told or time.perf_counter() - self._looked < EVERY:
            return
        names = ("nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons")
        bits = next((found for name in names if (found := self.ask(name, self._card)) is not None), 0)
        self._reasons |= int(bits)
        self._clock = _positive(self.ask("nvmlDeviceGetClockInfo", self._card, _MEMORY)) or self._clock
        self._looked = time.perf_counter()

    def snapshot(self) -> Snapshot:
        """What was seen since the last call, and who is on the card now."""
        if not self.told:
            return Snapshot()
        processes = self._processes(self._card)
        others = None if processes is None else tuple(one for one in processes if one[0] not in self._own)
        seen = Snapshot(others, self._reasons, self._clock, self.max_memory_clock())
        self._reasons = 0
        return seen

    def _processes(self, handle: Any) -> tuple[tuple[int, int | None], ...] | None:
        found = self.ask("nvmlDeviceGetComputeRunningProcesses", handle)
        if found is None:
            return None
        return tuple((int(one.pid), _bytes(getattr(one, "usedGpuMemory", None))) for one in found)

    def _utilization(self, handle: Any) -> int | None:
        found = self.ask("nvmlDeviceGetUtilizationRates", handle)
        return None if found is None else int(found.gpu)


_MEMORY = 2
"""The library's number for the memory's clock."""


def _library() -> Any:
    try:
        library = importlib.import_module("pynvml")
        library.nvmlInit()
    except Exception:
        return None
    return library


def _bytes(value: Any) -> int | None:
    return value if isinstance(value, int) and 0 < value < _UNTOLD else None


def _positive(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and 0 < value < 1e6 else None
