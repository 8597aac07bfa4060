"""`llm-tutor serve` as a real process on a free port, and a browser that is only a websocket."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any

import aiohttp
import pyte

SECONDS = 15.0


class Server:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], home: Path) -> None:
        self.process, self.home = process, home
        assert process.stdout is not None
        lines = [process.stdout.readline()]
        while lines[-1] and lines[-1] != "}\n":
            lines.append(process.stdout.readline())
        assert lines[-1], "the server did not start"
        self.told: dict[str, Any] = json.loads("".join(lines))
        self.url = str(self.told["url"]).rstrip("/")

    def folder(self, name: str) -> Path:
        """The folder of a learner."""
        from tutor.serving import names

        return self.home / "learners" / names.learner(name).folder

    def attempts(self, name: str) -> list[tuple[str, str]]:
        """Answers that a learner has given, with their verdicts."""
        return self._rows(name, "SELECT answer, verdict FROM attempts ORDER BY id")

    def drafts(self, name: str) -> list[str]:
        """What a learner has typed and not handed in."""
        return [row[0] for row in self._rows(name, "SELECT draft FROM drafts")]

    def _rows(self, name: str, query: str) -> list[Any]:
        with closing(sqlite3.connect(self.folder(name) / "progress.sqlite3")) as database:
            return database.execute(query).fetchall()

    def end(self, number: int = signal.SIGINT) -> int:
        """End it by a signal; its exit status."""
        self.process.send_signal(number)
        return self.process.wait(SECONDS)

    def apps(self) -> list[int]:
        """Processes of learners, by the folders that they are in."""
        return [int(one.name) for one in Path("/proc").glob("[0-9]*") if _is_in(one / "cwd", self.home)]


def _is_in(link: Path, folder: Path) -> bool:
    try:
        return link.readlink().is_relative_to(folder)
    except OSError:
        return False


@contextmanager
def serving(home: Path, *options: str, troubles: IO[str] | None = None) -> Iterator[Server]:
    """A server that does not outlive the block; ``troubles`` is a file for what it says on standard error."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LLM_TUTOR", "TEXTUAL"))}
    process = subprocess.Popen(
        [sys.executable, "-m", "tutor", "--lang", "en", "serve", "--port", "0", "--json", *options],
        env={**kept, "LLM_TUTOR_HOME": str(home), "SECRET_TOKEN": "not for learners"}, cwd=Path(__file__).parent.parent,
        stdout=subprocess.PIPE, stderr=troubles, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        yield Server(process, home)
    finally:
        if process.poll() is None:
            process.terminate()
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


class Learner:
    """A browser's side of one session, with the screen that it shows."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._screen = pyte.Screen(100, 30)
        self._stream = pyte.ByteStream(self._screen)

    @property
    def text(self) -> str:
        """The screen on one line."""
        return " ".join(" ".join(self._screen.display).split())

    async def until(self, wanted: str) -> None:
        """Read until words stand on the screen."""
        try:
            async with asyncio.timeout(SECONDS):
                while wanted not in self.text:
                    message = await self._socket.receive()
                    assert message.type is aiohttp.WSMsgType.BINARY, f"{message} with {self.text}"
                    self._stream.feed(message.data)
        except TimeoutError:
            raise AssertionError(f"not seen: {wanted}\n{self.text}") from None

    async def type(self, text: str) -> None:
        """Send keys."""
        await self._socket.send_json(["stdin", text])

    async def over(self) -> int:
        """Read until the server closes; with which code."""
        async with asyncio.timeout(SECONDS):
            async for message in self._socket:
                assert message.type is aiohttp.WSMsgType.BINARY
        return self._socket.close_code or 0

    async def leave(self) -> None:
        """Close the tab."""
        await self._socket.close()


async def join(session: aiohttp.ClientSession, server: Server, name: str) -> Learner:
    """Open a learner's websocket as the page does."""
    address = f"{server.url}/ws/{name}?width=100&height=30".replace("http:", "ws:")
    return Learner(await session.ws_connect(address, headers={"Origin": server.url}))


async def open_exercise(learner: Learner) -> None:
    """Go from home to L2.1."""
    await learner.until("Core course")
    await learner.type("l")
    await learner.until("part of a name or id")
    await learner.type("L2.1")
    await learner.until("› L2.1")
    await learner.type("\r")
    await learner.until("How many GB does the KV cache take?")
