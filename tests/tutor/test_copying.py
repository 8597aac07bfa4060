"""What is copied reaches the reader inside tmux too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tutor.frames import make_app
from tutor import copying
from tutor.served import VARIABLE


def a_tmux(folder: Path, knows: str) -> Path:
    """A program named tmux that notes what it is given, and refuses options that it does not know."""
    program = folder / "tmux"
    program.write_text(
        f'#!/bin/sh\necho "$@" >> {folder}/called\n'
        f'case "$*" in "load-buffer {knows}-") cat > {folder}/given;; *) exit 1;; esac\n'
    )
    program.chmod(0o755)
    return folder / "given"


@pytest.mark.parametrize(("knows", "calls"), [("-w ", 1), ("", 2)], ids=["3.2 and later", "older"])
def test_tmux_gets_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, knows: str, calls: int) -> None:
    given = a_tmux(tmp_path, knows)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("TMUX", "/tmp/tmux-1000/default,1,0")
    giving = copying.beyond("10⁹ bytes\nand more")
    assert giving is not None
    giving.join(10)
    assert given.read_text("utf-8") == "10⁹ bytes\nand more"
    assert len((tmp_path / "called").read_text().splitlines()) == calls


def test_without_tmux_nothing_is_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    a_tmux(tmp_path, "-w ")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.delenv("TMUX", raising=False)
    assert copying.beyond("text") is None
    monkeypatch.setenv("TMUX", "/tmp/tmux-1000/default,1,0")
    monkeypatch.setenv("PATH", "")
    assert copying.beyond("text") is None


def test_a_browsers_reader_never_reaches_the_tmux_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []
    monkeypatch.setattr(copying, "beyond", given.append)
    app = make_app(tmp_path)
    app.copy_to_clipboard("here")
    monkeypatch.setenv(VARIABLE, "1")
    app.copy_to_clipboard("there")
    assert given == ["here"]
