"""The figure of the playground: as on a page, and it takes a state that was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.figures.view import FigureView
from tutor.screens.figure import PageFigure

if TYPE_CHECKING:
    from tutor.figures.state import State
    from tutor.playing.played import Played


class PlayFigure(PageFigure):
    """A figure as it stands in the playground."""

    def __init__(self, opened: Played) -> None:
        super().__init__(opened.name)
        self.first = opened.first
        self.set_reactive(FigureView.state, opened.state)

    def take(self, state: State) -> None:
        """Go to a state that was typed; it takes over from a figure that plays."""
        self._stand()
        self.change(state)
