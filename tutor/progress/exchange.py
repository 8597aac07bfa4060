"""Rows as JSON and back: the export file, and the merge of a checked one.

A part stands in a row, and in the file, as its plain id and the number of the variant; addresses are for the callers.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from content import address
from tutor.progress import reviews, unexplained
from tutor.progress.records import Attempt, Place
from tutor.progress.rows import insert, listed, moment, text, time_text
from tutor.progress.states import fraction

FORMAT, FORMAT_VERSION = "llm-tutor-progress", 1
"""The version counts what an older reader could not take; keys that only add to a row leave it as it is."""

_ATTEMPT = ("uid", "at", "part", "answer", "verdict", "value", "slips", "ticked", "hints_used", "seconds", "variant",
            "reasons")  # fmt: skip
_MARK = ("uid", "at", "part", "variant", "kind", "n")
LISTS = ("slips", "ticked", "reasons")
"""Columns of an attempt that hold a JSON list."""
_DRAFT = ("at", "part", "variant", "draft")
_PLACE = ("at", "screen", "id", "variant", "section", "part", "draft")


COLUMNS = {
    "attempts": _ATTEMPT, "marks": _MARK, "place": _PLACE, "drafts": _DRAFT, "unexplained": unexplained.COLUMNS,
    "reviews": reviews.COLUMNS,
}  # fmt: skip
"""Every table whose rows are the learner's own, and what of a row is told."""

INSERT_ATTEMPT = insert("INSERT OR IGNORE", "attempts", _ATTEMPT)
INSERT_MARK = insert("INSERT OR IGNORE", "marks", _MARK)
REPLACE_DRAFT = insert("INSERT OR REPLACE", "drafts", _DRAFT)
REPLACE_PLACE = (
    "INSERT OR REPLACE INTO place (one, at, screen, id, variant, section, part, draft)"
    " VALUES (1, :at, :screen, :id, :variant, :section, :part, :draft)"
)


_SAME = "part = :part AND variant = :variant"


class Rows(NamedTuple):
    """What is to be merged: a checked document, or another store."""

    attempts: list[dict[str, Any]]
    marks: list[dict[str, Any]]
    place: dict[str, Any] | None
    drafts: list[dict[str, Any]]
    unexplained: list[dict[str, Any]]
    reviews: list[dict[str, Any]]


def attempt_row(attempt: Attempt, uid: str) -> dict[str, Any]:
    """An attempt as a row of the table."""
    part, variant = address.split(attempt.part)
    row = attempt._asdict() | {"uid": uid, "at": time_text(attempt.when)}
    row |= {"part": part, "variant": variant or attempt.variant}
    del row["when"]
    row["value"] = None if attempt.value is None else str(attempt.value)
    return row | {name: json.dumps(row[name]) for name in LISTS}


def attempt_of(row: sqlite3.Row) -> Attempt:
    """The attempt of a row."""
    fields = {name: row[name] for name in _ATTEMPT if name not in ("uid", "at")}
    fields |= {"value": fraction(row["value"]), "answer": text(row["answer"])}
    fields["part"] = address.join(row["part"], row["variant"])
    fields |= {name: listed(row[name]) for name in LISTS}
    return Attempt(when=moment(row["at"]), **fields)


def place_row(place: Place, when: datetime) -> dict[str, Any]:
    """A place as a row of the table."""
    id_, variant = address.split(place.id)
    row = place._asdict() | {"id": id_, "variant": variant, "part": address.plain(place.part)}
    return row | {"at": time_text(when)}


def place_of(row: Mapping[str, Any]) -> Place:
    """The place of a row."""
    id_, part = (address.join(row[name], row["variant"]) for name in ("id", "part"))
    return Place(row["screen"], id_, row["section"], part, row["draft"])


