"""Parsed files are kept beside their source, and never outlive it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from content import files


@pytest.fixture(autouse=True)
def writing_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def source(folder: Path, text: str = 'title = { en = "one", hi-Latn = "ek" }\nn = [1, 0.5]\n') -> str:
    path = folder / "words.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_what_is_kept_is_what_was_parsed(tmp_path: Path) -> None:
    path = source(tmp_path)
    table = files.load(path, tmp_path)
    assert files._kept(path) is None
    files._keep(path, table)
    assert files._kept(path) == table == {"title": {"en": "one", "hi-Latn": "ek"}, "n": [1, 0.5]}


def test_a_changed_source_is_parsed_again(tmp_path: Path) -> None:
    path = source(tmp_path)
    files._keep(path, files.load(path, tmp_path))
    source(tmp_path, "n = 2\n")
    assert files._kept(path) is None
    os.utime(path, ns=(0, 0))
    assert files._kept(path) is None


def test_damaged_leftovers_are_ignored(tmp_path: Path) -> None:
    path = source(tmp_path)
    files._keep(path, files.load(path, tmp_path))
    kept = Path(files._beside(path))
    for rubbish in (b"", b"\x00", b"not marshal", kept.read_bytes()[:-3]):
        kept.write_bytes(rubbish)
        assert files._kept(path) is None


def test_nothing_is_written_where_python_would_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = source(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    files._keep(path, files.load(path, tmp_path))
    assert [entry.name for entry in tmp_path.iterdir()] == ["words.toml"]


def test_a_folder_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    path = source(tmp_path)
    (tmp_path / "__pycache__").write_text("a file where the folder should be", encoding="utf-8")
    files._keep(path, files.load(path, tmp_path))
    assert files._kept(path) is None
