"""The fields of a form that are not being typed in: one widget draws them all, above or below the line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from tutor.widgets.ink import ACCENT, QUIET, STRONG, cells, plainer, wants_ascii
from tutor.widgets.lines import wrapped
from tutor.widgets.painted import RowByRow, Rows


@dataclass(frozen=True, slots=True)
class FormRow:
    """One field; without a name it is a heading."""

    name: str = ""
    label: str = ""
    value: str = ""
    hint: str = ""
    """Shown quietly while the field is empty: an example, or what is assumed."""
    problem: str = ""
    """A sentence that is shown under the field."""
    replaced: bool = True
    """Whether typing takes the place of the value when one comes to the field; to a list one rather adds."""
    remark: bool = False
    """Whether that sentence is only a remark: the value was put aside, and the rest still holds."""


@lru_cache(maxsize=512)  # of fifty fields a key changes one or two
def _draw(row: FormRow, labels: int, width: int, ascii_only: bool) -> Rows:
    """A row that is not being typed in."""
    if not row.name:
        return (Content.styled(row.label, QUIET) if row.label else Content(""),)
    column = label_column(row, labels, width)
    label = Content.styled(f"  {row.label}".ljust(column), "" if row.value else QUIET)
    room = max(8, width - label.cell_length)
    lines = _value_lines(row, room)
    indent = Content(" " * label.cell_length)
    made = [label + lines[0], *(indent + line for line in lines[1:])]
    return (*made, *problem(row, width, ascii_only))


def label_column(row: FormRow, labels: int, width: int) -> int:
    """Columns that mark and label take: as many as in every row, fewer where a long value or name needs the room."""
    usual, own = labels + 4, cells(row.label) + 3
    fitting = width - cells(row.value) - 1
    if own <= fitting < usual:
        return fitting
    return min(own, usual) if any(cells(word) > width - usual for word in row.value.split()) else usual


def _value_lines(row: FormRow, room: int) -> list[Content]:
    text, style = (row.value, STRONG) if row.value else (row.hint, QUIET)
    if all(cells(word) <= room for word in text.split()):
        return [line.rstrip() for line in wrapped(Content.styled(text, style), room)] or [Content("")]
    return [Content.styled(line, style) for line in _broken(text, room)]


def _broken(text: str, room: int) -> list[str]:
    """A text with a name longer than a line, broken behind blanks and hyphens; a longer piece where the line ends."""
    lines = [""]
    for piece in _PIECES.findall(text):
        if cells(lines[-1] + piece.rstrip()) > room and lines[-1]:
            lines.append("")
        while cells(piece.rstrip()) > room:
            lines[-1:] = [piece[:room], ""]
            piece = piece[room:]
        lines[-1] += piece
    return [line.rstrip() for line in lines if line]


_PIECES = re.compile(r"[^\s-]*[-\s]?")


def problem(row: FormRow, width: int, ascii_only: bool) -> list[Content]:
    """The sentence under a field."""
    if not row.problem:
        return []
    sign = plainer("· ", ascii_only) if row.remark else "! "  # the cursor has a mark of its own
    first, *rest = [line.rstrip().plain for line in wrapped(Content(row.problem), max(8, width - 6))]
    style, ink = (QUIET, QUIET) if row.remark else (ACCENT, "")
    head = Content.assemble("    ", (sign, style), (first, ink))
    return [head, *(Content.styled(f"      {line}", ink) for line in rest)]


class DrawnFields(RowByRow):
    """The fields above or below the line."""

    DEFAULT_CSS = "DrawnFields { height: auto; width: 1fr; }"

    @dataclass
    class Picked(Message):
        """A field was clicked."""

        name: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: Sequence[FormRow] = ()
        self._labels = 0

    def show(self, rows: Sequence[FormRow], labels: int) -> None:
        """Show these rows, their labels in a column of this width."""
        if (rows, labels) == (self._rows, self._labels):
            return
        self._rows, self._labels = rows, labels
        self.display = bool(rows)
        self.clear_cached_dimensions()
        self.repaint()

    def _made(self, width: int) -> list[Rows]:
        ascii_only = wants_ascii(self)
        return [_draw(row, self._labels, width, ascii_only) for row in self._rows]

    def rows_at(self, width: int) -> Rows:
        """The lines of all rows."""
        return tuple(line for lines in self._made(width) for line in lines)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as there are."""
        return len(self.rows_at(width)) if width else 0

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """The width that is given."""
        return container.width

    def on_click(self, event: events.Click) -> None:
        """Tell which field is under the pointer."""
        line = event.get_content_offset_capture(self).y
        for row, made in zip(self._rows, self._made(max(1, self.content_size.width)), strict=True):
            if line < len(made):
                if row.name:
                    self.post_message(self.Picked(row.name))
                return
            line -= len(made)
