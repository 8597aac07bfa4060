"""Where `diagnose --save` and `--report` may write: a new file, or over one of ours of the same kind."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from content.lang import LANGS
from tutor.commands.context import Refusal, quoted_path

_MOST = 16 * 2**20
"""Bytes of the largest file that may be one of ours."""
_REPORT_KEYS = frozenset(("phase", "walls", "levers", "ledger"))


def check(save: str | None, report: str | None, read: Sequence[str], *, force: bool = False) -> None:
    """Raise ``Refusal`` for a target that would take something away.

    Args:
        save, report: names as typed; ``None`` where none is wanted.
        read: files and folders that this run reads.
        force: whether any file may be replaced.
    """
    for name, option in ((save, "--save"), (report, "--report")):
        if name is not None:
            _check(name, option, read, force)
    if save is not None and report is not None and _same(save, report):
        raise Refusal("cli.diagnose.one_target", path=quoted_path(save))


def _check(name: str, option: str, read: Sequence[str], force: bool) -> None:
    if not name.strip() or name == "-" or "\ufffd" in name:
        raise Refusal("cli.diagnose.no_target", option=option)
    path = Path(name)
    try:
        if name.endswith(("/", os.sep)) or path.is_dir():
            raise Refusal("cli.diagnose.target_folder", path=quoted_path(name))
        if not path.exists():
            if not Path(os.path.realpath(name)).parent.is_dir():
                raise Refusal("cli.error.no_folder", path=quoted_path(name))
            return
        if force or not path.is_file() or path.stat().st_size == 0 or is_ours(path, report=option == "--report"):
            return
    except OSError:
        pass  # what cannot be looked at is not ours to replace
    if any(_same(name, one) or _same(name, str(Path(one) / "config.json")) for one in read):
        raise Refusal("cli.diagnose.target_read", path=quoted_path(name))
    raise Refusal("cli.error.not_ours", path=quoted_path(name, 200))


def is_ours(path: Path, *, report: bool) -> bool:
    """Whether a file is one that was written here: a report as JSON or Markdown, or a scenario as JSON. Raises
    ``OSError``.

    A saved scenario tells how it was read; one without that was written by a person.
    """
    if path.stat().st_size > _MOST or not os.access(path, os.W_OK):
        return False
    text = path.read_bytes().decode("utf-8", "replace")
    if report and not text.startswith("{"):
        from content.words import say

        return any(text.startswith(f"# {say('diagnosis.heading.title', lang)}\n") for lang in LANGS)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return False
    if not isinstance(found, dict):
        return False
    if report:
        return found.keys() >= _REPORT_KEYS
    return not found or "read" in found


def _same(one: str, other: str) -> bool:
    try:
        return os.path.realpath(one) == os.path.realpath(other)
    except (OSError, ValueError):
        return False
