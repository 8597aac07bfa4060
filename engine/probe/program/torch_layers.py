"""The steps of a model on torch: matrices, attention over caches, prompts."""

from __future__ import annotations

from typing import Any

from . import sizes
from .device import Step
from .torch_memory import Memory

NARROW = 256
"""Rows and columns of the matrices of an empty step."""


class Layers(Memory):
    """Steps of the plan's stack. All their buffers lie in memory that was taken before."""

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
                end = begin + rows * columns * self._item(kind)
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
        caches, attend = self._cached(batch, context, layers), self.torch.nn.functional.scaled_dot_product_attention

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
        shape, mm, attend = self._made.shape, self.torch.mm, self.torch.nn.functional.scaled_dot_product_attention
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
        plan, mm, attend = self._made, self.torch.mm, self.torch.nn.functional.scaled_dot_product_attention
        shape, kv = plan.shape, plan.shape.n_kv_heads
        memory = self._caches if plan.kv_budget > sizes.work(plan) else self._work
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
