"""The time of one step: what it asks of a card, against what the card reaches.

    step = fixed + max(weights read, matrices computed) + max(KV read, attention computed) + link + host

Matrices and attention are different kernels that run one after the other, so each has its own roofline: a step with a
large cache stays on the memory side whatever its batch (probe.md section 0.3). Every time comes three times, with the
good, the usual and the bad efficiency of the card's group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from engine.catalog import Gpu, Model
from engine.efficiency import IDEAL, Band, Efficiency
from engine.flops import Piece, step_flops
from engine.formulas.registry import Value, result
from engine.links import Crossing, Link, ideal, seconds_at
from engine.precision import Unit

Part = Literal["overhead", "weights", "kv", "compute", "link", "host"]
PARTS: tuple[Part, ...] = ("overhead", "weights", "kv", "compute", "link", "host")
Regime = Literal["memory", "knee", "compute"]
End = Literal["fast", "usual", "slow"]

_ZERO = Fraction(0)


class Demand(NamedTuple):
    """What one step asks of one card.

    Attributes:
        layers: that it runs one after another; with a pipeline those of all stages, since a token passes them all.
        weight_bytes: read once, group metadata in; of a mixture only the experts that the step touches.
        kv_bytes: cache read and written.
        linear_flops, attention_flops: computed by this card.
        link: what it sends to other cards.
        host_bytes: weights (or cache) that come from host memory in every step.
    """

    layers: int
    weight_bytes: Fraction
    kv_bytes: Fraction
    linear_flops: Fraction
    attention_flops: Fraction
    link: Crossing = Crossing(_ZERO, 0)
    host_bytes: Fraction = _ZERO

    @property
    def flops(self) -> Fraction:
        """All FLOPs."""
        return self.linear_flops + self.attention_flops

    @property
    def bytes_moved(self) -> Fraction:
        """All bytes between the card's memory and its processor."""
        return self.weight_bytes + self.kv_bytes

    @property
    def intensity(self) -> Fraction:
        """FLOPs a byte of the whole step (formula ``arithmetic_intensity``). ``FormulaError`` where nothing moves."""
        return result("arithmetic_intensity", {"flops": self.flops, "bytes_moved": self.bytes_moved})


class Ceilings(NamedTuple):
    """A card's data sheet, as a step meets it; ``None`` where it is not known.

    Attributes:
        bandwidth: of memory, bytes a second.
        peak: dense rate of what the matrices are multiplied in.
        peak16: dense 16-bit rate, for attention.
        link, host: to the other cards, and to host memory.
    """

    bandwidth: int | Fraction
    peak: int | Fraction | None
    peak16: int | Fraction | None
    link: Link | None = None
    host: Link | None = None


class Times(NamedTuple):
    """Seconds of the parts of a step; ``compute`` and ``attention`` are ``None`` where the card's rate is not known."""

    overhead: Fraction
    weights: Fraction
    matrices: Fraction | None
    kv: Fraction
    attention: Fraction | None
    link: Fraction
    host: Fraction

    @property
    def total(self) -> Fraction:
        """The step's time: parts that overlap count with the longer one."""
        linear = max(self.weights, self.matrices) if self.matrices is not None else self.weights
        cache = max(self.kv, self.attention) if self.attention is not None else self.kv
        inside = self.overhead + linear + cache
        return inside + self.link + self.host if self.link or self.host else inside


