"""The file is deleted or replaced while a program has it open: what was answered is kept in the file of that name."""

from __future__ import annotations

import shutil
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tutor.progress import Attempt, Place, Progress, ProgressProblem, memory_progress, open_progress
from tutor.session import Session

KV = "core/L2.1/kv"


def attempt(answer: str) -> Attempt:
    return Attempt(KV, answer, "incorrect", ("kv-p-one",), 0, 1.0, 0, datetime.now(UTC))


def answers(store: Progress) -> list[str]:
    return [one.answer for one in store.attempts(KV)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "progress.sqlite3"


def test_a_deleted_folder_is_made_again_with_everything(path: Path) -> None:
    store = open_progress(path)
    store.record(attempt("1 GB"), unexplained_too=True)
    store.keep(Place("exercise", "core/L2.1", part="core/L2.1/other", draft="7"))
    store.mark(KV, "hint", 2)
    shutil.rmtree(path.parent)
    store.record(attempt("2 GB"))
    with closing(open_progress(path)) as other:
        assert answers(other) == ["1 GB", "2 GB"]
        assert other.export() == store.export()
        assert other.state(KV).hints == 2 and len(other.unexplained()) == 1
        other.record(attempt("3 GB"))
    assert answers(store) == ["1 GB", "2 GB", "3 GB"]


@pytest.mark.parametrize("mode", ["deleted", "replaced"])
def test_a_file_of_the_same_name_gets_what_was_done(path: Path, tmp_path: Path, mode: str) -> None:
    store = open_progress(path)
    store.record(attempt("1 GB"))
    for file in path.parent.iterdir():
        file.unlink()
    if mode == "replaced":
        with closing(open_progress(path)) as other:
            other.record(attempt("from a copy"))
    store.record(attempt("2 GB"))
    wanted = {"1 GB", "2 GB"} | ({"from a copy"} if mode == "replaced" else set())
    assert set(answers(store)) == wanted
    with closing(open_progress(path)) as other:
        assert set(answers(other)) == wanted


def test_a_folder_that_cannot_be_made_again_is_told_and_nothing_is_lost(path: Path) -> None:
    store = open_progress(path)
    store.record(attempt("1 GB"))
    shutil.rmtree(path.parent)
    path.parent.write_text("in the way")
    with pytest.raises(ProgressProblem) as caught:
        store.record(attempt("2 GB"))
    assert caught.value.kind == "readonly"
    assert answers(memory_progress(path, store)) == ["1 GB"]


def test_an_app_tells_it_once_and_writes_when_it_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("LLM_TUTOR_HOME", str(home))
    session = Session.start()
    session.check(KV, "0.537 GB")
    shutil.rmtree(home)
    session.check(KV, "3 GB")
    assert session.notices() == [], "it could be made again, so nothing needs to be told"
    shutil.rmtree(home)
    home.write_text("in the way")
    session.check(KV, "4 GB")
    session.check(KV, "5 GB")
    assert len(session.notices()) == 1
    assert answers(session.progress) == ["0.537 GB", "3 GB", "4 GB", "5 GB"]
    home.unlink()
    session.check(KV, "6 GB")
    session.close()
    assert not session.lost
    with closing(Session.start().progress) as store:
        assert answers(store) == ["0.537 GB", "3 GB", "4 GB", "5 GB", "6 GB"]
