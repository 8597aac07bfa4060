"""What of the stored rows an export says: all that an import takes back, however odd what was stored is.

A value that is none (a number without end, a text that is not one) is said as the closest that is one. A row that says
nothing about anything (no id, no moment) is left out, and the rest goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tutor.progress import incoming
from tutor.progress.records import ImportProblem

_Check = Callable[[object], object]
_GROUPS: Mapping[str, _Check] = {
    "attempts": incoming.attempt, "marks": incoming.mark, "drafts": incoming.draft,
    "unexplained": incoming.unexplained, "reviews": incoming.review,
}  # fmt: skip


def fitting(document: dict[str, Any]) -> dict[str, Any]:
    """The document with nothing in it that an import would refuse."""
    told = {name: _rows(document[name], check) for name, check in _GROUPS.items()}
    place = document["place"]
    fits = place is not None and _fits(_mended(place), incoming.place_row)
    answers = {row["uid"] for row in told["attempts"]}
    told["reviews"] = [row if row["attempt"] in answers else row | {"attempt": ""} for row in told["reviews"]]
    return document | told | {"place": _mended(place) if fits else None}


def _rows(rows: list[dict[str, Any]], check: _Check) -> list[dict[str, Any]]:
    good = []
    for row in rows:
        if _fits(row, check):
            good.append(row)
        elif _fits(mended := _mended(row), check):
            good.append(mended)
    return good


def _fits(row: dict[str, Any], check: _Check) -> bool:
    try:
        check(row)
    except ImportProblem:
        return False
    return True


def _mended(row: dict[str, Any]) -> dict[str, Any]:
    """A row with the closest values that are ones, where there is anything close."""
    return {name: incoming.closest(name, value, row) for name, value in row.items()}
