"""A program in a real pseudo-terminal, and the screen that it paints. For the pty tests and the benchmarks."""

from __future__ import annotations

import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from fcntl import ioctl
from types import TracebackType

import pyte

KEYS = {
    "enter": "\r", "escape": "\x1b", "tab": "\t", "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
    "f1": "\x1bOP", "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS", "ctrl+q": "\x11", "ctrl+u": "\x15",
    "backspace": "\x7f",
}  # fmt: skip
"""What a terminal sends for a key."""


class Terminal:
    """One program on one screen; a context manager that never leaves the program behind.

    Without `paint` what it writes is only handed on: an hour of it is quicker read than drawn.
    """

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str] | None = None, size: tuple[int, int] = (100, 30),
        *, paint: bool = True,
    ) -> None:  # fmt: skip
        self.columns, self.rows = size
        self._paint = paint
        self.screen = pyte.Screen(self.columns, self.rows)
        self._stream = pyte.ByteStream(self.screen)
        self.fd, slave = pty.openpty()
        self._set_size(slave)
        base = {
            key: value for key, value in os.environ.items() if not key.startswith(("LLM_TUTOR", "TEXTUAL", "NO_COLOR"))
        }
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True, close_fds=True,
            env={**base, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8", **(env or {})},
        )  # fmt: skip
        os.close(slave)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)
        os.close(self.fd)

    def _set_size(self, fd: int) -> None:
        ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", self.rows, self.columns, 0, 0))

    def resize(self, columns: int, rows: int) -> None:
        """Make the window another size, as dragging its corner does."""
        self.columns, self.rows = columns, rows
        self.screen.resize(rows, columns)
        self._set_size(self.fd)  # the system tells whoever is in the foreground
        os.killpg(self.process.pid, signal.SIGWINCH)

    def read(self, seconds: float = 0.05) -> bytes:
        """What the program writes within ``seconds``, painted; empty when it wrote nothing or has ended."""
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return b""
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:  # the other end is closed: the program has ended
            return b""
        if self._paint:
            self._stream.feed(data)
        return data

    @property
    def text(self) -> str:
        """The screen as text."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    @property
    def flat(self) -> str:
        """The screen on one line, so that a wait need not know where a sentence wraps."""
        return " ".join(self.text.split())

    def wait(self, condition: str | Callable[[Terminal], bool], seconds: float = 20.0) -> float:
        """Read until words stand on the screen (or a condition holds); the time since the start.

        Raises:
            AssertionError: with the screen, when it takes longer than ``seconds``.
        """
        deadline = time.perf_counter() + seconds
        while time.perf_counter() < deadline:
            if condition in self.flat if isinstance(condition, str) else condition(self):
                return time.perf_counter() - self.started
            if not self.read() and self.process.poll() is not None:
                break
        raise AssertionError(f"not seen: {condition!r}\n{self.text}")

    def press(self, *keys: str) -> None:
        """Send keys by name, or text as it is."""
        for key in keys:
            os.write(self.fd, KEYS.get(key, key).encode())
            self.read(0.1)

    def idle(self, seconds: float) -> None:
        """Let the program run for a while, painting what it writes."""
        deadline = time.perf_counter() + seconds
        while time.perf_counter() < deadline:
            self.read(0.05)

    def finish(self, seconds: float = 10.0) -> int:
        """Read until the program ends, its last words too; its exit status."""
        deadline = time.perf_counter() + seconds
        while self.process.poll() is None and time.perf_counter() < deadline:
            self.read()
        status = self.process.wait(1)
        while self.read():  # it may have ended with all that a terminal holds still unread
            pass
        return status
