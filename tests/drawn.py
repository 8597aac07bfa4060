"""Variants of the shipped course, drawn once for all tests of a process: whoever asks, the same number draws the same.

A draw tries values until they are fair, a tenth of a second each time; tests of figures, of the quiz and of the
validation ask for the same ones again and again, each through a course of its own. :data:`draw` draws anew.
"""

from __future__ import annotations

from content.course import Course
from content.files import ROOT
from content.schema import Exercise

draw = Course._drawn
_made: dict[tuple[str, int], Exercise] = {}


def _drawn(self: Course, id_: str, variant: int) -> Exercise:
    if self.root != ROOT:
        return draw(self, id_, variant)
    if (id_, variant) not in _made:
        _made[id_, variant] = draw(self, id_, variant)
    return _made[id_, variant]


def install() -> None:
    """Share them from now on, in this process."""
    Course._drawn = _drawn  # type: ignore[method-assign]
