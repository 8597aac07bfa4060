"""What may grow: memory, objects, open files, threads, tasks, timers, files on the disk; and whether it did."""

from __future__ import annotations

import asyncio
import gc
import os
import sqlite3
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import _lru_cache_wrapper
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import NamedTuple

from textual.timer import Timer

DATABASE, SETTINGS = "progress.sqlite3", "settings.toml"
KEPT = ("attempts", "marks", "drafts", "unexplained", "reviews", "memory")
"""Tables whose rows are what the learner did: they may grow, and the file with them."""
BARE, OF_A_ROW, LOG = 300_000, 2_000, 8_000_000
"""Bytes that an empty database, a row of it with its indexes, and its log take at most."""
REMEMBERING = ("textual", "rich", "tutor", "content", "engine")
"""Packages whose bounded memories are emptied before anything is counted."""
FILES = 12
"""Files that are at home at most: database, log, settings, measured runs, and their locks."""


class Level(NamedTuple):
    """One figure of one window, and how much of it may be gained in 1,000 keys once it has settled."""

    value: float
    allowed: float


class Window(NamedTuple):
    """The figures after ``keys`` keys, at rest on the home screen.

    Attributes:
        keys: pressed since the program began.
        levels: each figure by its name.
        types: live objects by type; empty for a program that is looked at from outside.
    """

    keys: int
    levels: Mapping[str, Level]
    types: Mapping[str, int]


class Growth(NamedTuple):
    """A figure over the settled half of a run: first and last level, gain in 1,000 keys, the gain that is allowed."""

    name: str
    first: float
    last: float
    per_thousand: float
    allowed: float

    @property
    def grew(self) -> bool:
        """Whether it went on growing."""
        return self.per_thousand > self.allowed


def inside(keys: int, home: Path) -> Window:
    """This process, from within, without what is remembered up to a bound: how much that is depends on how many window
    sizes and servers there were, takes hours to fill, and hides what has no bound. How many entries there were is one
    of the figures."""
    gc.unfreeze()
    remembered = _forget()
    gc.collect()
    types = Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())
    tasks = [task for task in asyncio.all_tasks() if not task.done()]
    timers = sum(isinstance(one, Timer) and one._task is not None and not one._task.done() for one in gc.get_objects())
    levels = {
        "objects": Level(sum(types.values()), 150.0),
        "remembered": Level(remembered, float("inf")),
        "tasks": Level(len(tasks), 0.5),
        "timers": Level(timers, 0.5),
        "python threads": Level(threading.active_count(), 0.5),
    }
    return Window(keys, {**outside(os.getpid(), home), **levels}, types)


def _forget() -> int:
    """Empty every memory that has a bound, but for those of one thing; how many entries they had."""
    entries = 0
    for one in gc.get_objects():
        known = isinstance(one, _lru_cache_wrapper) and one.__module__.split(".")[0] in REMEMBERING
        if known and (one.cache_parameters()["maxsize"] or 0) > 1:
            entries += one.cache_info().currsize
            one.cache_clear()
    return entries


def outside(process: int, home: Path) -> dict[str, Level]:
    """A process as the system sees it, and its files. Linux."""
    folder = Path(f"/proc/{process}")
    rss = int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
    database = _size(home / DATABASE) + _size(home / f"{DATABASE}-wal")
    return {
        "resident MB": Level(rss / 1e6, 0.5),
        "open files": Level(len(list((folder / "fd").iterdir())), 0.5),
        "threads": Level(len(list((folder / "task").iterdir())), 0.5),
        "settings bytes": Level(_size(home / SETTINGS), 5.0),
        "database kB": Level(database / 1e3, float("inf")),
        "rows in it": Level(_rows(home / DATABASE), float("inf")),
        "files at home": Level(len(list(home.iterdir())), float("inf")),
    }


def spent(process: int) -> tuple[float, int]:
    """Seconds of processor that a process has used, and bytes that it has written. Linux."""
    folder = Path(f"/proc/{process}")
    fields = (folder / "stat").read_text().rpartition(")")[2].split()
    written = next(line for line in (folder / "io").read_text().splitlines() if line.startswith("wchar"))
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), int(written.split()[1])


def growth(windows: Sequence[Window]) -> list[Growth]:
    """How each figure went over the second half of the windows, by the median slope between any two of them.

    One window that is off (a garbage collection late, a cache that filled at once) moves a median nowhere.
    """
    settled = windows[len(windows) // 2 :]
    if len(settled) < 3:
        return []
    return [
        Growth(
            name, settled[0].levels[name].value, settled[-1].levels[name].value,
            slope([(one.keys, one.levels[name].value) for one in settled]), settled[0].levels[name].allowed,
        )
        for name in settled[0].levels
    ]  # fmt: skip


def growing_types(windows: Sequence[Window], most: int = 12) -> list[tuple[str, float]]:
    """Types of which there were ever more, with what each gained in 1,000 keys, the fastest first."""
    settled = windows[len(windows) // 2 :]
    if len(settled) < 3:
        return []
    names = {name for window in settled for name in window.types}
    slopes = ((name, slope([(one.keys, one.types.get(name, 0)) for one in settled])) for name in names)
    return sorted(((name, gain) for name, gain in slopes if gain > 0.5), key=lambda one: -one[1])[:most]


def slope(points: Sequence[tuple[int, float]]) -> float:
    """The gain in 1,000 keys: the median over all pairs of points (Theil and Sen)."""
    return 1000 * median((b[1] - a[1]) / (b[0] - a[0]) for a, b in combinations(points, 2) if b[0] != a[0])


def broken(home: Path) -> list[str]:
    """What is wrong with the files at the end; nothing where all is whole."""
    from tutor import settingsfile
    from tutor.progress import open_or_memory

    names = sorted(one.name for one in home.iterdir())
    found = [f"left behind: {name}" for name in names if name.startswith("crash")]
    found += [f"many files: {', '.join(names)}"] if len(names) > FILES else []
    size, rows = _size(home / DATABASE), _rows(home / DATABASE)
    found += [f"database: {size:,} bytes for {rows:,} rows"] if size > BARE + rows * OF_A_ROW else []
    log = _size(home / f"{DATABASE}-wal")
    found += [f"database: a log of {log:,} bytes"] if log > LOG else []
    with sqlite3.connect(home / DATABASE) as connection:
        for pragma in ("integrity_check", "foreign_key_check"):
            rows = [row for row in connection.execute(f"PRAGMA {pragma}") if row != ("ok",)]
            found += [f"{pragma}: {row}" for row in rows[:3]]
    connection.close()
    opened = open_or_memory(home / DATABASE)
    found += [f"database: {opened.problem.kind}"] if opened.problem is not None else []
    opened.progress.close()
    trouble = settingsfile.load(home / SETTINGS)[1]
    return found + ([f"settings: {trouble.kind} {trouble.detail}"] if trouble is not None else [])


def _rows(database: Path) -> int:
    try:
        connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=5)
        try:
            return sum(int(connection.execute(f"SELECT count(*) FROM {one}").fetchone()[0]) for one in KEPT)
        finally:
            connection.close()
    except sqlite3.Error:
        return 0


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0
