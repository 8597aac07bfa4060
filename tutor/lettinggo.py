"""Widgets that are gone are let go of: what they had painted must not stay in memory behind them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

PAIRS = 1024
"""Pairs of backgrounds whose styles are remembered, as many as Textual itself remembers."""


def of_widgets() -> None:
    """Let Textual remember two colours by the colours alone, once in a process.

    It remembers them by the painted lines of the widget too, so that the lines of the last thousand widgets, far more
    than are ever on the screen, outlive them: tens of megabytes in a long evening. A Textual that does not do so any
    more is left as it is.
    """
    from textual import _styles_cache

    kept: Any = _styles_cache.StylesCache.__dict__.get("get_inner_outer")
    made: Callable[..., object] | None = getattr(kept, "__wrapped__", None)
    if made is None:
        return

    @lru_cache(PAIRS)
    def styles(base: object, background: object) -> object:
        return made(None, base, background)

    def get_inner_outer(_self: object, base: object, background: object) -> object:
        return styles(base, background)

    setattr(_styles_cache.StylesCache, "get_inner_outer", get_inner_outer)  # noqa: B010  typed as a method of its own
