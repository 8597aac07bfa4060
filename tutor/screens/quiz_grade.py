"""The grade of an answer: what counts, why, and when the item comes back; left and right overrule it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from tutor.progress import Grade
from tutor.widgets.blank import Horizontal, Vertical
from tutor.widgets.choice import Choice
from tutor.widgets.ink import QUIET
from tutor.widgets.prose import Piece, Prose

GRADES: tuple[Grade, ...] = ("again", "hard", "good", "easy")


class GradeLine(Vertical):
    """The grade between two arrows, beside it the reasons; below, what else there is to say."""

    DEFAULT_CSS = """
    GradeLine { height: auto; margin-top: 1; max-width: 76; }
    GradeLine Horizontal { height: auto; }
    GradeLine #grade { margin-right: 2; min-width: 1; }
    GradeLine #why { width: 1fr; height: auto; }
    GradeLine #leech { margin-top: 1; }
    """

    def compose(self) -> ComposeResult:
        """Grade, reasons, lesson."""
        with Horizontal():
            yield Choice(dict.fromkeys(GRADES, ""), GRADES[0], id="grade")
            yield Static("", id="why", markup=False)
        yield Prose(id="leech")

    @property
    def grade(self) -> Choice:
        """The grade, which takes the keys."""
        return self.query_one(Choice)

    def show(self, grade: Grade | None, words: Mapping[Grade, str], why: str, leech: Sequence[Piece]) -> None:
        """Show a grade; nothing while there is none."""
        self.display = grade is not None
        if grade is None:
            return
        self.grade.say({str(one): said for one, said in words.items()})
        self.grade.value = grade
        self.query_one("#why", Static).update(Content.styled(why, QUIET))
        self.query_one("#leech", Prose).show(leech)
