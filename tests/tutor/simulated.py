"""A simulated learner of 120 days, through the interface that the app and `--plain` sit on.

    python -m tests.tutor.simulated [--days 120] [--seed 1] [--forgets 1.0]

It studies the course over the first weeks, comes back for a quiz on most days, stays away for two weeks once, and
forgets as FSRS says people do (``forgets`` times as fast). Half its mistakes are slips with a name. Printed are reviews
per day, the recall that the quiz met against the one that was asked for, and whether an item was lost.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import mean
from typing import NamedTuple

from content import course
from content.fill import answer_text
from content.quiz.model import Question
from content.schema import COMPUTED, Part
from engine import units
from tutor import coursemap
from tutor.progress import Memory, Progress, Review, open_progress
from tutor.revision import schedule
from tutor.revision.memory import after
from tutor.revision.model import Wanted
from tutor.session import Session
from tutor.settings import Settings

START = datetime(2026, 1, 5, 12, tzinfo=UTC)
AWAY = range(70, 84)
"""Days of a break."""
ABSENT = 0.1
"""Share of the other days on which it does not come."""
STUDY_DAYS = 40
"""Days over which the exercises of the course are worked."""
HINT, SLIP = 0.1, 0.5
"""Shares: of right answers for which a hint is read; of wrong ones that are a slip with a name."""


class Day(NamedTuple):
    """One day: its number, how many were due when it began, how many were asked, how many were left due."""

    number: int
    due: int
    asked: int
    left: int


class Learner:
    """Somebody with a memory of their own, who answers what the tutor asks."""

    def __init__(
        self,
        progress: Progress,
        seed: int,
        forgets: float = 1.0,
        chosen: Settings | None = None,
        exercises: Sequence[str] | None = None,
    ) -> None:
        self.session = Session("en", chosen or Settings(), progress)
        self.session.clock = lambda: self.now
        self.now = START
        self.random, self.forgets = Random(seed), forgets
        self.own: dict[str, Memory] = {}
        """What it really remembers: made of the same answers, and read with its own speed of forgetting."""
        self.days: list[Day] = []
        self._all = [e for e in coursemap.exercises() if exercises is None or e.id in exercises]
        self._exercises = list(self._all)

    def live(self, days: range) -> None:
        """Live through days; the first is 0."""
        for number in days:
            self.now = START + timedelta(days=number, minutes=self.random.randint(-240, 240))
            if number in AWAY or self.random.random() < ABSENT:
                continue
            self.study(number)
            self.quiz(number)

    # --- study ------------------------------------------------------------------------------------------------------

    def study(self, number: int) -> None:
        """Work the exercises of this day, each part until it is right, and read their lessons."""
        every = len(self._all)
        share = every * min(number + 1, STUDY_DAYS) // STUDY_DAYS
        while share > every - len(self._exercises):
            entry = self._exercises.pop(0)
            for section in course.lesson(entry.lesson).sections:
                coursemap.saw(self.session, entry.lesson, section.id)
            for part in course.exercise(entry.id).parts:
                self._work(part)

    def _work(self, part: Part) -> None:
        if part.kind == "rubric":
            self.session.self_mark(part.id, "because", [point.id for point in part.rubric], 60)
        else:
            if self.random.random() < 0.3:
                self.session.check(part.id, self._wrong(part), self._seconds())
            self.session.check(part.id, right_answer(part), self._seconds())
        self._remember()

    # --- quiz -------------------------------------------------------------------------------------------------------

    def quiz(self, number: int) -> None:
        """One quiz of what is due."""
        revision = self.session.revision
        due = revision.due().items
        run = revision.start(Wanted("due"))
        while (question := run.next()) is not None:
            seconds = self._seconds()
            self.now += timedelta(seconds=seconds)
            if self.random.random() < self._recall(question.item.id):
                if self.random.random() < HINT:
                    run.hint()
                self._right(run, question, seconds)  # type: ignore[arg-type]
            else:
                self._miss(run, question, seconds)  # type: ignore[arg-type]
            self._remember()
        sheet = run.sheet()
        self.days.append(Day(number, due, len(sheet.asked), sheet.due_left))

    def _right(self, run: object, question: Question, seconds: float) -> None:
        from tutor.revision.run import Run

        assert isinstance(run, Run)
        if question.card is not None:
            run.tick("", [str(n) for n in range(len(question.card.terms["en"]))], seconds)
        elif question.part is not None and question.part.kind == "rubric":
            run.tick("", [point.id for point in question.part.rubric], seconds)
        else:
            answered = run.answer(right_of(question), seconds)
            assert answered.stage == "settled", (question.item.id, question.variant, right_of(question), answered)

    def _miss(self, run: object, question: Question, seconds: float) -> None:
        from tutor.revision.run import Run

        assert isinstance(run, Run)
        if question.card is not None or (question.part is not None and question.part.kind == "rubric"):
            run.tick("", [], seconds)
        elif self.random.random() < 0.3 or question.expect is not None or question.part is None:
            run.give_up(seconds)
        else:
            run.answer(self._wrong(question.part), seconds)
            if run.answered is not None and run.answered.graded is None:
                run.give_up(seconds)

    def _wrong(self, part: Part) -> str:
        """A wrong answer: a slip's where one is at hand, else any."""
        if part.kind in COMPUTED:
            from content.checking import expectation
            from engine.answers.numeric import broken_values, right_value

            expect = expectation(*course.part(part.id))
            right = right_value(expect)
            slips = [one.value for one in broken_values(expect) if one.value != right]
            value = self.random.choice(slips) if slips and self.random.random() < SLIP else right * 3
            return f"{float(value / units.get(part.unit).factor):.12g}"
        if part.kind == "formula":
            return "B*S"
        if part.kind == "judge":
            return "no" if part.answer == ("yes",) else "yes"
        if part.kind in ("choice", "match"):
            return next(option.id for option in part.options if (option.id,) != part.answer)
        return " ".join(reversed(right_answer(part).split()))

    def _recall(self, item: str) -> float:
        memory = self.own.get(item)
        if memory is None:
            return 0.7
        if memory.again_at is not None and memory.day == self.session.revision.today:
            return 0.9
        gone = (self.session.revision.today - memory.day).days * self.forgets
        return float((1 + schedule.FACTOR * gone / memory.stability) ** -schedule.DECAY)

    def _seconds(self) -> float:
        return round(self.random.lognormvariate(3.6, 0.5), 1)

    def _remember(self) -> None:
        """What it really remembers follows from its answers; it is counted here once more, apart from the tutor."""
        for review in self.session.progress.recent(6)[::-1]:
            known = self.own.get(review.item)
            if known is None or known.when < review.when:
                self.own[review.item] = after(known, review)


