"""One line on a terminal that says what takes its time, and is gone when it is over."""

from __future__ import annotations

import sys

from tutor.commands.context import Context, quoted


class ProgressLine:
    """One line on a terminal that is written over; elsewhere nothing."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._on = sys.stderr.isatty()
        self._width = 0

    def show(self, key: str, **params: object) -> None:
        """Say what happens at this moment."""
        if self._on:
            self._write(self._context.say(key, **params))

    def read(self, name: str, size: int) -> None:
        """Say how many bytes of a file are read."""
        self.show("cli.diagnose.reading", name=quoted(name, 40), mb=size // 10**6)

    def clear(self) -> None:
        """Leave an empty line to whatever comes next."""
        if self._width:
            self._write("")
            sys.stderr.write("\r")
            sys.stderr.flush()
            self._width = 0

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r{text.ljust(self._width)}")
        sys.stderr.flush()
        self._width = len(text)
