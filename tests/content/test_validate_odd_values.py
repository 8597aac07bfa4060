"""Each value of a track replaced by one that nobody means: a problem with its place, in both languages."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from content.lang import LANGS
from content.validate import validate, variants
from tutor.settingsfile import _key, _value

EXAMPLE = Path(__file__).parent / "example"
FILES = sorted(file.relative_to(EXAMPLE).as_posix() for file in EXAMPLE.rglob("*.toml"))
ODD: tuple[Any, ...] = ([], {}, True, -1, float("nan"), [""], {"": ""})
"""Each value gets the empty text, and each third one of these too."""
MAY_BE: tuple[Any, ...] = ({}, {"": ""})
"""What some tables may be: one that holds nothing is as one that is not there."""

Path_ = tuple[str | int, ...]


def places(table: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The path of every value of a table, those of tables and lists too."""
    rows: Any = table.items() if isinstance(table, dict) else enumerate(table) if isinstance(table, list) else ()
    for key, value in rows:
        yield (*path, key)
        yield from places(value, (*path, key))


def written(text: str, path: Path_, value: Any) -> str:
    """The file with one value replaced, a top-level key a line."""
    table = tomllib.loads(text)
    here: Any = table
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = value
    return "\n".join(f"{_key(key)} = {_value(one)}" for key, one in table.items())


@pytest.mark.parametrize("name", FILES)
def test_every_odd_value_is_a_problem_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(variants, "DRAWS", 2)
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    text = (EXAMPLE / name).read_text(encoding="utf-8")
    for number, path in enumerate(places(tomllib.loads(text))):
        if set(path[:-1]) & {"title", "text", "label", "hints", "solution"}:
            continue  # of the languages of a text another test tells
        for value in ("", *([] if number % 3 else [ODD[number // 3 % len(ODD)]])):
            (tmp_path / name).write_text(written(text, path, value), encoding="utf-8")
            problems = validate(tmp_path)
            assert problems or value in MAY_BE or value == [], (path, value)
            for problem in problems:
                assert problem.line or problem.reason == "missing-file"
                assert all(problem.text(lang).startswith(f"{problem.file}:") for lang in LANGS)


@pytest.mark.parametrize(
    ("old", "new"),
    [('formula = "weights"', 'formula = ""'), ('unit = "GB"', 'unit = " "'), ('id = "weights"', 'id = ""')],
)
def test_an_empty_text_is_told_where_it_stands(tmp_path: Path, old: str, new: str) -> None:
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    file = tmp_path / "course" / "laptop" / "L1.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    line = text[: text.index(old)].count("\n") + 1
    key = new.partition(" ")[0]
    assert f"course/laptop/L1.toml:{line}" in [f"{one.file}:{one.line}" for one in validate(tmp_path)]
    assert (line, "empty-text", key) in [(one.line, one.reason, one.params.get("key")) for one in validate(tmp_path)]


@pytest.mark.parametrize(
    ("name", "old", "new", "key"),
    [
        ("L1", 'N = "3e9"', 'N = "nan"', "N"),
        ("L1", "digits = 2", "digits = nan", "digits"),
        ("A1", 'N = "8e9"', "N = nan", "N"),
        ("A1", "{ p_w = 2 }", "{ p_w = nan }", "p_w"),
    ],
)
def test_one_fault_is_one_line(tmp_path: Path, name: str, old: str, new: str, key: str) -> None:
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    file = tmp_path / "course" / "laptop" / f"{name}.toml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    told = [(one.line, one.reason, one.params["key"]) for one in validate(tmp_path)]
    assert told == [(text[: text.index(old)].count("\n") + 1, "bad-type", key)]
