"""What revision keeps: reviews, and the memories that follow from them.

How a memory follows is not known here: ``after`` is given by the caller (:data:`~tutor.progress.records.After`). It is
called inside the transaction that keeps the review, so that two programs at once never lose one.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import islice

from tutor.progress import reviews as rows
from tutor.progress.connected import Connected
from tutor.progress.records import After, Grade, Memory, ProgressProblem, Review, now
from tutor.progress.rows import listed

_AT_ONCE = 50
"""So many stale memories are made anew in one transaction: another program may want to write in between."""


class Remembering(Connected):
    """Reviews and memories of one learner. Methods raise ``ProgressProblem`` when the disk refuses."""

    # --- writing ----------------------------------------------------------------------------------------------------

    def review(self, reviews: Sequence[Review], after: After) -> Mapping[str, Memory]:
        """Keep reviews that belong to no attempt; when this returns they are on the disk. Returns their memories."""
        with self._writing() as connection:
            return rows.add(connection, reviews, after)

    def overrule(self, item: str, grade: Grade, after: After, proposed: Grade | None = None) -> Memory | None:
        """Give the last review of an item another grade; ``None`` where there is no review.

        It is the learner's own, or with ``proposed`` what evidence that came later (a wrong reason) says.
        """
        values = {"grade": grade} if proposed is None else {"grade": grade, "proposed": proposed}
        with self._writing() as connection:
            row = rows.newest(connection, item)
            if row is None:
                return None
            rows.change(connection, row["uid"], now(), **values)
            return rows.refold(connection, item, after)

    def settle_review(
        self, item: str, slip: str, reviews: Sequence[Review] = (), after: After | None = None
    ) -> Mapping[str, Memory]:
        """Of the slips that explain the last review of an item, which is no attempt, the learner says it was this one.

        ``reviews`` are what follows from that, kept with it; neither is where the slip is none of them.
        """
        with self._writing() as connection:
            row = rows.newest(connection, item)
            if row is None or slip not in listed(row["slips"]):
                return {}
            rows.change(connection, row["uid"], now(), slips=json.dumps([slip]))
            return rows.add(connection, reviews, after)

    # --- reading ----------------------------------------------------------------------------------------------------

    def memories(self, after: After) -> Mapping[str, Memory]:
        """What is remembered of every item that was ever reviewed.

        Stale ones are made anew with ``after``, and kept where the disk allows; it is not called where none is stale.
        """
        found, stale = self._memories()
        while stale:
            some = stale[:_AT_ONCE]
            found |= self._renewed(some, after)
            stale = stale[_AT_ONCE:]
        return found

    def _memories(self) -> tuple[dict[str, Memory], list[str]]:
        """The memories that hold, and the items of those that do not."""
        with self._reading() as connection:
            stored = connection.execute("SELECT * FROM memory").fetchall()
        read = {row["item"]: rows.memory_of(row) for row in stored}
        good = {item: memory for item, memory in read.items() if memory is not None}
        return good, [item for item in read if item not in good]

    def _renewed(self, items: Sequence[str], after: After) -> dict[str, Memory]:
        try:
            with self._writing() as connection:
                made = {item: rows.refold(connection, item, after) for item in items}
        except ProgressProblem:  # what cannot be written can still be known
            with self._reading() as connection:
                made = {item: rows.folded(connection, item, after) for item in items}
        return {item: memory for item, memory in made.items() if memory is not None}

    def reviews(self, item: str = "", since: date | None = None) -> Sequence[Review]:
        """All reviews of an item, in their turn, or of all items, oldest first.

        ``since`` leaves out what was before that day of study.
        """
        order = "ORDER BY turn, uid" if item else "ORDER BY day, turn, uid"
        where = " AND ".join(["item = :item"] * bool(item) + ["day >= :day"] * (since is not None)) or "TRUE"
        values = {"item": item, "day": "" if since is None else since.isoformat()}
        return self._reviews(f"SELECT * FROM reviews WHERE {where} {order}", values)

    def recent(self, limit: int) -> Sequence[Review]:
        """The last reviews of all items, newest first."""
        return self._reviews(
            "SELECT * FROM reviews WHERE day >= '' ORDER BY day DESC, turn DESC, uid DESC LIMIT :limit",
            {"limit": limit},
        )

    def _reviews(self, statement: str, values: Mapping[str, object]) -> Sequence[Review]:
        with self._reading() as connection:
            found = connection.execute(statement, values).fetchall()
        read = (rows.review_of(row) for row in found)
        return [review for review in read if review is not None]

    def retained(self, since: date) -> tuple[int, int]:
        """Of what a quiz asked again on a later day, on days of study since: how much was known, and how much it was.

        Only the first review of an item on a day counts, and only where an earlier day had one.
        """
        with self._reading() as connection:
            known, asked = connection.execute(_RETAINED, (since.isoformat(),)).fetchone()
        return known or 0, asked

    def slip_days(self) -> Mapping[str, tuple[date, ...]]:
        """When each slip was made, oldest first, a day as often as it was made on it: slip -> days.

        Those of attempts are days in UTC. Where several slips would explain an answer, none is sure, and none counts.
        """
        with self._reading() as connection:
            found: list[sqlite3.Row] = connection.execute(_SLIP_DAYS).fetchall()
        days: dict[str, list[date | None]] = {}
        for row in found:
            named = listed(row["slips"])
            for slip in named if len(named) == 1 else ():
                days.setdefault(slip, []).append(_day(row["day"]))
        return {slip: tuple(sorted(filter(None, made))) for slip, made in days.items()}


def _day(stored: str) -> date | None:
    """A stored day; none where something else was stored."""
    try:
        return date.fromisoformat(stored)
    except ValueError:
        return None


_RETAINED = (
    "SELECT sum(grade != 'again'), count(*) FROM reviews AS r WHERE day >= ? AND source IN ('quiz', 'test')"
    " AND (SELECT b.day FROM reviews AS b WHERE b.item = r.item AND b.turn < r.turn ORDER BY b.turn DESC LIMIT 1) < day"
)

_SLIP_DAYS = (
    "SELECT slips, substr(at, 1, 10) AS day FROM attempts WHERE slips != '[]'"
    " UNION ALL SELECT slips, day FROM reviews WHERE slips != '[]'"
)


def part_of(item: str) -> str:
    """The part that an item asks about: of "core/L2.1/kv/find-S" it is "core/L2.1/kv"."""
    return "/".join(islice(item.split("/"), 3))
