"""Reviews and memories: kept with their attempt, folded exactly, merged by what changed later, never lost."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tutor.progress import (
    Attempt,
    ImportProblem,
    Memory,
    Progress,
    ProgressProblem,
    Review,
    Tally,
    memory_progress,
    open_progress,
)

KV, CARD, SLIP, FIND = "core/L2.1/kv", "core/card/token", "core/slip/gib-for-gb", "core/L2.1/kv/find-S"
START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def after(memory: Memory | None, review: Review) -> Memory:
    """A fold whose result tells every review and their order: grades as digits of the stability."""
    digit = ("again", "hard", "good", "easy").index(review.grade) + 1
    before = memory or Memory(review.item, "learning", 0, 0.0, 5.0, review.day, review.when, None, 0, 0, 0)
    good = review.grade != "again"
    return Memory(
        review.item,
        "review" if good else "relearning",
        None if good else 0,
        before.stability * 5 % 1_000_003 + digit,
        before.difficulty + (0.5 if good else -0.25),
        review.day,
        review.when,
        None if good else review.when + timedelta(minutes=10),
        before.reviews + 1,
        before.lapses + (not good),
        before.streak + 1 if good else 0,
    )


def never(memory: Memory | None, review: Review) -> Memory:
    raise AssertionError("nothing is stale")


def review(item: str = KV, grade: str = "good", minute: int = 0, **more: Any) -> Review:
    when = START + timedelta(minutes=minute)
    given = Review(item, when, when.date(), grade, grade, "quiz", "1.07 GB", grade != "again", 12.5)  # type: ignore[arg-type]
    return given._replace(**more)


def attempt(minute: int = 0, slips: tuple[str, ...] = (), part: str = KV) -> Attempt:
    return Attempt(part, "8.59 GB", "incorrect", slips, 0, 1.25, 0, START + timedelta(minutes=minute))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "progress.sqlite3"


@pytest.fixture
def store(path: Path) -> Progress:
    return open_progress(path)


def fold(store: Progress) -> dict[str, Memory]:
    """The memories as all reviews give them, whatever is kept."""
    made: dict[str, Memory] = {}
    for one in store.reviews():
        made[one.item] = after(made.get(one.item), one)
    return made


def test_a_review_and_its_memory_come_back_exactly(store: Progress, path: Path) -> None:
    given = review(answer="1/3 \x00 [/b] हाँ \udcff", right=None, hints=2, variant=7, slips=("a", "b"), proposed="hard")
    made = store.review([given, review(CARD, "again", source="test")], after)
    store.close()
    with closing(open_progress(path)) as again:
        assert again.reviews(KV) == [given._replace(answer="1/3 \x00 [/b] हाँ ?")]
        assert again.memories(never) == made == fold(again)
        assert set(made) == {KV, CARD}


def test_an_attempt_and_its_reviews_are_one_transaction(store: Progress) -> None:
    def fails(memory: Memory | None, given: Review) -> Memory:
        if given.item == SLIP:
            raise RuntimeError("in the middle")
        return after(memory, given)

    with pytest.raises(RuntimeError):
        store.record(attempt(), reviews=[review(), review(SLIP, "again")], after=fails)
    assert (store.attempts(KV), store.reviews(), store.memories(never)) == ([], [], {})
    store.record(attempt(), reviews=[review(), review(SLIP, "again", source="slip")], after=after)
    uid = store.export()["attempts"][0]["uid"]
    assert [one.attempt for one in store.reviews()] == [uid, uid]
    assert store.memories(never) == fold(store)
