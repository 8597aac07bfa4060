"""The linear sweep: seconds of the stack's matrices by batch, and the batch at which computing takes over from reading.

The knee comes from two points: the flat part over the time that a token of a long prompt takes. A fit of the whole
curve is the second opinion. Source: probe.md sections 2.4 and 2.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from statistics import median
from typing import NamedTuple

from engine.probe.readings import Linear, Prompt, Run

FLAT = (2, 16)
"""Batches of the flat part; 1 is left out, since it runs another kernel."""
LONG = 512
"""Tokens from which a prompt is long enough for the time of one token; a processor takes its longest ones."""
APART = 0.25
"""Over this the two knees disagree, and the reader is told."""
_NOT_ONE_KNEE = 2.0
"""Further apart than this factor there is no place to print."""
_MODEL_FORM = 0.10
"""Standard deviation of ln b* because the curve is no law (probe.md section 2.5)."""
_IQR = 1.349
"""Interquartile ranges in a standard deviation of a normal spread."""
_POWERS = tuple(0.7 * 1.05**n for n in range(45))
"""0.7 to 6: processors came out at 1.0, cards at 1.5 to 2.8."""
_POOR_FIT = 0.2

Point = tuple[float, float]
"""Tokens, and seconds of the stack's matrices."""


class Fit(NamedTuple):
    """T(b) = (memory^p + (a_token*b)^p)^(1/p): seconds of both, the power, and the root mean square of the relative
    residuals."""

    memory: float
    a_token: float
    power: float
    residual: float

    @property
    def knee(self) -> float:
        """Tokens at which both are equal."""
        return self.memory / self.a_token

    def seconds(self, batch: float) -> float:
        """The law's time for a batch."""
        p = self.power
        return self.memory * float((1 + (batch / self.knee) ** p) ** (1 / p))


class Place(NamedTuple):
    """The knee as the curve alone tells it: from two points, from a fit, the standard deviation of its logarithm."""

    batch: float
    fit: Fit | None
    deviation: float

    @property
    def apart(self) -> float | None:
        """How far the fit is from the two points, as a share of these."""
        return None if self.fit is None else abs(self.fit.knee / self.batch - 1)


def flat(linear: Sequence[Linear]) -> tuple[Linear, ...]:
    """The points of the flat part."""
    return tuple(one for one in linear if FLAT[0] <= one.batch <= FLAT[1])


def flat_seconds(linear: Sequence[Linear]) -> float | None:
    """Seconds of the flat part; ``None`` where no batch of it ran."""
    points = flat(linear)
    return median(one.time.seconds for one in points) if points else None


def long_prompts(run: Run) -> tuple[Prompt, ...]:
    """The prompts that tell a token's time: of 512 tokens and over, on a processor the two longest."""
    ran = sorted((one for one in run.prompts if one.stage != "case"), key=lambda one: one.tokens)
    return tuple(ran[-2:]) if run.demonstration else tuple(one for one in ran if one.tokens >= LONG)


def token_seconds(run: Run) -> float | None:
    """Least seconds a token of long prompts; where none ran, of the sweep's batches that are as long."""
    prompts = [one.time.seconds / one.tokens for one in long_prompts(run)]
    batches = [one.time.seconds / one.batch for one in run.linear if one.batch >= LONG]
    return min(prompts or batches, default=None)


def place(run: Run) -> tuple[Place | None, str]:
    """Where the knee lies, or ``None`` and why there is none: few-points, no-flat, disagree."""
    seconds, each = flat_seconds(run.linear), token_seconds(run)
    if seconds is None or each is None or len(flat(run.linear)) < 2:
        return None, "few-points"
    if not _is_flat(run):
        return None, "no-flat"
    batch = seconds / each
    found = fit(points(run), batch)
    apart = 0.0 if found is None else abs(log(found.knee / batch))
    if apart > log(_NOT_ONE_KNEE):
        return None, "disagree"
    return Place(batch, found, deviation(run, apart)), ""


