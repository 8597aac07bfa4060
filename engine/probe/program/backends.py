"""The devices that torch may have: CUDA and ROCm, Apple's MPS, the processor."""

from __future__ import annotations

import re
import time
from typing import Any

from . import host
from .device import Step
from .emit import line
from .model import Facts, NoDevice, NoGraph, NoMemory, Plan, Refused, Snapshot
from .timing import BLOCKS
from .torch_device import TorchDevice
from .witness import Witness


class Cuda(TorchDevice):
    """A card of NVIDIA, or of AMD under ROCm: timed by its own events, steps replayed from graphs."""

    graphs = ahead = True

    def __init__(self, torch: Any) -> None:
        super().__init__(torch, "cuda")
        witness = Witness() if torch.version.cuda else None
        began = time.perf_counter()
        _begin(torch, "cuda")
        self._started = time.perf_counter() - began
        self._card = torch.cuda.get_device_properties(0)
        self._witness = witness
        if witness is not None:
            uuid = getattr(self._card, "uuid", None)
            witness.choose(None if uuid is None else str(uuid))
        self._stream = torch.cuda.Stream()
        major = self._card.major
        self.dtypes = ("bf16", "fp16") if torch.version.hip or major >= 8 else ("fp16", "fp32")

    def facts(self) -> Facts:
        """Of the first card that torch sees."""
        card, torch, witness = self._card, self.torch, self._witness
        free, total = torch.cuda.mem_get_info()
        rocm = bool(torch.version.hip)
        told = witness is not None and witness.told
        profile = re.search(r"MIG (\d+)g\.\w+", str(card.name))
        memory_clock = _mhz(card, "memory_clock_rate") or (witness.max_memory_clock() if witness else None)
        return Facts(
            "rocm" if rocm else "cuda", "cuda", str(card.name), f"{card.major}.{card.minor}",
            str(card.gcnArchName) if rocm and hasattr(card, "gcnArchName") else None,
            int(total), int(free), _whole(card, "L2_cache_size"), _whole(card, "multi_processor_count"),
            _mhz(card, "clock_rate"), memory_clock,
            _whole(card, "memory_bus_width") or (witness.bus_bits() if witness else None),
            bool(getattr(card, "is_integrated", False)), profile.group(0)[4:] if profile else None,
            (int(profile.group(1)), 4 if "A30" in card.name else 7) if profile else None,
            witness.driver() if witness else None, torch.version.hip or torch.version.cuda, None, told,
            witness.others if witness else None, witness.utilization if witness else None, self._started,
        )  # fmt: skip

    def wait(self) -> None:
        """Until the card is idle."""
        self.torch.cuda.synchronize()

    def reserve(self, plan: Plan) -> None:
        """As all, with the peak counted from here."""
        self.torch.cuda.empty_cache()
        self.torch.cuda.reset_peak_memory_stats()
        super().reserve(plan)

    def peak(self) -> int | None:
        """Most bytes that torch held."""
        return int(self.torch.cuda.max_memory_allocated())

    def release(self) -> None:
        """Back to the driver."""
        super().release()
        self.torch.cuda.empty_cache()

    def watch(self) -> Snapshot:
        """The management library's view."""
        return self._witness.snapshot() if self._witness is not None else Snapshot()

    def record(self, step: Step) -> Step:
        """A graph. The step runs first on the very stream that records it: on ROCm a library's first use of a stream
        must not fall into the recording."""
        cuda = self.torch.cuda
        try:
            self._stream.wait_stream(cuda.current_stream())
            with cuda.stream(self._stream):
                step()
                step()
            self._stream.synchronize()
            graph = cuda.CUDAGraph()
            with cuda.graph(graph, stream=self._stream):
                step()
            graph.replay()
            cuda.synchronize()
        except Exception as error:
            raise NoGraph(line(error)) from error
        replay: Step = graph.replay
        return replay

    def time(self, step: Step, repeats: int, blocks: int) -> list[float]:
        """By events on the card, all enqueued before the host waits, so that the card never waits for the host."""
        cuda = self.torch.cuda
        try:
            marks = [cuda.Event(enable_timing=True) for _ in range(blocks + 1)]
            if blocks >= BLOCKS:
                step()
            marks[0].record()
            for mark in marks[1:]:
                for _ in range(repeats):
                    step()
                mark.record()
            if self._witness is not None:
                self._witness.look()
            cuda.synchronize()
        except RuntimeError as error:
            meant = self.meant(error)
            raise (meant if isinstance(meant, NoMemory) else error) from None
        pairs = (marks[place].elapsed_time(marks[place + 1]) for place in range(blocks))
        return [max(milliseconds, 1e-6) / 1e3 / repeats for milliseconds in pairs]


