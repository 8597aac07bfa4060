"""A long log says how far it is read, on a terminal's stderr alone, and leaves nothing there; ctrl+c has a sentence."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest

from content.lang import LANGS, Lang
from content.words import say
from tutor import cli
from tutor.commands.context import quoted_path
from tutor.diagnoser import opening

LINE = "INFO 08-01 10:12:03 [loggers.py:118] Engine 000: Avg prompt throughput: 6.5 tokens/s, Running: 3 reqs\n"
OPTIONS = ("--model", "llama-3.1-8b", "--gpu", "L4", "--no-probe")


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A log of several pieces, each of which takes a while."""
    monkeypatch.setattr(opening, "_A_WHILE", -1.0)
    path = tmp_path / "long.log"
    path.write_text(LINE * 22_000)
    return path


def told(monkeypatch: pytest.MonkeyPatch, *argv: str) -> str:
    """What the terminal's stderr got."""
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    assert cli.run(["diagnose", *argv, *OPTIONS]) == 0
    return screen.getvalue()


@pytest.mark.parametrize("lang", LANGS)
def test_a_long_log_says_how_far_it_is_and_leaves_an_empty_line(
    log: Path, monkeypatch: pytest.MonkeyPatch, lang: Lang
) -> None:
    *said, last, end = told(monkeypatch, str(log), "--lang", lang).split("\r")[1:]
    assert [one.strip() for one in said] == [
        say("cli.diagnose.reading_of", lang, name="long.log", mb=mb, size=2) for mb in range(3)
    ]
    assert not last.strip() and len(last) == max(map(len, said)) and not end


def test_of_a_packed_log_what_it_holds_is_counted(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = log.with_name("long.log.gz")
    packed.write_bytes(gzip.compress(log.read_bytes()))
    said = told(monkeypatch, str(packed), "--lang", "en")
    assert "long.log.gz ... 2 MB" in said and " of " not in said


def test_a_run_in_lines_and_one_into_a_file_say_nothing(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for option in ("--plain", "--json"):
        assert told(monkeypatch, str(log), option) == ""


def test_without_a_terminal_nothing_is_said(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["diagnose", str(log), *OPTIONS]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("lang", LANGS)
def test_a_narrow_terminal_keeps_it_on_one_line(log: Path, monkeypatch: pytest.MonkeyPatch, lang: Lang) -> None:
    monkeypatch.setattr("tutor.commands.progressline._columns", lambda: 20)
    assert all(len(one) < 20 for one in told(monkeypatch, str(log), "--lang", lang).split("\r"))


@pytest.mark.parametrize("lang", LANGS)
def test_ctrl_c_ends_the_reading_with_one_sentence(log: Path, monkeypatch: pytest.MonkeyPatch, lang: Lang) -> None:
    def pressed(*_: object) -> None:
        raise KeyboardInterrupt

    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(opening, "_artefact", pressed)
    with pytest.raises(KeyboardInterrupt):
        cli.run(["diagnose", str(log), *OPTIONS, "--lang", lang])
    *_, empty, said = screen.getvalue().split("\r")
    assert not empty.strip() and said == f"llm-tutor: {say('cli.diagnose.stopped', lang)}\n"


def test_of_a_long_path_the_middle_is_left_out() -> None:
    path = f"/srv/{'deep/' * 60}server-2026-08-01.log"
    shown = quoted_path(path)
    assert len(shown) == 80 and shown.startswith("/srv/deep/") and shown.endswith("deep/server-2026-08-01.log")
    assert "..." in shown
    assert quoted_path("short.log") == "short.log"


def test_a_missing_file_far_down_is_named_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["diagnose", f"/srv/{'deep/' * 60}server.log", "--lang", "en"]) == 2
    assert "deep/server.log" in capsys.readouterr().err
