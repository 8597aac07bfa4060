"""The steps of a scenario: what they are computed with, how long they take, and what was measured beside them."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine import flops, links, roofline, serving, steps
from engine.catalog import Gpu
from engine.diagnosis.model import Scenario, Timing
from engine.flops import Piece
from engine.roofline import Step, Times
from engine.serving import Steady
from engine.steps import Setup

USUAL_SLOT = "4.0 x16"
"""A slot for a card whose link no one knows, where bytes must cross one."""


class Load(NamedTuple):
    """What the steps of one replica are computed for.

    Attributes:
        batch: sequences that decode at once.
        context: tokens that each of them holds.
        prompt: tokens of a prompt; ``None`` where not said.
        output: tokens that a request makes; ``None`` where not said.
        chunk: most prompt tokens of a step; ``None`` where a prompt is computed at once.
        drafts: tokens that are drafted for each sequence and checked in its step.
        micro: batches on their way through a pipeline at once.
    """

    batch: int
    context: int
    prompt: int | None = None
    output: int | None = None
    chunk: int | None = None
    drafts: int = 0
    micro: int = 1


# --- links -----------------------------------------------------------------------------------------------------------


def with_links(gpu: Gpu, cards: int, kind: links.Kind | None, from_host: bool) -> tuple[Gpu, links.Kind | None, bool]:
    """A card on which all that must cross a link can: itself, or one in a usual slot where the catalogue knows no link.

    Returns the card, the kind of link to ask for, and whether a slot was assumed.
    """
    crosses = cards > 1 and links.between(gpu, cards, kind) is None
    if not crosses and not (from_host and links.to_host(gpu) is None):
        return gpu, kind, False
    if crosses and links.between(gpu, cards) is not None:  # it lacks that kind, and has another
        return with_links(gpu, cards, None, from_host)
    return gpu._replace(pcie=gpu.pcie or USUAL_SLOT), "pcie" if crosses else kind, True


# --- steps -----------------------------------------------------------------------------------------------------------


def _decoding(load: Load) -> Piece:
    sequences = -(-load.batch // load.micro)
    return Piece(sequences, load.drafts + 1, max(load.context, 1) - 1, load.drafts + 1)


@lru_cache(maxsize=512)
def _known(setup: Setup) -> Setup:
    """A setup with the efficiencies of its card's group filled in, so that they are looked up once."""
    return setup._replace(reached=setup.efficiency)


@lru_cache(maxsize=2048)
def decode(setup: Setup, load: Load) -> Step:
    """A decode step of the load: each sequence checks its drafted tokens and makes one. Of a pipeline that several
    batches fill it is the step of one of them, on its way through all stages.

    Raises:
        NoValues: the model cannot be sized.
        ValueError: an impossible spread, or no link for what must cross one.
    """
    return steps.step(_known(setup), (_decoding(load),))


@lru_cache(maxsize=2048)
def decode_seconds(setup: Setup, load: Load) -> Fraction:
    """The usual time of :func:`decode` alone, for comparisons. Raises as it does."""
    return usual(setup, _decoding(load))


def host_bytes(setup: Setup, load: Load) -> Fraction:
    """Bytes that a card fetches from host memory in a decode step. Raises as :func:`decode`."""
    return steps.demand(setup, (_decoding(load),)).host_bytes


@lru_cache(maxsize=1024)
def prefill(setup: Setup, load: Load) -> Step | None:
    """The whole prompt of one request, in one step or in chunks; ``None`` without a prompt. Raises as :func:`decode`.

    Every chunk reads the weights and the prompt so far again. What a chunk reads and computes of the prompt before it
    grows evenly, so that all but the last are the one in the middle of them, so many times; exact but for windows.
    """
    if not load.prompt:
        return None
    known = _known(setup)
    found: Step | None = None
    for piece, times in chunks(load.prompt, load.chunk):
        one = steps.step(known, (piece,))
        found = _scaled(one, times) if found is None else _added(found, _scaled(one, times))
    return found


@lru_cache(maxsize=1024)
def prefill_seconds(setup: Setup, load: Load) -> Fraction | None:
    """The usual time of :func:`prefill` alone."""
    if not load.prompt:
        return None
    return sum((usual(setup, piece) * times for piece, times in chunks(load.prompt, load.chunk)), Fraction(0))


