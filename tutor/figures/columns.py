"""Numbers that stand in one column: their points under each other, however many digits each is told with."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NUMBER = re.compile(r"([-+−]?[\d,]+)(\.\d+)?(?: (\D.*))?")


def pointed(texts: Sequence[str]) -> list[str]:
    """Each number with the blanks behind it that, flush right, put its point under those of its unit.

    A number of another unit, and what is no number, stays as it is.
    """
    found = [_NUMBER.fullmatch(text) for text in texts]
    deepest: dict[str | None, int] = {}
    for one in found:
        if one is not None:
            deepest[one[3]] = max(deepest.get(one[3], 0), len(one[2] or ""))
    return [
        text if one is None else text + " " * (deepest[one[3]] - len(one[2] or ""))
        for text, one in zip(texts, found, strict=True)
    ]
