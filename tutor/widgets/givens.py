"""The table of given values: symbol, value, meaning; in two columns when that is shorter and fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.message import Message

from tutor.widgets.drawn import Drawn
from tutor.widgets.ink import CODE, QUIET, cells


class GivenRow(NamedTuple):
    """One line of the table."""

    symbol: str
    value: str
    meaning: str


class Givens(Drawn):
    """Aligned rows; meanings wrap under themselves."""

    DEFAULT_CSS = "Givens { height: auto; width: 1fr; max-width: 76; }"

    @dataclass
    class Picked(Message):
        """A row was clicked."""

        givens: Givens
        number: int

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: Sequence[GivenRow] = ()

    def show(self, rows: Sequence[GivenRow]) -> None:
        """Show these values."""
        self._rows = rows
        self.display = bool(rows)
        self.clear_cached_dimensions()
        self.refresh(layout=True)

    def on_click(self, event: events.Click) -> None:
        """Tell which row is under the pointer; of a table in two columns none."""
        spot, width = event.get_content_offset_capture(self), max(1, self.content_size.width)
        if self._beside(width):
            return
        end = 0
        for number, lines in enumerate(self._cells(self._rows, width)):
            end += len(lines)
            if spot.y < end:
                self.post_message(self.Picked(self, number))
                return

    def lines_at(self, width: int) -> list[Content]:
        """In two columns where that is shorter and fits."""
        if beside := self._beside(width):
            left, right, need = beside
            right += [Content("")] * (len(left) - len(right))
            return [Content.assemble(a, " " * (need - a.cell_length), b) for a, b in zip(left, right, strict=True)]
        return self._column(self._rows, width)

    def _beside(self, width: int) -> tuple[list[Content], list[Content], int] | None:
        """Both halves of the table and the width of the left one, where they stand beside one another."""
        half = (len(self._rows) + 1) // 2
        left, right = self._column(self._rows[:half], 999), self._column(self._rows[half:], 999)
        need = max((line.cell_length for line in left), default=0) + 4
        fits = need + max((line.cell_length for line in right), default=0) <= width
        return (left, right, need) if len(self._rows) > 3 and fits else None

    def _column(self, rows: Sequence[GivenRow], width: int) -> list[Content]:
        return [line for lines in self._cells(rows, width) for line in lines]

    def _cells(self, rows: Sequence[GivenRow], width: int) -> list[list[Content]]:
        """The lines of each row."""
        symbols = max((cells(row.symbol) for row in rows), default=0)
        values = max((cells(row.value) for row in rows), default=0)
        made: list[list[Content]] = []
        for row in rows:
            head = Content.assemble("  ", (row.symbol, CODE), " " * (symbols - cells(row.symbol) + 2),
                                    row.value, " " * (values - cells(row.value) + 2))  # fmt: skip
            room, under = max(12, width - head.cell_length), Content(" " * head.cell_length)
            said = Content.styled(row.meaning, QUIET).wrap(room) or [Content("")]
            made.append([under + line if number else head + line for number, line in enumerate(said)])
        return made
