"""Revision of one learner: what is due, what it adds up to, and quizzes. `Session.revision` is the one there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeVar

from content.quiz.model import Item
from tutor.progress import Memory, Review, Source
from tutor.revision import choosing, grading, schedule
from tutor.revision.choosing import Known
from tutor.revision.days import day_of
from tutor.revision.model import Due, Graded, Wanted
from tutor.revision.schedule import Plan

if TYPE_CHECKING:
    from content.schema import Part
    from engine.answers.model import Verdict
    from tutor.progress import PartState
    from tutor.revision.mastery import Concept, ItemRecall
    from tutor.revision.run import Run
    from tutor.revision.trends import SlipTrend
    from tutor.session import Session

RECENT: Final = 300
"""Reviews from which the learner's pace is taken."""
USUAL_S: Final[Mapping[str, float]] = {"part": 75.0, "reverse": 75.0, "slip": 75.0, "card": 40.0}
"""Seconds that an item is reckoned at before the learner has a pace."""


_Read = TypeVar("_Read")


class Revision:
    """What the reviews of one learner amount to. Methods raise ``ProgressProblem`` when the disk refuses."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._kept: dict[str, tuple[object, Any]] = {}

    # --- what is known ----------------------------------------------------------------------------------------------

    @cached_property
    def items(self) -> Mapping[str, Item]:
        """Everything that the course can ask, by id. Reads all level files once."""
        from content.quiz.items import catalogue

        return catalogue()

    @property
    def listed(self) -> Mapping[str, Item]:
        """The same from the index alone, for what needs ids only; of slips those that have a memory or were made."""
        from content.quiz import items

        found = dict(items.listed())
        slips = {items.slip_item(slip.slip) for slip in self.session.progress.slips()}
        for id_ in slips | self.memories.keys() - found.keys():
            item = items.item(id_) if id_ else None
            if item is not None:
                found[id_] = item
        return found

    @property
    def today(self) -> date:
        """The learner's day of study."""
        return day_of(self.session.clock())

    @property
    def plan(self) -> Plan:
        """What due means now."""
        chosen = self.session.settings
        exam = date.fromisoformat(chosen.exam_date) if chosen.exam_date else None
        return Plan(self.today, self.session.clock(), chosen.target_retention, exam)

    @property
    def memories(self) -> Mapping[str, Memory]:
        """The memory of every item that was ever reviewed."""
        from tutor.revision.memory import after

        return self._read("memories", lambda: self.session.progress.memories(after))

    @property
    def recent(self) -> Sequence[Review]:
        """The last :data:`RECENT` reviews, newest first."""
        return self._read("recent", lambda: self.session.progress.recent(RECENT))

    def _read(self, name: str, how: Callable[[], _Read]) -> _Read:
        """What the store holds, read again only when the file has changed, by us or another program."""
        progress = self.session.progress
        kept = self._kept.get(name)
        if kept is None or kept[0] != (progress, progress.version()):
            found = how()  # which may write: what was stale is made anew
            kept = self._kept[name] = ((progress, progress.version()), found)
        read: _Read = kept[1]
        return read

    def known(self, items: Mapping[str, Item] | None = None) -> Known:
        """What a choice is made from; ``items`` are all that there are, else of the whole catalogue."""
        progress = self.session.progress
        slips = frozenset(slip.slip for slip in progress.slips())
        left = max(self.session.settings.quiz_new - self._taken_in(), 0)
        return Known(
            self.items if items is None else items, self.memories, progress.overall(""), slips, self.plan, left
        )

    def _taken_in(self) -> int:
        """How many items a quiz asked for the first time today."""
        today, memories = self.today, self.memories
        times = Counter(review.item for review in self.recent if review.day == today)
        quizzed = {review.item for review in self.recent if review.day == today and review.source == "quiz"}
        found = (memories.get(item) for item in quizzed)
        return sum(memory is not None and memory.reviews == times[memory.item] for memory in found)

    def pace(self, item: Item) -> float | None:
        """The learner's median time for an item in seconds: for this very one, else for its kind."""
        times = self._read("times", self._times)
        return grading.pace(times.get(item.id, ()), times.get(item.kind, ()))

    def _times(self) -> Mapping[str, Sequence[float]]:
        """Seconds of recent right answers, by item and by kind of item."""
        found: dict[str, list[float]] = {}
        for review in self.recent:
            if review.grade != "again" and review.source != "slip":
                for key in (review.item, _kind(review.item)):
                    found.setdefault(key, []).append(review.seconds)
        return found

    # --- what is due ------------------------------------------------------------------------------------------------

    def due(self) -> Due:
        """What waits now."""
        known = self.known(self.listed)
        items = list(known.items.values())
        found, most = choosing.due(known, items), self.session.settings.quiz_count
        new = choosing.fresh(known, items)[: max(most - len(found), 0)]
        offered = [*found[:most], *new]
        minutes = -(-sum(self._time_s(item) for item in offered) // 60)
        return Due(len(found), len(new), int(minutes), len(offered), None if offered else self.next_day())

    def next_day(self) -> date | None:
        """The first day after today on which something is due."""
        plan, items = self.plan, self.listed
        days = [schedule.due_day(memory, plan) for id_, memory in self.memories.items() if id_ in items]
        return min((day for day in days if day > plan.today), default=None)

    def soon(self) -> int:
        """How many items did not go well today, in a quiz or an exercise, and are due within minutes."""
        plan, items = self.plan, self.listed
        missed = (one for id_, one in self.memories.items() if id_ in items and one.day == plan.today)
        return sum(memory.again_at is not None and not schedule.is_due(memory, plan) for memory in missed)

    def forecast(self, days: int = 14) -> tuple[int, ...]:
        """How many items come up on each day from today on; what is overdue stands in the first."""
        items = self.listed
        memories = [memory for id_, memory in self.memories.items() if id_ in items]
        return schedule.forecast(memories, self.plan, days)

    def due_day(self, memory: Memory) -> date:
        """The day on which an item comes up."""
        return schedule.due_day(memory, self.plan)

    def _time_s(self, item: Item) -> float:
        return self.pace(item) or USUAL_S[item.kind]

    def start(self, wanted: Wanted, random: Random | None = None) -> Run:
        """A quiz. ``random`` decides what a test asks; without it every test is another one."""
        from tutor.revision.run import Run

        return Run(self, wanted, random or Random())

    def usual_s(self, items: Sequence[Item]) -> float:
        """How long the learner usually takes for items, in seconds."""
        return sum(map(self._time_s, items))

    # --- what it adds up to -----------------------------------------------------------------------------------------

    def mastery(self) -> tuple[Concept, ...]:
        """How much of every concept is there to stay, in the order of the course."""
        from tutor.revision import mastery

        return mastery.concepts(self.items, self.memories, self.plan)

    def mastery_of(self, concept: str) -> tuple[ItemRecall, ...]:
        """What the mastery of a concept is made of. Raises ``KeyError`` for a concept that there is not."""
        from tutor.revision import mastery

        return mastery.of(concept, self.items, self.memories, self.plan)

    def slips(self) -> tuple[SlipTrend, ...]:
        """The slips that were made, the most recent trouble first, each with its trend."""
        from tutor.revision import trends

        return trends.slips(self.session.progress.slip_days(), self.memories, self.plan)

    def retention(self, days: int = 30) -> tuple[int, int]:
        """Of the items that a quiz asked again on a later day: how many were known, and how many there were."""
        return self.session.progress.retained(self.today - timedelta(days=days))

    def leeches(self) -> tuple[tuple[Item, Memory], ...]:
        """Items that keep slipping away, the worst first."""
        found = [(self.items[id_], memory) for id_, memory in self.memories.items() if id_ in self.items]
        return tuple(sorted((pair for pair in found if schedule.is_leech(pair[1])), key=lambda pair: -pair[1].lapses))

    # --- evidence from study ----------------------------------------------------------------------------------------

    def of_study(
        self, part: Part, state: PartState, answer: str, seconds: float, verdict: Verdict, alone: str | None
    ) -> tuple[Review, ...]:
        """The reviews that an answer in an exercise is: of the part, once a day, and of a slip that it shows.

        Args:
            part: what was answered, in its variant.
            state: where it stood before.
            answer, seconds: what was typed, and how long it took.
            verdict: of this answer.
            alone: the slip that the verdict names alone.
        """
        item = _plain(part.id)
        evidence = grading.Evidence(
            verdict.verdict == "correct",
            near=grading.near(verdict),
            unit=grading.unit_missing(verdict),
            hints=state.hints,
            ladder=len(part.hints),
            shown=state.status == "shown",
            seconds=seconds,
            study=True,
        )
        slips = () if alone is None else self.of_slip(alone, part.id)
        return (*self.once(item, part.id, answer, seconds, evidence), *slips)

    def of_ticks(self, part: Part, answer: str, seconds: float, there: int) -> tuple[Review, ...]:
        """The review that a self-marked text in an exercise is."""
        evidence = grading.Evidence(there == len(part.rubric), ticked=(there, len(part.rubric)), study=True)
        return self.once(_plain(part.id), part.id, answer, seconds, evidence)

    def once(
        self, item: str, place: str, answer: str, seconds: float, evidence: grading.Evidence
    ) -> tuple[Review, ...]:
        """A review from an exercise; none where these very numbers were answered today already."""
        from content import address

        last = next((review for review in self.recent if review.item == item), None)
        if last is not None and last.day == self.today and last.variant == address.split(place)[1]:
            return ()
        right = None if evidence.ticked else evidence.right
        return (self.review(item, place, grading.grade(evidence), "study", answer, right, seconds, evidence.hints),)

    def of_slip(self, slip: str, place: str) -> tuple[Review, ...]:
        """The review of a slip that was made in a part: it becomes an item, or is asked soon again. Once a day."""
        item = f"{place.partition('/')[0]}/slip/{slip}"
        memory = self.memories.get(item)
        if memory is not None and memory.day == self.today and not memory.streak:
            return ()
        return (self.review(item, place, Graded("again", "again", ("slip-again",)), "slip", "", False),)

    def review(
        self,
        item: str,
        place: str,
        graded: Graded,
        source: Source,
        answer: str = "",
        right: bool | None = None,
        seconds: float = 0.0,
        hints: int = 0,
        slips: tuple[str, ...] = (),
    ) -> Review:
        """A review of this moment; ``place`` is the address of the part that was asked, "" for none."""
        from content import address

        when: datetime = self.session.clock()
        variant = address.split(place)[1]
        return Review(
            item, when, day_of(when), graded.grade, graded.proposed, source, answer, right, seconds, hints, variant,
            slips,
        )  # fmt: skip


def _kind(item: str) -> str:
    """The kind of an item by its id."""
    tail = item.partition("/")[2]
    if tail.startswith(("card/", "slip/")):
        return tail.partition("/")[0]
    return "reverse" if tail.rpartition("/")[2].startswith("find-") else "part"


def _plain(part_id: str) -> str:
    from content import address

    return address.plain(part_id)
