"""One SQLite connection that several threads share: reading, one transaction for a write, and the file behind it."""

from __future__ import annotations

import itertools
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from tutor.progress import exchange, schema
from tutor.progress.records import Kind, ProgressProblem
from tutor.progress.refusals import kind_of, misfit, undo
from tutor.progress.space import UNKNOWN, identity, refusal

Reopen = Callable[[Path, float], "Connected"]
"""How the file of a path is opened, and how many seconds it then waits for others."""

SAID_AFTER = 1.0
"""Seconds of waiting after which a person is told what for."""

_HEARD: ContextVar[Callable[[], object] | None] = ContextVar("heard", default=None)


@contextmanager
def heard_by(told: Callable[[], object]) -> Iterator[None]:
    """Stores that are opened here call ``told`` whenever they wait for another program, at once and at each write."""
    before = _HEARD.set(told)
    try:
        yield
    finally:
        _HEARD.reset(before)


def listener() -> Callable[[], object] | None:
    """Who hears of waiting here, if anybody does."""
    return _HEARD.get()


_VERSIONS = itertools.count(1)
"""Never twice the same number in a process: whoever remembers one may be given another store."""


class Connected:
    """A store's connection. Methods raise ``ProgressProblem`` when the disk refuses."""

    persistent = True
    """Whether what is recorded outlives this run."""

    def __init__(self, connection: sqlite3.Connection, path: Path, reopen: Reopen | None = None) -> None:
        self._connection = connection
        self._lock = threading.RLock()  # the app checks answers in worker threads
        self._reopen = reopen
        self._file = None if reopen is None else identity(path)
        self._version, self._others = next(_VERSIONS), -1
        self.path, self._waiting = path, listener()

    def close(self) -> None:
        """Let go of the file. The store cannot be used afterwards."""
        self._connection.close()

    def copy_into(self, connection: sqlite3.Connection) -> None:
        """Put all that this store holds into another database. Raises ``ProgressProblem``."""
        with self._reading() as own:
            own.execute("BEGIN")
            try:
                schema.version(own)  # takes the read lock, so that the copy never waits for anybody
                own.backup(connection)
            finally:
                undo(own)

    def patience(self, seconds: float) -> None:
        """How long a write waits for another program's from now on."""
        self._connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")

    def version(self) -> int:
        """A number that is another one whenever anything was written since, by this program or by any other."""
        with self._reading() as connection:
            others = connection.execute("PRAGMA data_version").fetchone()[0]
            if others != self._others:
                self._version, self._others = next(_VERSIONS), others
            return self._version

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._connection
            except sqlite3.Error as error:
                kind = self._kind(error)
                code = refusal(self.path) if kind == "readonly" else 0
                raise ProgressProblem(kind, self.path, code=code) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction. IMMEDIATE takes the write lock at once, so that waiting works for two programs."""
        with self._lock:
            self._follow()
            with self._reading() as connection:
                try:
                    self._begin(connection)
                    yield connection
                    connection.execute("COMMIT")
                    self._version = next(_VERSIONS)
                except BaseException:
                    undo(connection)
                    raise

    def _begin(self, connection: sqlite3.Connection) -> None:
        """Take the write lock. SQLite waits without a word, so where somebody is to hear of it, it waits twice."""
        patience = connection.execute("PRAGMA busy_timeout").fetchone()[0] / 1000
        if self._waiting is None or patience <= SAID_AFTER:
            connection.execute("BEGIN IMMEDIATE")
            return
        self.patience(SAID_AFTER)
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if kind_of(error) != "locked":
                raise
            self._waiting()
            self.patience(patience - SAID_AFTER)
            connection.execute("BEGIN IMMEDIATE")
        finally:
            self.patience(patience)

    def _kind(self, error: sqlite3.Error) -> Kind:
        """What a refusal means: a statement that does not fit is damage only where the tables are not ours any more."""
        if misfit(error):
            with suppress(sqlite3.Error):
                try:
                    schema.version(self._connection)
                    if not schema.derived(self._connection):
                        return "damaged"
                except schema.Newer:
                    return "newer"
                except schema.Unsound:
                    return "damaged"
        return kind_of(error, self.path)

    def _follow(self) -> None:
        """Go on in the file that now has our name, if ours was deleted or replaced while it was open.

        Whoever has a file open can write to it after it was deleted, and what is written is lost in the end. So all
        that this store holds goes into the file of that name, made anew where there is none.
        """
        if self._reopen is None or identity(self.path) in (self._file, UNKNOWN):
            return
        with self._reading() as connection:
            held = exchange.stored(connection)
            patience = connection.execute("PRAGMA busy_timeout").fetchone()[0] / 1000
        other = self._reopen(self.path, patience)
        try:
            with other._writing() as connection:
                exchange.merge(connection, held)
        except BaseException:
            other.close()
            raise
        self._connection.close()
        self._connection, self._file = other._connection, other._file
