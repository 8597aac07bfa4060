"""A table over cards, numbers of cards and formats: what fits, how many requests at once, how fast, at what price.

``plan`` asks the sweep once for all options and sorts them into those that serve the load and those that do not, each
of these with one reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

from engine import precision
from engine.catalog import Model, NoValues
from engine.formulas.sweep import sweep
from engine.planning import speed
from engine.planning.grid import ENDS, Columns, Facts, Grid, every
from engine.planning.options import Option, Reason, barred
from engine.planning.wishes import WISHES, Relaxed, Unmet, given, nearest
from engine.roofline import End
from engine.support import served_in

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Order = Literal["cards", "cost", "speed", "memory"]
ORDERS: tuple[Order, ...] = ("cards", "cost", "speed", "memory")
Bound = Literal["overhead", "weights", "kv", "compute", "link"]
BOUNDS: tuple[Bound, ...] = ("overhead", "weights", "kv", "compute", "link")
WALLS: Mapping[Bound, str] = {
    "overhead": "cpu-overhead", "weights": "memory-bandwidth", "kv": "memory-bandwidth", "compute": "compute",
    "link": "interconnect",
}  # fmt: skip
"""The wall of the diagnoser that each part of a step stands for."""

USUAL = ("T4", "L4", "A10G", "L40S", "RTX 4090", "A100 SXM 40GB", "A100 SXM 80GB", "H100 SXM 80GB", "H200 SXM 141GB",
         "B200 SXM", "MI300X")  # fmt: skip
"""Cards that clouds rent out, for somebody who names none."""
USABLE = Fraction(1, 5)
"""Most seconds between two tokens where nobody says how many requests run or how fast: five tokens a second, about as
fast as people read. More requests at once would still fit some cards, but nobody would wait for their answers."""
MAX_CARDS = 64
"""Most cards that a plan looks at; more do not stand in one machine."""
MAX_OPTIONS = 20_000
"""Most options of a plan: more than anybody reads, and a second's work."""


class Load(NamedTuple):
    """What is to be served.

    Attributes:
        prompt, output: tokens of a request.
        requests: at once; ``None`` for as many as fit and are still served at a usable speed (:data:`USABLE`).
        max_len: longest request that the server must take.
        tpot, ttft: most seconds between two tokens, and until the first: of a request that is alone, or where
            ``requests`` is given, of the last of those when all come together.
    """

    prompt: int
    output: int
    requests: int | None = None
    max_len: int | None = None
    tpot: Fraction | None = None
    ttft: Fraction | None = None

    @property
    def tokens(self) -> int:
        """Tokens of a request at its end."""
        return self.prompt + self.output

    @property
    def longest(self) -> int:
        """Tokens that the server must take."""
        return max(self.max_len or 0, self.tokens)


class Spread(NamedTuple):
    """A number with the good, the usual and the bad efficiency of the card's group."""

    best: float
    usual: float
    worst: float


class Line(NamedTuple):
    """An option that serves the load.

    Attributes:
        option: which.
        weights, pool, memory: bytes of one card: for weights, for the cache, and all of them.
        fits: requests that the pool holds.
        running: requests that the speeds below are for: those asked for, else the most that fit and are fast enough.
        step: seconds between two tokens of a request.
        first: seconds until the first token of a request that is alone.
        last: seconds until the first token of the last of the requests asked for, when all come together; ``None``
            where no number was asked for.
        each: tokens a second of one request.
        together: tokens a second of all requests, their prompts' time counted in.
        bound: what takes most of a decode step.
        cost: of a million output tokens with so many requests running all the time; ``None`` without a price.
        hour: price of all its cards for an hour; ``None`` without one.
        native: whether the card multiplies the format's own numbers; if not it saves bytes and no arithmetic.
    """

    option: Option
    weights: float
    pool: float
    memory: float
    fits: int
    running: int
    step: Spread
    first: Spread
    last: Spread | None
    each: Spread
    together: Spread
    bound: Bound
    cost: float | None
    hour: float | None
    native: bool


class Left(NamedTuple):
    """An option that does not serve the load.

    ``need`` and ``have``: bytes of one card (weights, kv), requests (requests), seconds (tpot, ttft), heads and cards
    (heads), else 0.
    """

    option: Option
    reason: Reason
    need: float = 0
    have: float = 0


class Plan(NamedTuple):
    """What serves the load, in the asked order, and what does not: nearest to serving it first. Where nothing does,
    what would with less of one wish, or of as few as it takes."""

    model: Model
    load: Load
    lines: tuple[Line, ...]
    left: tuple[Left, ...]
    relaxed: tuple[Relaxed, ...] = ()

    @property
    def beyond(self) -> bool:
        """Whether a request is longer than the window that the model was made for."""
        return self.load.longest > self.model.context


