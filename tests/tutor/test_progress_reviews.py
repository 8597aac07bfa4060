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
    for item in {one.item for one in store.reviews()}:
        for one in store.reviews(item):
            made[item] = after(made.get(item), one)
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


def test_a_memory_is_folded_one_by_one_or_from_all_alike(store: Progress, tmp_path: Path) -> None:
    given: list[Review] = []
    source, items = random.Random(6), (KV, CARD, SLIP, FIND)
    for number in range(120):
        # half of them in order, half by a clock that is put forward and back
        minute = number if number % 2 else source.randrange(200)
        given.append(review(source.choice(items), source.choice(("again", "hard", "good", "easy")), minute))
        store.review(given[-1:], after)
    assert store.memories(never) == fold(store)
    assert sum(memory.reviews for memory in store.memories(never).values()) == 120
    assert all(store.reviews(item) == [one for one in given if one.item == item] for item in items), "in their turn"
    other = open_progress(tmp_path / "other.sqlite3")
    assert other.import_(store.export()) == 120
    assert other.memories(after) == store.memories(never)


def test_without_a_fold_the_memory_waits(store: Progress) -> None:
    assert store.record(attempt(), reviews=[review()]) == {}
    store.record(attempt(1), reviews=[review(minute=1)])
    told = store.version()
    assert store.memories(after) == fold(store)
    assert store.version() != told
    assert store.memories(never) == fold(store)
    assert store.memories(never)[KV].reviews == 2


def test_the_learner_overrules_the_last_grade(store: Progress) -> None:
    store.review([review(), review(CARD), review(minute=5)], after)
    assert store.overrule(KV, "again", after) == fold(store)[KV]
    assert [(one.grade, one.proposed) for one in store.reviews(KV)] == [("good", "good"), ("again", "good")]
    assert store.overrule(KV, "hard", after, "hard") == store.memories(never)[KV] == fold(store)[KV]
    assert (store.reviews(KV)[1].grade, store.reviews(KV)[1].proposed) == ("hard", "hard")
    assert store.overrule(SLIP, "easy", after) is None
    assert [one.grade for one in store.reviews(CARD)] == ["good"]


def test_a_slip_that_was_settled_brings_its_review(store: Progress) -> None:
    slip = review(SLIP, "again", 1, source="slip")
    store.record(attempt(slips=("gib-for-gb", "kv-p-one")), reviews=[review(grade="again")], after=after)
    assert store.settle(KV, "another", [slip], after) == {}
    assert store.reviews(SLIP) == [] and store.slips() == []
    made = store.settle(KV, "gib-for-gb", [slip], after)
    assert made == {SLIP: fold(store)[SLIP]}
    assert store.reviews(SLIP)[0].attempt == store.export()["attempts"][0]["uid"]
    assert [(one.slip, one.times, one.part) for one in store.slips()] == [("gib-for-gb", 1, KV)]


def test_slips_of_a_reverse_item_stand_at_its_review(store: Progress) -> None:
    store.record(attempt(slips=("gib-for-gb",)))
    store.review([review(FIND, "again", 1, slips=("gib-for-gb", "kv-p-one"), variant=3, day=date(2026, 1, 9))], after)
    assert [one.times for one in store.slips()] == [1]
    assert store.settle_review(FIND, "nothing", [review(SLIP)], after) == {}
    store.settle_review(FIND, "gib-for-gb", [review(SLIP, "again", 2, source="slip")], after)
    assert [(one.slip, one.times, one.part) for one in store.slips()] == [("gib-for-gb", 2, "core/L2.1@3/kv")]
    assert store.slip_places("gib-for-gb") == [KV, "core/L2.1@3/kv"]
    assert store.slip_days() == {"gib-for-gb": (date(2026, 1, 2), date(2026, 1, 9))}
    assert set(store.memories(never)) == {FIND, SLIP}


def test_what_was_reviewed_is_listed(store: Progress) -> None:
    days = [date(2026, 1, 2), date(2026, 1, 2), date(2026, 1, 2), date(2026, 1, 3)]
    grades, right = ("good", "good", "again", "easy"), (True, None, False, True)
    given = [review(KV, grade, number, day=day, right=ok)
             for number, (grade, day, ok) in enumerate(zip(grades, days, right, strict=True))]  # fmt: skip
    store.review([*given, review(CARD, minute=9, day=date(2026, 1, 1))], after)
    assert store.recent(2) == [given[3], given[2]]
    assert store.reviews(KV) == given
    assert store.reviews(since=date(2026, 1, 3)) == store.reviews(KV, date(2026, 1, 3)) == given[3:]


