"""A panel that is read: a page that the arrows scroll, and nothing on it to choose."""

from __future__ import annotations

from collections.abc import Iterable

from textual.widget import Widget

from tutor.screens.base import Panel
from tutor.widgets.page import Page
from tutor.widgets.prose import Prose


class ReadPanel(Panel):
    """One text; subclasses say it in `retell_body`, or bring a page of their own in `body`."""

    def body(self) -> Iterable[Widget]:
        """The text."""
        yield Page(Prose(id="said"), id="page")

    def on_mount(self) -> None:
        """Say it, and let the arrows scroll. A subclass with more to do says nothing again."""
        self.retell()
        self.set_focus(self.query_one(Page))