def stored(connection: sqlite3.Connection) -> Rows:
    """All rows as they are stored, in an order of their own."""

    def rows(table: str, columns: tuple[str, ...]) -> list[dict[str, Any]]:
        order = [name for name in ("at", "uid", "part", "variant", "answer") if name in columns]
        found = connection.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {', '.join(order)}")
        return [dict(row) for row in found.fetchall()]

    found = {table: rows(table, columns) for table, columns in COLUMNS.items()}
    return Rows(place=next(iter(found.pop("place")), None), **found)


def document(connection: sqlite3.Connection) -> dict[str, Any]:
    """All rows as one document; the same rows always give the same document."""
    return told(stored(connection))


def is_export(file: Path) -> bool:
    """Whether a file begins as an export does, be it whole or not. Raises ``OSError``."""
    with file.open("rb") as opened:
        head = opened.read(200)
    return re.match(rb'(?:\xef\xbb\xbf)?\s*\{\s*"format"\s*:\s*"' + FORMAT.encode() + rb'"', head) is not None


def told(rows: Rows) -> dict[str, Any]:
    """Rows of the tables as a document."""
    attempts = [row | {name: list(listed(row[name])) for name in LISTS} for row in rows.attempts]
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "attempts": attempts,
        "marks": rows.marks,
        "drafts": rows.drafts,
        "place": rows.place,
        "unexplained": rows.unexplained,
        "reviews": [reviews.told(row) for row in rows.reviews],
    }


def merge(connection: sqlite3.Connection, rows: Rows) -> int:
    """Add the rows that are not here yet; of two places, or two drafts of a part, the later stays.

    Returns how many rows were new.
    """
    new = 0
    for row in rows.attempts:
        if connection.execute(INSERT_ATTEMPT, row).rowcount:
            new += 1
            # as when it was recorded: what stood typed before it is no draft any more
            connection.execute(f"DELETE FROM drafts WHERE {_SAME} AND at < :at", row)
        else:
            _more_reasons(connection, row)
            _settled_slip(connection, row)
    for row in rows.marks:
        new += connection.execute(INSERT_MARK, row).rowcount
    for row in rows.drafts:
        known = connection.execute(f"SELECT at FROM drafts WHERE {_SAME}", row).fetchone()
        if known is None or known[0] < row["at"]:
            connection.execute(REPLACE_DRAFT, row)
    if rows.place:
        here = connection.execute("SELECT at FROM place").fetchone()
        if here is None or here[0] < rows.place["at"]:
            connection.execute(REPLACE_PLACE, rows.place)
    unexplained.merge(connection, rows.unexplained)
    return new + reviews.merge(connection, [_of_answer(connection, row) for row in rows.reviews])


def _of_answer(connection: sqlite3.Connection, row: dict[str, Any]) -> dict[str, Any]:
    """A review whose answer is nowhere stands for itself: it is counted, and goes with its own item."""
    known = "SELECT 1 FROM attempts WHERE uid = :attempt"
    return row if row["attempt"] == "" or connection.execute(known, row).fetchone() else row | {"attempt": ""}


def _more_reasons(connection: sqlite3.Connection, row: dict[str, Any]) -> None:
    """An attempt that is here already may have got further reasons since."""
    here = connection.execute("SELECT reasons FROM attempts WHERE uid = :uid", row).fetchone()
    ours, theirs = listed(here[0]), listed(row["reasons"])
    if len(theirs) > len(ours) and theirs[: len(ours)] == ours:
        connection.execute("UPDATE attempts SET reasons = :reasons WHERE uid = :uid", row)


def _settled_slip(connection: sqlite3.Connection, row: dict[str, Any]) -> None:
    """Of an attempt that is here already the learner may have said since which of several slips it was."""
    here = connection.execute("SELECT slips FROM attempts WHERE uid = :uid", row).fetchone()
    ours, theirs = listed(here[0]), listed(row["slips"])
    if len(ours) > 1 and len(theirs) == 1 and theirs[0] in ours:
        connection.execute("UPDATE attempts SET slips = :slips WHERE uid = :uid", row)
