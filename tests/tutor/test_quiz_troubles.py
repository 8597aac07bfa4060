"""Trouble with the file while a quiz is answered: one sentence each, and nothing is lost in silence."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from content.words import say
from tutor import cli, ondisk, paths
from tutor.language import Lang
from tutor.progress import Attempt, Review, open_progress, schema
from tutor.revision.memory import after

KV = "core/L2.1/kv"
LINES = "1.25 GB\n1.25\nsolution\nnext\n" * 4
"""In most parts one of the two numbers can be read, and is wrong; whatever it is, the question then ends."""
Asked = Callable[..., str]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    for name, seconds in (("BUSY", 0.05), ("RETRY_BUSY", 0.02), ("RETRY", 0.0), ("PATIENCE", 0.05)):
        monkeypatch.setattr(ondisk, name, seconds)
    return paths.database()


def packed(text: str) -> str:
    """A text without its blanks: lines are wrapped, inside of paths too."""
    return "".join(text.split())


class Typing(io.StringIO):
    """Answers as a learner gives them, and something that happens to the file before the second one."""

    def __init__(self, happens: Callable[[], object] | None) -> None:
        super().__init__(LINES)
        self.happens, self.lines = happens, 0

    def readline(self, *size: Any) -> str:  # type: ignore[override]
        self.lines += 1
        if self.lines == 5 and self.happens is not None:
            self.happens()
        return super().readline(*size)


@pytest.fixture
def asked(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Asked:
    def run(happens: Callable[[], object] | None = None, lang: Lang = "en", *status: int) -> str:
        monkeypatch.setattr(sys, "stdin", Typing(happens))
        ended = cli.run(["quiz", "--plain", "--level", "4", "--count", "3", "--lang", lang])
        assert ended in (status or (0,))
        out = capsys.readouterr()
        return out.out + out.err

    return run


def held(path: Path, reviews: int = 30) -> Path:
    """A file with reviews of a part that the quiz does not ask."""
    with closing(open_progress(path)) as store:
        for _ in range(reviews):
            when = datetime.now(UTC)
            given = Review("core/L1.1/a", when, when.date(), "good", "good", "quiz", "x" * 500)
            store.record(Attempt("core/L1.1/a", "x" * 500, "correct", (), 0, 1.0, 0, when), False, [given], after)
    return path


def kept(path: Path) -> int:
    """How many answers to the quiz are in the file."""
    with closing(open_progress(path)) as store:
        assert dict(store.memories(after)) or not store.reviews()
        return sum(not review.answer.startswith("xx") for review in store.reviews())


def graded(said: str, lang: Lang = "en") -> int:
    """How many grades were shown: every answer here is wrong, or none at all."""
    return len(re.findall(rf"^{say('quiz.grade.again.name', lang)}: ", said, re.MULTILINE))


def told(said: str, sentence: str) -> int:
    """How often a sentence was said, however its lines were wrapped."""
    return packed(said).count(packed(sentence))


def sentence(kind: str, path: Path, lang: Lang = "en", aside: Path | None = None) -> str:
    return say(f"cli.progress.problem.{kind}", lang, path=path, aside=aside or "")


def saved(said: str, aside: Path, lang: Lang = "en") -> list[int]:
    """How many answers each sentence about a damaged file says that came over."""
    words = say("cli.progress.problem.damaged_saved", lang, aside=aside, n=987)
    pattern = re.escape(packed(words)).replace("987", "([0-9]+)")
    return [int(found) for found in re.findall(pattern, packed(said))]


def test_without_trouble_nothing_is_told(path: Path, asked: Asked) -> None:
    said = asked()
    assert not told(said, str(path))
    assert kept(path) == graded(said) >= 3


@pytest.mark.parametrize("lang", ["en", "hi-Latn"])
def test_a_newer_file(path: Path, asked: Asked, lang: Lang) -> None:
    with closing(sqlite3.connect(held(path))) as raw:
        raw.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    before = path.read_bytes()
    said = asked(lang=lang)
    assert told(said, sentence("newer", path, lang)) == 1
    assert graded(said, lang) >= 3 and say("cli.plain.bye_unkept", lang) in said
    assert path.read_bytes() == before


def test_a_home_that_cannot_be_written(path: Path, asked: Asked) -> None:
    path.parent.write_text("a file where the folder should be")
    said = asked()
    assert told(said, sentence("no_home", path)) == 1
    assert graded(said) >= 3 and say("cli.plain.bye_unkept", "en") in said


def test_a_home_that_cannot_be_written_any_more(path: Path, asked: Asked) -> None:
    def happens() -> None:
        for file in path.parent.iterdir():
            file.unlink()
        path.parent.rmdir()
        path.parent.write_text("in the way")

    said = asked(happens, "en", 2)
    assert told(said, sentence("no_home", path)) == told(said, sentence("unsaved", path)) == 1
    assert graded(said) >= 3
    path.parent.unlink()


def page_of(path: Path, table: str) -> tuple[int, int]:
    """Where the last page of a table stands in the file, and how long it is."""
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = raw.execute("PRAGMA page_size").fetchone()[0]
        root = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
        return (root - 1) * size, size


def spoil(path: Path, table: str) -> None:
    start, size = page_of(path, table)
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\xff" * size)


@pytest.mark.parametrize("table", ["reviews", "reviews_item", "memory"])
def test_a_page_that_is_broken_at_the_start(path: Path, asked: Asked, table: str) -> None:
    spoil(held(path), table)
    before = path.read_bytes()
    said = asked()
    (aside,) = path.parent.glob("progress.damaged-*.sqlite3")
    assert saved(said, aside) == [30]
    assert aside.read_bytes() == before
    with closing(open_progress(path)) as store:
        assert len(store.attempts("core/L1.1/a")) == 30
        assert len([one for one in store.reviews() if one.answer.startswith("x")]) == (0 if table == "reviews" else 30)
    assert kept(path) == graded(said) >= 3


def test_a_page_that_breaks_while_it_is_answered(path: Path, asked: Asked) -> None:
    """It is found by a write: the file is set aside, and what could be read of it goes into a new one."""
    held(path)
    said = asked(lambda: spoil(path, "memory"))
    (aside,) = path.parent.glob("progress.damaged-*.sqlite3")
    (count,) = saved(said, aside)
    assert 30 <= count <= 33
    with closing(open_progress(path)) as store:
        assert len(store.attempts("core/L1.1/a")) == 30
    assert kept(path) == graded(said) >= 3


def test_what_follows_from_the_rest_is_made_anew(path: Path, asked: Asked) -> None:
    """Before the start and in the middle: the file stays, and nobody need know."""
    for table in ("TABLE memory", "TABLE memory; CREATE VIEW memory AS SELECT * FROM marks"):

        def happens(table: str = table) -> None:
            with closing(sqlite3.connect(path)) as raw:
                raw.executescript(f"DROP {table}")

        held(path, 5)
        happens()
        before = kept(path)
        happens()
        said = asked(happens)
        assert not told(said, str(path.parent))
        assert kept(path) - before == graded(said) >= 3
        with closing(open_progress(path)) as store:
            assert store.memories(after).keys() == {one.item for one in store.reviews()}
        path.unlink()


@pytest.mark.parametrize("table", ["reviews", "attempts"])
def test_a_page_that_breaks_and_is_needed_to_go_on(path: Path, asked: Asked, table: str) -> None:
    """It is found by a read: the file is set aside as it was, and the quiz goes on with what can be read of it."""
    held(path)
    said = asked(lambda: spoil(path, table))
    (aside,) = path.parent.glob("progress.damaged-*.sqlite3")
    (count,) = saved(said, aside)
    assert 30 <= count <= 33
    assert graded(said) >= 3 and "Traceback" not in said
    with closing(sqlite3.connect(aside)) as raw:
        assert raw.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok", "as it was"
    with closing(open_progress(path)) as store:
        assert store.reviews()


def test_another_program_that_writes_for_long(path: Path, asked: Asked) -> None:
    others: list[sqlite3.Connection] = []

    def happens() -> None:
        others.append(sqlite3.connect(path, isolation_level=None))
        others[0].execute("BEGIN IMMEDIATE")

    said = asked(happens, "en", 2)
    others[0].execute("ROLLBACK")
    others[0].close()
    assert told(said, sentence("locked", path)) == 1
    assert told(said, sentence("unsaved", path)) == 1
    assert 0 < kept(path) < graded(said)


def test_another_program_that_writes_for_a_while(path: Path, asked: Asked) -> None:
    other = sqlite3.connect(held(path), isolation_level=None)
    before = kept(path)
    other.execute("BEGIN IMMEDIATE")
    said = asked(lambda: other.execute("ROLLBACK"))
    other.close()
    assert told(said, sentence("locked", path)) == 1 and not told(said, sentence("unsaved", path))
    assert kept(path) - before == graded(said) >= 3


def test_two_quizzes_at_once(path: Path, asked: Asked) -> None:
    """The second one begins and ends between two answers of the first."""
    said: list[str] = []
    inner = [sys.executable, "-m", "tutor", "quiz", "--plain", "--level", "2", "--count", "3", "--lang", "en"]

    def happens() -> None:
        ended = subprocess.run(inner, input=LINES, capture_output=True, text=True, timeout=60, check=True)
        said.append(ended.stdout)

    said.append(asked(happens))
    assert not any(told(one, str(path)) for one in said)
    assert kept(path) == sum(map(graded, said)) >= 6


@pytest.mark.skipif(sys.platform == "win32", reason="no such limits there")
@pytest.mark.parametrize("lang", ["en", "hi-Latn"])
def test_a_full_disk(path: Path, lang: Lang) -> None:
    """Files that cannot grow are a full disk to SQLite."""
    held(path)
    before = path.read_bytes()
    ended = subprocess.run(
        [sys.executable, "-c", LIMITED, str(len(before)), lang],
        input=LINES, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    said = ended.stdout + ended.stderr
    assert ended.returncode == 2 and "Traceback" not in said
    assert told(said, sentence("full", path, lang)) >= 1, "again where room came and went"
    assert told(said, sentence("unsaved", path, lang)) == 1
    assert graded(said, lang) >= 3
    with closing(open_progress(path)) as store:
        assert len(store.attempts("core/L1.1/a")) == 30


LIMITED = """
import resource, sys
from tutor import cli, ondisk
ondisk.RETRY_BUSY, ondisk.RETRY, ondisk.PATIENCE = 0.02, 0.0, 0.05
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.exit(cli.run(["quiz", "--plain", "--level", "4", "--count", "3", "--lang", sys.argv[2]]))
"""


@pytest.mark.parametrize("unwritable", [True, False])
def test_the_document_says_whether_the_answers_are_kept(path: Path, unwritable: bool) -> None:
    if unwritable:
        path.parent.write_text("a file where the home should be")
    ended = subprocess.run(
        [sys.executable, "-m", "tutor", "quiz", "--json", "--level", "4", "--count", "1"],
        input=LINES, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    document = json.loads(ended.stdout)
    assert document["kept"] is not unwritable
    assert ended.returncode == (2 if unwritable else 0)
    assert told(ended.stderr, sentence("no_home", path)) == unwritable


def test_the_end_says_what_it_waits_for(
    path: Path, asked: Asked, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ondisk, "PATIENCE", 0.4)
    monkeypatch.setattr(ondisk, "SAID_AFTER", 0.1)
    other = sqlite3.connect(held(path), isolation_level=None)
    said = asked(lambda: other.execute("BEGIN IMMEDIATE"), "en", 2)
    other.close()
    assert told(said, say("cli.progress.waiting", "en", path=path)) == 1
    assert told(asked(), say("cli.progress.waiting", "en", path=path)) == 0
