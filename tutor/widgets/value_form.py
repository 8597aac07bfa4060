"""The values of a figure as a form: one line is typed in, plus and minus change a value, the rest is drawn.

| key | does |
| --- | --- |
| left, right, plus, minus | a step, as long as the value has not been touched |
| a letter, a digit | takes the place of the value |
| enter | takes what is typed, or the suggestion under the mark; on an untouched value offers what it may be |

A value that is left counts as taken. What cannot be taken is told under its line, and the old value stays.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from tutor.widgets.blank import Horizontal
from tutor.widgets.field_form import LABELS, FieldForm, FieldLine, Suggestions
from tutor.widgets.field_rows import DrawnFields, FormRow
from tutor.widgets.ink import STRONG, cells

_STEPS = {"+": 1, "-": -1}


class ValueLine(FieldLine):
    """The line of the value at hand."""

    @property
    def _values(self) -> ValueForm | None:
        return next((one for one in self.ancestors if isinstance(one, ValueForm)), None)

    def _stepped(self, by: int) -> bool:
        """Do a step, where the whole value is marked; whether that was so."""
        form = self._values
        whole = abs(self.selection.end - self.selection.start) == len(self.value)
        return form is not None and whole and form.steps(by)

    def action_cursor_left(self, select: bool = False) -> None:
        """A step down, or one letter to the left."""
        if select or not self._stepped(-1):
            super().action_cursor_left(select)

    def action_cursor_right(self, select: bool = False) -> None:
        """A step up, or one letter to the right."""
        if select or not self._stepped(1):
            super().action_cursor_right(select)

    async def _on_key(self, event: events.Key) -> None:
        """Plus and minus are steps while the value has not been touched."""
        form = self._values
        by = _STEPS.get(event.character or "", 0)
        if by and form is not None and not (by < 0 and form.signed) and self._stepped(by):
            event.stop()
            event.prevent_default()
            return
        await super()._on_key(event)


class ValueForm(FieldForm):
    """The form; the screen says what a text and a step do (``take``, ``step``)."""

    CLOSER: ClassVar[int] = 1
    DEFAULT_CSS = "ValueForm > #rest { height: auto; width: 1fr; display: none; }"

    @dataclass
    class Opened(Message):
        """Enter on an untouched value: what may it be?"""

        name: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.take: Callable[[str, str], bool] = lambda name, text: False
        """Take a text for a value; whether that could be. It shows the values anew, or what is to be said."""
        self.step: Callable[[str, int], bool] = lambda name, by: False
        """Change a value by a step; whether this kind of value has steps."""
        self.signed = False
        """Whether the value at hand may be below zero: then a minus begins a number."""
        self._stands: Mapping[str, str] = {}

    def compose(self) -> Iterable[Widget]:
        """As every form, with the line for values."""
        yield DrawnFields(id="above")
        yield Horizontal(Static("", id="label", markup=False), ValueLine(id="line"), id="typing")
        yield Static("", id="rest", markup=False)
        yield Static("", id="under", markup=False)
        yield Suggestions(id="suggestions")
        yield DrawnFields(id="below")

    def show_values(self, rows: Sequence[FormRow], current: str = "", *, typed: str | None = None) -> None:
        """Show these values; what is being typed stays in the line, or ``typed`` stands there."""
        self._stands = {row.name: row.value for row in rows if row.name}
        keep = typed if typed is not None else None
        name = current or self.current
        if keep is not None:
            rows = [
                FormRow(row.name, row.label, keep, row.hint, row.problem) if row.name == name else row for row in rows
            ]
        self.show(rows, current)
        if keep is None and self.names:
            self._mark()
        self._spread()

    def _mark(self) -> None:
        """The whole value is marked: typing takes its place. Of one longer than the line the beginning is in sight."""
        self.line.selection = Selection(len(self.line.value), 0)

    def on_input_changed(self, event: Input.Changed) -> None:
        """What is being typed has the line alone."""
        self._spread()

    def reveal(self) -> None:
        """Bring the line into sight; a form that was just opened has a width only now."""
        self._spread()
        super().reveal()

    def _spread(self) -> None:
        """A value longer than the line goes on below it, broken between words, until it is edited."""
        rest, label = self.query_one("#rest", Static), sum(map(cells, self._label))
        room, value = self.size.width - label, self.line.value
        lines = textwrap.wrap(value, room - 1) if room > 1 and cells(value) >= room and not self.edited else []
        rest.display = len(lines) > 1
        self.line.styles.width = cells(lines[0]) + 1 if lines else "1fr"
        if lines:
            told = Content("\n").join(Content.styled(f"{' ' * label}{line}", STRONG) for line in lines[1:])
            if str(rest.content) != told.plain:  # an update lays out the whole screen
                rest.update(told)

    @property
    def need(self) -> int:
        """Columns in which every value stands on one line beside its label, with room for the cursor behind it."""
        rows = [row for row in self.rows if row.name]
        labels = min(LABELS, max((cells(row.label) for row in rows), default=0)) - self.CLOSER
        return labels + 5 + max((cells(row.value or row.hint) for row in rows), default=0)

    @property
    def edited(self) -> bool:
        """Whether something else stands in the line than the value."""
        name, text = self.typed
        return name in self._stands and text.strip() != self._stands[name]

    def steps(self, by: int) -> bool:
        """A step of the value at hand, unless something is typed."""
        return not self.edited and bool(self.current) and self.step(self.current, by)

    def restore(self) -> bool:
        """Put the old value back; whether anything else stood there."""
        if not self.edited:
            return False
        self.line.value = self._stands[self.typed[0]]
        self._mark()
        return True

    def leave(self) -> None:
        """Take what is typed, since the reader goes elsewhere."""
        if self.edited:
            name, text = self.typed
            if not self.take(name, text):
                self.restore()
        self.query_one(Suggestions).offer(())

    def go(self, name: str) -> None:
        """Another value."""
        if name != self.current:
            self.leave()
        super().go(name)

    def submit(self) -> None:
        """Take the suggestion under the mark, or what is typed; else ask what the value may be."""
        offered = self.query_one(Suggestions)
        chosen = offered.current if offered.display else ""
        name, typed = self.typed
        if not chosen and not self.edited:
            if offered.display:
                offered.offer(())
            else:
                self.post_message(self.Opened(name))
            return
        self._take(chosen or typed)

    def _take(self, text: str) -> None:
        self.query_one(Suggestions).offer(())
        self.take(self.typed[0], text)
