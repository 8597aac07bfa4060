"""What can still be read from a database with broken pages: the rows before the first, and those behind the last."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from typing import Any

from tutor.progress import exchange


def rescue(broken: sqlite3.Connection, into: sqlite3.Connection) -> None:
    """Copy the readable rows of one database into another with current tables; memories are made anew from them."""
    columns = exchange.COLUMNS
    rows = {table: _rows(broken, table, columns[table]) for table in columns}
    places = rows.pop("place")
    held = exchange.Rows(place=places[0] if places else None, **rows)
    with suppress(sqlite3.Error):
        exchange.merge(into, held)


def _rows(broken: sqlite3.Connection, table: str, columns: tuple[str, ...]) -> list[dict[str, Any]]:
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for order in ("ASC", "DESC"):
        with suppress(sqlite3.Error):
            for row in broken.execute(f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED ORDER BY rowid {order}"):
                found[tuple(row)] = dict(row)
    return list(found.values())
