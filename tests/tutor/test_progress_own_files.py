"""Commands that write a file never write over one of ours, whatever name it is given."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from content.words import say
from tests.tutor.test_progress_full import attempt
from tutor import cli, paths, settingsfile
from tutor.commands import files
from tutor.diagnoser import keeping
from tutor.progress import open_progress
from tutor.settings import Settings

Ways = Callable[[Path, Path], Path]
"""A name for a file of ours."""

OWN = ("progress.sqlite3", "progress.sqlite3-wal", "progress.sqlite3-shm", "settings.toml", "probes.jsonl")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    monkeypatch.setenv("LLM_TUTOR_HOME", str(home))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    settingsfile.save(paths.settings_file(), Settings(theme="nord"))
    (home / "probes.jsonl").write_text("{}\n")
    return home


def itself(own: Path, elsewhere: Path) -> Path:
    return own


def around(own: Path, elsewhere: Path) -> Path:
    return own.parent / "." / ".." / own.parent.name / own.name


def link(own: Path, elsewhere: Path) -> Path:
    (elsewhere / "link.apkg").symlink_to(own)
    return elsewhere / "link.apkg"


def other_name(own: Path, elsewhere: Path) -> Path:
    os.link(own, elsewhere / "hard.apkg")
    return elsewhere / "hard.apkg"


def folder_link(own: Path, elsewhere: Path) -> Path:
    (elsewhere / "folder").symlink_to(own.parent)
    return elsewhere / "folder" / own.name


@pytest.mark.parametrize("way", [itself, around, link, other_name, folder_link])
@pytest.mark.parametrize("name", OWN)
def test_an_export_does_not_go_over_a_file_of_ours(
    home: Path, name: str, way: Ways, capsys: pytest.CaptureFixture[str]
) -> None:
    store = open_progress(paths.database())
    store.record(attempt())
    target = way(home / name, home.parent)
    before = {one: one.read_bytes() for one in home.iterdir()}
    for lang in ("en", "hi-Latn"):
        assert cli.run(["progress", "export", str(target), "--lang", lang]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and say("cli.os.own", lang) in said  # type: ignore[arg-type]
    for one, data in before.items():  # a reader notes in the shared memory that it was there
        assert one.read_bytes()[:4] == data[:4] and (one.name.endswith("-shm") or one.read_bytes() == data)
    store.close()


def test_every_command_that_writes_a_file_goes_that_way(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    open_progress(paths.database()).close()
    held = paths.database().read_bytes()
    target = home.parent / "cards.apkg"
    target.symlink_to(paths.database())
    server = ("diagnose", "--model", "llama-3.1-8b", "--gpu", "H100 SXM 80GB", "--prompt", "2k", "--output", "256")
    free = home / "progress.sqlite3-journal"
    for words in (("export", "anki", str(target)), *((*server, name, str(free)) for name in ("--save", "--report"))):
        assert cli.run(words) == 2
        assert say("cli.os.own", "en") in capsys.readouterr().err, words
    for over in (False, True):
        with pytest.raises((files.Own, keeping.Exists)):
            keeping.write(str(target), "text", over=over)
    assert paths.database().read_bytes() == held
    assert not free.exists()


@pytest.mark.parametrize("name", ["settings.toml", "probes.jsonl", "progress.damaged-20260101-000000.sqlite3"])
def test_a_file_of_ours_that_is_not_there_yet(home: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (home / name).unlink(missing_ok=True)
    assert cli.run(["progress", "export", str(home / name)]) == 2
    assert not (home / name).exists()


def test_other_files_are_written_even_there(home: Path) -> None:
    for target in (
        home / "export.json",
        home.parent / "progress.sqlite3",
        home / "progress-old.json",
        home / "progress.json",
    ):
        assert cli.run(["progress", "export", str(target)]) == 0
        assert target.stat().st_size > 0