def plan(grid: Grid, load: Load, prices: Mapping[str, Fraction] | None = None, order: Order = "cards") -> Plan:
    """The table of all options of a grid.

    Args:
        grid: the model, the cards and the formats; its ``max_len`` gives way to the load's.
        load: what is to be served.
        prices: of one card for an hour, by the card's name.
        order: what comes first: the fewest cards (of those the cheapest an hour, without a price the one with least
            memory, then the fastest), the lowest cost of a token, the most tokens a second in all, the least memory.

    Raises:
        NoValues: the model cannot be sized, or its active parameters are not known.
        ValueError: a load of no tokens, less than one card, or more than :data:`MAX_OPTIONS`.
    """
    _check(grid, load)
    grid = grid._replace(max_len=load.longest)
    places = list(every(grid))
    options = [_option(grid, place) for place in places]
    named = dict(zip(reversed(options), reversed(places), strict=True))  # bf16 and fp16 are one on an old card
    options, places = list(reversed(named)), list(reversed(named.values()))
    left = [Left(option, reason, *numbers) for option in options for reason, *numbers in barred(grid.model, option)]
    out = {one.option for one in left}
    open_places = [place for place, option in zip(places, options, strict=True) if option not in out]
    if not open_places:
        return Plan(grid.model, load, (), tuple(left))
    judged = _Judged(grid, open_places, load, prices or {})
    lines, more = judged.sorted_out()
    relaxed = () if lines else judged.relaxed()
    return Plan(
        grid.model, load, tuple(sorted(lines, key=_key(order))), tuple(sorted((*more, *left), key=_nearness)), relaxed
    )


def _check(grid: Grid, load: Load) -> None:
    if len(grid.gpus) * len(grid.cards) * len(grid.forms) * len(grid.kvs) > MAX_OPTIONS:
        raise ValueError("too many options")
    if load.prompt < 1 or load.output < 1 or (load.requests is not None and load.requests < 1):
        raise ValueError("a request needs a prompt and an output")
    if min(grid.cards, default=1) < 1:
        raise ValueError("cards must be at least 1")
    if grid.model.cannot_size:
        raise NoValues("cannot-size", grid.model.id, grid.model.cannot_size)
    if grid.model.matmul is None:
        raise NoValues("unknown-active", grid.model.id, "")


def _option(grid: Grid, place: tuple[int, int, int, int]) -> Option:
    gpu, cards, form, kv = place
    return Option(grid.gpus[gpu], grid.cards[cards], served_in(grid.forms[form], grid.gpus[gpu]), grid.kvs[kv])


