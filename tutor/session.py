"""The one session: language, settings, progress and the whole study logic. The app and `--plain` both sit on it.

No screen and no terminal is known here. Ids come in and go out; words are content's, in the session's language.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from content import address
from tutor import language, ondisk, paths, settings, settingsfile
from tutor.checked import Checked
from tutor.language import Lang
from tutor.ondisk import PASSING
from tutor.problems import problem_text
from tutor.progress import (
    Attempt,
    Grade,
    PartState,
    Progress,
    Review,
    now,
    open_or_memory,
)
from tutor.settings import Settings, SettingsProblem
from tutor.wayfinding import OPEN, Wayfinding

if TYPE_CHECKING:
    from content.schema import Exercise, Part
    from engine.answers.model import Verdict
    from tutor.revision.revision import Revision

Reviewer = Callable[["Verdict", "str | None"], Sequence[Review]]
"""What an answer is as reviews, from its verdict and the slip that this names alone."""


class Hint(NamedTuple):
    """A rung of the ladder: number ``n`` of ``of``."""

    n: int
    of: int
    text: str


class Solution(NamedTuple):
    """A worked solution: the lines of the calculation as they are, and the sentences about it, in the small markup."""

    working: tuple[str, ...]
    text: str


class Session(Wayfinding):
    """One run of the tutor for one learner."""

    def __init__(self, lang: Lang, chosen: Settings, progress: Progress) -> None:
        self.language: Lang = lang
        self.settings = chosen
        self._kept = chosen
        """The settings as they were read, or written last: what another program writes is not ours to change."""
        super().__init__(progress)
        self.ascii_only = False
        """Whether the terminal can show nothing but ASCII."""
        self.clock: Callable[[], datetime] = now
        """What time it is; a simulated learner has a clock of its own."""
        self.started: datetime = now()

    @property
    def ascii(self) -> bool:
        """Whether only ASCII signs are shown: the learner's wish, or the terminal's limit."""
        return self.settings.ascii or self.ascii_only

    @classmethod
    def start(cls, flag: str | None = None) -> Session:
        """The session of this run. Raises ``UnknownLanguage``; every other trouble becomes a problem to tell."""
        chosen, trouble = settingsfile.load(paths.settings_file())
        lang = language.choose(flag, os.environ.get(language.VARIABLE), chosen.language)
        opened = open_or_memory(paths.database(), ondisk.BUSY)
        session = cls(lang, chosen, opened.progress)
        session._lost_disk = opened.problem is not None and opened.problem.kind in PASSING
        session.problems += [problem for problem in (trouble, opened.problem) if problem is not None]
        return session

    def notices(self) -> list[str]:
        """The problems so far as sentences, each told once."""
        told, self.problems = self.problems, []
        return [problem_text(problem, self.language) for problem in told]

    @cached_property
    def revision(self) -> Revision:
        """What is due, and quizzes."""
        from tutor.revision.revision import Revision

        return Revision(self)

    # --- answering --------------------------------------------------------------------------------------------------

    def check(
        self, part_id: str, answer: str, seconds: float = 0.0, reviewer: Reviewer | None = None, *, anew: bool = False
    ) -> Checked:
        """Judge an answer; one that could be read is on the disk before this returns, and what it says for revision.

        The last wrong answer handed in again, unchanged, is no further attempt, unless it is asked ``anew``.

        Args:
            part_id: the address of the part.
            answer: as typed.
            seconds: how long it took.
            reviewer: of a quiz: the reviews that the answer is. Without it, an exercise is its own evidence.
            anew: whether a quiz asks for the first time today, and the last answer is of another day.

        Raises:
            UnknownId: the part does not exist.
        """
        from content import checking

        verdict = checking.check_part(part_id, answer, self.earlier(part_id), self._slips_made())
        made = _made(verdict)
        alone = made[0] if len(made) == 1 and verdict.verdict == "incorrect" else None
        again = self.seen_before(part_id, alone) if alone is not None else None
        gone = self._gone(part_id, verdict)
        if verdict.verdict != "invalid":
            value = verdict.read.base_value if verdict.read else None
            state = self.progress.state(part_id)
            repeated = verdict.verdict == "incorrect" and answer == state.last_answer
            if anew or not repeated:
                unexplained = self.settings.keep_unexplained and self._is_unexplained(part_id, verdict)
                reviewer = reviewer or self._study(part_id, state, answer, seconds)
                self._record(
                    part_id, answer, verdict.verdict, made, seconds, value=value, unexplained=unexplained,
                    reviews=reviewer(verdict, alone),
                )  # fmt: skip
        return Checked(part_id, verdict, self.progress.state(part_id), again, gone)

    def _study(self, part_id: str, state: PartState, answer: str, seconds: float) -> Reviewer:
        """What an answer in an exercise is as reviews."""
        part = self.part(part_id)[1]
        return lambda verdict, alone: self.revision.of_study(part, state, answer, seconds, verdict, alone)

    def settle(self, part_id: str, slip: str) -> None:
        """The learner's answer to a splitting question: of the slips of the last attempt it was this one.

        "", or a slip that is none of them, changes nothing: then none of them counts.
        """
        from tutor.revision.memory import after

        last = self.progress.newest(part_id)
        one_of_them = last is not None and slip in last.slips
        reviews = self.revision.of_slip(slip, part_id) if one_of_them else ()
        self._write(lambda progress: progress.settle(part_id, slip, reviews, after))

    def seen_before(self, part_id: str, slip: str) -> str | None:
        """The part of another exercise in which this slip was named alone, the latest of them."""
        here = _exercise_of(part_id)
        return next((part for part in reversed(self.progress.slip_places(slip)) if _exercise_of(part) != here), None)

    def _slips_made(self) -> frozenset[str]:
        """The slips that were ever named alone, by a verdict or by the learner's own pick."""
        return frozenset(slip.slip for slip in self.progress.slips())

    def _gone(self, part_id: str, verdict: Verdict) -> str | None:
        """The slip of the attempt before, if the answer is right now and nothing in it could be that slip still."""
        if verdict.verdict != "correct":
            return None
        last = self.progress.newest(part_id)
        if last is None or last.verdict != "incorrect" or len(last.slips) != 1:
            return None
        # a slip can lead to the right number too, and the answer then says so
        still = (*verdict.slips, *verdict.params.get("same", "").split())
        return last.slips[0] if last.slips[0] not in still else None

    def _is_unexplained(self, part_id: str, verdict: Verdict) -> bool:
        """Whether a wrong value or formula is none of the known ones: no slip's, not another part's answer, and not
        what follows from an earlier value."""
        from content.schema import COMPUTED

        explained = verdict.slips or "other-part" in verdict.notes or "impossible" in verdict.params
        if verdict.verdict != "incorrect" or explained:
            return False
        return self.part(part_id)[1].kind in COMPUTED | {"formula"}

    def self_mark(
        self, part_id: str, answer: str, ticked: Sequence[str], seconds: float = 0.0,
        reviews: Sequence[Review] | None = None,
    ) -> PartState:  # fmt: skip
        """Record a free text with the rubric points that the learner claims; it is solved when all are ticked.

        ``reviews`` are those of a quiz; without them, the exercise is its own evidence.
        """
        part = self.part(part_id)[1]
        points = {point.id for point in part.rubric}
        if reviews is None:
            reviews = self.revision.of_ticks(part, answer, seconds, len(points & set(ticked)))
        verdict: Literal["correct", "incorrect"] = "correct" if points <= set(ticked) else "incorrect"
        self._record(part_id, answer, verdict, (), seconds, ticked=tuple(ticked), reviews=reviews)
        return self.progress.state(part_id)

    def review(self, reviews: Sequence[Review]) -> None:
        """Record graded answers to items that are no parts of an exercise."""
        from tutor.revision.memory import after

        self._write(lambda progress: progress.review(reviews, after))

    def overrule(self, item: str, grade: Grade) -> None:
        """The learner's own grade for the last review of an item."""
        from tutor.revision.memory import after

        self._write(lambda progress: progress.overrule(item, grade, after))

    def regrade(self, item: str, grade: Grade) -> None:
        """Another grade for the last review of an item, from evidence that came later."""
        from tutor.revision.memory import after

        self._write(lambda progress: progress.overrule(item, grade, after, proposed=grade))

    def settle_review(self, item: str, slip: str, place: str) -> None:
        """As :meth:`settle`, of the last review of an item that is no part, asked at ``place``."""
        from tutor.revision.memory import after

        reviews = self.revision.of_slip(slip, place)
        self._write(lambda progress: progress.settle_review(item, slip, reviews, after))

    def read_hint(self, part_id: str, n: int) -> None:
        """Note that hint ``n`` of a part was read."""
        self._write(lambda progress: progress.hint(part_id, n))

    def give_reason(self, part_id: str, reason: str) -> bool:
        """Record the reason that was chosen for a right yes or no, with its attempt; whether it is the right one."""
        self._write(lambda progress: progress.reason(part_id, reason))
        return reason == self.part(part_id)[1].reason

    def earlier(self, part_id: str) -> dict[str, Fraction]:
        """The learner's own last values in the other parts of the track: an answer is judged from them too.

        Address -> value in base units; another variant of the same part is another part. Of the variants only those of
        this part's own number are heard: each must be drawn again to say anything.
        """
        heard = (0, address.split(part_id)[1])
        values = self.progress.values(part_id.partition("/")[0])
        return {part: value for part, value in values.items() if part != part_id and address.split(part)[1] in heard}

    def hints(self, part_id: str) -> tuple[Hint, ...]:
        """The hints already read, in the session's language."""
        _, part = self.part(part_id)
        return tuple(self._hint(part_id, n) for n in range(1, self._hints_read(part_id, part) + 1))

    def next_hint(self, part_id: str) -> Hint | None:
        """The next rung of the ladder, noted as read; ``None`` when there is no further one."""
        _, part = self.part(part_id)
        n = self._hints_read(part_id, part) + 1
        if n > len(part.hints):
            return None
        self._write(lambda progress: progress.hint(part_id, n))
        return self._hint(part_id, n)

    def solution(self, part_id: str) -> Solution:
        """The worked solution. Seen before a right answer, the part no longer counts as solved."""
        from content import fill

        exercise, part = self.part(part_id)
        self.saw_solution(part_id)
        scope = fill.of_part(exercise, part)
        return Solution(fill.working(part), fill.fill(part.solution[self.language], self.language, scope))

    def saw_solution(self, part_id: str) -> None:
        """Note that the solution of a part was seen, which then does not count as solved."""
        if self.progress.state(part_id).status not in ("solved", "shown"):
            self._write(lambda progress: progress.mark(part_id, "shown"))

    def skip(self, part_id: str) -> None:
        """Leave a part for later."""
        if self.progress.state(part_id).status in OPEN:
            self._write(lambda progress: progress.mark(part_id, "skipped"))

    def reset(self, prefix: str) -> int:
        """Forget what happened to a part, exercise, level or track, or to one variant; returns how many rows went."""
        removed = 0

        def forget(progress: Progress) -> None:
            nonlocal removed
            removed = progress.reset(prefix)

        self._write(forget)
        self._forgotten(prefix)
        return removed

    # --- settings ---------------------------------------------------------------------------------------------------

    def set_language(self, lang: Lang) -> None:
        """Speak ``lang`` from now on, and at the next start too."""
        self.speak(lang)
        self.keep_settings()

    def speak(self, lang: Lang) -> None:
        """Speak ``lang``; who calls this keeps the settings, when there is time for it."""
        self.language = lang
        self.settings = settings.changed(self.settings, {"language": lang})

    def change(self, **values: object) -> None:
        """Change settings and save them."""
        self.settings = settings.changed(self.settings, values)
        self.keep_settings()

    def keep_settings(self) -> None:
        """Save the settings; a disk that refuses is told once and what was changed holds for this run."""
        try:
            settingsfile.save(paths.settings_file(), self.settings, self._kept)
            self._kept = self.settings
        except OSError as error:
            kind = "spared" if isinstance(error, settingsfile.Spared) else "unwritable"
            self.problems.append(SettingsProblem(kind, paths.settings_file(), str(error.errno or 0)))

    # --- inside -----------------------------------------------------------------------------------------------------

    @staticmethod
    def part(part_id: str) -> tuple[Exercise, Part]:
        """The part and its exercise. Raises ``UnknownId``."""
        from content import course

        return course.part(part_id)

    def _hints_read(self, part_id: str, part: Part) -> int:
        return min(self.progress.state(part_id).hints, len(part.hints))

    def _hint(self, part_id: str, n: int) -> Hint:
        from content import fill

        exercise, part = self.part(part_id)
        text = fill.fill(part.hints[n - 1][self.language], self.language, fill.of_part(exercise, part))
        return Hint(n, len(part.hints), text)

    def _record(
        self,
        part_id: str,
        answer: str,
        verdict: Literal["correct", "incorrect"],
        slips: Sequence[str],
        seconds: float,
        value: Fraction | None = None,
        ticked: tuple[str, ...] = (),
        unexplained: bool = False,
        reviews: Sequence[Review] = (),
    ) -> None:
        from tutor.revision.memory import after

        hints, variant = self.progress.state(part_id).hints, address.split(part_id)[1]
        attempt = Attempt(part_id, answer, verdict, tuple(slips), hints, seconds, variant, self.clock(), value, ticked)
        self._write(lambda progress: progress.record(attempt, unexplained, reviews, after))


def _made(verdict: Verdict) -> Sequence[str]:
    """The one slip that the verdict named; where several would explain the answer, all of them, and none counts.

    Nor does one of two that only together explain it.
    """
    if "together" in verdict.notes or (verdict.ambiguous and "seen-in-working" not in verdict.notes):
        return verdict.slips
    return verdict.slips[:1]


def _exercise_of(part_id: str) -> str:
    """The plain id of the exercise: its variants are one exercise."""
    return address.plain(part_id).rpartition("/")[0]
