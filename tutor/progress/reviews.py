"""Reviews as rows, and the memory that follows from them, kept beside them so that it need not be computed again.

Reviews are the truth: they are only added, and a memory can always be made anew from all reviews of its item, in their
turn. A row of memory that no longer fits its reviews is marked stale in the transaction that made it so.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from math import inf, isfinite
from typing import Any, Final, get_args

from tutor.progress.reach import Reach
from tutor.progress.records import After, Grade, Memory, Review, Source
from tutor.progress.rows import clean, insert, listed, microseconds, new_uid, text, time_text

GRADES: Final = get_args(Grade)
SOURCES: Final = get_args(Source)
STATES: Final = ("learning", "review", "relearning")

COLUMNS = ("uid", "at", "day", "item", "grade", "proposed", "source", "answer", "right", "seconds", "hints", "variant",
           "slips", "attempt", "turn", "changed")  # fmt: skip
"""``turn`` is the review's moment (in microseconds), or the next one behind the last review of its item: a clock that
was put back makes no difference to what came after what. ``changed`` is when grade, proposal or slips were last
changed; null for never.
"""
_MEMORY = ("item", "state", "step", "stability", "difficulty", "day", "at", "again_at", "reviews", "lapses", "streak",
           "stale")  # fmt: skip

MOST_TURN: Final = 3 * 10**17
"""No clock gives a later turn (it would be the year 11,476), and from here one can still be added for ever."""

_INSERT = insert("INSERT OR IGNORE", "reviews", COLUMNS)
_REMEMBER = insert("INSERT OR REPLACE", "memory", _MEMORY)
_STALE = "INSERT INTO memory (item, stale) VALUES (?, 1) ON CONFLICT (item) DO UPDATE SET stale = 1"
_NEWEST = (
    "SELECT * FROM reviews WHERE item = ? AND typeof(turn) = 'integer'"
    f" AND turn <= {MOST_TURN} ORDER BY turn DESC, uid DESC LIMIT 1"
)
_IN_TURN = "SELECT * FROM reviews WHERE item = ? ORDER BY turn, uid"


def row_of(review: Review, turn: int) -> dict[str, Any]:
    """A new review as a row of the table."""
    row = review._asdict() | {"uid": new_uid(), "at": time_text(review.when), "turn": turn, "changed": None}
    del row["when"]
    right = None if review.right is None else int(review.right)
    return row | {
        "day": review.day.isoformat(),
        "answer": clean(review.answer),
        "right": right,
        "slips": json.dumps(review.slips),
    }


def review_of(row: sqlite3.Row) -> Review | None:
    """The review of a row; ``None`` where something else was stored."""
    if row["grade"] not in GRADES or row["proposed"] not in GRADES or row["source"] not in SOURCES:
        return None
    if not isinstance(row["item"], str):
        return None
    try:
        return Review(
            row["item"],
            datetime.fromisoformat(row["at"]),
            date.fromisoformat(row["day"]),
            row["grade"],
            row["proposed"],
            row["source"],
            text(row["answer"]),
            None if row["right"] is None else bool(row["right"]),
            float(row["seconds"]),
            int(row["hints"]),
            int(row["variant"]),
            listed(row["slips"]),
            text(row["attempt"]),
        )
    except (TypeError, ValueError, OverflowError):
        return None


def told(row: dict[str, Any]) -> dict[str, Any]:
    """A row as the export file has it."""
    right = None if row["right"] is None else bool(row["right"])
    return row | {"right": right, "slips": list(listed(row["slips"]))}


def stored(row: dict[str, Any]) -> dict[str, Any]:
    """A checked row of an export file as the table has it."""
    right = None if row["right"] is None else int(row["right"])
    return row | {"right": right, "slips": json.dumps(row["slips"])}


def memory_of(row: sqlite3.Row) -> Memory | None:
    """The memory of a row; ``None`` where the row is stale, or holds something else."""
    if row["stale"] or row["state"] not in STATES:
        return None
    try:
        memory = Memory(
            row["item"],
            row["state"],
            row["step"],
            float(row["stability"]),
            float(row["difficulty"]),
            date.fromisoformat(row["day"]),
            datetime.fromisoformat(row["at"]),
            None if row["again_at"] is None else datetime.fromisoformat(row["again_at"]),
            int(row["reviews"]),
            int(row["lapses"]),
            int(row["streak"]),
        )
    except (TypeError, ValueError, OverflowError):
        return None
    sane = 0 < memory.stability < inf and isfinite(memory.difficulty) and isinstance(memory.step, int | None)
    return memory if sane else None


# --- one transaction, begun by the caller -----------------------------------------------------------------------------


def add(
    connection: sqlite3.Connection, reviews: Sequence[Review], after: After | None, attempt: str = ""
) -> dict[str, Memory]:
    """Keep reviews, and what is remembered after them; ``attempt`` is the uid of the answer that they grade.

    Without ``after`` the memories become stale. Returns the memories of the items reviewed.
    """
    found: dict[str, Memory] = {}
    for review in reviews:
        last = newest(connection, review.item)
        connection.execute(_INSERT, row_of(review._replace(attempt=attempt or review.attempt), _turn(review, last)))
        if after is None:
            stale(connection, [review.item])
        else:
            found[review.item] = _after(connection, review, last is None, after)
    return found


def _turn(review: Review, last: sqlite3.Row | None) -> int:
    turn = microseconds(review.when)
    return turn if last is None else max(turn, last["turn"] + 1)


def _after(connection: sqlite3.Connection, review: Review, first: bool, after: After) -> Memory:
    """The memory after one more review, from the one before it where that holds, else from all."""
    known = connection.execute("SELECT * FROM memory WHERE item = ?", (review.item,)).fetchone()
    before = None if known is None else memory_of(known)
    memory = after(before, review) if first or before else folded(connection, review.item, after)
    assert memory is not None  # the review is there
    _remember(connection, memory)
    return memory


def refold(connection: sqlite3.Connection, item: str, after: After) -> Memory | None:
    """Make the memory of an item anew from all its reviews; ``None`` where there are none any more."""
    memory = folded(connection, item, after)
    if memory is None:
        connection.execute("DELETE FROM memory WHERE item = ?", (item,))
    else:
        _remember(connection, memory)
    return memory


def folded(connection: sqlite3.Connection, item: str, after: After) -> Memory | None:
    """What the reviews of an item add up to; nothing is written."""
    memory: Memory | None = None
    for row in connection.execute(_IN_TURN, (item,)).fetchall():
        review = review_of(row)
        memory = memory if review is None else after(memory, review)
    return memory


def stale(connection: sqlite3.Connection, items: Iterable[str]) -> None:
    """Note that the memories of items no longer fit their reviews."""
    connection.executemany(_STALE, [(item,) for item in items])


def newest(connection: sqlite3.Connection, item: str) -> sqlite3.Row | None:
    """The row of the last review of an item."""
    row: sqlite3.Row | None = connection.execute(_NEWEST, (item,)).fetchone()
    return row


def change(connection: sqlite3.Connection, uid: str, when: datetime, **values: Grade | str) -> None:
    """Change columns of a review, and note when: of two machines the later change counts."""
    told = ", ".join(f"{name} = :{name}" for name in values)
    row = {**values, "uid": uid, "changed": time_text(when)}
    connection.execute(f"UPDATE reviews SET {told}, changed = :changed WHERE uid = :uid", row)


def forget(connection: sqlite3.Connection, prefix: str, reach: Reach, attempts: Reach) -> int:
    """Forget reviews under an id, and those of answers under it; call it before the answers go.

    Returns how many of them had no answer of their own.
    """
    if not prefix:
        removed = connection.execute("SELECT count(*) FROM reviews WHERE attempt = ''").fetchone()[0]
        connection.execute("DELETE FROM reviews")
        connection.execute("DELETE FROM memory")
        return int(removed)
    of_answers = f"attempt IN (SELECT uid FROM attempts WHERE {attempts.where})"
    which, values = f"({reach.where}) OR ({of_answers})", reach.values | attempts.values
    found = connection.execute(f"SELECT DISTINCT item, attempt, uid FROM reviews WHERE {which}", values).fetchall()
    connection.executemany("DELETE FROM reviews WHERE uid = ?", [(row["uid"],) for row in found])
    for item in {row["item"] for row in found}:
        if _count(connection, item):
            stale(connection, [item])
        else:
            connection.execute("DELETE FROM memory WHERE item = ?", (item,))
    return sum(row["attempt"] == "" for row in found)


def merge(connection: sqlite3.Connection, rows: list[dict[str, Any]]) -> int:
    """Take over another file's reviews. Of one that both know, the version that was changed later stays.

    Returns how many new ones had no answer of their own, whose rows count already.
    """
    new, touched = 0, set()
    for row in rows:
        if connection.execute(_INSERT, row).rowcount:
            new += row["attempt"] == ""
            touched.add(row["item"])
        elif row["changed"] is not None and connection.execute(_LATER, row).rowcount:
            touched.add(row["item"])
    stale(connection, sorted(touched))
    return new


_LATER = (
    "UPDATE reviews SET grade = :grade, proposed = :proposed, slips = :slips, changed = :changed"
    " WHERE uid = :uid AND item = :item AND (changed IS NULL OR changed < :changed)"
)


def _count(connection: sqlite3.Connection, item: str) -> int:
    count: int = connection.execute("SELECT count(*) FROM reviews WHERE item = ?", (item,)).fetchone()[0]
    return count


def _remember(connection: sqlite3.Connection, memory: Memory) -> None:
    row = memory._asdict() | {"day": memory.day.isoformat(), "at": time_text(memory.when), "stale": 0}
    row["again_at"] = None if memory.again_at is None else time_text(memory.again_at)
    del row["when"]
    connection.execute(_REMEMBER, row)
