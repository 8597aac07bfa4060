"""The store with variants: each keeps its own marks and drafts, together they say where a part stands."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from tutor.progress import (
    Attempt,
    ImportProblem,
    PartState,
    Place,
    Progress,
    memory_progress,
    open_progress,
    unexplained,
)

EXERCISE, KV = "core/L2.1", "core/L2.1/kv"
KV2, KV3 = "core/L2.1@2/kv", "core/L2.1@3/kv"
BATCH = "core/L2.2/batch"
START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def attempt(part: str, verdict: str = "incorrect", minute: int = 0, slips: tuple[str, ...] = ()) -> Attempt:
    variant = int(part.partition("@")[2].partition("/")[0] or 0)
    answer, value = f"{minute} GB", Fraction(minute * 10**9)
    when = START + timedelta(minutes=minute)
    return Attempt(part, answer, verdict, slips, 0, 1.25, variant, when, value)  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "progress.sqlite3"


@pytest.fixture
def store(path: Path) -> Progress:
    return open_progress(path)


def filled(store: Progress) -> Progress:
    """Something of everything in three variants."""
    store.record(attempt(KV, minute=1, slips=("kv-p-one", "kv-drop-two")), unexplained_too=True)
    store.record(attempt(KV2, minute=2), unexplained_too=True)
    store.record(attempt(KV2, "correct", minute=3))
    store.mark(KV, "shown")
    store.mark(KV3, "hint", 2)
    store.keep(Place("exercise", "core/L2.1@3", part=KV3, draft="1.0"))
    store.record(attempt("core/L4.1/kv", minute=4))
    return store


def test_an_attempt_comes_back_under_its_address(store: Progress) -> None:
    given = [attempt(KV), attempt(KV3, minute=1)]
    for one in given:
        store.record(one)
    assert store.attempts(KV) == given[:1]
    assert store.attempts(KV3) == given[1:]
    assert store.attempts(KV2) == []
    assert (given[1].variant, store.newest(KV)) == (3, given[1])
    row = store._connection.execute("SELECT part, variant FROM attempts ORDER BY id").fetchall()
    assert [tuple(one) for one in row] == [(KV, 0), (KV, 3)]


def test_states_are_of_one_variant(store: Progress) -> None:
    filled(store)
    assert {part: state.status for part, state in store.states("core").items()} == {
        KV: "shown",
        "core/L4.1/kv": "tried",
    }
    assert set(store.states("")) == set(store.states("core"))
    assert {part: state.status for part, state in store.states("core/L2.1@2").items()} == {KV2: "solved"}
    assert store.states(KV3) == {KV3: PartState(hints=2)}
    assert store.state("core/L2.1@9/kv") == PartState()


def test_overall_takes_the_best_of_all_variants(store: Progress) -> None:
    filled(store)
    whole = store.overall("core/L2.1")
    assert list(whole) == [KV]
    assert (whole[KV].status, whole[KV].attempts, whole[KV].last_answer, whole[KV].hints) == ("solved", 3, "3 GB", 2)
    assert store.overall("core/L2.1@2") == whole, "plain ids in, plain ids out"
    assert store.overall("")["core/L4.1/kv"].status == "tried"


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    ("marks", "status"),
    [
        (("skipped", "hint"), "skipped"),
        (("skipped", "incorrect"), "tried"),
        (("incorrect", "shown"), "shown"),
        (("shown", "correct"), "solved"),
        (("skipped", "shown"), "shown"),
        (("skipped", "correct"), "solved"),
    ],
)
def test_which_of_two_variants_counts(store: Progress, marks: tuple[str, str], status: str, order: int) -> None:
    for part, kind in zip((KV2, KV3)[::order], marks, strict=True):
        if kind in ("correct", "incorrect"):
            store.record(attempt(part, kind))
        else:
            store.mark(part, kind, 1 if kind == "hint" else 0)  # type: ignore[arg-type]
    assert store.overall("core")[KV].status == status


def test_hints_and_solutions_of_one_variant_are_not_another_s(store: Progress) -> None:
    store.hint(KV2, 2)
    store.mark(KV2, "shown")
    assert store.state(KV) == PartState()
    store.hint(KV, 1)
    assert (store.state(KV).hints, store.state(KV2).hints) == (1, 2)


def test_the_variants_that_were_touched(store: Progress) -> None:
    assert store.variants(EXERCISE) == set()
    store.record(attempt("core/L2.1@4/kv"))
    store.record(attempt("core/L2.10@99/kv"))
    assert store.variants(EXERCISE) == {4}
    store.mark("core/L2.1@5/kv", "skipped")
    assert store.variants("core/L2.1@1") == {4, 5}
    store.keep(Place("exercise", "core/L2.1@7", part="core/L2.1@7/kv", draft="1"))
    store.set_place(Place("home"))
    assert store.variants(EXERCISE) == {4, 5, 7}, "a draft"
    store.set_place(Place("exercise", "core/L2.1@8"))
    assert store.variants(EXERCISE) == {4, 5, 7, 8}, "the place"
    assert store.variants("core/L2.2") == set()


def test_the_place_and_the_drafts_keep_their_variant(store: Progress, path: Path) -> None:
    store.keep(Place("exercise", EXERCISE, part=KV, draft="0"))
    place = Place("exercise", "core/L2.1@3", part=KV3, draft="3")
    store.keep(place)
    store.close()
    store = open_progress(path)
    assert store.place() == place
    assert store.drafts(EXERCISE) == {KV: "0"}
    assert store.drafts("core/L2.1@3") == {KV3: "3"}
    store.record(attempt(KV3))
    assert (store.drafts(EXERCISE), store.drafts("core/L2.1@3")) == ({KV: "0"}, {})
    store.keep(Place("exercise", "core/L2.1@3", part=KV3))
    store.keep(Place("exercise", EXERCISE, part=KV))
    assert store.drafts() == {}


def test_reasons_go_to_the_attempt_of_the_variant(store: Progress) -> None:
    store.record(attempt(KV))
    store.record(attempt(KV3, minute=1))
    store.reason(KV, "above")
    assert (store.state(KV).reasons, store.state(KV3).reasons) == (("above",), ())


def test_values_are_the_last_ones_of_all_variants(store: Progress) -> None:
    store.record(attempt(KV, minute=1))
    store.record(attempt(KV, minute=2))
    store.record(attempt(KV3, "correct", minute=3))
    store.record(attempt(KV3, minute=4))
    store.record(attempt(BATCH, minute=5)._replace(value=None))
    store.record(attempt("other/L1.1/a", minute=6))
    gb = 10**9
    assert store.values("core") == {KV: 2 * gb, KV3: 3 * gb}, "what solved a part stays its value"
    assert store.values("core/L2.1@3") == {KV3: 3 * gb}


@pytest.mark.parametrize(
    ("prefix", "left"),
    [
        ("", []),
        ("core/L2", ["core/L4.1/kv"]),
        (EXERCISE, ["core/L4.1/kv"]),
        (KV, ["core/L4.1/kv"]),
        ("core/L2.1@2", [KV, KV3, "core/L4.1/kv"]),
        (KV3, [KV, KV2, "core/L4.1/kv"]),
    ],
)
def test_reset_of_an_id_is_of_all_variants_of_an_address_of_one(store: Progress, prefix: str, left: list[str]) -> None:
    filled(store)
    store.reset(prefix)
    names = (KV, KV2, KV3, "core/L4.1/kv")
    assert [name for name in names if store.state(name) != PartState()] == left
    assert [one.part for one in store.unexplained()] == [name for name in (KV2, KV) if name in left]
    assert store.drafts("core/L2.1@3") == ({KV3: "1.0"} if KV3 in left else {})
    place = store.place()
    assert (place.draft if place else None) == (None if not prefix else "1.0" if KV3 in left else "")


# --- slips ------------------------------------------------------------------------------------------------------------


def test_a_settled_slip_counts(store: Progress) -> None:
    store.record(attempt(KV, minute=0, slips=("kv-p-one", "kv-drop-two")))
    store.record(attempt(KV, minute=1, slips=("kv-p-one", "kv-drop-two")))
    store.record(attempt(KV3, minute=2, slips=("kv-p-one", "kv-drop-two")))
    assert store.slips() == []
    store.settle(KV, "kv-drop-two")
    assert [one.slips for one in store.attempts(KV)] == [("kv-p-one", "kv-drop-two"), ("kv-drop-two",)]
    assert store.attempts(KV3)[0].slips == ("kv-p-one", "kv-drop-two")
    assert [(one.slip, one.part) for one in store.slips()] == [("kv-drop-two", KV)]
    store.settle(KV3, "nothing of the kind")
    store.settle(BATCH, "kv-drop-two")
    assert len(store.slips()) == 1


def test_where_a_slip_was_named_alone(store: Progress) -> None:
    store.record(attempt(KV3, minute=0, slips=("gib-for-gb",)))
    store.record(attempt(BATCH, minute=1, slips=("gib-for-gb", "kv-p-one")))
    store.record(attempt("core/L4.1/kv", minute=2, slips=("gib-for-gb",)))
    store.record(attempt(KV3, minute=3, slips=("gib-for-gb",)))
    assert store.slip_places("gib-for-gb") == [KV3, "core/L4.1/kv"]
    assert store.slip_places("kv-p-one") == []
    (slip,) = store.slips()
    assert (slip.times, slip.part) == (3, KV3)


# --- answers that nothing explains ------------------------------------------------------------------------------------


def test_the_same_unexplained_answer_is_kept_once(store: Progress) -> None:
    for minute, part in enumerate((KV, KV, KV3)):
        store.record(attempt(part, minute=minute)._replace(answer="5 GB", value=Fraction(5)), unexplained_too=True)
    store.record(attempt(KV, minute=7), unexplained_too=False)
    assert [tuple(one) for one in store.unexplained()] == [
        (KV3, "5 GB", 5, 1, START + timedelta(minutes=2)),
        (KV, "5 GB", 5, 2, START + timedelta(minutes=1)),
    ]
    assert len(store.unexplained("core/L2.1@3")) == 1
    assert store.unexplained("core/L2.2") == []


def test_only_the_newest_unexplained_answers_stay(store: Progress, monkeypatch: pytest.MonkeyPatch) -> None:
    assert unexplained.MOST == 1000
    monkeypatch.setattr(unexplained, "MOST", 3)
    for minute in range(6):
        store.record(attempt(KV, minute=minute), unexplained_too=True)
    assert [one.answer for one in store.unexplained()] == ["5 GB", "4 GB", "3 GB"]
    assert len(store.attempts(KV)) == 6


def test_a_refused_write_leaves_neither_attempt_nor_answer(store: Progress) -> None:
    store._connection.execute(
        "CREATE TEMP TRIGGER refuse BEFORE INSERT ON unexplained BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    with pytest.raises(Exception):  # noqa: B017  # whichever: what counts is that nothing is half done
        store.record(attempt(KV), unexplained_too=True)
    assert (store.attempts(KV), list(store.unexplained())) == ([], [])


# --- export and import ------------------------------------------------------------------------------------------------


def test_an_export_of_variants_round_trips_exactly(store: Progress, tmp_path: Path) -> None:
    document = filled(store).export()
    text = json.dumps(document)
    assert "@" not in text, "addresses are for the program"
    assert {row["variant"] for row in document["marks"]} == {0, 3}
    assert [row["variant"] for row in document["drafts"]] == [3]
    assert document["place"]["variant"] == 3
    assert len(document["unexplained"]) == 2
    other = open_progress(tmp_path / "other.sqlite3")
    assert other.import_(json.loads(text)) == 6
    assert other.import_(document) == 0
    assert other.export() == document
    assert other.place() == store.place()
    assert other.states("core/L2.1@2") == store.states("core/L2.1@2")


def test_an_export_from_before_there_were_variants_still_fits(store: Progress, tmp_path: Path) -> None:
    store.record(attempt(KV))
    store.mark(KV, "hint", 1)
    store.keep(Place("exercise", EXERCISE, part=KV, draft="1"))
    document = json.loads(json.dumps(store.export()))
    del document["unexplained"]
    for row in (*document["marks"], *document["drafts"], document["place"]):
        del row["variant"]
    other = open_progress(tmp_path / "other.sqlite3")
    other.import_(document)
    assert other.export() == store.export()


def test_a_merge_takes_what_was_settled_since(store: Progress, tmp_path: Path) -> None:
    store.record(attempt(KV, slips=("kv-p-one", "kv-drop-two")))
    other = open_progress(tmp_path / "other.sqlite3")
    other.import_(store.export())
    store.settle(KV, "kv-drop-two")
    assert other.import_(store.export()) == 0
    assert other.attempts(KV)[0].slips == ("kv-drop-two",)
    foreign = json.loads(json.dumps(store.export()))
    foreign["attempts"][0]["slips"] = ["kv-p-one", "kv-drop-two"]
    other.import_(foreign)
    assert other.attempts(KV)[0].slips == ("kv-drop-two",), "and never goes back"


def test_merged_counts_do_not_grow_by_importing_twice(store: Progress, tmp_path: Path) -> None:
    for minute in range(3):
        store.record(attempt(KV, minute=minute)._replace(answer="5 GB"), unexplained_too=True)
    other = open_progress(tmp_path / "other.sqlite3")
    other.record(attempt(KV, minute=9)._replace(answer="5 GB"), unexplained_too=True)
    for _ in range(2):
        other.import_(store.export())
    (kept,) = other.unexplained()
    assert (kept.times, kept.when) == (3, START + timedelta(minutes=9))


def test_a_merge_keeps_the_bound(store: Progress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for minute in range(4):
        store.record(attempt(KV, minute=minute), unexplained_too=True)
    monkeypatch.setattr(unexplained, "MOST", 2)
    other = open_progress(tmp_path / "other.sqlite3")
    other.import_(store.export())
    assert [one.answer for one in other.unexplained()] == ["3 GB", "2 GB"]


def test_an_attempt_in_one_variant_clears_no_draft_of_another(store: Progress, tmp_path: Path) -> None:
    store.keep(Place("exercise", EXERCISE, part=KV, draft="mine"))
    other = open_progress(tmp_path / "other.sqlite3")
    other.record(attempt(KV3)._replace(when=datetime.now(UTC)))
    store.import_(other.export())
    assert store.drafts(EXERCISE) == {KV: "mine"}


@pytest.mark.parametrize(
    ("group", "key", "value"),
    [
        ("attempts", "variant", 10**6),
        ("attempts", "part", KV3),
        ("marks", "variant", -1),
        ("marks", "variant", True),
        ("drafts", "variant", "1"),
        ("unexplained", "times", 0),
        ("unexplained", "value", "x"),
        ("unexplained", "part", KV3),
        ("place", "id", "core/L2.1@3"),
        ("place", "part", KV3),
        ("place", "variant", None),
    ],
)
def test_rows_that_no_export_has_are_refused(store: Progress, group: str, key: str, value: object) -> None:
    before = filled(store).export()
    document = json.loads(json.dumps(before))
    row = document["place"] if group == "place" else document[group][0]
    row[key] = value
    with pytest.raises(ImportProblem) as caught:
        store.import_(document)
    assert caught.value.where == (f"place.{key}" if group == "place" else f"{group}[0].{key}")
    assert store.export() == before


def test_memory_holds_the_variants_too(store: Progress, path: Path) -> None:
    filled(store)
    assert memory_progress(path).export() == store.export()


def test_a_program_of_the_version_before_may_still_write(store: Progress, path: Path) -> None:
    raw = sqlite3.connect(path)
    at = "2026-01-02T03:04:05.000000+00:00"
    raw.execute("INSERT OR REPLACE INTO drafts (at, part, draft) VALUES (?, ?, 'old')", (at, KV))
    raw.execute("INSERT OR IGNORE INTO marks (uid, at, part, kind, n) VALUES ('0011', ?, ?, 'hint', 1)", (at, KV))
    raw.execute(
        "INSERT OR REPLACE INTO place (one, at, screen, id, section, part, draft)"
        " VALUES (1, ?, 'exercise', ?, '', ?, 'old')",
        (at, EXERCISE, KV),
    )
    raw.commit()
    raw.close()
    assert store.drafts(EXERCISE) == {KV: "old"}
    assert store.state(KV).hints == 1
    assert store.place() == Place("exercise", EXERCISE, part=KV, draft="old")
