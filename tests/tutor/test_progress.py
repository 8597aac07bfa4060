"""The store: what is answered is kept, whatever happens to the process, the disk or the file."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from tutor.progress import (
    Attempt,
    ImportProblem,
    PartState,
    Place,
    Progress,
    ProgressProblem,
    memory_progress,
    open_or_memory,
    open_progress,
    opening,
)
from tutor.progress import schema as schema_module

KV = "core/L2.1/kv"
START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def attempt(part: str = KV, verdict: str = "incorrect", minute: int = 0, slips: tuple[str, ...] = ()) -> Attempt:
    answer, value = ("1.07 GB", Fraction(107 * 10**7)) if verdict == "correct" else ("1/3", Fraction(1, 3))
    when = START + timedelta(minutes=minute)
    return Attempt(part, answer, verdict, slips, 0, 1.25, 0, when, value)  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "progress.sqlite3"


@pytest.fixture
def store(path: Path) -> Progress:
    return open_progress(path)


def test_an_attempt_comes_back_exactly(store: Progress) -> None:
    given = attempt(slips=("kv-drop-two", "kv-p-one"))._replace(answer="1/3 \x00 [/b] हाँ", ticked=("a",))
    store.record(given)
    assert store.attempts(KV) == [given]
    assert store.attempts(KV)[0].when.tzinfo is not None


def test_a_lone_surrogate_is_kept_as_text(store: Progress) -> None:
    store.record(attempt()._replace(answer="1\udcff"))
    assert store.attempts(KV)[0].answer == "1?"


def test_a_time_without_a_zone_is_refused(store: Progress) -> None:
    with pytest.raises(ValueError):
        store.record(attempt()._replace(when=datetime(2026, 1, 1)))
    assert store.attempts(KV) == []


def test_states_follow_what_happened(store: Progress) -> None:
    assert store.state(KV) == PartState()
    store.record(attempt())
    assert store.state(KV) == PartState("tried", 1, 0, "1/3", Fraction(1, 3))
    store.hint(KV, 1)
    store.hint(KV, 1)
    store.mark(KV, "skipped")
    assert (store.state(KV).status, store.state(KV).hints) == ("skipped", 1)
    store.record(attempt(verdict="correct")._replace(when=datetime.now(UTC)))
    assert store.state(KV).status == "solved"
    store.mark(KV, "shown")
    assert store.state(KV).status == "solved", "the solution after success takes nothing away"


def test_a_solution_seen_first_does_not_count_as_solved(store: Progress) -> None:
    store.mark(KV, "shown")
    store.record(attempt(verdict="correct")._replace(when=datetime.now(UTC)))
    assert store.state(KV).status == "shown"


@pytest.mark.parametrize(
    ("prefix", "found"),
    [
        ("", 4),
        ("core", 4),
        ("core/L2", 2),
        ("core/L2.1", 1),
        ("core/L2.1/kv", 1),
        ("core/L5.1", 0),
        ("core/L5.1a", 1),
        ("core/L", 0),
        ("cor%", 0),
    ],
)
def test_a_prefix_is_an_id_not_a_pattern(store: Progress, prefix: str, found: int) -> None:
    for part in (KV, "core/L2.2/batch", "core/L5.1a/bucket", "core/L5.1b/phase"):
        store.record(attempt(part))
    assert len(store.states(prefix)) == found
    store.reset(prefix)
    assert len(store.states()) == 4 - found


def test_reset_of_everything_forgets_the_place_too(store: Progress) -> None:
    store.keep(Place("exercise", "core/L2.1", part=KV, draft="1.0"))
    store.reset()
    assert store.place() is None
    assert store.drafts() == {}


def test_reset_forgets_the_unsent_draft_too(store: Progress) -> None:
    store.set_place(Place("exercise", "core/L2.1", part=KV, draft="1.0"))
    store.reset("core/L3")
    assert store.place() == Place("exercise", "core/L2.1", part=KV, draft="1.0")
    store.reset("core/L2.1")
    assert store.place() == Place("exercise", "core/L2.1", part=KV)


def test_slips_are_counted_where_only_one_explains_the_answer(store: Progress) -> None:
    store.record(attempt(slips=("kv-p-one", "kv-drop-two"), minute=0))
    store.record(attempt(slips=("gib-for-gb",), minute=1))
    store.record(attempt("core/L4.1/kv", slips=("gib-for-gb",), minute=2))
    assert [(slip.slip, slip.times, slip.part) for slip in store.slips()] == [
        ("gib-for-gb", 2, "core/L4.1/kv"),
    ]


def ahead(days: int) -> str:
    """A time as another machine's clock may give it."""
    return (datetime.now(UTC) + timedelta(days=days)).isoformat(timespec="microseconds")


