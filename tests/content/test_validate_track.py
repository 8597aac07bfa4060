"""A track of one's own in which the index is missing, or holds a value of the wrong type: told where it is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from content.files import ROOT
from content.lang import LANGS
from content.validate import validate
from content.validate.problem import Problem

INDEX = "course/laptop/track.toml"
WHOLE = """
[track]
id = "laptop"
title = { en = "On a laptop", hi-Latn = "Laptop par" }
about = { en = "Small models.", hi-Latn = "Chhote models." }

[[lesson]]
id = "A1"
title = { en = "First", hi-Latn = "Pehla" }
needs = []
sections = 1

[[level]]
id = "L1"
title = { en = "Facts", hi-Latn = "Facts" }

[[level.exercise]]
id = "L1.1"
lesson = "A1"
title = { en = "One", hi-Latn = "Ek" }
parts = ["one"]
"""


def told(root: Path, index: str = WHOLE) -> tuple[Problem, ...]:
    file = root / INDEX
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(index, encoding="utf-8")
    return validate(root)


def places(problems: tuple[Problem, ...]) -> list[tuple[str, str, str]]:
    return [(one.file, one.reason, "/".join(one.where)) for one in problems]


@pytest.mark.parametrize("name", ["A1.toml", "cards.toml"])
def test_a_folder_with_files_of_a_track_misses_its_own_index(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "course" / "laptop"
    folder.mkdir(parents=True)
    (folder / name).write_text("")
    assert places(validate(tmp_path)) == [(INDEX, "missing-file", "")]


def test_beside_the_shipped_tracks_too(tmp_path: Path) -> None:
    shutil.copytree(Path(ROOT) / "course", tmp_path / "course", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "course" / "laptop").mkdir()
    assert validate(tmp_path) == (), "a folder with nothing in it is no track"
    (tmp_path / "course" / "laptop" / "A1.toml").write_text("")
    (tmp_path / "course" / "core" / "track.toml").unlink()
    missing = [one.file for one in validate(tmp_path) if one.reason == "missing-file"]
    assert missing == ["course/core/track.toml", INDEX]


@pytest.mark.parametrize("made", ["", "course", "course/laptop", "laptop"])
def test_where_there_is_no_track_that_is_said(tmp_path: Path, made: str) -> None:
    (tmp_path / made).mkdir(parents=True, exist_ok=True)
    (problem,) = validate(tmp_path)
    assert (problem.file, problem.line, problem.reason) == ("course", 0, "no-track")
    assert all("track.toml" in problem.text(lang) and "core/" in problem.text(lang) for lang in LANGS)


def test_a_whole_index_misses_only_the_files_that_it_names(tmp_path: Path) -> None:
    missing = [("course/laptop/A1.toml", "missing-file", ""), ("course/laptop/L1.toml", "missing-file", "")]
    assert places(told(tmp_path)) == missing


@pytest.mark.parametrize("wrong", ["5", '"x"', "[1, 2]", "true"])
def test_every_table_of_a_wrong_type_is_told_by_its_type(tmp_path: Path, wrong: str) -> None:
    found = told(tmp_path, f"track = {wrong}\nlesson = {wrong}\nlevel = {wrong}\n")
    assert sorted(places(found)) == [(INDEX, "bad-type", key) for key in ("lesson", "level", "track")]
    assert [one.line for one in sorted(found, key=lambda one: one.where)] == [2, 3, 1]
    track = next(one for one in found if one.where == ("track",))
    assert track.sentence("en") == "track: track must be: table."


@pytest.mark.parametrize("line", [line for line in WHOLE.splitlines() if " = " in line])
@pytest.mark.parametrize("wrong", ["1979-05-27", "{ x = 1 }", "[[1]]", "-3"])
def test_every_value_of_a_wrong_type_is_told_by_its_key(tmp_path: Path, line: str, wrong: str) -> None:
    key = line.partition(" = ")[0]
    found = told(tmp_path, WHOLE.replace(line, f"{key} = {wrong}", 1))
    own = [one for one in found if one.file == INDEX]
    at = WHOLE.splitlines().index(line) + 1
    complaints = [one for one in own if one.reason in ("bad-type", "missing-language") and one.where[-1] == key]
    assert [one.line for one in complaints if one.line == at], places(found)
    assert not {"id-path", "track-id"} & {one.reason for one in found}
    assert not [one for one in found if one.file.endswith("/.toml")]


@pytest.mark.parametrize("id_", ["", "  "])
def test_an_empty_id_is_told_as_empty(tmp_path: Path, id_: str) -> None:
    for old in ("laptop", "A1", "L1"):
        found = told(tmp_path, WHOLE.replace(f'id = "{old}"', f'id = "{id_}"', 1))
        assert [one.reason for one in found] == ["empty-text"], old


def test_nothing_inside_a_heading_that_is_not_there_is_missed(tmp_path: Path) -> None:
    found = told(tmp_path, WHOLE.partition("[[lesson]]")[1] + WHOLE.partition("[[lesson]]")[2])
    assert places(found) == [(INDEX, "missing-key", "track")]
