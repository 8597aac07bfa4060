"""Values that are none in a sound file: nothing breaks, the rest goes on, and the export has it."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.tutor.test_progress_full import KV
from tutor import cli, paths
from tutor.progress import Attempt, Place, Review, memory_progress, open_or_memory, open_progress, schema
from tutor.progress.exchange import COLUMNS
from tutor.revision.memory import after

OTHER = "core/L1.1/a"
START = datetime(2026, 1, 2, tzinfo=UTC)
CHANGES = (
    "UPDATE reviews SET answer = x'80ff'",
    "UPDATE reviews SET answer = CAST(x'80ff' AS TEXT)",
    "UPDATE reviews SET item = x'00ff' WHERE rowid = 1; UPDATE memory SET stale = 1",
    "UPDATE reviews SET item = x'00ff'; UPDATE memory SET item = x'00ff' WHERE rowid = 1",
    "UPDATE reviews SET slips = x'80', attempt = x'80', grade = x'80', turn = 'soon', right = 'x', seconds = 'long'",
    "UPDATE reviews SET at = x'80', day = x'80', variant = 'x', hints = x'80', source = 3.5, changed = x'80'",
    "UPDATE memory SET state = x'80', stability = 'x', again_at = x'80'",
    "UPDATE memory SET stability = 0, difficulty = 9e999; UPDATE memory SET stale = 'x' WHERE rowid = 1",
    "UPDATE attempts SET answer = x'80ff', value = x'80', slips = x'80', ticked = x'5b', reasons = x'80'",
    "UPDATE attempts SET part = x'80', at = x'80', variant = 'x', uid = x'80' WHERE rowid = 1",
    "UPDATE attempts SET hints_used = 'x', seconds = x'80'",
    "UPDATE marks SET part = x'80', at = x'80', n = 'x', variant = x'80'",
    "UPDATE drafts SET draft = x'80ff', at = x'80'",
    "UPDATE drafts SET part = x'80', variant = 'x'",
    "UPDATE place SET screen = x'80', id = x'80', section = x'80', part = x'80', draft = x'80', variant = 'x'",
    "UPDATE unexplained SET answer = x'80ff', times = 'x', at = 'x', value = x'80', uid = x'80'",
)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    with closing(open_progress(paths.database())) as store:
        for minute, part in enumerate((KV, OTHER, KV)):
            when = START + timedelta(minutes=minute)
            graded = Review(part, when, when.date(), "good", "good", "quiz")
            store.record(Attempt(part, "5 GB", "incorrect", ("a",), 0, 1.0, 0, when), True, [graded], after)
        store.mark(KV, "hint", 1)
        store.keep(Place("exercise", "core/L2.1", part=KV, draft="1.0"))
    return paths.database()


@pytest.fixture(params=CHANGES)
def changed(path: Path, request: pytest.FixtureRequest) -> Path:
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(request.param)
    return path


def test_every_command_goes_on(
    changed: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli.run(["progress", "export", str(changed.parent / "out.json")]) == 0
    document = json.loads((changed.parent / "out.json").read_text())
    assert len(document["attempts"]) >= 2 and len(document["marks"]) <= 1
    for words in (("show",), ("show", "--json"), ("show", KV), ("show", "kv-cache"), ("unexplained",)):
        assert cli.run(["progress", *words]) == 0, words
    monkeypatch.setattr("sys.stdin", io.StringIO("1 GB\nnext\n" * 3))
    assert cli.run(["quiz", "--plain", "--level", "2", "--count", "1"]) == 0
    assert cli.run(["progress", "import", str(changed.parent / "out.json")]) == 0
    assert "Traceback" not in capsys.readouterr().err
    assert not list(changed.parent.glob("*damaged*"))


def test_no_row_goes_and_it_is_mended_once(changed: Path) -> None:
    counts = count(changed)
    with closing(open_progress(changed)) as store:
        read = (store.export(), store.states(), store.slips(), store.place(), store.drafts(), store.reviews())
        assert len(store.memories(after)) <= 3
        assert store.attempts(OTHER) or store.attempts(KV)
    assert {table: number for table, number in count(changed).items() if table != "memory"} == counts
    with closing(sqlite3.connect(changed)) as raw:
        for table in (*COLUMNS, schema.DERIVED):
            assert raw.execute(f"SELECT count(*) FROM {table} WHERE {schema.odd(table)}").fetchone() == (0,)
    with closing(memory_progress(changed)) as kept:
        assert kept.export() == read[0]


def test_a_file_that_cannot_be_written_is_mended_in_memory(changed: Path, locked: Callable[[], None]) -> None:
    locked()
    opened = open_or_memory(changed, 0.05)
    assert opened.problem is None or opened.problem.kind == "locked"
    assert opened.progress.export()["attempts"] and opened.progress.reviews() is not None
    opened.progress.close()


@pytest.fixture
def locked(path: Path) -> Callable[[], None]:
    def lock() -> None:
        other.execute("BEGIN IMMEDIATE")

    other = sqlite3.connect(path, isolation_level=None)
    return lock


def count(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(path)) as raw:
        return {table: raw.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in COLUMNS}


def test_looking_for_them_reads_no_rows(path: Path) -> None:
    with closing(open_progress(path)) as store:
        for table in (*COLUMNS, schema.DERIVED):
            plan = store._connection.execute(f"EXPLAIN QUERY PLAN SELECT rowid FROM {table} WHERE {schema.odd(table)}")
            assert f"{table}_odd" in plan.fetchone()["detail"]
