"""The study logic that the app and plain mode share."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager
from fractions import Fraction
from pathlib import Path

import pytest

from content.course import UnknownId
from tutor import ondisk, paths
from tutor.progress import Place, ProgressProblem
from tutor.progress.store import Progress
from tutor.session import Session

KV, BATCH = "core/L2.1/kv", "core/L2.2/batch"


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Session]:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    made = Session.start()
    yield made
    made.close()


def again(session: Session) -> Session:
    """The next start of the tutor."""
    session.close()
    return Session.start()


def test_an_answer_is_on_the_disk_before_the_verdict_is_told(session: Session) -> None:
    checked = session.check(KV, "0.537 GB", seconds=3.5)
    (kept,) = Session.start().progress.attempts(KV)
    assert (kept.answer, kept.verdict, kept.seconds) == ("0.537 GB", "incorrect", 3.5)
    assert kept.value == Fraction(537 * 10**6)
    assert set(kept.slips) == {"kv-drop-two", "kv-p-one"}
    assert (checked.state.status, checked.state.attempts) == ("tried", 1)
    assert checked.message("en") != checked.message("hi-Latn")


@pytest.mark.parametrize("answer", ["", "1", "[/b]", "[red]x", "9" * 10**6, "\udcff"])
def test_an_answer_that_cannot_be_read_costs_nothing(session: Session, answer: str) -> None:
    checked = session.check(KV, answer)
    assert (checked.verdict.verdict, checked.state.attempts) == ("invalid", 0)
    assert checked.message("en")


def test_the_ladder_of_hints_is_climbed_once(session: Session) -> None:
    assert session.hints(KV) == ()
    first = session.next_hint(KV)
    assert first is not None
    assert (first.n, first.of) == (1, 3)
    session = again(session)
    assert session.hints(KV) == (first,)
    assert [hint.n for hint in iter(lambda: session.next_hint(KV), None)] == [2, 3]
    assert session.next_hint(KV) is None
    session.check(KV, "1.07 GB")
    assert session.progress.attempts(KV)[0].hints_used == 3


def test_hints_follow_the_language(session: Session) -> None:
    english = session.next_hint(KV)
    session.set_language("hi-Latn")
    assert session.hints(KV)[0].text != english.text  # type: ignore[union-attr]


def test_a_solution_shown_first_keeps_the_part_from_counting(session: Session) -> None:
    solution = session.solution(KV)
    assert "1.07 GB" in "\n".join(solution.working)
    assert "{" not in solution.text
    session.check(KV, "1.07 GB")
    assert session.results("core/L2.1").solved == 0
    session.reset("core/L2.1")
    session.check(KV, "1.07 GB")
    session.solution(KV)
    assert session.results("core/L2.1").solved == 1


def test_later_parts_are_judged_from_the_learners_own_value(session: Session) -> None:
    given = {"weights": "6.5 GB", "total": "59 GB"}
    for part, answer in given.items():
        session.check(f"core/L4.2/{part}", answer)
    checked = session.check("core/L4.2/headroom", "21 GB")
    assert checked.verdict.verdict == "correct"
    assert "follow-through" in checked.verdict.notes


def test_the_way_leads_past_what_is_done_and_back_to_what_was_skipped(session: Session) -> None:
    assert session.next_unsolved() == "core/L1.1/a"
    assert session.next_unsolved(after=KV) == BATCH
    session.skip(BATCH)
    assert session.next_unsolved(after=KV) == "core/L2.3/fp16"
    assert session.first_open("core/L2.2") == BATCH
    session.check(BATCH, "37")
    assert session.first_open("core/L2.2") is None
    for part in list(session.results("core").parts):
        session.skip(part)
    assert session.next_unsolved(after=KV) == "core/L2.3/fp16", "only skipped parts are left: the next of those"


def test_results_count_followups_apart(session: Session) -> None:
    results = session.results("core/L2.1")
    assert (list(results.parts), list(results.followups)) == ([KV], ["core/L2.1/gqa8"])
    session.check(KV, "1.07 GB")
    results = session.results("core/L2.1")
    assert (results.solved, results.done) == (1, True)
    assert len(session.results("core/L2").parts) == 6


def test_a_self_marked_text_is_solved_when_every_point_is_ticked(session: Session) -> None:
    part = "core/L3.3/explain"
    points = [point.id for point in session.part(part)[1].rubric]
    assert session.self_mark(part, "my text", points[:1]).status == "tried"
    assert session.self_mark(part, "my text", points).status == "solved"
    assert session.progress.attempts(part)[1].ticked == tuple(points)


def test_it_resumes_where_it_was_with_the_draft(session: Session) -> None:
    assert session.resume() is None
    place = Place("exercise", "core/L2.1", part=KV, draft="1.0")
    session.set_place(place)
    assert again(session).resume() == place


def test_a_place_that_the_course_no_longer_has_is_no_place(session: Session) -> None:
    session.set_place(Place("exercise", "core/L99", part="core/L99/x"))
    assert session.resume() is None


@pytest.mark.parametrize(
    "place",
    [
        Place("lesson", "core/L2.1"),
        Place("exercise", "core/C2"),
        Place("exercise", KV),
        Place("lesson", "core/C2", "nope"),
        Place("lesson", "core/C2", part=KV),
        Place("lesson", "CORE/c2"),
        Place("exercise", "core/L2.1", part="core/L2.2/batch"),
        Place("exercise", "core/L2.1", "count"),
        Place("nope", "core/C2"),  # type: ignore[arg-type]
        Place("lesson", ""),
        Place("exercise", "\x00" * 99),
    ],
)
def test_a_place_that_does_not_fit_leads_home(session: Session, place: Place) -> None:
    session.set_place(place)
    assert session.resume() is None


@pytest.mark.parametrize(
    "place",
    [
        Place("home"),
        Place("lesson", "core/C2"),
        Place("lesson", "core/C2", "end"),
        Place("exercise", "core/L2.1", part="core/L2.1/gqa8"),
    ],
)
def test_a_place_that_fits_is_resumed(session: Session, place: Place) -> None:
    session.set_place(place)
    assert session.resume() == place


def test_the_language_is_remembered(session: Session) -> None:
    assert session.language == "en"
    session.set_language("hi-Latn")
    assert again(session).language == "hi-Latn"


def test_an_unknown_part_is_no_attempt(session: Session) -> None:
    with pytest.raises(UnknownId):
        session.check("core/L2.1/nothing", "1")


def test_a_full_disk_is_told_once_and_caught_up_later(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session.check(KV, "0.537 GB")
    refusing = True
    writing = Progress._writing

    def full(self: Progress) -> AbstractContextManager[sqlite3.Connection]:
        if refusing and self.persistent:
            raise ProgressProblem("full", self.path)
        return writing(self)

    monkeypatch.setattr(Progress, "_writing", full)
    assert session.check(KV, "1.07 GB").state.status == "solved"
    assert len(session.notices()) == 1
    session.check(BATCH, "38")
    assert session.notices() == []
    refusing = False
    session.check(BATCH, "37")
    assert session.progress.persistent
    assert [len(Session.start().progress.attempts(part)) for part in (KV, BATCH)] == [2, 2]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("BUSY", 0.05), ("RETRY_BUSY", 0.01), ("RETRY", 0.0), ("PATIENCE", 0.1)):
        monkeypatch.setattr(ondisk, name, seconds)


def locked() -> sqlite3.Connection:
    """Another program in the middle of a write."""
    other = sqlite3.connect(paths.database(), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


@pytest.mark.usefixtures("impatient")
def test_what_a_lock_held_up_is_written_at_the_end(session: Session) -> None:
    session.check(BATCH, "37")
    session.progress.patience(0.01)
    other = locked()
    session.check(KV, "0.537 GB")
    session.reset(BATCH)
    session.check(KV, "1.07 GB")
    assert len(session.notices()) == 1
    other.execute("ROLLBACK")
    session.close()
    assert not session.lost
    assert session.notices() == []
    kept = Session.start().progress
    assert len(kept.attempts(KV)) == 2
    assert kept.attempts(BATCH) == [], "forgotten meanwhile"
    other.close()


@pytest.mark.usefixtures("impatient")
def test_a_lock_from_the_start_to_the_end_is_told_and_never_contradicted(session: Session) -> None:
    other = locked()
    late = Session.start()
    late.check(KV, "1.07 GB")
    assert late.state(KV).status == "solved"
    late.close()
    assert late.lost
    (told,) = late.notices()
    assert "could not be written" in told
    other.close()


TABLES = ("attempts", "marks", "place", "drafts", "unexplained", "reviews", "memory")


@pytest.mark.usefixtures("impatient")
def test_a_file_that_was_locked_at_the_start_gets_everything_later(session: Session) -> None:
    old = sqlite3.connect(paths.database(), isolation_level=None)
    old.execute("PRAGMA user_version = 0")
    old.executescript("".join(f"DROP TABLE {table};" for table in TABLES))
    old.execute("BEGIN IMMEDIATE")
    late = Session.start()
    assert not late.progress.persistent
    late.check(KV, "1.07 GB")
    old.execute("ROLLBACK")
    old.close()
    late.check(KV, "1.07 GB")
    assert late.progress.persistent
    assert len(late.progress.attempts(KV)) == 2
    late.close()


@pytest.mark.parametrize(("content", "told"), [(b"garbage " * 999, "damaged"), (None, "lies something else")])
def test_every_trouble_with_the_file_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes | None, told: str
) -> None:
    home = tmp_path / "home"
    if content is None:
        home.write_text("a file where the folder should be")
    else:
        home.mkdir()
        (home / "progress.sqlite3").write_bytes(content)
    monkeypatch.setenv("LLM_TUTOR_HOME", str(home))
    session = Session.start()
    notices = session.notices()
    assert any(told in notice for notice in notices)
    assert session.check(KV, "1.07 GB").state.status == "solved"
    assert session.notices() == []
    assert session.progress.persistent == (content is not None)
    assert paths.home() == home
