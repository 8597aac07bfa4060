"""The app steps aside and comes back in a real terminal: whoever sends the signal, and whatever it is doing then."""

from __future__ import annotations

import os
import signal
import sys
import termios
import time
from pathlib import Path

import pytest

from tests.terminal import Terminal

pytestmark = [pytest.mark.pty, pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")]
COMMAND = [sys.executable, "-m", "tests.soak.shell", sys.executable, "-m", "tutor", "--lang", "en", "study"]


def program(terminal: Terminal) -> int:
    """The program, the child of the small shell."""
    shell = terminal.process.pid
    return int(Path(f"/proc/{shell}/task/{shell}/children").read_text().split()[0])


def threads(terminal: Terminal) -> list[str]:
    """The threads of the program that deal with the terminal."""
    tasks = Path(f"/proc/{program(terminal)}/task").iterdir()
    return sorted(name for task in tasks if (name := (task / "comm").read_text().strip()).startswith("textual"))


def until_back(terminal: Terminal) -> None:
    """Wait until it has taken the terminal again: a key typed before that may be dropped."""
    seen, end = b"", time.monotonic() + 20
    while b"\x1b[?1049h" not in seen or b"\x1b[?2004h" not in seen.rpartition(b"\x1b[?1049h")[2]:
        assert time.monotonic() < end, "it does not come back"
        seen += terminal.read()


@pytest.mark.parametrize("number", [signal.SIGTSTP, signal.SIGSTOP])
def test_it_comes_back_and_is_as_it_was(tmp_path: Path, number: signal.Signals) -> None:
    with Terminal([*COMMAND, "core/L2.1"], {"LLM_TUTOR_HOME": str(tmp_path)}) as terminal:
        before = termios.tcgetattr(terminal.fd)
        terminal.wait("How many GB")
        terminal.press("1.0")
        terminal.wait("read as 1")
        running = threads(terminal)
        for _ in range(4):  # in the middle of what it paints
            terminal.resize(100 if terminal.columns == 90 else 90, 30)  # no key: one that is not read yet is dropped
            os.kill(program(terminal), number)
            until_back(terminal)
        terminal.wait("read as 1")
        terminal.press("7")
        terminal.wait("read as 1.07")
        assert threads(terminal) == running, "the keyboard is read once"
        terminal.press("ctrl+q")
        assert terminal.finish() == 0
        after = termios.tcgetattr(terminal.fd)
        assert after[0] == before[0] and after[3] == before[3], "echo and lines are back"


def test_the_signal_in_the_middle_of_painting_does_not_lock_it(tmp_path: Path) -> None:
    """At the very place at which a lock is held while something is handed to the terminal."""
    code = (
        "import os, signal, sys\n"
        "from textual.drivers import _writer_thread\n"
        "from tutor import __main__\n"
        "class Queue(_writer_thread.Queue):\n"
        "    stopped = False\n"
        "    def _put(self, item):\n"
        "        super()._put(item)\n"
        "        if 'read as 1' in str(item) and not Queue.stopped:\n"
        "            Queue.stopped = True; os.kill(os.getpid(), signal.SIGTSTP)\n"
        "_writer_thread.Queue = Queue\n"
        "sys.argv = ['llm-tutor', '--lang', 'en', 'study', 'core/L2.1']; sys.exit(__main__.main())"
    )
    command = [*COMMAND[:4], "-c", code]
    with Terminal(command, {"LLM_TUTOR_HOME": str(tmp_path)}) as terminal:
        terminal.wait("How many GB")
        os.write(terminal.fd, b"1.0")
        until_back(terminal)
        terminal.wait("read as 1")
        terminal.press("7")
        terminal.wait("read as 1.07")
        terminal.press("ctrl+q")
        assert terminal.finish() == 0
