"""Paths as terminals hand them over when a file is dropped on them: pasted text, quoted, escaped, or as an address."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tutor.served import served

MOST = 16
"""Files dropped at once."""
LONGEST = 4096
"""Characters of a text that may be paths."""
LONGEST_VALUE = 2000
"""Characters of a value of the form, see :class:`tutor.widgets.answer_input.AnswerInput`."""
LONGEST_NAME = 255
"""Bytes of a file's name."""
_ROOTED = re.compile(r"[\"']?(?:/|~|\.{1,2}/|file:|[A-Za-z]:[\\/])")
"""How a path begins that may have blanks in it."""


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
        return not served() and path.exists()
    except (OSError, ValueError):
        return False


def is_file(path: Path) -> bool:
    """Whether it is a file; a name that no file can have, and one behind a closed folder, is none."""
    try:
        return not served() and path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Whether it is a folder, in the same way."""
    try:
        return not served() and path.is_dir()
    except (OSError, ValueError):
        return False


def is_model(path: Path) -> bool:
    """Whether it is a model's folder."""
    return is_file(path / "config.json")


def is_text(text: str) -> bool:
    """Whether a pasted text is more than a line, or a line that is no value: a log, a page, a config on one line."""
    return sum(1 for line in text.splitlines() if line.strip()) > 1 or len(text) > LONGEST_VALUE or is_document(text)


def is_document(text: str) -> bool:
    """Whether it is JSON, by its first sign and its last one."""
    text = text.strip()
    return len(text) > 2 and text[0] + text[-1] in ("{}", "[]") and '"' in text


def may_be_path(text: str) -> bool:
    """Whether a line may be a path that is being typed: no text of which a file has no name, and no command."""
    text = text.strip()
    if is_text(text) or any(len(name.encode("utf-8", "replace")) > LONGEST_NAME for name in re.split(r"[\\/]", text)):
        return False
    return not re.search(r"\s", text) or (bool(_ROOTED.match(text)) and " -" not in text)


def is_command(text: str) -> bool:
    """Whether its lines are one command or a list of options."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return (
        all(line.startswith("-") or line.endswith("\\") for line in lines[:-1])
        and lines[-1:] != []
        and (lines[-1].startswith("-") or len(lines) > 1)
    )
