"""One program of ours at a time at a file: the only place that knows how a system locks."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 2.0
"""Seconds to wait for another program."""
_AGAIN = 0.02
"""Seconds between two tries."""


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep other programs of ours from a file meanwhile, by a lock on another one beside it.

    Where the system or the folder has no locks, or the other holds on for longer than ``PATIENCE``, it goes on without:
    what is written must bear that.
    """
    take = _taker()
    try:
        opened = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o644) if take else None
    except OSError:
        opened = None
    if take is None or opened is None:
        yield
        return
    try:
        until = time.monotonic() + PATIENCE
        while not _taken(take, opened) and time.monotonic() < until:
            time.sleep(_AGAIN)
        yield
    finally:
        os.close(opened)  # and the lock with it


def _taken(take: Callable[[int], object], opened: int) -> bool:
    try:
        take(opened)
    except OSError:
        return False
    return True


def _taker() -> Callable[[int], object] | None:
    """What locks an open file or raises ``OSError`` at once; ``None`` where nothing does."""
    try:
        import fcntl
    except ImportError:
        pass
    else:
        return lambda opened: fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        import msvcrt
    except ImportError:
        return None
    # one byte is enough, and may lie behind the end of the file; the type of this module is known on Windows alone
    return lambda opened: msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
