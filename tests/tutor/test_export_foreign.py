"""An export replaces an earlier one of its kind, and nothing else unasked; nor does it wait for a reader for ever."""

from __future__ import annotations

import os
import sqlite3
import zipfile
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from content.lang import LANGS, Lang
from content.words import say
from tutor import cli
from tutor.anki import notes, package
from tutor.commands import files

PROGRESS = ("progress", "export")
ANKI = ("export", "anki")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(notes, "notes", lambda: list(every())[:2])


_notes = notes.notes


@cache
def every() -> tuple[notes.Note, ...]:
    """All of them, made when they are first asked for: it draws every figure of the course."""
    return tuple(_notes())


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("command", [PROGRESS, ANKI])
def test_a_foreign_file_is_kept_unless_forced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, str], lang: Lang
) -> None:
    file = tmp_path / "precious.apkg"
    for data in (b"precious", b'{"format": "other"}', b"PK\x03\x04"):
        file.write_bytes(data)
        assert cli.run([*command, str(file), "--lang", lang]) == 2
        assert capsys.readouterr() == ("", f"llm-tutor: {say('cli.error.not_ours', lang, path=file)}\n")
        assert file.read_bytes() == data
    assert cli.run([*command, str(file), "--force"]) == 0
    assert cli.run([*command, str(file)]) == 0, "an earlier one is brought up to date"
    file.write_bytes(b"")
    assert cli.run([*command, str(file)]) == 0, "there is nothing to lose"


def test_one_kind_does_not_replace_the_other(tmp_path: Path) -> None:
    file = tmp_path / "one.apkg"
    assert cli.run([*PROGRESS, str(file)]) == 0
    assert cli.run([*ANKI, str(file)]) == 2
    assert cli.run([*ANKI, str(file), "--force"]) == 0
    assert cli.run([*PROGRESS, str(file)]) == 2


def test_a_package_with_reviews_or_notes_of_others_is_foreign(tmp_path: Path) -> None:
    file = tmp_path / "one.apkg"
    for change in ("INSERT INTO revlog VALUES (1, 1, 1, 1, 1, 1, 1, 1, 1)", "UPDATE notes SET mid = 7"):
        file.write_bytes(package.data(every()[:2], "en", 0.0))
        assert package.is_export(file)
        with zipfile.ZipFile(file) as read, closing(sqlite3.connect(":memory:")) as connection:
            connection.deserialize(read.read("collection.anki2"))
            connection.execute(change)
            connection.commit()
            changed = connection.serialize()
        file.write_bytes(package._zipped(changed))
        assert not package.is_export(file)


@pytest.mark.parametrize("lang", LANGS)
def test_a_pipe_that_nobody_reads_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, lang: Lang
) -> None:
    monkeypatch.setattr(files, "_PATIENCE", 0.05)
    pipe = tmp_path / "pipe.apkg"
    os.mkfifo(pipe)
    assert cli.run([*PROGRESS, str(pipe), "--lang", lang]) == 2
    assert say("cli.os.unread", lang) in capsys.readouterr().err
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)  # it is there, and takes nothing
    try:
        assert cli.run([*ANKI, str(pipe), "--lang", lang]) == 0, "what a pipe holds has gone through"
        monkeypatch.setattr(notes, "notes", lambda: list(every()))
        assert cli.run([*ANKI, str(pipe), "--lang", lang]) == 2
    finally:
        os.close(reader)
    assert say("cli.os.unread", lang) in capsys.readouterr().err
