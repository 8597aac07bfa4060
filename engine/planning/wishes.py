"""Where no option serves a load: which wishes to lower, and to what, for the nearest options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from engine.planning.options import Option

Wish = Literal["requests", "tpot", "ttft"]
WISHES: tuple[Wish, ...] = ("requests", "tpot", "ttft")


class Unmet(NamedTuple):
    """A wish that an option does not meet: requests asked for and held, seconds taken and asked for."""

    wish: Wish
    need: float
    have: float


class Relaxed(NamedTuple):
    """An option that would serve the load with less of what is wished: the nearest one for these wishes.

    ``wishes``: requests at once, and seconds, that it does give.
    """

    option: Option
    wishes: Mapping[Wish, float]


def nearest(unmet: Mapping[int, Sequence[Unmet]]) -> list[int]:
    """For each wish the option that misses it alone and by least; where each misses several, the one that misses the
    fewest, by least."""
    alone = [
        min((n for n, found in unmet.items() if [one.wish for one in found] == [wish]), default=None,
            key=lambda n: _far(unmet[n]))
        for wish in WISHES
    ]  # fmt: skip
    chosen = [n for n in alone if n is not None]
    return chosen if chosen or not unmet else [min(unmet, key=lambda n: (len(unmet[n]), _far(unmet[n])))]


def given(unmet: Sequence[Unmet]) -> dict[Wish, float]:
    """What an option gives of its unmet wishes: the requests that it holds, the times that it takes."""
    return {one.wish: one.have if one.wish == "requests" else one.need for one in unmet}


def _far(unmet: Sequence[Unmet]) -> float:
    """How many times too much the furthest of the wishes is."""
    return max(one.need / one.have for one in unmet)
