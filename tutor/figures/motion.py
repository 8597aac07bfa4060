"""Motion of a figure's widget: the frames on the way to a new state, a quarter of a second in all."""

from __future__ import annotations

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
        if tween is None or self._widget.app.animation_level != "full":
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
