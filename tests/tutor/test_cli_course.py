"""What the command line shows to look things up: course, glossary, keys, completion."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from content.lang import LANGS
from tests.tutor.command import KV, Tutor
from tutor import cli


def test_course_lists_and_shows_without_answers(tutor: Tutor) -> None:
    tracks = tutor.json("course", "list")["tracks"]
    assert [lesson["id"] for lesson in tracks[0]["lessons"]] == [f"core/C{n}" for n in range(7)]
    assert "core/L2.1" in tutor("course").out
    shown = tutor.json("course", "show", "l2.1")
    assert shown["parts"][0]["id"] == KV
    assert "1.07" not in json.dumps(shown)
    options = tutor.json("course", "show", "core/L1.1/a")["attributes"]
    assert [[option["letter"] for option in one] for one in options] == [["A", "B"], ["A", "B"]]


def test_everything_in_the_course_can_be_shown_in_both_languages(tutor: Tutor) -> None:
    (track,) = tutor.json("course", "list")["tracks"]
    ids = [lesson["id"] for lesson in track["lessons"]]
    for level in track["levels"]:
        ids += [level["id"], *(exercise["id"] for exercise in level["exercises"])]
    for place in ids:
        for lang in LANGS:
            assert tutor("course", "show", place, "--lang", lang).out.strip()
        assert tutor.json("course", "show", place)["id"] == place


def test_validate_tells_file_and_line(tutor: Tutor, tmp_path: Path) -> None:
    ran = tutor("course", "validate", str(tmp_path))
    assert ran.status == 1
    assert ran.out.startswith("course: ")
    assert tutor.json("course", "validate", str(tmp_path), status=1)["valid"] is False
    assert "is no folder" in tutor.refused("course", "validate", str(tmp_path / "nowhere"))


@pytest.mark.parametrize("folder", ["course", "course/core"])
def test_a_folder_inside_the_content_is_told(tutor: Tutor, folder: str) -> None:
    from content.files import ROOT as CONTENT

    assert tutor.refused("course", "validate", f"{CONTENT}/{folder}").endswith(f"give that one: {CONTENT}.")


def test_glossary_finds_a_term_by_any_of_its_names(tutor: Tutor) -> None:
    term = tutor.json("glossary", "kv", "CACHE")
    assert (term["id"], set(term["meaning"])) == ("kv-cache", set(LANGS))
    assert tutor("glossary", "kv cache").out.startswith("KV cache: ")
    assert len(tutor.json("glossary")["terms"]) >= 60
    assert "The closest are: KV cache" in tutor.refused("glossary", "kv cach")


@pytest.mark.parametrize("lang", LANGS)
def test_keys_lists_every_command_of_the_app(tutor: Tutor, lang: str) -> None:
    from tutor.keys import TABLE

    said = tutor("keys", "--lang", lang).out
    assert all(command.id in said for command in TABLE)


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_knows_the_commands(tutor: Tutor, shell: str) -> None:
    script = tutor("completion", shell).out
    assert all(name in script for name in cli.COMMANDS)
