"""Motion of a figure's widget: the glide to a new state, and the moments of a figure that plays.

No timer runs while nothing moves.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from tutor.figures.base import Figure
from tutor.figures.state import State

if TYPE_CHECKING:
    from textual.timer import Timer
    from textual.widget import Widget

FRAMES = 6
"""Drawings of a glide, the last one the new state itself."""
_PAUSE = 1 / 24
BEAT = 0.7
"""Seconds from one moment of a playing figure to the next: long enough to see what changed."""


def moves(widget: Widget) -> bool:
    """Whether the reader wants motion."""
    return widget.app.animation_level == "full"


class Motion:
    """What a widget draws while its figure moves; ``frame`` is ``None`` at rest."""

    def __init__(self, widget: Widget) -> None:
        self.frame: State | None = None
        self._widget = widget
        self._timer: Timer | None = None

    def stop(self) -> None:
        """Be at rest."""
        self.frame = None
        if self._timer is not None:
            self._timer.stop()

    def glide(self, figure: Figure, before: State, after: State) -> None:
        """Move from one state to another, unless the figure cannot or the reader has motion off."""
        self.stop()
        tween = figure.tween
        if tween is None or not moves(self._widget):
            return
        frames = [tween(before, after, Fraction(n, FRAMES)) for n in range(1, FRAMES)]

        def step() -> None:
            if frames:
                self.frame = frames.pop(0)
            else:
                self.stop()
            self._widget.refresh()

        step()
        # no `repeat`: a busy machine skips ticks, and the last one must come
        self._timer = self._widget.set_interval(_PAUSE, step)


class Playing:
    """A figure that plays: one moment after the other until its end, or until the reader stops it."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._timer: Timer | None = None

    @property
    def on(self) -> bool:
        """Whether it plays."""
        return self._timer is not None

    def start(self, beat: Callable[[], bool]) -> None:
        """Call ``beat`` now and at every beat, until it says that nothing is left."""
        if not beat():
            return

        def tick() -> None:
            if not beat():
                self.stop()

        self._timer = self._widget.set_interval(BEAT, tick)

    def stop(self) -> None:
        """Stand still."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
