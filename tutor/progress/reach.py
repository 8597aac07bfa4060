"""Which rows an id reaches: those of one part, or of everything under an exercise, level or track."""

from __future__ import annotations

from typing import NamedTuple

from content import address

_UNDER = "(:prefix = '' OR part = :prefix OR substr(part, 1, length(:prefix) + 1) IN (:prefix || '/', :prefix || '.'))"


class Reach(NamedTuple):
    """A condition on the columns ``part`` and ``variant`` of a table, and the values that it asks for."""

    where: str
    values: dict[str, object]


def exactly(name: str) -> Reach:
    """One variant of what lies under an id: that of the address, and the values as written where none is named."""
    id_, variant = address.split(name)
    return Reach(f"{_UNDER} AND variant = :variant", {"prefix": id_, "variant": variant})


def wholly(name: str) -> Reach:
    """Every variant of what lies under a plain id; of an address that variant alone."""
    id_, variant = address.split(name)
    return exactly(name) if variant else Reach(_UNDER, {"prefix": id_})
