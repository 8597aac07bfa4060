"""Where the content's files lie and how one is read.

Reading TOML costs more than everything else that a short command does, so a parsed file is kept beside it the way
Python keeps compiled modules: in ``__pycache__``, valid for the source's size and time, rewritten when those change,
and not written at all where Python would not write either. Paths are plain text here for the same reason: importing
pathlib would take a tenth of a short command's time.
"""

from __future__ import annotations

import marshal
import os
import sys
from functools import lru_cache
from typing import Any

ROOT = os.path.dirname(os.path.abspath(__file__))
"""The shipped content."""


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
        ContentError: missing-file, unreadable-file, or not-toml with its line.
    """
    import tomllib

    path, root = os.fspath(path), os.fspath(root)
    name = os.path.relpath(path, root) if path.startswith(root) else os.path.basename(path)
    try:
        with open(path, encoding="utf-8") as file:
            return tomllib.loads(file.read())
    except FileNotFoundError:
        raise ContentError(name, "missing-file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ContentError(name, "unreadable-file", detail=type(error).__name__) from None
    except tomllib.TOMLDecodeError as error:
        line, detail = _toml_line(str(error))
        raise ContentError(name, "not-toml", line=line, detail=detail) from None
    except RecursionError:
        raise ContentError(name, "not-toml", detail="nested too deeply") from None


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
