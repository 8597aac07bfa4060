"""What is in sight on a page that grows while it is read: a question with its form, what was said, a hint."""

from __future__ import annotations

from collections.abc import Callable

from textual.timer import Timer
from textual.widget import Widget

from tutor.screens.base import LAYOUT, TutorScreen
from tutor.screens.choices import ChoiceRows
from tutor.widgets.form import Form
from tutor.widgets.page import Page

REST = 0.3
"""Seconds in which all that belongs to one change has been laid out."""


class InSight(TutorScreen):
    """A page that brings into sight what is new on it, and leaves it to the reader from there on."""

    def __init__(self) -> None:
        super().__init__()
        self.form: Form | None = None
        self._revealed: tuple[Widget, ...] = ()
        """What was last brought into sight."""
        self._held: Callable[[], None] | None = None
        """How that is done again after each layout, for a while."""
        self._way: Callable[[], None] | None = None
        """How it was done last."""
        self._rest: Timer | None = None

    async def on_mount(self) -> None:
        """What is brought into sight is so after each layout."""
        self.screen_layout_refresh_signal.subscribe(self, self._scroll_held, immediate=True)

    def answered_here(self) -> bool:
        """Whether something was said to an answer; for subclasses."""
        return False

    def reveal(self, *widgets: Widget) -> None:
        """Bring widgets into sight; where there is no room for all, the last.

        Their heights are known only after a layout, and other layouts may follow: it holds for all of them until the
        page has come to rest, or the reader moves it.
        """
        self._revealed = widgets
        self._hold(lambda: self.query_one(Page).show_all(widgets))

    def reveal_question(self) -> None:
        """The question with its form, and above them as much of the situation as there is room for, in whole blocks."""
        if self.form is None:
            return
        form, ask = self.form, self.query_one("#ask")
        self._revealed = (form, ask)
        above = [one for id in ("prompt", "givens", "parts") for one in self.query(f"#left > #{id}")]

        def scroll() -> None:
            if form is self.form:  # and not on its way out
                self.query_one(Page).show_below((*above, ask), form, form.edited)

        self._hold(scroll)

    def reveal_said(self) -> None:
        """Bring into sight what was said to the answer, under its question where there is room."""
        self.reveal(self.query_one("#ask"), self.query_one("#said"), self.query_one(ChoiceRows))

    def _hold(self, scroll: Callable[[], None]) -> None:
        self._held = self._way = scroll
        if self._rest is not None:
            self._rest.stop()
        self._rest = self.set_timer(REST, lambda: self.let_go(scroll))  # an earlier one may be on its way already
        self._scroll_held()
        self.call_after_refresh(self._scroll_held)

    def _scroll_held(self, _: object = None) -> None:
        mounted = self.form is None or self.form.is_mounted
        if self._held is not None and self.is_attached and mounted:
            self._held()

    def retell_keys_soon(self) -> None:
        """Say the keys again once the page shows what it will show: what Enter does may depend on that."""
        for delay in (LAYOUT, REST):
            self.set_timer(delay, self._retell_keys)

    def _retell_keys(self) -> None:
        if self.is_attached and (self.form is None or self.form.is_mounted):
            self.retell_keys()

    def let_go(self, held: Callable[[], None] | None = None) -> None:
        """From here on the page stands where the reader puts it; with ``held``, only if that still holds it."""
        if held is None or held is self._held:
            self._held = None

    def on_page_moved(self, event: Page.Moved) -> None:
        """The reader scrolls."""
        event.stop()
        self.let_go()

    def stay_in_sight(self) -> None:
        """What was just said stays in sight when the window changes, and so does a hint, or the line of the answer."""
        if self.answered_here():
            self.reveal_said()
        elif self._way is not None and self.in_sight():
            self._hold(self._way)

    def in_sight(self) -> bool:
        """Whether something of what was last brought into sight is still there."""
        page = self.query_one(Page).region
        return any(one.is_attached and one.display and one.region.overlaps(page) for one in self._revealed)

    def retell_in_place(self) -> None:
        """Say everything again; what was being read, or had just been said, stays in sight."""
        page = self.query_one(Page)
        point, way = page.anchor_point(), self._way if self.in_sight() else None
        self.say_all()
        if way is not None:
            self._hold(way)
        else:
            page.restore(point)

    def say_all(self) -> None:
        """Say the whole page; for subclasses."""
