"""Blocks of a paged cache: of one group of layers, or of several where layers keep different things.

vLLM pools layers in groups of one size, so that a block of any group has the same bytes; a kind whose layers do not
fill its last group is padded, and each group of each request takes blocks of its own. Source: vLLM,
``v1/core/kv_cache_utils.py`` and ``v1/kv_cache_interface.py``.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine.catalog import Model
from engine.formulas import registry
from engine.formulas.registry import Value
from engine.memory import Bytes, index_bytes, kept, layer_bytes, state_bytes
from engine.parallel import fullest_stage

_NEARLY_ALIKE = Fraction(5, 4)
"""Kinds whose layer counts differ by less than this are grouped by the larger count."""


class Group(NamedTuple):
    """All groups of one kind of layers.

    Attributes:
        kind, window: as in :class:`engine.memory.Layers`.
        layers: real layers.
        groups: how many hold them.
        padding: places in the last group that no layer fills.
    """

    kind: str
    window: int | None
    layers: int
    groups: int
    padding: int


class Grouping(NamedTuple):
    """How a model's layers share a pool.

    Attributes:
        size: layers in a group.
        groups: by kind.
        block_size: tokens of a block: as asked, or more where a state needs a larger page.
        block_bytes: bytes of one block, of one group, on one card.
    """

    size: int
    groups: tuple[Group, ...]
    block_size: int
    block_bytes: Fraction

    @property
    def total(self) -> int:
        """Groups of all kinds: blocks that one more stretch of tokens takes while it is inside every window."""
        return sum(group.groups for group in self.groups)

    @property
    def plain(self) -> bool:
        """One group of layers that keep every token: the pool is its bytes over the bytes of a token."""
        return self.total == 1 and self.groups[0].kind == "full"

    @property
    def padding_share(self) -> Fraction:
        """The largest padding as a share of its kind's layers: what vLLM prints as "may waste at most"."""
        return max(registry.result("ratio", {"part": one.padding, "whole": one.layers}) for one in self.groups)

    def need(self, tokens: int, batched: int) -> int:
        """Blocks that a request of ``tokens`` takes at its largest, when a step brings ``batched`` tokens at most.

        A window keeps what it sees plus the tokens of the step, and one block more since it may start inside one.
        """
        return sum(group.groups * self._need(group, tokens, batched) for group in self.groups)

    def _need(self, group: Group, tokens: int, batched: int) -> int:
        if group.kind == "state":
            return 1
        used = tokens
        if group.window is not None:
            seen = group.window if group.kind == "chunk" else group.window - 1
            used = min(seen + batched, tokens)
        return _blocks("window_blocks" if group.kind == "window" else "blocks", used, self.block_size)


@lru_cache(maxsize=1024)  # servers that are compared are asked for the same requests
def _blocks(rule: str, used: int, block_size: int) -> int:
    return int(registry.result(rule, {"used": used, "bs": block_size}))


def grouping(
    model: Model,
    p: Bytes = 2,
    block_size: int = 16,
    tp: int = 1,
    pp: int = 1,
    p_state: Bytes | None = None,
    pooled: bool = True,
) -> Grouping:
    """How vLLM groups a model's layers on one card.

    Args:
        model: the model.
        p: bytes of a number of the cache.
        block_size: tokens of a block, as asked.
        tp: cards that share each layer.
        pp: pipeline stages; the fullest is grouped.
        p_state: bytes of a number of recurrent states; ``None`` for the model's own.
        pooled: whether the version pools kinds in groups; if not, windows keep every token.

    Raises:
        NoValues: no one figure would be right for this model.
    """
    share = fullest_stage(model, pp)
    kinds = [one._replace(layers=-(-one.layers * share.numerator // share.denominator)) for one in kept(model)]
    if not pooled:
        caches = sum(one.layers for one in kinds if one.kind != "state")
        kinds = [kinds[0]._replace(kind="full", window=None, layers=caches)]
    counts = [one.layers for one in kinds]
    size = max(counts) if max(counts) < _NEARLY_ALIKE * min(counts) else min(counts)
    groups = []
    for one in kinds:
        given: dict[str, Value] = {"L": one.layers, "group_layers": size}
        count, padding = (int(registry.result(name, given)) for name in ("layer_groups", "group_padding"))
        groups.append(Group(one.kind, one.window, one.layers, count, padding))
    token = layer_bytes(model, p, tp)
    if any(one.kind == "state" for one in kinds):
        block_size = max(block_size, state_block(model, p, tp, p_state))
    keys = share * index_bytes(model, 1)  # pages of their own, as many as there are blocks
    return Grouping(size, tuple(groups), block_size, block_size * (size * token + keys))


def state_block(model: Model, p: Bytes = 2, tp: int = 1, p_state: Bytes | None = None) -> int:
    """Tokens of a block in a model with linear layers: enough that a page of attention holds a layer's state, in steps
    of 16. 544 for Qwen3-Next with its 16-bit state (vllm PR#32492). Backends and prefix caching may ask for more."""
    assert model.hybrid is not None
    page = state_bytes(model, p_state=p_state, tp=tp) / model.hybrid.linear.layers
    token = layer_bytes(model, p, tp)
    return int(registry.result("state_block", {"page": page}, {"kv_per_layer": token}))


class Room(NamedTuple):
    """What a pool of so many bytes holds.

    Attributes:
        blocks: of any group.
        tokens: as a start-up log prints them.
        concurrency: requests of ``max_len`` that fit, not whole ones; as printed too.
    """

    blocks: int
    tokens: int
    concurrency: Fraction


def room(budget: Fraction, layers: Grouping, max_len: int, batched: int, redefined: bool = False) -> Room:
    """What fits into ``budget`` bytes on one card.

    Args:
        budget: bytes of the pool; nothing fits into none or less.
        layers: how the layers share it.
        max_len: longest request.
        batched: most tokens of a step.
        redefined: whether the version prints concurrency x max_len as the tokens of a pool of several groups.
    """
    token = layers.block_bytes / layers.block_size
    given: dict[str, Value] = {"budget": max(budget, Fraction(0)), "bs": layers.block_size, "max_len": max_len}
    blocks = registry.result("pool_blocks", given, {"kv_per_token": token})
    known = {"pool_blocks": blocks}
    if layers.plain:
        tokens = int(registry.result("pool_tokens", given, known))
        return Room(int(blocks), tokens, registry.result("concurrency", given, known))
    need = layers.need(max_len, batched)
    concurrency = registry.result("group_concurrency", {"need": need}, known)
    tokens = int(registry.result("group_pool_tokens", {**given, "groups": layers.total}, known))
    if redefined:
        tokens = int(concurrency * max_len)
    return Room(int(blocks), tokens, concurrency)


def longest(blocks: int, layers: Grouping, batched: int) -> int:
    """Tokens of the longest request that fits alone into so many blocks, by halving (as vLLM finds its estimate)."""
    if layers.plain:
        return blocks * layers.block_size
    low, high = 0, max(blocks, 1) * layers.block_size
    if layers.need(high, batched) <= blocks:  # every layer has a window or a state: there is no longest
        return high
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if layers.need(middle, batched) <= blocks else (low, middle - 1)
    return low
