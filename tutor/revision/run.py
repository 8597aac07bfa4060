"""One quiz, question after question. The app and `--plain` both sit on it; it prints nothing.

The first answer that could be read grades a question. Further tries are the learner's own affair: they are recorded as
attempts, and a slip in them counts. What was not known comes again within the quiz, once its minutes are over.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final

from content import address, course
from content.quiz import questions
from content.quiz.model import Item, Question
from tutor.progress import Grade, Memory, Review, Source
from tutor.revision import choosing, grading, schedule
from tutor.revision.grading import Evidence
from tutor.revision.model import Answered, Due, Graded, Line, Sheet, Stage, Wanted
from tutor.revision.placing import place_for

if TYPE_CHECKING:
    from content.schema import Part
    from engine.answers.model import Verdict
    from tutor.revision.revision import Revision
    from tutor.session import Checked, Hint, Solution

TEST_COUNT: Final = 10
"""Questions of a test where nobody says how many."""
TEST_SHARE: Final = 1.25
"""A test gives so many times the learner's usual time, where nobody says how long."""
LEAST_TEST_S: Final = 300.0
EARLY: Final = timedelta(minutes=20)
"""What comes again within this comes at once when nothing else is left."""
MOST_TIMES: Final = 3
"""So often one item is asked in one quiz; then it is left for another day."""


