"""A quiz: question after question, each graded from what the answer shows.

In a test the clock runs, and nothing is told before the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.timer import Timer

from content.words import say
from tutor import keys, quizzed
from tutor.keys import Command, Scope
from tutor.progress import Place
from tutor.screens.base import bindings
from tutor.screens.choices import ChoiceRows
from tutor.screens.quiz_answering import QuizAnswering, clock
from tutor.screens.quiz_grade import GradeLine
from tutor.screens.quiz_turn import mode_name
from tutor.travel import QUIZ
from tutor.widgets.ink import plainer
from tutor.widgets.topline import TopLine

TICK = 1.0
"""Seconds between two looks at the clock of a test."""


class QuizScreen(QuizAnswering):
    """The commands of a quiz, and the lines around its page."""

    SCOPE: ClassVar[Scope] = "quiz"
    LETTERED = True
    BINDINGS: ClassVar[list[BindingType]] = bindings("quiz")

    _ticking: Timer | None = None
    _rung = False
    """Whether the bell of a test has taken what stood there."""

    async def on_mount(self) -> None:
        """The question that stood there, or the first one."""
        self.query_one("#page").can_focus = False
        self.retell()
        self.watch_page()
        if self.is_test:
            self._ticking = self.set_interval(TICK, self._tick)
        if self.turn is not None:
            await self.show_turn(self.turn)
        else:
            self.advance()

    def _tick(self) -> None:
        """The clock; the end of the time is the end of the test, after what stands typed has been judged."""
        run = self.quiz.run
        if run is None or run.limit_s is None or self.quiz.ended:
            return
        self.query_one(TopLine).show(self.crumbs(), self.progress(), say("app.language", self.lang))
        if not run.over or self.busy:
            return
        if self.form is not None and self.form.draft and self.answered is None and not self._rung:
            self._rung = True
            self.form.submit()
        else:
            self.finish()

    # --- commands ---------------------------------------------------------------------------------------------------

    def action_answer(self) -> None:
        """Hand in what stands there; when all is settled, the next question."""
        if self.settled and not self.asks_reason():
            self.advance()
        elif self.form is not None:
            self.form.submit()

    def action_quiz_hint(self) -> None:
        """The next rung of the ladder; each one lowers the grade of an answer still to come."""
        if self.quiz.run is not None and not self.busy and self._can_hint():
            self.quiz.run.hint()
            self.refresh_task()
            self.reveal_hint()

    def action_dont_know(self) -> None:
        """Show the solution."""
        self.give_up()

    def action_next_question(self) -> None:
        """Go on; a question without an answer stays ungraded."""
        if self.turn is None or self.busy:
            return
        if self.answered is None and self.quiz.run is not None:
            self.quiz.run.skip()
        self.advance()

    def action_grade(self) -> None:
        """To the grade, or back to the answer."""
        if self.query_one(GradeLine).grade.has_focus and self.form is not None:
            self.form.take_focus()
        else:
            self.to_the_grade()

    def action_below(self) -> None:
        """The choices under the verdict while they wait, else the grade."""
        choices = self.query_one(ChoiceRows)
        if choices.display and not choices.has_focus and not self.query_one(GradeLine).grade.has_focus:
            self.set_focus(choices, scroll_visible=False)
        else:
            self.to_the_grade()

    def action_above(self) -> None:
        """Back to the choices, or to the answer."""
        choices = self.query_one(ChoiceRows)
        if choices.display and self.query_one(GradeLine).grade.has_focus:
            self.set_focus(choices, scroll_visible=False)
        elif self.form is not None:
            self.form.take_focus()

    def action_reread(self) -> None:
        """The page of the lesson that teaches it; the quiz waits."""
        question = self.question
        if question is not None and self.tasks and not self.is_test:
            self.keep()
            place = Place("lesson", quizzed.lesson_of(question), quizzed.section_of(question))
            self.tutor.go(place, back_to=QUIZ)

    async def go_back(self) -> None:
        """Out of the quiz, to what came of it; a test asks first."""
        if self.is_test and not self.confirming and self.quiz.run is not None and self.tasks:
            self.confirming = True
            self.refresh_task()
            self.reveal(self.query_one("#solution"))
            return
        if self.quiz.run is None or not self.quiz.run.sheet().asked:
            self.quiz.ended = True
            self.tutor.quiz = None
            self.tutor.go(Place("home"))
            return
        self.finish()

    # --- frame ------------------------------------------------------------------------------------------------------

    def on_descendant_focus(self) -> None:
        """Which keys can be typed depends on where they go."""
        self.retell_keys()

    def is_typing(self) -> bool:
        """Whether letters go into the answer."""
        return self.form is not None and self.form.is_mounted and self.form.typing and self._in_the_form()

    def _in_the_form(self) -> bool:
        return self.focused is not None and self.form in self.focused.ancestors_with_self

    def _is_card(self) -> bool:
        return self.question is not None and self.question.card is not None

    def _can_hint(self) -> bool:
        part = self.current.first if self.tasks else None
        if part is None or self.is_test or self.settled or part.id in self.revealed:
            return False
        return self.states[part.id].hints < len(part.hints) if part.id in self.states else bool(part.hints)

    def can(self, command: Command) -> bool:
        """What makes sense at this moment."""
        if not self.tasks:
            return command.id not in _NEEDS_A_QUESTION
        if command.id == "quiz-hint":
            return self._can_hint()
        if command.id == "dont-know":
            turned = self.settled and self._is_card()  # its answer stands there
            return self.current.first.id not in self.revealed and not turned
        if command.id == "next-question":
            return not self.settled
        if command.id == "grade":
            line = self.query_one(GradeLine)
            return line.display and not line.grade.has_focus  # the note says then how it is changed
        if command.id == "below":
            return self.query_one(ChoiceRows).display
        if command.id in ("reread", "peek"):
            return not (self.is_test and command.id == "reread")
        return super().can(command)

    def label_of(self, command: Command) -> str:
        """The next hint's number; Enter's meaning of the moment."""
        if command.id == "quiz-hint" and self.tasks:
            part = self.current.first
            n = self.states[part.id].hints + 1 if part.id in self.states else 1
            return f"{super().label_of(command)} {min(n, len(part.hints))}/{len(part.hints)}"
        if command.id == "dont-know" and self.answered is not None:
            return say("app.keys.solution.label", self.lang)
        if command.id == "next-question" and self.answered is not None:
            return say("app.keys.next.label", self.lang)
        if command.id == "below":
            return self.tell("exercise.pick_one")
        if command.id == "answer":
            return self._enter()
        return super().label_of(command)

    def _enter(self) -> str:
        if self.query_one(ChoiceRows).has_focus:
            return self.tell("exercise.pick")
        if self.settled and not self.asks_reason():
            return say("app.keys.next.label", self.lang)
        if self.form is not None and self.form.enter:
            return self.tell(self.form.enter)
        return say("app.keys.answer.label", self.lang)

    def note(self) -> str:
        """How the grade is changed, while it has the keys."""
        if not self.query_one(GradeLine).grade.has_focus:
            return ""
        arrows = plainer(f"{keys.shown('left')} {keys.shown('right')}", self.session.ascii)
        return f"{arrows} {say('app.keys.grade.label', self.lang)}"

    def rank_of(self, command: Command) -> int:
        """The way to the choices under the verdict comes first while they wait, and that to a grade before skipping."""
        if command.id == "grade":
            return 3
        return 1 if command.id == "below" and self.query_one(ChoiceRows).display else super().rank_of(command)

    def whereabouts(self) -> str:
        """Here, as long as the quiz runs."""
        return QUIZ

    def crumbs(self) -> Sequence[str]:
        """The mode, and what is being asked."""
        question = self.question
        title, mode = self.tell("quiz.title"), mode_name(self.quiz.wanted, self.lang)
        if question is None:
            return (title, mode)
        item = question.item
        if item.kind == "card":  # its name is the question itself
            return (title, mode, self.tell("quiz.card_of", lesson=item.lesson.rpartition("/")[2]))
        return (
            title,
            mode,
            quizzed.name(item, self.lang) if item.kind != "slip" else say("quiz.kind.slip.name", self.lang),
        )

    def progress(self) -> Sequence[str]:
        """Which question of how many; in a test the time that is left."""
        run = self.quiz.run
        if run is None or self.question is None:
            return ()
        n, of = run.place()
        if run.once_more and n < of:
            return (self.tell("quiz.once_more_of", n=n, of=of), f"{n}/{of}")
        if run.once_more:
            left = run.coming + 1  # with this one
            return (self.tell("quiz.once_more_left", left=left), self.tell("quiz.left", left=left))
        time = f"   {clock(run.left_s())}" if run.limit_s is not None else ""
        return (f"{self.tell('quiz.place', n=n, of=of)}{time}", f"{n}/{of}{time}")


_NEEDS_A_QUESTION = ("answer", "quiz-hint", "dont-know", "next-question", "grade", "below", "above", "reread")
