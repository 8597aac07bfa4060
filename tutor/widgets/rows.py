"""A list to walk through with the arrows: the map on the home screen, the answers to choose from, the settings.

One widget draws all its rows: a list of thirty costs what one label costs. Long rows wrap under themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from tutor.widgets.ink import ACCENT, QUIET, STRONG, plainer, spread, wants_ascii
from tutor.widgets.painted import RowByRow

EMPTY = Content("")
LEAST = 4
"""Columns that a text wraps in, however narrow the window: in none nothing could be wrapped."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a list."""

    id: str = ""
    """What `Rows.Chosen` carries; empty for a heading or a gap, which the cursor passes over."""
    text: Content = EMPTY
    lead: str = ""
    """Stands before the text in a column of its own: a letter, a mark, a short id."""
    right: Content = EMPTY
    """Set against the right edge."""
    brief: Content | None = None
    """The same, shorter, used for all rows when one row has no room for its `right`."""
    letter: str = ""
    """A key that goes to this row."""
    hang: int = 0
    """Columns by which the further lines of a text that wraps stand in."""


class Rows(RowByRow, can_focus=True):
    """Rows with a cursor.

    | Key | What it does |
    | :- | :- |
    | up, down, home, end | move |
    | a letter | go to the row with that letter |
    | enter, a click | choose |
    """

    DEFAULT_CSS = "Rows { height: auto; width: 1fr; max-width: 76; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("home", "end(1)", show=False),
        Binding("end", "end(-1)", show=False),
        Binding("enter", "choose", show=False),
    ]

    always = False
    """Whether the cursor shows even while another widget has the keys."""

    still = False
    """Whether the page stays where it is when the list takes the focus or gets other rows; only moving scrolls then."""
    waits = False
    """Whether the cursor is on no row until somebody moves it: then Enter alone chooses nothing."""
    _filling = False

    cursor: reactive[int] = reactive(0, init=False)
    """Number of the row under the cursor."""

    @dataclass
    class Chosen(Message):
        """Enter, or a click, on a row."""

        rows: Rows
        id: str

        @property
        def control(self) -> Rows:
            """The list."""
            return self.rows

    @dataclass
    class Moved(Message):
        """The cursor came to another row."""

        rows: Rows
        id: str

        @property
        def control(self) -> Rows:
            """The list."""
            return self.rows

    def __init__(self, rows: Sequence[Row] = (), *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._rows: tuple[Row, ...] = tuple(rows)
        self._cache: tuple[int, list[list[Content]]] = (-1, [])
        self.set_reactive(Rows.cursor, self._free(0, 1))

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows shown."""
        return self._rows

    @property
    def current(self) -> str:
        """Id of the row under the cursor, empty when there is none."""
        return self._rows[self.cursor].id if 0 <= self.cursor < len(self._rows) else ""

    def show(self, rows: Sequence[Row], current: str | None = None) -> None:
        """Show other rows; the cursor stays on the row of the same id, or goes to `current`."""
        wanted = self.current if current is None else current
        self._rows = tuple(rows)
        self.forget()
        place = next((n for n, row in enumerate(self._rows) if row.id and row.id == wanted), None)
        self._filling = True
        self.cursor = place if place is not None else -1 if self.waits else self._free(0, 1)
        self._filling = False

    def forget(self) -> None:
        """Draw again from scratch."""
        self._cache = (-1, [])
        self.clear_cached_dimensions()
        self.refresh(layout=True)

    def go(self, id: str) -> None:
        """Put the cursor on a row."""
        self.cursor = next((n for n, row in enumerate(self._rows) if row.id == id), self.cursor)

    def _free(self, start: int, step: int) -> int:
        place = start
        while 0 <= place < len(self._rows):
            if self._rows[place].id:
                return place
            place += step
        return -1

    def action_move(self, step: int) -> None:
        """Move the cursor; at either end the key goes on to the screen, which may have a neighbour list."""
        place = self._free(self.cursor + step, step)
        if place >= 0:
            self.cursor = place
        else:
            self.over_the_edge(step)

    def over_the_edge(self, step: int) -> None:
        """Nothing further in this list: go on to the list above or below, where the screen has one."""
        neighbours = [rows for rows in self.screen.query(Rows) if rows.can_focus and rows.display and rows.region]
        place = neighbours.index(self) + step if self in neighbours else -1
        if 0 <= place < len(neighbours):
            other = neighbours[place]
            other.cursor = other._free(0 if step > 0 else len(other.rows) - 1, step)
            self.screen.set_focus(other)

    def action_end(self, step: int) -> None:
        """Go to the first or the last row."""
        self.cursor = self._free(0 if step > 0 else len(self._rows) - 1, step)

    def action_choose(self) -> None:
        """Choose the row under the cursor."""
        if self.current:
            self.post_message(self.Chosen(self, self.current))

    def on_key(self, event: events.Key) -> None:
        """A row's own letter moves the cursor to it."""
        if self.take(event):
            event.stop()
            event.prevent_default()

    def take(self, event: events.Key) -> bool:
        """Do what a letter says; whether it says anything here."""
        for row in self._rows:
            if row.id and row.letter and event.character and event.character.lower() == row.letter.lower():
                self.go(row.id)
                self.letter_pressed(row.id)
                return True
        return False

    def letter_pressed(self, id: str) -> None:
        """What a letter does beyond moving the cursor; nothing here."""

    def on_click(self, event: events.Click) -> None:
        """A click chooses."""
        line = event.get_content_offset_capture(self).y
        for number, made in enumerate(self._made(max(1, self.content_size.width))):
            if line < len(made):
                if self._rows[number].id:
                    self.cursor = number
                    self.action_choose()
                return
            line -= len(made)

    def watch_cursor(self) -> None:
        """Draw the cursor where it is now, and bring it into sight."""
        self._cache = (-1, [])
        self.repaint()
        if self.is_mounted:
            if not (self.still and self._filling):
                self.call_after_refresh(self.reveal)
            if self.current and not self._filling:
                self.post_message(self.Moved(self, self.current))

    def on_focus(self) -> None:
        """The cursor shows only in the list that has the keys. Textual paints it anew then, all of it."""
        self._cache = (-1, [])
        if not self.still:
            self.call_after_refresh(self.reveal)

    def on_blur(self) -> None:
        """See `on_focus`."""
        self._cache = (-1, [])

    def reveal(self) -> None:
        """Scroll the page so that the row under the cursor is in sight."""
        made = self._made(max(1, self.content_size.width))
        if not 0 <= self.cursor < len(made) or not (self.has_focus or self.always):
            return
        top = sum(len(lines) for lines in made[: self.cursor])
        if self.cursor == self._free(0, 1):
            top, height = 0, top + len(made[self.cursor])  # with its heading
        else:
            height = len(made[self.cursor])
        here = self.virtual_region.y + round(self.styles.offset.y.value)  # where a list was moved to, it is in sight
        spot = Region(self.virtual_region.x, here + top, 1, height)
        parent = self.parent
        while isinstance(parent, Widget):
            if parent.is_scrollable and parent.max_scroll_y:
                parent.scroll_to_region(spot, animate=False, force=True)
                return
            x, y = parent.virtual_region.offset
            spot = spot.translate((x, y + round(parent.styles.offset.y.value)))
            parent = parent.parent

    def _made(self, width: int) -> list[list[Content]]:
        if self._cache[0] != width:
            self._cache = (width, self._draw(width))
        return self._cache[1]

    def _draw(self, width: int) -> list[list[Content]]:
        pad = max((len(row.lead) for row in self._rows if row.id), default=0)
        pad += 2 if pad else 0
        room = max(10, width - 2 - pad)
        use = self._rows
        if any(row.right and row.id and spread(row.text, row.right, room) is None for row in use):
            use = tuple(row if row.brief is None else replace(row, right=row.brief) for row in use)
        return [self._draw_row(number, row, pad, room) for number, row in enumerate(use)]

    def _draw_row(self, number: int, row: Row, pad: int, room: int) -> list[Content]:
        if not row.id:
            indent = len(row.text.plain) - len(row.text.plain.lstrip(" "))
            made = [Content(" " * indent) + line for line in row.text[indent:].wrap(max(LEAST, room + pad - indent))]
            return [line.stylize(STRONG) if row.lead != "note" else line for line in made] or [Content("")]
        here = number == self.cursor and (self.has_focus or self.always)
        text = row.text.stylize(f"{STRONG} {ACCENT}") if here else row.text
        whole = spread(text, row.right, room) if row.right else None
        if whole is not None:
            lines = [whole]
        else:
            space = room - (row.right.cell_length + 2 if row.right and row.right.cell_length < room // 3 else 0)
            if text.cell_length <= space:
                lines = text.split(allow_blank=True)  # with the blanks at its end: a button has some
            else:
                lines = [line.rstrip() for line in text.wrap(max(LEAST, space - row.hang))]
            if row.right and space < room:
                lines[0] = spread(lines[0], row.right, room) or lines[0]
            elif row.right:
                lines.append(Content(" " * max(0, room - row.right.cell_length)) + row.right)
        lead = (row.lead + " " * pad)[:pad]
        first = Content.assemble(
            (plainer("▸ ", wants_ascii(self)) if here else "  ", ACCENT), (lead, ACCENT if here else QUIET)
        )
        return [first + lines[0], *(Content(" " * (2 + pad + row.hang)) + line for line in lines[1:])]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the rows need."""
        return sum(len(lines) for lines in self._made(width)) if width else 0

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """The width that is given."""
        return container.width

    def rows_at(self, width: int) -> tuple[Content, ...]:
        """The lines of all rows."""
        return tuple(line for lines in self._made(width) for line in lines)
