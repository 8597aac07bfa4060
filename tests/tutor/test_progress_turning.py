"""However many attempts there are, a few decide where a part stands: they say the same as all of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from content import address
from tutor.progress import Attempt, PartState, Progress, open_progress, schema
from tutor.progress.exchange import listed
from tutor.progress.reach import exactly, wholly
from tutor.progress.states import Event, fold

PARTS = ("core/L2.1/kv", "core/L2.1@3/kv", "core/L2.2/batch")
START = datetime(2026, 1, 2, tzinfo=UTC)
KINDS = ("correct", "incorrect", "hint", "shown", "skipped")
EVENTS = st.lists(st.tuples(st.sampled_from(PARTS), st.sampled_from(KINDS), st.integers(0, 5)), max_size=25)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Progress]:
    with closing(open_progress(tmp_path_factory.mktemp("turning") / "progress.sqlite3")) as made:
        yield made


def happened(store: Progress, events: list[tuple[str, str, int]]) -> None:
    """All of them, at few and therefore often equal times."""
    store.reset()
    for n, (part, kind, minute) in enumerate(events):
        when = START + timedelta(minutes=minute)
        if kind in ("correct", "incorrect"):
            one = Attempt(part, f"{n}", kind, (), 0, 1.0, address.split(part)[1], when, Fraction(n), (), (f"r{n}",))  # type: ignore[arg-type]
            store.record(one)
        else:
            store.mark(part, kind, n)  # type: ignore[arg-type]
            at = when.isoformat(timespec="microseconds")
            store._connection.execute("UPDATE marks SET at = ? WHERE id = (SELECT max(id) FROM marks)", (at,))


def from_all(store: Progress) -> dict[str, PartState]:
    """The states from every single event."""
    events = [
        Event(row["at"], address.join(row["part"], row["variant"]), row["verdict"], row["answer"], row["value"],
              reasons=listed(row["reasons"]))
        for row in store._rows("attempts", wholly(""))
    ]  # fmt: skip
    marks = store._rows("marks", wholly(""))
    events += [Event(row["at"], address.join(row["part"], row["variant"]), row["kind"], n=row["n"]) for row in marks]
    return fold(events)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=EVENTS)
def test_the_deciding_events_give_the_states_that_all_give(store: Progress, events: list[tuple[str, str, int]]) -> None:
    happened(store, events)
    wanted = from_all(store)
    found = {**store.states(), **store.states("core/L2.1@3")}
    assert found == wanted
    values = {part: state.value for part, state in wanted.items() if state.value is not None}
    assert set(store.values()) == set(values)
    for part, state in wanted.items():
        if state.status != "shown" and state.value is not None:
            assert store.values()[part] == state.value


@pytest.mark.parametrize("statement", [
    f"SELECT part, variant, count(*) FROM attempts WHERE {exactly('core/L2.1/kv').where} GROUP BY part, variant",
    f"SELECT id FROM marks WHERE {wholly('core/L2').where}",
    "SELECT part, variant FROM attempts WHERE slips = :low AND slips != '[]' GROUP BY part, variant",
])  # fmt: skip
def test_what_a_check_asks_for_is_found_by_an_index(store: Progress, statement: str) -> None:
    values = {"prefix": "", "low": "", "high": "", "variant": 0}
    plan = store._connection.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()
    assert not [row["detail"] for row in plan if row["detail"].startswith("SCAN")]


def test_a_file_without_the_indexes_gets_them_and_one_with_them_is_no_other_version(tmp_path: Path) -> None:
    path = tmp_path / "progress.sqlite3"
    store = open_progress(path)
    for name in ("attempts_turns", "attempts_slips", "marks_turns"):
        store._connection.execute(f"DROP INDEX {name}")
    store.record(Attempt("core/L2.1/kv", "1", "incorrect", (), 0, 1.0, 0, START))
    assert store.state("core/L2.1/kv").attempts == 1, "without them it is as right"
    store.close()
    open_progress(path).close()
    with closing(sqlite3.connect(path)) as raw:
        names = {row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'index'")}
        assert {"attempts_turns", "attempts_slips", "marks_turns"} <= names
        assert schema.version(raw) == schema.VERSION
