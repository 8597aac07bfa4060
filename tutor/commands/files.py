"""Reading what a person names on the command line: a file, or `-` for standard input. Bounded, refused in words."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from tutor.commands.context import Refusal, quoted

MAX_LINE = 2**20
"""Bytes of the longest line that is kept; what is behind it is read and dropped."""


def read_bytes(name: str, limit: int) -> bytes:
    """All of a file. Raises ``Refusal`` when it cannot be read or holds more than ``limit`` bytes."""
    try:
        with _open(name) as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise Refusal("cli.error.read", path=quoted(name), detail=error.strerror or "") from error
    if len(data) > limit:
        raise Refusal("cli.error.too_large", path=quoted(name), mib=limit // 2**20)
    return data


def lines(name: str) -> Iterator[bytes]:
    """The lines of a file, as they arrive, without their ends. A line too long is cut at ``MAX_LINE + 1``.

    Raises:
        Refusal: the file cannot be opened or read.
    """
    try:
        with _open(name) as file:
            while line := file.readline(MAX_LINE + 1):
                rest = line
                while rest and not rest.endswith(b"\n"):
                    rest = file.readline(MAX_LINE + 1)
                yield line.rstrip(b"\r\n")
    except OSError as error:
        raise Refusal("cli.error.read", path=quoted(name), detail=error.strerror or "") from error


def _open(name: str) -> BinaryIO:
    if name == "-":
        if sys.stdin is None:
            raise Refusal("cli.error.read", path="-", detail="stdin")
        return open(sys.stdin.fileno(), "rb", closefd=False)
    return Path(name).open("rb")
