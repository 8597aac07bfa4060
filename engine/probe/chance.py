"""How sure a class may be: the calibrated curve, averaged over what the place against the knee may be.

Fitted on 18.8 k bf16 matrix products of one processor with two bandwidths, tested on another serving stack: accuracy
0.934 (probe.md section 2.5). Nothing supports more than 97 %.
"""

from __future__ import annotations

from itertools import pairwise
from math import exp, log
from statistics import NormalDist

from engine.roofline import KNEE

MOST = 0.97
"""What the data support at best."""
_SHIFT, _STEEP = 0.1, 3.5
_NODES = tuple(NormalDist().inv_cdf((n + 0.5) / 41) for n in range(41))
"""Standard deviations that are equally likely: the average over them is the same at every run."""

_FOLLOWED = ((0.0, 0.04), (0.5, 0.46), (0.65, 0.965), (0.8, 1.0))
"""Share of the bandwidth achieved, and the part of such steps that followed bandwidth when it grew (probe.md section
0.2): under a half 4 to 88 % by stack, taken in the middle; over 0.65 93 to 100 %; over 0.8 all."""


def memory(position: float, deviation: float) -> float:
    """How likely more bandwidth would shorten a step at ``position`` times the knee, whose logarithm is known to
    ``deviation``. Between 0.03 and 0.97."""
    middle = log(position)
    likely = sum(_logistic(middle + deviation * node) for node in _NODES) / len(_NODES)
    return min(MOST, max(1 - MOST, likely))


def _logistic(place: float) -> float:
    return 1 / (1 + exp(max(-700.0, min(700.0, _SHIFT + _STEEP * place))))


def at_knee(position: float, deviation: float) -> float:
    """How likely the true place is between half the knee and twice the knee."""
    spread = NormalDist(log(position), deviation)
    return spread.cdf(log(KNEE[1])) - spread.cdf(log(KNEE[0]))


def followed(share: float) -> float:
    """How likely a step far below the knee follows bandwidth, from the share of the bandwidth that it reached."""
    for (low, at_low), (high, at_high) in pairwise(_FOLLOWED):
        if share <= high:
            return at_low + (at_high - at_low) * max(0.0, share - low) / (high - low)
    return _FOLLOWED[-1][1]
