"""What happens to a question of a quiz: it is drawn, answered, given up, graded anew, and the next one comes.

Drawing, judging and grading happen away from the screen; keys that are typed meanwhile wait, see `tutor.typeahead`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from textual import work

from tutor import letters
from tutor.screens.choices import ChoiceRows
from tutor.screens.desk import Asked, Told
from tutor.screens.quiz_grade import GradeLine
from tutor.screens.quiz_page import QuizPage
from tutor.screens.quiz_turn import Reversed, Turn
from tutor.travel import QUIZ
from tutor.widgets.choice import Choice
from tutor.widgets.form import Form
from tutor.widgets.prose import Prose, pieces

if TYPE_CHECKING:
    from content.quiz.model import Question
    from tutor.checked import Checked
    from tutor.progress import Grade
    from tutor.revision.model import Answered
    from tutor.revision.run import Run
    from tutor.widgets.forms_many import JudgeForm
    from tutor.widgets.rubric_form import TickForm

SLOW = 1.0
"""Seconds after which a check that still runs says so."""


class QuizAnswering(QuizPage):
    """What the forms report, and what follows from it."""

    busy = False
    """Whether a question is drawn or an answer judged."""

    # --- the next question ------------------------------------------------------------------------------------------

    def advance(self) -> None:
        """The next question; without one, what came of it all."""
        if self.busy:
            return
        self.busy = True
        self._draw()

    @work(thread=True, group="quiz")
    def _draw(self) -> None:
        run = self.quiz.run
        if run is None:
            run = self.quiz.run = self.session.revision.start(self.quiz.wanted)
        question = run.next()
        self.app.call_from_thread(self.call_later, self._drawn, question)

    async def _drawn(self, question: Question | None) -> None:
        if not self.is_attached:
            return
        if question is None:
            self.finish()
            return
        await self.show_turn(Turn(question, self._number(question)))
        self.tutor.forget_text()  # nobody can answer a question that does not stand there yet
        self.busy = False

    def _number(self, question: Question) -> str:
        """How often it was asked before, in this quiz and in all of them."""
        memory = self.session.revision.memories.get(question.item.id)
        return str(memory.reviews if memory is not None else 0)

    def finish(self) -> None:
        """The quiz is over; what was answered is kept already."""
        if self.quiz.run is not None:
            self.quiz.run.end()
        self.quiz.ended = True
        self.quiz.turn = None
        self.tutor.go(QUIZ)

    # --- an answer --------------------------------------------------------------------------------------------------

    def _do(self, what: Callable[[Run], Answered], then: Callable[[Answered], None]) -> None:
        """Judge or grade away from the screen, then tell what came of it."""
        run = self.quiz.run
        if self.busy or run is None or self.turn is None:
            return
        self.busy = True
        self.confirming = False
        self.set_timer(SLOW, self._say_checking)
        self._work(lambda: what(run), then)

    @work(thread=True, group="quiz")
    def _work(self, what: Callable[[], Answered], then: Callable[[Answered], None]) -> None:
        answered = what()  # a formula may take sympy, the first grade loads fsrs, and the disk may be slow
        self.app.call_from_thread(self._done, answered, then)

    def _done(self, answered: Answered, then: Callable[[Answered], None]) -> None:
        self.busy = False
        if self.turn is None:
            return
        read = answered.verdict is None or answered.verdict.verdict != "invalid"
        if read:
            self.turn.answered = answered
        if not self.is_attached:
            return
        if answered.test and read:
            self.advance()
            return
        then(answered)

    def _say_checking(self) -> None:
        if self.busy and self.is_attached:
            self.query_one("#verdict", Prose).show(pieces(self.tell("exercise.checking")))

    def seconds(self) -> float:
        """Since the question was asked, without the time elsewhere."""
        return time.monotonic() - self.since

    def on_form_submitted(self, event: Form.Submitted) -> None:
        """Enter: check, pick what a letter says about the verdict, or go on when all is settled."""
        event.stop()
        if self.busy:
            return
        typed = next(iter(event.answers.values()), "")
        letter = letters.of(typed, self.typed_choices())
        if letter:
            self.pick(letter)
        elif self.settled:
            self.advance()
        else:
            stood, seconds = self.form.draft if self.form is not None else "", self.seconds()
            self._do(lambda run: run.answer(typed, seconds), lambda answered: self._judged(answered, stood))

    def _judged(self, answered: Answered, stood: str) -> None:
        turn, part, verdict = self.turn, self.current.first, answered.verdict
        if turn is None or verdict is None:
            return
        told: Told = answered.checked if answered.checked is not None else Reversed(answered.question, verdict)
        self.told[part.id] = told
        self.picked.pop(part.id, None)
        if verdict.verdict != "invalid":  # what could not be read answers no question and takes none away
            self.asked[part.id] = Asked(told, stood)
            turn.tries += 1
        self.refresh_task()
        if self.form is not None:
            self.form.point(verdict.span)
            self.form.judged(verdict.verdict)
            if self.asks_reason():
                self.form.ask_reason()
        self.was_judged()
        self._tell_grade()

    def _tell_grade(self) -> None:
        """What was said comes into sight, and the keys go where they are wanted next."""
        line = self.query_one(GradeLine)
        if self.settled:
            self.take_keys()
        self.retell_keys()
        said = [self.query_one(place) for place in ("#ask", "#said", "#choices")]
        self.reveal(*said, *([line] if line.display else []))

    def on_judge_form_reasoned(self, event: JudgeForm.Reasoned) -> None:
        """The reason behind a right yes or no: the first one counts, the right one goes on."""
        event.stop()
        turn, reason = self.turn, event.reason
        if turn is None or self.busy:
            return
        if turn.reasons[-1:] == (reason,):
            if reason == self.current.first.reason:
                self.advance()
            return
        turn.reasons = (*turn.reasons, reason)
        self._do(lambda run: run.reason(reason), lambda _: self._graded())

    def on_tick_form_marked(self, event: TickForm.Marked) -> None:
        """The learner's own marks; once they count, Enter goes on."""
        event.stop()
        if self.answered is not None:
            self.advance()
            return
        text, ticked, seconds = event.text, tuple(event.ticked), self.seconds()
        self._do(lambda run: run.tick(text, ticked, seconds), lambda _: self._graded())

    def _graded(self) -> None:
        self._settle()
        self.refresh_task()
        self._tell_grade()

    def give_up(self) -> None:
        """Show the solution; what was not answered is graded as not known."""
        if self.turn is None or self.busy:
            return
        if not self.is_test:
            self.revealed.add(self.current.first.id)
        if self.settled:
            self.refresh_task()
            self.reveal(self.query_one("#solution"))
            return
        seconds = self.seconds()
        self._do(lambda run: run.give_up(seconds), lambda _: self._given_up())

    def _settle(self) -> None:
        if self.form is not None:
            self.form.settle(self.settled)

    def _given_up(self) -> None:
        self._settle()
        self.refresh_task()
        self.take_keys()
        self.retell_keys()
        self.reveal(self.query_one(GradeLine), self.query_one("#solution"))

    # --- the grade, and which slip it was ---------------------------------------------------------------------------

    def on_choice_changed(self, event: Choice.Changed) -> None:
        """The learner knows better what the answer was worth."""
        event.stop()
        grade = cast("Grade", event.value)
        if self.busy:
            self.say_grade()
            return
        self._do(lambda run: run.overrule(grade), lambda _: self._overruled())

    def _overruled(self) -> None:
        self.say_grade()
        self.retell_frame()
        self.reveal(self.query_one(GradeLine))
        self.tutor.tell_notices()

    def settle(self, checked: Told, slip: str) -> letters.Settled:
        """Recorded by the quiz: the slip's own item is asked again soon."""
        if self.quiz.run is not None:
            self.quiz.run.settle(slip)
        return letters.settled(self.session, cast("Checked", checked), slip)

    def on_choice_rows_left(self, event: ChoiceRows.Left) -> None:
        """Up to the answer, down to the grade."""
        event.stop()
        if event.step < 0 and self.form is not None:
            self.form.take_focus()
        elif event.step > 0:
            self.to_the_grade()

    def to_the_grade(self) -> None:
        """Give the keys to the grade, where there is one."""
        line = self.query_one(GradeLine)
        if line.display:
            self.set_focus(line.grade, scroll_visible=False)
            self.reveal(line)

    # --- what is typed ----------------------------------------------------------------------------------------------

    def on_form_drafted(self, event: Form.Drafted) -> None:
        """What is typed stays in sight."""
        event.stop()
        if self.form is None or event.form is not self.form:  # a form on its way out
            return
        self.pin()
        self.fade_verdict()
        if event.draft and not self.can_view_entire(self.form.edited):
            self.reveal(self.form.edited)

    def keep(self) -> None:
        """What stands in the form, and the time so far, for when the reader comes back."""
        if self.turn is not None and self.form is not None and self.form.is_mounted:
            self.turn.draft = self.form.draft
            self.turn.spent_s = self.seconds()


def clock(left_s: float) -> str:
    """Time that is left: "9:05"."""
    minutes, seconds = divmod(max(0, round(left_s)), 60)
    return f"{minutes}:{seconds:02}"