# --- export and import ------------------------------------------------------------------------------------------------


def filled(store: Progress) -> Progress:
    store.record(attempt(slips=("kv-p-one",)))
    store.record(attempt(verdict="correct", minute=1))
    store.mark(KV, "hint", 2)
    store.set_place(Place("lesson", "core/C2", "count", draft="ünï"))
    return store


def test_an_export_round_trips_exactly(store: Progress, tmp_path: Path) -> None:
    document = filled(store).export()
    other = open_progress(tmp_path / "other.sqlite3")
    assert other.import_(json.loads(json.dumps(document))) == 3
    assert other.export() == document
    assert other.import_(document) == 0
    assert other.export() == document
    assert other.attempts(KV) == store.attempts(KV)


def test_import_merges_and_keeps_the_later_place(store: Progress, tmp_path: Path) -> None:
    document = filled(store).export()
    other = open_progress(tmp_path / "other.sqlite3")
    other.record(attempt("core/L2.2/batch"))
    other.set_place(Place("home"))
    assert other.import_(document) == 3
    assert set(other.states()) == {KV, "core/L2.2/batch"}
    assert other.place() == Place("home")


@pytest.mark.parametrize("days", [3, 9, 4000, 2_500_000])
def test_a_clock_that_is_ahead_is_no_fault(store: Progress, tmp_path: Path, days: int) -> None:
    document = json.loads(json.dumps(filled(store).export()))
    document["attempts"][0]["at"] = document["place"]["at"] = ahead(days)
    other = open_progress(tmp_path / "other.sqlite3")
    assert other.import_(document) == 3


def test_a_place_that_does_not_fit_is_left_out(store: Progress, tmp_path: Path) -> None:
    document = json.loads(json.dumps(filled(store).export()))
    other = open_progress(tmp_path / "other.sqlite3")
    assert other.import_(document, lambda place: place.id != "core/C2") == 3
    assert other.place() is None
    other.import_(document, lambda place: place.section == "count")
    assert other.place() == store.place()


def test_a_merge_brings_later_reasons_and_clears_answered_drafts(store: Progress, tmp_path: Path) -> None:
    store.record(attempt(verdict="correct"))
    other = open_progress(tmp_path / "other.sqlite3")
    other.import_(store.export())
    other.keep(Place("exercise", "core/L2.1", part=KV, draft="1.0"))
    store.reason(KV, "above")
    assert other.import_(store.export()) == 0
    assert other.state(KV).reasons == ("above",)
    assert other.drafts() == {KV: "1.0"}
    store.record(attempt()._replace(when=datetime.now(UTC)))
    assert other.import_(store.export()) == 1
    assert other.drafts() == {}


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda d: d.update(format="x"), "format"),
        (lambda d: d.update(version=99), "version"),
        (lambda d: d.update(version=True), "version"),
        (lambda d: d.update(version=0), "version"),
        (lambda d: d.update(version="1"), "version"),
        (lambda d: d["attempts"][0].update(at="9500-01-02T03:04:05.000000+00:00"), "attempts[0].at"),
        (lambda d: d["attempts"][0].update(at="0001-01-02T03:04:05.000000+00:00"), "attempts[0].at"),
        (lambda d: d["attempts"][0].update(seconds=10**400), "attempts[0].seconds"),
        (lambda d: d["attempts"][0].update(seconds=1e300), "attempts[0].seconds"),
        (lambda d: d["attempts"][0].update(hints_used=10**400), "attempts[0].hints_used"),
        (lambda d: d["attempts"][0].update(variant=10**400), "attempts[0].variant"),
        (lambda d: d["marks"][0].update(n=10**400), "marks[0].n"),
        (lambda d: d["attempts"][0].update(slips=["\x1b[31m"]), "attempts[0].slips"),
        (lambda d: d["place"].update(screen="nope"), "place.screen"),
        (lambda d: d["place"].update(id="\x1b"), "place.id"),
        (lambda d: d.update(attempts={}), "attempts"),
        (lambda d: d["attempts"].append(3), "attempts[2]"),
        (lambda d: d["attempts"][1].update(verdict="maybe"), "attempts[1].verdict"),
        (lambda d: d["attempts"][0].update(at="2026-01-02T03:04:05"), "attempts[0].at"),
        (lambda d: d["attempts"][0].update(value="1/0"), "attempts[0].value"),
        (lambda d: d["attempts"][0].update(value="9" * 5000), "attempts[0].value"),
        (lambda d: d["attempts"][0].update(seconds=float("nan")), "attempts[0].seconds"),
        (lambda d: d["attempts"][0].update(hints_used=True), "attempts[0].hints_used"),
        (lambda d: d["attempts"][0].update(part="../../etc"), "attempts[0].part"),
        (lambda d: d["attempts"][0].update(answer="\ud800"), "attempts[0].answer"),
        (lambda d: d["marks"][0].pop("kind"), "marks[0].kind"),
        (lambda d: d.update(place="home"), "place"),
    ],
)
def test_a_document_that_is_no_export_changes_nothing(store: Progress, change: object, where: str) -> None:
    before = filled(store).export()
    document = json.loads(json.dumps(before))
    document["attempts"][0]["uid"] = "0" * 16
    change(document)  # type: ignore[operator]
    with pytest.raises(ImportProblem) as caught:
        store.import_(document)
    assert caught.value.where == where
    assert store.export() == before


