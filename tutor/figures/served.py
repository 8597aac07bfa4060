"""A model served on one card, as the roofline figure's state has it: its steps, its roof, and what fits.

Every number is the engine's: bytes and FLOPs of a step, its usual time, the ridge, the memory.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from tutor.figures.roof import Point, Reach, point, reach_of, ridge_of
from tutor.figures.state import State, hidden, number, whole, word

if TYPE_CHECKING:
    from engine.catalog import Gpu, Model
    from engine.flops import Piece
    from engine.steps import Setup

MOST_BATCH = 2**16
"""Batches over this are not looked at: no card has room for them."""


@dataclass(frozen=True, slots=True)
class Stand:
    """A step under the roof.

    Attributes:
        point: its letter and place.
        phase: "decode" or "prefill".
        form: weight format, as people write it.
        seconds: usual time.
        flops, bytes_moved: that it asks for.
    """

    point: Point
    phase: str
    form: str
    seconds: Fraction
    flops: Fraction
    bytes_moved: Fraction


@dataclass(frozen=True, slots=True)
class Look:
    """What a state shows.

    Attributes:
        model, card, form: names as people write them.
        stands: decode and prefill, then the variants.
        bandwidth, peak, ridge: of the card and the chosen format.
        unit: what that format is multiplied in ("16-bit", "int8" ...).
        second: rate of a faster unit that a variant uses; ``None`` without.
        second_unit: its name.
        reach: shares of the roof that are usual.
        weights: bytes that the weights take.
        capacity: bytes of the card.
        each: bytes of the cache of one request.
        fits: requests whose cache has room beside them; ``None`` where a request keeps nothing, 0 where even the
            weights are too much.
        ridge_batch: the smallest batch whose decode step is right of the ridge; ``None`` where none is.
        limit: FLOPs a byte of decode with more requests than any card holds.
        idle: what the decode step spends most of its time on ("kv", "compute", "overhead") where the variant with
            lighter weights is no faster; "" where it is, or is not there.
        idle_share: the share of the step that this is.
    """

    model: str
    card: str
    form: str
    stands: tuple[Stand, ...]
    bandwidth: Fraction
    peak: Fraction
    ridge: Fraction
    unit: str
    second: Fraction | None
    second_unit: str
    reach: Reach
    weights: Fraction
    capacity: Fraction
    each: Fraction
    fits: int | None
    ridge_batch: int | None
    limit: Fraction
    idle: str
    idle_share: Fraction

    @property
    def decode(self) -> Stand:
        """The decode step of the chosen format."""
        return self.stands[0]

    @property
    def prefill(self) -> Stand:
        """The prefill step of the chosen format."""
        return self.stands[1]


def model_of(state: State) -> Model:
    """The model of a name, or a stand-in of a size. Raises ``LookupError`` and ``engine.catalog.NoValues``."""
    if word(state, "model"):
        from engine.catalog import model

        return model(word(state, "model"))
    from engine.diagnosis.reading import named
    from tutor.figures.numbers import billions

    found = named.sized(whole(state, "N"), billions(whole(state, "N"))).model
    assert found is not None
    return found


def setup_of(state: State) -> Setup:
    """Model, format and card as the engine takes them. Raises as :func:`model_of`."""
    from engine import precision
    from engine.catalog import gpu
    from engine.steps import Setup

    return Setup(model_of(state), gpu(word(state, "gpu")), precision.find(word(state, "weights")), number(state, "p"))


def look(state: State) -> Look:
    """Everything that the figure shows of a state, computed once for it. Raises as :func:`engine.steps.demand`."""
    sizes = whole(state, "B"), whole(state, "S"), whole(state, "P")
    return _look(setup_of(state), *sizes, not hidden(state, "variants"))


def asked(state: State) -> tuple[int, int]:
    """Prompt and answer of requests that hold, with half of the answer written, the tokens that a decode step reads.

    Where these are no more than the prompt, nothing but the reader's own number is asked about, with one token to make.
    """
    prompt, context = whole(state, "P"), whole(state, "S")
    return min(prompt, context), max(1, 2 * (context - prompt))


def bare(seen: Look) -> Look:
    """The same without variants, for where there is no room to name them."""
    return replace(seen, stands=seen.stands[:2], second=None, idle="")


@lru_cache(maxsize=128)
def _look(setup: Setup, batch: int, context: int, prompt: int, variants: bool) -> Look:
    from engine import flops, memory, roofline

    pieces = flops.decode(batch, context), flops.prefill(prompt)
    stands = [_stand("D", "decode", setup, pieces[0]), _stand("P", "prefill", setup, pieces[1])]
    second: Setup | None = None
    for letter, phase, name in (("d", "decode", "w4a16"), ("p", "prefill", eight_bit(setup.gpu))):
        if variants and name and name != setup.form.name:
            other = with_form(setup, name)
            stands.append(_stand(letter, phase, other, pieces[phase == "prefill"]))
            second = other if _rate(other) > _rate(setup) else second
    light = next((one for one in stands if one.point.letter == "d"), None)
    idle = _idle(setup, pieces[0]) if light is not None and light.seconds > _NO_FASTER * stands[0].seconds else ("", 0)
    peak, bandwidth = _rate(setup), Fraction(setup.gpu.bandwidth)
    reaching, limit = _towards(setup, context)
    return Look(
        setup.model.id.rpartition("/")[2], setup.gpu.name, setup.form.name.upper(), tuple(stands),
        bandwidth, peak, roofline.ridge(peak, bandwidth), setup.unit,
        _rate(second) if second else None, second.unit if second else "", reach_of(setup),
        _weights(setup), Fraction(setup.gpu.capacity), memory.kv_bytes(setup.model, context, setup.p, 1),
        fits(setup, context), reaching, limit, idle[0], Fraction(idle[1]),
    )  # fmt: skip


_NO_FASTER = Fraction(97, 100)
"""A step that takes more than this share of another is no faster: the times of a table hardly differ."""


def _idle(setup: Setup, piece: Piece) -> tuple[str, Fraction]:
    """What a step spends most of its time on besides the reading of weights, and the share of it."""
    from engine import steps

    shares = steps.step(setup, (piece,)).shares()
    return max(((part, shares[part]) for part in ("kv", "compute", "overhead")), key=lambda one: one[1])


def _stand(letter: str, phase: str, setup: Setup, piece: Piece) -> Stand:
    from engine import steps

    step, asked = steps.step(setup, (piece,)), steps.demand(setup, (piece,))
    found = point(letter, setup, (piece,), step.seconds)
    return Stand(found, phase, setup.form.name.upper(), step.seconds, asked.flops, asked.bytes_moved)


def with_form(setup: Setup, name: str) -> Setup:
    """The same with the weights in another format."""
    from engine import precision

    return setup._replace(form=precision.find(name))


def eight_bit(gpu: Gpu) -> str:
    """The 8-bit format that a card multiplies faster than 16 bits: FP8 where it has that, else INT8; "" without."""
    return next((name for name in ("fp8", "w8a8") if faster(name, gpu)), "")


def faster(name: str, gpu: Gpu) -> bool:
    """Whether a card has a unit of a format's own that is faster than its 16-bit one."""
    from engine import precision

    found = precision.matmul(precision.find(name), gpu)
    return found.native and found.unit != "16-bit" and (found.gains or 0) > 1


