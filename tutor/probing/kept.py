"""Runs of the probe that are kept: ``probes.jsonl`` beside the progress, one line a run, the newest last.

A run is one write to the end of the file, so that two programs do not mix their lines and a killed one leaves at most
half a line. A line that cannot be read is skipped and stays: a later version may have written it.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from engine.probe.gather import gathered
from engine.probe.readings import Event, Run
from tutor import locking, paths

MOST = 100
"""Runs that are kept."""
SLACK = 10
"""Runs over that after which the file is written anew."""
MAX_SIZE = 64 * 2**20
"""Bytes of the largest file that is read."""


@dataclass(frozen=True)
class Kept:
    """One run as it was: when (UTC, ISO 8601), what was asked for, what the program told."""

    at: str
    asked: Mapping[str, Any]
    events: tuple[Event, ...]

    @cached_property
    def run(self) -> Run:
        """What its events tell."""
        return gathered(self.events)


def file() -> Path:
    """Where the runs are kept."""
    return paths.probes_file()


def now() -> str:
    """This moment as runs note it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def append(kept: Kept, path: Path | None = None) -> None:
    """Keep a run. Raises ``OSError`` for a read-only or a full disk; what was kept before stays."""
    path = path or file()
    _regular(path)
    line = json.dumps({"at": kept.at, "asked": dict(kept.asked), "events": list(kept.events)}, allow_nan=False) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    with locking.alone(path):
        _write(path, line.encode("utf-8"))
        with suppress(OSError):  # what is too much today is so tomorrow
            _shorten(path)


def _regular(path: Path) -> None:
    """Raise ``OSError`` where something else than a file lies there: a pipe would wait for ever, a device never end."""
    with suppress(FileNotFoundError):
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            code = errno.EISDIR if stat.S_ISDIR(mode) else errno.EEXIST
            raise OSError(code, os.strerror(code))


def _write(path: Path, line: bytes) -> None:
    opened = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
    try:
        size = os.fstat(opened).st_size
        if size and _last(opened, size) != b"\n":
            line = b"\n" + line  # half a line of a program that was killed
        written = os.write(opened, line)
        if written < len(line):
            with suppress(OSError):
                os.ftruncate(opened, size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(opened)
    finally:
        os.close(opened)


def _last(opened: int, size: int) -> bytes:
    os.lseek(opened, size - 1, os.SEEK_SET)
    return os.read(opened, 1)


def _shorten(path: Path) -> None:
    """Drop the oldest runs where there are many more than are kept; lines that cannot be read stay."""
    if path.stat().st_size > MAX_SIZE:
        return
    lines = path.read_bytes().splitlines()
    read = [place for place, line in enumerate(lines) if _kept(line) is not None]
    if len(read) <= MOST + SLACK:
        return
    old = set(read[:-MOST])
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as out:
            out.writelines(line + b"\n" for place, line in enumerate(lines) if place not in old)
            out.flush()
            os.fsync(out.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


# --- reading ---------------------------------------------------------------------------------------------------------


class Read(NamedTuple):
    """What the file holds: its runs, the newest last; lines that are none; why it cannot be read, if it cannot."""

    runs: tuple[Kept, ...] = ()
    damaged: int = 0
    trouble: OSError | None = None


def read(path: Path | None = None) -> Read:
    """The runs that are kept, and what is wrong with the file."""
    path = path or file()
    try:
        _regular(path)
        if path.stat().st_size > MAX_SIZE:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return Read()
    except OSError as error:
        return Read(trouble=error)
    found = [_kept(line) for line in lines]
    return Read(tuple(one for one in found if one is not None)[-MOST:], found.count(None))


def runs(path: Path | None = None) -> tuple[Kept, ...]:
    """The runs that are kept, the newest last; none where the file cannot be read."""
    return read(path).runs


def _kept(line: bytes) -> Kept | None:
    """A line as a run; ``None`` for a damaged one."""
    try:
        told = json.loads(line)
        at, asked, events = told["at"], told["asked"], told["events"]
    except (ValueError, RecursionError, LookupError, TypeError):
        return None
    if not (isinstance(at, str) and isinstance(asked, dict) and isinstance(events, list)):
        return None
    return Kept(at[:40], asked, tuple(event for event in events if isinstance(event, dict)))


def device(run: Run) -> tuple[str, str | None, str] | None:
    """What runs that are compared have in common: name of the device, driver, torch; ``None`` before all are told."""
    if run.device is None or run.software is None:
        return None
    return run.device.name, run.device.driver, run.software.torch


def latest(path: Path | None = None, *, like: Run | None = None) -> Kept | None:
    """The newest run that measured something; of the same device as ``like``. ``None`` where there is none."""
    wanted = None if like is None else device(like)
    found = (one for one in reversed(runs(path)) if one.run.moved and (like is None or device(one.run) == wanted))
    return next(found, None)
