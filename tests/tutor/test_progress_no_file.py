"""Something else than a file under the name of the file: one sentence, and nothing waits for it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from content.words import say
from tests.tutor import inside
from tests.tutor.test_progress_full import KV, attempt, sound_file
from tutor import paths
from tutor.language import LANGS
from tutor.ondisk import OnDisk
from tutor.progress import open_or_memory, open_progress

Make = Callable[[Path], object]


def folder(path: Path) -> None:
    path.mkdir()
    (path / "own.txt").write_text("x")


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


KINDS = [
    folder,
    pytest.param(device, marks=pytest.mark.skipif(sys.platform == "win32", reason="no such devices there")),
    pytest.param(
        lambda path: os.mkfifo(path), id="pipe", marks=pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
    ),
]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return paths.database()


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("words", ["progress show", "progress export -", "progress reset --yes", "quiz --plain"])
def test_it_is_said_in_one_sentence(path: Path, make: Make, words: str) -> None:
    make(path)
    key = "problem" if words.startswith("quiz") else "refused"
    for lang in LANGS:
        ran = inside.run((*words.split(), "--lang", lang))
        said = say(f"cli.progress.{key}.no_file", lang, path=path)
        assert "".join(said.split()) in "".join((ran.stdout + ran.stderr).decode().split())
        if key == "refused":
            assert (ran.returncode, ran.stderr.count(b"\n")) == (2, 1)
    assert path.is_dir() or not path.is_file()
    assert [one.name for one in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("make", KINDS)
def test_it_takes_the_place_of_a_file_in_use(path: Path, make: Make) -> None:
    with closing(open_progress(sound_file(path, 3))) as store:
        for one in path.parent.iterdir():
            one.unlink()
        make(path)
        opened = open_or_memory(path)
        assert opened.problem is not None and opened.problem.kind == "no_file"
        opened.progress.close()
        run = OnDisk(store)
        run._write(lambda progress: progress.record(attempt()))
        assert [problem.kind for problem in run.problems] == ["no_file"]
        assert len(run.progress.attempts(KV)) == 4, "what was held, and the new one"


def test_a_log_that_is_a_pipe(path: Path) -> None:
    sound_file(path, 3)
    os.mkfifo(f"{path}-wal")
    ran = subprocess.run(
        [sys.executable, "-m", "tutor", "progress", "show"], capture_output=True, text=True, timeout=30, check=False
    )
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("words", ["progress show", "progress export -", "progress reset --yes", "quiz --plain"])
def test_a_link_into_a_folder_that_is_not_there(path: Path, tmp_path: Path, words: str) -> None:
    path.symlink_to(tmp_path / "gone" / "x.sqlite3")
    key = "problem" if words.startswith("quiz") else "refused"
    for lang in LANGS:
        ran = inside.run((*words.split(), "--lang", lang))
        said = say(f"cli.progress.{key}.nowhere", lang, path=path)
        assert "".join(said.split()) in "".join((ran.stdout + ran.stderr).decode().split())
        assert key == "problem" or ran.returncode == 2
    (tmp_path / "gone").mkdir()
    assert inside.run(("progress", "show")).returncode == 0
