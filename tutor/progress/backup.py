"""A copy of the file as it was before a new version of the tutor changed its tables."""

from __future__ import annotations

import glob
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path


def place_of(path: Path, version: int) -> Path:
    """Where the copy lies that was made before the file went to ``version``."""
    return path.with_name(f"{path.stem}.before-v{version}{path.suffix}")


def keep(path: Path, version: int) -> Path:
    """Copy what is in the file, its log included, before it goes to ``version``; older copies of this kind go.

    It is written beside and renamed, so that a copy is whole or not there. Raises ``OSError`` or ``sqlite3.Error``.
    """
    copy = place_of(path, version)
    beside = path.with_name(f".{copy.name}.{os.getpid()}")
    try:
        beside.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(beside)) as new:
            old.backup(new)
        beside.replace(copy)
    finally:
        beside.unlink(missing_ok=True)
    for other in path.parent.glob(f"{glob.escape(path.stem)}.before-v*{glob.escape(path.suffix)}"):
        if other != copy:
            with suppress(OSError):
                other.unlink()
    return copy
