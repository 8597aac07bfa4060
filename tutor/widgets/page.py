"""The part of a screen that scrolls: arrows and page keys, nothing sideways, and a memory for the line being read."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.scrollbar import ScrollBarRender
from textual.widget import Widget

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

    def anchor_point(self) -> tuple[Prose, int, int] | None:
        """The paragraph at the top of the window: its text, its number, lines into it. None at the very top."""
        top = round(self.scroll_y)
        if top <= 0:
            return None
        for prose in self.query(Prose):
            first = self._line(prose)
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
                self.scroll_to(y=self._line(prose) + prose.line_of(piece, into), animate=False, force=True)

        self.call_after_refresh(scroll)

    def _line(self, widget: Widget) -> int:
        """The line of this page on which a widget starts."""
        line, node = 0, widget
        while node is not self:
            line += node.virtual_region.y
            parent = node.parent
            if not isinstance(parent, Widget):
                return line
            node = parent
        return line

    def show_whole(self, widget: Widget) -> None:
        """Scroll no further than needed until a widget is in sight from its first to its last line.

        Of one that is taller than the window the first lines are. Textual's own way counts the margins of what stands
        around it as well, and then cuts the last line of one that just fits.
        """
        top, room = self._line(widget), self.scrollable_content_region.height
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
