"""Paths as terminals hand them over when a file is dropped on them: pasted text, quoted, escaped, or as an address."""

from __future__ import annotations

import shlex
from pathlib import Path
from urllib.parse import unquote, urlsplit

MOST = 16
"""Files dropped at once."""
LONGEST = 4096
"""Characters of a text that may be paths."""


def paths(text: str) -> list[Path]:
    """The files and folders that a pasted text names; none unless all of it is absolute paths that are there."""
    text = text.strip()
    if not text or len(text) > LONGEST:
        return []
    for words in ([text], _split(text)):
        found = [_path(word) for word in words]
        if found and len(found) <= MOST and all(one is not None and _there(one) for one in found):
            return [one for one in found if one is not None]
    return []


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # a quote that is not closed
        return []


def _path(word: str) -> Path | None:
    """An absolute path, of a path, of one from the home folder, or of a ``file:`` address."""
    word = word.strip()
    if len(word) > 1 and word[0] == word[-1] and word[0] in "'\"":
        word = word[1:-1]
    try:
        if word.startswith("file:"):
            word = unquote(urlsplit(word).path)
            if len(word) > 2 and word[0] == "/" and word[2] == ":":  # /C:/...
                word = word[1:]
        path = Path(word).expanduser()
    except (ValueError, RuntimeError):
        return None
    return path if path.is_absolute() else None


def _there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def is_text(text: str) -> bool:
    """Whether a pasted text is more than a line: a log, a page, a config."""
    return sum(1 for line in text.splitlines() if line.strip()) > 1


def is_command(text: str) -> bool:
    """Whether its lines are one command or a list of options."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return (
        all(line.startswith("-") or line.endswith("\\") for line in lines[:-1])
        and lines[-1:] != []
        and (lines[-1].startswith("-") or len(lines) > 1)
    )
