"""A panel with a line to type in and a list that it narrows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from content.words import say
from tutor.keys import Command
from tutor.screens.base import LEAP, WALK, Panel
from tutor.widgets.answer_input import AnswerInput
from tutor.widgets.blank import Horizontal
from tutor.widgets.ink import ACCENT, QUIET, plainer
from tutor.widgets.keyline import KeyHint
from tutor.widgets.page import Page
from tutor.widgets.rows import Row, Rows


class SearchPanel(Panel):
    """Typing goes to the line, arrows and Enter to the list, without changing the focus."""

    BINDINGS: ClassVar[list[BindingType]] = [*WALK, *LEAP]
    DEFAULT_CSS = """
    SearchPanel #line { height: 1; margin: 1 1 1 1; max-width: 76; }
    SearchPanel #prompt { width: 2; }
    SearchPanel #none { height: auto; padding: 0 2; }
    """

    def body(self) -> Iterable[Widget]:
        """Line and list."""
        sign = Content.styled(plainer("› ", self.session.ascii), ACCENT)
        yield Horizontal(Static(sign, id="prompt"), AnswerInput(id="wanted"), id="line")
        rows = ListRows(id="rows")
        yield Page(rows, Static("", id="none", markup=False), id="page")

    def on_mount(self) -> None:
        """Everything at first."""
        self.query_one(Page).can_focus = False
        self.query_one(ListRows).can_focus = False
        self.retell()
        self.set_focus(self.query_one(AnswerInput))

    def retell_body(self) -> None:
        """Line and list again."""
        line = self.query_one(AnswerInput)
        line.placeholder = self.hint()
        self._fill(line.value)

    def _fill(self, typed: str) -> None:
        rows = self.rows(typed.strip().lower())
        self.query_one(ListRows).show(rows)
        none = self.query_one("#none", Static)
        none.display = not rows
        none.update(Content.styled(self.tell("jump.none"), QUIET))

    def rows(self, wanted: str) -> list[Row]:
        """The rows for a typed text in lower case."""
        return []

    def hint(self) -> str:
        """What to type."""
        return ""

    async def chosen(self, id: str) -> None:
        """Enter or a click on a row."""

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow the list."""
        event.stop()
        self._fill(event.value)
        self.retell_keys()
        self.query_one(Page).scroll_home(animate=False)

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter chooses the row under the cursor."""
        event.stop()
        if self.query_one(ListRows).current:
            await self.chosen(self.query_one(ListRows).current)

    def action_walk(self, step: int) -> None:
        """Move the list's cursor."""
        rows = self.query_one(ListRows)
        for _ in range(abs(step)):
            rows.action_move(1 if step > 0 else -1)

    async def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A click."""
        event.stop()
        await self.chosen(event.id)

    def _hints(self) -> Iterable[KeyHint]:
        found = bool(self.query_one(ListRows).current)
        return (hint for hint in super()._hints() if found or hint.action != "screen.enter")

    def enter(self) -> str:
        """Open the row under the cursor."""
        return say("app.keys.open.label", self.lang)

    def is_typing(self) -> bool:
        """Always: letters go into the line."""
        return True

    def can(self, command: Command) -> bool:
        """A panel has no text to peek at."""
        return command.id not in ("peek", "home")


class ListRows(Rows):
    """Rows whose cursor shows although the keys are elsewhere."""

    always = True

    def over_the_edge(self, step: int) -> None:
        """There is only one list."""
