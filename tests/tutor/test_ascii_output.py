"""ASCII where the reader asked for it: by the setting, or by a locale that says so; lines and screens alike."""

from __future__ import annotations

import codecs
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.terminal import Terminal
from tests.tutor import inside
from tutor import ascii

ROOT = Path(__file__).parents[2]
FIGURE = ("playground", "two-buckets", "--plain")


def said(home: Path, *words: str, typed: str = "", **variables: str) -> bytes:
    env = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "PYTHON", "LLM_"))}
    env |= {"LANG": "C.UTF-8", "LLM_TUTOR_HOME": str(home), **variables}
    if variables:
        done = subprocess.run(
            [sys.executable, "-m", "tutor", *words],
            cwd=ROOT, env=env, input=typed.encode(), capture_output=True, timeout=60, check=False,
        )  # fmt: skip
    else:
        done = inside.run(words, env, typed.encode(), ROOT)
    assert done.returncode in (0, 1, 2)
    return done.stdout + done.stderr


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def plain_home(tmp_path: Path) -> Path:
    (tmp_path / "settings.toml").write_text("ascii = true\n")
    return tmp_path


def test_the_setting_holds_for_lines_too(plain_home: Path) -> None:
    study = "figure\nhint\nquit\nquit\n"
    for words, typed in (
        (FIGURE, ""), (("study", "core/L2.1", "--plain"), study), (("course", "show", "core/L2.1"), ""),
        (("study", "core/C2", "--plain", "--lang", "hi-Latn"), study), (("playground", "rulr"), ""),
        (("diagnose", "--model", "llama-2-7b", "--gpu", "T4", "--plain"), ""), (("keys",), ""),
    ):  # fmt: skip
        out = said(plain_home, *words, typed=typed)
        assert out.isascii() and out.strip(), words
    assert b"10^9" in said(plain_home, "course", "show", "core/L2.1")


def test_letters_that_are_not_ours_stay(plain_home: Path) -> None:
    assert "जो".encode() in said(plain_home, "playground", "जो → …")
    assert b"->" in said(plain_home, "playground", "जो → …")
    codecs.register_error(ascii.FOLDED, ascii.folded)
    assert "é→10⁻³".encode("ascii", ascii.FOLDED) == "é->10^-3".encode()


def test_a_document_says_the_same_with_and_without(home: Path) -> None:
    words = ("playground", "two-buckets", "--json")
    found = json.loads(said(home, *words))
    assert json.loads(said(home, *words, LC_ALL="C")) == found
    (home / "settings.toml").write_text("ascii = true\n")
    assert said(home, *words) == said(home, *words, PYTHONUTF8="1")
    assert json.loads(said(home, *words)) == found


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_a_locale_that_asks_for_ascii_gets_it(home: Path, locale: str) -> None:
    for words in (FIGURE, ("course", "show", "core/L2.1"), ("playground", "rulr")):
        assert said(home, *words, LC_ALL=locale).isascii(), words
    assert not said(home, *FIGURE, LC_ALL="C.UTF-8").isascii()
    assert not said(home, *FIGURE, LANG="C").isascii(), "nobody may have set that; Python takes UTF-8 there"


@pytest.mark.parametrize(
    ("variables", "wanted"),
    [
        ({"LC_ALL": "C"}, True), ({"LC_ALL": "POSIX"}, True), ({}, False), ({"LC_ALL": ""}, False),
        ({"LANG": "C"}, False), ({"LC_ALL": "C.UTF-8"}, False), ({"LC_ALL": "en_US.UTF-8"}, False),
        ({"LC_ALL": "C", "PYTHONUTF8": "1"}, False), ({"LC_ALL": "C", "PYTHONIOENCODING": "utf-8"}, False),
        ({"LC_ALL": "C", "PYTHONUTF8": "0"}, True),
    ],
)  # fmt: skip
def test_when_a_locale_asks(variables: dict[str, str], wanted: bool) -> None:
    assert ascii.asked(variables) == wanted


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_screens_are_drawn_as_the_locale_says(home: Path, locale: str) -> None:
    command = [sys.executable, "-m", "tutor", "playground", "two-buckets", "--lang", "en"]
    with Terminal(command, {"LLM_TUTOR_HOME": str(home), "LC_ALL": locale}, (120, 40)) as terminal:
        end = time.monotonic() + 30
        while time.monotonic() < end and "esc back" not in terminal.text:
            terminal.read(0.2)
        assert "esc back" in terminal.text and "requests that fit" in terminal.text
        assert terminal.text.isascii() == (locale == "C")
        assert "?" not in terminal.text, "no sign is left that ASCII has no word for"
