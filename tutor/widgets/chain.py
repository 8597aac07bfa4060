"""Several filters of lines as one: a line that is painted is made anew once, not once for each of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.filter import LineFilter

if TYPE_CHECKING:
    from rich.segment import Segment
    from textual.color import Color


class Chain(LineFilter):
    """The filters, one after the other. What Textual remembers of a line it remembers by the chain itself."""

    def __init__(self, filters: Iterable[LineFilter] = ()) -> None:
        super().__init__()
        self.filters = tuple(filters)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The line after the last filter."""
        for one in self.filters:
            segments = one.apply(segments, background)
        return segments
