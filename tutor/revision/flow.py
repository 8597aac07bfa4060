"""The way through one quiz: which question comes next, what comes again, when it is over, and its sheet."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final

from content import address
from content.quiz import questions
from content.quiz.model import Item, Question
from tutor.progress import Memory, Source
from tutor.revision import choosing
from tutor.revision.model import Answered, Due, Line, Sheet, Wanted
from tutor.revision.placing import Wished, asked_in, place_for

if TYPE_CHECKING:
    from tutor.revision.revision import Revision

TEST_COUNT: Final = 10
"""Questions of a test where nobody says how many."""
TEST_SHARE: Final = 1.25
"""A test gives so many times the learner's usual time, where nobody says how long."""
LEAST_TEST_S: Final = 300.0
EARLY: Final = timedelta(minutes=20)
"""What comes again within this comes at once when nothing else is left."""
GRACE_S: Final = 3.0
"""Seconds after the bell of a test in which what stood typed is still taken."""
MOST_TIMES: Final = 3
"""So often one item is asked in one quiz; then it is left for another day."""


class Flow:
    """A quiz as a row of questions.

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
        self._places: dict[str, str] = {}
        """Where a question stood in this quiz: address of a part -> the item that it asked."""
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

    @property
    def closed(self) -> bool:
        """Whether it is too late for an answer, even one that stood typed when the bell rang."""
        return self.limit_s is not None and self._ticks() - self._began > self.limit_s + GRACE_S

    def left_s(self) -> float:
        """Seconds left of a test; 0 when it is over, and where there is no limit."""
        return max(self.limit_s - (self._ticks() - self._began), 0.0) if self.limit_s is not None else 0.0

    def place(self) -> tuple[int, int]:
        """Which question this is, of how many; one that comes again keeps the count."""
        asked = len(self._lines)
        return asked, max(min(self._total, asked + len(self._queue)), asked)

    @property
    def once_more(self) -> bool:
        """Whether the question at hand was asked before in this quiz."""
        return self.current is not None and self._times[self.current.item.id] > 1

    @property
    def coming(self) -> int:
        """How many missed ones come again in this quiz, the one at hand not counted."""
        return len(self._again)

    def end(self) -> None:
        """The quiz is over, or left: its clock stops."""
        with self._lock:
            self._ended = self._ended or self._ticks()

    def next(self) -> Question | None:
        """The next question, drawn; ``None`` at the end. One left open is passed over."""
        with self._lock:
            self._close()
            while (item := None if self.over else self._next_item()) is not None:
                question = self.session.reading(partial(self._drawn, item))
                if question is not None:
                    self._open(question)
                    return question
            self.end()
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
        wished = Wished(self._times.get(item.id, 0), self.wanted.level, frozenset(self._places))
        place = place_for(self.session, item, self._memories.get(item.id), wished)
        # the very same question under another name would be asking twice: it waits for another day
        others = [other for other, asked in self._places.items() if asked != item.id]
        if place is None or (place and asked_in(place, others)):
            return None
        part, variant = address.split(place)
        question = questions.question(item, variant, part if item.kind == "slip" else "")
        tickable = question.card is not None or (question.part is not None and question.part.kind == "rubric")
        return None if self.test and tickable else question  # only what is checked stands in a test

    def _open(self, question: Question) -> None:
        """Begin with a question."""
        item = question.item
        self.current, self.answered = question, None
        self._times[item.id] = self._times.get(item.id, 0) + 1
        place = "" if item.kind == "card" else self._place(question)
        if place and item.kind != "reverse":
            self._places[place] = item.id
        line = Line(item, question.variant, "", None, None, (), 0.0, None, False, place)
        self._lines.setdefault(item.id, line)

    @staticmethod
    def _place(question: Question) -> str:
        """The address of the part that a question asks, or asks backwards."""
        if question.part is not None and question.expect is None:
            return question.part.id
        return address.join(question.item.source, question.variant)

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
            lines += [Line(item, 0, "", None, None, (), 0.0, None, False, reached=False) for item in missing]
        due = self.session.reading(self.revision.due)
        asked, total = self.place()
        return Sheet(
            self.wanted,
            self._at,
            round(seconds, 1),
            tuple(lines),
            self.limit_s,
            self.over,
            due.items,
            due.next or self.revision.next_day(),
            self.revision.soon(),
            0 if self.test or self._ended is None else total - asked,
        )


def _when(pair: tuple[datetime, Item]) -> datetime:
    return pair[0]
