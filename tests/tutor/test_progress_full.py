"""A disk without room: the file stays as it is, what was there can be read, and the reason told is that it is full."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.tutor.test_progress_migration import old_file
from tutor import ondisk
from tutor.progress import Attempt, ProgressProblem, memory_progress, open_or_memory, open_progress, schema, space

KV = "core/L2.1/kv"


def attempt(answer: str = "5 GB") -> Attempt:
    return Attempt(KV, answer, "incorrect", (), 0, 1.0, 0, datetime.now(UTC))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "progress.sqlite3"


def sound_file(path: Path, answers: int = 30) -> Path:
    store = open_progress(path)
    for number in range(answers):
        store.record(attempt(f"{number} GB"))
    store.close()
    return path


def names(path: Path) -> list[str]:
    return sorted(one.name for one in path.parent.iterdir())


# --- the end of a run -------------------------------------------------------------------------------------------------


def test_the_end_waits_for_another_program_and_not_for_a_full_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[str] = []

    def refused(kind: Any) -> None:
        tries.append(kind)
        raise ProgressProblem(kind, path)

    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    monkeypatch.setattr(ondisk, "PATIENCE", 0.2)
    for kind in ("full", "locked"):
        with closing(memory_progress(path)) as progress:
            run = ondisk.OnDisk(progress)
            run._lost_disk = True
            monkeypatch.setattr(ondisk, "open_progress", lambda *_, kind=kind: refused(kind))
            run.close()
            assert run.lost and [problem.kind for problem in run.problems] == ["unsaved"]
    assert tries.count("full") == 1 < tries.count("locked")


# --- the first error counts -------------------------------------------------------------------------------------------


class Refusing(sqlite3.Connection):
    """A connection on which some statements fail, as on a full disk, and then nothing can be ended any more."""

    refused: str = ""
    code: str = ""

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if self.refused and statement.startswith(self.refused):
            raise refusal(self.code)
        if self.refused and statement.startswith(("COMMIT", "ROLLBACK")):
            raise refusal("SQLITE_ERROR")
        return super().execute(statement, *values)


def refusal(code: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("refused")
    error.sqlite_errorname = code  # type: ignore[misc]
    return error


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("SQLITE_IOERR_SHMSIZE", "full"), ("SQLITE_IOERR_WRITE", "full"), ("SQLITE_FULL", "full"),
        ("SQLITE_BUSY", "locked"), ("SQLITE_READONLY_DIRECTORY", "readonly"), ("SQLITE_ERROR", "readonly"),
        ("SQLITE_SCHEMA", "readonly"), ("SQLITE_CORRUPT", "full"), ("SQLITE_NOTADB", "full"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("statement", ["PRAGMA user_version", "PRAGMA quick_check", "PRAGMA journal_mode = WAL"])
def test_a_sound_file_is_never_moved(
    path: Path, monkeypatch: pytest.MonkeyPatch, statement: str, code: str, kind: str
) -> None:
    before = sound_file(path).read_bytes()
    connect = sqlite3.connect

    def refusing(place: Any, *args: Any, **options: Any) -> sqlite3.Connection:
        mine = place == path  # the second look, and the copy into memory, name the file in another way
        return connect(place, *args, **options, factory=Refusing if mine else sqlite3.Connection)

    monkeypatch.setattr(sqlite3, "connect", refusing)
    monkeypatch.setattr(Refusing, "refused", statement)
    monkeypatch.setattr(Refusing, "code", code)
    opened = open_or_memory(path, busy=0.0)
    assert opened.problem is not None
    assert (opened.problem.kind, opened.problem.aside) == (kind, None)
    assert len(opened.progress.attempts(KV)) == 30
    assert path.read_bytes() == before
    assert [name for name in names(path) if "damaged" in name] == []


def test_an_error_while_writing_is_told_as_what_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sound_file(path)
    store = open_progress(path)
    store._connection.close()
    store._connection = sqlite3.connect(path, isolation_level=None, factory=Refusing)
    store._connection.row_factory = sqlite3.Row
    monkeypatch.setattr(Refusing, "refused", "INSERT")
    monkeypatch.setattr(Refusing, "code", "SQLITE_FULL")
    with pytest.raises(ProgressProblem) as caught:
        store.record(attempt())
    assert caught.value.kind == "full"


def test_a_statement_that_does_not_fit_is_damage_only_where_the_tables_are_not_ours(path: Path) -> None:
    sound_file(path)
    store = open_progress(path)
    with pytest.raises(ProgressProblem) as caught, store._reading() as connection:
        connection.execute("SELECT nothing FROM nowhere")
    assert caught.value.kind == "readonly"
    with closing(sqlite3.connect(path)) as other:
        other.execute("ALTER TABLE marks RENAME TO marked")
    with pytest.raises(ProgressProblem) as caught:
        store.mark(KV, "skipped")
    assert caught.value.kind == "damaged"


# --- a limit on the size of files, as a full disk: no mounting needed -------------------------------------------------

LIMITED = """
import resource, sys
from datetime import UTC, datetime
from pathlib import Path
from tutor.progress import Attempt, ProgressProblem, open_or_memory
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
opened = open_or_memory(Path(sys.argv[1]))
kind = opened.problem.kind if opened.problem else ""
for _ in range(0 if kind else 2000):
    try:
        opened.progress.record(Attempt("core/L2.1/kv", "x" * 5000, "incorrect", (), 0, 1.0, 0, datetime.now(UTC)))
    except ProgressProblem as problem:
        kind = problem.kind
        break