# --- files that cannot be used ----------------------------------------------------------------------------------------


def test_a_newer_file_is_left_alone(store: Progress, path: Path) -> None:
    filled(store).close()
    with sqlite3.connect(path) as raw:
        raw.execute(f"PRAGMA user_version = {schema_module.VERSION + 1}")
    raw.close()
    before = path.read_bytes()
    with pytest.raises(ProgressProblem) as caught:
        open_progress(path)
    assert caught.value.kind == "newer"
    opened = open_or_memory(path)
    assert not opened.progress.persistent
    opened.progress.record(attempt())
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE marks",
        "DROP TABLE drafts",
        "ALTER TABLE attempts RENAME COLUMN part TO piece",
        "ALTER TABLE attempts DROP COLUMN reasons",
        "DROP TABLE place; CREATE TABLE place (x)",
        "ALTER TABLE marks ADD COLUMN more TEXT NOT NULL DEFAULT ''",
        "DROP TABLE marks; CREATE VIEW marks AS SELECT * FROM attempts",
        "PRAGMA user_version = 0",
        "PRAGMA user_version = -1",
        "PRAGMA user_version = 1",
    ],
)
def test_a_file_with_other_tables_is_set_aside_like_a_damaged_one(store: Progress, path: Path, change: str) -> None:
    filled(store).close()
    raw = sqlite3.connect(path)
    raw.executescript(change)
    raw.close()
    opened = open_or_memory(path)
    assert opened.problem is not None
    assert opened.problem.kind == "damaged"
    assert opened.problem.aside is not None and opened.problem.aside.exists()
    assert opened.progress.persistent
    filled(opened.progress).close()
    assert open_or_memory(path).problem is None


def test_tables_that_change_under_a_running_store_are_damage(store: Progress, path: Path) -> None:
    raw = sqlite3.connect(path)
    raw.execute("DROP TABLE marks")
    raw.close()
    with pytest.raises(ProgressProblem) as caught:
        store.mark(KV, "hint", 1)
    assert caught.value.kind == "damaged"


def test_values_that_are_none_break_nothing(store: Progress) -> None:
    filled(store)
    store._connection.execute("UPDATE attempts SET value = 'x', slips = '{', reasons = '3', ticked = '[1]'")
    assert store.state(KV).value is None
    assert store.slips() == []
    assert [one.ticked for one in store.attempts(KV)] == [(), ()]
    assert store.export()["attempts"][0]["slips"] == []


