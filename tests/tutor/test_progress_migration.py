"""Files of earlier versions: brought up to date in one step, with a copy beside, or left exactly as they are."""

from __future__ import annotations

import errno
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tutor.progress import PartState, Place, ProgressProblem, backup, open_or_memory, open_progress, schema

KV = "core/L2.1/kv"
AT = "2026-01-02T03:04:05.000000+00:00"
TABLES = ("attempts", "marks", "place", "drafts")


def old_file(path: Path, version: int) -> Path:
    """A file as that version wrote it: the old steps, and something in every table."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as raw:
        for step in schema.MIGRATIONS[:version]:
            raw.executescript(step)
        raw.execute(
            "INSERT INTO attempts (uid, at, part, answer, verdict, value, slips, ticked, hints_used, seconds, variant)"
            " VALUES ('00112233aabbccdd', ?, ?, '5 GB', 'incorrect', '5000000000', '[]', '[]', 0, 1.0, 0)",
            (AT, KV),
        )
        raw.execute("INSERT INTO marks (uid, at, part, kind, n) VALUES ('00112233aabbccde', ?, ?, 'hint', 2)", (AT, KV))
        raw.execute("INSERT INTO place VALUES (1, ?, 'exercise', 'core/L2.1', '', ?, '1.0')", (AT, KV))
        if version > 1:
            for part in (KV, "core/L2.2/batch"):
                raw.execute("INSERT INTO drafts VALUES (?, ?, '1.0')", (part, AT))
        raw.execute(f"PRAGMA application_id = {schema.APPLICATION}")
        raw.execute(f"PRAGMA user_version = {version}")
        raw.commit()
    return path


def rows(path: Path, table: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as raw:
        return raw.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "progress.sqlite3"


@pytest.mark.parametrize("version", [1, 2])
def test_an_older_file_keeps_everything(path: Path, version: int) -> None:
    store = open_progress(old_file(path, version))
    assert store.state(KV) == PartState("tried", 1, 2, "5 GB", store.attempts(KV)[0].value)
    assert store.attempts(KV)[0].variant == 0
    assert store.place() == Place("exercise", "core/L2.1", part=KV, draft="1.0")
    assert store.drafts() == ({KV: "1.0"} if version == 1 else {KV: "1.0", "core/L2.2/batch": "1.0"})
    assert list(store.unexplained()) == []
    store.mark("core/L2.1@3/kv", "skipped")
    document = store.export()
    store.close()
    assert open_progress(path).export() == document


@pytest.mark.parametrize("version", [1, 2])
def test_a_copy_is_made_before_it_changes(path: Path, version: int) -> None:
    old_file(path, version)
    before = {table: rows(path, table) for table in TABLES[: 3 if version == 1 else 4]}
    assert open_or_memory(path).problem is None, "told nowhere"
    copy = path.with_name(f"progress.before-v{schema.VERSION}.sqlite3")
    assert {table: rows(copy, table) for table in before} == before
    with closing(sqlite3.connect(copy)) as raw:
        assert schema.version(raw) == version
    assert sorted(one.name for one in path.parent.iterdir() if "before" in one.name) == [copy.name]


def test_the_copy_holds_what_only_the_log_held(path: Path) -> None:
    old_file(path, 2)
    running = sqlite3.connect(path, isolation_level=None)
    running.execute("PRAGMA journal_mode = WAL")
    running.execute(
        "INSERT INTO marks (uid, at, part, kind, n) VALUES ('00112233aabbccdf', ?, ?, 'shown', 0)", (AT, KV)
    )
    assert open_progress(path).state(KV).status == "shown"
    assert len(rows(backup.place_of(path, schema.VERSION), "marks")) == 2
    running.close()


def test_only_the_newest_copy_stays(path: Path) -> None:
    old_file(path, 2)
    older = backup.place_of(path, 2)
    older.write_text("an older copy")
    strange = path.with_name("progress.sqlite3.before")
    strange.write_text("not ours")
    open_progress(path).close()
    assert not older.exists()
    assert strange.exists() and backup.place_of(path, schema.VERSION).exists()


def test_a_new_file_and_a_current_one_are_not_copied(path: Path) -> None:
    for _ in range(2):
        open_progress(path).close()
    assert not [one for one in path.parent.iterdir() if "before" in one.name]


def test_an_old_copy_of_the_same_name_is_replaced_whole(path: Path) -> None:
    old_file(path, 2)
    copy = backup.place_of(path, schema.VERSION)
    copy.write_bytes(b"half a file")
    open_progress(path).close()
    assert len(rows(copy, "attempts")) == 1


@pytest.mark.parametrize(("number", "kind"), [(errno.ENOSPC, "full"), (errno.EACCES, "readonly")])
def test_without_room_for_the_copy_the_file_stays_as_it_is(
    path: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: str
) -> None:
    def refuse(path: Path, version: int) -> Path:
        raise OSError(number, "no")

    old_file(path, 2)
    before = {table: rows(path, table) for table in TABLES}
    monkeypatch.setattr(backup, "keep", refuse)
    opened = open_or_memory(path)
    assert opened.problem is not None and opened.problem.kind == kind
    assert opened.progress.state(KV).status == "tried", "with what the file holds, in memory"
    assert {table: rows(path, table) for table in TABLES} == before
    with closing(sqlite3.connect(path)) as raw:
        assert schema.version(raw) == 2


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A later version whose step refuses what is in the file."""
    step = (
        "CREATE TABLE one (part TEXT PRIMARY KEY, n INTEGER CHECK (n = 1)); INSERT INTO one SELECT part, 2 FROM marks"
    )
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, step))
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    schema._shape.cache_clear()
    yield
    schema._shape.cache_clear()


