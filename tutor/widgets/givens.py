"""The table of given values: symbol, value, meaning; in two columns when that is shorter and fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from tutor.widgets.ink import CODE, QUIET, cells


class GivenRow(NamedTuple):
    """One line of the table."""

    symbol: str
    value: str
    meaning: str


class Givens(Widget):
    """Aligned rows; meanings wrap under themselves."""

    DEFAULT_CSS = "Givens { height: auto; width: 1fr; max-width: 76; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: Sequence[GivenRow] = ()

    def show(self, rows: Sequence[GivenRow]) -> None:
        """Show these values."""
        self._rows = rows
        self.display = bool(rows)
        self.clear_cached_dimensions()
        self.refresh(layout=True)

    def _lines(self, width: int) -> list[Content]:
        half = (len(self._rows) + 1) // 2
        left, right = self._column(self._rows[:half], 999), self._column(self._rows[half:], 999)
        need = max((line.cell_length for line in left), default=0) + 4
        if len(self._rows) > 3 and need + max((line.cell_length for line in right), default=0) <= width:
            right += [Content("")] * (len(left) - len(right))
            return [Content.assemble(a, " " * (need - a.cell_length), b) for a, b in zip(left, right, strict=True)]
        return self._column(self._rows, width)

    def _column(self, rows: Sequence[GivenRow], width: int) -> list[Content]:
        symbols = max((cells(row.symbol) for row in rows), default=0)
        values = max((cells(row.value) for row in rows), default=0)
        lines: list[Content] = []
        for row in rows:
            head = Content.assemble("  ", (row.symbol, CODE), " " * (symbols - cells(row.symbol) + 2),
                                    row.value, " " * (values - cells(row.value) + 2))  # fmt: skip
            room = max(12, width - head.cell_length)
            for number, line in enumerate(Content.styled(row.meaning, QUIET).wrap(room) or [Content("")]):
                lines.append(head + line if not number else Content(" " * head.cell_length) + line)
        return lines

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the table needs."""
        return len(self._lines(width)) if width else 0

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """The width that is given."""
        return container.width

    def render(self) -> Content:
        """The table."""
        return Content("\n").join(self._lines(max(1, self.content_size.width)))
