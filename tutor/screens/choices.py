"""Which of several slips was it? The choices under a verdict that cannot tell, as a list between line and offers."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from tutor.widgets.rows import Rows


class ChoiceRows(Rows):
    """Up from the first row leads back to the answer, down from the last one on to what lies below."""

    still = True

    @dataclass
    class Left(Message):
        """The cursor leaves the list upward (-1) or downward (1)."""

        step: int

    def over_the_edge(self, step: int) -> None:
        """The screen knows what lies there."""
        self.post_message(self.Left(step))
