"""Containers that paint nothing but their background: of all their lines one is made.

Behind every text lie a screen, a page and the columns that hold it, and when a page turns all of them are painted anew:
together more lines than the text has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import containers
from textual.geometry import Region
from textual.screen import Screen

if TYPE_CHECKING:
    from textual.strip import Strip
    from textual.widget import Widget as Base
else:
    Base = object  # of a class's bases the first widget alone gives its style sheet: that is to be the container


class Blank(Base):
    """Put before a container's class, or a screen's. Whatever has more to paint is painted as ever."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """The first line, as often as there are lines."""
        if crop.height < 2 or not self._same_in_all_lines():
            return super().render_lines(crop)
        return super().render_lines(Region(crop.x, crop.y, crop.width, 1)) * crop.height

    def _same_in_all_lines(self) -> bool:
        styles = self.styles
        drawn = styles.border or styles.outline or styles.has_rule("keyline") or styles.has_rule("hatch")
        seen_through = isinstance(self, Screen) and styles.background.a < 1  # there may be another screen behind it
        return not (drawn or seen_through)


class Vertical(Blank, containers.Vertical):
    """One under the other."""


class Horizontal(Blank, containers.Horizontal):
    """Side by side."""


class Container(Blank, containers.Container):
    """As its style sheet says."""


class VerticalScroll(Blank, containers.VerticalScroll):
    """One under the other, as many as there are."""
