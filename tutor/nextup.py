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
    """The next lesson or exercise of the whole course, lesson by lesson with its exercises; behind the place first."""
    if now.place is None and not now.known:
        return Step("begin", course.index().tracks[0].lessons[0].id)
    return next(_open(_behind(_path(), now.place), now.known), Step("done"))


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


def lesson_first(wanted: str, after: str, known: States) -> str:
    """Id of the lesson that the exercise ``wanted`` asks about, where it is to be read before; else "".

    That is so for who reads the lessons and comes from another one: the lesson of the exercise ``after`` was opened,
    this one was not. Who works the exercises alone is not sent back.
    """
    lesson, before = (coursemap.lesson_entry(coursemap.exercise_entry(id).lesson) for id in (wanted, after))
    reads = coursemap.of_lesson(before, known).done > 0
    return lesson.id if reads and not coursemap.of_lesson(lesson, known).done else ""


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