def _rate(setup: Setup) -> Fraction:
    """The flat part of the roof: attention stays in 16 bits, so that a slower unit is not the ceiling of a step."""
    from engine import steps

    card = steps.ceilings(setup)
    return Fraction(max(card.peak or 0, card.peak16 or 0))


def _weights(setup: Setup) -> Fraction:
    from engine import weights

    return Fraction(weights.by_class(setup.model, setup.form).bytes)


def fits(setup: Setup, context: int) -> int | None:
    """Requests of so many tokens that have room beside the weights, with nothing set aside for anything else."""
    from engine import memory

    each = memory.kv_bytes(setup.model, context, setup.p, 1)
    left = setup.gpu.capacity - _weights(setup)
    if left <= 0:
        return 0
    return int(left // each) if each else None


@lru_cache(maxsize=256)
def _towards(setup: Setup, context: int) -> tuple[int | None, Fraction]:
    """The smallest batch whose decode step is right of the ridge, and what batches without end come near to."""
    from engine import flops, steps

    ridge = ridge_of(_rate(setup), Fraction(setup.gpu.bandwidth))

    def asked(batch: int) -> Fraction:
        return steps.demand(setup, (flops.decode(batch, context),)).intensity

    limit = asked(MOST_BATCH)
    if limit < ridge:
        return None, limit
    low, high = 0, MOST_BATCH
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if asked(middle) >= ridge else (middle, high)
    return high, limit
