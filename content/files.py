"""Where the content's files lie and how one is read."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
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


def load(path: Path, root: Path = ROOT) -> dict[str, Any]:
    """The table of a TOML file.

    Raises:
        ContentError: missing-file, unreadable-file, or not-toml with its line.
    """
    name = str(path.relative_to(root)) if path.is_relative_to(root) else path.name
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
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
    return load(ROOT / name)
