"""The diagnoser's panels in a real terminal: nothing from a file reaches it as a command, no line ends the app."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from tests.terminal import Terminal
from tests.tutor.test_diagnose_strength import CONFIG
from tests.tutor.test_ending_pty import last

pytestmark = pytest.mark.pty
FILES = b"\x1bo"
QUIT = b"\x11"


class Heard(Terminal):
    """A terminal that remembers every byte."""

    heard = b""

    def read(self, seconds: float = 0.05) -> bytes:
        found = super().read(seconds)
        self.heard += found
        return found


def app(tmp_path: Path) -> Heard:
    command = [sys.executable, "-m", "tutor", "--lang", "en", "diagnose"]
    return Heard(command, {"LLM_TUTOR_HOME": str(tmp_path)}, (100, 30))


def test_a_config_that_stands_where_a_path_is_expected_is_read(tmp_path: Path) -> None:
    with app(tmp_path) as terminal:
        terminal.wait("Fill in what you know")
        os.write(terminal.fd, FILES)
        terminal.wait("Nothing leaves")
        os.write(terminal.fd, CONFIG.encode() + b"\r")
        terminal.wait("hidden size")
        os.write(terminal.fd, QUIT)
        assert last(terminal)[0] == 0


def test_a_scenario_cannot_speak_to_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(f"model = 'llama-3.1-8b'\ngpu = {json.dumps('[/]' + chr(27) + ']0;pwned' + chr(7))}\n")
    with app(tmp_path) as terminal:
        terminal.wait("Fill in what you know")
        os.write(terminal.fd, FILES)
        terminal.wait("Nothing leaves")
        os.write(terminal.fd, str(file).encode() + b"\r")
        terminal.wait("]0;pwned")
        os.write(terminal.fd, QUIT)
        assert last(terminal)[0] == 0 and b"\x1b]0;" not in terminal.heard
    kept = tmp_path / "form.json"
    assert "\\u001b" not in kept.read_text() and stat.S_IMODE(kept.stat().st_mode) == 0o600
    with app(tmp_path) as terminal:
        terminal.wait("]0;pwned")
        assert b"\x1b]0;" not in terminal.heard


def test_a_pipe_that_says_nothing_does_not_hold_the_app(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "live.log")
    with app(tmp_path) as terminal:
        terminal.wait("Fill in what you know")
        os.write(terminal.fd, FILES)
        terminal.wait("Nothing leaves")
        os.write(terminal.fd, str(tmp_path / "live.log").encode() + b"\r")
        terminal.wait("Reading live.log")
        os.write(terminal.fd, QUIT)
        assert last(terminal, 20.0)[0] == 0