def test_what_was_known_when_a_quiz_asked_again_on_a_later_day(store: Progress) -> None:
    told = [
        (1, KV, "quiz", "good"), (1, CARD, "study", "good"), (1, FIND, "quiz", "good"),
        (2, KV, "quiz", "again"), (2, KV, "quiz", "good"),  # asked twice: the first counts
        (2, CARD, "study", "good"), (2, CARD, "quiz", "good"),  # seen that day: no recall
        (3, CARD, "test", "hard"), (3, FIND, "slip", "again"), (4, FIND, "quiz", "good"),
    ]  # fmt: skip
    for minute, (day, item, source, grade) in enumerate(told):
        store.review([review(item, grade, minute, day=date(2026, 1, day), source=source)], after)
    assert store.retained(date(2026, 1, 1)) == (2, 3)
    assert store.retained(date(2026, 1, 3)) == (2, 2)
    assert store.retained(date(2026, 1, 5)) == (0, 0)


def test_a_store_takes_over_another_whatever_its_clock_said(store: Progress, path: Path) -> None:
    filled(store)
    kept = memory_progress(path)
    ahead = 60 * 24 * 365 * 30
    kept.review([review(CARD, "again", ahead), review(CARD, "hard", 30), review(CARD, "good", 31)], after)
    assert kept.memories(never)[CARD].when == START + timedelta(minutes=31)
    assert store.take_over(kept) == 3
    assert store.import_(kept.export()) == 0
    assert store.export() == kept.export()
    assert store.memories(after) == kept.memories(never)


def test_the_version_changes_with_every_write_and_with_nothing_else(store: Progress, path: Path) -> None:
    seen = [store.version()]
    assert store.version() == seen[0]
    store.memories(never)
    store.reviews()
    assert store.version() == seen[0]
    store.review([review()], after)
    seen.append(store.version())
    with closing(open_progress(path)) as other:
        seen.append(other.version())
        other.overrule(KV, "hard", after)
    seen.append(store.version())
    assert store.version() == seen[-1]
    assert len(set(seen)) == 4


# --- forgetting, exporting, merging -----------------------------------------------------------------------------------


def filled(store: Progress) -> Progress:
    store.record(attempt(slips=("gib-for-gb",)), reviews=[review(grade="again"), review(SLIP, "again")], after=after)
    store.record(attempt(1, part="core/L3.1/blocks"), reviews=[review(SLIP, minute=1)], after=after)
    store.review([review(CARD, right=None), review(FIND, "hard", 3, slips=("kv-p-one", "b"))], after)
    store.overrule(CARD, "easy", after)
    return store


@pytest.mark.parametrize(
    ("prefix", "left", "removed"),
    [
        ("core/L2.1", {SLIP: 1, CARD: 1}, 2), ("core/L2.1/kv", {SLIP: 1, CARD: 1}, 2),
        ("core/L3", {KV: 1, SLIP: 1, CARD: 1, FIND: 1}, 1), ("core/card", {KV: 1, SLIP: 2, FIND: 1}, 1),
        ("core", {}, 4), ("", {}, 4), ("core/L2.1@1", {KV: 1, SLIP: 2, CARD: 1, FIND: 1}, 0),
    ],
)  # fmt: skip
def test_reset_takes_reviews_and_memories(store: Progress, prefix: str, left: dict[str, int], removed: int) -> None:
    filled(store)
    assert store.reset(prefix) == removed
    found = store.memories(after)
    assert {item: memory.reviews for item, memory in found.items()} == left
    assert found == fold(store) == store.memories(never)


def test_an_export_round_trips_exactly(store: Progress, tmp_path: Path) -> None:
    document = json.loads(json.dumps(filled(store).export()))
    assert document["version"] == 1 and "memory" not in document
    other = open_progress(tmp_path / "other.sqlite3")
    assert other.import_(document) == 4, "two attempts, and two reviews without one"
    assert other.export() == document
    assert other.reviews() == store.reviews()
    assert other.memories(after) == store.memories(never)
    assert other.import_(document) == 0
    assert other.memories(never) == store.memories(never)


def test_an_export_from_before_there_were_reviews_is_taken(store: Progress, tmp_path: Path) -> None:
    document = filled(store).export()
    del document["reviews"]
    other = open_progress(tmp_path / "other.sqlite3")
    assert other.import_(document) == 2
    assert other.reviews() == []