@pytest.mark.parametrize("damage", ["text", "header", "pages", "foreign"])
def test_a_damaged_file_is_set_aside_whole(path: Path, damage: str) -> None:
    store = open_progress(path)
    for minute in range(200):
        store.record(attempt(minute=minute))
    store.close()
    data = path.read_bytes()
    if damage == "foreign":
        path.unlink()
        with sqlite3.connect(path) as raw:
            raw.execute("CREATE TABLE notes (text)")
        raw.close()
        data = path.read_bytes()
    else:
        pages = data[:4096] + b"\xff" * 9000
        kept = {"text": b"hello " * 4000, "header": b"SQLite format 4" + data[15:], "pages": pages}
        data = kept[damage]
        path.write_bytes(data)
    opened = open_or_memory(path)
    assert opened.problem is not None
    assert opened.problem.kind == "damaged"
    assert opened.problem.aside is not None
    assert opened.problem.aside.read_bytes() == data
    assert opened.problem.aside.name.startswith("progress.damaged-")
    assert opened.progress.persistent
    assert opened.progress.states() == {}
    assert open_or_memory(path).problem is None, "told once"


def test_two_damaged_files_of_one_second_do_not_collide(path: Path) -> None:
    asides = set()
    for text in (b"one" * 999, b"two" * 999):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text)
        opened = open_or_memory(path)
        opened.progress.close()
        assert opened.problem is not None
        asides.add(opened.problem.aside)
    assert len(asides) == 2


def test_a_home_that_cannot_be_made_means_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    opened = open_or_memory(tmp_path / "file" / "progress.sqlite3")
    assert opened.problem is not None
    assert opened.problem.kind == "readonly"
    opened.progress.record(attempt())
    assert opened.progress.state(KV).status == "tried"


def test_memory_begins_with_what_the_file_holds(store: Progress, path: Path) -> None:
    filled(store)
    kept = memory_progress(path)
    assert kept.export() == store.export()
    kept.record(attempt(minute=9))
    assert len(store.attempts(KV)) == 2


