"""Where a variant lies: the number of a variant is part of the id, "core/L2.1@3/kv"; the plain id is variant 0."""

from __future__ import annotations

import re

MOST = 999_999
"""The highest number of a variant."""

_VARIANT = r"@([0-9]{1,6})(?=/|$)"
"""Compiled when first met: most ids have none."""


def split(address: str) -> tuple[str, int]:
    """The plain id and the variant of an address: "core/L2.1@3/kv" is ("core/L2.1/kv", 3)."""
    found = re.search(_VARIANT, address) if "@" in address else None
    if found is None:
        return address, 0
    return address[: found.start()] + address[found.end() :], int(found[1])


def join(id_: str, variant: int) -> str:
    """The address of an exercise or part in a variant; a level, lesson or track has none and stays as it is."""
    if variant == 0 or id_.count("/") not in (1, 2):
        return id_
    track, exercise, *part = id_.split("/")
    return "/".join((track, f"{exercise}@{variant}", *part))


def plain(address: str) -> str:
    """The id without the variant."""
    return split(address)[0]
