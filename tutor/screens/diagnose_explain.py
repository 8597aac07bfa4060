"""Where a number comes from: its formula, the values put in, and the lesson that teaches it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from content.words import say
from tutor.diagnoser.doors import broken
from tutor.diagnoser.speech import Speech
from tutor.keys import Command
from tutor.screens.reading import ReadPanel
from tutor.travel import DIAGNOSE
from tutor.widgets.prose import Piece, Prose

if TYPE_CHECKING:
    from engine.diagnosis.model import Report


class ExplainPanel(ReadPanel):
    """One number of a report; Enter opens its lesson, and escape from there leads back to the form."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "screen.lesson", show=False)]

    def __init__(self, report: Report, name: str) -> None:
        super().__init__()
        self.report = report
        self.number = name
        self.lesson_id = ""

    def retell_body(self) -> None:
        """The formula again."""
        from tutor.diagnoser.explain import explained

        speech = Speech(self.lang, self.session.ascii, self.tutor.other_language if self.tutor.peek else None)
        try:
            made, self.lesson_id = explained(self.report, self.number, speech)
        except Exception as error:  # the form must not be lost with what is said about a number
            made, self.lesson_id = [Piece(Content(speech.problem(broken(error))))], ""
        self.query_one("#said", Prose).show(made)

    def action_lesson(self) -> None:
        """The lesson that teaches it."""
        if self.lesson_id:
            self.tutor.go(self.lesson_id, back_to=DIAGNOSE)

    async def action_enter(self) -> None:
        """A click on the word presses the key."""
        self.action_lesson()

    def enter(self) -> str:
        """Open the lesson, where there is one."""
        return say("app.keys.lesson.label", self.lang) if self.lesson_id else ""

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("diagnose.explained")

    def can(self, command: Command) -> bool:
        """What makes sense here."""
        return command.id != "home"
