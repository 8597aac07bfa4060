"""The store: one SQLite connection, one transaction per thing that the learner did.

A process that is killed after a call returned has lost nothing. Two programs may work on one file at once.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from content import address
from tutor.progress import exchange, incoming, schema, turning, unexplained
from tutor.progress.reach import Reach, exactly, wholly
from tutor.progress.records import Attempt, Kind, Mark, PartState, Place, ProgressProblem, Slip, Unexplained, now
from tutor.progress.refusals import kind_of, misfit, undo
from tutor.progress.space import UNKNOWN, identity
from tutor.progress.states import Event, best, fold, fraction

MAX_TEXT = 20_000
"""Longest answer or draft that is kept; whatever is longer was refused before it came here."""


Reopen = Callable[[Path, float], "Progress"]
"""How the file of a path is opened, and how many seconds it then waits for others."""


class Progress:
    """Everything remembered about one learner's answers. Methods raise ``ProgressProblem`` when the disk refuses.

    Parts and exercises come in and go out as addresses: "core/L2.1@3/kv" is a part in a variant, the plain id the part
    with the values as written.
    """

    persistent = True
    """Whether what is recorded outlives this run."""

    def __init__(self, connection: sqlite3.Connection, path: Path, reopen: Reopen | None = None) -> None:
        self._connection = connection
        self._lock = threading.RLock()  # the app checks answers in worker threads
        self._reopen = reopen
        self._file = None if reopen is None else identity(path)
        self.path = path

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

    # --- writing ----------------------------------------------------------------------------------------------------

    def record(self, attempt: Attempt, unexplained_too: bool = False) -> None:
        """Keep one attempt, and its answer among the unexplained ones; when this returns it is on the disk."""
        row = exchange.attempt_row(attempt._replace(answer=_clean(attempt.answer)), _uid())
        with self._writing() as connection:
            connection.execute(exchange.INSERT_ATTEMPT, row)
            connection.execute("DELETE FROM drafts WHERE part = :part AND variant = :variant", row)
            if unexplained_too:
                unexplained.add(connection, row)

    def reason(self, part: str, reason: str) -> None:
        """Add the reason that the learner gave to the last attempt at a part."""
        with self._writing() as connection:
            row = _newest(connection, *address.split(part))
            if row is not None:
                told = json.dumps([*exchange.listed(row["reasons"]), reason])
                connection.execute("UPDATE attempts SET reasons = ? WHERE id = ?", (told, row["id"]))

    def settle(self, part: str, slip: str) -> None:
        """Of the slips that explain the last attempt at a part, the learner says that it was this one."""
        with self._writing() as connection:
            row = _newest(connection, *address.split(part))
            if row is not None and slip in exchange.listed(row["slips"]):
                connection.execute("UPDATE attempts SET slips = ? WHERE id = ?", (json.dumps([slip]), row["id"]))

    def mark(self, part: str, kind: Mark, n: int = 0) -> None:
        """Note that a part was skipped, its solution shown, or its hint number ``n`` read."""
        id_, variant = address.split(part)
        row = {"uid": _uid(), "at": exchange.time_text(now()), "part": id_, "variant": variant, "kind": kind, "n": n}
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
            row = self._place(connection, place)
            id_, variant = address.split(place.part)
            row |= {"part": id_, "variant": variant}
            connection.execute("DELETE FROM drafts WHERE part = :part AND variant = :variant", row)
            if place.draft:
                connection.execute(exchange.REPLACE_DRAFT, row)

    @staticmethod
    def _place(connection: sqlite3.Connection, place: Place) -> dict[str, Any]:
        row = exchange.place_row(place._replace(draft=_clean(place.draft)), now())
        connection.execute(exchange.REPLACE_PLACE, row)
        return row

    def reset(self, prefix: str = "") -> int:
        """Forget all attempts and marks under an id, in every variant; of an address in that variant only.

        "" is all, the place too. Returns how many attempts and marks were removed.
        """
        where, values = wholly(prefix)
        with self._writing() as connection:
            removed = 0
            for table in ("attempts", "marks"):
                removed += connection.execute(f"DELETE FROM {table} WHERE {where}", values).rowcount
            # what was typed and not sent belongs to what is forgotten, and so do the answers kept apart
            for table in ("drafts", "unexplained"):
                connection.execute(f"DELETE FROM {table} WHERE {where}", values)
            connection.execute(f"UPDATE place SET draft = '' WHERE {where}", values)
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
        rows = incoming.read(document)
        if rows.place is not None and fits is not None and not fits(exchange.place_of(rows.place)):
            rows = rows._replace(place=None)
        with self._writing() as connection:
            return exchange.merge(connection, rows)

    # --- reading ----------------------------------------------------------------------------------------------------

    def attempts(self, part: str) -> Sequence[Attempt]:
        """All attempts at one part, oldest first."""
        id_ = address.plain(part)
        return [exchange.attempt_of(row) for row in self._rows("attempts", exactly(part)) if row["part"] == id_]

    def newest(self, part: str) -> Attempt | None:
        """The last attempt at a part, whatever its variant."""
        with self._reading() as connection:
            row = _newest(connection, address.plain(part))
        return None if row is None else exchange.attempt_of(row)

    def state(self, part: str) -> PartState:
        """Where one part stands."""
        return self.states(part).get(part, PartState())

    def states(self, prefix: str = "") -> Mapping[str, PartState]:
        """Where every part under an id stands that was ever touched; a part that is missing is new.

        It is about one variant: that of the address, or the values as written.
        """
        return self._states(exactly(prefix))

    def overall(self, prefix: str = "") -> Mapping[str, PartState]:
        """As ``states``, by plain id and over all variants: a part that is solved in one of them is solved."""
        return best(self._states(wholly(address.plain(prefix))))

    def _states(self, reach: Reach) -> Mapping[str, PartState]:
        with self._reading() as connection:
            turns = turning.attempts(connection, reach)
            marks = turning.marks(connection, reach)
        events = [
            Event(
                row["at"],
                _address(row),
                row["verdict"],
                row["answer"],
                row["value"],
                reasons=exchange.listed(row["reasons"]),
            )
            for row in turns.rows
        ]
        events += [Event(row["at"], _address(row), row["kind"], n=row["n"]) for row in marks]
        counts = {address.join(*part): count for part, count in turns.counts.items()}
        return {part: state._replace(attempts=counts.get(part, 0)) for part, state in fold(events).items()}

    def values(self, prefix: str = "") -> Mapping[str, Fraction]:
        """What the learner last made of every part under an id, in all variants, in base units: address -> value.

        What solved a part stays its value.
        """
        with self._reading() as connection:
            rows = turning.attempts(connection, wholly(prefix)).rows
        # the later overwrites the earlier, and what is right whatever is wrong
        newest = {_address(row): row["value"] for row in sorted(rows, key=lambda row: row["verdict"] == "correct")}
        read = {part: fraction(value) for part, value in newest.items()}
        return {part: value for part, value in read.items() if value is not None}

    def drafts(self, prefix: str = "") -> Mapping[str, str]:
        """What stands typed and unsent in the parts under an id, in one variant as in ``states``: part -> draft."""
        where, values = exactly(prefix)
        with self._reading() as connection:
            found = connection.execute(f"SELECT part, variant, draft FROM drafts WHERE {where}", values)
            return {_address(row): row["draft"] for row in found.fetchall()}

    def variants(self, exercise: str) -> frozenset[int]:
        """The numbers of the variants of an exercise in which anything was ever done, or left off; 0 is none."""
        where, values = wholly(address.plain(exercise))
        tables = (f"SELECT variant FROM {table} WHERE {where}" for table in ("attempts", "marks", "drafts"))
        place = "SELECT variant FROM place WHERE id = :prefix"
        with self._reading() as connection:
            found = connection.execute(" UNION ".join((*tables, place)), values).fetchall()
        return frozenset(row[0] for row in found if row[0])

    def highest_variant(self, exercise: str) -> int:
        """The highest of them; 0 where only the values as written were worked, or nothing."""
        return max(self.variants(exercise), default=0)

    def slips(self) -> Sequence[Slip]:
        """The slips that were made, the most frequent first."""
        statement = (
            "SELECT slips, part, variant, count(*) AS times, max(at) AS last FROM attempts WHERE slips != '[]'"
            " GROUP BY slips, part, variant ORDER BY last, max(id)"
        )
        with self._reading() as connection:
            rows = connection.execute(statement).fetchall()
        seen: dict[str, Slip] = {}
        for row in rows:
            named = exchange.listed(row["slips"])
            for slip in named if len(named) == 1 else ():  # where several would explain an answer, none is sure
                seen[slip] = Slip(slip, row["times"] + (seen[slip].times if slip in seen else 0), _address(row))
        return sorted(seen.values(), key=lambda slip: -slip.times)

    def slip_places(self, slip: str) -> Sequence[str]:
        """The parts (addresses) in which a slip was named alone, in the order in which it first was."""
        statement = (
            "SELECT part, variant FROM attempts WHERE slips = ? AND slips != '[]'"
            " GROUP BY part, variant ORDER BY min(at), min(id)"
        )
        with self._reading() as connection:
            return [_address(row) for row in connection.execute(statement, (json.dumps([slip]),)).fetchall()]

    def unexplained(self, prefix: str = "") -> Sequence[Unexplained]:
        """Wrong answers that no slip explains, under an id in all variants, the newest first."""
        with self._reading() as connection:
            return unexplained.listed(connection, wholly(prefix))

    def place(self) -> Place | None:
        """Where the learner was last, or ``None`` before the first time."""
        with self._reading() as connection:
            row = connection.execute("SELECT * FROM place").fetchone()
        return exchange.place_of(row) if row else None

    def export(self) -> dict[str, Any]:
        """Everything, as one JSON document that ``import_`` takes back unchanged."""
        with self._reading() as connection:
            return exchange.document(connection)

    # --- the connection ---------------------------------------------------------------------------------------------

    def _rows(self, table: str, reach: Reach) -> list[sqlite3.Row]:
        with self._reading() as connection:
            return connection.execute(
                f"SELECT * FROM {table} WHERE {reach.where} ORDER BY at, id", reach.values
            ).fetchall()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise ProgressProblem(self._kind(error), self.path) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction. IMMEDIATE takes the write lock at once, so that waiting works for two programs."""
        with self._lock:
            self._follow()
            with self._reading() as connection:
                try:
                    connection.execute("BEGIN IMMEDIATE")
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    undo(connection)
                    raise

    def _kind(self, error: sqlite3.Error) -> Kind:
        """What a refusal means: a statement that does not fit is damage only where the tables are not ours any more."""
        if misfit(error):
            with suppress(sqlite3.Error):
                try:
                    schema.version(self._connection)
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


def _address(row: sqlite3.Row) -> str:
    return address.join(row["part"], row["variant"])


def _newest(connection: sqlite3.Connection, part: str, variant: int | None = None) -> sqlite3.Row | None:
    """The row of the last attempt at a part, in one variant or in any."""
    where = "part = :part" if variant is None else "part = :part AND variant = :variant"
    newest = f"SELECT id FROM attempts WHERE {where} ORDER BY at DESC, id DESC LIMIT 1"
    statement = f"SELECT * FROM attempts WHERE id = ({newest})"  # of all others an index tells enough
    row: sqlite3.Row | None = connection.execute(statement, {"part": part, "variant": variant}).fetchone()
    return row


def _uid() -> str:
    """A name that no other attempt has, on any machine: merging exports twice changes nothing."""
    return os.urandom(8).hex()


def _clean(text: str) -> str:
    """Text that SQLite and JSON can hold: no lone surrogates, bounded."""
    return text.encode("utf-8", "replace").decode("utf-8")[:MAX_TEXT]
