"""How far the learner is, on every shelf of the course. Counts only; words and drawings are the screens'.

Everything comes from the course index and one query of the progress store: the home screen reads no lesson file.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from content import address, course
from content.schema import FigureRef
from tutor.progress import PartState, ProgressProblem

if TYPE_CHECKING:
    from content.lang import Lang
    from content.schema import Exercise, ExerciseEntry, LessonEntry, Level, Track
    from tutor.session import Session

States = Mapping[str, PartState]
SETTLED = ("solved", "shown")
"""A part that asks for nothing any more: it was solved, or its solution was shown."""


class Count(NamedTuple):
    """So many of so many."""

    done: int
    total: int

    @property
    def status(self) -> str:
        """`new`, `tried` or `solved`, as for a part."""
        if self.total and self.done >= self.total:
            return "solved"
        return "tried" if self.done else "new"


def states(session: Session) -> States:
    """The state of everything ever touched, the best of all variants; nothing when the store cannot be read now."""
    try:
        return session.progress.overall("")
    except ProgressProblem:
        return {}


def saw(session: Session, lesson_id: str, section: str) -> None:
    """Note that a section of a lesson was opened. It is kept as the first hint of the section's id."""
    with suppress(ProgressProblem):
        session.progress.hint(f"{lesson_id}/{section}", 1)


def level_name(track: Track, level: Level, lang: Lang) -> str:
    """A level by its name and title: "L3 Analysis"; in an added track with the track before it."""
    name = f"{level.id.rpartition('/')[2]} {level.title[lang]}"
    return name if track.id == course.FIRST else f"{track.title[lang]}: {name}"


def of_lesson(entry: LessonEntry, known: States) -> Count:
    """Sections opened, of all sections."""
    seen = sum(1 for id, state in known.items() if id.startswith(entry.id + "/") and state.hints)
    return Count(min(seen, entry.sections), entry.sections)


def mastery(session: Session) -> Mapping[str, float]:
    """How much of each lesson has been read: id -> share of its sections."""
    known = states(session)
    counts = {entry.id: of_lesson(entry, known) for track in course.index().tracks for entry in track.lessons}
    return {id: count.done / count.total if count.total else 0.0 for id, count in counts.items()}


def figure_state(ref: FigureRef, session: Session) -> Mapping[str, object]:
    """The state that a figure opens in: one that shows what the reader knows, or what was measured, is given it."""
    from tutor.figures.registry import get

    base = get(ref.name).base
    known = {"mastery": mastery(session)} if "mastery" in base else {}
    return {**ref.state, **known, **(_measured() if "own" in base else {})}


def figure_beside(exercise: Exercise, ref: FigureRef, known: States) -> FigureRef:
    """The figure ``ref`` of an exercise with the values of this draw; what is asked and not settled yet is hidden.

    ``known`` are the states of the exercise's parts: settled is what was solved, or whose solution was shown.
    """
    from content import beside

    settled = {part.name for part in exercise.parts if part.id in known and known[part.id].status in SETTLED}
    return FigureRef(ref.name, beside.state(exercise, ref, settled))


def _measured() -> Mapping[str, object]:
    """The curve of the newest run of the probe that was good for one; nothing without."""
    from tutor.probing import kept

    try:
        changed = kept.file().stat().st_mtime_ns
    except OSError:  # judging a run brings the engine along
        return {}
    return _measured_at(str(kept.file()), changed)


@lru_cache(maxsize=1)
def _measured_at(file: str, changed: int) -> Mapping[str, object]:
    """The same for a state of the file: a page is turned to again and again."""
    from engine.probe.result import judge
    from tutor.figures.decode_curve import state_of
    from tutor.probing import kept

    judged = (judge(one.run) for one in reversed(kept.runs()[-_LOOKED:]))
    result = next((one for one in judged if one.usable and one.curve), None)
    return {} if result is None else {"own": state_of(result)}


_LOOKED = 10
"""Runs that are looked at for one that was not disturbed."""


def of_level(level: Level, known: States) -> Count:
    """Parts solved, of all parts of a level; follow-ups are extra and not counted."""
    return Count(_solved(level.parts, known), len(level.parts))


def of_exercise(entry: ExerciseEntry, known: States) -> Count:
    """Parts solved, of all parts of an exercise."""
    return Count(_solved(entry.parts, known), len(entry.parts))


def touched(ids: tuple[str, ...], known: States) -> bool:
    """Whether anything at all was tried here."""
    return any(known[id].status != "new" for id in ids if id in known)


def _solved(parts: tuple[str, ...], known: States) -> int:
    return sum(1 for part in parts if part in known and known[part].status == "solved")


def lesson_entry(lesson_id: str) -> LessonEntry:
    """The index entry of a lesson."""
    return next(entry for track in course.index().tracks for entry in track.lessons if entry.id == lesson_id)


def exercise_entry(exercise_id: str) -> ExerciseEntry:
    """The index entry of an exercise; that of a variant names the addresses of its parts."""
    id_, variant = address.split(exercise_id)
    entry = course.shipped().exercise_entry(id_)
    if not variant:
        return entry
    parts, followups = (tuple(address.join(part, variant) for part in ids) for ids in (entry.parts, entry.followups))
    return entry._replace(id=exercise_id, parts=parts, followups=followups)


def level_of(id: str) -> Level:
    """The level of this id, or the level that the exercise of this id stands in."""
    plain = address.plain(id)
    levels = [level for track in course.index().tracks for level in track.levels]
    return next(level for level in levels if level.id == plain or any(e.id == plain for e in level.exercises))


def exercises() -> list[ExerciseEntry]:
    """All exercises in the order of the course."""
    return [entry for track in course.index().tracks for entry in track.exercises]


def of_this(lesson_id: str) -> list[ExerciseEntry]:
    """The exercises that belong to a lesson."""
    return [entry for entry in exercises() if entry.lesson == lesson_id]


def next_exercise(exercise_id: str) -> ExerciseEntry | None:
    """The exercise after this one, in the order of the course."""
    order = exercises()
    plain = address.plain(exercise_id)
    place = next((n for n, e in enumerate(order) if e.id == plain), -1)
    return order[place + 1] if 0 <= place < len(order) - 1 else None


def next_lesson(lesson_id: str) -> LessonEntry | None:
    """The lesson after this one."""
    order = [e for track in course.index().tracks for e in track.lessons]
    place = next((n for n, e in enumerate(order) if e.id == lesson_id), -1)
    return order[place + 1] if 0 <= place < len(order) - 1 else None
