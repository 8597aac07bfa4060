"""Counting what is due, away from the screen: it reads the index of the course and the learner's file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work

from tutor.progress import ProgressProblem
from tutor.screens.base import TutorScreen

if TYPE_CHECKING:
    from tutor.revision.model import Due


class CountsDue(TutorScreen):
    """A screen that says what is due; it is told by `counted`, and not at all while the file cannot be read."""

    @work(thread=True, exclusive=True, group="due")
    def count_due(self) -> None:
        """Count, and tell."""
        try:
            due = self.session.revision.due()
        except ProgressProblem:
            return
        self.app.call_from_thread(self.counted, due)

    def counted(self, due: Due) -> None:
        """What was counted; for subclasses."""
