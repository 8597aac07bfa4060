"""Rows as JSON and back: the export file, its checks, and the merge."""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from tutor.progress.records import Attempt, ImportProblem, Place, now
from tutor.progress.states import fraction

FORMAT, FORMAT_VERSION = "llm-tutor-progress", 1
AHEAD = timedelta(days=7)
"""How far another machine's clock may be ahead of ours."""

_ATTEMPT = ("uid", "at", "part", "answer", "verdict", "value", "slips", "ticked", "hints_used", "seconds", "variant",
            "reasons")  # fmt: skip
_MARK = ("uid", "at", "part", "kind", "n")
_LISTS = ("slips", "ticked", "reasons")
"""Columns of an attempt that hold a JSON list."""
_DRAFT = ("at", "part", "draft")
_PLACE = ("at", "screen", "id", "section", "part", "draft")


def _insert(verb: str, table: str, columns: tuple[str, ...]) -> str:
    return f"{verb} INTO {table} ({', '.join(columns)}) VALUES ({', '.join(':' + name for name in columns)})"


INSERT_ATTEMPT = _insert("INSERT OR IGNORE", "attempts", _ATTEMPT)
INSERT_MARK = _insert("INSERT OR IGNORE", "marks", _MARK)
REPLACE_DRAFT = _insert("INSERT OR REPLACE", "drafts", _DRAFT)
REPLACE_PLACE = (
    "INSERT OR REPLACE INTO place (one, at, screen, id, section, part, draft)"
    " VALUES (1, :at, :screen, :id, :section, :part, :draft)"
)


class Rows(NamedTuple):
    """A checked document, ready to be merged."""

    attempts: list[dict[str, Any]]
    marks: list[dict[str, Any]]
    place: dict[str, Any] | None
    drafts: list[dict[str, Any]]


def time_text(when: datetime) -> str:
    """A moment as it is stored: UTC, microseconds, one width, so that texts sort as times do."""
    if when.tzinfo is None:
        raise ValueError("a time without a zone")
    return when.astimezone(UTC).isoformat(timespec="microseconds")


def attempt_row(attempt: Attempt, uid: str) -> dict[str, Any]:
    """An attempt as a row of the table."""
    row = attempt._asdict() | {"uid": uid, "at": time_text(attempt.when)}
    del row["when"]
    row["value"] = None if attempt.value is None else str(attempt.value)
    return row | {name: json.dumps(row[name]) for name in _LISTS}


def attempt_of(row: sqlite3.Row) -> Attempt:
    """The attempt of a row."""
    fields = {name: row[name] for name in _ATTEMPT if name not in ("uid", "at")}
    fields["value"] = fraction(row["value"])
    fields |= {name: listed(row[name]) for name in _LISTS}
    return Attempt(when=datetime.fromisoformat(row["at"]), **fields)


def listed(stored: str) -> tuple[str, ...]:
    """A stored list of words; empty where something else was stored."""
    if stored == "[]":
        return ()
    try:
        found = json.loads(stored)
    except (ValueError, TypeError, RecursionError):
        return ()
    return tuple(word for word in found if isinstance(word, str)) if isinstance(found, list) else ()


def place_of(row: Mapping[str, Any]) -> Place:
    """The place of a checked row."""
    return Place(**{name: row[name] for name in _PLACE if name != "at"})


def document(connection: sqlite3.Connection) -> dict[str, Any]:
    """All rows as one document; the same rows always give the same document."""

    def rows(table: str, columns: tuple[str, ...]) -> list[dict[str, Any]]:
        found = connection.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY at, {columns[1]}, {columns[0]}")
        return [dict(row) for row in found.fetchall()]

    attempts = rows("attempts", _ATTEMPT)
    for row in attempts:
        row |= {name: list(listed(row[name])) for name in _LISTS}
    places = rows("place", _PLACE)
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "attempts": attempts,
        "marks": rows("marks", _MARK),
        "drafts": rows("drafts", _DRAFT),
        "place": places[0] if places else None,
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
            connection.execute("DELETE FROM drafts WHERE part = :part AND at < :at", row)
        else:
            _more_reasons(connection, row)
    for row in rows.marks:
        new += connection.execute(INSERT_MARK, row).rowcount
    for row in rows.drafts:
        known = connection.execute("SELECT at FROM drafts WHERE part = :part", row).fetchone()
        if known is None or known[0] < row["at"]:
            connection.execute(REPLACE_DRAFT, row)
    if rows.place:
        here = connection.execute("SELECT at FROM place").fetchone()
        if here is None or here[0] < rows.place["at"]:
            connection.execute(REPLACE_PLACE, rows.place)
    return new


