"""The rows of a drawing on their way to the terminal: those that stay as they are cost nothing a second time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.geometry import Region
from textual.visual import Visual

if TYPE_CHECKING:
    from textual.css.styles import RulesMap
    from textual.strip import Strip
    from textual.style import Style
    from textual.visual import RenderOptions

Rows = tuple[Content, ...]


def altered(before: Rows, after: Rows, width: int) -> list[Region]:
    """The rows, as regions of this many columns, that differ between two drawings."""
    longest = max(len(before), len(after))
    return [Region(0, y, width, 1) for y in range(longest) if not _alike(before, after, y)]


def _alike(before: Rows, after: Rows, y: int) -> bool:
    return y < len(before) and y < len(after) and before[y].is_same(after[y])


class Strips:
    """The strips of the drawing that was painted last, in what looks they were made."""

    def __init__(self) -> None:
        self._rows: Rows = ()
        self._strips: list[Strip] = []
        self._looks: tuple[int, Style] | None = None

    def forget(self) -> None:
        """The colours may have become others."""
        self._rows, self._strips, self._looks = (), [], None

    def of(self, rows: Rows, width: int, style: Style, options: RenderOptions) -> list[Strip]:
        """The strips of these rows; only those that are other than before are made."""
        if self._looks != (width, style):
            self.forget()
        kept = [_alike(self._rows, rows, y) for y in range(len(rows))]
        # Kept rows stand as empty ones in what is made: a strip knows in which row it lies, for selecting text.
        fresh = Content("\n").join(Content("") if same else row for same, row in zip(kept, rows, strict=True))
        made = fresh.render_strips(width, None, style, options)
        strips = [self._strips[y] if same else made[y] for y, same in enumerate(kept)]
        self._rows, self._strips, self._looks = rows, strips, (width, style)
        return strips


class Painted(Visual):
    """Rows none of which is wider than the widget, as Textual paints them."""

    def __init__(self, rows: Rows, strips: Strips) -> None:
        self.rows = rows
        self._strips = strips

    @property
    def plain(self) -> str:
        """The rows as text."""
        return "\n".join(row.plain for row in self.rows)

    def __str__(self) -> str:
        return self.plain

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        """As many rows as there is height; while text is being selected all of them are made."""
        rows = self.rows[:height]
        strips = Strips() if options.selection is not None else self._strips
        return strips.of(rows, width, style, options)

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        """The longest row."""
        return max((row.cell_length for row in self.rows), default=0)

    def get_height(self, rules: RulesMap, width: int) -> int:
        """A line for each row."""
        return len(self.rows)
