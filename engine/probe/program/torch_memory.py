"""Memory on torch: taken once for a whole run, and cut into the tensors of every step."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

from . import sizes
from .emit import line
from .model import NoMemory, Plan, Refused

_ALIGNED = 256
_PIECE = 1 << 22
"""Numbers that are drawn at random; larger memory repeats them where drawing is slow."""
_NAMES = {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32", "int8": "int8", "fp8": "float8_e4m3fn"}


class Memory:
    """Weights, caches and scratch of one device.

    The project itself has no torch, and so no types of it: what is torch's is ``Any`` here.
    """

    draws_fast = True
    """Whether the device draws random numbers at the speed of its memory."""

    def __init__(self, torch: Any, where: str) -> None:
        self.torch, self.where = torch, where
        self._weights: Any = None
        self._caches: Any = None
        self._work: Any = None
        self._plan: Plan | None = None
        self._filled = False

    def wait(self) -> None:
        """Until the device has done everything that it was given."""

    def dtype(self, name: str) -> Any:
        """torch's dtype. Raises ``Refused`` where this torch has none."""
        found = getattr(self.torch, _NAMES[name], None)
        if found is None:
            raise Refused(f"torch has no {_NAMES[name]}")
        return found

    def reserve(self, plan: Plan) -> None:
        """Take weights, caches and scratch, in this order. Raises ``NoMemory``."""
        try:
            self._plan = plan
            self._weights = self._bytes(plan.weight_bytes)
            self._caches = self._bytes(plan.kv_budget)
            self._work = self._bytes(sizes.work(plan))
            self._fill()
            self._normal(self._caches.view(self.dtype(plan.dtype)), 1.0)
            self._normal(self._work.view(self.dtype(plan.dtype)), 1.0)
            self.wait()
        except RuntimeError as error:
            raise self.meant(error) from error

    def release(self) -> None:
        """Let go of all memory."""
        self._weights = self._caches = self._work = None

    def _bytes(self, size: int) -> Any:
        return self.torch.empty(size, dtype=self.torch.uint8, device=self.where)

    def _carve(self, memory: Any, offset: int, dtype: Any, *shape: int) -> tuple[Any, int]:
        """A tensor of this shape inside a piece of memory, and where the next one may begin."""
        count = 1
        for size in shape:
            count *= size
        end = offset + count * self._item(dtype)
        if end > memory.numel():
            raise NoMemory("a buffer does not fit")
        return memory[offset:end].view(dtype).view(*shape), -(-end // _ALIGNED) * _ALIGNED

    def _item(self, dtype: Any) -> int:
        """Bytes of one number; a dtype tells them itself only from torch 2.1."""
        return int(self.torch.empty((), dtype=dtype, device=self.where).element_size())

    def _normal(self, flat: Any, deviation: float) -> None:
        """Fill with random normal numbers: constants or zeros let a card clock higher than any model would."""
        if self.draws_fast or flat.numel() <= _PIECE:
            flat.normal_(0.0, deviation)
        else:
            self._repeat(flat, lambda piece: piece.normal_(0.0, deviation))

    def _repeat(self, flat: Any, draw: Callable[[Any], object]) -> None:
        done = min(_PIECE, flat.numel())
        draw(flat[:done])
        while done < flat.numel():
            more = min(done, flat.numel() - done)
            flat[done : done + more].copy_(flat[:more])
            done += more

    def _fill(self) -> None:
        """Weights that keep a token's numbers at one size from layer to layer: 1/sqrt of each matrix's columns."""
        plan = self._made
        layer = self._weights[: plan.layer_bytes].view(self.dtype(plan.dtype))
        at = 0
        for rows, columns in plan.shape.matrices:
            self._normal(layer[at : at + rows * columns], 1 / sqrt(columns))
            at += rows * columns
        for place in range(1, plan.layers):
            begin = place * plan.layer_bytes
            self._weights[begin : begin + plan.layer_bytes].copy_(self._weights[: plan.layer_bytes])
        self._filled = True

    @property
    def _made(self) -> Plan:
        assert self._plan is not None
        return self._plan

    def meant(self, error: BaseException) -> Exception:
        """What a failure of torch means to the stages."""
        text = line(error)
        if "out of memory" in text.lower() or "can't allocate" in text.lower():
            return NoMemory(text)
        return Refused(text)
