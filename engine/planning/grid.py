"""What the scalar engine says of cards, numbers of cards and formats, as columns of numbers for a sweep.

Each fact is asked of the engine once for what it depends on (a card, a card and a format, a format and a number of
cards ...) and then only looked up: a million configurations ask no more questions than their cards and formats are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import links, memory, pool, roofline, vllm, weights
from engine.catalog import Gpu, Model
from engine.efficiency import Band
from engine.formulas.sweep import sweep
from engine.groups import Group, grouping
from engine.parallel import Parallel, kv_heads
from engine.precision import Format
from engine.roofline import End
from engine.steps import Setup

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[np.float64]


class Grid(NamedTuple):
    """A model, and the cards and formats that it may be served with.

    Attributes:
        model: what is served.
        gpus: kinds of card.
        cards: how many of a kind share every layer (tensor parallelism), in one machine.
        forms: formats of the weights.
        kvs: formats of the KV cache, by name.
        max_len: longest request that a server must take.
    """

    model: Model
    gpus: tuple[Gpu, ...]
    cards: tuple[int, ...]
    forms: tuple[Format, ...]
    kvs: tuple[str, ...]
    max_len: int


class Columns(NamedTuple):
    """One number per option and fact, as arrays of one shape; ``inf`` where a rate or a link is not known.

    Attributes:
        model, groups: that all options share.
        cards: that share each layer.
        capacity, fraction: memory of a card, and the share of it that the server may take.
        weights, reserve: what weights, and what everything else but the cache, take of it.
        batched, seqs: most tokens, and most requests, of one step.
        block_size, block_bytes: of a block of the pool.
        held: share of the weights' bytes that one card holds.
        base, table, experts: bytes of the weights that every step reads; of those it reads by the row, and of experts.
        heads, p: K and V heads on one card, bytes of a number of the cache.
        bandwidth, peak, peak16: of a card.
        share_weights, share_kv, share_math, share_attention, layer_time: what is reached of it.
        link_bandwidth, share_link, hop_time: between the cards.
    """

    model: Model
    groups: tuple[Group, ...]
    cards: Numbers
    capacity: Numbers
    fraction: Numbers
    weights: Numbers
    reserve: Numbers
    batched: Numbers
    seqs: Numbers
    block_size: Numbers
    block_bytes: Numbers
    held: Numbers
    base: Numbers
    table: Numbers
    experts: Numbers
    heads: Numbers
    p: Numbers
    bandwidth: Numbers
    peak: Numbers
    peak16: Numbers
    share_weights: Numbers
    share_kv: Numbers
    share_math: Numbers
    share_attention: Numbers
    layer_time: Numbers
    link_bandwidth: Numbers
    share_link: Numbers
    hop_time: Numbers


class Read(NamedTuple):
    """Bytes of weights: ``base`` is read in every step, of ``table`` a row a token, of ``experts`` those touched."""

    base: Fraction
    table: Fraction
    experts: Fraction


def columns(
    grid: Grid, gpu: ArrayLike, cards: ArrayLike, form: ArrayLike, kv: ArrayLike, end: End = "usual"
) -> Columns:
    """The columns of options that are named by their places in a grid, broadcast together.

    Args:
        grid: the model, the cards and the formats.
        gpu, cards, form, kv: places in ``grid.gpus`` and its like.
        end: of the bands of what is reached.

    Raises:
        NoValues: the model cannot be sized.
    """
    import numpy as np

    model = grid.model
    places = np.broadcast_arrays(*(np.asarray(place, dtype=np.intp) for place in (gpu, cards, form, kv)))
    axes = (grid.gpus, grid.cards, grid.forms, grid.kvs)
    look = _Lookup(axes, places)
    settings = look.table((0,), lambda card: settings_of(model, card, grid.max_len))
    cache = look.table((1, 3), lambda count, kept: grouping(model, memory.number_bytes(model, kept), tp=count))
    reached = look.table((0, 2), lambda card, made: Setup(model, card, made))
    between = look.table((0, 1), lambda card, count: links.between(card, count) if count > 1 else None)
    read = look.table((2,), lambda made: reads(model, made))
    lines = look.table((0, 1), lambda card, count: _lines(grid, card, count))
    return Columns(
        model,
        next(iter(cache.values())).groups,
        look.numbers((1,), lambda count: count),
        look.numbers((0,), lambda card: pool.card(card).bytes),
        look.take((0,), settings, lambda one: one.utilization),
        look.numbers((1, 2), lambda count, made: weights_line(model, made, count, grid.max_len).bytes),
        _reserve(look, lines),
        look.take((0,), settings, lambda one: one.tokens),
        look.take((0,), settings, lambda one: one.seqs),
        look.take((1, 3), cache, lambda one: one.block_size),
        look.take((1, 3), cache, lambda one: one.block_bytes),
        look.numbers((1, 2), lambda count, made: _held(model, made, count)),
        look.take((2,), read, lambda one: one.base),
        look.take((2,), read, lambda one: one.table),
        look.take((2,), read, lambda one: one.experts),
        look.numbers((1,), lambda count: kv_heads(model, count)),
        look.numbers((3,), lambda kept: memory.number_bytes(model, kept)),
        look.numbers((0,), lambda card: card.bandwidth),
        look.take((0, 2), reached, lambda one: roofline.peak(one.gpu, one.unit)),
        look.numbers((0,), lambda card: card.peak_flops),
        look.take((0, 2), reached, lambda one: share(one.efficiency.weights, end)),
        look.take((0, 2), reached, lambda one: share(one.efficiency.kv, end)),
        look.take((0, 2), reached, lambda one: share(one.efficiency.math, end)),
        look.take((0, 2), reached, lambda one: share(one.efficiency.attention, end)),
        look.take((0, 2), reached, lambda one: slowness(one.efficiency.layer_time, end)),
        look.take((0, 1), between, lambda link: link and link.bandwidth),
        look.take((0, 1), between, lambda link: share(link.share, end) if link else 1),
        look.take((0, 1), between, lambda link: slowness(link.hop, end) if link else 0),
    )


def share(of: Band, end: End) -> Fraction:
    """What is reached at one end: the most of it in the fastest step."""
    return {"fast": of.high, "usual": of.mid, "slow": of.low}[end]


def slowness(of: Band, end: End) -> Fraction:
    """What is waited at one end: the least of it in the fastest step."""
    return {"fast": of.low, "usual": of.mid, "slow": of.high}[end]


class _Lookup:
    """Values by what they depend on, and where each option finds its own."""

    def __init__(self, axes: Sequence[Sequence[Any]], places: Sequence[NDArray[np.intp]]) -> None:
        self._axes, self._places = axes, places
        self._used: dict[tuple[int, ...], tuple[list[tuple[int, ...]], NDArray[np.intp]]] = {}

    def _asked(self, on: tuple[int, ...]) -> tuple[list[tuple[int, ...]], NDArray[np.intp]]:
        """The combinations of some axes that occur, and which of them each option has."""
        import numpy as np

        if on not in self._used:
            sizes = [len(self._axes[axis]) for axis in on]
            flat = np.ravel_multi_index([self._places[axis] for axis in on], sizes)
            seen, which = np.unique(flat, return_inverse=True)
            found = [tuple(int(n) for n in np.unravel_index(one, sizes)) for one in seen]
            self._used[on] = found, which.reshape(flat.shape)
        return self._used[on]

    def table(self, on: tuple[int, ...], ask: Callable[..., Any]) -> dict[tuple[int, ...], Any]:
        """What the engine says of each combination that occurs."""
        return {one: ask(*(self._axes[axis][n] for axis, n in zip(on, one, strict=True))) for one in self._asked(on)[0]}

    def take(self, on: tuple[int, ...], table: dict[tuple[int, ...], Any], number: Callable[[Any], Any]) -> Numbers:
        """One number of each option's entry; ``inf`` for ``None``."""
        import numpy as np

        known, which = self._asked(on)
        values = (number(table[one]) for one in known)
        return np.array([float("inf") if value is None else float(value) for value in values])[which]

    def numbers(self, on: tuple[int, ...], ask: Callable[..., Any]) -> Numbers:
        """:meth:`table` and :meth:`take` of the value itself."""
        return self.take(on, self.table(on, ask), lambda value: value)