print(kind, len(opened.progress.attempts("core/L2.1/kv")))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such limits there")
@pytest.mark.parametrize("limit", [0, 1, 4096, 40_000, 300_000])
@pytest.mark.parametrize("log", [False, True])
def test_files_that_cannot_grow(path: Path, limit: int, log: bool) -> None:
    sound_file(path)
    if log:  # as after a killed process
        running = open_progress(path)
        running.record(attempt())
        kept = [(one, one.read_bytes()) for one in (path, Path(f"{path}-wal"))]
        running.close()
        for one, data in kept:
            one.write_bytes(data)
    had = 31 if log else 30
    command = [sys.executable, "-c", LIMITED, str(path), str(limit)]
    kind, count = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.split()
    assert kind == "full"
    assert int(count) >= had
    assert [name for name in names(path) if "damaged" in name] == []
    assert len(open_progress(path).attempts(KV)) == (had if limit < 40_000 else int(count))


# --- hardly any room: no shared memory --------------------------------------------------------------------------------


@pytest.fixture
def tight(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(space, "tight", lambda path: True)
    yield


def mode(path: Path) -> bytes:
    """How the file is used, as it says itself: 1 with a journal, 2 with a write-ahead log."""
    return path.read_bytes()[18:20]


def test_with_hardly_any_room_there_is_no_shared_memory(path: Path, tight: None) -> None:
    sound_file(path)
    store = open_progress(path)
    store.record(attempt("1 GB"))
    assert mode(path) == b"\1\1"
    assert names(path) == [path.name]
    with closing(open_progress(path)) as other:
        other.record(attempt("2 GB"))
    assert [one.answer for one in store.attempts(KV)][-2:] == ["1 GB", "2 GB"]


def test_with_room_again_the_log_is_taken_up(path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(space, "tight", lambda path: True)
        sound_file(path)
        assert mode(path) == b"\1\1"
    store = open_progress(path)
    assert mode(path) == b"\2\2"
    assert len(store.attempts(KV)) == 30


def test_a_program_at_work_keeps_its_log(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sound_file(path)
    running = open_progress(path)
    running.record(attempt("1 GB"))
    monkeypatch.setattr(space, "tight", lambda path: True)
    store = open_progress(path)
    store.record(attempt("2 GB"))
    assert mode(path) == b"\2\2"
    assert [one.answer for one in running.attempts(KV)][-2:] == ["1 GB", "2 GB"]
    assert memory_progress(path).export() == running.export()


def test_a_log_is_read_without_shared_memory(path: Path, tight: None) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(space, "tight", lambda path: False)
        running = open_progress(path)
        running.record(attempt("1 GB"))
        data = [(one, one.read_bytes()) for one in (path, Path(f"{path}-wal"))]
        running.close()
    for one, bytes_ in data:
        one.write_bytes(bytes_)
    kept = memory_progress(path)
    assert kept.complete
    assert [one.answer for one in kept.attempts(KV)] == ["1 GB"]


def test_room_is_asked_for_where_the_system_says(tmp_path: Path) -> None:
    assert space.tight(tmp_path / "nowhere" / "file") is False
    if hasattr(os, "statvfs"):
        left = os.statvfs(tmp_path)
        assert space.tight(tmp_path / "file") is (left.f_bavail * left.f_frsize < space.TIGHT)


# --- a real small disk, where one can be mounted ----------------------------------------------------------------------


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of a megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = shutil.which("mount")
    command = [mount or "", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    if mount is None or os.name != "posix" or os.geteuid() != 0 or subprocess.run(command, check=False).returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill(disk: Path, free: int) -> None:
    """Leave so many KiB free."""
    with (disk / "fill").open("wb", buffering=0) as file:
        left = os.statvfs(disk)
        file.write(b"x" * (left.f_bavail * left.f_frsize - free * 1024))
    assert os.statvfs(disk).f_bavail * left.f_frsize == free * 1024


@pytest.mark.parametrize("free", [0, 4, 8, 12, 40, 80, 160, 300])
@pytest.mark.parametrize("version", [2, schema.VERSION])
def test_a_small_disk(disk: Path, free: int, version: int) -> None:
    path = disk / "home" / "progress.sqlite3"
    had = 1
    if version == schema.VERSION:
        had = 30
        sound_file(path)
    else:
        old_file(path, version)
    before = path.read_bytes()
    fill(disk, free)
    opened = open_or_memory(path)
    assert len(opened.progress.attempts(KV)) == had
    if opened.problem is None:
        assert free > 0
        with pytest.raises(ProgressProblem) as caught:
            for number in range(1000):
                opened.progress.record(attempt(f"{number}" * 1000))
        assert caught.value.kind == "full"
    else:
        assert (opened.problem.kind, opened.problem.aside) == ("full", None)
        assert path.read_bytes() == before or free > 0
        assert [name for name in names(path) if not name.endswith(("-wal", "-shm"))] == [path.name]
    opened.progress.close()
    (disk / "fill").unlink()
    with closing(open_progress(path)) as store:
        assert store.attempts(KV)[0].answer == ("0 GB" if version == schema.VERSION else "5 GB")
        assert len(store.attempts(KV)) >= had
