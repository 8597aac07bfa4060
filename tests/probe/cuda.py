"""A torch whose CUDA is the processor: the code for cards runs on it where there is no card.

It shows that the calls fit together and hold what the protocol promises, not how fast anything is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any


class Event:
    """A mark on the processor's own clock."""

    def __init__(self, enable_timing: bool = False) -> None:
        assert enable_timing
        self.at: float | None = None

    def record(self) -> None:
        self.at = time.perf_counter()

    def elapsed_time(self, other: Event) -> float:
        assert self.at is not None
        assert other.at is not None
        return (other.at - self.at) * 1e3


class Stream:
    """Everything is done at once."""

    def wait_stream(self, other: object) -> None:
        pass

    def synchronize(self) -> None:
        pass


class Graph:
    """Counts its replays; what was recorded runs again by the call that recorded it."""

    made: int = 0

    def __init__(self) -> None:
        Graph.made += 1
        self.replays = 0

    def replay(self) -> None:
        self.replays += 1


class Cuda:
    """The part of ``torch.cuda`` that the program uses."""

    Event: Any = Event
    Stream: Any = Stream
    CUDAGraph: Any = Graph

    def __init__(self, torch: Any, refuses: str = "") -> None:
        self._torch, self._refuses = torch, refuses
        self.emptied = 0

    def is_available(self) -> bool:
        return True

    def get_device_properties(self, index: int) -> Any:
        assert index == 0
        return SimpleNamespace(
            name="NVIDIA Nothing", major=9, minor=0, total_memory=8 * 10**9, L2_cache_size=1 << 20,
            multi_processor_count=4, clock_rate=1_980_000, memory_clock_rate=2_619_000, memory_bus_width=5120,
            is_integrated=False, uuid="12345678-0000-0000-0000-000000000000",
        )  # fmt: skip

    def mem_get_info(self) -> tuple[int, int]:
        return 300 * 10**6, 8 * 10**9

    def synchronize(self) -> None:
        pass

    def empty_cache(self) -> None:
        self.emptied += 1

    def reset_peak_memory_stats(self) -> None:
        pass

    def max_memory_allocated(self) -> int:
        return 1

    def current_stream(self) -> object:
        return Stream()

    @contextmanager
    def stream(self, stream: object) -> Iterator[None]:
        yield

    @contextmanager
    def graph(self, graph: Graph, stream: object) -> Iterator[None]:
        if self._refuses:
            raise RuntimeError(self._refuses)
        yield


class Torch:
    """torch, with ``cuda`` in place of the real one and the processor in place of a card."""

    def __init__(self, torch: Any, refuses: str = "") -> None:
        self._torch = torch
        self.cuda = Cuda(torch, refuses)
        self.version = SimpleNamespace(cuda="13.0", hip=None)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._torch, name)
        return self._placed(found) if name in ("empty", "ones") else found

    def _placed(self, make: Callable[..., Any]) -> Callable[..., Any]:
        def made(*args: Any, **kwargs: Any) -> Any:
            assert kwargs.pop("device") == "cuda"
            return make(*args, **kwargs, device="cpu")

        return made
