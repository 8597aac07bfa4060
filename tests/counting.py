"""How much is done, counted: the same on a quick machine and on a busy one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def calls(action: Callable[[], object]) -> int:
    """How many functions are called, of Python's own too, the second time that something is done: the first loads."""
    action()
    seen = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal seen
        seen += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(before)
    return seen