def shared_prefill_seconds(setup: Setup, load: Load) -> Fraction | None:
    """The usual time of a prompt where as many as the token budget holds are computed in one pass: short ones read the
    weights once together. As :func:`prefill_seconds` where a prompt fills a pass, or nobody says what a pass holds."""
    together = min(load.batch, (load.chunk or 0) // load.prompt) if load.prompt else 0
    if not load.prompt or together < 2:
        return prefill_seconds(setup, load)
    return usual(setup, flops.prefill(load.prompt, together)) / together


def prompt_token_seconds(setup: Setup, load: Load) -> Fraction:
    """The usual time of one token of a prompt as long as what a sequence holds, computed in passes as large as the
    token budget, with half of the rest before it in the cache."""
    size = max(1, min(load.chunk or load.context, load.context))
    return usual(setup, flops.prefill(size, cached=(load.context - size) // 2, last=False)) / size


def chunks(prompt: int, chunk: int | None) -> tuple[tuple[Piece, int], ...]:
    """The pieces of a prompt, and how often each is computed: all but the last as the one in their middle."""
    if not chunk or chunk >= prompt:
        return ((flops.prefill(prompt), 1),)
    full = -(-prompt // chunk) - 1
    last = flops.prefill(prompt - full * chunk, cached=full * chunk)
    return ((flops.prefill(chunk, cached=(full - 1) * chunk // 2, last=False), full), (last, 1))


@lru_cache(maxsize=2048)  # of loads that are compared, many have a piece in common
def usual(setup: Setup, piece: Piece) -> Fraction:
    """The usual time of a step of one piece. Raises as :func:`decode`."""
    return steps.usual_seconds(_known(setup), (piece,))


def _scaled(step: Step, count: int) -> Step:
    """So many equal steps as one."""

    def end(of: Times) -> Times:
        return Times(
            of.overhead * count, of.weights * count, None if of.matrices is None else of.matrices * count,
            of.kv * count, None if of.attention is None else of.attention * count, of.link * count, of.host * count,
        )  # fmt: skip

    return step if count == 1 else Step(end(step.fast), end(step.usual), end(step.slow), end(step.ideal), step.reached)


def _added(one: Step, other: Step) -> Step:
    """Two steps, one after the other, as one. Where one reads longer and the other computes longer, the sum counts as
    what takes longer in all; on the data sheet both are kept as they are."""
    ends = [_joined(a, b) for a, b in ((one.fast, other.fast), (one.usual, other.usual), (one.slow, other.slow))]
    ideal = _joined(one.ideal, other.ideal, longest=False)
    return Step(ends[0], ends[1], ends[2], ideal, one.reached)


def _joined(a: Times, b: Times, longest: bool = True) -> Times:
    weights, matrices = _pair((a.weights, a.matrices), (b.weights, b.matrices), longest)
    kv, attention = _pair((a.kv, a.attention), (b.kv, b.attention), longest)
    return Times(a.overhead + b.overhead, weights, matrices, kv, attention, a.link + b.link, a.host + b.host)


_Pair = tuple[Fraction, Fraction | None]


def _pair(a: _Pair, b: _Pair, longest: bool) -> _Pair:
    """What is read and what is computed meanwhile, of two steps; their times are those of the longer of each."""
    read = a[0] + b[0]
    if a[1] is None or b[1] is None:
        return read, None
    computed = a[1] + b[1]
    if not longest:
        return read, computed
    whole = max(a[0], a[1]) + max(b[0], b[1])
    return (read, whole) if computed >= read else (whole, computed)


# --- requests --------------------------------------------------------------------------------------------------------


class Served(NamedTuple):
    """What requests get.

    Attributes:
        rate: output tokens a second of one replica, prefills among the steps.
        decode_busy: decode's share of the card's time under the load: prefills are not shared, steps are.
    """

    rate: Fraction
    decode_busy: Fraction | None


def served(load: Load, step: Fraction, prompt: Fraction | None, shared: Fraction | None = None) -> Served:
    """What requests get from steps of so many seconds. ``prompt`` is the time of a prefill, ``None`` where unknown: the
    rate is then that of decoding alone. ``shared`` is a prompt's part of the passes that it shares with others.

    Raises ``ValueError`` or ``FormulaError`` for an empty batch or steps that take no time.
    """
    if prompt is None or not load.output:
        return Served(Fraction(load.batch) / step, None)
    alone = serving.latency(prompt, step, load.output, load.batch)
    own = (prompt if shared is None else shared) / load.micro  # other prompts fill the stages
    rate = alone.output_rate if own == prompt else serving.output_rate(own, step, load.output, load.batch)
    decoding = alone.total - alone.ttft
    riding = decoding / load.batch
    whole = own + riding
    return Served(rate, riding / whole if whole else None)


def settled(rate: Fraction, setup: Setup, load: Load, prompt: Fraction, cap: int) -> Steady | None:
    """Where a replica settles under so many arrivals a second, with at most ``cap`` requests at once; ``None`` without
    an output. Raises as :func:`decode`."""
    if not load.output or rate <= 0:
        return None

    def at(batch: int) -> Fraction:
        return decode_seconds(setup, load._replace(batch=batch))

    return serving.steady(rate, prompt, at, load.output, max(1, min(cap, serving.MAX_RUNNING)))


# --- what was measured -----------------------------------------------------------------------------------------------


class Measured(NamedTuple):
    """What was measured of each step: seconds, by what, and which share of them is the step's own."""

    decode: tuple[Fraction | None, str, Fraction] = (None, "", Fraction(1))
    prefill: tuple[Fraction | None, str, Fraction] = (None, "", Fraction(1))


_HALF = Fraction(1, 2)
_ALL = Fraction(1)


def measured(
    s: Scenario,
    load: Load,
    replicas: int,
    asked: int | None,
    served: Served | None,
    prefilling: Step | None = None,
    decoding: Step | None = None,
    decode_busy: Fraction | None = None,
) -> Measured:
    """The seconds of a decode step and of a prefill that measurements tell.

    Tokens a second of all requests tell the step where decoding takes most of the time; the prompts lie between its
    steps, as far as their length or their own rate is known. The time to the first token tells the prefill where the
    requests are counted and do not queue; several that come together are computed one after the other, so that it says
    something of a prefill only where it is no longer than one, or than all of them. The time between two tokens has the
    prompts of others in it, as far as it is longer
    than a step. ``decode_busy`` is decode's share of the card's time where only the prompts' own rate tells it.
    """
    decode: tuple[Fraction | None, str, Fraction] = (None, "", _ALL)
    busy = served.decode_busy if served else None
    busy = decode_busy if busy is None else busy
    if s.tpot:
        decode = (s.tpot, "tpot", _between(s.tpot, load, decoding, busy))
    elif s.throughput and asked is not None and (_mostly_decodes(s) if busy is None else busy >= _HALF):
        decode = (load.batch * replicas / s.throughput, "throughput", _ALL if busy is None else busy)
    prefill: tuple[Fraction | None, str, Fraction] = (None, "", _ALL)
    queued = bool(s.waiting) or (asked or 0) > load.batch or s.has("ttft-at-full-rate", "queue-grows")
    if s.ttft and asked is not None and not queued:
        high = None if prefilling is None else prefilling.time.high
        if asked == 1 or high is None or s.ttft <= high:
            prefill = (s.ttft, "ttft", _ALL)
        elif s.ttft > asked * high:
            prefill = (s.ttft, "ttft", Fraction(1, asked))
    elif s.prompt_throughput and load.prompt and not s.throughput:  # beside outputs it is a load, not a speed
        prefill = (load.prompt * replicas / s.prompt_throughput, "prompt_throughput", _ALL)
    return Measured(decode, prefill)


def _mostly_decodes(s: Scenario) -> bool:
    """Whether nothing says that prompts take the time, where their length is not known."""
    return not s.has("prompts-fill-steps")


def _between(tpot: Fraction, load: Load, step: Step | None, busy: Fraction | None) -> Fraction:
    """The step's own share of the time between two tokens: all of it inside the band; beyond it, what the prompts that
    are computed in between leave of it (``tpot_beside_prefills``), no less than a usual step."""
    if step is None or busy is None or load.batch < 2 or tpot <= step.time.high:
        return _ALL
    return max(busy, step.seconds / tpot)


def beside(
    step: Step | None, batch: int, tokens: int, measured: Fraction | None, by: str, shared: Fraction
) -> Timing | None:
    """A step beside what was measured."""
    if step is None:
        return None
    return Timing(step, batch, tokens, measured, by if measured is not None else "", shared)


def knee(setup: Setup) -> Fraction | None:
    """Tokens in a step at which reading and computing the matrices take equally long, on the data sheet or, where a
    probe measured both, on what the card reaches; ``None`` without a known rate."""
    rate, bandwidth = roofline.peak(setup.gpu, setup.unit), setup.gpu.bandwidth
    if rate is None or not bandwidth:
        return None
    p_w, reached = setup.form.linear_bits / 8, setup.efficiency
    if reached.weights.basis == reached.math.basis == "measured":
        return roofline.knee(rate * reached.math.mid, bandwidth * reached.weights.mid, p_w)
    return roofline.knee(rate, bandwidth, p_w)
