"""The glide of the two buckets: between two states the bar moves, while every number already says where it goes."""

from __future__ import annotations

from fractions import Fraction

from tutor.figures.budget import Budget, budget
from tutor.figures.state import State, names, put

BAR = "bar"
"""State key of a frame in motion: weights, used and reserved bytes as drawn. Never part of a figure at rest."""


def tween(before: State, after: State, share: Fraction) -> State:
    """``after``, with its bar drawn ``share`` (0 to 1) of the way from ``before``.

    Beside an exercise the bar does not move: from where it came and where it goes could be read what is hidden.
    """
    if names(after, "hide"):
        return after
    old, new = budget(before), budget(after)
    parts = ((old.weights, new.weights), (old.used, new.used), (old.reserved, new.reserved))
    return put(after, **{BAR: tuple(start + (end - start) * share for start, end in parts)})


def drawn(state: State, money: Budget) -> Budget:
    """What the bar shows: the budget itself, or the frame that a state in motion carries."""
    frame = state.get(BAR)
    if not isinstance(frame, tuple):
        return money
    weights, used, reserved = frame
    return Budget(weights, used, reserved, money.capacity - weights - used - reserved, money.capacity)
