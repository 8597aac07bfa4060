"""A second look at a file that seemed broken: only what is found wrong by reading all of it is called damaged.

A full or failing disk makes a sound file look broken, so nothing of its folder is written here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from tutor.progress import schema
from tutor.progress.refusals import kind_of

READ_SECONDS = 0.2
"""How long a reader waits that can do without the file."""
_PIECE = 2**20


def broken(path: Path) -> bool:
    """Whether the file, which could be read whole, is wrong inside or not ours."""
    try:
        for _ in _pieces(path):
            pass
        alone = not log_of(path)
    except OSError:
        return False
    uri = f"{path.absolute().as_uri()}?{'immutable=1' if alone else 'mode=ro'}"
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=READ_SECONDS, isolation_level=None)) as connection:
            schema.version(connection)
            return not sound(connection)
    except schema.Newer:
        return False
    except schema.Unsound:
        return True
    except sqlite3.Error as error:
        return kind_of(error) == "damaged"


def sound(connection: sqlite3.Connection) -> bool:
    """Whether the pages of a database fit together."""
    return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")


def log_of(path: Path) -> bool:
    """Whether a write-ahead log with something in it lies beside the file: then the file alone is not all."""
    try:
        return Path(f"{path}-wal").stat().st_size > 0
    except FileNotFoundError:
        return False


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece
