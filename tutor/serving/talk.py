"""What a browser says over the websocket, read with suspicion: JSON lists, as the terminal page sends them."""

from __future__ import annotations

import json
from typing import NamedTuple

from tutor.serving.limits import BURST, COLUMNS, RATE, ROWS


class Typed(NamedTuple):
    """Keys, mouse and pastes, as a terminal writes them."""

    data: bytes


class Resized(NamedTuple):
    """Another size of the window."""

    columns: int
    rows: int


class Ping(NamedTuple):
    """A question whether anybody is there."""

    data: str


class Focus(NamedTuple):
    """The page came to the front, or left it."""

    on: bool


Said = Typed | Resized | Ping | Focus


def read(text: str) -> Said | None:
    """What a message says; ``None`` for one that we do not know."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    match message:
        case ["stdin", str(data)]:
            return Typed(data.encode("utf-8", "replace"))
        case ["resize", {"width": int(width), "height": int(height)}]:
            return Resized(*size(width, height))
        case ["ping", str(data)] if len(data) < 100:
            return Ping(data)
        case ["focus" | "blur" as kind, *_]:
            return Focus(kind == "focus")
    return None


def size(columns: int, rows: int) -> tuple[int, int]:
    """A size within bounds."""
    return min(max(columns, COLUMNS[0]), COLUMNS[1]), min(max(rows, ROWS[0]), ROWS[1])


def number(text: str, otherwise: int) -> int:
    """A small whole number of a query."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else otherwise


class Meter:
    """How long to wait before more is read: a bucket of ``BURST`` bytes that fills with ``RATE`` bytes a second."""

    def __init__(self, now: float) -> None:
        self._left, self._at = float(BURST), now

    def wait(self, size: int, now: float) -> float:
        """Seconds to wait after a message of so many bytes."""
        self._left = min(BURST, self._left + (now - self._at) * RATE) - size
        self._at = now
        return max(0.0, -self._left / RATE)