def right_answer(part: Part) -> str:
    """The right answer to a part of the course, as a learner may type it."""
    return answer_text(part)


def right_of(question: Question) -> str:
    """The right answer to a question that is checked."""
    if question.expect is not None and question.expect.value is not None:
        return f"{float(question.expect.value / units.get(question.expect.unit).factor):.12g}"
    assert question.part is not None
    return right_answer(question.part)


# --- what it shows ----------------------------------------------------------------------------------------------------


def tested(reviews: Sequence[Review]) -> Iterator[tuple[Review, Review]]:
    """Reviews by a quiz on a later day than the one before: those, with the one before."""
    last: dict[str, Review] = {}
    for review in reviews:
        before = last.get(review.item)
        if before is not None and review.source == "quiz" and review.day > before.day:
            yield review, before
        last[review.item] = review


def known_share(reviews: Sequence[Review], since: date, *, known_before: bool = False) -> tuple[float, int]:
    """The share of them that were known, and how many there were, from a day on.

    ``known_before`` leaves out what had been missed the last time: that comes back after minutes or on the next day,
    whatever recall is wanted.
    """
    pairs = [pair for pair in tested(reviews) if pair[0].day >= since]
    found = [one.grade != "again" for one, before in pairs if not known_before or before.grade != "again"]
    return (mean(found) if found else 0.0), len(found)


def main() -> None:
    """Print one life."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--forgets", type=float, default=1.0)
    parser.add_argument("--retention", type=float, default=0.9)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        progress = open_progress(Path(folder) / "progress.db")
        learner = Learner(progress, args.seed, args.forgets, Settings(target_retention=args.retention))
        learner.live(range(args.days))
        _report(learner, args.retention)
        progress.close()


def _report(learner: Learner, target: float) -> None:
    reviews = learner.session.progress.reviews()
    print(" day    due  asked   left")
    for day in learner.days:
        print(f"{day.number:4d}  {day.due:5d}  {day.asked:5d}  {day.left:5d}")
    asked = [day.asked for day in learner.days]
    print(f"\nreviews {len(reviews)}, sources {dict(Counter(review.source for review in reviews))}")
    print(f"items {len(learner.session.revision.memories)}, questions a day {mean(asked):.1f}, most {max(asked)}")
    for name, since in (("all days", date.min), ("after day 30", (START + timedelta(days=30)).date())):
        (every, n), (known, m) = known_share(reviews, since), known_share(reviews, since, known_before=True)
        print(f"recall met on {name}: {known:.3f} of {m} known the time before (asked for: {target})", end="; ")
        print(f"{every:.3f} of all {n}")


if __name__ == "__main__":
    main()
