"""Which rows an id reaches: those of one part, or of everything under an exercise, level or track."""

from __future__ import annotations

from typing import NamedTuple

from content import address

_UNDER = "({column} = :prefix OR ({column} >= :low AND {column} < :high))"
"""From "core/L2." to below "core/L20" lies all that goes on with "." or "/", which an index finds."""


class Reach(NamedTuple):
    """A condition on the columns ``part`` (or another one of ids) and ``variant``, and the values that it asks for."""

    where: str
    values: dict[str, object]


def exactly(name: str, column: str = "part") -> Reach:
    """One variant of what lies under an id: that of the address, and the values as written where none is named."""
    id_, variant = address.split(name)
    where, values = _under(id_, column)
    return Reach(f"{where} AND variant = :variant", {**values, "variant": variant})


def wholly(name: str, column: str = "part") -> Reach:
    """Every variant of what lies under a plain id; of an address that variant alone."""
    id_, variant = address.split(name)
    return exactly(name, column) if variant else _under(id_, column)


def _under(id_: str, column: str) -> Reach:
    values: dict[str, object] = {"prefix": id_, "low": f"{id_}.", "high": f"{id_}0"}
    return Reach(_UNDER.format(column=column) if id_ else "TRUE", values)
