"""Where a learner stands, as chances: after each answer a little surer. Numbers only; no question is known here.

Levels build on each other, so a learner is described by one number, where to begin: everything below that level is
known, the rest is not. ``beyond`` the last level all of it is known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple

LEVELS = (1, 2, 3, 4, 5)
BEYOND = 6
"""Where to begin for somebody who knows all levels."""
PRIOR = (0.24, 0.20, 0.18, 0.15, 0.12, 0.11)
"""Before the first answer, for beginning with level 1, 2, ..., beyond. Newcomers are the most, so that level 2 is the
first to be asked about."""
SLIP = 0.12
"""How often one who knows a level still misses a question of it: typed in a hurry, miscounted."""
SHY = 0.05
"""How often one who knows a level says "I don't know"."""
OPEN = 0.9
"""How often one who does not know it says so, where saying so is free; the others try."""
CLEAR = 0.9
"""So sure of one level, nothing more need be asked."""

Outcome = Literal["right", "wrong", "unknown"]


class Said(NamedTuple):
    """One answer.

    Attributes:
        level: of the question, 1 to 5.
        outcome: right, wrong, or "I don't know".
        guess: chance of being right without knowing.
    """

    level: int
    outcome: Outcome
    guess: float


def chances(said: Iterable[Said]) -> tuple[float, ...]:
    """How likely it is, after these answers, that level 1, 2, ..., beyond is where to begin; they add up to 1."""
    weights = list(PRIOR)
    for one in said:
        weights = [weight * _likely(one, one.level < begin) for begin, weight in enumerate(weights, start=1)]
        total = sum(weights)
        weights = [weight / total for weight in weights]
    return tuple(weights)


def _likely(said: Said, known: bool) -> float:
    """How likely the answer is of somebody who knows its level, or does not."""
    if said.outcome == "unknown":
        return SHY if known else OPEN
    right = 1 - SLIP if known else said.guess
    return right if said.outcome == "right" else 1 - right


def begin(chances: tuple[float, ...]) -> int:
    """The likeliest level to begin with, the lower of two that are as likely: 1 to 5, or ``BEYOND``."""
    return chances.index(max(chances)) + 1


def clear(chances: tuple[float, ...]) -> bool:
    """Whether it is clear where to begin."""
    return max(chances) >= CLEAR


def next_level(chances: tuple[float, ...], levels: Collection[int]) -> int | None:
    """The level to ask about: of ``levels`` the one that is known as likely as not; ``None`` where there is none.

    A right answer makes every level likelier to be known, so the next question is never easier; a wrong one is its
    mirror.
    """
    return min(levels, key=lambda level: (abs(sum(chances[level:]) - 0.5), level), default=None)
