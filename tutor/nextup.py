"""The one thing to do next. Home shows it, plain study proposes it; both may be left aside at any time.

It knows no screen: what is so now goes in, a kind and an id come out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from content import address, course
from tutor import coursemap, settings
from tutor.coursemap import States
from tutor.placement import where
from tutor.progress import Place, ProgressProblem
from tutor.standing import END

if TYPE_CHECKING:
    from tutor.session import Session

Kind = Literal["quiz", "begin", "resume", "due", "placed", "lesson", "exercise", "done"]
WAITING = ("new", "tried", "skipped")
"""States of a part that can still be worked."""


class Step(NamedTuple):
    """What to do next.

    Attributes:
        kind: "quiz" go on with the one that was begun; "begin" the course; "resume" what was left; "due" revise;
            "placed" begin where the placement suggests; "lesson" or "exercise" the next one; "done" nothing is left.
        id: of the lesson or exercise, where it is one.
    """

    kind: Kind
    id: str = ""


class Now(NamedTuple):
    """What is so now.

    Attributes:
        known: the states of all that was touched.
        place: where the reader was last; ``None`` for nowhere.
        finished: whether nothing is left to do there.
        placed: number of the level that a placement suggested, 0 for none.
        just_placed: whether that was after the reader was at ``place``.
        due: whether something waits to be revised.
        quizzing: whether a quiz was begun and waits.
    """

    known: States
    place: Place | None = None
    finished: bool = False
    placed: int = 0
    just_placed: bool = False
    due: bool = False
    quizzing: bool = False


def step(now: Now) -> Step:
    """What to do next."""
    if now.quizzing:
        return Step("quiz")
    if now.placed and now.just_placed:
        return _placed(now)
    if now.place is not None and not now.finished:
        return Step("resume", now.place.id)
    if now.due:
        return Step("due")
    return _placed(now) if now.placed else _along(now)


def _along(now: Now) -> Step:
    """The next lesson or exercise of the whole course, lesson by lesson with its exercises; behind the place first.

    What needs a lesson that is still ahead waits until that one was read.
    """
    if now.place is None and not now.known:
        return Step("begin", course.index().tracks[0].lessons[0].id)
    ahead = _open(_behind(_path(), now.place), now.known)
    return next((step for step in ahead if _ready(step, now.known)), Step("done"))


def _placed(now: Now) -> Step:
    """Exercises from the suggested level on, then those below it; who begins at the first level, takes the course."""
    levels = course.index().tracks[0].levels
    above = [entry.id for level in levels[now.placed - 1 :] for entry in level.exercises]
    touched = any(id.rpartition("/")[0] in above for id in now.known)
    if not touched and (now.placed > 1 or not now.known):
        return Step("placed", where.target(now.placed))
    if now.placed == 1:
        return _along(now)
    below = [entry.id for level in levels[: now.placed - 1] for entry in level.exercises]
    return next(_open(_behind(above, now.place), now.known), next(_open(below, now.known), Step("done")))


def _path() -> list[str]:
    """The whole course in the order in which one thing needs the other: each lesson, then its exercises."""
    lessons = (lesson for track in course.index().tracks for lesson in track.lessons)
    return [id for lesson in lessons for id in (lesson.id, *(e.id for e in coursemap.of_this(lesson.id)))]


def _behind(path: Sequence[str], place: Place | None) -> list[str]:
    """A path from behind a place on, around to that place."""
    here = address.plain(place.id) if place is not None else ""
    start = path.index(here) + 1 if here in path else 0
    return [*path[start:], *path[:start]]


def _open(ids: Sequence[str], known: States) -> Iterator[Step]:
    """Those of lessons and exercises that have something left to do."""
    for id in ids:
        if course.resolve(id).kind == "lesson":
            if coursemap.of_lesson(coursemap.lesson_entry(id), known).status != "solved":
                yield Step("lesson", id)
        elif any(part not in known or known[part].status in WAITING for part in coursemap.exercise_entry(id).parts):
            yield Step("exercise", id)


def _ready(step: Step, known: States) -> bool:
    """Whether nothing that it needs is still ahead: the lessons before a lesson, the lesson of an exercise."""
    if step.kind == "lesson":
        return all(_met(lesson, known) for lesson in coursemap.lesson_entry(step.id).needs)
    return _met(coursemap.exercise_entry(step.id).lesson, known)


def _met(lesson_id: str, known: States) -> bool:
    """Whether a lesson was opened, an exercise of it worked, or one begun that builds on it: it was passed over."""
    if _opened(lesson_id, known) or any(coursemap.touched(e.parts, known) for e in coursemap.of_this(lesson_id)):
        return True
    lessons = (entry for track in course.index().tracks for entry in track.lessons)
    return any(_met(entry.id, known) for entry in lessons if lesson_id in entry.needs)


def _opened(lesson_id: str, known: States) -> bool:
    return coursemap.of_lesson(coursemap.lesson_entry(lesson_id), known).done > 0


def onward(after: str, known: States, waiting: str = "") -> Sequence[tuple[Literal["first", "next"], str]]:
    """Where to go from the exercise ``after``: the lesson to read first, where it is one, and the next exercise.

    Who reads the lessons goes on along the course: what comes next there is not done, and what it needs is. Who works
    the exercises alone (the lesson of ``after`` was not opened) is sent to no lesson, but to ``waiting``, the exercise
    that comes next in the order of the levels, if there is one.
    """
    alone: Sequence[tuple[Literal["first", "next"], str]] = [("next", waiting)] if waiting else []
    if not _opened(coursemap.exercise_entry(after).lesson, known):
        return alone
    ahead = [
        step
        for step in _open(_behind(_path(), Place("exercise", after)), known)
        if step.kind == "exercise" or not _opened(step.id, known)
    ]
    first = next((step for step in ahead if _ready(step, known)), None)
    if first is None:
        return alone
    if first.kind == "exercise":
        return [("next", first.id)]
    behind = ahead[ahead.index(first) :]
    return [("first", first.id), *[("next", step.id) for step in behind if step.kind == "exercise"][:1]]


# --- from a session ---------------------------------------------------------------------------------------------------


def place_of(session: Session) -> Place | None:
    """Where the reader was last, home aside."""
    try:
        place = session.resume()
    except ProgressProblem:
        return None
    return place if place is not None and place.screen != "home" else None


def finished(session: Session, place: Place | None, known: States) -> bool:
    """Whether nothing is left to do at a place: a lesson read, all parts of an exercise settled, in its own numbers."""
    if place is None:
        return False
    if place.screen == "lesson":
        entry = coursemap.lesson_entry(place.id)
        return place.section == END or coursemap.of_lesson(entry, known).status == "solved"
    try:
        return session.first_open(place.id) is None
    except ProgressProblem:
        return False


def placed(session: Session) -> int:
    """The number of the level that a placement suggested, 0 for none."""
    name = session.settings.placement
    return settings.LEVELS.index(name) + 1 if name in settings.LEVELS else 0