class _Judged:
    """The options that are not out from the start, with all their numbers as arrays."""

    def __init__(
        self, grid: Grid, places: Sequence[tuple[int, int, int, int]], load: Load, prices: Mapping[str, Fraction]
    ) -> None:
        import numpy as np

        self.load = load
        self.options = [_option(grid, place) for place in places]
        axes = np.array(places, dtype=np.intp).T
        facts = Facts(grid)
        self.ends = {end: facts.at(axes[0], axes[1], axes[2], axes[3], end) for end in ENDS}
        usual = self.ends["usual"]
        self.context = int(speed.middle(load.prompt, load.output))
        self.budget = speed.budget(usual)
        self.blocks, self.need = speed.blocks(usual), speed.need(usual, load.longest)
        self.fits = speed.fits(usual, load.tokens)
        self.running = self._running(usual)
        self.steps = {end: speed.decode(of, self.running, self.context) for end, of in self.ends.items()}
        self.step = {end: times.total for end, times in self.steps.items()}
        self.first = {end: self._ttft(of) for end, of in self.ends.items()}
        many = load.requests
        self.last = many and {end: speed.burst(of, load.prompt, many) for end, of in self.ends.items()}
        self.together = {end: self._rate("output_rate", end) for end in ENDS}
        self.each = {end: sweep("step_rate", {"B": 1, "step_time": self.step[end]}) for end in ENDS}
        self.prices = np.array([float(prices.get(one.gpu.name, 0)) * one.cards for one in self.options])

    def _running(self, usual: Columns) -> speed.Numbers:
        """Requests at once: as asked, or as many as fit, run in one step and keep the asked or a usable speed."""
        import numpy as np

        most = np.maximum(self.fits, 1)
        if self.load.requests is not None:
            return np.minimum(most, self.load.requests)
        most = np.minimum(most, usual.seqs)
        wanted = float(self.load.tpot or USABLE)
        low, high = np.ones_like(most), most
        while (low < high).any():  # the most that are fast enough, by halving
            half = np.ceil((low + high) / 2)
            fast = speed.decode(usual, half, self.context).total <= wanted
            low, high = np.where(fast, half, low), np.where(fast, high, half - 1)
            high = np.maximum(low, high)
        return low

    def _ttft(self, of: Columns) -> speed.Numbers:
        return sweep("ttft", {"queue_time": 0, "prefill_time": speed.prefill(of, self.load.prompt).total})

    def _rate(self, name: str, end: End) -> speed.Numbers:
        given: dict[str, ArrayLike] = {
            "prefill_time": self.first[end], "step_time": self.step[end], "T": self.load.output, "B": self.running,
        }  # fmt: skip
        return sweep(name, given)

    def sorted_out(self) -> tuple[list[Line], list[Left]]:
        """Those that serve the load, and those that do not."""
        import numpy as np

        parts = self.steps["usual"].parts()
        bounds = np.argmax([np.broadcast_to(parts[name], self.budget.shape) for name in BOUNDS], axis=0)
        cost = sweep("cost_per_million", {"price_per_hour": self.prices, "token_rate": self.together["usual"]})
        lines: list[Line] = []
        left: list[Left] = []
        for n, option in enumerate(self.options):
            out = self._out(n)
            if out is not None:
                left.append(Left(option, *out))
                continue
            bound = BOUNDS[int(bounds[n])]
            lines.append(self._line(n, option, bound, float(cost[n])))
        return lines, left

    def _line(self, n: int, option: Option, bound: Bound, cost: float) -> Line:
        usual, price = self.ends["usual"], float(self.prices[n])
        return Line(
            option, float(usual.weights[n]), float(self.budget[n]), float(usual.capacity[n]),
            int(self.fits[n]), int(self.running[n]),
            _spread(self.step, n), _spread(self.first, n), _spread(self.last, n) if self.last else None,
            _spread(self.each, n), _spread(self.together, n),
            bound, cost if price else None, price or None, precision.matmul(option.form, option.gpu).native,
        )  # fmt: skip

    def _out(self, n: int) -> tuple[Reason, float, float] | None:
        """Why an option does not serve the load, with what it needs and what it has."""
        usual = self.ends["usual"]
        size = float(usual.block_bytes[n])
        if self.budget[n] < size:
            return "weights", float(usual.weights[n]), float(usual.weights[n] + self.budget[n])
        if self.need[n] > self.blocks[n] or self.fits[n] < 1:
            return "kv", float(self.need[n]) * size, float(self.budget[n])
        return next(iter(self._unmet(n)), None)

    def _unmet(self, n: int) -> list[Unmet]:
        """Wishes that an option which holds a request does not meet, each with what it needs and what it has."""
        load, found = self.load, list[Unmet]()
        if load.requests is not None and self.fits[n] < load.requests:
            found.append(Unmet("requests", load.requests, float(self.fits[n])))
        step, first = float(self.step["usual"][n]), float((self.last or self.first)["usual"][n])
        if load.tpot is not None and step > load.tpot:
            found.append(Unmet("tpot", step, float(load.tpot)))
        if load.ttft is not None and first > load.ttft:
            found.append(Unmet("ttft", first, float(load.ttft)))
        return found

    def relaxed(self) -> tuple[Relaxed, ...]:
        """The options that miss least of what is wished, by :func:`engine.planning.wishes.nearest`."""
        unmet = {n: found for n in range(len(self.options)) if (found := self._missed(n))}
        return tuple(Relaxed(self.options[n], given(unmet[n])) for n in nearest(unmet))

    def _missed(self, n: int) -> list[Unmet]:
        out = self._out(n)
        return [] if out is None or out[0] not in WISHES else self._unmet(n)


def _spread(of: Mapping[End, speed.Numbers], n: int) -> Spread:
    return Spread(float(of["fast"][n]), float(of["usual"][n]), float(of["slow"][n]))


def _key(order: Order) -> Callable[[Line], tuple[float, ...]]:
    def key(line: Line) -> tuple[float, ...]:
        fast, cards = -line.together.usual, line.option.cards
        dear, hour = (_NO_PRICE if price is None else price for price in (line.cost, line.hour))
        if order == "cards":
            return cards, hour, line.memory if line.hour is None else 0, fast
        first = {"speed": fast, "cost": dear, "memory": cards * line.memory}[order]
        return first, fast, cards, line.memory

    return key


_NO_PRICE = float("inf")


def _nearness(left: Left) -> tuple[int, float]:
    """What holds too few requests or is too slow comes first, then what lacks memory, then what cannot run at all."""
    order = {"requests": 0, "tpot": 0, "ttft": 0, "kv": 1, "weights": 2, "heads": 3, "link": 4, "unit": 5}
    return order[left.reason], left.need / left.have if left.have > 0 else float("inf")
