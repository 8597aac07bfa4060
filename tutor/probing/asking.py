"""Asking another program one thing: so long at most, so much at most, nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

MOST = 2**20
"""Bytes of an answer that are read."""


class Answer(NamedTuple):
    """What a program said: its standard output, cut, its exit status; whether it had to be stopped for its time."""

    text: str
    status: int
    late: bool


def ask(command: Sequence[str], patience: float, env: Mapping[str, str] | None = None, most: int = MOST) -> Answer:
    """Run a program and hear its answer; one that is late or talks without end is ended, with all that it started.

    Raises ``OSError`` where it cannot be started, ``ValueError`` for a name that no file can have.
    """
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env, **own_group()
    )
    late = threading.Event()

    def stop() -> None:
        late.set()
        end(process, hard=True)

    timer = threading.Timer(patience, stop)
    timer.daemon = True
    timer.start()
    try:
        assert process.stdout is not None
        data = process.stdout.read(most + 1)
        if len(data) > most:
            end(process, hard=True)
        process.wait()
    finally:
        timer.cancel()
        end(process, hard=True)  # a wait that was interrupted, and what the program left running
        process.wait()
        process.stdout.close() if process.stdout else None
    return Answer(data[:most].decode("utf-8", "replace"), process.returncode, late.is_set())


def own_group() -> dict[str, Any]:
    """How a process is started so that it and its children can be ended together, and ctrl+c does not reach it."""
    if os.name == "nt":
        return {
            "creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
            | getattr(subprocess, "CREATE_NO_WINDOW", 0)
        }
    return {"start_new_session": True}


def end(process: subprocess.Popen[bytes], hard: bool = False) -> None:
    """Ask a process of :func:`own_group` and its children to end, or end them."""
    with suppress(OSError):  # it is gone already
        if os.name == "nt":
            process.kill() if hard else process.terminate()
        else:
            os.killpg(process.pid, signal.SIGKILL if hard else signal.SIGTERM)
