"""How the app ends in a real terminal when nobody asked it to: terminal, draft and one sentence."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.terminal import Terminal

pytestmark = pytest.mark.pty


def last(terminal: Terminal, seconds: float = 10.0) -> tuple[int, bytes]:
    """The exit status, and what was written until then."""
    written = b""
    for _ in range(int(seconds * 20)):
        written += terminal.read()
        if terminal.process.poll() is not None:
            break
    written += terminal.read()
    return terminal.finish(), written


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_keeps_the_draft_and_gives_the_terminal_back(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-m", "tutor", "--lang", "en", "study", "core/L2.1"]
    with Terminal(command, {"LLM_TUTOR_HOME": str(tmp_path)}) as terminal:
        terminal.wait("How many GB")
        terminal.press("1.0")
        terminal.wait("read as 1")
        os.kill(terminal.process.pid, number)
        status, written = last(terminal)
        assert status == 128 + number
        assert b"\x1b[?1049l" in written and b"\x1b[?1000l" in written
    with Terminal(command, {"LLM_TUTOR_HOME": str(tmp_path)}) as terminal:
        terminal.wait("read as 1")


def test_a_closed_window_holds_nothing(tmp_path: Path) -> None:
    terminal = Terminal([sys.executable, "-m", "tutor", "--lang", "en"], {"LLM_TUTOR_HOME": str(tmp_path)})
    try:
        terminal.wait("Begin")
        terminal.press("down")
    finally:
        os.close(terminal.fd)
        os.kill(terminal.process.pid, signal.SIGHUP)
        assert terminal.process.wait(10) == 128 + signal.SIGHUP


def test_without_a_shell_ctrl_z_does_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tutor", "--lang", "en", "study", "core/L2.1"]
    with Terminal(command, {"LLM_TUTOR_HOME": str(tmp_path)}) as terminal:
        terminal.wait("How many GB")
        terminal.press("1.0", "\x1a", "7")
        terminal.wait("read as 1.07")


def test_with_a_shell_ctrl_z_steps_aside_and_fg_comes_back(tmp_path: Path) -> None:
    with Terminal(["bash", "--norc", "-i"], {"LLM_TUTOR_HOME": str(tmp_path), "PS1": "$ "}) as terminal:
        terminal.wait("$")
        terminal.press(f"{sys.executable} -m tutor --lang en study core/L2.1\r")
        terminal.wait("How many GB")
        terminal.press("1.0")
        terminal.wait("read as 1")
        terminal.press("\x1a")
        terminal.wait("Stopped")
        terminal.press("fg\r")
        terminal.wait("read as 1")
        terminal.press("7")
        terminal.wait("read as 1.07")
        terminal.press("ctrl+q")
        terminal.idle(3)  # the shell must have its line back, on a busy machine too
        terminal.press("exit\r")
        assert terminal.finish() == 0


def test_an_ascii_output_has_no_question_marks_for_borders(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tutor", "--lang", "en", "study", "core/C2"]
    with Terminal(command, {"LLM_TUTOR_HOME": str(tmp_path), "PYTHONIOENCODING": "ascii"}, (60, 20)) as terminal:
        terminal.wait("C2")
        terminal.press("n")
        terminal.wait("PgDn more")
        assert terminal.text.isascii() and "+-" in terminal.text  # the corner of the figure
        assert "??" not in terminal.text and " ?" not in terminal.text