def test_of_two_changes_of_a_review_the_later_counts_wherever_it_is_merged(store: Progress, tmp_path: Path) -> None:
    store.review([review(), review(FIND, slips=("a", "b")), review(CARD)], after)
    other = open_progress(tmp_path / "other.sqlite3")
    other.import_(store.export())
    other.memories(after)
    store.overrule(KV, "again", after)
    other.overrule(KV, "hard", after)
    store.overrule(CARD, "easy", after)
    other.settle_review(FIND, "b")
    one, two = store.export(), other.export()
    assert (store.import_(two), other.import_(one)) == (0, 0)
    assert store.export() == other.export()
    assert [one.grade for one in store.reviews(KV) + store.reviews(CARD)] == ["hard", "easy"]  # type: ignore[operator]
    assert store.reviews(FIND)[0].slips == ("b",)
    assert store.memories(after) == other.memories(after) == fold(store)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("uid", "x"), ("at", "2026-01-02"), ("day", "2026-1-2"), ("day", "9026-01-02"), ("day", 3), ("day", "20260102"),
        ("item", "../../etc"), ("item", "core"), ("item", "core/a/b/c/d"), ("grade", "great"), ("proposed", None),
        ("source", "guess"), ("answer", "\ud800"), ("right", 1), ("right", "yes"), ("seconds", float("inf")),
        ("seconds", -1), ("hints", -1), ("hints", True), ("variant", 10**6), ("slips", "a"), ("slips", ["\x1b"]),
        ("turn", None), ("turn", "soon"), ("turn", 10**18), ("turn", True), ("attempt", None), ("attempt", "x"),
        ("changed", ""),         ("changed", "soon"), ("changed", 0),
    ],
)  # fmt: skip
def test_a_review_that_is_none_changes_nothing(store: Progress, name: str, value: object) -> None:
    before = filled(store).export()
    document = json.loads(json.dumps(before))
    document["reviews"][1] |= {"uid": "0" * 16, name: value}
    with pytest.raises(ImportProblem) as caught:
        store.import_(document)
    assert caught.value.where == f"reviews[1].{name}"
    assert store.export() == before
    assert store.memories(never) == fold(store)


# --- files ------------------------------------------------------------------------------------------------------------


def test_memory_of_this_run_keeps_reviews_and_gives_them_back(store: Progress, path: Path) -> None:
    filled(store)
    kept = memory_progress(path)
    kept.review([review(minute=30)], after)
    kept.overrule(SLIP, "hard", after)
    assert kept.memories(never) == fold(kept)
    store.import_(kept.export())
    assert store.export() == kept.export()
    assert store.memories(after) == kept.memories(never)


def spoil(path: Path, page: int) -> None:
    """Overwrite a page of a closed file; the first is 1."""
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 4096)


@pytest.mark.parametrize("table", ["reviews", "attempts", "memory", "reviews_item", ""])
def test_memory_takes_what_can_be_read_of_broken_pages(store: Progress, path: Path, table: str) -> None:
    for number in range(60):
        given = attempt(number)._replace(answer=f"attempt {number:03d} " + "x" * 500)
        store.record(given, reviews=[review(minute=number, answer=f"review {number:03d} " + "x" * 500)], after=after)
    root = store._connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    assert store._connection.execute("PRAGMA page_size").fetchone()[0] == 4096
    store.close()
    # without a table: a page in the midst of the reviews
    spoil(path, root[0] if root else path.read_bytes().index(b"review 030") // 4096 + 1)
    kept = memory_progress(path)
    assert not kept.complete
    assert kept._connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    assert len(kept.attempts(KV)) == (0 if table == "attempts" else 60)
    some = len(kept.reviews(KV))
    assert 40 < some < 60 if not table else some == (0 if table == "reviews" else 60)
    assert kept.memories(after) == fold(kept)
    kept.record(attempt(99), reviews=[review(minute=99)], after=after)
    assert kept.memories(never) == fold(kept) and len(kept.reviews(KV)) == some + 1


def test_a_row_of_memory_that_is_none_is_made_anew(store: Progress) -> None:
    filled(store)
    store._connection.execute("UPDATE memory SET stability = 'x', day = 'y' WHERE item = ?", (KV,))
    store._connection.execute("UPDATE memory SET again_at = 'z' WHERE item = ?", (SLIP,))
    assert store.memories(after) == fold(store) == store.memories(never)


def test_rows_of_reviews_that_are_none_break_nothing(store: Progress) -> None:
    filled(store)
    for item, change in ((KV, "day = 'x'"), (SLIP, "grade = 'great', slips = '{'"), (CARD, "at = 3, turn = 'x'")):
        store._connection.execute(f"UPDATE reviews SET {change} WHERE item = ?", (item,))
    store._connection.execute("UPDATE memory SET stale = 1")
    assert [one.item for one in store.reviews()] == [one.item for one in store.recent(9)] == [FIND]
    assert set(store.memories(after)) == set(store.memories(never)) == {FIND}
    assert store.slips() and store.slip_days() and store.export() and store.retained(date(2026, 1, 1))
    store.review([review(minute=60), review(CARD, minute=60)], after)
    assert store.memories(never)[KV].reviews == store.memories(never)[CARD].reviews == 1


def test_a_file_that_was_deleted_gets_reviews_again(store: Progress, path: Path) -> None:
    filled(store)
    for file in path.parent.iterdir():
        file.unlink()
    store.review([review(minute=30)], after)
    with closing(open_progress(path)) as other:
        assert other.export() == store.export()
        assert other.memories(after) == fold(store)


def test_a_full_disk_keeps_reviews_and_memories_together(store: Progress, path: Path) -> None:
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages + 3}")
    with pytest.raises(ProgressProblem) as caught:
        for minute in range(500):
            store.record(attempt(minute), reviews=[review(minute=minute, answer="x" * 5000)], after=after)
    assert caught.value.kind == "full"
    assert len(store.attempts(KV)) == len(store.reviews(KV)) > 0
    assert store.memories(never) == fold(store)
    store.close()
    with closing(open_progress(path)) as again:
        assert again.memories(never) == fold(again)


