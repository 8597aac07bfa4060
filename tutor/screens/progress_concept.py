"""How the mastery of a concept is computed: what it is, and every question with its recall; Enter opens one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from textual import work
from textual.content import Content
from textual.widget import Widget

from content.words import counted, say
from tutor import quizzed
from tutor.keys import Command
from tutor.progress import ProgressProblem
from tutor.screens.base import Panel
from tutor.screens.quiz_turn import name_whole
from tutor.widgets.ink import QUIET, STRONG
from tutor.widgets.page import Page
from tutor.widgets.prose import Piece, Prose
from tutor.widgets.rows import Row, Rows

if TYPE_CHECKING:
    from tutor.revision.mastery import Concept, ItemRecall


class ConceptPanel(Panel):
    """The sentences first, then the numbers that they speak of."""

    DEFAULT_CSS = "ConceptPanel #rows { margin-top: 1; }"

    def __init__(self, concept: Concept) -> None:
        super().__init__()
        self.concept = concept
        self._rows: Sequence[ItemRecall] = ()

    def body(self) -> Iterable[Widget]:
        """Sentences and list."""
        yield Page(Prose(id="how"), Rows(id="rows"), id="page")

    def on_mount(self) -> None:
        """The questions come a moment later."""
        self.query_one(Page).can_focus = False
        rows = self.query_one(Rows)
        rows.still = True
        self.retell()
        self.set_focus(rows, scroll_visible=False)
        self._look()

    @work(thread=True, exclusive=True, group="concept")
    def _look(self) -> None:
        try:
            rows = self.session.revision.mastery_of(self.concept.id)
        except ProgressProblem:
            return
        self.app.call_from_thread(self._looked, rows)

    def _looked(self, rows: Sequence[ItemRecall]) -> None:
        if self.is_attached:
            self._rows = rows
            self.retell()

    def retell_body(self) -> None:
        """Everything again."""
        one, name = self.concept, quizzed.concept(self.concept.id, self.lang)
        share = say("quiz.mastery.share", self.lang, percent=round(one.value * 100))
        questions = counted("questions", one.items, self.lang)
        made = [Piece(Content.styled(f"{name}  {share}", STRONG))]
        made.append(
            Piece(Content(self._say("computed", concept=name, questions=questions, answered=one.answered)), tight=True)
        )
        if one.lesson:
            lesson = quizzed.lesson_name(one.lesson, self.lang)
            made.append(Piece(Content.styled(self._say("taught", lesson=lesson), QUIET), tight=True))
        made.append(Piece(Content(quizzed.about_mastery(self.session.revision.plan, one.answered, self.lang))))
        self.query_one("#how", Prose).show(made)
        rows = [Row(text=Content(self.tell("progress.questions")))] if self._rows else []
        self.query_one(Rows).show([*rows, *(line for one in self._rows for line in self._lines(one))])

    def _lines(self, one: ItemRecall) -> list[Row]:
        """A question, and below it where its recall comes from."""
        name = Content(name_whole(one.item, self.lang))
        if one.memory is None:
            return [Row(one.item.id, name, right=Content.styled(self._say("never"), QUIET))]
        days, percent = max(1, round(one.memory.stability)), round(one.recall * 100)
        told = self._say(
            "item", percent=percent, stability=counted("days", days, self.lang), day=quizzed.day(one.memory.day)
        )
        return [Row(one.item.id, name), Row(text=Content.styled(f"    {told}", QUIET), lead="note")]

    def _say(self, key: str, **params: object) -> str:
        return say(f"quiz.mastery.{key}", self.lang, **params)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """The part that is asked, or the lesson of a card."""
        event.stop()
        item = next((one.item for one in self._rows if one.item.id == event.id), None)
        if item is not None:
            self.tutor.go(item.source if item.kind in ("part", "reverse") else item.lesson)

    def enter(self) -> str:
        """Open the question."""
        return say("app.keys.open.label", self.lang) if self._rows else ""

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("progress.concept")

    def can(self, command: Command) -> bool:
        """There is no text to peek at."""
        return command.id not in ("peek", "home")