def _more_reasons(connection: sqlite3.Connection, row: dict[str, Any]) -> None:
    """An attempt that is here already may have got further reasons since."""
    here = connection.execute("SELECT reasons FROM attempts WHERE uid = :uid", row).fetchone()
    ours, theirs = listed(here[0]), listed(row["reasons"])
    if len(theirs) > len(ours) and theirs[: len(ours)] == ours:
        connection.execute("UPDATE attempts SET reasons = :reasons WHERE uid = :uid", row)


# --- checking a document that somebody hands us -----------------------------------------------------------------------


def read(document: object) -> Rows:
    """The rows of a document. Raises ``ImportProblem`` at the first thing that no export of ours contains."""
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise ImportProblem("format", "not-an-export")
    version = document.get("version")
    if type(version) is not int or version < 1:  # True is 1 to Python, and no version
        raise ImportProblem("version", "bad-version")
    if version > FORMAT_VERSION:
        raise ImportProblem("version", "newer-export")
    place = document.get("place")
    return Rows(
        [_attempt(row, where) for row, where in _group(document, "attempts")],
        [_mark(row, where) for row, where in _group(document, "marks")],
        None if place is None else _checked(place, "place", _PLACE_CHECKS),
        [_draft(row, where) for row, where in _group(document, "drafts")] if "drafts" in document else [],
    )


def _screen(value: object) -> bool:
    return isinstance(value, str) and value in ("home", "lesson", "exercise")


def _group(document: Mapping[str, Any], name: str) -> list[tuple[object, str]]:
    group = document.get(name)
    if not isinstance(group, list):
        raise ImportProblem(name, "not-a-list")
    return [(row, f"{name}[{number}]") for number, row in enumerate(group)]


def _attempt(row: object, where: str) -> dict[str, Any]:
    checks = {
        "uid": _uid, "at": _time, "part": _part, "answer": _text, "verdict": _one_of("correct", "incorrect"),
        "value": _fraction, "slips": _words, "ticked": _words,
        "hints_used": _count, "seconds": _seconds, "variant": _count, "reasons": _words,
    }  # fmt: skip
    if isinstance(row, Mapping):
        row = {"reasons": [], **row}  # an export of the first version has none
    good = _checked(row, where, checks)
    return good | {name: json.dumps(good[name]) for name in _LISTS}


def _draft(row: object, where: str) -> dict[str, Any]:
    return _checked(row, where, {"at": _time, "part": _part, "draft": _text})


def _mark(row: object, where: str) -> dict[str, Any]:
    kinds = _one_of("hint", "shown", "skipped")
    return _checked(row, where, {"uid": _uid, "at": _time, "part": _part, "kind": kinds, "n": _count})


def _checked(row: object, where: str, checks: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(row, Mapping):
        raise ImportProblem(where, "not-a-record")
    for name, check in checks.items():
        if name not in row or not check(row[name]):
            raise ImportProblem(f"{where}.{name}", "bad-value")
    return {name: row[name] for name in checks}


def _text(value: object) -> bool:
    if not isinstance(value, str) or len(value) > 100_000:
        return False
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


def _word(value: object) -> bool:
    """An id of the course."""
    return _text(value) and str(value).isprintable() and len(str(value)) <= 200


def _uid(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]{16}", value) is not None


def _part(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\w[\w.-]{0,40}(/\w[\w.-]{0,60}){2}", value) is not None


def _time(value: object) -> bool:
    """Exactly the form that we write; any other would not sort among ours. Clocks differ by days, not by years."""
    try:
        if not isinstance(value, str) or time_text(datetime.fromisoformat(value)) != value:
            return False
        return datetime.fromisoformat(value) <= now() + AHEAD
    except (ValueError, OverflowError):
        return False


def _fraction(value: object) -> bool:
    if value is None:
        return True
    return isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,1300}(/[1-9][0-9]{0,1300})?", value) is not None


def _words(value: object) -> bool:
    return isinstance(value, list) and len(value) <= 100 and all(_word(word) for word in value)


def _count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31


def _seconds(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0


def _one_of(*words: str) -> Any:
    return lambda value: isinstance(value, str) and value in words


_PLACE_CHECKS: Mapping[str, Any] = {
    "at": _time, "screen": _screen, "id": _word, "section": _word, "part": _word, "draft": _text,
}  # fmt: skip
