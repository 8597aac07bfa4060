"""Motion of a figure's widget: the glide to a new state, and the moments of a figure that plays.

No timer runs while nothing moves.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from textual.errors import NoWidget

from tutor.figures.base import Figure
from tutor.figures.state import State

if TYPE_CHECKING:
    from textual.timer import Timer
    from textual.widget import Widget

    from tutor.figures.view import FigureView

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


def seen(widget: Widget) -> bool:
    """Whether any of a widget can be seen: it is on the screen on top, displayed, and not scrolled away."""
    if not widget.is_attached or not widget.screen.is_active:
        return False
    try:
        return bool(widget.screen.find_widget(widget).visible_region)
    except NoWidget:
        return False


class Playing:
    """A figure that plays: one moment after the other until its end, or until the reader stops it.

    It also stops when nobody sees it any more or when motion is switched off: :meth:`look` says when to ask.
    """

    def __init__(self, view: FigureView) -> None:
        self._view = view
        self._timer: Timer | None = None
        self._passed = 0
        """Beats for which the moment that is seen has stayed."""

    @property
    def on(self) -> bool:
        """Whether it plays."""
        return self._timer is not None

    @property
    def word(self) -> Literal["", "play", "pause", "step"]:
        """What the play key does now; nothing where the figure has none, or has only this one moment."""
        if self.on:
            return "pause"
        if self._next() is None:
            return ""
        return "play" if moves(self._view) else "step"

    def toggle(self) -> None:
        """Play, or pause; from its end a figure begins again. Without motion: one moment."""
        if self.on:
            self.stop()
            self._view.repaint()
            return
        if (state := self._next()) is not None:
            self._view.change(state)
        self._passed = 0
        if moves(self._view) and not self._at_end:
            self._timer = self._view.set_interval(BEAT, self._beat)
        self._view.repaint()

    def look(self) -> None:
        """Stop if it is not seen, or should not move."""
        if self.on and not (moves(self._view) and seen(self._view)):
            self.stop()
            self._view.repaint()  # the key says "play" again

    def stop(self) -> None:
        """Stand still."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _beat(self) -> None:
        self.look()
        if not self.on:
            return
        self._passed += 1
        if self._passed < self._view.figure.beats(self._view.state):
            return
        self._passed = 0
        self._view.change(self._advance(self._view.state))
        if self._at_end:
            self.stop()
            self._view.repaint()

    def _advance(self, state: State) -> State:
        advance = self._view.figure.advance
        return state if advance is None else advance(state)

    @property
    def _at_end(self) -> bool:
        return self._advance(self._view.state) == self._view.state

    def _next(self) -> State | None:
        """The moment with which playing goes on, or begins again; ``None`` where there is none but this one."""
        view, begin = self._view, self._view.figure.begin
        if view.figure.advance is None:
            return None
        if (onward := self._advance(view.state)) != view.state:
            return onward
        again = view.first if begin is None else begin(view.state)
        return again if view.state != again != self._advance(again) else None
