"""Whatever the store holds, its export imports, and gives the same export again."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, date, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.progress import Attempt, MemoryProgress, Place, Progress, Review, memory_progress, schema
from tutor.progress.exchange import COLUMNS
from tutor.revision.memory import after

KV, CARD = "core/L2.1/kv", "core/card/token"
NOWHERE = Path("/nowhere/progress.sqlite3")

moments = st.datetimes(datetime(1900, 1, 2), datetime(8999, 12, 30), timezones=st.just(UTC))
texts = st.text(max_size=20) | st.just("1\udcff") | st.just("\x00\u2028")
seconds = st.floats(0, 10**9) | st.integers(0, 10**9)
grades = st.sampled_from(["again", "hard", "good", "easy"])
parts = st.sampled_from([KV, "core/L2.1@3/kv", "core/L2.1@999999/kv", "core/L1.2/formula"])
values = st.none() | st.fractions() | st.integers(-(10**1200), 10**1200).map(Fraction)
words = st.lists(st.sampled_from(["gib-for-gb", "kv-p-one", "a"]), max_size=3).map(tuple)
verdicts = st.sampled_from(["correct", "incorrect"])
attempts = st.builds(
    Attempt, parts, texts, verdicts, words, st.integers(0, 9), seconds, st.just(0), moments, values, words
)
reviews = st.builds(
    Review, st.sampled_from([KV, CARD]), moments, st.dates(date(1900, 1, 2), date(8999, 12, 30)), grades, grades,
    st.sampled_from(["quiz", "test", "study", "slip"]), texts, st.none() | st.booleans(), seconds, st.integers(0, 9),
    st.integers(0, 999_999), words,
)  # fmt: skip
places = st.builds(Place, st.just("exercise"), st.just("core/L2.1"), st.just(""), parts, texts)
FOREIGN = (
    "9" * 5000, "1/0", "[1]", "{", "2026-13-01", "0001-01-01T00:00:00.000000+00:00", "good", "home", "x" * 200_000,
)  # fmt: skip
odd = st.one_of(
    st.binary(max_size=8), st.integers(-(2**63), 2**63 - 1), st.floats(), st.none(), st.sampled_from(FOREIGN)
)
broken = st.lists(st.tuples(st.sampled_from([(table, name) for table in COLUMNS for name in COLUMNS[table]]), odd))


def empty() -> MemoryProgress:
    return memory_progress(NOWHERE)


def fill(store: Progress, given: list[Any]) -> None:
    for one in given:
        if isinstance(one, Attempt):
            store.record(one, one.verdict == "incorrect", [], after)
            store.mark(one.part, "hint", one.hints_used)
        elif isinstance(one, Review):
            store.review([one], after)
        else:
            store.keep(one)


def comes_back(store: Progress) -> dict[str, Any]:
    document = json.loads(json.dumps(store.export()))
    with closing(empty()) as other:
        other.import_(document)
        assert json.loads(json.dumps(other.export())) == document
        other.memories(after)
        assert len(other.reviews()) == len(document["reviews"])
    return dict(document)


@settings(deadline=None, max_examples=60)
@given(st.lists(attempts | reviews | places, max_size=6))
def test_what_was_recorded_comes_back(given: list[Any]) -> None:
    with closing(empty()) as store:
        fill(store, given)
        document = comes_back(store)
    assert len(document["attempts"]) == sum(isinstance(one, Attempt) for one in given)
    assert len(document["reviews"]) == sum(isinstance(one, Review) for one in given)


@settings(deadline=None, max_examples=150)
@given(st.lists(attempts | reviews | places, min_size=1, max_size=4), broken)
def test_what_is_no_value_takes_nothing_else_along(given: list[Any], broken: list[tuple[tuple[str, str], Any]]) -> None:
    with closing(empty()) as store:
        fill(store, given)
        for (table, name), value in broken:
            with suppress(sqlite3.IntegrityError):
                store._connection.execute(f"UPDATE {table} SET {name} = ?", (value,))
        document = comes_back(store)
        touched = {table for (table, _), _ in broken}
        for table in ("attempts", "reviews", "marks"):
            if table not in touched and (table != "reviews" or "attempts" not in touched):
                rows = store._connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                assert len(document[table]) == rows


def test_a_review_whose_answer_is_not_in_the_file_is_taken(tmp_path: Path) -> None:
    with closing(empty()) as store, closing(empty()) as other:
        when = datetime(2026, 1, 2, tzinfo=UTC)
        graded = Review(KV, when, when.date(), "good", "good", "quiz")
        store.record(Attempt(KV, "1", "correct", (), 0, 1.0, 0, when), reviews=[graded])
        document = store.export()
        assert document["reviews"][0]["attempt"] == document["attempts"][0]["uid"]
        assert other.import_(document | {"attempts": []}) == 1
        assert [one.attempt for one in other.reviews(KV)] == [""]
        assert other.memories(after)[KV].reviews == 1
        assert other.reset(KV) == 1 and not other.reviews()


@pytest.mark.parametrize("number", ["1" + "0" * 400, "1e400", "-1", "NaN", "1" + "0" * 30])
@pytest.mark.parametrize("key", ["seconds", "hints", "variant", "turn"])
def test_a_number_out_of_all_bounds_is_refused(number: str, key: str) -> None:
    from tutor.progress import ImportProblem

    with closing(empty()) as store, closing(empty()) as other:
        when = datetime(2026, 1, 2, tzinfo=UTC)
        store.review([Review(CARD, when, when.date(), "good", "good", "quiz")], after)
        document = store.export()
        if (key, number) == ("turn", "-1"):
            return  # a moment before 1970
        document["reviews"][0][key] = json.loads(number)
        with pytest.raises(ImportProblem) as caught:
            other.import_(document)
        assert caught.value.where == f"reviews[0].{key}"


def test_every_column_is_told() -> None:
    """What a version adds to a table is to be exported, or is none of the learner's own."""
    with closing(empty()) as store:
        for table in COLUMNS:
            columns = {row[1] for row in store._connection.execute(f"PRAGMA table_info({table})")}
            assert columns - set(COLUMNS[table]) <= {"id", "one"}, schema.VERSION
