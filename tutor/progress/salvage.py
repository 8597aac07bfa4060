"""What can still be read of a damaged file.

The rows before the first broken page and those behind the last, of every table that is still there; rows that are none
are left out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from tutor.progress import exchange, incoming, outgoing, schema, space
from tutor.progress.rows import decoded

_DEFAULTS = {"reasons": "[]", "slips": "[]", "ticked": "[]", "variant": 0, "hints_used": 0, "hints": 0, "seconds": 0.0,
             "answer": "", "attempt": "", "section": "", "draft": "", "times": 1, "n": 0}  # fmt: skip
"""What stands for a column that is gone. Without any other one a row says nothing, or can do without."""


def from_file(path: Path, merge: Callable[[exchange.Rows], object]) -> int:
    """Hand over what can be read of a file, which is not changed; returns how many answers there were.

    Nothing of a file that a newer version wrote. Raises what ``merge`` raises.
    """
    held = _held(path)
    if held is None:
        return 0
    merge(held)
    alone: list[object] = [row for row in held.reviews if row["attempt"] == ""]
    return len(held.attempts) + len(alone)


def _held(path: Path) -> exchange.Rows | None:
    for opened in (_copied, _in_place):
        with suppress(OSError, sqlite3.Error), opened(path) as broken:
            return None if _newer(broken) else readable(broken)
    return None


def readable(broken: sqlite3.Connection) -> exchange.Rows:
    """The readable rows of a database."""
    rows = {table: _rows(broken, table, exchange.COLUMNS[table]) for table in exchange.COLUMNS}
    places = rows.pop("place")
    told = exchange.told(exchange.Rows(place=places[0] if places else None, **rows))
    return incoming.read(outgoing.fitting(told))


def rescue(broken: sqlite3.Connection, into: sqlite3.Connection) -> None:
    """Copy the readable rows of one database into another with current tables; memories are made anew from them."""
    with suppress(sqlite3.Error):
        exchange.merge(into, readable(broken))


def _rows(broken: sqlite3.Connection, table: str, columns: tuple[str, ...]) -> list[dict[str, Any]]:
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    missing: dict[str, Any] = {}
    with suppress(sqlite3.Error):
        there = {row[0] for row in broken.execute("SELECT name FROM pragma_table_info(?)", (table,))}
        missing = {name: _DEFAULTS.get(name) for name in columns if name not in there}
    names = [name for name in columns if name not in missing]
    for order in ("ASC", "DESC") if names else ():
        with suppress(sqlite3.Error):
            for row in broken.execute(f"SELECT {', '.join(names)} FROM {table} NOT INDEXED ORDER BY rowid {order}"):
                found[tuple(row)] = dict(zip(names, row, strict=True)) | missing
    return list(found.values())


def _newer(broken: sqlite3.Connection) -> bool:
    with suppress(sqlite3.Error, schema.Unsound):
        try:
            schema.version(broken)
        except schema.Newer:
            return True
    return False


@contextmanager
def _copied(path: Path) -> Iterator[sqlite3.Connection]:
    """The file and its log, elsewhere: whoever opens a file may write what is in its log."""
    import tempfile  # dear, and seldom needed

    with tempfile.TemporaryDirectory() as folder:
        for file in filter(space.usable, (path, Path(f"{path}-wal"))):
            with suppress(FileNotFoundError):
                (Path(folder) / file.name).write_bytes(file.read_bytes())
        with closing(sqlite3.connect(Path(folder) / path.name)) as broken:
            broken.text_factory = decoded
            yield broken


@contextmanager
def _in_place(path: Path) -> Iterator[sqlite3.Connection]:
    """The file as it lies, without its log: where nothing can be written."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)) as broken:
        broken.text_factory = decoded
        yield broken
