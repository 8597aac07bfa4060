"""A damaged file at the start: it is set aside as it is, and what can be read of it goes on in a new one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from content.words import say
from tests.tutor.test_progress_full import KV
from tutor import cli, paths
from tutor.language import LANGS
from tutor.progress import Attempt, Place, Review, memory_progress, open_or_memory, open_progress, schema
from tutor.revision.memory import after

START = datetime(2026, 1, 2, tzinfo=UTC)
ANSWERS = 300


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    with closing(open_progress(paths.database())) as store:
        for number in range(ANSWERS):
            when = START + timedelta(minutes=number)
            graded = Review(KV, when, when.date(), "good", "good", "quiz")
            store.record(
                Attempt(KV, f"{number} " + "x" * 200, "incorrect", (), 0, 1.0, 0, when), False, [graded], after
            )
        store.mark(KV, "hint", 2)
        store.keep(Place("exercise", "core/L2.1", part=KV, draft="1.0"))
    return paths.database()


def middle_page(path: Path) -> None:
    """Break one page of answers, with others before and behind it."""
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    start = data.index(b"150 xxx") // size * size
    data[start : start + size] = b"\xff" * size
    path.write_bytes(data)


def change(statement: str) -> Callable[[Path], None]:
    def made(path: Path) -> None:
        with closing(sqlite3.connect(path)) as raw:
            raw.executescript(statement)

    return made


DAMAGES: dict[str, tuple[Callable[[Path], None], int]] = {
    "a page of answers": (middle_page, ANSWERS - 40),
    "a table gone": (change("DROP TABLE marks"), ANSWERS),
    "a column gone": (change("ALTER TABLE attempts DROP COLUMN reasons"), ANSWERS),
    "a column more": (change("ALTER TABLE marks ADD COLUMN more TEXT NOT NULL DEFAULT ''"), ANSWERS),
    "no version": (change("PRAGMA user_version = 0"), ANSWERS),
    "another version": (change("PRAGMA user_version = 1"), ANSWERS),
    "another program's": (change("PRAGMA application_id = 7"), ANSWERS),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_can_be_read_goes_on(path: Path, damage: str) -> None:
    breaks, least = DAMAGES[damage]
    breaks(path)
    before = path.read_bytes()
    opened = open_or_memory(path)
    problem = opened.problem
    assert problem is not None and problem.aside is not None and problem.said == "damaged_saved"
    assert problem.aside.read_bytes() == before
    assert opened.progress.persistent
    found = opened.progress.attempts(KV)
    assert least <= len(found) <= ANSWERS and problem.saved >= len(found)
    assert {int(one.answer.split()[0]) for one in found} >= {0, ANSWERS - 1}, "before it and behind it"
    assert opened.progress.drafts() == {KV: "1.0"} and opened.progress.place() is not None
    assert opened.progress.memories(after)[KV].reviews == ANSWERS
    opened.progress.close()
    again = open_or_memory(path)
    assert again.problem is None and len(again.progress.attempts(KV)) == len(found)
    again.progress.close()


@pytest.mark.parametrize("damage", DAMAGES)
def test_where_it_cannot_be_set_aside_memory_has_it(path: Path, damage: str) -> None:
    breaks, least = DAMAGES[damage]
    breaks(path)
    before = path.read_bytes()
    with closing(memory_progress(path)) as kept:
        assert len(kept.attempts(KV)) >= least
    assert path.read_bytes() == before


@pytest.mark.parametrize("lang", LANGS)
def test_a_command_says_how_much_came_over(path: Path, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    middle_page(path)
    assert cli.run(["progress", "export", "-", "--lang", lang]) == 2
    said = capsys.readouterr().err
    (aside,) = path.parent.glob("progress.damaged-*")
    with closing(open_progress(path)) as store:
        document = store.export()
    count = len(document["attempts"]) + sum(row["attempt"] == "" for row in document["reviews"])
    words = say("cli.progress.refused.damaged_saved", lang, path=path, aside=aside, n=count)  # type: ignore[arg-type]
    assert said == f"llm-tutor: {words}\n"
    assert cli.run(["progress", "export", "-"]) == 0


def test_a_newer_file_is_none_of_it(path: Path) -> None:
    change(f"DROP TABLE marks; PRAGMA user_version = {schema.VERSION + 1}")(path)
    opened = open_or_memory(path)
    assert opened.problem is not None and opened.problem.kind == "newer"
    assert opened.progress.states() == {}
