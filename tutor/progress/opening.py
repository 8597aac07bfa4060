"""Opening the file: what can be wrong with it, and what then happens. The old file is always kept."""

from __future__ import annotations

import errno
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from tutor.progress import backup, exchange, looking, mending, salvage, schema, space
from tutor.progress.connected import SAID_AFTER, listener
from tutor.progress.looking import READ_SECONDS
from tutor.progress.records import ProgressProblem
from tutor.progress.refusals import kind_of, misfit
from tutor.progress.rows import decoded
from tutor.progress.store import Progress

BUSY_SECONDS = 5.0
"""How long a write waits for another program's write before it gives up, where nobody watches a screen."""

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

    Raises ``ProgressProblem``; after ``damaged`` the file has been set aside, and what can be read of it is in a new
    one, which the next call opens.
    """
    told = listener()
    if told is None or busy <= SAID_AFTER:
        return _open(path, busy)
    try:
        store = _open(path, SAID_AFTER)
    except ProgressProblem as problem:
        if problem.kind != "locked":
            raise
        told()
        store = _open(path, busy - SAID_AFTER)
    store.patience(busy)
    return store


def _open(path: Path, busy: float) -> Progress:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ProgressProblem("readonly", path, code=error.errno) from error
    if not space.usable(path):
        raise ProgressProblem("no_file", path)
    if space.astray(path):
        raise ProgressProblem("nowhere", path)
    with suppress(_Doubtful):
        return _opened(path, busy)
    try:  # a moment later another program may have set a damaged file aside
        return _opened(path, busy)
    except _Doubtful as error:
        raise ProgressProblem("full", path) from error


class _Doubtful(Exception):
    """A file seemed broken, and the second look found nothing wrong with it: then the disk is to blame."""


def _opened(path: Path, busy: float) -> Progress:
    """The store in a file. Raises ``ProgressProblem`` or ``_Doubtful``."""
    try:
        return Progress(_connect(path, busy), path, open_progress)
    except schema.Newer as error:
        raise ProgressProblem("newer", path) from error
    except (schema.Unsound, sqlite3.Error) as error:
        kind = kind_of(error, path) if isinstance(error, sqlite3.Error) else "damaged"
        if kind != "damaged":
            raise ProgressProblem(kind, path, code=space.refusal(path) if kind == "readonly" else 0) from error
        if not looking.broken(path):
            raise _Doubtful from error
        aside = _set_aside(path)
        saved = 0 if aside is None else _begun_anew(path, busy, aside)
        raise ProgressProblem("damaged", path, aside, saved) from error


def _begun_anew(path: Path, busy: float, aside: Path) -> int:
    """A new file with what can be read of the one set aside; returns how many answers came over."""

    def merge(held: exchange.Rows) -> None:
        with closing(Progress(_connect(path, busy), path)) as store:
            store.merge(held)

    with suppress(ProgressProblem, sqlite3.Error, schema.Newer, schema.Unsound):  # then the next call begins empty
        return salvage.from_file(aside, merge)
    return 0


def open_or_memory(path: Path, busy: float = BUSY_SECONDS) -> Opened:
    """A store that works whatever the file is like: a new file beside a damaged one, else memory for this run."""
    try:
        return Opened(open_progress(path, busy), None)
    except ProgressProblem as problem:
        if problem.kind == "damaged" and problem.aside:
            with suppress(ProgressProblem):
                return Opened(open_progress(path, busy), problem)
        return Opened(memory_progress(path), problem)


def memory_progress(path: Path, live: Progress | None = None) -> MemoryProgress:
    """A store in memory that begins with what can be read from ``path``, whose rows it never changes.

    ``live`` is a store that has this file open: when the file is gone, all that is left of it is there.
    """
    connection = _memory()
    complete = _read_into(connection, path, live)
    try:
        schema.migrate(connection)
    except (sqlite3.Error, schema.Unsound):  # an older file with something in it that the new tables do not take
        connection.close()
        connection, complete = _memory(), False
        schema.migrate(connection)
    if not complete:
        complete = _salvaged(connection, path)
    if not looking.sound(connection):  # a copy has the broken pages too
        broken, connection, complete = connection, _memory(), False
        schema.migrate(connection)
        salvage.rescue(broken, connection)
        broken.close()
    mending.mend(connection)
    made = MemoryProgress(connection, path)
    made.complete = complete
    return made


def _salvaged(connection: sqlite3.Connection, path: Path) -> bool:
    """Read what can be read of a file that could not be copied; never all of it, as far as is known."""
    with suppress(sqlite3.Error):
        salvage.from_file(path, lambda held: exchange.merge(connection, held))
    return False


def _memory() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _set_up(connection)
    return connection


def _set_up(connection: sqlite3.Connection) -> None:
    """How rows and texts come out of a database."""
    connection.row_factory = sqlite3.Row
    connection.text_factory = decoded


def _read_into(connection: sqlite3.Connection, path: Path, live: Progress | None) -> bool:
    """Copy a file's rows; whether nothing of it is missing now."""
    try:
        if not space.usable(path):
            raise FileNotFoundError
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        if live is not None:
            with suppress(ProgressProblem, schema.Newer, schema.Unsound):
                live.copy_into(connection)
        return True
    except OSError:
        return False
    # Where shared memory may not fit, without it first: that fails if somebody works on the file, who then has it.
    ways = (_alone, _shared, _still) if space.tight(path) else (_shared, _still, _alone)
    for way in (*ways, _elsewhere):
        with suppress(OSError, sqlite3.Error, schema.Newer, schema.Unsound):
            if way(path, connection):
                return True
    return False


