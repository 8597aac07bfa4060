"""What cannot be done is said in one sentence, with a status that says so too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from content.lang import LANGS, Lang
from content.words import say
from tutor import cli
from tutor.__main__ import main

LONG = '{"prompt": "2k",\n "model": ' + "9" * 10_000 + "}"


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The sentence of a command that is refused."""
    assert cli.run(words) == 2
    out, err = capsys.readouterr()
    assert out == "" and len(err.splitlines()) == 1
    return err


@pytest.mark.parametrize("words", [("glossary",), ("calc", "kv_cache", "--help"), ("config",)])
def test_an_answer_that_nobody_gets_is_no_success(tmp_path: Path, words: tuple[str, ...]) -> None:
    started = "subprocess.call([sys.executable, '-m', 'tutor', *sys.argv[1:]])"
    code = f"import os, subprocess, sys; os.close(1); sys.exit({started})"
    env = {**os.environ, "LLM_TUTOR_HOME": str(tmp_path), "LLM_TUTOR_LANG": "en"}
    done = subprocess.run([sys.executable, "-c", code, *words], env=env, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert "standard output is closed" in done.stderr


@pytest.mark.parametrize("lang", LANGS)
def test_a_card_of_another_maker_is_named(capsys: pytest.CaptureFixture[str], lang: Lang) -> None:
    told = said(capsys, "--lang", lang, "plan", "--model", "llama-3.1-8b", "--gpu", "L4", "--vendor", "amd")
    assert "L4" in told and "amd" in told


def test_a_folder_that_is_not_there_is_what_is_missing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    told = said(capsys, "--lang", "en", "progress", "export", str(tmp_path / "no" / "x.json"))
    assert "its folder is not there" in told


@pytest.mark.parametrize("lang", LANGS)
def test_a_number_of_thousands_of_digits_is_told_with_its_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, lang: Lang
) -> None:
    file = tmp_path / "long.json"
    file.write_text(LONG)
    told = said(capsys, "--lang", lang, "diagnose", str(file))
    assert "long.json" in told and ("line 2" in told) and "digits" in told


def test_what_a_file_says_is_told_in_its_own_words(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "null.json"
    file.write_text('{"model": "llama-3.1-8b", "gpu": "L4", "symptoms": [null]}')
    cli.run(("--lang", "en", "diagnose", str(file)))
    assert "null is no text" in capsys.readouterr().out


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("command", ["plan", "diagnose"])
@pytest.mark.parametrize("name", ["F", "F.json", "folder/config.json"])
def test_a_model_that_may_not_be_read_is_said_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, lang: Lang,
    name: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / name).write_text("{}")

    def refused(path: Path) -> bytes:
        raise PermissionError(13, "", str(path))

    monkeypatch.setattr(Path, "read_bytes", refused)
    told = said(capsys, "--lang", lang, command, "--model", name.removesuffix("/config.json"))
    assert say("diagnosis.problem.not-readable.text", lang, path=name) in told


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("given", [(), ("--gpu", "L4"), ("no-such.log",)])
def test_a_lever_that_is_none_is_told_before_all_else(
    capsys: pytest.CaptureFixture[str], lang: Lang, given: tuple[str, ...]
) -> None:
    assert "nope" in said(capsys, "--lang", lang, "diagnose", "--what-if", "nope", *given)


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_piped_in_is_called_standard_input(tmp_path: Path, lang: Lang) -> None:
    words = [sys.executable, "-m", "tutor", "progress", "import", "-", "--lang", lang]
    env = {**os.environ, "LLM_TUTOR_HOME": str(tmp_path)}
    done = subprocess.run(words, env=env, input="{", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"llm-tutor: {say('cli.error.stdin', lang)} ")


def test_a_folder_that_may_not_be_opened_is_named_before_the_reason(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(words: object) -> int:
        raise PermissionError(13, "", "/locked")

    monkeypatch.setattr(cli, "run", refused)
    monkeypatch.setattr("tutor.__main__._let_stdout_go", lambda: None)
    monkeypatch.setattr("tutor.__main__._prepare_streams", lambda: None)
    assert main() == 2
    assert capsys.readouterr().err.startswith("llm-tutor: /locked: ")
