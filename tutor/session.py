"""The one session: language, settings, progress and the whole study logic. The app and `--plain` both sit on it.

No screen and no terminal is known here. Ids come in and go out; words are content's, in the session's language.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal, NamedTuple

from content import address
from tutor import language, ondisk, paths, settings
from tutor.language import Lang
from tutor.ondisk import PASSING, OnDisk
from tutor.progress import (
    Attempt,
    Grade,
    PartState,
    Place,
    Progress,
    ProgressProblem,
    Review,
    now,
    open_or_memory,
)
from tutor.settings import Settings, SettingsProblem

if TYPE_CHECKING:
    from content.schema import Exercise, Part
    from engine.answers.model import Verdict
    from tutor.revision.revision import Revision

Reviewer = Callable[["Verdict", "str | None"], Sequence[Review]]
"""What an answer is as reviews, from its verdict and the slip that this names alone."""

OPEN = ("new", "tried")
"""States of a part that still waits for an answer."""
LATELY = 3
"""So many of the last variants are looked at, for a draw may come out as one of them."""
FRESH_TRIES = 20
"""So many numbers of variants are looked at for one that can be drawn."""


class Checked(NamedTuple):
    """A judged answer, already recorded. ``state`` is where the part stands now.

    ``again`` is the part of another exercise in which the slip of this answer was last named before; ``gone`` the slip
    of the last attempt at this part, in any variant, now that the answer is right.
    """

    part: str
    verdict: Verdict
    state: PartState
    again: str | None = None
    gone: str | None = None

    def message(self, lang: Lang) -> str:
        """What to tell the learner."""
        from content import verdicts

        told = [verdicts.message(self.part, self.verdict, lang)]
        if self.again is not None and "seen-in-sibling" not in self.verdict.notes:  # which names the other place itself
            told.append(same_slip(self.verdict.slips[0], self.again, lang))
        if self.gone is not None:
            told.append(_of_slip("correct-after-slip", self.gone, lang))
        return " ".join(filter(None, told))


class Hint(NamedTuple):
    """A rung of the ladder: number ``n`` of ``of``."""

    n: int
    of: int
    text: str


class Solution(NamedTuple):
    """A worked solution: the lines of the calculation as they are, and the sentences about it, in the small markup."""

    working: tuple[str, ...]
    text: str


class Results(NamedTuple):
    """How an exercise, a level or a track stands. Follow-ups are extra: they count apart."""

    id: str
    parts: Mapping[str, PartState]
    followups: Mapping[str, PartState]

    @property
    def solved(self) -> int:
        """Parts with a right answer given before the solution was seen."""
        return sum(state.status == "solved" for state in self.parts.values())

    @property
    def done(self) -> bool:
        """Whether nothing waits any more: every part solved, shown or skipped."""
        return not any(state.status in OPEN for state in self.parts.values())


class Session(OnDisk):
    """One run of the tutor for one learner."""

    def __init__(self, lang: Lang, chosen: Settings, progress: Progress) -> None:
        self.language: Lang = lang
        self.settings = chosen
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
        chosen, trouble = settings.load(paths.settings_file())
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

    # --- finding the way --------------------------------------------------------------------------------------------

    def state(self, part_id: str) -> PartState:
        """Where one part stands."""
        return self.progress.state(part_id)

    def results(self, place_id: str) -> Results:
        """How an exercise, a level or a track stands, part by part in the order of the course.

        Of all variants the best counts; the address of a variant gives that one alone, by the addresses of its parts.
        """
        from content import course

        if address.split(place_id)[1]:
            return self._as_worked(place_id)
        states = self.progress.overall(place_id)
        parts: dict[str, PartState] = {}
        followups: dict[str, PartState] = {}
        for track in course.index().tracks:
            for level in track.levels:
                for exercise in level.exercises:
                    if place_id in (track.id, level.id, exercise.id):
                        parts |= {part: states.get(part, PartState()) for part in exercise.parts}
                        followups |= {part: states.get(part, PartState()) for part in exercise.followups}
        return Results(place_id, parts, followups)

    def _as_worked(self, exercise_id: str) -> Results:
        """How one variant stands, or the values as written."""
        from tutor import coursemap

        states = self.progress.states(exercise_id)
        entry = coursemap.exercise_entry(exercise_id)
        parts, followups = ({id: states.get(id, PartState()) for id in ids} for ids in (entry.parts, entry.followups))
        return Results(exercise_id, parts, followups)

    def next_unsolved(self, after: str = "", track: str = "core") -> str | None:
        """The part to go to: the first open one behind ``after``, then from the start, then a skipped one."""
        parts = self.results(track).parts
        order = list(parts)
        after = address.plain(after)
        start = order.index(after) + 1 if after in parts else 0
        order = order[start:] + order[:start]
        waiting = _first(order, parts, OPEN)
        return waiting if waiting is not None else _first(order, parts, ("skipped",))

    def first_open(self, exercise_id: str) -> str | None:
        """Where to begin in an exercise, or in a variant of it: its first open part, then a skipped one.

        ``None`` when all is done. What another variant solved is open here, with other values.
        """
        parts = self._as_worked(exercise_id).parts
        waiting = _first(parts, parts, OPEN)
        return waiting if waiting is not None else _first(parts, parts, ("skipped",))

    def fresh(self, exercise_id: str, above: int = 0) -> str:
        """The address of the next variant that nothing was done in, and whose numbers are not those of the last ones.

        ``above``: a number up to which variants count as used.

        Raises ``UnknownVariant`` where none can be drawn, and ``UnknownId``.
        """
        from content import course, draws

        id_ = address.plain(exercise_id)
        touched = self.progress.variants(id_)
        highest = max(above, *touched, 0)
        lately = [course.exercise(address.join(id_, n)) for n in sorted({*touched, above} - {0})[-LATELY:]]
        upward, below = range(highest + 1, address.MOST + 1), (n for n in range(1, highest) if n not in touched)
        refused: course.UnknownVariant | None = None
        for number in islice(chain(upward, below), FRESH_TRIES):
            try:
                drawn = course.exercise(address.join(id_, number))
            except course.UnknownVariant as error:
                refused = refused or error
                continue
            if not any(draws.same_values(drawn, other) for other in lately):
                return drawn.id
        raise refused or course.UnknownVariant(id_, highest)

    def resume(self) -> Place | None:
        """Where the learner was last, if the course has that place."""
        from tutor import standing

        place = self.progress.place()
        return place if place is not None and standing.fits(place) else None

    def set_place(self, place: Place) -> None:
        """Remember where the learner is, with the unsent draft."""
        self._write(lambda progress: progress.set_place(place))

    def keep(self, place: Place) -> None:
        """Remember where the learner is, and the unsent draft as that of the part."""
        self._write(lambda progress: progress.keep(place))

    def drafts(self, exercise_id: str) -> Mapping[str, str]:
        """The unsent drafts of an exercise: part -> what stands typed. None while the disk refuses."""
        try:
            return self.progress.drafts(exercise_id)
        except ProgressProblem:
            return {}

    # --- settings ---------------------------------------------------------------------------------------------------

    def set_language(self, lang: Lang) -> None:
        """Speak ``lang`` from now on, and at the next start too."""
        self.language = lang
        self.change(language=lang)

    def change(self, **values: object) -> None:
        """Change settings and save them; a disk that refuses is told once and the change holds for this run."""
        self.settings = settings.changed(self.settings, values)
        try:
            settings.save(paths.settings_file(), self.settings)
        except OSError:
            self.problems.append(SettingsProblem("unwritable", paths.settings_file(), ""))

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


def _of_slip(key: str, slip: str, lang: Lang, **params: object) -> str:
    """A sentence about a slip by its name; nothing for one that this version does not know."""
    from content.words import has, say

    name = f"slips.{slip}.name"
    return say(f"verdicts.{key}", lang, name=say(name, lang), **params) if has(name) else ""


def same_slip(slip: str, part_id: str, lang: Lang) -> str:
    """That this slip was made in another part before; nothing for one that this version does not know."""
    return _of_slip("slip-again", slip, lang, place=_place_name(part_id, lang))


def _place_name(part_id: str, lang: Lang) -> str:
    """A part as a sentence names it: "L2.1 (KV cache)"; whatever the variant, and by its id if the course lacks it."""
    from content import course, verdicts

    try:
        return verdicts.place_text(address.plain(part_id), lang)
    except course.UnknownId:
        return address.plain(part_id)


def _first(order: Iterable[str], states: Mapping[str, PartState], wanted: Sequence[str]) -> str | None:
    return next((part for part in order if states[part].status in wanted), None)


def problem_text(problem: ProgressProblem | SettingsProblem, lang: Lang) -> str:
    """A problem as one sentence."""
    from content.words import say

    params = {"path": str(problem.path), "aside": str(problem.aside or "")}
    if isinstance(problem, ProgressProblem):
        text = say(f"cli.progress.problem.{problem.said}", lang, n=problem.saved, **params)
    else:
        kind = "damaged_kept" if problem.kind == "damaged" and problem.aside is None else problem.kind
        text = say(f"settings.problem.{kind}", lang, detail=problem.detail or "?", **params)
    return "".join(letter if letter.isprintable() else "�" for letter in text)
