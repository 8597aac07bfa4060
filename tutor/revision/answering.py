"""What an answer in a quiz is worth: judged, ticked or given up, it is graded once, recorded, and put on the sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from content import address
from content.quiz import questions
from content.quiz.model import Item, Question
from tutor.progress import Memory, Review
from tutor.revision import grading, schedule
from tutor.revision.flow import Flow
from tutor.revision.grading import Evidence
from tutor.revision.model import Answered, Graded, Stage

if TYPE_CHECKING:
    from content.schema import Part
    from engine.answers.model import Verdict
    from tutor.checked import Checked


class Answering(Flow):
    """A quiz whose questions are answered."""

    _hints = 0
    """How many hints were read for the question at hand."""

    def _open(self, question: Question) -> None:
        super()._open(question)
        self._hints = 0

    def answer(self, text: str, seconds: float = 0.0) -> Answered:
        """Judge an answer to a part or a reverse question; what could be read is on the disk before this returns.

        Raises ``ValueError`` for a card or a self-marked part: those are ticked.
        """
        with self._lock:
            question = self._asked()
            if self.closed:
                return self._late(question)
            if question.part is None or question.part.kind == "rubric":
                raise ValueError(f"{question.item.id} is ticked, not checked")
            if question.expect is not None:
                return self.session.reading(lambda: self._answer_made(question, text, seconds))
            part = question.part
            return self.session.reading(lambda: self._answer_part(question, part, text, seconds))

    def _answer_part(self, question: Question, part: Part, text: str, seconds: float) -> Answered:
        item, found = question.item, list[Graded]()

        def reviews(verdict: Verdict, alone: str | None) -> Sequence[Review]:
            own = item.kind == "slip" and alone == item.source
            slip = () if alone is None or own else self.revision.of_slip(alone, part.id)
            if self.answered is not None:
                return slip
            evidence = self._evidence(verdict, seconds, question, alone)
            found.append(grading.grade(evidence))
            main = self.revision.review(
                item.id, part.id, found[0], self._source, text, evidence.right, seconds, self._hints
            )
            return (main, *slip)

        checked = self.session.check(part.id, text, seconds, reviews, anew=self.answered is None)
        alone = tuple(checked.verdict.slips) if checked.verdict.verdict == "incorrect" else ()
        return self._judged(question, text, seconds, checked.verdict, found[0] if found else None, alone, checked)

    def _answer_made(self, question: Question, text: str, seconds: float) -> Answered:
        """A reverse question: no part of the course, so no attempt; its slips stand in the review."""
        verdict = questions.check(question, text)
        graded, slips = None, tuple(verdict.slips) if verdict.verdict == "incorrect" else ()
        if verdict.verdict != "invalid":
            place = address.join(question.item.source, question.variant)
            alone = slips[0] if len(slips) == 1 else None
            slip = () if alone is None else self.revision.of_slip(alone, place)
            if self.answered is None:
                graded = grading.grade(self._evidence(verdict, seconds, question, None))
                right = verdict.verdict == "correct"
                slip = (
                    self.revision.review(
                        question.item.id, place, graded, self._source, text, right, seconds, self._hints, slips
                    ),
                    *slip,
                )
            if slip:
                self.session.review(slip)
        return self._judged(question, text, seconds, verdict, graded, slips)

    def _judged(
        self,
        question: Question,
        text: str,
        seconds: float,
        verdict: Verdict,
        graded: Graded | None,
        slips: tuple[str, ...],
        checked: Checked | None = None,
    ) -> Answered:
        right = verdict.verdict == "correct"
        before = self.answered
        if verdict.verdict == "invalid" and before is None:
            return Answered(question, "open", verdict, checked, test=self.test)
        stage: Stage = "settled" if right or self.test else "answered"
        if before is not None and verdict.verdict == "invalid":
            stage = before.stage
        graded = graded or (before.graded if before is not None else None)
        return self._settled(question, stage, verdict, checked, graded, (text, right, slips, seconds))

    def tick(self, text: str, ids: Sequence[str], seconds: float = 0.0) -> Answered:
        """What the learner says was there: numbers of a card's ideas from "0" on, or ids of rubric points.

        Raises ``ValueError`` for a question that is checked.
        """
        with self._lock:
            question = self._asked()
            if self.answered is not None:
                return self.answered
            item, part = question.item, question.part
            if question.card is not None:
                of = len(question.card.terms[self.session.language])
                there = len({id_ for id_ in ids if id_.isdecimal() and int(id_) < of})
            elif part is not None and part.kind == "rubric":
                of = len(part.rubric)
                there = len({point.id for point in part.rubric} & set(ids))
            else:
                raise ValueError(f"{item.id} is checked, not ticked")
            graded = grading.grade(Evidence(there == of, ticked=(there, of)))
            place = part.id if part is not None else ""
            review = self.revision.review(item.id, place, graded, self._source, text, None, seconds, self._hints)
            if part is not None:
                self.session.self_mark(part.id, text, ids, seconds, (review,))
            else:
                self.session.review((review,))
            line = (text, graded.grade != "again", (), seconds)
            return self._settled(question, "settled", None, None, graded, line)

    def give_up(self, seconds: float = 0.0) -> Answered:
        """ "I do not know": graded so, unless it was graded already; nothing more to do here but to read."""
        with self._lock:
            question = self._asked()
            if self.answered is not None:
                self.answered = self.answered._replace(stage="settled")
                return self.answered
            if self.over:
                return self._late(question)
            graded = grading.grade(Evidence(False, gave_up=True, test=self.test))
            place = question.part.id if question.part is not None and question.expect is None else ""
            review = self.revision.review(
                question.item.id, place, graded, self._source, "", False, seconds, self._hints
            )
            self.session.review((review,))
            if place and not self.test:
                self.session.saw_solution(place)  # these numbers are used up: their answer is on the screen
            return self._settled(question, "settled", None, None, graded, ("", False, (), seconds))

    def _late(self, question: Question) -> Answered:
        """An answer after the bell is none."""
        return Answered(question, "settled", test=True)

    def _settled(
        self,
        question: Question,
        stage: Stage,
        verdict: Verdict | None,
        checked: Checked | None,
        graded: Graded | None,
        line: tuple[str, bool, tuple[str, ...], float],
    ) -> Answered:
        """Keep what came of an answer, on the sheet too; of an item that came again the first answer stands there."""
        memory = self._memories.get(question.item.id)
        leech = memory is not None and schedule.is_leech(memory)
        first = self.answered is None
        self.answered = Answered(question, stage, verdict, checked, graded, memory, leech, self.test)
        self._note(question.item, memory, leech, graded, line if first else None)
        return self.answered

    def _note(
        self,
        item: Item,
        memory: Memory | None,
        leech: bool,
        graded: Graded | None,
        line: tuple[str, bool, tuple[str, ...], float] | None,
    ) -> None:
        old = self._lines[item.id]
        due = self.revision.due_day(memory) if memory is not None else None
        if self._times[item.id] > 1 or line is None:
            self._lines[item.id] = old._replace(due=due, leech=leech)
            return
        text, right, slips, seconds = line
        self._lines[item.id] = old._replace(
            answer=text, right=right, graded=graded, slips=slips, seconds=seconds, due=due, leech=leech
        )

    def _evidence(self, verdict: Verdict, seconds: float, question: Question, alone: str | None) -> Evidence:
        right, slip, own = verdict.verdict == "correct", question.item.kind == "slip", question.item.source
        ladder = len(question.part.hints) if question.part is not None else 0
        return Evidence(
            right,
            near=grading.near(verdict) and not slip,
            unit=grading.unit_missing(verdict) and not slip,
            slip_again=not right and slip and alone == own,
            other=not right and slip and alone != own and own not in verdict.slips,
            hints=self._hints,
            ladder=ladder,
            seconds=seconds,
            pace=self.revision.pace(question.item),
            test=self.test,
        )
