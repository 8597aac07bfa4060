"""Rows of text on their way to the terminal: those that stay as they are cost nothing a second time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from rich.segment import Segment
from textual.content import Content
from textual.geometry import Region
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget

if TYPE_CHECKING:
    from textual.css.styles import RulesMap
    from textual.selection import Selection
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
        """The strips of these rows; only those that are other than before are made. In no columns there are none."""
        if not width:  # a window of one column
            self.forget()
            return []
        if self._looks != (width, style):
            self.forget()
        strips = [
            self._strips[y] if _alike(self._rows, rows, y) else _strip(row, y, width, style, options)
            for y, row in enumerate(rows)
        ]
        self._rows, self._strips, self._looks = rows, strips, (width, style)
        return strips


def _strip(row: Content, y: int, width: int, style: Style, options: RenderOptions) -> Strip:
    """A row as Textual makes its strip, without looking first where to break it: each piece knows its place in the
    text, for selecting it.
    """
    row = row.expand_tabs().truncate(width)
    segments, x = list[Segment](), 0
    for text, own in row.render(style, end="", parse_style=options.get_style):
        segments.append(Segment(text, (style + own).rich_style_with_offset(x, y)))
        x += len(text)
    return Strip(segments, row.cell_length)


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
        if options.selection is not None:
            return Content("\n").join(rows).render_strips(width, None, style, options)
        return self._strips.of(rows, width, style, options)

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        """The longest row."""
        return max((row.cell_length for row in self.rows), default=0)

    def get_height(self, rules: RulesMap, width: int) -> int:
        """A line for each row."""
        return len(self.rows)


class RowByRow(Widget):
    """A widget of rows none of which is wider than itself. :meth:`repaint` paints only those that changed."""

    DEFAULT_CSS = "RowByRow { text-wrap: nowrap; text-overflow: clip; }"

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._strips_painted = Strips()
        self._rows_shown: Rows = ()
        """What stands on the screen, or will when what is asked for has been painted."""
        self._rows_ready: tuple[int, Rows] | None = None
        """The rows for so many columns that :meth:`repaint` has made, until they are painted."""

    def rows_at(self, width: int) -> Rows:
        """All rows, for so many columns."""
        raise NotImplementedError

    def render(self) -> Painted:
        """All rows."""
        width = max(1, self.content_size.width)
        ready, self._rows_ready = self._rows_ready, None
        self._rows_shown = ready[1] if ready is not None and ready[0] == width else self.rows_at(width)
        return Painted(self._rows_shown, self._strips_painted)

    def repaint(self) -> None:
        """Paint what has changed. Another number of rows makes a new layout, which costs the most."""
        width, height = self.content_size
        if not width:
            self.refresh(layout=True)
            return
        before, self._rows_shown = self._rows_shown, self.rows_at(width)
        if self.styles.is_auto_height and len(self._rows_shown) != height:
            self.refresh(layout=True)
        elif changed := altered(before, self._rows_shown, width):
            self._rows_ready = (width, self._rows_shown)
            self.refresh(*changed)

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Paint all of it, or these regions. All of it is asked for where more may have changed than is known here."""
        if not regions:
            self._rows_shown, self._rows_ready = (), None
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def notify_style_update(self) -> None:
        """Other colours: no row is as it was."""
        self._strips_painted.forget()
        super().notify_style_update()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The text that is marked."""
        return selection.extract(self.render().plain), "\n"
