"""What is painted holds no sign that a terminal would obey, wherever its text came from: a log, a file's name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.filter import LineFilter

if TYPE_CHECKING:
    from textual.color import Color

_OBEYED = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters of both sets, and those that turn the direction of what follows."""


class Obeyed(LineFilter):
    """A line without them; none takes a column."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The line as it is, for nearly all."""
        if not _OBEYED.search("".join([one.text for one in segments if not one.control])):
            return segments
        return [one if one.control else Segment(_OBEYED.sub("", one.text), one.style) for one in segments]