@dataclass(frozen=True)
class Step:
    """A step's time with good, usual and bad efficiency.

    ``ideal`` is the plain roofline: the full data sheet and nothing fixed. ``reached`` are the efficiencies behind the
    others, each with its source.
    """

    fast: Times
    usual: Times
    slow: Times
    ideal: Times
    reached: Efficiency

    @cached_property
    def time(self) -> Band:
        """Seconds: low, usual, high."""
        return Band(self.fast.total, self.seconds, self.slow.total, "fit", "engine.efficiency")

    @cached_property
    def seconds(self) -> Fraction:
        """Seconds at the usual efficiency."""
        return self.usual.total

    def parts(self) -> dict[Part, Fraction]:
        """Seconds of the usual step by what bounds them; they add up to its time."""
        found: dict[Part, Fraction] = dict.fromkeys(PARTS, _ZERO)
        usual = self.usual
        found["overhead"], found["link"], found["host"] = usual.overhead, usual.link, usual.host
        for memory, math, name in ((usual.weights, usual.matrices, "weights"), (usual.kv, usual.attention, "kv")):
            part: Part = "compute" if math is not None and math > memory else "weights" if name == "weights" else "kv"
            found[part] += max(memory, math or _ZERO)
        return found

    def shares(self) -> dict[Part, Fraction]:
        """The parts as shares of the step; all zero for a step that takes no time."""
        return dict(self._shares)

    @cached_property
    def _shares(self) -> dict[Part, Fraction]:
        total = self.seconds
        return {part: time / total if total and time else _ZERO for part, time in self.parts().items()}

    @property
    def bound(self) -> Part:
        """The part that takes most of the step."""
        parts = self.parts()
        return max(parts, key=lambda part: parts[part])

    @property
    def ratio(self) -> Fraction | None:
        """Compute time over memory time: as measured where a probe said both, else on the data sheet. ``None`` where
        the rate is not known or nothing moves."""
        measured = self.reached.weights.basis == self.reached.math.basis == "measured"
        times = self.usual if measured else self.ideal
        memory = times.weights + times.kv
        if times.matrices is None or times.attention is None or not memory:
            return None
        return (times.matrices + times.attention) / memory

    @property
    def regime(self) -> Regime | None:
        """On which side of the knee the step is (:func:`regime`); ``None`` where :attr:`ratio` is."""
        return None if self.ratio is None else regime(self.ratio)


def demand(
    model: Model,
    pieces: Sequence[Piece],
    weight_bytes: Value,
    kv_bytes: Value,
    *,
    cards: int = 1,
    link: Crossing = Crossing(_ZERO, 0),  # noqa: B008  a tuple
    host_bytes: Value = 0,
) -> Demand:
    """What a step of a model asks of each of ``cards`` that share it by tensor parallelism.

    Args:
        model: of the catalogue or a config.
        pieces: the sequences of the step.
        weight_bytes: that one card reads in it (``weights.by_class(...).active_bytes(tokens)``).
        kv_bytes: that one card moves in it (:func:`engine.flops.kv_traffic`; heads are shared, a latent is not).
        cards: that share the FLOPs.
        link, host_bytes: what crosses links.

    Raises:
        NoValues: as :func:`engine.flops.step_flops`.
    """
    linear, attention = _flops_of_card(model, tuple(pieces), cards)
    return Demand(
        model.layers, _exact(weight_bytes), _exact(kv_bytes), linear, attention, link, _exact(host_bytes)
    )  # fmt: skip


@lru_cache(maxsize=1024)  # steps that are compared mostly compute the same, on another card or in another format
def _flops_of_card(model: Model, pieces: tuple[Piece, ...], cards: int) -> tuple[Fraction, Fraction]:
    """FLOPs of the matrices and of attention."""
    flops = step_flops(model, pieces)
    return (flops.linear, flops.attention) if cards == 1 else (flops.linear / cards, flops.attention / cards)


def _exact(value: Value) -> Fraction:
    return value if isinstance(value, Fraction) else Fraction(value)


def peak(gpu: Gpu, unit: Unit = "16-bit") -> int | None:
    """A card's dense rate in a unit; ``None`` where it has no such unit or the catalogue does not know it."""
    rates = {"16-bit": gpu.peak_flops, "fp8": gpu.flops8, "int8": gpu.ops8, "fp4": gpu.flops4, "32-bit": None}
    return rates[unit]


def ceilings(gpu: Gpu, unit: Unit = "16-bit", link: Link | None = None, host: Link | None = None) -> Ceilings:
    """The ceilings of a card of the catalogue."""
    return Ceilings(gpu.bandwidth, peak(gpu, unit), gpu.peak_flops, link, host)


