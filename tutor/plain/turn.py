"""One question of a quiz in lines: asked, judged, graded; then another try, another grade, or the next one."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from content.markup import plain
from content.schema import Exercise, Part
from content.words import say
from tutor import quizzed, variants
from tutor.plain import asking, grading, marking, reasoning
from tutor.plain.announcing import announced
from tutor.plain.orders import Order
from tutor.plain.reader import Reader
from tutor.plain.which import Which

if TYPE_CHECKING:
    from content.quiz.model import Question
    from tutor.revision.model import Answered
    from tutor.revision.run import Run


def ask(reader: Reader, asked: Run, question: Question) -> tuple[str, Answered] | None:
    """Ask a part of the course, or one that is asked backwards, and stay until the learner goes on.

    Returns what was typed first and what came of it; ``None`` where nothing was graded.
    """
    assert question.exercise is not None and question.part is not None
    turn = _Turn(reader, asked, question, question.exercise, question.part)
    turn.all()
    return (turn.typed, turn.answered) if turn.answered is not None and turn.answered.graded is not None else None


class _Turn:
    def __init__(self, reader: Reader, asked: Run, question: Question, exercise: Exercise, part: Part) -> None:
        self._reader, self._asked, self._question = reader, asked, question
        self._exercise, self._part = exercise, part
        self._which = Which(reader, part, asked.settle)
        self.answered: Answered | None = None
        """What came of the first answer that could be read, and of what followed it."""
        self.typed = ""
        """That answer."""
        self._began = time.monotonic()

    def all(self) -> None:
        """From the question to the wish to go on."""
        intro = quizzed.intro(self._question, self._reader.session, self._reader.lang)
        if intro:
            self._reader.out.say(intro)
        self._say_question()
        while not self._over():
            order, typed = self._reader.listen(self._prompt())
            if self._followed(order, typed):
                return

    def _over(self) -> bool:
        """Whether there is nothing to wait for: in a test nothing is said to an answer."""
        return self.answered is not None and self.answered.test

    def _prompt(self) -> str:
        if self.answered is None:
            return asking.how(self._part, self._reader.lang)
        return self._reader.say("quiz.again_prompt" if self.answered.stage == "answered" else "quiz.next_prompt")

    def _followed(self, order: Order | None, typed: str) -> bool:
        """Do what a typed line says; whether the learner goes on to the next question."""
        if order in ("next", "skip") or (not typed and self._settled()):
            return self._leave()
        if order == "solution" or (not typed and self.answered is not None):
            self._give_up()
        elif order is not None:
            self._aside(order)
        elif typed:
            self._heard(typed)
        return False

    def _settled(self) -> bool:
        return self.answered is not None and self.answered.stage == "settled"

    def _leave(self) -> bool:
        if self.answered is None:
            self._asked.skip()
            self._reader.out.say(self._reader.say("quiz.skipped"))
        return True

    def _heard(self, typed: str) -> None:
        changed = grading.overruled(self._reader, self._asked, self.answered, typed)
        if changed is not None:
            self.answered = changed
        elif grading.is_said(typed):
            grading.help(self._reader, self.answered)
        elif self._which.picked(typed):
            return
        elif self._settled():
            self._reader.out.say(self._reader.say("quiz.done_with"))
        elif self._part.kind == "rubric":
            self._rubric(typed)
        else:
            self._judge(typed)

    # --- an answer ------------------------------------------------------------------------------------------------

    def _judge(self, typed: str) -> None:
        reader, first = self._reader, self.answered is None
        answered = self._asked.answer(typed, time.monotonic() - self._began)
        if self._asked.over:  # too late to count
            self.answered = answered
            return
        if answered.graded is None:  # it could not be read
            self._say_verdict(answered)
            self._which.ask()
            return
        self.answered = answered
        self.typed = typed if first else self.typed
        if answered.test:
            reader.out.say(say("quiz.test.noted", reader.lang))
            return
        self._say_verdict(answered)
        right = answered.verdict is not None and answered.verdict.verdict == "correct"
        if right and self._part.reasons:
            reasoning.ask(reader, self._part, self._reason, self._aside)
        if first:
            self._say_grade()
        if answered.checked is not None and not right:
            self._which.of(answered.checked)
        if gone := quizzed.slip_gone(answered, reader.lang):
            reader.out.say(gone)

    def _say_verdict(self, answered: Answered) -> None:
        if answered.verdict is not None:
            text = plain(quizzed.message(answered, self._reader.lang))
            self._reader.out.say(announced(answered.verdict.verdict, text, self._reader.lang))

    def _reason(self, id: str) -> bool:
        self.answered = self._asked.reason(id)
        return id == self._part.reason

    def _rubric(self, typed: str) -> None:
        seconds = time.monotonic() - self._began
        marked = marking.ticked(self._reader, self._exercise, self._part)
        self.answered = self._asked.tick(typed, marked, seconds)
        self._reader.out.say(marking.told(self._reader, self._part, marked))
        self._say_grade()

    def _give_up(self) -> None:
        """ "I do not know", or enough of trying: the solution is shown, where a test does not keep it back."""
        first = self.answered is None
        self.answered = self._asked.give_up(time.monotonic() - self._began)
        if self.answered.test:
            self._reader.out.say(say("quiz.test.noted", self._reader.lang))
            return
        if first:
            self._say_grade()
        self._solution()

    def _say_grade(self) -> None:
        if self.answered is not None:
            grading.outcome(self._reader, self.answered)

    # --- beside the answer ----------------------------------------------------------------------------------------

    def _say_question(self) -> None:
        reader = self._reader
        numbers = variants.asked(self._question, reader.lang)
        reader.out.say("\n" + asking.prompt(self._exercise, reader.lang, numbers))
        if self._part.kind == "match":  # what is asked about stands in the label alone
            reader.out.say(f'\n"{plain(self._part.label[reader.lang])}"')
        text = asking.question(self._exercise, self._part, reader.lang)
        if text:
            reader.out.say(text)
        self._which.ask()

    def _aside(self, order: Order) -> None:
        if order == "hint":
            self._hint()
        elif order in ("repeat", "lang"):
            self._say_question()
        elif order == "lesson":
            self._reader.out.say(grading.lesson(self._reader, self._question))
        elif order == "grade":
            grading.help(self._reader, self.answered)
        else:
            self._reader.out.say(self._reader.say("quiz.not_here"))

    def _hint(self) -> None:
        reader, read = self._reader, self._asked.hints()
        hint = self._asked.hint()
        if hint is not None:
            reader.out.say(reader.say("plain.hint", n=hint.n, of=hint.of, text=plain(hint.text)))
            return
        if self._asked.wanted.mode == "test":
            reader.out.say(reader.say("quiz.test_no_hint"))
            return
        for old in read:
            reader.out.say(reader.say("plain.hint", n=old.n, of=old.of, text=plain(old.text)))
        reader.out.say(reader.say("plain.no_hint"))

    def _solution(self) -> None:
        reader = self._reader
        for line in quizzed.solution(self._question, self._asked, reader.lang):
            reader.out.say(line)
