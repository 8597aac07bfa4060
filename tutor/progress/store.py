"""The store: one SQLite connection, one transaction per thing that the learner did.

A process that is killed after a call returned has lost nothing. Two programs may work on one file at once.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tutor.progress import exchange
from tutor.progress.records import Attempt, Mark, PartState, Place, ProgressProblem, Slip, now
from tutor.progress.states import Event, fold

MAX_TEXT = 20_000
"""Longest answer or draft that is kept; whatever is longer was refused before it came here."""

_UNDER = "(:prefix = '' OR part = :prefix OR substr(part, 1, length(:prefix) + 1) IN (:prefix || '/', :prefix || '.'))"


class Progress:
    """Everything remembered about one learner's answers. Methods raise ``ProgressProblem`` when the disk refuses."""

    persistent = True
    """Whether what is recorded outlives this run."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._lock = threading.RLock()  # the app checks answers in worker threads
        self.path = path

    def close(self) -> None:
        """Let go of the file. The store cannot be used afterwards."""
        self._connection.close()

    def patience(self, seconds: float) -> None:
        """How long a write waits for another program's from now on."""
        self._connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")

    # --- writing ----------------------------------------------------------------------------------------------------

    def record(self, attempt: Attempt) -> None:
        """Keep one attempt; when this returns it is on the disk."""
        row = exchange.attempt_row(attempt._replace(answer=_clean(attempt.answer)), _uid())
        with self._writing() as connection:
            connection.execute(exchange.INSERT_ATTEMPT, row)
            connection.execute("DELETE FROM drafts WHERE part = ?", (attempt.part,))

    def reason(self, part: str, reason: str) -> None:
        """Add the reason that the learner gave to the last attempt at a part."""
        with self._writing() as connection:
            row = connection.execute(
                "SELECT id, reasons FROM attempts WHERE part = ? ORDER BY at DESC, id DESC LIMIT 1", (part,)
            ).fetchone()
            if row is not None:
                told = json.dumps([*exchange.listed(row["reasons"]), reason])
                connection.execute("UPDATE attempts SET reasons = ? WHERE id = ?", (told, row["id"]))

    def mark(self, part: str, kind: Mark, n: int = 0) -> None:
        """Note that a part was skipped, its solution shown, or its hint number ``n`` read."""
        row = {"uid": _uid(), "at": exchange.time_text(now()), "part": part, "kind": kind, "n": n}
        with self._writing() as connection:
            connection.execute(exchange.INSERT_MARK, row)

    def hint(self, part: str, n: int) -> None:
        """Note that hint ``n`` (1 is the first) of a part was read; reading it again notes nothing new."""
        if n > self.state(part).hints:
            self.mark(part, "hint", n)

    def set_place(self, place: Place) -> None:
        """Remember where to resume."""
        with self._writing() as connection:
            self._place(connection, place)

    def keep(self, place: Place) -> None:
        """Remember where to resume, and what stands typed there as the draft of its part; an empty one is none."""
        with self._writing() as connection:
            self._place(connection, place)
            connection.execute("DELETE FROM drafts WHERE part = ?", (place.part,))
            if place.draft:
                row = {"at": exchange.time_text(now()), "part": place.part, "draft": _clean(place.draft)}
                connection.execute(exchange.REPLACE_DRAFT, row)

    @staticmethod
    def _place(connection: sqlite3.Connection, place: Place) -> None:
        row = place._replace(draft=_clean(place.draft))._asdict() | {"at": exchange.time_text(now())}
        connection.execute(exchange.REPLACE_PLACE, row)

    def reset(self, prefix: str = "") -> int:
        """Forget all attempts and marks under an id; "" is all, the place too. Returns how many rows were removed."""
        with self._writing() as connection:
            removed = 0
            for table in ("attempts", "marks"):
                removed += connection.execute(f"DELETE FROM {table} WHERE {_UNDER}", {"prefix": prefix}).rowcount
            # what was typed and not sent belongs to what is forgotten
            connection.execute(f"DELETE FROM drafts WHERE {_UNDER}", {"prefix": prefix})
            connection.execute(f"UPDATE place SET draft = '' WHERE {_UNDER}", {"prefix": prefix})
            if not prefix:
                connection.execute("DELETE FROM place")
            return removed

    def import_(self, document: Mapping[str, Any], fits: Callable[[Place], bool] | None = None) -> int:
        """Merge an export: what is here stays, what is known already is left out. Returns how many rows were new.

        Args:
            document: the export.
            fits: whether the course has a place; one that it has not is left out. ``None`` takes any.

        Raises ``ImportProblem`` for a document that is no export, having changed nothing.
        """
        rows = exchange.read(document)
        if rows.place is not None and fits is not None and not fits(exchange.place_of(rows.place)):
            rows = rows._replace(place=None)
        with self._writing() as connection:
            return exchange.merge(connection, rows)

    # --- reading ----------------------------------------------------------------------------------------------------

    def attempts(self, part: str) -> Sequence[Attempt]:
        """All attempts at one part, oldest first."""
        return [exchange.attempt_of(row) for row in self._rows("attempts", part) if row["part"] == part]

    def state(self, part: str) -> PartState:
        """Where one part stands."""
        return self.states(part).get(part, PartState())

    def states(self, prefix: str = "") -> Mapping[str, PartState]:
        """Where every part under an id stands that was ever touched; a part that is missing is new."""
        events = [
            Event(
                row["at"],
                row["part"],
                row["verdict"],
                row["answer"],
                row["value"],
                reasons=exchange.listed(row["reasons"]),
            )
            for row in self._rows("attempts", prefix)
        ]
        events += [Event(row["at"], row["part"], row["kind"], n=row["n"]) for row in self._rows("marks", prefix)]
        return fold(events)

    def drafts(self, prefix: str = "") -> Mapping[str, str]:
        """What stands typed and unsent in the parts under an id: part -> draft."""
        with self._reading() as connection:
            found = connection.execute(f"SELECT part, draft FROM drafts WHERE {_UNDER}", {"prefix": prefix})
            return {row["part"]: row["draft"] for row in found.fetchall()}

    def slips(self) -> Sequence[Slip]:
        """The slips that were made, the most frequent first."""
        seen: dict[str, Slip] = {}
        for row in self._rows("attempts", ""):
            named = exchange.listed(row["slips"])
            for slip in named if len(named) == 1 else ():  # where several would explain an answer, none is sure
                seen[slip] = Slip(slip, seen[slip].times + 1 if slip in seen else 1, row["part"])
        return sorted(seen.values(), key=lambda slip: -slip.times)

    def place(self) -> Place | None:
        """Where the learner was last, or ``None`` before the first time."""
        with self._reading() as connection:
            row = connection.execute("SELECT screen, id, section, part, draft FROM place").fetchone()
        return Place(*row) if row else None

    def export(self) -> dict[str, Any]:
        """Everything, as one JSON document that ``import_`` takes back unchanged."""
        with self._reading() as connection:
            return exchange.document(connection)

    # --- the connection ---------------------------------------------------------------------------------------------

    def _rows(self, table: str, prefix: str) -> list[sqlite3.Row]:
        with self._reading() as connection:
            statement = f"SELECT * FROM {table} WHERE {_UNDER} ORDER BY at, id"
            return connection.execute(statement, {"prefix": prefix}).fetchall()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise ProgressProblem(kind_of(error), self.path) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction. IMMEDIATE takes the write lock at once, so that waiting works for two programs."""
        with self._reading() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise


_UNSOUND = tuple(f"SQLITE_{name}" for name in "CORRUPT NOTADB ERROR SCHEMA MISMATCH CONSTRAINT FORMAT".split())
"""A file that is broken inside, or whose tables are not as ours are."""


def kind_of(error: sqlite3.Error) -> Any:
    """What a refusal of SQLite means for the learner."""
    name = getattr(error, "sqlite_errorname", "") or ""
    if name.startswith(_UNSOUND):
        return "damaged"
    if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
        return "full"
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "locked"
    return "readonly"


def _uid() -> str:
    """A name that no other attempt has, on any machine: merging exports twice changes nothing."""
    return os.urandom(8).hex()


def _clean(text: str) -> str:
    """Text that SQLite and JSON can hold: no lone surrogates, bounded."""
    return text.encode("utf-8", "replace").decode("utf-8")[:MAX_TEXT]
