"""The one thing to do next, in every state that a learner can be in."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from content import course, fill
from tutor import coursemap
from tutor.nextup import Now, Step, onward, step
from tutor.plain.study import run
from tutor.plain.terminal import Terminal
from tutor.progress import PartState, Place, memory_progress
from tutor.session import Session
from tutor.settings import Settings
from tutor.standing import END

TRACK = course.index().tracks[0]


def read(*lessons: str) -> dict[str, PartState]:
    """The states of lessons that were read to their end."""
    entries = [entry for entry in TRACK.lessons if entry.id.split("/")[1] in lessons]
    return {f"{e.id}/s{n}": PartState("new", hints=1) for e in entries for n in range(e.sections)}


def did(*exercises: str, status: str = "solved") -> dict[str, PartState]:
    """The states of exercises of which every part stands so."""
    entries = [entry for entry in TRACK.exercises if entry.id.split("/")[1] in exercises]
    return {part: PartState(status) for e in entries for part in e.parts}  # type: ignore[arg-type]


ALL = did(*(e.id.split("/")[1] for e in TRACK.exercises)) | read(*(e.id.split("/")[1] for e in TRACK.lessons))
C1, L21 = Place("lesson", "core/C1", END), Place("exercise", "core/L2.1")


@pytest.mark.parametrize(
    ("now", "next_"),
    [
        # new, placed or not
        (Now({}), Step("begin", "core/C0")),
        (Now({}, placed=3), Step("placed", "core/L3.1")),
        (Now({}, placed=1), Step("placed", "core/C0")),
        # somewhere, with something left to do there
        (Now(read("C0"), L21), Step("resume", "core/L2.1")),
        (Now(read("C0"), L21, due=True, placed=4), Step("resume", "core/L2.1")),
        (Now(read("C0"), L21, placed=4, just_placed=True), Step("placed", "core/L4.1")),
        (Now({}, Place("lesson", "core/C0")), Step("resume", "core/C0")),
        # nothing left there: what is due, else the suggestion, else the course
        (Now(did("L2.1"), L21, finished=True, due=True), Step("due")),
        (Now(did("L2.1"), L21, finished=True, due=True, placed=3), Step("due")),
        (Now(did("L2.1"), L21, finished=True, placed=3), Step("placed", "core/L3.1")),
        (Now(did("L2.1"), L21, finished=True), Step("exercise", "core/L2.2")),
        (Now(read("C0", "C1"), C1, finished=True), Step("exercise", "core/L1.1")),
        (Now(read("C0", "C1") | did("L1.1"), C1, finished=True), Step("lesson", "core/C2")),
        # what was skipped waits until the round comes back to it
        (Now(ALL | did("L1.2", status="skipped"), L21, finished=True), Step("exercise", "core/L1.2")),
        # on the way from the suggested level up, then what lies below
        (Now(did("L3.1"), Place("exercise", "core/L3.1"), True, 3), Step("exercise", "core/L3.2")),
        (Now(ALL | did("L1.1", status="new"), L21, True, 3), Step("exercise", "core/L1.1")),
        (Now(read("C0"), Place("lesson", "core/C0", END), True, 1), Step("lesson", "core/C1")),
        # a quiz that waits comes first, and all done is said
        (Now(ALL, L21, quizzing=True), Step("quiz")),
        (Now(ALL, L21, finished=True), Step("done")),
        (Now(ALL, L21, finished=True, placed=3), Step("done")),
        (Now(ALL, L21, finished=True, due=True), Step("due")),
    ],
)
def test_one_thing_comes_next(now: Now, next_: Step) -> None:
    assert step(now) == next_


@pytest.mark.parametrize(
    ("known", "after", "ways"),
    [
        (read("C0", "C1"), "core/L1.1", [("first", "core/C2"), ("next", "core/L1.2")]),
        (read("C0", "C1", "C2"), "core/L1.1", [("next", "core/L1.2")]),
        (  # a lesson that was opened is no news
            {"core/C1/decode": PartState("new", hints=1), "core/C2/slips": PartState("new", hints=1)},
            "core/L1.1",
            [("next", "core/L1.2")],
        ),
        # the level's next exercise, L1.3, needs lessons that are far ahead
        (read("C2") | did("L1.2"), "core/L1.2", [("next", "core/L2.1")]),
        (read("C2") | did("L1.2", "L2.1", "L2.2"), "core/L2.2", [("first", "core/C3"), ("next", "core/L3.1")]),
        (read("C0", "C2", "C3") | did("L3.1"), "core/L3.1", [("first", "core/C1"), ("next", "core/L1.1")]),
        (ALL, "core/L5.1b", [("next", "core/L1.3")]),
        ({}, "core/L1.1", [("next", "core/L1.3")]),  # who works the exercises alone
        (read("C0"), "core/L1.1", [("next", "core/L1.3")]),
    ],
)
def test_who_reads_lessons_goes_on_along_the_course_and_who_works_exercises_alone_along_the_levels(
    known: dict[str, PartState], after: str, ways: list[tuple[str, str]]
) -> None:
    assert list(onward(after, known, "core/L1.3")) == ways
    assert list(onward(f"{after}@3", known, "core/L1.3")) == ways


def test_nothing_comes_before_what_it_needs() -> None:
    """From any place, whatever was done so far along the course: what comes next was prepared by what was done."""
    known: dict[str, PartState] = {}
    place = Place("lesson", "core/C2", END)
    for _ in range(len(ALL)):
        one = step(Now(known | read("C2"), place, finished=True))
        if one.kind == "done":
            break
        entry = course.resolve(one.id)
        if entry.kind == "lesson":
            needs = [need.split("/")[1] for need in coursemap.lesson_entry(one.id).needs]
            assert read(*needs).keys() <= (known | read("C2")).keys(), one.id
            known |= read(one.id.split("/")[1])
        else:
            lesson = coursemap.exercise_entry(one.id).lesson.split("/")[1]
            assert read(lesson).keys() <= (known | read("C2")).keys(), one.id
            known |= did(one.id.split("/")[1])
        place = Place(entry.kind, one.id, END if entry.kind == "lesson" else "")  # type: ignore[arg-type]
    assert known.keys() | read("C2").keys() == ALL.keys()


def test_plain_study_proposes_that_lesson_too(tmp_path: Path) -> None:
    session = Session("en", Settings(), memory_progress(tmp_path / "x"))
    coursemap.saw(session, "core/C1", "decode")
    right = [fill.answer_text(part) for part in course.exercise("core/L1.1").parts if not part.followup]
    out = io.StringIO()
    run(session, Terminal(io.StringIO("\n".join([*right, "quit", ""])), out), Place("exercise", "core/L1.1"))
    assert "core/C2" in out.getvalue() and "core/L1.2" not in out.getvalue()
