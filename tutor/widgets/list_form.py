"""An answer that is chosen from one list, with letters and arrows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.content import Content

from content.schema import Option, Part, Step
from tutor.widgets.form import Form, Missing, letter
from tutor.widgets.option_rows import OptionRows
from tutor.widgets.rows import Row, Rows

_List = TypeVar("_List", bound=Rows)


def still(rows: _List) -> _List:
    """A list that does not scroll the page by taking the focus: the page decides what is to be seen."""
    rows.still = True
    return rows


class ListForm(Form):
    """The base of forms whose answer is chosen from one list."""

    ROWS: ClassVar[type[OptionRows]] = OptionRows

    def compose(self) -> ComposeResult:
        """The list."""
        yield still(self.ROWS(id="options"))
        yield Missing()

    @property
    def list(self) -> OptionRows:
        """The list."""
        return self.query_one(OptionRows)

    def wait(self) -> None:
        """No option is under the cursor."""
        self.list.waits = True
        self.list.cursor = -1

    def lack(self) -> None:
        """Say that nothing is picked, and which letters there are."""
        found = [row.letter.lower() for row in self.list.rows if row.id and row.letter]
        self.lacks(self.teller.tell("exercise.lacking.choice", letters=self.either(found)))

    def either(self, found: Sequence[str]) -> str:
        """Letters as alternatives: "a, b or c"."""
        *first, last = found
        joined = ", ".join(first)
        return f"{joined} {self.teller.tell('exercise.pick_or')} {last}" if joined else last

    def take_focus(self) -> None:
        """The list."""
        self.screen.set_focus(self.list, scroll_visible=False)


class KeptForm(ListForm):
    """Letters pick at once here; those of a word are taken back."""

    _kept = ""
    """What was chosen before the letters that are being typed."""

    def on_option_rows_begun(self, event: OptionRows.Begun) -> None:
        """A letter begins: what stands there now may come back."""
        event.stop()
        self._kept = self.draft

    def on_option_rows_taken_back(self, event: OptionRows.TakenBack) -> None:
        """It was a word."""
        event.stop()
        if self.draft != self._kept:
            self.restore(self._kept)
            self.post_message(self.Drafted(self, self.draft))


class ChoiceForm(ListForm):
    """Options with letters; Enter hands in the one under the cursor."""

    def __init__(self, parts: Sequence[Part], options: Sequence[Option | Step]) -> None:
        super().__init__(parts)
        self.options = list(options)

    def on_mount(self) -> None:
        """Fill the list."""
        self.retell()

    @property
    def draft(self) -> str:
        """Id of the option under the cursor."""
        return self.list.current

    def restore(self, draft: str) -> None:
        """Put the cursor back."""
        self.list.go(draft)

    def retell(self) -> None:
        """The options' words."""
        self.list.show([self.row(number, option) for number, option in enumerate(self.options)])

    def row(self, number: int, option: Option | Step) -> Row:
        """One option."""
        return Row(option.id, Content(option.text[self.lang]), lead=letter(number), letter=letter(number))

    def submit(self) -> None:
        """Hand in the option under the cursor."""
        if self.list.current:
            self.post_message(self.Submitted({self.part.id: self.list.current}))
        else:
            self.lack()

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Enter or a click."""
        event.stop()
        self.submit()

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """The cursor is the draft."""
        event.stop()
        self.lacks("")
        self.post_message(self.Drafted(self, self.draft))
