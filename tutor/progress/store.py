"""The store: one SQLite connection, one transaction per thing that the learner did.

A process that is killed after a call returned has lost nothing. Two programs may work on one file at once.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from content import address
from tutor.progress import exchange, incoming, outgoing, turning, unexplained
from tutor.progress.reach import Reach, exactly, wholly
from tutor.progress.records import (
    After,
    Attempt,
    Mark,
    Memory,
    PartState,
    Place,
    Review,
    Slip,
    Unexplained,
    now,
)
from tutor.progress.remembering import Remembering, part_of
from tutor.progress.reviews import add, forget
from tutor.progress.rows import clean, listed, new_uid, time_text
from tutor.progress.states import Event, best, fold, fraction


class Progress(Remembering):
    """Everything remembered about one learner's answers. Methods raise ``ProgressProblem`` when the disk refuses.

    Parts and exercises come in and go out as addresses: "core/L2.1@3/kv" is a part in a variant, the plain id the part
    with the values as written.
    """

    # --- writing ----------------------------------------------------------------------------------------------------

    def record(
        self,
        attempt: Attempt,
        unexplained_too: bool = False,
        reviews: Sequence[Review] = (),
        after: After | None = None,
    ) -> Mapping[str, Memory]:
        """Keep one attempt, its answer among the unexplained ones, and the reviews that it grades.

        When this returns all of it is on the disk. Returns the memories of the items reviewed; without ``after`` none,
        and :meth:`memories` makes them later.
        """
        row = exchange.attempt_row(attempt._replace(answer=clean(attempt.answer)), new_uid())
        with self._writing() as connection:
            connection.execute(exchange.INSERT_ATTEMPT, row)
            connection.execute("DELETE FROM drafts WHERE part = :part AND variant = :variant", row)
            if unexplained_too:
                unexplained.add(connection, row)
            return add(connection, reviews, after, row["uid"])

    def reason(self, part: str, reason: str) -> None:
        """Add the reason that the learner gave to the last attempt at a part."""
        with self._writing() as connection:
            row = _newest(connection, *address.split(part))
            if row is not None:
                told = json.dumps([*listed(row["reasons"]), reason])
                connection.execute("UPDATE attempts SET reasons = ? WHERE id = ?", (told, row["id"]))

    def settle(
        self, part: str, slip: str, reviews: Sequence[Review] = (), after: After | None = None
    ) -> Mapping[str, Memory]:
        """Of the slips that explain the last attempt at a part, the learner says that it was this one.

        ``reviews`` are what follows from that, kept with it; neither is where the slip is none of them.
        """
        with self._writing() as connection:
            row = _newest(connection, *address.split(part))
            if row is None or slip not in listed(row["slips"]):
                return {}
            connection.execute("UPDATE attempts SET slips = ? WHERE id = ?", (json.dumps([slip]), row["id"]))
            return add(connection, reviews, after, row["uid"])

    def mark(self, part: str, kind: Mark, n: int = 0) -> None:
        """Note that a part was skipped, its solution shown, or its hint number ``n`` read."""
        id_, variant = address.split(part)
        row = {"uid": new_uid(), "at": time_text(now()), "part": id_, "variant": variant, "kind": kind, "n": n}
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
        row = exchange.place_row(place._replace(draft=clean(place.draft)), now())
        connection.execute(exchange.REPLACE_PLACE, row)
        return row

    def reset(self, prefix: str = "") -> int:
        """Forget all attempts, marks and reviews under an id, in every variant; of an address in that variant only.

        "" is all, the place too. Reviews of what was answered there go with it, of whatever item they are.
        Returns how many attempts and marks were removed, and reviews that came with no attempt.
        """
        where, values = reach = wholly(prefix)
        with self._writing() as connection:
            removed = forget(connection, prefix, wholly(prefix, "item"), reach)
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
        return self.merge(rows)

    def merge(self, rows: exchange.Rows) -> int:
        """Add checked rows that are not here yet. Returns how many were new."""
        with self._writing() as connection:
            return exchange.merge(connection, rows)

    def take_over(self, other: Progress) -> int:
        """Merge what another store holds, as ``import_`` does, but unchecked: it is ours. Returns how many were new."""
        with other._reading() as connection:
            held = exchange.stored(connection)
        return self.merge(held)

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
                reasons=listed(row["reasons"]),
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

    def slips(self) -> Sequence[Slip]:
        """The slips that were made, the most frequent first."""
        with self._reading() as connection:
            rows = connection.execute(_SLIPS).fetchall()
        seen: dict[str, Slip] = {}
        for row in rows:
            named = listed(row["slips"])
            for slip in named if len(named) == 1 else ():  # where several would explain an answer, none is sure
                seen[slip] = Slip(slip, row["times"] + (seen[slip].times if slip in seen else 0), _address(row))
        return sorted(seen.values(), key=lambda slip: -slip.times)

    def slip_places(self, slip: str) -> Sequence[str]:
        """The parts (addresses) in which a slip was named alone, in the order in which it first was."""
        with self._reading() as connection:
            found = connection.execute(_SLIP_PLACES, {"slips": json.dumps([slip])}).fetchall()
        return list(dict.fromkeys(_address(row) for row in found))

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
            document = exchange.document(connection)
        return outgoing.fitting(document)

    def _rows(self, table: str, reach: Reach) -> list[sqlite3.Row]:
        with self._reading() as connection:
            return connection.execute(
                f"SELECT * FROM {table} WHERE {reach.where} ORDER BY at, id", reach.values
            ).fetchall()


_SLIPS = (
    "SELECT slips, part, variant, count(*) AS times, max(at) AS last, max(id) AS id FROM attempts WHERE slips != '[]'"
    " GROUP BY slips, part, variant"
    " UNION ALL SELECT slips, item, variant, count(*), max(at), max(id) FROM reviews WHERE slips != '[]'"
    " GROUP BY slips, item, variant ORDER BY last, id"
)
"""Slips stand at the attempt, and where there was none at the review."""
_SLIP_PLACES = (
    "SELECT part, variant, min(at) AS first, min(id) AS id FROM attempts WHERE slips = :slips AND slips != '[]'"
    " GROUP BY part, variant"
    " UNION ALL SELECT item, variant, min(at), min(id) FROM reviews WHERE slips = :slips AND slips != '[]'"
    " GROUP BY item, variant ORDER BY first, id"
)


def _address(row: sqlite3.Row) -> str:
    """Where an attempt was made, or a review of something that is asked about a part."""
    return address.join(part_of(row["part"]), row["variant"])


def _newest(connection: sqlite3.Connection, part: str, variant: int | None = None) -> sqlite3.Row | None:
    """The row of the last attempt at a part, in one variant or in any."""
    where = "part = :part" if variant is None else "part = :part AND variant = :variant"
    newest = f"SELECT id FROM attempts WHERE {where} ORDER BY at DESC, id DESC LIMIT 1"
    statement = f"SELECT * FROM attempts WHERE id = ({newest})"  # of all others an index tells enough
    row: sqlite3.Row | None = connection.execute(statement, {"part": part, "variant": variant}).fetchone()
    return row
