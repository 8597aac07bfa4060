"""One line on a terminal that says what takes its time, and is gone when it is over."""

from __future__ import annotations

import os
import sys

from tutor.commands.context import Context, quoted

_MB = 10**6


class ProgressLine:
    """One line on a terminal that is written over; elsewhere nothing."""

    def __init__(self, context: Context, *, plain: bool = False) -> None:
        """Make one; ``plain``: of a run that speaks in lines alone. One whose document goes into a file is as quiet."""
        self._context = context
        self._on = sys.stderr.isatty() and not plain and (not context.json or sys.stdout.isatty())
        self._width = 0

    def show(self, key: str, **params: object) -> None:
        """Say what happens at this moment."""
        if self._on:
            self._write(self._context.say(key, **params))

    def read(self, name: str, size: int, whole: int) -> None:
        """Say how many bytes of a file are read, and of how many where that is known."""
        key = "reading_of" if whole >= _MB else "reading"
        self.show(f"cli.diagnose.{key}", name=quoted(name, 40), mb=size // _MB, size=round(whole / _MB))

    def clear(self) -> None:
        """Leave an empty line to whatever comes next."""
        if self._width:
            self._write("")
            sys.stderr.write("\r")
            sys.stderr.flush()
            self._width = 0

    def _write(self, text: str) -> None:
        text = text[: _columns() - 1]  # of a line that goes over the edge only the rest could be written over
        sys.stderr.write(f"\r{text.ljust(self._width)}")
        sys.stderr.flush()
        self._width = len(text)


def _columns() -> int:
    """Columns of the terminal that the line is on."""
    from tutor.plain.terminal import WIDTH

    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or WIDTH
    except (OSError, ValueError):
        return WIDTH
