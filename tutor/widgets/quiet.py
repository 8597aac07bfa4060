"""Quiet text as loud as its theme needs for it to be read: one share for all themes leaves pale ones unreadable."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.color import Color as Ink
from rich.segment import Segment
from rich.style import Style
from textual.filter import LineFilter

if TYPE_CHECKING:
    from textual.color import Color


class Quiet(LineFilter):
    """Dim text in its own colour mixed with the ground. In the terminal's own palette it is left to the terminal."""

    share = 1.0
    """How much of its colour it keeps."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The line as it is, where nothing is quiet."""
        for _, style, _ in segments:
            if style is not None and style.dim:
                break
        else:
            return segments
        ground = background.rich_color
        return [
            one if one.style is None or not one.style.dim else Segment(one.text, _mixed(one.style, ground, self.share))
            for one in segments
        ]


@lru_cache(1024)
def _mixed(style: Style, ground: Ink, share: float) -> Style:
    back = ground if style.bgcolor is None or style.bgcolor.is_default else style.bgcolor
    if style.color is None or style.color.triplet is None or back.triplet is None:
        return style
    mixed = (round(b + (c - b) * share) for c, b in zip(style.color.triplet, back.triplet, strict=True))
    return style + Style(color=Ink.from_rgb(*mixed), dim=False)
