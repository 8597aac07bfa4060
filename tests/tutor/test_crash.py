"""The file about a mistake of ours: where it happened, and nothing of the learner's."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from content.lang import LANGS
from content.words import say
from tutor import __version__, crash

PRIVATE = (
    "1.07 lakh secret",
    "hf_aBcDeFgHiJkLmNoPqRsT",
    "token=s3cr3t",
    "/home/asha/notes.txt",
    "GPU KV cache size",
    "asha",
)
"""What was typed, a token, an address with one, a path with a name, a line of a log."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    monkeypatch.setenv("SOME_TOKEN", PRIVATE[1])
    return tmp_path


def raised(*private: str) -> Exception:
    """An error from the middle of the program, over another one, with private things in message, notes and locals."""
    try:
        try:
            int(" ".join(private) or "x")
        except ValueError as first:
            typed = {"answer": PRIVATE[0], "log": PRIVATE[4]}
            first.add_note(PRIVATE[3])
            raise KeyError(typed) from first
    except KeyError as error:
        return error


def own_error() -> Exception:
    from tutor.widgets.rows import Row

    try:
        crash._write(Path("/"), Row())  # type: ignore[arg-type]
    except Exception as error:
        return error
    raise AssertionError


def test_nothing_private_is_in_the_file(home: Path) -> None:
    error = raised(*PRIVATE)
    assert all(word in repr(error.__cause__) + repr(error) + repr(error.__cause__.__notes__) for word in PRIVATE)  # type: ignore[union-attr]
    place = crash.keep(error)
    told = Path(place).read_text()
    assert place == str(home / "crash.txt")
    for word in (*PRIVATE, str(home), str(Path.home()), str(Path(__file__).parent), sys.prefix):
        assert word not in told and word not in crash.brief(error), word
    assert crash.brief(error) == "KeyError"
    lines = told.splitlines()
    assert lines[0].startswith(f"llm-tutor {__version__}, 20") and lines[0].endswith(" UTC")
    assert lines[1].startswith(f"Python {sys.version_info[0]}.{sys.version_info[1]}.") and "Textual 8." in lines[1]
    assert [line for line in lines if line and line[0] != " "][2:] == ["ValueError", "which caused:", "KeyError"]


def test_places_are_told_with_our_own_lines() -> None:
    error = own_error()
    told = crash.report(error)
    assert "  tutor/crash.py:" in told and " in _write\n    for one in reports[:MOST]:" in told
    assert "  elsewhere:" in told and "own_error" in told  # the test is no part of the program
    assert crash.brief(error).startswith("TypeError, tutor/crash.py:")


def test_frames_of_libraries_are_named_without_their_folder() -> None:
    from textual.css.query import InvalidQueryFormat
    from textual.widget import Widget

    try:
        Widget().query_one("!!")
    except InvalidQueryFormat as error:
        told = crash.report(error)
    assert "\n  textual/dom.py:" in told and "site-packages" not in told
    assert told.rstrip().endswith("textual.css.query.InvalidQueryFormat")


def test_an_endless_recursion_and_a_circle_of_causes_are_short(home: Path) -> None:
    def again() -> None:
        again()

    try:
        again()
    except RecursionError as error:
        error.__cause__ = ValueError("x")
        error.__cause__.__cause__ = error
        told = crash.report(error)
    assert told.count(" in again") < crash.FRAMES + 1 and " more\n" in told
    assert told.count("RecursionError") == 1


def test_the_file_is_the_owners_alone_and_bounded(home: Path) -> None:
    old = os.umask(0)
    try:
        for _ in range(crash.MOST + 3):
            crash.keep(raised())
    finally:
        os.umask(old)
    file = home / "crash.txt"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text().count(f"llm-tutor {__version__}") == crash.MOST
    assert [one.name for one in home.iterdir()] == ["crash.txt"]
    crash.keep(own_error())
    assert file.read_text().index("TypeError") < file.read_text().index("KeyError"), "the newest is the first"


def test_a_large_file_does_not_grow(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crash, "LARGEST", 900)
    for _ in range(4):
        crash.keep(raised())
    assert (home / "crash.txt").stat().st_size <= 900


@pytest.mark.parametrize("held", ["Traceback (most recent call last):\nValueError: my answer\n", "\x00" * 10, ""])
def test_a_file_that_is_none_of_ours_is_not_carried_on(home: Path, held: str) -> None:
    (home / "crash.txt").write_text(held)
    crash.keep(raised())
    assert "my answer" not in (home / "crash.txt").read_text()
    assert (home / "crash.txt").read_text().startswith(f"llm-tutor {__version__}")


def test_a_link_is_replaced_and_its_target_is_left_alone(home: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    target = tmp_path_factory.mktemp("else") / "notes.txt"
    target.write_text("mine")
    (home / "crash.txt").symlink_to(target)
    crash.keep(raised())
    assert target.read_text() == "mine" and not (home / "crash.txt").is_symlink()


def test_a_home_that_cannot_be_written_is_told_by_no_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "file").write_text("")
    monkeypatch.setenv("LLM_TUTOR_HOME", str(home / "file" / "below"))
    assert crash.keep(raised()) == "-"
    monkeypatch.setenv("LLM_TUTOR_HOME", "~nobody-of-this-name/x")
    assert crash.keep(raised()) == "-"
    (home / "crash.txt").mkdir()
    monkeypatch.setenv("LLM_TUTOR_HOME", str(home))
    assert crash.keep(raised()) == "-" and [one.name for one in home.iterdir() if "crash" in one.name] == ["crash.txt"]


def test_the_sentences_say_where_and_what_next() -> None:
    for lang in LANGS:
        told = say("cli.error.crash", lang, detail="KeyError", path="/x/crash.txt")
        unkept = say("cli.error.crash_unkept", lang, detail="KeyError", path="/x")
        assert "/x/crash.txt" in told and "(KeyError)" in told and "\n" not in told
        assert "LLM_TUTOR_HOME" in unkept and "/x" in unkept
