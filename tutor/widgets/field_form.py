"""A form of many fields with one line to type in: the others are drawn above and below it, so that fifty cost little.

| key | does |
| --- | --- |
| enter | takes the suggestion under the mark, or the one name that is meant, then the next field |
| page up, page down | several fields at once |
| a click | goes to a field, or takes a suggestion |

Which keys walk from field to field is the screen's affair (:meth:`FieldForm.walk`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from tutor.widgets.answer_input import AnswerInput
from tutor.widgets.blank import Horizontal, Vertical
from tutor.widgets.field_rows import DrawnFields, FormRow, label_column, problem
from tutor.widgets.ink import ACCENT, STRONG, cells, plainer, wants_ascii
from tutor.widgets.rows import Row, Rows

STEP = 6
"""Fields that a page key passes."""
LABELS = 20
"""The widest label that gets a column of its own."""


class Suggestions(Rows):
    """What the letters typed may mean; the keys stay with the line."""

    DEFAULT_CSS = "Suggestions { height: auto; width: 1fr; max-width: 100; }"
    always = True
    still = True
    can_focus = False

    def offer(self, rows: Sequence[Row]) -> None:
        """Show these, none of them under the mark yet: what is typed may be a name of its own."""
        if not rows and not self.display:
            return
        self.show(rows)
        self._filling = True
        self.cursor = -1
        self._filling = False
        self.forget()
        self.display = bool(rows)

    def over_the_edge(self, step: int) -> None:
        """Up from the first one leaves the list to the line again."""
        if step < 0:
            self.cursor = -1


class FieldLine(AnswerInput):
    """The line of a form. Enter acts at once: a message would let the next letter still fall into the old field."""

    async def action_submit(self) -> None:
        """Take the suggestion, or go on."""
        if self._form is not None:
            self._form.submit()

    def _on_paste(self, event: events.Paste) -> None:
        """A pasted text may be more than a value: then somebody else takes it."""
        if self._form is not None and self._form.takes(self._form.current, event.text):
            event.stop()
            event.prevent_default()
            return
        super()._on_paste(event)

    @property
    def _form(self) -> FieldForm | None:
        return next((one for one in self.ancestors if isinstance(one, FieldForm)), None)


class FieldForm(Vertical):
    """The fields, one of them being typed in."""

    DEFAULT_CSS = """
    FieldForm { height: auto; width: 1fr; }
    FieldForm > #typing { height: 1; width: 1fr; }
    FieldForm > #typing > #label { width: auto; height: 1; }
    FieldForm > #under { height: auto; width: 1fr; }
    FieldForm > Suggestions { margin-left: 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", f"stride(-{STEP})", show=False),
        Binding("pagedown", f"stride({STEP})", show=False),
    ]

    CLOSER: ClassVar[int] = 0
    """Columns by which labels and values stand closer together than two."""

    @dataclass
    class Edited(Message):
        """The text of a field is another one."""

        name: str
        text: str

    @dataclass
    class Moved(Message):
        """Another field is being typed in."""

        name: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: Sequence[FormRow] = ()
        self.current = ""
        self._shown = ""
        """The field whose text stands in the line."""
        self._label = ("", "")
        self.meant: Callable[[str, str], str] = lambda name, text: ""
        """The one name that a text in a field stands for, "" where there is none, or more than one."""
        self.takes: Callable[[str, str], bool] = lambda name, text: False
        """Whether a text pasted into a field goes elsewhere."""
        self._declined = ("", "")
        """What was typed when the suggestions were put away."""

    def compose(self) -> Iterable[Widget]:
        """The fields before, the line, what is said to it, the fields after."""
        yield DrawnFields(id="above")
        yield Horizontal(Static("", id="label", markup=False), FieldLine(id="line"), id="typing")
        yield Static("", id="under", markup=False)
        yield Suggestions(id="suggestions")
        yield DrawnFields(id="below")

    def on_mount(self) -> None:
        """Nothing is said yet."""
        self.query_one("#under").display = False
        self.query_one(Suggestions).display = False

    @property
    def line(self) -> FieldLine:
        """Where is typed."""
        return self.query_one(FieldLine)

    @property
    def names(self) -> list[str]:
        """The fields, in order."""
        return [row.name for row in self.rows if row.name]

    def show(self, rows: Sequence[FormRow], current: str = "") -> None:
        """Show these rows; the line goes to the field ``current``, or stays where it is."""
        self.rows = rows
        names = self.names
        wanted = current or self.current
        self.current = wanted if wanted in names else (names[0] if names else "")
        at = next((n for n, row in enumerate(rows) if row.name == self.current), len(rows))
        labels = min(LABELS, max((cells(row.label) for row in rows if row.name), default=0)) - self.CLOSER
        self.query_one("#above", DrawnFields).show(rows[:at], labels)
        self.query_one("#below", DrawnFields).show(rows[at + 1 :], labels)
        if at < len(rows):
            self._show_line(rows[at], labels)

    def _show_line(self, row: FormRow, labels: int) -> None:
        mark = plainer("▸ ", wants_ascii(self))
        column = label_column(row, labels, self.size.width or 10 * labels)
        label = (mark, row.label.ljust(column - cells(mark)))
        if label != self._label:
            wider = sum(map(cells, label)) != sum(map(cells, self._label))  # else the screen need not be laid out
            self._label = label
            told = Content.assemble((label[0], ACCENT), (label[1], f"{STRONG} {ACCENT}"))
            self.query_one("#label", Static).update(told, layout=wider)
        self.line.placeholder = row.hint
        if self._shown != row.name or self.line.value != row.value:
            with self.line.prevent(Input.Changed):
                self.line.value = row.value
            self.line.cursor_position = len(row.value)
            if self._shown != row.name and row.replaced:
                self.line.selection = Selection(0, len(row.value))  # typing takes its place; an arrow goes on in it
            if self._shown != row.name:
                self.query_one(Suggestions).offer(())
            self._shown = row.name
        under = self.query_one("#under", Static)
        under.display = bool(row.problem)
        if row.problem:
            width = max(20, self.size.width)
            under.update(Content("\n").join(problem(row, width, wants_ascii(self))))

    def suggest(self, rows: Sequence[Row]) -> None:
        """Offer names for what is typed."""
        self.query_one(Suggestions).offer(rows)
        if rows:
            self.call_after_refresh(self.reveal)

    @property
    def typed(self) -> tuple[str, str]:
        """The field in the line and what stands there, though its message may still be on its way."""
        return self._shown, self.line.value

    def _sync(self) -> None:
        """Take what stands in the line for the field that it belongs to, however late its message comes."""
        name, text = self.typed
        if any(row.name == name and row.value != text for row in self.rows):
            self.rows = [replace(row, value=text) if row.name == name else row for row in self.rows]
            self.post_message(self.Edited(name, text))

    def close(self) -> bool:
        """Put the suggestions away; whether there were any."""
        offered = self.query_one(Suggestions)
        shown = offered.display
        offered.offer(())
        if shown:
            self._declined = self.typed
        return bool(shown)

    def go(self, name: str) -> None:
        """Type in another field."""
        self._sync()
        if name in self.names and name != self.current:
            self.show(self.rows, name)
            self.post_message(self.Moved(name))
        self.call_after_refresh(self.reveal)

    def reveal(self) -> None:
        """Bring the line, and what stands under it, into sight; at an end of the form that end."""
        names, parent = self.names, self.parent
        if not isinstance(parent, Widget) or not parent.is_scrollable:
            return
        top, bottom = self.query_one("#typing").virtual_region.y, self.query_one("#below").virtual_region.y
        if names and self.current == names[0]:
            top = 0
        if names and self.current == names[-1]:
            bottom = self.size.height
        parent.scroll_to_region(Region(0, top, 1, max(1, bottom - top)), animate=False, force=True)

    def walk(self, step: int) -> None:
        """Through the suggestions while there are some, else to the next field."""
        offered = self.query_one(Suggestions)
        if offered.display and not (step < 0 and offered.cursor < 0):
            before = offered.cursor
            offered.action_move(step)
            if step < 0 or offered.cursor != before:
                return
            offered.offer(())  # down from the last one
        self.action_stride(step)

    def action_stride(self, step: int) -> None:
        """So many fields further."""
        names = self.names
        if names:
            place = names.index(self.current) + step
            self.go(names[max(0, min(len(names) - 1, place))])

    def on_input_changed(self, event: Input.Changed) -> None:
        """Take the text."""
        event.stop()
        self._sync()

    def submit(self) -> None:
        """Take the suggestion under the mark, or the one that is meant; then on to the next field."""
        offered = self.query_one(Suggestions)
        chosen = offered.current if offered.display else ""
        if not chosen and self.typed != self._declined:
            chosen = self.meant(*self.typed)
        if chosen:
            self._take(chosen)
        else:
            offered.offer(())
            self.action_stride(1)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A suggestion was clicked."""
        event.stop()
        self._take(event.id)

    def _take(self, text: str) -> None:
        self.line.value = text
        self.line.cursor_position = len(text)
        self.query_one(Suggestions).offer(())
        self.action_stride(1)

    def on_drawn_fields_picked(self, event: DrawnFields.Picked) -> None:
        """A field was clicked."""
        event.stop()
        self.line.focus(scroll_visible=False)
        self.go(event.name)
