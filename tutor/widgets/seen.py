"""Painting what is seen: a widget of which nothing that changed can be seen is not asked for its lines.

Textual asks every widget in the region that holds all changes, for all its lines, and throws away what lies behind
others. Behind a figure lie half a dozen containers, beside it the lines of the frame, and of a drawing a few rows are
other than before. The bytes that reach the terminal are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from textual._compositor import ChopsUpdate, Compositor
from textual.geometry import Region

if TYPE_CHECKING:
    from textual.strip import Strip

Open = dict[int, int]
"""The cells of a line that are to be painted and that no widget has given yet, as bits: line -> columns."""


class SeenCompositor(Compositor):
    """Textual's, which asks for less."""

    def __init__(self) -> None:
        super().__init__()
        self._changed: frozenset[Region] = frozenset()
        """What a partial update is about to paint."""

    def render_partial_update(self) -> ChopsUpdate | None:
        """Paint what changed."""
        with self._painting():
            return super().render_partial_update()

    @contextmanager
    def _painting(self) -> Iterator[None]:
        self._changed = frozenset(self._dirty_regions)
        try:
            yield
        finally:
            self._changed = frozenset()

    def _open(self, crop: Region) -> Open:
        """The cells that are to be painted; without changes all of them."""
        lines: Open = {}
        for region in self._changed or (crop,):
            x, y, width, height = region.intersection(crop)
            columns = _columns(x, width)
            for line in range(y, y + height):
                lines[line] = lines.get(line, 0) | columns
        return lines

    def _get_renders(self, crop: Region | None = None) -> Iterable[tuple[Region, Region, list[Strip]]]:
        """From front to back the widgets with a cell to paint, each from the first line with one to the last."""
        still = self._open(self.size.region if crop is None else crop)
        for widget, (region, clip) in self.visible_widgets.items():
            x, y, width, height = region.intersection(clip)
            columns = _columns(x, width)
            if not widget.is_running:  # it has gone, with its styles, and the next layout is still to come
                continue
            wanted = [line for line in range(y, y + height) if still.get(line, 0) & columns]
            if not wanted:
                continue
            band = Region(x, wanted[0], width, wanted[-1] - wanted[0] + 1)
            strips = widget.render_lines(band.translate((-region.x, -region.y)))
            yield region, band, strips
            for line, strip in zip(band.line_range, strips, strict=False):
                left = still.get(line, 0) & ~_columns(x, strip.cell_length)  # it may be shorter than its widget
                if left:
                    still[line] = left
                else:
                    still.pop(line, None)
            if not still:
                return


def _columns(x: int, width: int) -> int:
    """So many cells from a column on, as bits."""
    return ((1 << max(0, width)) - 1) << max(0, x)