# --- facts that several options share ------------------------------------------------------------------------------


def settings_of(model: Model, gpu: Gpu, max_len: int) -> vllm.Resolved:
    """What a server of the newest version runs with on a card."""
    return vllm.resolve(vllm.Settings(max_len=max_len), model, pool.card(gpu).bytes, gpu.name)


def _lines(grid: Grid, gpu: Gpu, cards: int) -> tuple[pool.Line, ...]:
    """What a card's memory holds besides weights and cache."""
    settings = settings_of(grid.model, gpu, grid.max_len)
    peak = _activation(grid.model, settings.tokens, settings.seqs)
    return peak, pool.non_torch(Parallel(tp=cards)), pool.graphs(settings.version)


def _reserve(look: _Lookup, lines: dict[tuple[int, ...], tuple[pool.Line, ...]]) -> Numbers:
    """What the lines take of the share that the server may use (formula ``held_back``)."""

    def taken(n: int) -> Numbers:
        return look.take((0, 1), lines, lambda found: found[n].bytes if found[n].inside else 0)

    return sweep("held_back", {"activation": taken(0), "non_torch": taken(1), "graphs": taken(2)})


@lru_cache(maxsize=256)
def _activation(model: Model, tokens: int, seqs: int) -> pool.Line:
    return pool.activation(model, tokens, seqs)


@lru_cache(maxsize=1024)
def weights_line(model: Model, form: Format, cards: int, max_len: int) -> pool.Line:
    """Weights on one of so many cards, as a start-up log counts them."""
    return pool.weights(model, form, Parallel(tp=cards), max_len)


@lru_cache(maxsize=1024)
def _held(model: Model, form: Format, cards: int) -> Fraction:
    return weights.per_gpu(model, form, Parallel(tp=cards)) / weights.by_class(model, form).bytes


def reads(model: Model, form: Format) -> Read:
    """The weights of a model by how a step reads them (:meth:`engine.weights.Weights.active_bytes`)."""
    held = weights.by_class(model, form)
    table = Fraction(0) if model.tied else held.of("embedding").bytes
    return Read(held.active_bytes(0), table, held.of("expert").bytes)


def every(grid: Grid) -> Iterable[tuple[int, int, int, int]]:
    """The places of all options of a grid, cards first."""
    from itertools import product

    gpus, cards, forms, kvs = (range(len(axis)) for axis in (grid.gpus, grid.cards, grid.forms, grid.kvs))
    return product(gpus, cards, forms, kvs)
