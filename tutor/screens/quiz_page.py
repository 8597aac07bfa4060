"""The page of a quiz: a question, the form for it, what is said to the answer, and what it was worth."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

from content import fill
from content.quiz.model import Question
from content.schema import Part
from tutor import letters, quizzed, variants
from tutor.progress import PartState
from tutor.progress.records import Status
from tutor.screens.choices import ChoiceRows
from tutor.screens.desk import Desk
from tutor.screens.quiz_grade import GRADES, GradeLine
from tutor.screens.quiz_turn import Quiz, Turn, reading, stand
from tutor.screens.runs_on import RunsOn
from tutor.widgets.blank import Vertical
from tutor.widgets.givens import GivenRow, Givens
from tutor.widgets.page import AnswerPage, Page
from tutor.widgets.prose import Piece, Prose, pieces
from tutor.widgets.tasks import Task, form_of

if TYPE_CHECKING:
    from tutor.revision.model import Answered
    from tutor.widgets.form import Form


class QuizPage(RunsOn, Desk):
    """The question at hand, as it stands in `quiz.turn`."""

    def __init__(self, quiz: Quiz) -> None:
        super().__init__()
        self.quiz = quiz
        self._turning = asyncio.Lock()

    def body(self) -> Iterable[Widget]:
        """One column: recall wants no figure. The question of a card stays above it, whatever scrolls."""
        yield Prose(id="pinned")
        ask, answering, said, *rest = self.answering()
        yield AnswerPage(
            Vertical(
                Prose(id="waiting"),
                Prose(id="intro"),
                Prose(id="variant"),
                Prose(id="prompt"),
                Givens(id="givens"),
                ask,
                answering,
                said,
                GradeLine(id="graded"),
                *rest,
                id="left",
            ),
            id="page",
        )

    # --- the question -----------------------------------------------------------------------------------------------

    @property
    def turn(self) -> Turn | None:
        """The question at hand, and what happened to it; ``None`` until the first is drawn."""
        return self.quiz.turn

    @property
    def question(self) -> Question | None:
        """The question at hand."""
        return self.turn.question if self.turn is not None else None

    @property
    def answered(self) -> Answered | None:
        """What came of the last answer."""
        return self.turn.answered if self.turn is not None else None

    @property
    def settled(self) -> bool:
        """Whether there is nothing more to do but to go on."""
        return self.answered is not None and self.answered.stage == "settled"

    @property
    def is_test(self) -> bool:
        """Whether nothing is told before the end."""
        return self.quiz.wanted.mode == "test"

    async def show_turn(self, turn: Turn) -> None:
        """Show a question, with all that was said to it before."""
        async with self._turning:
            self.quiz.turn = turn
            self.exercise, part = stand(turn.question)
            self.tasks, self.number = (Task((part,)),), 0
            self.told, self.asked, self.picked, self.revealed = turn.told, turn.asked, turn.picked, turn.revealed
            self.judged = turn.judged
            self.confirming = False
            self._revealed = ()
            self.since = time.monotonic() - turn.spent_s
            place = self.query_one("#answering", Vertical)
            self.form = None  # on its way out it has nothing to tell any more
            await place.remove_children()
            if not place.is_attached:  # the reader has left meanwhile
                return
            form = self._form(turn)
            await place.mount(form)
            self.form = form  # a key finds it when it is whole
            if turn.draft:
                self.form.restore(turn.draft)
            elif turn.answered is None:
                self.form.wait()
            self.states = self._states()
            if self.asks_reason():
                self.form.ask_reason()
            self.retell()
            self.fade_verdict()
            if self.told or self.answered is not None:  # the reader comes back to what was said
                # after what the new form says of its cursor, which lets go of what is held in sight
                self.call_after_refresh(self.reveal, self.query_one("#said"), self.query_one(GradeLine))
            else:
                self.query_one(Page).scroll_home(animate=False)
            self.take_keys()
            self.look_below()

    def runs_on(self) -> bool:
        """Whether the place for the answer is below the window, and waits."""
        waits = self.answered is None and self.form is not None and self.form.is_mounted
        return waits and super().runs_on() and not self.can_view_entire(self.form.edited)  # type: ignore[union-attr]

    def more(self) -> str:
        """The answer."""
        return self.tell("quiz.answer_below")

    def _form(self, turn: Turn) -> Form:
        question = turn.question
        if question.card is not None:
            from tutor.widgets.card_form import CardForm

            return CardForm(self.current.parts, question.card)
        return form_of(self.current, reading(question), turn.number)

    def take_keys(self) -> None:
        """The keys go to the form while something is to be answered, else to the grade."""
        if self.settled and not self.asks_reason():
            self.set_focus(self.query_one(GradeLine).grade, scroll_visible=False)
        elif self.form is not None:
            self.form.take_focus()

    def asks_reason(self) -> bool:
        """Whether a right yes or no waits for its reason."""
        return not self.is_test and bool(self.tasks) and self.current.asks_reason(self.states)

    def _states(self) -> Mapping[str, PartState]:
        """Where the question stands, as an exercise would tell it."""
        turn = self.turn
        if turn is None or not self.tasks:
            return {}
        part, hints = self.current.first, self.quiz.run.hints() if self.quiz.run is not None else ()
        return {part.id: PartState(_status(turn, part), turn.tries, len(hints), reasons=turn.reasons)}

    # --- saying -----------------------------------------------------------------------------------------------------

    def retell_body(self) -> None:
        """Say everything again in place."""
        if self.question is None or not self.tasks:
            self.query_one("#waiting", Prose).show(pieces(self.tell("quiz.drawing"), quiet=True))
            self.query_one(GradeLine).display = False
            self.query_one(ChoiceRows).display = False
            return
        self.retell_in_place()

    def say_all(self) -> None:
        """What the question is about, its situation, the form, and what was said."""
        question = self.question
        if question is None:
            return
        self.query_one("#waiting", Prose).show([])
        self.query_one("#intro", Prose).show(pieces(quizzed.intro(question, self.session, self.lang), quiet=True))
        self.query_one("#variant", Prose).show(pieces(variants.asked(question, self.lang), quiet=True))
        prompt = self.exercise.prompt[self.lang]
        self.query_one("#prompt", Prose).show(
            self.read(self.exercise.prompt, fill.of_exercise(self.exercise)) if prompt else []
        )
        self.query_one(Givens).show(
            [GivenRow(*row) for row in fill.givens(self.exercise, self.lang)] if question.card is None else []
        )
        if self.form is not None:
            self.form.settle(self.settled)
            self.form.retell()
        self.say_task()

    def say_task(self) -> None:
        """The part of the page that a verdict, a hint or a language changes."""
        self.say_answer()
        self.pin()
        gone = quizzed.slip_gone(self.answered, self.lang) if self.answered is not None and self.told else ""
        if gone:
            verdict = self.query_one("#verdict", Prose)
            verdict.show([*verdict.pieces, Piece(Content(gone), "  ", tight=True)])
        self.say_grade()

    def pin(self) -> None:
        """A card's question stays in sight while its ideas are ticked, where it stood before the card was turned."""
        ask = self.query_one("#ask", Prose)
        card = self.question is not None and self.question.card is not None
        if card:
            ask.add_class("-empty")
        self.query_one("#pinned", Prose).show(ask.pieces if card else [])

    def say_grade(self) -> None:
        """What counts and why; in a test, at its end only."""
        line, answered = self.query_one(GradeLine), self.answered
        if answered is None or answered.graded is None or answered.test:
            line.show(None, {}, "", ())
            return
        words = {grade: quizzed.grade_name(grade, self.lang) for grade in GRADES}
        why = quizzed.reasons(answered.graded, self.lang)
        if answered.memory is not None:
            why += "; " + quizzed.comes_back(answered.memory, self.session, self.lang)
        leech = quizzed.leech(answered, self.lang)
        if leech:
            leech += " " + self.tell("quiz.reread", shortcut=self.pressed("reread"))
        line.show(answered.graded.grade, words, why, pieces(leech))

    def named(self) -> bool:
        """A part that has no question of its own is asked for by its name, unless its exercise has no other."""
        question = self.question
        return question is not None and question.exercise is not None and len(question.exercise.parts) > 1

    def worked(self, part: Part) -> tuple[Sequence[str], Sequence[Piece]]:
        """Of a reversed question the calculation is solved for what was asked; a card's answer stands in its form."""
        question = self.question
        if question is not None and question.expect is not None:
            from content.quiz import questions

            lines, text = questions.solution(question, self.lang)
            return lines, pieces(text)
        return super().worked(part)

    def warning(self) -> str:
        """Asked before a test is left."""
        return self.tell("quiz.leave_test")

    def shown(self) -> str:
        """The grade says what follows."""
        return ""

    def choices(self) -> Sequence[letters.Lettered]:
        """Only of parts of the course, and not in a test."""
        question = self.question
        if question is None or question.expect is not None or self.is_test:
            return ()
        return super().choices()

    def refresh_task(self) -> None:
        """Say the task and the frame again after something happened."""
        self.states = self._states()
        self.say_task()
        self.retell_frame()
        self.look_below()
        self.tutor.tell_notices()

    def on_resize(self) -> None:
        """What was just said stays in sight when the window changes."""
        self.stay_in_sight()
        self.look_below()


def _status(turn: Turn, part: Part) -> Status:
    """Where a question stands, as a part of an exercise would."""
    answered = turn.answered
    if answered is None or answered.graded is None:
        return "new"
    if answered.verdict is not None and answered.verdict.verdict == "correct":
        return "solved"
    # what was ticked stands as what was shown: its answer is there, and nothing was judged
    return "shown" if part.id in turn.revealed or answered.verdict is None else "tried"
