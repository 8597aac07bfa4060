"""What comes out of the probe's program: lines of a pipe, each of a bounded size, and events out of lines."""

from __future__ import annotations

import json
import os
import select
import threading
from collections.abc import Iterator
from math import isfinite
from typing import Any

Event = dict[str, Any]

MAX_LINE = 2**18
"""Bytes of the longest line that is read as an event."""
REST = 32
"""Pieces that are still read when it is over."""
TOO_LONG = b"(too long)"
"""What comes in the place of a line that nobody keeps."""


def lines(pipe: int, over: threading.Event) -> Iterator[bytes]:
    """Lines of a pipe as they come; one that is too long comes as one that is no event."""
    held, dropping = b"", False
    for piece in _pieces(pipe, over):
        *whole, held = (held + piece).split(b"\n")
        for line in whole:
            yield TOO_LONG if dropping or len(line) > MAX_LINE else line
            dropping = False
        if len(held) > MAX_LINE:
            held, dropping = b"", True
    if held or dropping:
        yield TOO_LONG if dropping else held


def _pieces(pipe: int, over: threading.Event) -> Iterator[bytes]:
    """What a pipe holds, until its end or until it is over: a stranger may keep its other end open."""
    poll = select.poll() if hasattr(select, "poll") else None
    if poll is not None:
        poll.register(pipe, select.POLLIN)
    rest = REST
    while rest:
        rest -= over.is_set()
        if poll is not None and not poll.poll(0 if over.is_set() else 200):
            if over.is_set():
                return
            continue
        try:
            piece = os.read(pipe, 2**16)
        except OSError:
            return
        if not piece:
            return
        yield piece


def event(line: bytes) -> Event | None:
    """A line as an event; ``None`` for anything else. Numbers that are none become ``None``."""
    try:
        told = json.loads(line, parse_constant=_nothing, parse_float=_finite)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) and isinstance(told.get("event"), str) else None


def _nothing(name: str) -> None:
    return None


def _finite(text: str) -> float | None:
    value = float(text)
    return value if isfinite(value) else None
