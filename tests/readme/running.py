"""A command line of the README run as a reader would, in this process: no terminal, a folder and a home of its own."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from tutor import cli

PARSED_ONLY: Mapping[str, str] = {
    "serve": "it would go on serving",
    "--url": "it asks a server that runs",
    "--watch": "it asks a server that runs",
    "probe": "it measures for half a minute, or says that there is nothing to measure with",
}
"""Words of command lines that are taken apart and not run, with the reason."""
NEGATIVE: Mapping[str, str] = {
    "llm-tutor placement": "nobody answers",
    "llm-tutor quiz --weak": "nothing was studied yet",
}
"""How command lines begin whose honest answer is no in a home that is new, with the reason."""
SAID = "exit status 1"
"""What the README says behind a command line whose answer is no everywhere."""
_OWN = ("LLM_TUTOR_", "TEXTUAL", "NO_COLOR", "COLUMNS", "LINES", "TMUX", "SSH_")
"""What an environment may hold that changes what the program shows."""


class Ran(NamedTuple):
    """How a command ended."""

    status: int
    out: str
    err: str


class Line(NamedTuple):
    """A command line: the words behind ``llm-tutor``, and what comes to it through a pipe."""

    words: list[str]
    piped: str

    @property
    def only_parsed(self) -> bool:
        """Whether it is not run."""
        return any(word in PARSED_ONLY for word in self.words)


def read(line: str, files: Mapping[str, str]) -> Line:
    """A command line as a shell would see it; ``files`` are those that the README shows, by name."""
    before, bar, own = line.rpartition("| ")
    words = shlex.split(own if bar else line, comments=True)
    if words[0] != "llm-tutor" and not words[0].endswith("/llm-tutor"):
        raise ValueError(f"no command line of ours: {line}")
    return Line(words[1:], _piped(shlex.split(before), files) if bar else "")


def _piped(words: list[str], files: Mapping[str, str]) -> str:
    """What the command before the pipe says: its words for ``echo``, else the log that the README shows."""
    return " ".join(words[1:]) + "\n" if words[0] == "echo" else files["server.log"]


def expected(line: str) -> int:
    """The exit status that fits a command line of the README."""
    return int(SAID in line or any(line.startswith(start) for start in NEGATIVE))


def parse(line: Line) -> None:
    """Take a command line apart as the program does. Raises ``Refusal`` for what it does not know."""
    told = cli.split(line.words)
    cli.parser(told.rest[0]).split(told.rest[1:])


def run(line: Line) -> Ran:
    """Run a command line here."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with tempfile.TemporaryFile("w+", encoding="utf-8") as given:  # some commands read from its descriptor
        given.write(line.piped)
        given.seek(0)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), mock.patch.object(sys, "stdin", given):
            status = cli.run(line.words)
    return Ran(status, _text(out), _text(err))


def _text(stream: io.TextIOWrapper) -> str:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()


@contextlib.contextmanager
def place(folder: Path, files: Mapping[str, str]) -> Iterator[None]:
    """A working folder with the files that the README shows, and a home beside it that is as new."""
    work = folder / "work"
    for name, text in files.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(text, encoding="utf-8")
    with contextlib.chdir(work), home(folder / "home"):
        yield


@contextlib.contextmanager
def home(folder: Path) -> Iterator[None]:
    """A home of the tutor, and nothing in the environment that changes what is shown."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OWN)}
    with mock.patch.dict(os.environ, {**kept, "LLM_TUTOR_HOME": str(folder)}, clear=True):
        yield
