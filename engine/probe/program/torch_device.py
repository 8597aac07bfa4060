"""The device layer on torch: clock and ceilings; memory and the steps of a model are in the files beside it.

torch is imported by name, and only when the request has been read: it takes seconds, and may be missing or broken.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Sequence
from typing import Any

from .device import Step
from .model import Facts, NoGraph, Refused, Snapshot
from .torch_layers import Layers


def load() -> Any:
    """torch, set up for measuring. Raises whatever torch raises, and ``Refused`` for one that is too old."""
    torch = importlib.import_module("torch")
    if not hasattr(torch.nn.functional, "scaled_dot_product_attention"):
        raise Refused(f"torch {torch.__version__} is older than 2.0 and has no attention kernel")
    torch.set_grad_enabled(False)
    # cuDNN's attention takes no stride of zero, by which a prompt's heads share keys, and not every torch asks first.
    getattr(torch.backends.cuda, "enable_cudnn_sdp", bool)(False)
    return torch


class TorchDevice(Layers):
    """What all devices of torch have in common. Subclasses know the clock, graphs and facts of theirs."""

    graphs = False
    ahead = False
    block = 1e-3
    dtypes: Sequence[str] = ("bf16",)

    def facts(self) -> Facts:
        """What torch and the driver say."""
        raise NotImplementedError

    # --- the host ----------------------------------------------------------------------------------------------------

    def now(self) -> float:
        """Seconds on the host's clock."""
        return time.perf_counter()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)

    def busy(self) -> float | None:
        """Processor time; only a processor's own run asks for it."""
        return None

    def watch(self) -> Snapshot:
        """Nobody watches."""
        return Snapshot()

    def peak(self) -> int | None:
        """Not told."""
        return None

    def record(self, step: Step) -> Step:
        """No graphs here."""
        raise NoGraph("no graphs on this device")

    def time(self, step: Step, repeats: int, blocks: int) -> list[float]:
        """By the host's clock, with the device idle before and after each block."""
        found = []
        self.wait()
        for _ in range(blocks):
            began = time.perf_counter()
            for _ in range(repeats):
                step()
            self.wait()
            found.append((time.perf_counter() - began) / repeats)
        return found

    # --- ceilings ----------------------------------------------------------------------------------------------------

    def trial(self, dtype: str, n: int) -> float:
        """The best of some 50 ms, after one that warms up: a neighbour's time slices are as long. Of one that takes
        seconds, the only one.
        """
        try:
            kind = self.dtype(dtype)
            left, right = (self.torch.empty(n, n, dtype=kind, device=self.where).normal_() for _ in range(2))
            made = self.torch.empty(n, n, dtype=kind, device=self.where)
            step = self._multiply(left, right, made)
            first = self.time(step, 1, 1)[0]
            return first if first > 1 else min(self.time(step, 1, max(3, min(100, int(0.05 / first)))))
        except (RuntimeError, TypeError, NotImplementedError) as error:
            raise self.meant(error) from error

    def copy(self, size: int) -> Step:
        """From the first part of the weights to the part behind it."""
        words = self._weights[: 2 * size].view(self.torch.float32)
        source, target = words[: size // 4], words[size // 4 :]
        self._filled = False
        return lambda: target.copy_(source)

    def read(self, size: int) -> Step:
        """The sum of the weights, read as 32-bit numbers."""
        words = self._weights[:size].view(self.torch.float32)
        found = self.torch.empty((), dtype=self.torch.float32, device=self.where)
        return lambda: self.torch.sum(words, 0, out=found)

    def product(self, dtype: str, n: int, zeros: bool = False) -> Step:
        """In the weights' memory. One of 8 bits is run once, to see whether card and torch have it."""
        self._filled = False
        kind = self.dtype(dtype)
        left, at = self._carve(self._weights, 0, kind, n, n)
        right, at = self._carve(self._weights, at, kind, n, n)
        try:
            if dtype not in ("fp8", "int8"):
                made, _ = self._carve(self._weights, at, kind, n, n)
                for factor in (left, right):
                    factor.zero_() if zeros else self._normal(factor.view(-1), 1.0)
                return self._multiply(left, right, made)
            step = self._multiply8(dtype, left, right, at)
            step()
            self.wait()
            return step
        except (RuntimeError, TypeError, AttributeError, NotImplementedError) as error:
            raise self.meant(error) from error

    def _multiply(self, left: Any, right: Any, made: Any) -> Step:
        return lambda: self.torch.mm(left, right, out=made)

    def _multiply8(self, dtype: str, left: Any, right: Any, at: int) -> Step:
        """8-bit products want the second factor with its columns together; scales are one per tensor."""
        torch, n = self.torch, left.shape[0]
        for factor in (left, right):
            self._draw8(dtype, factor.view(-1))
        if dtype == "int8":
            made, _ = self._carve(self._weights, at, torch.int32, n, n)
            return lambda: torch._int_mm(left, right.t(), out=made)
        made, _ = self._carve(self._weights, at, torch.bfloat16, n, n)
        one = torch.ones((), dtype=torch.float32, device=self.where)
        return lambda: torch._scaled_mm(
            left, right.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16, use_fast_accum=True, out=made
        )  # fmt: skip

    def _draw8(self, dtype: str, flat: Any) -> None:
        scale = 40.0 if dtype == "int8" else 1.0

        def draw(piece: Any) -> None:
            drawn = self.torch.empty(piece.numel(), dtype=self.torch.float32, device=self.where).normal_(0.0, scale)
            piece.copy_(drawn.clamp_(-120.0, 120.0))

        self._repeat(flat, draw)
