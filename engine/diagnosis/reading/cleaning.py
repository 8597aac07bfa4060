"""Tables of flags from a file, made fit to be read: bounded, in plain types, with names that come again told."""

from __future__ import annotations

from collections.abc import Mapping

from engine.diagnosis.reading.kinds import shown

MOST_KEYS = 500
"""Entries of a scenario, or of one of its tables."""


def clean(
    table: Mapping[object, object], depth: int, twice: list[tuple[str, object]] | None = None
) -> dict[str, object]:
    """Flags without what no file of flags has; numbers of any size are texts beyond the usual.

    ``twice`` gets names that come again, in other letters or blanks, with their values.
    """
    out: dict[str, object] = {}
    for name, value in list(table.items())[:MOST_KEYS]:
        key = shown(name)
        if key in out:
            if twice is not None:
                twice.append((key, value))
            continue
        match value:
            case Mapping() if depth < 5:
                out[key] = clean(value, depth + 1, twice)
            case list() | tuple():
                out[key] = [one if _is_plain(one) else shown(one) for one in value[:100]]
            case str():
                out[key] = value[:2000]
            case _:
                out[key] = value if value is None or _is_plain(value) else shown(value)
    return out


def _is_plain(value: object) -> bool:
    if isinstance(value, float):
        return value == value and abs(value) < 1e300
    return isinstance(value, bool | str) or (isinstance(value, int) and value.bit_length() <= 256)
