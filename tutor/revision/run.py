"""One quiz, question after question. The app and `--plain` both sit on it; it prints nothing.

The first answer that could be read grades a question. Further tries are the learner's own affair: they are recorded as
attempts, and a slip in them counts. What was not known comes again within the quiz, once its minutes are over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from content import address
from content.quiz import questions
from content.quiz.model import Item, Question
from tutor.progress import Grade
from tutor.revision import schedule
from tutor.revision.answering import Answering
from tutor.revision.model import Answered, Graded

if TYPE_CHECKING:
    from tutor.session import Hint, Solution


class Run(Answering):
    """A quiz. Methods may be called in worker threads, one at a time.

    ``ProgressProblem`` is raised only while it is put together. Later a disk that refuses, or a file that breaks, is
    told by the session, and the quiz goes on.
    """

    _reasoned = False
    """Whether a reason was given for the yes or no at hand."""

    def _open(self, question: Question) -> None:
        super()._open(question)
        self._reasoned = False

    def hint(self) -> Hint | None:
        """The next rung of the ladder, which the grade will know of; ``None`` when there is none, and in a test."""
        with self._lock:
            part = self._asked().part
            if self.test or part is None or self._hints >= len(part.hints):
                return None
            self._hints += 1
            if self._asked().expect is None:
                self.session.read_hint(part.id, self._hints)
            return self.hints()[-1]

    def hints(self) -> tuple[Hint, ...]:
        """The hints read for this question, in the session's language."""
        from content import fill
        from tutor.session import Hint

        question = self.current
        if question is None or question.part is None or question.exercise is None:
            return ()
        part, lang, scope = question.part, self.session.language, fill.of_part(question.exercise, question.part)
        texts = [fill.fill(part.hints[n][lang], lang, scope) for n in range(self._hints)]
        return tuple(Hint(n, len(part.hints), text) for n, text in enumerate(texts, start=1))

    def solution(self) -> Solution | None:
        """The worked solution, once the question is graded; ``None`` before that, for a card, and in a test."""
        from content import fill
        from tutor.session import Solution

        question = self._asked()
        if self.answered is None or self.test or question.part is None:
            return None
        if question.expect is not None:
            return Solution(*questions.solution(question, self.session.language))
        assert question.exercise is not None  # a part is never without
        part, lang = question.part, self.session.language
        told = fill.fill(part.solution[lang], lang, fill.of_part(question.exercise, part))
        return self.session.solution(part.id)._replace(text=told)  # the session knows the course's text only

    def reason(self, reason: str) -> Answered:
        """The reason chosen for a right yes or no. The first one counts: another than the right one was a guess."""
        with self._lock:
            question, answered = self._asked(), self.answered
            if answered is None or question.part is None or answered.graded is None:
                raise ValueError("a reason is given for a right answer")
            right = self.session.give_reason(question.part.id, reason)
            first, self._reasoned = not self._reasoned, True
            if right or not first or answered.graded.grade == "again":
                return answered
            self.session.regrade(question.item.id, "again")
            return self._regraded(Graded("again", "again", ("reason-wrong",)), right=False)

    def settle(self, slip: str) -> None:
        """The learner says which of several slips it was."""
        with self._lock:
            question = self._asked()
            if question.part is None:
                return
            if question.expect is None:
                self.session.settle(question.part.id, slip)
            elif self.answered is not None and self.answered.verdict and slip in self.answered.verdict.slips:
                place = address.join(question.item.source, question.variant)
                self.session.settle_review(question.item.id, slip, place)
            old = self._lines[question.item.id]
            if slip in old.slips:
                self._lines[question.item.id] = old._replace(slips=(slip,))
            self._settle_reason(question.item, slip)

    def _settle_reason(self, item: Item, slip: str) -> None:
        """Of an item about a slip it is clear now whether it was this one; the grade is the same."""
        answered = self.answered
        if item.kind != "slip" or answered is None or answered.graded is None or "wrong" not in answered.graded.reasons:
            return
        told = "slip-again" if slip == item.source else "other-slip"
        reasons = tuple(told if reason == "wrong" else reason for reason in answered.graded.reasons)
        self._regraded(answered.graded._replace(reasons=reasons))

    def overrule(self, grade: Grade) -> Answered:
        """The learner's own grade for the question just answered. Raises ``ValueError`` where nothing is graded."""
        with self._lock:
            question, answered = self._asked(), self.answered
            if answered is None or answered.graded is None:
                raise ValueError("nothing is graded yet")
            if grade == answered.graded.grade:
                return answered
            self.session.overrule(question.item.id, grade)
            reasons = tuple(reason for reason in answered.graded.reasons if reason != "overruled")
            more = ("overruled",) if grade != answered.graded.proposed else ()
            return self._regraded(Graded(grade, answered.graded.proposed, (*more, *reasons)))

    def _regraded(self, graded: Graded, right: bool | None = None) -> Answered:
        question, answered = self._asked(), self.answered
        if answered is None:
            raise ValueError("nothing is graded yet")
        memory = self._memories.get(question.item.id)
        leech = memory is not None and schedule.is_leech(memory)
        self.answered = answered._replace(graded=graded, memory=memory, leech=leech)
        old = self._lines[question.item.id]
        if self._times[question.item.id] == 1:
            old = old._replace(graded=graded, right=old.right if right is None else right)
        due = self.revision.due_day(memory) if memory is not None else None
        self._lines[question.item.id] = old._replace(due=due, leech=leech)
        return self.answered
