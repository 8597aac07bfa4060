"""A mistake of ours anywhere in the app: the terminal is given back, one sentence stands there, and all is saved."""

from __future__ import annotations

import os
import sqlite3
import sys
import termios
from pathlib import Path

import pytest

from tests.terminal import Terminal
from tests.tutor.test_ending_pty import last

pytestmark = pytest.mark.pty

BROKEN = {
    "action": "app.TutorApp.action_peek = fall",
    "worker": "exercise.ExerciseScreen.action_hint = lambda self: self.run_worker(fall, thread=True) and None",
    "timer": "exercise.ExerciseScreen.action_hint = lambda self: self.set_timer(0.01, fall) and None",
    "compose": "help.HelpPanel.body = lambda self: fall()",
    "paint": "help.HelpPanel.retell_body = lambda self: setattr(self.query_one('#page'), 'render_lines', fall)",
    "exit": "app.TutorApp.exit = fall",
    "close": "session.Session.close = fall",
}
PRESSED = {"action": "\x1b[15~", "worker": "\x1bOR", "timer": "\x1bOR", "compose": "\x1bOP", "paint": "\x1bOP"}
START = """
import sys
from tutor import __main__, app, session
from tutor.dialogs import help
from tutor.screens import exercise
def fall(*_, **__):
    answer = "1.07 GB secret"
    raise ValueError(f"could not read {answer}")
%s
sys.argv = ["llm-tutor", *sys.argv[1:]]
sys.exit(__main__.main())
"""


@pytest.mark.parametrize("where", BROKEN)
def test_a_mistake_anywhere_is_one_sentence(tmp_path: Path, where: str) -> None:
    lang = "hi-Latn" if len(where) % 2 else "en"
    command = [sys.executable, "-c", START % BROKEN[where], "--lang", lang, "study", "core/L2.1"]
    with Terminal(command, {"LLM_TUTOR_HOME": str(tmp_path)}, (200, 30)) as terminal:
        before = termios.tcgetattr(terminal.fd)
        terminal.wait("L2.1")
        terminal.press("1.07 GB", "enter")
        terminal.wait("1.07 GB.")
        os.write(terminal.fd, PRESSED.get(where, "\x11").encode())
        status, written = last(terminal)
        after = written.rpartition(b"\x1b[?1049l")[2].decode()
        assert status == 2, after
        assert b"\x1b[?1049l" in written and b"\x1b[?1000l" in written
        assert termios.tcgetattr(terminal.fd)[3] == before[3], "echo and lines are back"
    said = [line for line in after.splitlines() if "llm-tutor: " in line]
    assert len(said) == 1 and ("gadbad" if lang == "hi-Latn" else "went wrong") in said[0], after
    assert "ValueError" in said[0] and str(tmp_path / "crash.txt") in after, after
    assert "Traceback" not in after and "secret" not in after and "File " not in after
    kept = (tmp_path / "crash.txt").read_text()
    assert "ValueError" in kept and "secret" not in kept
    with sqlite3.connect(tmp_path / "progress.sqlite3") as connection:
        assert connection.execute("SELECT count(*) FROM attempts WHERE verdict = 'correct'").fetchone() == (1,)


def test_where_nothing_can_be_written_the_line_is_what_is_left(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    home = tmp_path / "file" / "below"
    command = [sys.executable, "-c", START % BROKEN["compose"], "--lang", "en", "study", "core/L2.1"]
    with Terminal(command, {"LLM_TUTOR_HOME": str(home)}, (200, 30)) as terminal:
        terminal.wait("L2.1")
        os.write(terminal.fd, b"\x1bOP")
        status, written = last(terminal)
    after = written.rpartition(b"\x1b[?1049l")[2].decode()
    assert status == 2 and "There is no file about it" in after and str(home) in after, after
    assert "saved" not in after.partition("There is no file")[0] and "Traceback" not in after
