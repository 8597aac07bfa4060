"""Figures by name. A figure's module is imported when it is asked for, never before."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cache
from importlib import import_module

from tutor.figures.base import Figure

_MODULES: Mapping[str, str] = {
    "two-buckets": "two_buckets",
    "token-train": "token_train",
    "vector-column": "vector_column",
    "memory-pipe": "memory_pipe",
    "cache-steps": "cache_steps",
    "heads": "heads",
    "kv-factors": "kv_factors",
    "phases": "phases",
    "roofline": "roofline",
    "ruler": "ruler",
    "tracks": "tracks",
    "map": "course_map",
    "block-grid": "block_grid",
    "batching-timeline": "batching_timeline",
    "decode-curve": "decode_curve",
}


class UnknownFigure(LookupError):
    """No figure has this name; ``close`` names those that look like it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name
        self.close = tuple(difflib.get_close_matches(name, _MODULES, n=3))


BROKEN = (UnknownFigure, ValueError, LookupError, TypeError, ArithmeticError, AssertionError)
"""What a state that no figure can draw may raise; a screen shows its text without the figure then."""


def names() -> tuple[str, ...]:
    """All figure names, the two buckets first."""
    return tuple(_MODULES)


@cache
def get(name: str) -> Figure:
    """The figure of a name. Raises :class:`UnknownFigure`."""
    if name not in _MODULES:
        raise UnknownFigure(name)
    found = import_module(f"tutor.figures.{_MODULES[name]}").FIGURE
    assert isinstance(found, Figure)
    return found
