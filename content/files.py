"""Where the content's files lie and how one is read.

Reading TOML costs more than everything else that a short command does, so a parsed file is kept beside it the way
Python keeps compiled modules: in ``__pycache__``, valid for the source's size and time, rewritten when those change,
and not written at all where Python would not write either. Paths are plain text here for the same reason: importing
pathlib would take a tenth of a short command's time.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
from functools import lru_cache
from typing import Any

ROOT = os.path.dirname(os.path.abspath(__file__))
"""The shipped content."""
MAX_SIZE = 4 * 2**20
"""Bytes of the largest content file that is read."""
MAX_DEPTH = 24
"""Tables and lists inside each other, more than twice as many as a course needs."""
MAX_BITS = 63
"""Of a whole number: what TOML promises to carry."""


class ContentError(Exception):
    """A content file cannot be used.

    Attributes:
        file: which one, relative to the content folder.
        reason: an id ("not-toml", "missing-key", "missing-language", "bad-type", "unknown-kind" ...).
        where: ids that lead to the place, outermost first ("L2.1", "kv", "hints").
        line: the line, when it is known.
        params: values for the sentence.
    """

    def __init__(self, file: str, reason: str, *where: str, line: int | None = None, **params: str) -> None:
        super().__init__(file, reason, where, params)
        self.file = file
        self.reason = reason
        self.where = where
        self.line = line
        self.params = params


def load(path: str | os.PathLike[str], root: str | os.PathLike[str] = ROOT) -> dict[str, Any]:
    """The table of a TOML file.

    Raises:
        ContentError: missing-file, not-a-file, too-large, unreadable-file, not-text, byte-order-mark, not-toml,
            nested-too-deeply, or number-too-large, with the line where it is known.
    """
    path, root = os.fspath(path), os.fspath(root)
    name = os.path.relpath(path, root) if path.startswith(root) else os.path.basename(path)
    return parsed(name, read(path, name))


def read(path: str, name: str) -> str:
    """The text of a file: an ordinary one, of a bounded size. Raises ``ContentError``."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise ContentError(name, "not-a-file")
        if status.st_size > MAX_SIZE:
            raise ContentError(name, "too-large", mib=str(MAX_SIZE // 2**20))
        with open(path, "rb") as file:
            data = file.read(MAX_SIZE + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise ContentError(name, "missing-file") from None
    except OSError:
        raise ContentError(name, "unreadable-file") from None
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise ContentError(name, "byte-order-mark", line=1)
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ContentError(name, "not-text", line=data.count(b"\n", 0, error.start) + 1) from None


def parsed(name: str, text: str) -> dict[str, Any]:
    """The table of a TOML text. Raises ``ContentError``."""
    import re
    import tomllib

    # tomllib takes a time that grows with the square of a key's length
    if re.search(_DOTTED, text):
        raise ContentError(name, "nested-too-deeply")
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line, detail = _toml_line(str(error))
        raise ContentError(name, "not-toml", line=line, detail=detail) from None
    except RecursionError:
        raise ContentError(name, "nested-too-deeply") from None
    except ValueError:  # a number with thousands of digits, which Python will not even read
        raise ContentError(name, "number-too-large", line=_long_number(text)) from None
    _bounded(name, text, table)
    return table


_DOTTED = r"(?<![\w-])(?:(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.[ \t]*+){40}"
"""A key of so many words that nothing can be meant by it."""


def _bounded(name: str, text: str, table: dict[str, Any]) -> None:
    """Nothing is nested so deeply, and no number so large, that a reader of the table would break at it."""
    level: list[Any] = [table]
    for _ in range(MAX_DEPTH):
        inside: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                inside += value.values()
            elif isinstance(value, list):
                inside += value
            elif isinstance(value, int) and value.bit_length() > MAX_BITS:
                raise ContentError(name, "number-too-large", line=_long_number(text))
        level = inside
        if not level:
            return
    raise ContentError(name, "nested-too-deeply")


def _long_number(text: str) -> int | None:
    """The line of the first number that no TOML file need hold."""
    import re

    found = re.search(r"(?<![\w.])[+-]?(?:0[xob])?[0-9a-fA-F_]{16,}", text)
    return text.count("\n", 0, found.start()) + 1 if found else None


def _toml_line(message: str) -> tuple[int | None, str]:
    """The line number inside tomllib's message, and the message without it."""
    detail, _, place = message.partition(" (at line ")
    digits = place.split(",")[0]
    return (int(digits) if digits.isdigit() else None), detail


@lru_cache(maxsize=64)
def shipped(name: str) -> dict[str, Any]:
    """The table of a shipped file, read once; treat it as read-only."""
    path = os.path.join(ROOT, *name.split("/"))
    table = _kept(path)
    if table is None:
        table = load(path)
        _keep(path, table)
    return table


def _stamp(path: str) -> tuple[int, int, str]:
    status = os.stat(path)
    return status.st_mtime_ns, status.st_size, sys.version


def _beside(path: str) -> str:
    folder, name = os.path.split(path)
    return os.path.join(folder, "__pycache__", f"{name}.{sys.implementation.cache_tag}")


def _kept(path: str) -> dict[str, Any] | None:
    """The parsed table kept beside a file, if it is of this very file."""
    try:
        with open(_beside(path), "rb") as file:
            stamp, table = marshal.loads(file.read())
        return table if stamp == _stamp(path) else None
    except (OSError, ValueError, EOFError, TypeError):
        return None


def _keep(path: str, table: dict[str, Any]) -> None:
    """Keep a parsed table beside its file; a place that cannot be written costs only the time of parsing again."""
    if sys.dont_write_bytecode:
        return
    target = _beside(path)
    draft = f"{target}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(draft, "wb") as file:
            file.write(marshal.dumps((_stamp(path), table)))
        os.replace(draft, target)
    except (OSError, ValueError):  # read-only, full disk, or a TOML date, which marshal does not know
        return