def step(asked: Demand, card: Ceilings, reached: Efficiency) -> Step:
    """The time of a step.

    Raises:
        ValueError: bytes cross a link or come from the host, and the card has no such link.
    """
    return Step(
        times(asked, card, reached, "fast"),
        times(asked, card, reached),
        times(asked, card, reached, "slow"),
        times(asked, card._replace(link=ideal(card.link), host=ideal(card.host)), IDEAL),
        reached,
    )


def share(of: Band, end: End) -> Fraction:
    """What is reached at one end: the most of it in the fastest step."""
    return of.mid if end == "usual" else of.high if end == "fast" else of.low


def slowness(of: Band, end: End) -> Fraction:
    """What is waited at one end: the least of it in the fastest step."""
    return of.mid if end == "usual" else of.low if end == "fast" else of.high


def times(asked: Demand, card: Ceilings, reached: Efficiency, end: End = "usual") -> Times:
    """The parts of a step at one end of every band; the usual one alone is enough to compare two setups.

    Raises ``ValueError`` as :func:`step`.
    """

    def moved(size: Fraction, of: Band) -> Fraction:
        return memory_seconds(size, card.bandwidth, share(of, end))

    def computed(flops: Fraction, rate: int | Fraction | None, of: Band) -> Fraction | None:
        return None if rate is None else compute_seconds(flops, rate, share(of, end))

    def crossed(link: Link | None, crossing: Crossing) -> Fraction:
        if not crossing.bytes_sent and not crossing.hops:
            return _ZERO
        if link is None:
            raise ValueError("no link for the bytes to cross")
        return seconds_at(link, crossing.bytes_sent, crossing.hops, share(link.share, end), slowness(link.hop, end))

    return Times(
        result("fixed_time", {"L": asked.layers, "layer_time": slowness(reached.layer_time, end)}),
        moved(asked.weight_bytes, reached.weights),
        computed(asked.linear_flops, card.peak, reached.math),
        moved(asked.kv_bytes, reached.kv),
        computed(asked.attention_flops, card.peak16, reached.attention),
        crossed(card.link, asked.link),
        crossed(card.host, Crossing(asked.host_bytes, 0)),
    )


def memory_seconds(size: Value, bandwidth: Value, share: Value = 1) -> Fraction:
    """Seconds to move ``size`` bytes at a share of a bandwidth (formula ``memory_time``)."""
    if not size:
        return _ZERO
    return result("memory_time", {"bytes_moved": size, "bandwidth": bandwidth, "memory_efficiency": share})


def compute_seconds(flops: Value, rate: Value, share: Value = 1) -> Fraction:
    """Seconds to compute ``flops`` at a share of a peak rate (formula ``math_time``)."""
    return result("math_time", {"flops": flops, "peak_flops": rate, "compute_efficiency": share})


# --- the roof --------------------------------------------------------------------------------------------------------


def ridge(rate: Value, bandwidth: Value) -> Fraction:
    """FLOPs a byte above which a card computes longer than it reads (formula ``ridge``)."""
    return result("ridge", {"peak_flops": rate, "bandwidth": bandwidth})


def knee(rate: Value, bandwidth: Value, p_w: Value) -> Fraction:
    """Tokens in a step at which reading and computing a matrix take equally long (formula ``knee_batch``).

    ``p_w``: bytes per weight in memory; ``rate``: of what is multiplied. Weights alone in 4 bits keep the 16-bit rate,
    so that their knee lies at a quarter. Measured stacks have it at 0.95 to 1.25 times this (probe.md section 0.6).
    """
    return result("knee_batch", {"peak_flops": rate, "bandwidth": bandwidth, "p_w": p_w})


KNEE = (Fraction(1, 2), Fraction(2))
"""Between these ratios of compute to memory time only a coin could tell the classes (probe.md section 0.1)."""


def regime(ratio: Value) -> Regime:
    """The side of the knee from compute time over memory time: under a half, over two, or between.

    On H100 against H200 (one processor, two bandwidths) 96.9 % of the steps under a half followed the bandwidth, 99.3 %
    of those over two the processor, and of those between 68 %.
    """
    exact = Fraction(ratio)
    return "memory" if exact < KNEE[0] else "compute" if exact > KNEE[1] else "knee"
