"""The file among others: whether it is one, how much room is left beside it, and whether it is still the same."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

TIGHT: Final = 256 * 1024
"""Bytes: with fewer free, the shared memory of a write-ahead log may not fit, and a process that touches what did not
fit is ended by the system, with no chance to say why."""


def tight(path: Path) -> bool:
    """Whether next to nothing more fits beside a file; ``False`` where the system does not say."""
    with suppress(OSError, AttributeError):  # no such call on Windows
        left = os.statvfs(path.parent)
        if not left.f_blocks:  # what the system itself shows there; no file has room in it, and none is missing
            return False
        return left.f_bavail * left.f_frsize < TIGHT or (left.f_files > 0 and left.f_favail == 0)
    return False


def refusal(path: Path) -> int:
    """The errno that the system gives for writing a file and for making one beside it; 0 where it allows both."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.exists():
            os.close(os.open(path, os.O_RDWR))
        os.close(os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        beside.unlink()
    except OSError as error:
        return error.errno or 0
    return 0


def usable(path: Path) -> bool:
    """Whether a file lies there, or nothing yet: reading a pipe may wait for ever, and a device has no end."""
    with suppress(OSError):
        return stat.S_ISREG(path.stat().st_mode)
    return True


def astray(path: Path) -> bool:
    """Whether the file's name is a link into a folder that is not there, so that none can be made."""
    with suppress(OSError):
        return path.is_symlink() and not path.exists() and not Path(os.path.realpath(path)).parent.is_dir()
    return False


Identity = tuple[int, int]
"""The device and the number of a file on it: a file that replaces another has the same name and other numbers."""
UNKNOWN: Final[Identity] = (-1, -1)


def identity(path: Path) -> Identity | None:
    """Which file has this name; ``None`` when none has, ``UNKNOWN`` when the system does not say."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return UNKNOWN
    return found.st_dev, found.st_ino
