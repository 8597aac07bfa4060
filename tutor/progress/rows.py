"""How things stand in a row: a moment, a list of words, an id, a statement that puts a row in."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta

MAX_TEXT = 20_000
"""Longest answer or draft that is kept; whatever is longer was refused before it came here."""


def insert(verb: str, table: str, columns: tuple[str, ...]) -> str:
    """A statement that puts a row into a table; ``verb`` is "INSERT" and what becomes of one that is there."""
    return f"{verb} INTO {table} ({', '.join(columns)}) VALUES ({', '.join(':' + name for name in columns)})"


def time_text(when: datetime) -> str:
    """A moment as it is stored: UTC, microseconds, one width, so that texts sort as times do."""
    if when.tzinfo is None:
        raise ValueError("a time without a zone")
    return when.astimezone(UTC).isoformat(timespec="microseconds")


def microseconds(when: datetime) -> int:
    """A moment as a number that counts on: microseconds since the start of 1970, UTC."""
    return (when - _EPOCH) // timedelta(microseconds=1)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(stored: object) -> datetime:
    """A stored moment; the start of 1970 where something else was stored."""
    try:
        when = datetime.fromisoformat(text(stored))
    except ValueError:
        return _EPOCH
    return when if when.tzinfo is not None else when.replace(tzinfo=UTC)


def listed(stored: str) -> tuple[str, ...]:
    """A stored list of words; empty where something else was stored."""
    if stored == "[]":
        return ()
    try:
        found = json.loads(stored)
    except (ValueError, TypeError, RecursionError):
        return ()
    return tuple(word for word in found if isinstance(word, str)) if isinstance(found, list) else ()


def new_uid() -> str:
    """A name that nothing else has, on any machine: merging exports twice changes nothing."""
    return os.urandom(8).hex()


def decoded(stored: bytes) -> str:
    """A text of the file, whatever became of its bytes on the disk."""
    return stored.decode("utf-8", "replace")


def text(stored: object) -> str:
    """A stored text; what else was stored there is read as one."""
    if isinstance(stored, str):
        return stored
    if isinstance(stored, bytes):
        return decoded(stored)
    return "" if stored is None else str(stored)


def clean(text: str) -> str:
    """Text that SQLite and JSON can hold: no lone surrogates, bounded."""
    return text.encode("utf-8", "replace").decode("utf-8")[:MAX_TEXT]