def test_memory_reads_what_only_the_log_holds(store: Progress, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(store)  # and left open: the rows are in the log beside the file
    asked: list[str] = []
    copy = opening._copy

    def refuse(uri: str, connection: sqlite3.Connection, *locking: str) -> None:
        asked.append(uri)
        if "mode=ro" in uri:
            raise sqlite3.OperationalError
        copy(uri, connection, *locking)

    monkeypatch.setattr(opening, "_copy", refuse)
    kept = memory_progress(path)
    assert (len(asked), kept.complete) == (3, True), "as one of many; alone, which we are not; from a copy"
    assert kept.export() == store.export()


def test_memory_knows_when_it_could_not_read(path: Path) -> None:
    assert memory_progress(path).complete, "there was nothing to read"
    path.parent.mkdir()
    path.write_bytes(b"no database " * 999)
    assert not memory_progress(path).complete


def test_a_full_disk_loses_nothing_that_was_there(store: Progress, path: Path) -> None:
    filled(store)
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    before = store.export()
    with pytest.raises(ProgressProblem) as caught:
        for minute in range(500):
            store.record(attempt(minute=minute)._replace(answer="x" * 5000))
            before = store.export()
    assert caught.value.kind == "full"
    assert store.export() == before
    store.close()
    assert open_progress(path).export() == before


# --- processes --------------------------------------------------------------------------------------------------------

WRITER = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from tutor.progress import Attempt, open_progress
store = open_progress(Path(sys.argv[1]))
for number in range(int(sys.argv[2])):
    store.record(Attempt("core/L2.1/kv", f"{sys.argv[3]} {number}", "incorrect", (), 0, 0.0, 0, datetime.now(UTC)))
    print(number, flush=True)
"""


def writer(path: Path, count: int, name: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path), str(count), name]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_a_killed_process_has_lost_no_attempt_that_returned(path: Path) -> None:
    process = writer(path, 10**6, "a")
    assert process.stdout is not None
    for _ in range(20):
        process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    told = 20 + len(process.stdout.readlines())
    process.wait()
    process.stdout.close()
    answers = [attempt.answer for attempt in open_progress(path).attempts(KV)]
    assert answers[:told] == [f"a {number}" for number in range(told)]


def test_two_processes_write_at_once_from_the_first_moment(path: Path) -> None:
    processes = [writer(path, 40, name) for name in "ab"]
    assert [process.wait(timeout=60) for process in processes] == [0, 0]
    for process in processes:
        assert process.stdout is not None
        process.stdout.close()
    assert len(open_progress(path).attempts(KV)) == 80


def test_threads_share_one_store(store: Progress) -> None:
    def write() -> None:
        for _ in range(20):
            store.record(attempt())

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.attempts(KV)) == 80


def test_the_file_is_durable_and_ours(store: Progress) -> None:
    for name, value in (("journal_mode", "wal"), ("synchronous", 2)):
        assert store._connection.execute(f"PRAGMA {name}").fetchone()[0] == value


OLD = schema_module.MIGRATIONS[0]


def old_file(path: Path, draft: str) -> None:
    """A file as the first version wrote it, with one attempt and a place."""
    path.parent.mkdir(parents=True)
    connection = sqlite3.connect(path)
    connection.executescript(OLD)
    connection.execute(
        "INSERT INTO attempts VALUES (1, '00112233aabbccdd', '2026-01-02T03:04:05.000000+00:00', ?, '1/3', 'incorrect',"
        " '1/3', '[]', '[]', 0, 1.0, 0)",
        (KV,),
    )
    connection.execute(
        "INSERT INTO place VALUES (1, '2026-01-02T03:04:06.000000+00:00', 'exercise', 'core/L2.1', '', ?, ?)",
        (KV, draft),
    )
    connection.execute(f"PRAGMA application_id = {schema_module.APPLICATION}")
    connection.execute("PRAGMA user_version = 1")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("draft", ["1.0", ""])
def test_a_file_of_the_first_version_is_brought_up_to_date(path: Path, draft: str) -> None:
    old_file(path, draft)
    with_path = open_progress(path)
    assert with_path.attempts(KV)[0].reasons == ()
    assert with_path.place() == Place("exercise", "core/L2.1", part=KV, draft=draft)
    assert with_path.drafts() == ({KV: draft} if draft else {})
    with_path.reason(KV, "below")
    assert with_path.attempts(KV)[0].reasons == ("below",)
    with_path.close()
    assert open_progress(path).state(KV).reasons == ("below",)


def test_reasons_belong_to_the_last_attempt(store: Progress) -> None:
    store.reason(KV, "nothing to give a reason for")
    assert store.attempts(KV) == []
    store.record(attempt())
    store.reason(KV, "above")
    store.reason(KV, "below")
    assert store.state(KV).reasons == ("above", "below")
    store.record(attempt(verdict="correct", minute=1))
    assert store.state(KV).reasons == ()
    assert [one.reasons for one in store.attempts(KV)] == [("above", "below"), ()]


def test_a_draft_for_each_part_until_it_is_answered(store: Progress) -> None:
    other = "core/L2.1/other"
    store.keep(Place("exercise", "core/L2.1", part=KV, draft="1.0"))
    store.keep(Place("exercise", "core/L2.1", part=other, draft="7 \udcff"))
    store.set_place(Place("lesson", "core/C2"))
    assert store.drafts("core/L2.1") == {KV: "1.0", other: "7 ?"}
    assert store.drafts("core/L2.2") == {}
    store.record(attempt())
    assert store.drafts() == {other: "7 ?"}
    store.keep(Place("exercise", "core/L2.1", part=other))
    assert store.drafts() == {}


def test_reasons_and_drafts_are_exported(store: Progress, tmp_path: Path) -> None:
    store.record(attempt())
    store.reason(KV, "above")
    store.keep(Place("exercise", "core/L2.1", part=KV, draft="later"))
    document = json.loads(json.dumps(store.export()))
    other = open_progress(tmp_path / "other.sqlite3")
    other.import_(document)
    assert other.state(KV).reasons == ("above",)
    assert other.drafts() == {KV: "later"}
    assert other.export() == document
    older = {name: rows for name, rows in document.items() if name != "drafts"}
    older["attempts"] = [{k: v for k, v in row.items() if k != "reasons"} for row in document["attempts"]]
    third = open_progress(tmp_path / "third.sqlite3")
    third.import_(older)
    assert third.state(KV).attempts == 1 and third.drafts() == {}


def test_reset_forgets_every_draft_under_an_id(store: Progress) -> None:
    store.keep(Place("exercise", "core/L2.1", part=KV, draft="1.0"))
    store.keep(Place("exercise", "core/L3.1", part="core/L3.1/blocks", draft="3"))
    store.reset("core/L2")
    assert store.drafts() == {"core/L3.1/blocks": "3"}
