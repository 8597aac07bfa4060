"""A widget that makes its own lines: as wide as it may be, and as high as they are. None is wrapped a second time."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget


class Drawn(Widget):
    """Subclasses make the lines in `lines_at`."""

    DEFAULT_CSS = "Drawn { text-wrap: nowrap; text-overflow: clip; }"

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)

    def lines_at(self, width: int) -> Sequence[Content]:
        """All lines, for so many columns."""
        raise NotImplementedError

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as there are."""
        return len(self.lines_at(width)) if width else 0

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """The width that is given."""
        return container.width

    def render(self) -> Content:
        """The lines."""
        return Content("\n").join(self.lines_at(max(1, self.content_size.width)))
