"""What keeps the program from outliving or misleading whoever asked: its output, its end, its time."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import TextIO

from .model import Stopped

_LINE = 1 << 20
"""Bytes of a request at most."""


def own_output() -> TextIO:
    """Standard output for events alone. Whatever torch or a driver prints goes to standard error from now on."""
    kept = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(kept, "w", encoding="ascii", newline="\n")


def first_line(source: int = 0) -> str:
    """The first line that comes in. Raises ``ValueError`` where none does.

    Read from the file descriptor: a buffered reader's lock, held by a thread that waits for more, would crash Python
    when it ends.
    """
    found = b""
    while b"\n" not in found:
        more = os.read(source, 65536)
        if not more:
            break
        found += more
        if len(found) > _LINE:
            raise ValueError("the request is too long")
    if not found.strip():
        raise ValueError("no request came in")
    return found.split(b"\n", 1)[0].decode("utf-8", "replace")


def end_with_input(source: int = 0, leave: Callable[[int], object] = os._exit) -> threading.Thread:
    """End the process as soon as standard input ends: whoever asked is gone, and with it the reason to be here."""

    def wait() -> None:
        try:
            while os.read(source, 65536):
                pass
        except OSError:
            pass
        leave(0)

    return _thread(wait)


def end_in_time(seconds: float, tell: Callable[[], None], leave: Callable[[int], object] = os._exit) -> threading.Event:
    """End the process after ``seconds``, whatever it is stuck in, once ``tell`` has told the end.

    The stages keep their time by themselves; this is for a step or a driver that hangs. Setting the event calls it off.
    """
    over = threading.Event()

    def wait() -> None:
        if not over.wait(seconds):
            tell()
            leave(0)

    _thread(wait)
    return over


def _thread(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def end_with_parent() -> None:
    """Let the system end the process with the one that started it, where the system can: an import that hangs with
    Python's own lock in its hands lets no thread of ours look for the end of the input."""
    if sys.platform != "linux":
        return
    parent = os.getppid()
    with suppress(Exception):  # a C library without prctl
        ctypes.CDLL(None).prctl(_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
        if os.getppid() != parent:  # it went while we asked; a parent of number 1 may be a container's first process
            os._exit(0)


_PDEATHSIG = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


def stop_on_signal() -> None:
    """Make SIGTERM and Ctrl+C raise ``Stopped`` in the main thread, so that the memory is given back."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Stopped

    for name in ("SIGTERM", "SIGINT"):
        signal.signal(getattr(signal, name), stop)
