"""The walk in a real terminal: bytes as a terminal sends them, whole and torn, and the program looked at from outside.

The program runs under the small shell of `tests.soak.shell`, so that it can be stopped and woken. When it has been left
it is started again on the same home; each life begins its own measuring.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import deque
from contextlib import suppress
from itertools import islice
from pathlib import Path

from tests.soak import measure, walk
from tests.soak.ran import Ran, Wanted
from tests.soak.walk import Step
from tests.terminal import KEYS, Terminal

COMMAND = (sys.executable, "-m", "tests.soak.shell", sys.executable, "-m", "tutor")
STUCK = 60.0
"""Seconds after which a program that paints nothing for a changed window is taken for hanging."""
AT_ONCE = 256
"""Bytes that are written before what the program paints is read: neither may wait for the other."""

MORE: dict[str, str] = {
    "shift+tab": "\x1b[Z", "home": "\x1b[H", "end": "\x1b[F", "pageup": "\x1b[5~", "pagedown": "\x1b[6~",
    "delete": "\x1b[3~", "space": " ", "plus": "+", "minus": "-", "question_mark": "?", "f5": "\x1b[15~",
    "f6": "\x1b[17~", "f7": "\x1b[18~", "f8": "\x1b[19~", "f9": "\x1b[20~", "f10": "\x1b[21~", "f12": "\x1b[24~",
    "alt+down": "\x1b[1;3B", "alt+up": "\x1b[1;3A",
}  # fmt: skip


def sent(key: str) -> str:
    """What a terminal sends for a key by Textual's name."""
    if key in KEYS or key in MORE:
        return KEYS.get(key, "") or MORE[key]
    modifier, _, last = key.rpartition("+")
    if modifier == "ctrl":
        return chr(ord(last) & 0x1F)
    return ("\x1b" if modifier == "alt" else "") + last


