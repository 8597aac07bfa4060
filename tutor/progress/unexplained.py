"""Wrong answers that no slip explains, kept apart: what learners answer and the course has no words for yet."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from content import address
from tutor.progress.reach import Reach
from tutor.progress.records import Unexplained
from tutor.progress.rows import moment, text
from tutor.progress.states import fraction

MOST = 1000
"""So many are kept, the newest."""

COLUMNS = ("at", "part", "variant", "answer", "value", "uid", "times")

_INSERT = f"INSERT INTO unexplained ({', '.join(COLUMNS)}) VALUES ({', '.join(':' + name for name in COLUMNS)})"
_SAME = "part = :part AND variant = :variant AND answer = :answer"


def add(connection: sqlite3.Connection, row: Mapping[str, Any]) -> None:
    """Keep the answer of an attempt's row: a known one is counted once more, with the time and uid of this attempt."""
    changed = connection.execute(f"UPDATE unexplained SET times = times + 1, at = :at, uid = :uid WHERE {_SAME}", row)
    if not changed.rowcount:
        connection.execute(_INSERT, {**row, "times": 1})
        _trim(connection)


def merge(connection: sqlite3.Connection, rows: list[dict[str, Any]]) -> None:
    """Take over another file's. Of an answer that both know the higher count stays: both may count the same times."""
    for row in rows:
        here = connection.execute(f"SELECT at, times FROM unexplained WHERE {_SAME}", row).fetchone()
        if here is None:
            connection.execute(_INSERT, row)
            continue
        connection.execute(f"UPDATE unexplained SET times = max(times, :times) WHERE {_SAME}", row)
        if here[0] < row["at"]:
            connection.execute(f"UPDATE unexplained SET at = :at, uid = :uid WHERE {_SAME}", row)
    _trim(connection)


def listed(connection: sqlite3.Connection, reach: Reach) -> list[Unexplained]:
    """Those that an id reaches, the newest first."""
    found = connection.execute(
        f"SELECT {', '.join(COLUMNS)} FROM unexplained WHERE {reach.where} ORDER BY at DESC, uid DESC", reach.values
    )
    return [_of(row) for row in found.fetchall()]


def _of(row: sqlite3.Row) -> Unexplained:
    name = address.join(row["part"], row["variant"])
    return Unexplained(name, text(row["answer"]), fraction(row["value"]), row["times"], moment(row["at"]))


def _trim(connection: sqlite3.Connection) -> None:
    if connection.execute("SELECT count(*) FROM unexplained").fetchone()[0] > MOST:
        connection.execute(
            "DELETE FROM unexplained WHERE rowid NOT IN"
            f" (SELECT rowid FROM unexplained ORDER BY at DESC, uid DESC LIMIT {MOST})"
        )
