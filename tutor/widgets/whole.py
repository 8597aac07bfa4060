"""A change of many widgets that the terminal sees at once: no frame of half a page, and one layout instead of three."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from textual.widget import Widget

if TYPE_CHECKING:
    from textual.screen import Screen


@asynccontextmanager
async def whole(screen: Screen[Any]) -> AsyncIterator[None]:
    """Nothing is painted while this is open; then all of it is, in one frame."""
    with screen.app.batch_update():
        yield
    paint(screen)


def paint(screen: Screen[Any]) -> None:
    """Lay out and paint, before anything else has its turn."""
    screen._layout_required = True
    at_once(screen)


def at_once(screen: Screen[Any]) -> None:
    """Paint what is other than before, before anything else has its turn; where it asks for that, with a layout.

    Left to themselves the widgets would first tell the screen, one after the other, that they are other than before:
    that takes as long as a layout. A screen out of sight, or in the middle of a change, is painted in its own time.
    """
    if screen.app._batch_count or not screen.is_current:
        return
    for widget in screen.walk_children(Widget):
        if widget._repaint_required or widget._layout_required:
            _tell(widget, screen)
    screen._on_timer_update()  # Textual's next frame, now


def _tell(widget: Widget, screen: Screen[Any]) -> None:
    """What a widget's messages would tell the screen; they are not sent any more."""
    if widget._repaint_required:
        widget._repaint_required = False
        screen._dirty_widgets.add(widget)
    if widget._layout_required:
        widget._layout_required, screen._layout_required = False, True
        for holder in widget.ancestors:
            if not isinstance(holder, Widget):
                return
            holder._clear_arrangement_cache()
            holder._layout_updates += 1
            screen._layout_widgets.setdefault(holder, set()).add(widget)
            if not holder.styles.auto_dimensions:
                return
