"""Lines out, lines in. Nothing is drawn, nothing moves, nothing is coloured."""

from __future__ import annotations

import sys
import textwrap
from contextlib import suppress
from typing import TextIO

WIDTH = 78
MAX_LINE = 100_000
"""Letters of the longest line that is kept; a pasted megabyte is cut and then refused as too long."""


class Terminal:
    """Where plain study speaks and listens."""

    def __init__(self, stdin: TextIO, stdout: TextIO) -> None:
        self._in, self._out = stdin, stdout
        # on a pipe nobody sees what was typed, so the transcript repeats it
        self._repeat = not stdin.isatty()
        self._editable = stdin is sys.stdin and stdout is sys.stdout and stdin.isatty() and stdout.isatty()
        if self._editable:
            with suppress(ImportError):  # not on Windows
                import readline  # noqa: F401  from here on `input` knows the arrow keys and what was typed before

    def say(self, text: str = "") -> None:
        """A text, wrapped at words; an indented line stays as it is."""
        for line in text.split("\n"):
            self._line(line)

    def write(self, line: str) -> None:
        """One line as it is: it has its width already."""
        self._out.write(line + "\n")

    def _line(self, line: str) -> None:
        indent = line[: len(line) - len(line.lstrip())]
        hang = "  " if line.lstrip().startswith("- ") else ""
        if len(indent) >= 4 or len(line) <= WIDTH:
            self._out.write(line + "\n")
            return
        wrapped = textwrap.wrap(line, WIDTH, subsequent_indent=indent + hang, break_long_words=False)
        self._out.write("\n".join(wrapped) + "\n")

    def ask(self, prompt: str) -> str:
        """A typed line without its end. Raises ``EOFError`` when there is nobody to ask any more."""
        if self._editable:
            try:
                return input(f"{prompt} ").strip()[:MAX_LINE]
            except EOFError:
                self._out.write("\n")  # ctrl+d leaves the cursor behind the question
                raise
        self._out.write(f"{prompt} ")
        self._out.flush()
        line = self._in.readline(MAX_LINE)
        if not line:
            self._out.write("\n")
            raise EOFError
        rest = line
        while rest and not rest.endswith("\n"):
            rest = self._in.readline(MAX_LINE)
        text = line.strip()
        if self._repeat:
            shown = "".join(letter if letter.isprintable() else "?" for letter in text[:200])
            self._out.write(shown + "\n")
        return text