def test_stale_memories_are_known_where_they_cannot_be_written(store: Progress) -> None:
    store.record(attempt(), reviews=[review()])
    store._connection.execute("PRAGMA query_only = 1")
    assert store.memories(after) == fold(store)
    store._connection.execute("PRAGMA query_only = 0")
    with pytest.raises(AssertionError):
        store.memories(never)


def plans(store: Progress, call: Callable[[], object]) -> list[str]:
    """How SQLite finds the rows of the statements that a call makes."""
    asked: list[str] = []
    store._connection.set_trace_callback(asked.append)
    call()
    store._connection.set_trace_callback(None)
    selects = [one for one in asked if one.startswith("SELECT")]
    found = (store._connection.execute(f"EXPLAIN QUERY PLAN {one}").fetchall() for one in selects)
    return [row["detail"] for rows in found for row in rows]


def test_an_answer_and_a_list_are_found_by_indexes(store: Progress) -> None:
    filled(store)
    calls: list[Callable[[], object]] = [
        lambda: store.review([review(minute=60)], after),
        lambda: store.overrule(KV, "hard", after),
        lambda: store.reviews(KV),
        lambda: store.recent(5),
        store.slips,
        store.slip_days,
    ]
    for call in calls:
        told = plans(store, call)
        assert told
        assert [one for one in told if one.startswith("SCAN reviews") and "INDEX" not in one] == [], told


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from tests.tutor.test_progress_reviews import after
from tutor.progress import Attempt, Review, open_progress
store = open_progress(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[2])):
    when = datetime.now(UTC)
    attempt = Attempt("core/L2.1/kv", f"{number}", "incorrect", (), 0, 0.0, 0, when)
    grade = ("again", "hard", "good", "easy")[number % 4]
    reviews = [Review(item, when, when.date(), grade, grade, "quiz") for item in ("core/L2.1/kv", "core/slip/x")]
    store.record(attempt, False, reviews, after)
    if number % 10 == 5:
        store.overrule("core/L2.1/kv", "easy", after)
"""


def test_two_processes_answer_the_same_item_at_once(path: Path) -> None:
    open_progress(path).close()
    command = [sys.executable, "-c", WRITER, str(path), "40"]
    both = [subprocess.Popen(command, stdin=-1, stdout=-1, text=True) for _ in range(2)]
    for one in both:
        assert one.stdout is not None and one.stdout.readline() == "ready\n"
    for one in both:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    for one in both:
        one.communicate(timeout=60)
    assert [one.returncode for one in both] == [0, 0]
    with closing(open_progress(path)) as store:
        assert len(store.attempts(KV)) == 80 and len(store.reviews(KV)) == 80
        assert store.memories(never) == fold(store)
        assert store._connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


# --- an older file ----------------------------------------------------------------------------------------------------


def test_a_file_of_version_3_gets_reviews_and_a_copy_stays(path: Path) -> None:
    from tests.tutor.test_progress_migration import AT, old_file, rows
    from tutor.progress import backup, schema

    old_file(path, 2)
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(schema.MIGRATIONS[2])
        raw.execute("INSERT INTO unexplained VALUES (?, 0, '5 GB', ?, '5000000000', '00112233aabbccdd', 2)", (KV, AT))
        raw.execute("PRAGMA user_version = 3")
        raw.commit()
    before = {table: rows(path, table) for table in ("attempts", "marks", "place", "drafts", "unexplained")}
    with closing(open_progress(path)) as store:
        assert {table: rows(path, table) for table in before} == before
        assert (store.reviews(), store.memories(never)) == ([], {})
        store.record(attempt(), reviews=[review()], after=after)
        assert store.memories(never) == fold(store)
    copy = backup.place_of(path, schema.VERSION)
    assert copy.name == "progress.before-v4.sqlite3"
    assert {table: rows(copy, table) for table in before} == before
    with closing(sqlite3.connect(copy)) as raw:
        assert schema.version(raw) == 3
