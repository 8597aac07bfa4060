"""A figure of the course on a screen: with what the reader has learnt so far, and never the end of the app."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from tutor import coursemap
from tutor.figures.registry import BROKEN
from tutor.figures.state import put
from tutor.figures.view import FigureView
from tutor.widgets.page import Page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from content.schema import FigureRef
    from tutor.session import Session


ARROWS = ("left", "right", "up", "down")
SHARE = Fraction(3, 5)
"""Of the lines of a tall window those that a figure may take: the text above or beside it is read with it."""


class PageFigure(FigureView):
    """A figure on a page. While it has the focus all arrows are its own: one that it has no use for does nothing."""

    @property
    def most_rows(self) -> int:
        """More in a tall window, so that no sentence leaves while the lines below stand empty."""
        return max(self.max_rows, int(self.app.size.height * SHARE))

    def on_focus(self) -> None:
        """Whole in sight, frame and line of keys too."""
        self.come_into_sight()

    def watch_state(self) -> None:
        """So too after a key that made it taller."""
        super().watch_state()
        if self.has_focus:
            self.come_into_sight()

    def come_into_sight(self) -> None:
        """Scroll no further than needed to show all of it."""
        page = next((one for one in self.ancestors if isinstance(one, Page)), None)
        if page is not None:
            self.call_after_refresh(page.show_whole, self)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Neither an arrow nor the key that plays other figures turns the page behind the figure's back."""
        idle = action == "press" and any(arrow in parameters for arrow in ARROWS)
        idle = idle or (action == "play" and self.figure.target is None)
        return idle or super().check_action(action, parameters)

    def action_play(self) -> None:
        """Play, where the figure does."""
        if self.play_word:
            super().action_play()

    def action_press(self, action: str) -> None:
        """One key of the figure, if it has that key."""
        if super().check_action("press", (action,)):
            super().action_press(action)

    def reveal(self, state: Mapping[str, object]) -> None:
        """Show what an author's state no longer hides; what the reader has turned stays turned."""
        self.first = self.figure.defaults(state)
        if self.state.get("hide") != self.first.get("hide"):
            self._stand()
            self.state = put(self.state, hide=self.first["hide"])


def figure_of(ref: FigureRef, session: Session, used: PageFigure | None = None) -> PageFigure | None:
    """The figure in the state that its author gave it; None for one that cannot be drawn.

    ``used``: a view that stands on the screen and may show this figure from now on.
    """
    try:
        state = coursemap.figure_state(ref, session)
        if used is not None:
            used.become(ref.name, state)
            return used
        view = PageFigure(ref.name, state)
        view.figure.draw(view.state, 60, view.max_rows, session.language)
    except BROKEN:
        return None  # `course validate` names it; the text around it still stands
    return view
