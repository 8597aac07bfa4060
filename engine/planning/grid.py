"""What the scalar engine says of cards, numbers of cards and formats, as columns of numbers for a sweep.

Each fact is asked of the engine once for what it depends on (a card, a card and a format, a format and a number of
cards ...) and then only looked up: a million configurations ask no more questions than their cards and formats are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import links, memory, pool, roofline, vllm, weights
from engine.catalog import Gpu, Model
from engine.formulas.sweep import sweep
from engine.groups import Group, grouping
from engine.parallel import Parallel, kv_heads
from engine.precision import Format
from engine.roofline import End, share, slowness
from engine.steps import Setup

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[np.float64]


ENDS: tuple[End, ...] = ("fast", "usual", "slow")


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


class Facts:
    """All facts of a grid, each as an array over what it depends on; :meth:`at` looks options up in them.

    Raises ``NoValues`` when it is made for a model that cannot be sized.
    """

    def __init__(self, grid: Grid) -> None:
        model = grid.model
        self.model = model
        self._axes: tuple[Sequence[Any], ...] = (grid.gpus, grid.cards, grid.forms, grid.kvs)
        self._facts: dict[str, tuple[tuple[int, ...], Numbers]] = {}
        self._reached: dict[End, dict[str, tuple[tuple[int, ...], Numbers]]] = {end: {} for end in ENDS}
        cache = self._ask((1, 3), lambda count, kept: grouping(model, memory.number_bytes(model, kept), tp=count))
        self.groups: tuple[Group, ...] = cache[0].groups
        self._of_cards(grid)
        self._of_formats(grid)
        self._keep("block_size", (1, 3), (one.block_size for one in cache))
        self._keep("block_bytes", (1, 3), (one.block_bytes for one in cache))
        self._of_speed(grid)

    def at(self, gpu: ArrayLike, cards: ArrayLike, form: ArrayLike, kv: ArrayLike, end: End = "usual") -> Columns:
        """The columns of options that are named by their places in the grid, broadcast together.

        Args:
            gpu, cards, form, kv: places in ``grid.gpus`` and its like.
            end: of the bands of what is reached.
        """
        import numpy as np

        asked = (np.asarray(place, dtype=np.intp) for place in (gpu, cards, form, kv))
        places = np.broadcast_arrays(*asked)
        facts = self._facts | self._reached[end]
        found = {name: values[tuple(places[axis] for axis in on)] for name, (on, values) in facts.items()}
        reserve = sweep("held_back", {name: found.pop(name) for name in ("activation", "non_torch", "graphs")})
        return Columns(model=self.model, groups=self.groups, reserve=reserve, **found)

    def _ask(self, on: tuple[int, ...], ask: Callable[..., Any]) -> list[Any]:
        """What the engine says of each combination of some axes."""
        return [ask(*values) for values in product(*(self._axes[axis] for axis in on))]

    def _keep(self, name: str, on: tuple[int, ...], values: Iterable[Any], end: End | None = None) -> None:
        """Keep one number of each combination; ``inf`` for ``None``."""
        import numpy as np

        numbers = np.array([float("inf") if value is None else float(value) for value in values])
        shape = [len(self._axes[axis]) for axis in on]
        (self._facts if end is None else self._reached[end])[name] = on, numbers.reshape(shape)

    def _of_cards(self, grid: Grid) -> None:
        settings = self._ask((0,), lambda gpu: settings_of(grid.model, gpu, grid.max_len))
        self._keep("capacity", (0,), self._ask((0,), lambda gpu: pool.card(gpu).bytes))
        self._keep("fraction", (0,), (one.utilization for one in settings))
        self._keep("batched", (0,), (one.tokens for one in settings))
        self._keep("seqs", (0,), (one.seqs for one in settings))
        peaks = (_activation(grid.model, one.tokens, one.seqs) for one in settings)
        self._keep("activation", (0,), (line.bytes for line in peaks))
        self._keep("graphs", (0,), (line.bytes for line in (pool.graphs(one.version) for one in settings)))
        self._keep("non_torch", (1,), self._ask((1,), lambda count: pool.non_torch(Parallel(tp=count)).bytes))
        self._keep("bandwidth", (0,), (gpu.bandwidth for gpu in grid.gpus))
        self._keep("peak16", (0,), (gpu.peak_flops for gpu in grid.gpus))
        self._keep("cards", (1,), grid.cards)
        self._keep("heads", (1,), self._ask((1,), lambda count: kv_heads(grid.model, count)))

    def _of_formats(self, grid: Grid) -> None:
        model = grid.model

        def line(count: int, form: Format) -> Fraction:
            return weights_line(model, form, count, grid.max_len).bytes

        read = self._ask((2,), lambda form: reads(model, form))
        self._keep("weights", (1, 2), self._ask((1, 2), line))
        self._keep("held", (1, 2), self._ask((1, 2), lambda count, form: _held(model, form, count)))
        self._keep("base", (2,), (one.base for one in read))
        self._keep("table", (2,), (one.table for one in read))
        self._keep("experts", (2,), (one.experts for one in read))
        self._keep("p", (3,), self._ask((3,), lambda kept: memory.number_bytes(model, kept)))

    def _of_speed(self, grid: Grid) -> None:
        setups = self._ask((0, 2), lambda gpu, form: Setup(grid.model, gpu, form))
        reached = [one.efficiency for one in setups]
        between = self._ask((0, 1), lambda gpu, count: links.between(gpu, count) if count > 1 else None)
        self._keep("peak", (0, 2), (roofline.peak(one.gpu, one.unit) for one in setups))
        self._keep("link_bandwidth", (0, 1), (link and link.bandwidth for link in between))
        for end in ENDS:
            self._keep("share_weights", (0, 2), (share(one.weights, end) for one in reached), end)
            self._keep("share_kv", (0, 2), (share(one.kv, end) for one in reached), end)
            self._keep("share_math", (0, 2), (share(one.math, end) for one in reached), end)
            self._keep("share_attention", (0, 2), (share(one.attention, end) for one in reached), end)
            self._keep("layer_time", (0, 2), (slowness(one.layer_time, end) for one in reached), end)
            self._keep("share_link", (0, 1), (share(link.share, end) if link else 1 for link in between), end)
            self._keep("hop_time", (0, 1), (slowness(link.hop, end) if link else 0 for link in between), end)


# --- facts that several options share ------------------------------------------------------------------------------


def settings_of(model: Model, gpu: Gpu, max_len: int) -> vllm.Resolved:
    """What a server of the newest version runs with on a card."""
    return vllm.resolve(vllm.Settings(max_len=max_len), model, pool.card(gpu).bytes, gpu.name)


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
    gpus, cards, forms, kvs = (range(len(axis)) for axis in (grid.gpus, grid.cards, grid.forms, grid.kvs))
    return product(gpus, cards, forms, kvs)
