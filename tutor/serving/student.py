"""One reader's app, seen from the server: a process, its packets, its end.

The packets and the reading of them are those of textual-serve's `AppService`. Ours differ in how the process is
started (no shell, few variables, a session of its own), in what the app may tell the browser (to draw, and that it
ended: no downloads, no links), and in that it always ends.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

import tutor
from tutor import served
from tutor.serving.limits import PATIENCE

DRIVER = "tutor.serving.driver:ServedDriver"
_KEPT = ("PATH", "LANG", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "PATHEXT")
"""Variables that the app's process gets from ours, beside those of Python and of the locale: no keys, no tokens."""
_KEPT_BEGINNINGS = ("LC_", "PYTHON")


class Student(AppService):
    """The app of one reader, with all it remembers in ``home``."""

    def __init__(
        self, home: Path, draw: Callable[[bytes], Awaitable[None]], end: Callable[[str], Awaitable[None]]
    ) -> None:
        super().__init__("", write_bytes=draw, write_str=_nothing, close=self._over, download_manager=DownloadManager())
        self.home = home
        self._end = end
        self._drew = False

    async def _over(self) -> None:
        """Tell that it ended, or that it never began."""
        await self._end("ended" if self._drew else "no_start")

    async def run(self) -> None:
        """Read what the app says until it ends, in whatever way."""
        await super().run()
        await self._over()

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tutor.serving.inside", stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=self.home,
            env=environment(os.environ, self.home, width, height), start_new_session=True,
        )  # fmt: skip
        self._stdin = process.stdin
        return process

    async def on_data(self, payload: bytes) -> None:
        """Draw; an app whose reader is gone is still listened to, or it could not end."""
        self._drew = True
        with suppress(ConnectionError, RuntimeError):
            await super().on_data(payload)

    async def on_meta(self, data: bytes) -> None:
        """The app ended; whatever else it says stays here."""
        if json.loads(data).get("type") == "exit":
            await self.remote_close()

    async def on_packed(self, payload: bytes) -> None:
        """Parts of files: there are none."""

    async def stop(self) -> None:
        """Ask the app to end, and end it where it does not."""
        process, self._process = self._process, None
        if process is None:
            return
        await self.send_meta({"type": "quit"})
        with suppress(OSError, RuntimeError):
            self.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), PATIENCE)
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])


def environment(ours: Mapping[str, str], home: Path, columns: int, rows: int) -> dict[str, str]:
    """The variables of an app's process: few of ours, everything that it keeps in ``home``."""
    kept = {name: value for name, value in ours.items() if name in _KEPT or name.startswith(_KEPT_BEGINNINGS)}
    packages = str(Path(str(tutor.__file__)).parent.parent)
    return kept | {
        "LLM_TUTOR_HOME": str(home),
        served.VARIABLE: "1",
        "HOME": str(home),
        "TMPDIR": str(home),
        "TEMP": str(home),
        "PYTHONPATH": os.pathsep.join(filter(None, (packages, kept.get("PYTHONPATH", "")))),
        "PYTHONUTF8": "1",
        "TEXTUAL_DRIVER": DRIVER,
        "TEXTUAL_FPS": "60",
        "TEXTUAL_COLOR_SYSTEM": "truecolor",
        "TERM_PROGRAM": "textual",
        "TERM_PROGRAM_VERSION": version("textual-serve"),
        "COLUMNS": str(columns),
        "ROWS": str(rows),
    }


async def _nothing(_: str) -> None:
    """What the browser is told in words: nothing."""
