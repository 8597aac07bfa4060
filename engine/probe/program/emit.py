"""Events on standard output: one line of ASCII JSON each, flushed, whatever thread tells them."""

from __future__ import annotations

import json
import threading
from math import isfinite
from typing import Any, TextIO


class Emitter:
    """Writes events. After the last one nothing more gets out, so that a late thread cannot speak after the end."""

    def __init__(self, out: TextIO) -> None:
        self._out, self._lock, self._over = out, threading.Lock(), False

    def event(self, event: str, **fields: Any) -> None:
        """Tell one event. Numbers that are not finite become ``null``: JSON has no other word for them."""
        with self._lock:
            self._write(event, fields)

    def last(self, event: str, **fields: Any) -> None:
        """Tell the event that ends it all."""
        with self._lock:
            self._write(event, fields)
            self._over = True

    def _write(self, event: str, fields: dict[str, Any]) -> None:
        if self._over:
            return
        self._out.write(json.dumps({"event": event, **_plain(fields)}, allow_nan=False) + "\n")
        self._out.flush()


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value


def line(error: BaseException) -> str:
    """An error as one printable line of at most 300 characters."""
    text = " ".join(str(error).split()) or type(error).__name__
    return "".join(letter if letter.isprintable() else "?" for letter in text)[:300]
