"""The web server: three routes and a websocket.

textual-serve's own `Server` is not used beyond its page's program, its fonts and its packets: it starts the app through
a shell with all of our variables, knows no Host and no Origin, no learner and no limit of any kind, lists its static
folder, loads a font from another host, and waits for an app as long as that likes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from aiohttp import WSMsgType, web

from content.lang import Lang
from tutor.serving import folders, names, talk
from tutor.serving.doorkeeper import Doorkeeper
from tutor.serving.limits import MESSAGE, PATIENCE, Limits
from tutor.serving.names import BadName, Learner
from tutor.serving.pages import FILES, HEADERS, Pages
from tutor.serving.seats import Full, Seats
from tutor.serving.student import Student

CODES: Mapping[str, int] = {
    "ended": 4000,
    "full": 4001,
    "idle": 4002,
    "leaving": 4003,
    "no_room": 4004,
    "no_start": 4005,
}
"""What a websocket is closed with; `page.js` has the same table."""
HEARTBEAT = 20.0
"""Seconds between two questions of the websocket itself whether the browser is still there."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Served(NamedTuple):
    """What the server serves: where its learners are kept, in which language new ones start, who comes in."""

    root: Path
    lang: Lang
    chosen: Lang | None
    limits: Limits
    names: tuple[str, ...] = ()


class Site:
    """All of it, for one server."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self._pages = Pages(served.lang, served.limits.idle)
        self._door = Doorkeeper(served.names)
        self._seats = Seats(served.limits.learners)
        self._open: set[web.WebSocketResponse] = set()

    def app(self) -> web.Application:
        """The application."""
        app = web.Application(middlewares=[self._guard])
        app.add_routes([
            web.get("/", self.enter),
            web.get("/learn/{name}", self.learn),
            web.get("/files/{name}", self.file),
            web.get("/ws/{name}", self.socket),
        ])  # fmt: skip
        app.on_response_prepare.append(_as_ours)
        app.on_shutdown.append(self._leave)
        return app

    def plain(self, key: str, status: int) -> web.Response:
        """An answer of one sentence in both languages."""
        return self._pages.plain(key, status)

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Nobody comes by a foreign name; what aiohttp refuses is said shortly."""
        if not self._door.knows(request.headers.get("Host", "")):
            answer: web.StreamResponse = self._pages.plain("serve.refused.host", 403)
        else:
            try:
                answer = await handler(request)
            except web.HTTPNotFound:
                answer = self._pages.plain("serve.refused.no_page", 404)
            except web.HTTPException as error:
                answer = web.Response(text=f"{error.status} {error.reason}\n", status=error.status)
        return answer

    # --- pages -------------------------------------------------------------------------------------------------------

    async def enter(self, request: web.Request) -> web.StreamResponse:
        """The page that asks for a name; with one, on to the learner's page."""
        typed = request.query.get("name")
        if typed is None:
            return self._pages.enter()
        try:
            who = names.learner(typed)
        except BadName as error:
            return self._pages.enter(400, error.why, typed)
        return web.Response(status=303, headers={"Location": f"/learn/{quote(who.name, safe='')}"})

    async def learn(self, request: web.Request) -> web.StreamResponse:
        """The terminal's page."""
        typed = request.match_info["name"]
        try:
            return self._pages.learn(names.learner(typed))
        except BadName as error:
            return self._pages.enter(400, error.why, typed)

    async def file(self, request: web.Request) -> web.StreamResponse:
        """One of the page's few files."""
        found = FILES.get(request.match_info["name"])
        if found is None:
            raise web.HTTPNotFound
        path, kind = found
        return web.FileResponse(path, headers={"Content-Type": kind})

    # --- the websocket -----------------------------------------------------------------------------------------------

    async def socket(self, request: web.Request) -> web.StreamResponse:
        """One session, from the first frame to the end of its app."""
        if not self._door.admits(request.headers):
            return self._pages.plain("serve.refused.origin", 403)
        try:
            who = names.learner(request.match_info["name"])
        except BadName:
            return self._pages.plain("serve.refused.no_page", 404)
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT, max_msg_size=MESSAGE, timeout=PATIENCE, compress=False)
        await socket.prepare(request)
        self._open.add(socket)
        try:
            why = await self._seated(request, socket, who)
        finally:
            self._open.discard(socket)
        with suppress(ConnectionError):
            await socket.close(code=CODES[why], message=why.encode())
        return socket

    async def _seated(self, request: web.Request, socket: web.WebSocketResponse, who: Learner) -> str:
        """Find a seat and stay; why it is over."""
        size = talk.size(*(talk.number(request.query.get(name, ""), usual)
                           for name, usual in (("width", 80), ("height", 24))))  # fmt: skip
        try:
            async with self._seats.seat():
                home = folders.folder(self._served.root, who, self._served.chosen)
                student = Student(home, socket.send_bytes, lambda why: self._close(socket, why))
                try:
                    await student.start(*size)
                    why = await self._listen(socket, student)
                    await self._close(socket, why)  # before the app ends, which would say that itself
                    return why
                finally:
                    await asyncio.shield(student.stop())
        except Full:
            return "full"
        except folders.TooMany:
            return "no_room"
        except OSError:
            return "no_start"

    async def _listen(self, socket: web.WebSocketResponse, student: Student) -> str:
        """Pass on what the browser says; why that ended."""
        idle, clock = self._served.limits.idle, time.monotonic
        last, meter = clock(), talk.Meter(clock())
        while True:
            try:
                message = await socket.receive(timeout=max(0.01, last + idle - clock()))
            except TimeoutError:
                return "idle"
            if message.type in (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED, WSMsgType.ERROR):
                return "ended"
            if message.type is not WSMsgType.TEXT:
                continue
            said = talk.read(message.data)
            if isinstance(said, talk.Typed):
                last = clock()
            await _pass_on(said, socket, student)
            await asyncio.sleep(meter.wait(len(message.data), clock()))
            if clock() - last > idle:
                return "idle"

    @staticmethod
    async def _close(socket: web.WebSocketResponse, why: str) -> None:
        with suppress(ConnectionError):
            await socket.close(code=CODES[why], message=why.encode())

    async def _leave(self, _: web.Application) -> None:
        """The server ends: so does every session, each with its app."""
        await asyncio.gather(*(self._close(socket, "leaving") for socket in set(self._open)))


async def _as_ours(_: web.Request, answer: web.StreamResponse) -> None:
    """Every answer says what a browser may do with it."""
    answer.headers.update(HEADERS)


async def _pass_on(said: talk.Said | None, socket: web.WebSocketResponse, student: Student) -> None:
    match said:
        case talk.Typed(data):
            await student.send_bytes(data)
        case talk.Resized(columns, rows):
            await student.set_terminal_size(columns, rows)
        case talk.Ping(data):
            with suppress(ConnectionError):
                await socket.send_json(["pong", data])
        case talk.Focus(on):
            await (student.focus() if on else student.blur())
