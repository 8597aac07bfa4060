"""A page that runs on below the window: the line of keys says so, and leads there."""

from __future__ import annotations

from collections.abc import Iterable

from textual.timer import Timer

from tutor import keys
from tutor.screens.base import LAYOUT, TutorScreen
from tutor.widgets.keyline import KeyHint
from tutor.widgets.page import Page


class RunsOn(TutorScreen):
    """A screen with one page; call `watch_page` when it is mounted, and `look_below` when something has changed."""

    _runs_on = False

    def watch_page(self) -> None:
        """Look whenever it scrolls."""
        self.watch(self.query_one(Page), "scroll_y", self._say_more, init=False)
        self.look_below()

    _looking: Timer | None = None

    def look_below(self) -> None:
        """Look once what has changed is laid out."""
        if self._looking is not None:
            self._looking.stop()
        self._looking = self.set_timer(LAYOUT, self._say_more)

    def runs_on(self) -> bool:
        """Whether something below the window is wanted now."""
        return not self.query_one(Page).at_end()

    def more(self) -> str:
        """What is there, in a word."""
        return self.tell("lesson.more")

    def action_more(self) -> None:
        """Scroll on."""
        self.query_one(Page).scroll_page_down(animate=False)

    def _say_more(self) -> None:
        if self.is_attached and self.runs_on() != self._runs_on:
            self._runs_on = not self._runs_on
            self.retell_keys()

    def _hints(self) -> Iterable[KeyHint]:
        if self._runs_on:
            yield KeyHint(keys.shown("pagedown"), self.more(), "screen.more", 1)
        yield from super()._hints()