@pytest.mark.usefixtures("next_version")
def test_a_step_that_fails_leaves_the_file_and_names_the_copy(path: Path) -> None:
    old_file(path, 2)
    before = {table: rows(path, table) for table in TABLES}
    with pytest.raises(ProgressProblem) as caught:
        open_progress(path)
    assert caught.value.kind == "unmigrated"
    assert caught.value.aside is not None
    assert {table: rows(caught.value.aside, table) for table in TABLES} == before
    assert {table: rows(path, table) for table in TABLES} == before
    opened = open_or_memory(path)
    assert not opened.progress.persistent
    assert set(opened.progress.states()) == {KV}, "what can be read is there to go on with"
    opened.progress.mark(KV, "skipped")


@pytest.mark.usefixtures("next_version")
@pytest.mark.parametrize("lang", ["en", "hi-Latn"])
def test_a_step_that_fails_is_one_sentence(path: Path, lang: str) -> None:
    from tutor.commands.progress import refusal
    from tutor.problems import problem_text

    problem = open_or_memory(old_file(path, 2)).problem
    assert problem is not None
    for text in (problem_text(problem, lang), refusal(problem).text(lang)):  # type: ignore[arg-type]
        assert str(path) in text and str(problem.aside) in text


OPENER = """
import sys
from pathlib import Path
from tutor.progress import open_progress
print("ready", flush=True)
sys.stdin.readline()
print(len(open_progress(Path(sys.argv[1])).attempts("core/L2.1/kv")))
"""


def test_two_programs_bring_one_file_up_to_date_at_once(path: Path) -> None:
    old_file(path, 2)
    command = [sys.executable, "-c", OPENER, str(path)]
    both = [subprocess.Popen(command, stdin=-1, stdout=-1, text=True) for _ in range(3)]
    for one in both:
        assert one.stdout is not None and one.stdout.readline() == "ready\n"
    for one in both:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    assert [one.communicate(timeout=60)[0] for one in both] == ["1\n"] * 3
    assert rows(backup.place_of(path, schema.VERSION), "drafts")[0][0] == KV
    assert not [one for one in path.parent.iterdir() if one.name.startswith(".")]
