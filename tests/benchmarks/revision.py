"""Revision with a long past: the next item, an answer, what home asks for, beside bare SQLite in the same run.

python -m tests.benchmarks.revision [--reviews 50000]
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median

from content.quiz.items import catalogue
from tutor.progress import Grade, Progress, Review, open_progress
from tutor.revision import choosing
from tutor.revision.days import day_of
from tutor.revision.memory import after
from tutor.revision.model import Graded, Wanted
from tutor.revision.revision import Revision
from tutor.session import Session
from tutor.settings import Settings

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
TURNS = 200


def fill(progress: Progress, count: int) -> None:
    """A past of so many reviews of all items, over two years."""
    random, items = Random(1), list(catalogue())
    grades: tuple[Grade, ...] = ("again", "hard", "good", "good", "good", "easy")
    start, batch = NOW - timedelta(days=730), list[Review]()
    for number in range(count):
        when = start + timedelta(days=729) * number / count
        grade = random.choice(grades)
        item = random.choice(items)
        batch.append(Review(item, when, day_of(when, UTC), grade, grade, "quiz", "1.07 GB", grade != "again", 40.0))
        if len(batch) == 1000 or number == count - 1:
            progress.review(batch, after)
            batch.clear()


def timed(name: str, what: Callable[[], object], turns: int = TURNS) -> float:
    """Median and 95th percentile in ms, printed; returns the median."""
    times = []
    for _ in range(turns):
        began = time.perf_counter()
        what()
        times.append((time.perf_counter() - began) * 1000)
    times.sort()
    print(f"{name:42s} {median(times):8.2f} ms   p95 {times[int(turns * 0.95)]:8.2f} ms")
    return median(times)


def main() -> None:
    """Fill a file and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reviews", type=int, default=50_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "progress.db"
        progress = open_progress(path)
        fill(progress, args.reviews)
        progress.close()
        print(f"{args.reviews} reviews, {path.stat().st_size / 1e6:.1f} MB, median of {TURNS}\n")
        _measure(path, Path(folder))


def _measure(path: Path, folder: Path) -> None:
    bare = sqlite3.connect(folder / "bare.db", isolation_level=None)
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("PRAGMA synchronous = FULL")
    bare.execute("CREATE TABLE t (a, b)")
    write = timed("bare SQLite: one insert, synced", lambda: bare.execute("INSERT INTO t VALUES (1, 'x')"))
    timed("open the file and close it", lambda: open_progress(path).close(), 20)
    session = Session("en", Settings(), open_progress(path))
    session.clock = lambda: NOW
    revision = session.revision

    def fresh() -> Revision:
        revision._kept.clear()  # as after a write of another program
        return revision

    timed("what is due, for home (nothing kept)", lambda: fresh().due(), 50)
    timed("what is due, again", revision.due)
    known = revision.known()
    timed("choose the items of a quiz", lambda: choosing.choose(known, Wanted(), 20, Random(1)))
    _next(revision)
    item = "core/card/token"
    review = revision.review(item, "", _good(), "quiz", right=True, seconds=30.0)
    answer = timed("an answer on the disk, with its memory", lambda: session.review((review,)))
    print(f"\nan answer against a bare synced insert: {answer / write:.2f}x")
    session.close()


def _next(revision: Revision) -> None:
    """The next item, its choice alone and with memories read again, as after every answer; drawing numbers is apart."""
    run = revision.start(Wanted("track", track="core", most=TURNS))

    def step() -> None:
        revision._kept.clear()
        item = run._next_item()
        assert item is not None
        revision.memories.get(item.id)

    timed("next item, memories read anew", step, TURNS // 2)
    timed("next item, nothing changed", run._next_item, TURNS // 4)


def _good() -> Graded:
    return Graded("good", "good", ("right",))


if __name__ == "__main__":
    main()
