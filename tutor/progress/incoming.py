"""Checking a document that somebody hands us as an export: row by row, key by key, before anything is merged.

Whatever the store can hold passes: a clock that was wrong by years is no reason to lose what was done under it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from content import address
from tutor.progress import reviews
from tutor.progress.exchange import FORMAT, FORMAT_VERSION, LISTS, Rows
from tutor.progress.records import ImportProblem
from tutor.progress.rows import clean, microseconds, text, time_text

FIRST, LAST = 1900, 8999
"""Years of the oldest and the latest moment that a wrong clock may have given: from here every sum of days that a
schedule makes is still a date."""
MOST_SECONDS = 10**9
"""Seconds that an answer can have taken, thirty years: no clock of ours counts further, and a float holds it."""


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
        [attempt(row, where) for row, where in _group(document, "attempts")],
        [mark(row, where) for row, where in _group(document, "marks")],
        None if place is None else place_row(place),
        [draft(row, where) for row, where in _later(document, "drafts")],
        [unexplained(row, where) for row, where in _later(document, "unexplained")],
        [review(row, where) for row, where in _later(document, "reviews")],
    )


def _screen(value: object) -> bool:
    return isinstance(value, str) and value in ("home", "lesson", "exercise")


def _group(document: Mapping[str, Any], name: str) -> list[tuple[object, str]]:
    group = document.get(name)
    if not isinstance(group, list):
        raise ImportProblem(name, "not-a-list")
    return [(row, f"{name}[{number}]") for number, row in enumerate(group)]


def _later(document: Mapping[str, Any], name: str) -> list[tuple[object, str]]:
    """A group that the exports of earlier versions do not have."""
    return _group(document, name) if name in document else []


def attempt(row: object, where: str = "") -> dict[str, Any]:
    """An attempt as the table has it. Raises ``ImportProblem``."""
    checks = {
        "uid": _uid, "at": _time, "part": _part, "answer": _text, "verdict": _one_of("correct", "incorrect"),
        "value": _fraction, "slips": _words, "ticked": _words,
        "hints_used": _count, "seconds": _seconds, "variant": _variant, "reasons": _words,
    }  # fmt: skip
    if isinstance(row, Mapping):
        row = {"reasons": [], **row}  # an export of the first version has none
    good = _checked(row, where, checks)
    return good | {name: json.dumps(good[name]) for name in LISTS}


def place_row(row: object, where: str = "place") -> dict[str, Any]:
    """A place as the table has it. Raises ``ImportProblem``."""
    return _checked(_whole(row), where, _PLACE_CHECKS)


def _whole(row: object) -> object:
    """A row with its variant; what was exported before there were any is of the values as written."""
    return {"variant": 0, **row} if isinstance(row, Mapping) else row


def draft(row: object, where: str = "") -> dict[str, Any]:
    """A draft as the table has it. Raises ``ImportProblem``."""
    return _checked(_whole(row), where, {"at": _time, "part": _part, "variant": _variant, "draft": _text})


def mark(row: object, where: str = "") -> dict[str, Any]:
    """A mark as the table has it. Raises ``ImportProblem``."""
    kinds = _one_of("hint", "shown", "skipped")
    checks = {"uid": _uid, "at": _time, "part": _part, "variant": _variant, "kind": kinds, "n": _count}
    return _checked(_whole(row), where, checks)


def unexplained(row: object, where: str = "") -> dict[str, Any]:
    """An unexplained answer as the table has it. Raises ``ImportProblem``."""
    checks = {
        "at": _time, "part": _part, "variant": _variant, "answer": _text, "value": _fraction, "uid": _uid,
        "times": _times,
    }  # fmt: skip
    return _checked(row, where, checks)


def review(row: object, where: str = "") -> dict[str, Any]:
    """A review as the table has it. Raises ``ImportProblem``."""
    grade = _one_of(*reviews.GRADES)
    checks = {
        "uid": _uid, "at": _time, "day": _day, "item": _item, "grade": grade, "proposed": grade,
        "source": _one_of(*reviews.SOURCES), "answer": _text, "right": _truth, "seconds": _seconds,
        "hints": _count, "variant": _variant, "slips": _words, "attempt": lambda value: value == "" or _uid(value),
        "turn": _turn, "changed": lambda value: value is None or _time(value),
    }  # fmt: skip
    return reviews.stored(_checked(row, where, checks))


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


def _plain_id(value: object) -> bool:
    """An id of the course without a variant, which has a key of its own."""
    return _word(value) and "@" not in str(value)


def _uid(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]{16}", value) is not None


def _part(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\w[\w.-]{0,40}(/\w[\w.-]{0,60}){2}", value) is not None


def _time(value: object) -> bool:
    """Exactly the form that we write; any other would not sort among ours."""
    try:
        if not isinstance(value, str) or time_text(datetime.fromisoformat(value)) != value:
            return False
        return FIRST <= datetime.fromisoformat(value).year <= LAST
    except (ValueError, OverflowError):
        return False


def _day(value: object) -> bool:
    """A day of study, which may be another one than that of the moment in UTC."""
    try:
        if not isinstance(value, str) or date.fromisoformat(value).isoformat() != value:
            return False
        return FIRST - 1 <= date.fromisoformat(value).year <= LAST + 1
    except ValueError:
        return False


def _turn(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= reviews.MOST_TURN


def _item(value: object) -> bool:
    """An item of revision: a part of the course, something of one part, a card, a slip."""
    return isinstance(value, str) and re.fullmatch(r"\w[\w.-]{0,40}(/\w[\w.-]{0,60}){2,3}", value) is not None


def _truth(value: object) -> bool:
    return value is None or isinstance(value, bool)


def _fraction(value: object) -> bool:
    if value is None:
        return True
    return isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,1300}(/[1-9][0-9]{0,1300})?", value) is not None


def _words(value: object) -> bool:
    return isinstance(value, list) and len(value) <= 100 and all(_word(word) for word in value)


def _count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31


def _times(value: object) -> bool:
    return _count(value) and value != 0


def _variant(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= address.MOST


def _seconds(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST_SECONDS


def _one_of(*words: str) -> Any:
    return lambda value: isinstance(value, str) and value in words


_PLACE_CHECKS: Mapping[str, Any] = {
    "at": _time, "screen": _screen, "id": _plain_id, "variant": _variant, "section": _word, "part": _plain_id,
    "draft": _text,
}  # fmt: skip


# --- for what goes out ------------------------------------------------------------------------------------------------


def closest(name: str, value: Any, row: Mapping[str, Any]) -> Any:
    """The value of a key of a row that an import takes, closest to one that is none; unchanged where nothing is."""
    if name in ("answer", "draft"):
        return value if _text(value) else clean(text(value))
    if name == "seconds":
        return _within(value, 0.0, float(MOST_SECONDS))
    if name in ("hints_used", "hints", "n", "times"):
        return int(_within(value, 1.0 if name == "times" else 0.0, 2.0**31 - 1))
    if name in LISTS:
        return [word for word in value if _word(word)][:100]
    if name == "proposed":
        return value if value in reviews.GRADES else row["grade"]
    if name in ("turn", "day") and _time(row["at"]):
        when = datetime.fromisoformat(row["at"])
        if name == "day":
            return value if _day(value) else when.date().isoformat()
        return value if _turn(value) else microseconds(when)
    checks: Mapping[str, tuple[Any, Any]] = {
        "value": (_fraction, None), "changed": (_time, None), "right": (_truth, None), "attempt": (_uid, ""),
        "section": (_word, ""), "part": (_part, value if "uid" in row else ""),
    }  # fmt: skip
    check, otherwise = checks.get(name, (lambda _: True, None))
    return value if check(value) else otherwise


def _within(value: object, least: float, most: float) -> float:
    if not isinstance(value, int | float) or value != value:
        return least
    return min(max(value, least), most)
