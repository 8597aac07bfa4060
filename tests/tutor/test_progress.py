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


def test_reset_forgets_the_unsent_draft_too(store: Progress) -> None:
    store.set_place(Place("exercise", "core/L2.1", part=KV, draft="1.0"))
    store.reset("core/L3")
    assert store.place() == Place("exercise", "core/L2.1", part=KV, draft="1.0")
    store.reset("core/L2.1")
    assert store.place() == Place("exercise", "core/L2.1", part=KV)


def test_slips_are_counted_by_their_likeliest_reading(store: Progress) -> None:
    store.record(attempt(slips=("kv-p-one", "kv-drop-two"), minute=0))
    store.record(attempt(slips=("gib-for-gb",), minute=1))
    store.record(attempt("core/L4.1/kv", slips=("gib-for-gb",), minute=2))
    assert [(slip.slip, slip.times, slip.part) for slip in store.slips()] == [
        ("gib-for-gb", 2, "core/L4.1/kv"),
        ("kv-p-one", 1, KV),
    ]


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


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda d: d.update(format="x"), "format"),
        (lambda d: d.update(version=99), "version"),
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
