"""What a drawing must not tell: the parts that a state hides, with everything that could be worked out to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tutor.figures.state import State, names

UNKNOWN = "?"
"""Stands for a hidden amount, and fills the cells that would show it."""

Follows = Mapping[str, Iterable[str]]
"""Of each part that can be hidden, the parts that are hidden with it."""


def unsaid(state: State, follows: Follows) -> frozenset[str]:
    """The hidden parts and, step by step, all that follow from them."""
    found: set[str] = set()
    waiting = [*names(state, "hide")]
    while waiting:
        part = waiting.pop()
        if part not in found:
            found.add(part)
            waiting += follows.get(part, ())
    return frozenset(found)
