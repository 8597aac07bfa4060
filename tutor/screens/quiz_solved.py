"""A question of a quiz that is over, once more: what was asked, what was answered, what is right and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

from content import address, fill
from content.quiz import questions
from content.words import say
from tutor import quizsheet, quizzed
from tutor.keys import Command
from tutor.screens import feedback
from tutor.screens.base import Panel
from tutor.screens.quiz_turn import stand
from tutor.screens.runs_on import RunsOn
from tutor.travel import QUIZ
from tutor.widgets.givens import GivenRow, Givens
from tutor.widgets.ink import QUIET, STRONG
from tutor.widgets.page import Page
from tutor.widgets.prose import Piece, Prose, pieces
from tutor.widgets.rows import Row, Rows

if TYPE_CHECKING:
    from tutor.revision.model import Line


class Ways(Rows):
    """Up from its first row scrolls the page back."""

    def over_the_edge(self, step: int) -> None:
        """The page has the keys again."""
        page = self.screen.query_one(Page)
        if step < 0 and page.max_scroll_y:
            self.screen.set_focus(page, scroll_visible=False)
            page.scroll_up(animate=False)


class SolvedPanel(RunsOn, Panel):
    """The page as it was asked, with its solution; at its end, where it comes from."""

    DEFAULT_CSS = """
    SolvedPanel #answer, SolvedPanel #ways { margin-top: 1; }
    """

    def __init__(self, line: Line) -> None:
        super().__init__()
        self.line = line
        part = address.plain(line.place) if line.item.kind == "slip" else ""
        self.question = questions.question(line.item, line.variant, part)
        self.exercise, self.part = stand(self.question)

    def body(self) -> Iterable[Widget]:
        """One column, and the ways on."""
        yield Page(
            Prose(id="prompt"), Givens(id="givens"), Prose(id="ask"), Prose(id="answer"), Prose(id="solution"),
            Ways(id="ways"), id="page",
        )  # fmt: skip

    def on_mount(self) -> None:
        """The page has the keys, to be read; its answer was on the screen from here on."""
        if self.line.item.kind in ("part", "slip") and self.line.right is not True:
            self.session.saw_solution(self.line.place)
        self.query_one(Ways).still = True
        self.retell()
        self.set_focus(self.query_one(Page), scroll_visible=False)
        self.watch_page()

    # --- words ------------------------------------------------------------------------------------------------------

    def retell_body(self) -> None:
        """Everything again."""
        exercise, card = self.exercise, self.question.card is not None
        prompt = self.read(exercise.prompt, fill.of_exercise(exercise)) if exercise.prompt[self.lang] else []
        self.query_one("#prompt", Prose).show(prompt)
        self.query_one(Givens).show([] if card else [GivenRow(*row) for row in fill.givens(exercise, self.lang)])
        self.query_one("#ask", Prose).show(self._asked())
        self.query_one("#answer", Prose).show(self._answered())
        self.query_one("#solution", Prose).show(self._solution())
        ways = [Row("lesson", Content(quizzed.lesson_name(quizzed.lesson_of(self.question), self.lang)))]
        if self.line.item.kind in ("part", "slip"):  # a reversed one would find there what it asks for
            ways.insert(0, Row("exercise", Content(self.tell("quiz.its_exercise"))))
        self.query_one(Ways).show(ways)

    def _asked(self) -> Sequence[Piece]:
        part, lang = self.part, self.lang
        made = list(self.read(part.ask, fill.of_part(self.exercise, part))) if part.ask is not None else []
        made = made or [Piece(Content.styled(part.label[lang], STRONG))]
        sets = part.attributes or (part.options,)
        listed = [option.text[lang] for options in sets for option in options] + [
            step.text[lang] for step in part.steps
        ]
        return [*made, *(Piece(Content.styled(text, QUIET), "· ", tight=True) for text in listed)]

    def _answered(self) -> Sequence[Piece]:
        """What was written, and what there is to say to it."""
        written, _ = quizsheet.written_and_right(self.line, self.lang)
        if not written:
            return []
        verdict = questions.check(self.question, self.line.answer)
        said = questions.message(self.question, verdict, self.lang)
        return [Piece(Content(written)), *(Piece(Content(one), tight=True) for one in said.splitlines() if one.strip())]

    def _solution(self) -> Sequence[Piece]:
        working, text = questions.solution(self.question, self.lang)
        lines = [Piece(Content(one), "  ", tight=True) for one in working]
        if not lines and self.part.answer:
            lines = [Piece(Content(feedback.right_answer(self.part, self.lang)), "  ", tight=True)]
        head = "quiz.card.model" if self.question.card is not None else "exercise.solution"
        return [Piece(Content.styled(self.tell(head), STRONG)), *lines, *pieces(text)]

    # --- going on ---------------------------------------------------------------------------------------------------

    def _say_more(self) -> None:
        """At the end of the page the list has the keys."""
        super()._say_more()
        page, ways = self.query_one(Page), self.query_one(Ways)
        if self.is_attached and page.at_end() and page.has_focus:
            self.set_focus(ways, scroll_visible=False)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Its exercise in the same numbers, or its lesson; the sheet waits."""
        event.stop()
        target = self.line.place if event.id == "exercise" else quizzed.lesson_of(self.question)
        self.tutor.go(target, back_to=QUIZ)

    def on_descendant_focus(self) -> None:
        """Enter opens something only in the list."""
        self.retell_keys()

    def enter(self) -> str:
        """Open."""
        return say("app.keys.open.label", self.lang) if self.query_one(Ways).has_focus else ""

    def name_of(self) -> str:
        """The question by its name."""
        return quizzed.heading(self.line.item, self.lang)

    def crumbs(self) -> Sequence[str]:
        """The quiz, and the question."""
        return (self.tell("quiz.title"), self.name_of())

    def can(self, command: Command) -> bool:
        """The peek works; home is behind the sheet."""
        return command.id != "home"
