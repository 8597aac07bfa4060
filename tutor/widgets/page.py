"""The part of a screen that scrolls: arrows and page keys, nothing sideways, and a memory for the line being read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.scrollbar import ScrollBarRender, ScrollTo
from textual.widget import Widget

from tutor.widgets.blank import VerticalScroll
from tutor.widgets.ink import wants_ascii
from tutor.widgets.prose import Prose


class PlainBar(ScrollBarRender):
    """A scrollbar without the blocks for a fraction of a line, which ASCII has not got."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8


class Page(VerticalScroll, inherit_bindings=False):
    """A scrolling column. Left and right are not taken, so that a screen can turn pages with them."""

    DEFAULT_CSS = """
    Page {
        height: 1fr; width: 100%; padding: 0 1; scrollbar-size-vertical: 1; scrollbar-gutter: stable;
        scrollbar-color: $panel; scrollbar-color-hover: $primary; scrollbar-color-active: $primary;
        scrollbar-background: $background; scrollbar-background-hover: $background;
        scrollbar-background-active: $background;
    }
    Page > * { margin-right: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_up", show=False),
        Binding("down", "scroll_down", show=False),
        Binding("home", "scroll_home", show=False),
        Binding("end", "scroll_end", show=False),
        Binding("pageup", "page_up", show=False),
        Binding("pagedown", "page_down", show=False),
    ]

    def on_mount(self) -> None:
        """Blanks in two colours are a bar on every terminal."""
        if wants_ascii(self):
            self.vertical_scrollbar.renderer = PlainBar  # type: ignore[misc]  # Textual's own way to change one bar

    def watch_has_focus(self, _has_focus: bool) -> None:
        """Only the page itself looks otherwise: finding the style of everything on it anew would take a while."""
        self.app.stylesheet.update_nodes([self], animate=True)

    def anchor_point(self) -> tuple[Prose, int, int] | None:
        """The paragraph at the top of the window: its text, its number, lines into it. None at the very top."""
        top = round(self.scroll_y)
        if top <= 0:
            return None
        for prose in self.query(Prose):
            first = self.line_of(prose)
            if prose.display and first <= top < first + prose.size.height:
                return (prose, *prose.piece_at(top - first))
        return None

    def restore(self, point: tuple[Prose, int, int] | None) -> None:
        """Bring a paragraph back to the top of the window, once the new text is laid out."""
        if point is None:
            return
        prose, piece, into = point

        def scroll() -> None:
            if prose.is_attached:
                self.scroll_to(y=self.line_of(prose) + prose.line_of(piece, into), animate=False, force=True)

        self.call_after_refresh(scroll)

    def line_of(self, widget: Widget) -> int:
        """The line of this page on which a widget starts."""
        line, node = 0, widget
        while node is not self:
            line += node.virtual_region.y
            parent = node.parent
            if not isinstance(parent, Widget):
                return line
            node = parent
        return line

    @dataclass
    class Moved(Message):
        """The reader has scrolled."""

    def show_all(self, widgets: Sequence[Widget]) -> None:
        """Scroll no further than needed until widgets are in sight; where there is no room for all, the last."""
        room, place = self.scrollable_content_region.height, round(self.scroll_y)
        for top, bottom in (self._lines(one) for one in widgets if one.is_attached and one.region):
            place = top if bottom - top > room else min(max(place, bottom - room), top)
        self._put(place)

    def show_below(self, tops: Sequence[Widget], whole: Widget, edited: Widget) -> None:
        """Show a widget whole, under the first of ``tops`` that leaves it the room; without that under the last.

        What is ``edited`` in it comes before the last of them.
        """
        room = self.scrollable_content_region.height
        end = self._lines(whole)[1]
        starts = [0, *(self.line_of(one) for one in tops if one.is_attached and one.region)]
        place = next((line for line in starts if end - line <= room), starts[-1] if starts[1:] else self.line_of(whole))
        top, bottom = self._lines(edited)
        self._put(max(place, bottom - room) if bottom - top <= room else place)

    def _lines(self, widget: Widget) -> tuple[int, int]:
        top = self.line_of(widget)
        return top, top + widget.region.height

    def _put(self, line: int) -> None:
        if max(0, line) != round(self.scroll_y):
            self.scroll_to(y=max(0, line), animate=False, force=True, immediate=True)

    def _on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        super()._on_mouse_scroll_down(event)
        self.post_message(self.Moved())

    def _on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        super()._on_mouse_scroll_up(event)
        self.post_message(self.Moved())

    def _on_scroll_to(self, message: ScrollTo) -> None:
        super()._on_scroll_to(message)
        self.post_message(self.Moved())

    def action_page_up(self) -> None:
        """A window up."""
        self.post_message(self.Moved())
        super().action_page_up()

    def action_page_down(self) -> None:
        """A window down."""
        self.post_message(self.Moved())
        super().action_page_down()

    def show_whole(self, widget: Widget) -> None:
        """Scroll no further than needed until a widget is in sight from its first to its last line.

        Of one that is taller than the window the first lines are. Textual's own way counts the margins of what stands
        around it as well, and then cuts the last line of one that just fits.
        """
        top, room = self.line_of(widget), self.scrollable_content_region.height
        least, most = top + widget.region.height - room, top
        wanted = most if least > most else min(max(round(self.scroll_y), least), most)
        if max(0, wanted) != round(self.scroll_y):
            self.scroll_to(y=max(0, wanted), animate=False, force=True)

    def at_end(self) -> bool:
        """Whether the last line is in sight."""
        return self.scroll_y >= self.max_scroll_y


class AnswerPage(Page, inherit_bindings=False, can_focus=False):
    """A page around an answer line: up and down are left to the screen, which goes from part to part with them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "page_up", show=False),
        Binding("pagedown", "page_down", show=False),
    ]
