"""The device layer on torch: memory taken once, and the steps on it.

torch is imported by name, and only when the request has been read: it takes seconds, and may be missing or broken.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any

from . import sizes
from .device import Step
from .emit import line
from .model import Facts, NoGraph, NoMemory, Plan, Refused, Snapshot

Torch = Any
"""The module torch, or something of it. The project itself has no torch, and so no types of it."""
NARROW = 256
"""Rows and columns of the matrices of an empty step."""
_ALIGNED = 256
_PIECE = 1 << 22
"""Numbers that are drawn at random; larger memory repeats them where drawing is slow."""


def load() -> Torch:
    """torch, with everything off that a measurement does not need. Raises whatever torch raises."""
    torch = importlib.import_module("torch")
    torch.set_grad_enabled(False)
    return torch


class TorchDevice:
    """What all devices of torch have in common. Subclasses know the clock, graphs and facts of theirs."""

    graphs = False
    block = 1e-3
    dtypes: Sequence[str] = ("bf16",)
    draws_fast = True
    """Whether the device draws random numbers at the speed of its memory."""

    def __init__(self, torch: Torch, where: str) -> None:
        self.torch, self.where = torch, where
        self._attend: Callable[..., Any] = torch.nn.functional.scaled_dot_product_attention
        self._weights: Any = None
        self._caches: Any = None
        self._work: Any = None
        self._plan: Plan | None = None
        self._filled = False

    # --- for subclasses ----------------------------------------------------------------------------------------------

    def facts(self) -> Facts:
        """What torch and the driver say."""
        raise NotImplementedError

    def wait(self) -> None:
        """Until the device has done everything that it was given."""

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

    # --- memory ------------------------------------------------------------------------------------------------------

    def dtype(self, name: str) -> Any:
        """torch's dtype. Raises ``Refused`` where this torch has none."""
        names = {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32", "int8": "int8", "fp8": "float8_e4m3fn"}
        found = getattr(self.torch, names[name], None)
        if found is None:
            raise Refused(f"torch has no {names[name]}")
        return found

    def reserve(self, plan: Plan) -> None:
        """Take weights, caches and scratch, in this order. Raises ``NoMemory``."""
        try:
            self._plan = plan
            self._weights = self._bytes(plan.weight_bytes)
            self._caches = self._bytes(plan.kv_budget)
            # The other half of the scratch is for the libraries' work spaces and for attention's results.
            self._work = self._bytes(plan.scratch // 2)
            self._fill()
            self._normal(self._caches.view(self.dtype(plan.dtype)), 1.0)
            self._normal(self._work[: plan.scratch // 2 // 4 * 4].view(self.dtype(plan.dtype)), 1.0)
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
        end = offset + count * dtype.itemsize
        if end > memory.numel():
            raise NoMemory("a buffer does not fit")
        return memory[offset:end].view(dtype).view(*shape), -(-end // _ALIGNED) * _ALIGNED

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

    # --- ceilings ----------------------------------------------------------------------------------------------------

    def trial(self, dtype: str, n: int) -> float:
        """The better of three products, after one that warms up. One that is hopeless is run only once."""
        try:
            kind = self.dtype(dtype)
            left, right = (self.torch.empty(n, n, dtype=kind, device=self.where).normal_() for _ in range(2))
            made = self.torch.empty(n, n, dtype=kind, device=self.where)
            step = self._multiply(left, right, made)
            first = self.time(step, 1, 1)[0]
            return first if first > 1 else min(self.time(step, 1, 3))
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

    # --- the steps of a model ----------------------------------------------------------------------------------------

    def stack(self, batch: int, empty: bool = False) -> Step:
        """All layers' matrices, each fed by the one before it."""
        calls, mm = self._empty(batch) if empty else self._layers(batch, self._work), self.torch.mm

        def step() -> None:
            for left, right, made in calls:
                mm(left, right, out=made)

        return step

    def _empty(self, batch: int) -> list[tuple[Any, Any, Any]]:
        kind, at, calls = self.dtype(self._made.dtype), 0, []
        token, begin = self._carve(self._work, 0, kind, batch, NARROW)
        made, _ = self._carve(self._work, begin, kind, batch, NARROW)
        for _ in range(4 * self._made.layers):
            matrix, at = self._carve(self._weights, at, kind, NARROW, NARROW)
            calls.append((token, matrix.t(), made))
        return calls

    def _layers(self, tokens: int, memory: Any, layers: int | None = None) -> list[tuple[Any, Any, Any]]:
        """Factors and product of the matrices, layer by layer, in the order of a step."""
        if not self._filled:
            self._fill()
        plan = self._made
        kind, shape = self.dtype(plan.dtype), plan.shape
        inner, at, buffers = shape.n_head * shape.d_head, 0, []
        for width in (shape.d_model, *(rows for rows, _ in shape.matrices)):
            buffer, at = self._carve(memory, at, kind, tokens, width)
            buffers.append(buffer)
        token, qkv, out, up, down = buffers
        self._normal(token.view(-1), 1.0)
        calls, begin = [], 0
        for place in range(plan.layers if layers is None else layers):
            begin = place * plan.layer_bytes
            matrices = []
            for rows, columns in shape.matrices:
                end = begin + rows * columns * kind.itemsize
                matrices.append(self._weights[begin:end].view(kind).view(rows, columns).t())
                begin = end
            feeds = (token if place == 0 else down, qkv[:, :inner], out, up[:, : shape.d_ff])
            calls += list(zip(feeds, matrices, (qkv, out, up, down)))  # noqa: B905
        return calls

    def attention(self, batch: int, context: int, layers: int) -> Step:
        """One new token a sequence against its cache."""
        shape = self._made.shape
        group = shape.n_head // shape.n_kv_heads
        query, _ = self._carve(
            self._work, 0, self.dtype(self._made.dtype), batch, shape.n_kv_heads, group, shape.d_head
        )  # fmt: skip
        self._normal(query.view(-1), 1.0)
        caches, attend = self._cached(batch, context, layers), self._attend

        def step() -> None:
            for keys, values in caches:
                attend(query, keys, values)

        return step

    def _cached(self, batch: int, context: int, layers: int) -> list[tuple[Any, Any]]:
        """Keys and values of each layer.

        The heads that share a cache are rows of one query: with one token and no mask that is the same mathematics as
        repeating the cache, and every kernel that torch has reads it only once.
        """
        shape, kind, at, found = self._made.shape, self.dtype(self._made.dtype), 0, []
        for _ in range(layers):
            keys, at = self._carve(self._caches, at, kind, batch, shape.n_kv_heads, context, shape.d_head)
            values, at = self._carve(self._caches, at, kind, batch, shape.n_kv_heads, context, shape.d_head)
            found.append((keys, values))
        return found

    def decode(self, batch: int, context: int, layers: int) -> Step:
        """A step of the workload. The output matrix reads what the first one made: no copy that a server has not."""
        shape, mm, attend = self._made.shape, self.torch.mm, self._attend
        calls = self._layers(batch, self._work, layers)
        caches = self._cached(batch, context, layers)
        inner = shape.n_head * shape.d_head
        query = calls[0][2][:, :inner].view(batch, shape.n_kv_heads, -1, shape.d_head)

        def step() -> None:
            for place, (keys, values) in enumerate(caches):
                first, *others = calls[4 * place : 4 * place + 4]
                mm(first[0], first[1], out=first[2])
                attend(query, keys, values)
                for left, right, made in others:
                    mm(left, right, out=made)

        return step

    def prefill(self, tokens: int) -> Step:
        """A prompt. A head's group shares keys and values by a stride of zero, so that nothing is copied."""
        plan, mm, attend = self._made, self.torch.mm, self._attend
        shape, kv = plan.shape, plan.shape.n_kv_heads
        memory = self._caches if plan.kv_budget > plan.scratch // 2 else self._work
        calls = self._layers(tokens, memory)
        inner, width = shape.n_head * shape.d_head, kv * shape.d_head
        group, qkv = shape.n_head // kv, calls[0][2]
        query = qkv[:, :inner].view(tokens, kv, group, shape.d_head).permute(1, 2, 0, 3)
        keys, values = (
            qkv[:, at : at + width].view(tokens, kv, 1, shape.d_head).permute(1, 2, 0, 3).expand(-1, group, -1, -1)
            for at in (inner, inner + width)
        )

        def step() -> None:
            for place, (left, right, made) in enumerate(calls):
                mm(left, right, out=made)
                if place % 4 == 0:
                    attend(query, keys, values, is_causal=True)

        return step
