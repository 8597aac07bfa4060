"""A change of many widgets that the terminal sees at once: no frame of half a page, and one layout instead of three."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.screen import Screen

ROUNDS = 1
"""What a widget asks for in its turn (a style, a layout) it passes on to the screen at the end of the turn after."""
PATIENCE = 0.25
"""Seconds after which a widget that does not answer is painted as it is."""


@asynccontextmanager
async def whole(screen: Screen[None]) -> AsyncIterator[None]:
    """Nothing is painted while this is open; then all of it is, in one frame."""
    with screen.app.batch_update():
        yield
        for _ in range(ROUNDS):
            await _everyone(screen)


async def _everyone(screen: Screen[None]) -> None:
    """Wait until every widget has had its turn."""
    waiting = 1
    done = asyncio.Event()

    def one_less() -> None:
        nonlocal waiting
        waiting -= 1
        if not waiting:
            done.set()

    for widget in screen.walk_children():
        waiting += widget.call_later(one_less)
    one_less()
    try:
        await asyncio.wait_for(done.wait(), PATIENCE)
    except TimeoutError:
        return
