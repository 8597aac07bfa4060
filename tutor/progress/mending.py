"""Values that are none, in a sound file: bytes where a text belongs, a text where a number does.

No program of ours writes such, but a tool for databases does, and a disk may. A file is mended once, when it is opened:
what can be read is read as what it should be, and what says nothing becomes the plainest value. No row goes.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any, Final

from tutor.progress import schema
from tutor.progress.exchange import COLUMNS, LISTS
from tutor.progress.refusals import undo
from tutor.progress.reviews import stale
from tutor.progress.rows import new_uid, text, time_text

_NUMBERS: Final = ("hints_used", "variant", "n", "times", "hints", "turn")
_MAYBE: Final = ("value", "changed", "right")
"""Columns that may hold nothing."""
_UNKNOWN: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""The moment of what has none."""


def mend(connection: sqlite3.Connection) -> None:
    """Mend what is odd; nothing is written where nothing is. Raises ``sqlite3.Error``."""
    if not any(_odd(connection, table, 1) for table in (*COLUMNS, schema.DERIVED)):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for table in COLUMNS:
            for row in _odd(connection, table):
                _mend(connection, table, row)
        connection.execute(f"DELETE FROM {schema.DERIVED}")  # it follows from the reviews
        stale(connection, [row[0] for row in connection.execute("SELECT DISTINCT item FROM reviews").fetchall()])
        connection.execute("COMMIT")
    except BaseException:
        undo(connection)
        raise


def _odd(connection: sqlite3.Connection, table: str, most: int = -1) -> list[sqlite3.Row]:
    """Rows with a value that is none. An index holds those alone, where there was room to make it."""
    select = f"SELECT rowid AS rowid, * FROM {table}"
    where = f"WHERE {schema.odd(table)} LIMIT {most}"
    with suppress(sqlite3.OperationalError):
        return connection.execute(f"{select} INDEXED BY {table}_odd {where}").fetchall()
    return connection.execute(f"{select} {where}").fetchall()


def _mend(connection: sqlite3.Connection, table: str, row: sqlite3.Row) -> None:
    good = {name: _mended(name, row[name], text(row["at"])[:10]) for name in COLUMNS[table]}
    told = ", ".join(f"{name} = :{name}" for name in good)
    try:
        connection.execute(f"UPDATE {table} SET {told} WHERE rowid = :rowid", {**good, "rowid": row["rowid"]})
    except sqlite3.IntegrityError:  # it says of a part what a whole row says already
        connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (row["rowid"],))


def _mended(name: str, value: Any, day: str) -> Any:
    if name == "seconds":
        return value if isinstance(value, float) else 0.0
    if name in _NUMBERS or name == "right":
        return value if isinstance(value, int) or (value is None and name in _MAYBE) else 0
    if value is None and name in _MAYBE:
        return None
    said = text(value)
    if name == "uid":
        return said if isinstance(value, str) else new_uid()
    if name == "at":
        return said if _is_time(said) else time_text(_UNKNOWN)
    if name == "day":
        return said if _is_day(said) else day
    if name in LISTS and not isinstance(value, str):
        return said or "[]"
    return said


def _is_time(said: str) -> bool:
    with suppress(ValueError):
        return bool(datetime.fromisoformat(said))
    return False


def _is_day(said: str) -> bool:
    with suppress(ValueError):
        return bool(date.fromisoformat(said))
    return False
