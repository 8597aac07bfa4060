"""What SQLite refuses, and what that means for the learner."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Final

from tutor.progress import space
from tutor.progress.records import Kind

_MEANS: Final[tuple[tuple[Kind, tuple[str, ...], tuple[str, ...]], ...]] = (
    ("damaged", ("SQLITE_CORRUPT", "SQLITE_NOTADB"), ("malformed", "not a database")),
    ("full", ("SQLITE_FULL", "SQLITE_IOERR"), ("disk is full", "disk I/O error")),
    ("locked", ("SQLITE_BUSY", "SQLITE_LOCKED"), ("is locked",)),
)
"""A kind, the codes that mean it, and what their sentences hold: an error of a copy has a sentence alone."""

_MISFIT: Final = tuple(f"SQLITE_{name}" for name in ("ERROR", "SCHEMA", "MISMATCH", "CONSTRAINT"))


def kind_of(error: sqlite3.Error, path: Path | None = None) -> Kind:
    """What a refusal means; ``path`` is the file, whose disk is asked where the refusal does not say why."""
    name = _name(error)
    for kind, codes, words in _MEANS:
        if name.startswith(codes) if name else any(word in str(error) for word in words):
            return kind
    if name.startswith("SQLITE_CANTOPEN") and path is not None and space.tight(path):
        return "full"
    return "readonly"


def misfit(error: sqlite3.Error) -> bool:
    """Whether a statement did not fit the tables. By itself that says nothing about the file."""
    return _name(error).startswith(_MISFIT)


def undo(connection: sqlite3.Connection) -> None:
    """Take back an open transaction, if one is left. The error that came before it is the one that counts.

    After some errors SQLite has taken it back itself, and after others nothing works any more.
    """
    with suppress(sqlite3.Error):
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _name(error: sqlite3.Error) -> str:
    return getattr(error, "sqlite_errorname", "") or ""