def _shared(path: Path, connection: sqlite3.Connection) -> bool:
    """Read the file as one of many."""
    _copy(f"{path.absolute().as_uri()}?mode=ro", connection)
    return True


def _still(path: Path, connection: sqlite3.Connection) -> bool:
    """Read a file that nobody writes: the only way in a read-only folder, and it does not see what the log holds."""
    if looking.log_of(path):
        return False
    _copy(f"{path.absolute().as_uri()}?immutable=1", connection)
    return True


def _alone(path: Path, connection: sqlite3.Connection) -> bool:
    """Read the file and its log with nobody else at them: it needs no memory to share, and so no room on the disk."""
    _copy(f"{path.absolute().as_uri()}?mode=rw", connection, "EXCLUSIVE")
    return True


def _elsewhere(path: Path, connection: sqlite3.Connection) -> bool:
    """Read copies of the file and its log, where other files can be made beside them."""
    import tempfile  # dear, and seldom needed

    with tempfile.TemporaryDirectory() as folder:
        for file in filter(space.usable, (path, Path(f"{path}-wal"))):
            (Path(folder) / file.name).write_bytes(file.read_bytes())
        _copy((Path(folder) / path.name).as_uri(), connection)
    return True


def _copy(uri: str, connection: sqlite3.Connection, locking: str = "NORMAL") -> None:
    with closing(sqlite3.connect(uri, uri=True, timeout=READ_SECONDS, isolation_level=None)) as old:
        old.execute(f"PRAGMA locking_mode = {locking}")
        # under one transaction nobody can lock the file in between: a copy would wait for that without end
        old.execute("BEGIN")
        schema.version(old)
        old.backup(connection)


def _connect(path: Path, busy: float) -> sqlite3.Connection:
    tight = space.tight(path)
    if tight:
        _leave_the_log(path)
    connection = sqlite3.connect(path, timeout=busy, isolation_level=None, check_same_thread=False)
    try:
        _set_up(connection)
        schema.version(connection)  # before anything is written: a newer or foreign file is not touched
        if not looking.sound(connection):
            raise schema.Unsound
        if not tight:
            _use_wal(connection, busy)
        connection.execute("PRAGMA synchronous = FULL")
        _migrate(connection, path)
        mending.mend(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _leave_the_log(path: Path) -> None:
    """Make a file with a write-ahead log one without: the log's shared memory may find no room, and then kills.

    With the file to itself a program needs no shared memory for that. If another one is at the file, that memory is
    there already, and all stays as it is. The next start that finds room takes the log up again.
    """
    with closing(sqlite3.connect(path, timeout=READ_SECONDS, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            schema.version(connection)
            connection.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            if kind_of(error) != "locked":
                raise


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the tables up to date, after a copy was made; without room for the copy the file stays as it is."""
    kept: list[Path] = []
    try:
        schema.migrate(connection, lambda: kept.append(backup.keep(path, schema.VERSION)))
    except OSError as error:
        raise ProgressProblem("full" if error.errno in _NO_ROOM else "readonly", path, code=error.errno) from error
    except sqlite3.Error as error:
        # the file is sound: it is the step that does not fit it
        if kept and (misfit(error) or kind_of(error) == "damaged"):
            raise ProgressProblem("unmigrated", path, kept[0]) from error
        for copy in kept:  # of a file that stays as it is, on a disk that may be full
            with suppress(OSError):
                copy.unlink()
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
