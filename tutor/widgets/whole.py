"""A change of many widgets that the terminal sees at once: no frame of half a page, and one layout instead of three."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.screen import Screen


@asynccontextmanager
async def whole(screen: Screen[Any]) -> AsyncIterator[None]:
    """Nothing is painted while this is open; then all of it is, in one frame."""
    with screen.app.batch_update():
        yield
    paint(screen)


def paint(screen: Screen[Any]) -> None:
    """Lay out and paint before anything else has its turn.

    Left to themselves the widgets would first tell the screen, one after the other, that they are other than before:
    that takes as long as the layout.
    """
    screen._layout_required = True  # what they would tell
    screen._on_timer_update()  # Textual's next frame, now
