"""Opening the file: what can be wrong with it, and what then happens. The old file is always kept."""

from __future__ import annotations

import errno
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from tutor.progress import backup, schema
from tutor.progress.records import ProgressProblem
from tutor.progress.store import Progress, kind_of

BUSY_SECONDS = 5.0
"""How long a write waits for another program's write before it gives up, where nobody watches a screen."""


READ_SECONDS = 0.2
"""How long a reader waits that can do without the file."""


_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EIO)


class MemoryProgress(Progress):
    """Progress of this run only: for a home that cannot be written."""

    persistent = False
    complete = True
    """Whether it began with everything that the file held."""


class Opened(NamedTuple):
    """A store that works, and what the learner must be told about it, if anything."""

    progress: Progress
    problem: ProgressProblem | None


def open_progress(path: Path, busy: float = BUSY_SECONDS) -> Progress:
    """The store in a file, made or migrated where needed; ``busy`` is how many seconds it waits for others.

    Raises ``ProgressProblem``; after ``damaged`` the file has been set aside, so that the next call starts a new one.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ProgressProblem("readonly", path) from error
    try:
        connection = _connect(path, busy)
    except schema.Newer as error:
        raise ProgressProblem("newer", path) from error
    except schema.Unsound as error:
        raise ProgressProblem("damaged", path, _set_aside(path)) from error
    except sqlite3.Error as error:
        kind = kind_of(error)
        raise ProgressProblem(kind, path, _set_aside(path) if kind == "damaged" else None) from error
    return Progress(connection, path)


def open_or_memory(path: Path, busy: float = BUSY_SECONDS) -> Opened:
    """A store that works whatever the file is like: a new file beside a damaged one, else memory for this run."""
    try:
        return Opened(open_progress(path, busy), None)
    except ProgressProblem as problem:
        if problem.kind == "damaged" and problem.aside:
            with suppress(ProgressProblem):
                return Opened(open_progress(path, busy), problem)
        return Opened(memory_progress(path), problem)


def memory_progress(path: Path) -> MemoryProgress:
    """A store in memory that begins with what can be read from ``path``, which it never writes."""
    connection = _memory()
    complete = _read_into(connection, path)
    try:
        schema.migrate(connection)
    except (sqlite3.Error, schema.Unsound):  # an older file with something in it that the new tables do not take
        connection.close()
        connection, complete = _memory(), False
        schema.migrate(connection)
    made = MemoryProgress(connection, path)
    made.complete = complete
    return made


def _memory() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    return connection


def _read_into(connection: sqlite3.Connection, path: Path) -> bool:
    """Copy a file's rows; whether nothing of it is missing now."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    log = Path(f"{path}-wal")
    # a file with a write-ahead log in a read-only folder opens only as immutable, and then without what the log holds
    for uri in (f"{path.absolute().as_uri()}?mode=ro", f"{path.absolute().as_uri()}?immutable=1"):
        with suppress(OSError, sqlite3.Error, schema.Newer, schema.Unsound):
            if "immutable" not in uri or not log.exists() or not log.stat().st_size:
                _copy(uri, connection)
                return True
            import tempfile  # dear, and seldom needed

            with tempfile.TemporaryDirectory() as folder:
                for file in (path, log):
                    (Path(folder) / file.name).write_bytes(file.read_bytes())
                _copy((Path(folder) / path.name).as_uri(), connection)
                return True
    return False


def _copy(uri: str, connection: sqlite3.Connection) -> None:
    with closing(sqlite3.connect(uri, uri=True, timeout=READ_SECONDS, isolation_level=None)) as old:
        # under one transaction nobody can lock the file in between: a copy would wait for that without end
        old.execute("BEGIN")
        schema.version(old)
        old.backup(connection)


def _connect(path: Path, busy: float) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=busy, isolation_level=None, check_same_thread=False)
    try:
        connection.row_factory = sqlite3.Row
        schema.version(connection)  # before anything is written: a newer or foreign file is not touched
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise schema.Unsound
        _use_wal(connection, busy)
        connection.execute("PRAGMA synchronous = FULL")
        _migrate(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the tables up to date, after a copy was made; without room for the copy the file stays as it is."""
    kept: list[Path] = []
    try:
        schema.migrate(connection, lambda: kept.append(backup.keep(path, schema.VERSION)))
    except OSError as error:
        raise ProgressProblem("full" if error.errno in _NO_ROOM else "readonly", path) from error
    except sqlite3.Error as error:
        if kept and kind_of(error) == "damaged":  # the file is sound: it is the step that does not fit it
            raise ProgressProblem("unmigrated", path, kept[0]) from error
        raise


def _use_wal(connection: sqlite3.Connection, busy: float) -> None:
    """Switch to the write-ahead log. Two programs that make the file at once collide here, and SQLite does not wait."""
    end = time.monotonic() + busy
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if kind_of(error) != "locked" or time.monotonic() > end:
                raise
            time.sleep(0.02)


def _set_aside(path: Path) -> Path | None:
    """Rename the file and its logs; ``None`` when the folder does not allow it."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    aside = path.with_name(f"{path.stem}.damaged-{stamp}{path.suffix}")
    number = 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.stem}.damaged-{stamp}-{number}{path.suffix}")
    try:
        path.replace(aside)
    except OSError:
        return None
    for log in ("-wal", "-shm"):
        with suppress(OSError):
            Path(f"{path}{log}").replace(f"{aside}{log}")
    return aside
