"""The sheet of a quiz in numbers, and as the document that `quiz --json` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from statistics import median
from typing import Any, NamedTuple

from tutor.revision.model import Line, Sheet


class Share(NamedTuple):
    """So many right of so many."""

    right: int
    of: int


def by_level(sheet: Sheet) -> Mapping[str, Share]:
    """Right answers by level, in the order of the course. A slip has the level of the part in which it was asked."""
    return _by(sheet, lambda line: line.item.level or _level_of(line.place))


def _level_of(place: str) -> str:
    """The level of a part; "" for no place."""
    from content import address, course

    return course.shipped().level_of(address.plain(place)).id if place else ""


def by_kind(sheet: Sheet) -> Mapping[str, Share]:
    """Right answers by kind of item."""
    return _by(sheet, lambda line: line.item.kind)


def slips(sheet: Sheet) -> Mapping[str, int]:
    """The slips that were named alone, each with its times, the most frequent first."""
    named = Counter(line.slips[0] for line in sheet.lines if len(line.slips) == 1)
    return dict(named.most_common())


def median_s(sheet: Sheet) -> float | None:
    """Median seconds of an answer; ``None`` where nothing was timed."""
    times = [line.seconds for line in sheet.asked if line.seconds > 0]
    return median(times) if times else None


def document(sheet: Sheet) -> dict[str, Any]:
    """The whole sheet as JSON carries it. Items that were passed over or not reached have ``right`` null."""
    return {
        "mode": sheet.wanted.mode,
        "track": sheet.wanted.track or None,
        "level": sheet.wanted.level or None,
        "began": sheet.began.isoformat(timespec="seconds"),
        "seconds": sheet.seconds,
        "limit_s": sheet.limit_s,
        "over": sheet.over,
        "asked": len(sheet.asked),
        "right": sheet.right,
        "median_s": median_s(sheet),
        "levels": {level or "none": share._asdict() for level, share in by_level(sheet).items()},
        "kinds": {kind: share._asdict() for kind, share in by_kind(sheet).items()},
        "slips": dict(slips(sheet)),
        "leeches": [line.item.id for line in sheet.lines if line.leech],
        "items": [_item(line) for line in sheet.lines],
        "due_left": sheet.due_left,
        "soon": sheet.soon,
        "next_due": _day(sheet.next_due),
    }


def _item(line: Line) -> dict[str, Any]:
    graded = line.graded
    return {
        "item": line.item.id,
        "kind": line.item.kind,
        "variant": line.variant,
        "answer": line.answer,
        "right": line.right,
        "reached": line.reached,
        "grade": graded.grade if graded else None,
        "proposed": graded.proposed if graded else None,
        "reasons": list(graded.reasons) if graded else [],
        "slips": list(line.slips),
        "seconds": round(line.seconds, 1),
        "due": _day(line.due),
    }


def _day(day: date | None) -> str | None:
    return day.isoformat() if day is not None else None


def _by(sheet: Sheet, key: Callable[[Line], str]) -> Mapping[str, Share]:
    found: dict[str, Share] = {}
    for line in sorted(sheet.asked, key=key):
        old = found.get(key(line), Share(0, 0))
        found[key(line)] = Share(old.right + (line.right is True), old.of + 1)
    return found