def deviation(run: Run, apart: float) -> float:
    """Standard deviation of ln b*: the noise of both points, half of what fit and points are ``apart`` (difference of
    logarithms), and what no law describes."""
    flat_noise = median([one.time.noise for one in flat(run.linear)] or [0.0]) / _IQR
    long_noise = min((one.time.noise for one in long_prompts(run)), default=0.0) / _IQR
    return sqrt(flat_noise**2 + long_noise**2 + apart**2 / 4 + _MODEL_FORM**2)


def _is_flat(run: Run) -> bool:
    """Whether the curve starts flat and ends steep: else it has no turn that was seen.

    Time that doubles from 2 to 8 is past its knee; a long prompt that costs no more than a short one waits for
    launches.
    """
    begin = [one for one in run.linear if FLAT[0] <= one.batch <= 8]
    rising = len(begin) > 1 and _slope(_of(begin[0]), _of(begin[-1])) > 0.5
    end = prefill_slope(run)
    return not rising and (end is None or end > 0.5)


def points(run: Run) -> tuple[Point, ...]:
    """Every point of the curve from batch 2: the sweep's, and prompts with the share of their matrices alone."""
    sweep = [_of(one) for one in run.linear if one.batch >= FLAT[0]]
    prompts = [
        (float(one.tokens), one.time.seconds * one.linear_flops / (one.linear_flops + one.attention_flops))
        for one in long_prompts(run)
    ]
    return tuple(sorted((*sweep, *prompts)))


def _of(one: Linear) -> Point:
    return float(one.batch), one.time.seconds


def fit(curve: Sequence[Point], knee: float) -> Fit | None:
    """The law that describes a curve best, or ``None``: without two points beyond twice the knee it would say anything,
    and a poor fit says nothing.

    For a given power it is linear in memory^p and a_token^p; the power is the one with the least relative residuals.
    """
    beyond = sum(tokens > 2 * knee for tokens, _ in curve)
    if len(curve) < 5 or beyond < 2 or curve[0][0] > knee:
        return None
    tried = [made for power in _POWERS if (made := _at_power(curve, power)) is not None]
    best = min(tried, key=lambda one: one.residual, default=None)
    return best if best is not None and best.residual < _POOR_FIT else None


def _at_power(curve: Sequence[Point], power: float) -> Fit | None:
    scale, unit = curve[len(curve) // 2]  # powers of microseconds would leave the range of floats
    left, right = [], []
    for tokens, seconds in curve:
        value = (seconds / unit) ** power
        left.append(1 / value)
        right.append((tokens / scale) ** power / value)
    solved = least_squares(left, right)
    if solved is None or min(solved) <= 0:
        return None
    memory, each = (unit * part ** (1 / power) for part in solved)
    made = Fit(memory, each / scale, power, 0.0)
    squares = [(made.seconds(tokens) / seconds - 1) ** 2 for tokens, seconds in curve]
    return made._replace(residual=sqrt(sum(squares) / len(squares)))


def least_squares(left: Sequence[float], right: Sequence[float]) -> tuple[float, float] | None:
    """The two factors with which ``left`` and ``right`` add up to 1 as nearly as possible at every point; ``None``
    where they are the same direction."""
    aa, ab, bb = (
        sum(x * y for x, y in zip(p, q, strict=True)) for p, q in ((left, left), (left, right), (right, right))
    )
    a, b = sum(left), sum(right)
    determinant = aa * bb - ab * ab
    if determinant <= 1e-12 * aa * bb:
        return None
    return (a * bb - b * ab) / determinant, (b * aa - a * ab) / determinant


# --- slope -----------------------------------------------------------------------------------------------------------


def _slope(first: Point, last: Point) -> float:
    """Of log time against log tokens."""
    return log(last[1] / first[1]) / log(last[0] / first[0])


def prefill_slope(run: Run) -> float | None:
    """Of the two longest prompts; near 1 when compute-bound. ``None`` with fewer."""
    ran = sorted(
        {one.tokens: (float(one.tokens), one.time.seconds) for one in run.prompts if one.stage != "case"}.values()
    )
    return _slope(ran[-2], ran[-1]) if len(ran) > 1 else None


def interval(batch: float, spread: float) -> tuple[float, float]:
    """One standard deviation below and above."""
    return batch * exp(-spread), batch * exp(spread)