class Walking:
    """One run of the walk, over as many lives of the program as it takes."""

    def __init__(self, wanted: Wanted, home: Path, server: str) -> None:
        self.wanted, self.home, self.server = wanted, home, server
        self.ran = Ran("terminal", wanted.seed, lives=0)
        self.latest: deque[Step] = deque(maxlen=wanted.latest)
        self.longest: list[measure.Window] = []
        self.terminal = self._start()

    def _start(self) -> Terminal:
        self.ran.lives += 1
        self.ran.windows, self._born = [], self.ran.keys
        env = {name: os.environ[name] for name in ("LLM_TUTOR_HOME", "HOME", "PYTHONPATH")}
        terminal = Terminal(COMMAND, {**env, "LLM_TUTOR_LANG": "en"}, (80, 24), paint=False)
        self.seen = b""
        self.terminal = terminal
        self._until_painted()
        return terminal

    def run(self) -> Ran:
        """Walk until the time or the steps are over, then look at everything."""
        try:
            self._walk()
            if not self.ran.failures:
                self._finish()
        finally:
            with suppress(OSError, IndexError):  # one that hangs hears nothing else
                os.kill(self._program(), signal.SIGKILL)
            self.terminal.__exit__(None, None, None)
        self.ran.windows = max(self.ran.windows, self.longest, key=len)
        self.ran.broken = measure.broken(self.home)
        return self.ran

    def _walk(self) -> None:
        began, measured_at = time.monotonic(), 0
        for step in islice(walk.walk(self.wanted.seed), self.wanted.first, self.wanted.last):
            if time.monotonic() - began > self.wanted.seconds or self.ran.failures:
                return
            self.latest.append(step)
            self.ran.steps += 1
            self._do(step)
            if self.terminal.process.poll() is not None and not self._ended():
                return
            if self.ran.keys - measured_at >= self.wanted.window:
                measured_at = self.ran.keys
                self._measure()

    def _do(self, step: Step) -> None:
        if step.kind == "key":
            self._write(sent(step.text), 1)
        elif step.kind == "type":
            text = step.text.replace("{server}", self.server)
            self._write(text, len(text))
        elif step.kind == "paste":
            self._write(f"\x1b[200~{step.text}\x1b[201~", 1)
        elif step.kind == "size":
            with suppress(ProcessLookupError):
                self.terminal.resize(max(1, step.x), max(1, step.y))
        elif step.kind in ("click", "wheel"):
            x, y = 1 + step.x * self.terminal.columns // 1000, 1 + step.y * self.terminal.rows // 1000
            wheel = f"\x1b[<{64 if step.text == 'up' else 65};{x};{y}M"
            self._write(wheel if step.kind == "wheel" else f"\x1b[<0;{x};{y}M\x1b[<0;{x};{y}m", 1)
        elif step.kind == "bytes":
            self._write(step.text.encode("latin-1"), 1)
        elif step.kind == "wait":
            self._drain(step.x / 1000)
        elif step.kind == "stop":
            self._stop(step.text)

    def _stop(self, how: str) -> None:
        """As `ctrl+z` does it, or as somebody else does who sends a signal, with or without a warning; the shell wakes
        it."""
        if how == "key":
            self._write("\x1a", 1)
        else:
            with suppress(ProcessLookupError):
                os.kill(self._program(), signal.SIGTSTP if how == "tstp" else signal.SIGSTOP)
        self._drain(0.4)

    def _write(self, text: str | bytes, keys: int) -> None:
        data = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
        self.ran.keys += keys
        for at in range(0, len(data), AT_ONCE):
            with suppress(OSError):  # it has just ended
                os.write(self.terminal.fd, data[at : at + AT_ONCE])
            self._drain(0.01)

    def _drain(self, seconds: float) -> bool:
        """Take what is painted; whether anything was."""
        end, found = time.monotonic() + seconds, False
        while True:
            data = self.terminal.read(max(0.0, min(0.01, end - time.monotonic())))
            self.seen = (self.seen + data)[-8192:]
            found = found or bool(data)
            if time.monotonic() >= end:
                return found

    def _until_painted(self) -> None:
        """Change the window, and wait until the program has painted it. It hangs where it never does."""
        end, columns = time.monotonic() + STUCK, 79
        self.seen = b""
        while time.monotonic() < end and self.terminal.process.poll() is None:
            columns = 160 - columns
            with suppress(ProcessLookupError):
                self.terminal.resize(columns, 24)
            if self._drain(0.5):
                with suppress(ProcessLookupError):
                    self.terminal.resize(80, 24)
                return
        if self.terminal.process.poll() is None:
            self.ran.fail(self.latest, f"it paints nothing for {STUCK} seconds")

    def _rest(self) -> None:
        """Go home, and wait until nothing is painted any more."""
        self._write("\x1b[201~\x1b\\", 0)  # what was torn is over
        self._drain(0.3)
        for step in walk.go_home():
            self._do(step)
            self._drain(0.15)
        self._until_painted()
        end = time.monotonic() + STUCK
        while self._drain(1.0) and time.monotonic() < end:
            continue

    def _measure(self) -> None:
        self._rest()
        if self.terminal.process.poll() is None:
            levels = measure.outside(self._program(), self.home)
            self.ran.windows.append(measure.Window(self.ran.keys - self._born, levels, {}))
            self.wanted.tell(self.ran)

    def _ended(self) -> bool:
        """It has ended by itself: whether it was left, and lives again."""
        status = self.terminal.finish()
        if status != 0:
            told = self.seen.rpartition(b"\x1b[?1049l")[2].decode("utf-8", "replace")
            self.ran.fail(self.latest, f"exit status {status}\n{told[-2000:]}\n{_crash(self.home)}")
            return False
        self.ran.left += 1
        self.longest = max(self.longest, self.ran.windows, key=len)
        os.close(self.terminal.fd)
        self._start()
        return True

    def _program(self) -> int:
        """The number of the program, a child of the shell."""
        shell = self.terminal.process.pid
        return int(Path(f"/proc/{shell}/task/{shell}/children").read_text().split()[0])

    def _finish(self) -> None:
        """At rest it uses and writes nothing; left by its key it ends with status 0."""
        self._rest()
        if self.terminal.process.poll() is None:
            used, written = measure.spent(self._program())
            self._drain(self.wanted.idle)
            after, more = measure.spent(self._program())
            self.ran.idle_cpu, self.ran.idle_wrote = (after - used) / self.wanted.idle, more - written
            self._write("\x11", 1)
            self._drain(1.0)
        status = self.terminal.finish(30)
        if status != 0:
            self.ran.fail(self.latest, f"left, it ends with status {status}")


def _crash(home: Path) -> str:
    return "\n".join(file.read_text(errors="replace") for file in sorted(home.glob("crash*")))


def run(wanted: Wanted, home: Path, server: str) -> Ran:
    """Walk in a terminal."""
    return Walking(wanted, home, server).run()
