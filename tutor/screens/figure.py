"""A figure of the course on a screen: with what the reader has learnt so far, and never the end of the app."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor import coursemap
from tutor.figures.registry import BROKEN
from tutor.figures.view import FigureView

if TYPE_CHECKING:
    from content.schema import FigureRef
    from tutor.session import Session


def figure_of(ref: FigureRef, session: Session) -> FigureView | None:
    """The figure in the state that its author gave it; None for one that cannot be drawn."""
    try:
        view = FigureView(ref.name, coursemap.figure_state(ref, session))
        view.figure.draw(view.state, 60, view.max_rows, session.language)
    except BROKEN:
        return None  # `course validate` names it; the text around it still stands
    return view