def _begin(torch: Any, where: str) -> None:
    """Start the device. Raises ``NoDevice``, ``NoMemory`` or ``Refused``."""
    try:
        torch.ones(8, device=where).add_(1).cpu()
    except RuntimeError as error:
        text = line(error)
        if "out of memory" in text.lower():
            raise NoMemory(text) from None
        if "no kernel image" in text or "invalid device function" in text:
            raise Refused(text) from None
        raise NoDevice(text) from None


def _whole(card: Any, name: str) -> int | None:
    value = getattr(card, name, None)
    return int(value) if isinstance(value, int) and value > 0 else None


def _mhz(card: Any, name: str) -> float | None:
    kilohertz = _whole(card, name)
    return kilohertz / 1000 if kilohertz else None


class Mps(TorchDevice):
    """A GPU of Apple. No graphs; its events told wrong intervals until 2026, so the host's clock and long blocks."""

    block = 0.02
    dtypes = ("fp16", "fp32")
    draws_fast = False

    def __init__(self, torch: Any) -> None:
        super().__init__(torch, "mps")
        began = time.perf_counter()
        _begin(torch, "mps")
        self._started = time.perf_counter() - began

    def facts(self) -> Facts:
        """Apple tells little, and its memory is the processor's."""
        total, free = host.memory()
        most = getattr(self.torch.mps, "recommended_max_memory", lambda: 0)()
        if most:
            free = min(int(most), free) if free is not None else int(most)
        return Facts(
            "mps", "mps", host.processor(), total=total, free=free, integrated=True, context_seconds=self._started
        )  # fmt: skip

    def wait(self) -> None:
        """Until the GPU is idle."""
        self.torch.mps.synchronize()

    def peak(self) -> int | None:
        """Bytes that torch holds: all of them, since it took them once."""
        return int(self.torch.mps.current_allocated_memory())


class Cpu(TorchDevice):
    """The processor, as a demonstration. Never FP16: on many it is a hundred times slower than its neighbours."""

    dtypes = ("bf16", "fp32")
    draws_fast = False

    def __init__(self, torch: Any) -> None:
        super().__init__(torch, "cpu")
        # More threads than cores (in a container torch counts the machine's) only wait for each other.
        torch.set_num_threads(max(1, min(torch.get_num_threads(), host.usable_cores())))
        self._before: int | None = None

    def facts(self) -> Facts:
        """From the system."""
        total, free = host.memory()
        return Facts(
            "cpu", "cpu", host.processor(), total=total, free=free, cache=host.last_cache(),
            units=host.usable_cores(), threads=int(self.torch.get_num_threads()), context_seconds=0.0,
        )  # fmt: skip

    def reserve(self, plan: Plan) -> None:
        """As all, with the peak counted from here."""
        self._before = host.resident()
        super().reserve(plan)

    def busy(self) -> float | None:
        """Processor time of all threads."""
        return time.process_time()

    def peak(self) -> int | None:
        """Most memory of the process, less what it had before."""
        most = host.resident_peak()
        return None if most is None or self._before is None else max(0, most - self._before)


def chosen(torch: Any, asked: str) -> str:
    """Which of cuda, mps and cpu it will be. Raises ``NoDevice`` for one that is asked for and not there."""
    there = {"cuda": bool(torch.cuda.is_available()), "mps": _mps(torch), "cpu": True}
    if asked == "auto":
        return next(name for name, found in there.items() if found)
    if not there[asked]:
        raise NoDevice(f"torch {torch.__version__} sees no {asked} device")
    return asked


def _mps(torch: Any) -> bool:
    backend = getattr(torch.backends, "mps", None)
    return backend is not None and bool(backend.is_available())


def opened(torch: Any, name: str) -> TorchDevice:
    """The device of that name."""
    return {"cuda": Cuda, "mps": Mps, "cpu": Cpu}[name](torch)