class Run:
    """A quiz. Methods may be called in worker threads, one at a time.

    ``ProgressProblem`` is raised only while it is put together. Later a disk that refuses, or a file that breaks, is
    told by the session, and the quiz goes on.

    Attributes:
        wanted: what was asked for.
        offered: what was due at the start.
        limit_s: seconds of a test; ``None`` elsewhere.
        current: the question at hand; ``None`` before the first and after the last.
        answered: what came of its last answer; ``None`` while it is open.
    """

    def __init__(
        self, revision: Revision, wanted: Wanted, random: Random, ticks: Callable[[], float] = time.monotonic
    ) -> None:
        self.revision, self.session, self.wanted = revision, revision.session, wanted
        self.test = wanted.mode == "test"
        self.offered: Due = revision.due()
        self.current: Question | None = None
        self.answered: Answered | None = None
        default = TEST_COUNT if self.test else self.session.settings.quiz_count
        most = wanted.most or default
        self._queue = choosing.choose(revision.known(), wanted, most, random)
        self._total = min(most, len(self._queue))
        self.limit_s = self._limit() if self.test else None
        self._again: list[tuple[datetime, Item]] = []
        self._times: dict[str, int] = {}
        self._lines: dict[str, Line] = {}
        self._hints = 0
        self._told: list[Hint] = []
        self._reasoned = False
        self._ticks, self._lock = ticks, threading.RLock()
        self._began, self._at = ticks(), self.session.clock()
        self._ended: float | None = None

    def _limit(self) -> float:
        if self.wanted.minutes is not None:
            return self.wanted.minutes * 60
        usual = self.revision.usual_s(self._queue[: self._total]) * TEST_SHARE
        return max(float(-(-usual // 60) * 60), LEAST_TEST_S)

    # --- the way through --------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the time of a test has run out."""
        return self.limit_s is not None and self.left_s() == 0

    def left_s(self) -> float:
        """Seconds left of a test; 0 when it is over, and where there is no limit."""
        return max(self.limit_s - (self._ticks() - self._began), 0.0) if self.limit_s is not None else 0.0

    def place(self) -> tuple[int, int]:
        """Which question this is, of how many; one that comes again keeps the count."""
        return len(self._lines), max(self._total, len(self._lines))

    def next(self) -> Question | None:
        """The next question, drawn; ``None`` at the end. One left open is passed over."""
        with self._lock:
            self._close()
            while (item := None if self.over else self._next_item()) is not None:
                question = self.session.reading(partial(self._drawn, item))
                if question is not None:
                    self._open(question)
                    return question
            self._ended = self._ended or self._ticks()
            return None

    def _next_item(self) -> Item | None:
        now = self.session.clock()
        ripe = next((pair for pair in sorted(self._again, key=_when) if pair[0] <= now), None)
        if ripe is None and len(self._lines) < self._total and self._queue:
            return self._queue.pop(0)
        if ripe is None:
            ripe = min((pair for pair in self._again if pair[0] <= now + EARLY), key=_when, default=None)
        if ripe is not None:
            self._again.remove(ripe)
            return ripe[1]
        return None

    def _drawn(self, item: Item) -> Question | None:
        """The question of an item; ``None`` for one that cannot be asked here."""
        memory = self._memories.get(item.id)
        place = place_for(self.session, item, memory, self._times.get(item.id, 0), self.wanted.level)
        if place is None:
            return None
        part, variant = address.split(place)
        try:
            question = questions.question(item, variant, part if item.kind == "slip" else "")
        except course.UnknownVariant:
            question = questions.question(item, 0, part if item.kind == "slip" else "")
        tickable = question.card is not None or (question.part is not None and question.part.kind == "rubric")
        return None if self.test and tickable else question  # only what is checked stands in a test

    def _open(self, question: Question) -> None:
        item = question.item
        self.current, self.answered = question, None
        self._hints, self._told, self._reasoned = 0, [], False
        self._times[item.id] = self._times.get(item.id, 0) + 1
        line = Line(item, question.variant, "", None, None, (), 0.0, None, False)
        self._lines.setdefault(item.id, line)

    def _close(self) -> None:
        """Leave the question at hand; what is to come again is noted."""
        question, self.current = self.current, None
        if question is None or self.answered is None or self.test:
            return
        memory = self._memories.get(question.item.id)
        if memory is not None and memory.again_at is not None and self._times[question.item.id] < MOST_TIMES:
            self._again.append((memory.again_at, question.item))

    def skip(self) -> None:
        """Pass the question over, ungraded."""
        with self._lock:
            if self.answered is None:
                self.current = None

    # --- answering --------------------------------------------------------------------------------------------------

    def answer(self, text: str, seconds: float = 0.0) -> Answered:
        """Judge an answer to a part or a reverse question; what could be read is on the disk before this returns.

        Raises ``ValueError`` for a card or a self-marked part: those are ticked.
        """
        with self._lock:
            question = self._asked()
            if self.over:
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

        checked = self.session.check(part.id, text, seconds, reviews)
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
        right, slip = verdict.verdict == "correct", question.item.kind == "slip"
        ladder = len(question.part.hints) if question.part is not None else 0
        return Evidence(
            right,
            near=grading.near(verdict) and not slip,
            slip_again=not right and slip and alone == question.item.source,
            other=not right and slip and alone != question.item.source,
            hints=self._hints,
            ladder=ladder,
            seconds=seconds,
            pace=self.revision.pace(question.item),
            test=self.test,
        )

    # --- beside the answer ------------------------------------------------------------------------------------------

    def hint(self) -> Hint | None:
        """The next rung of the ladder, which the grade will know of; ``None`` when there is none, and in a test."""
        from content import fill
        from tutor.session import Hint

        with self._lock:
            question = self._asked()
            exercise, part, lang = question.exercise, question.part, self.session.language
            if self.test or exercise is None or part is None or self._hints >= len(part.hints):
                return None
            text = fill.fill(part.hints[self._hints][lang], lang, fill.of_part(exercise, part))
            self._hints += 1
            self._told.append(Hint(self._hints, len(part.hints), text))
            if question.expect is None:
                self.session.read_hint(part.id, self._hints)
            return self._told[-1]

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

    def _asked(self) -> Question:
        if self.current is None:
            raise ValueError("no question is open")
        return self.current

    @property
    def _memories(self) -> Mapping[str, Memory]:
        return self.session.reading(lambda: self.revision.memories)

    @property
    def _source(self) -> Source:
        return "test" if self.test else "quiz"

    # --- the end ----------------------------------------------------------------------------------------------------

    def sheet(self) -> Sheet:
        """How it goes, or went. In a test, questions that were not reached stand on it too, as such."""
        seconds = (self._ended if self._ended is not None else self._ticks()) - self._began
        lines = list(self._lines.values())
        if self.test:
            missing = self._queue[: max(self._total - len(lines), 0)]
            lines += [Line(item, 0, "", None, None, (), 0.0, None, False) for item in missing]
        due = self.session.reading(self.revision.due)
        following = due.next or self.revision.next_day()
        return Sheet(
            self.wanted, self._at, round(seconds, 1), tuple(lines), self.limit_s, self.over, due.items, following
        )


def _when(pair: tuple[datetime, Item]) -> datetime:
    return pair[0]
