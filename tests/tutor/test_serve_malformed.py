"""Requests that no browser sends: answered like every other one, and silent on the terminal of whoever serves."""

from __future__ import annotations

import logging
import socket
from pathlib import Path
from urllib.parse import urlsplit

from content.words import say
from tests.serving import Server, serving
from tutor.serving.troubles import MOST, SPAN, Troubles, told

HOST = b"Host: localhost\r\n"
UNREAD = {
    "long address": b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n" + HOST,
    "long header": b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 9000 + b"\r\n",
    "two hosts": b"GET / HTTP/1.1\r\n" + HOST + HOST,
    "chunk without end": b"GET / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "no version": b"GET / HTTP/9.9\r\n" + HOST,
    "two lengths": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\nContent-Length: 2\r\n",
    "header with a line end": b"GET / HTTP/1.1\r\n" + HOST + b"A: b\rc\r\n",
    "many headers": b"GET / HTTP/1.1\r\n" + HOST + b"".join(b"X%d: 1\r\n" % n for n in range(999)),
}
REFUSED = {
    "other method": b"DELETE / HTTP/1.1\r\n" + HOST,
    "expecting": b"GET / HTTP/1.1\r\n" + HOST + b"Expect: a miracle\r\n",
    "no websocket": b"GET /ws/Asha HTTP/1.1\r\n" + HOST + b"Origin: http://localhost\r\nUpgrade: websocket\r\n",
    "old websocket": b"GET /ws/Asha HTTP/1.1\r\n" + HOST + b"Connection: Upgrade\r\nUpgrade: websocket\r\n",
    "no host": b"GET / HTTP/1.0\r\n",
    "no such page": b"GET /%ff%00/../x HTTP/1.1\r\n" + HOST,
}


def answered(server: Server, request: bytes) -> bytes:
    """All that the server sends before it closes, or stays silent."""
    where = urlsplit(server.url)
    got = b""
    with socket.create_connection((where.hostname or "", where.port or 0), 10) as connection:
        connection.sendall(request + b"Connection: close\r\n\r\n")
        while piece := connection.recv(2**16):
            got += piece
    return got


def test_requests_that_cannot_be_read(tmp_path: Path) -> None:
    with (tmp_path / "terminal").open("w+") as terminal, serving(tmp_path, troubles=terminal) as server:
        for name, request in UNREAD.items():
            head, _, body = answered(server, request).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n"), (name, head)
            assert body.decode().splitlines() == [say("serve.refused.unread", lang) for lang in ("en", "hi-Latn")], name
            assert b"\r\nServer: llm-tutor" in head and b"\r\nX-Frame-Options: DENY" in head, (name, head)
        for name, request in REFUSED.items():
            head, _, body = answered(server, request).partition(b"\r\n\r\n")
            assert head.split()[1].startswith(b"4") and b"\r\nServer: llm-tutor" in head, (name, head)
            assert b"aiohttp" not in head + body and b"Python" not in head + body, name
        assert answered(server, b"GET / HTTP/1.1\r\n" + HOST).startswith(b"HTTP/1.1 200")
        assert server.end() == 0
        terminal.seek(0)
        assert terminal.read() == ""


def test_what_fails_inside_is_told_in_one_line_and_not_often() -> None:
    said: list[str] = []
    now = 0.0
    hearing = Troubles(said.append, lambda: now)
    log = logging.Logger("aiohttp.server")
    log.addHandler(hearing)
    for _ in range(2 * MOST):
        try:
            raise RuntimeError("\x1b[2Jwhat a client wrote")
        except RuntimeError:
            log.exception("A request failed")
    assert said == ["RuntimeError"] * MOST
    now = SPAN
    log.warning("no room for %s", "\x1b[2J")
    log.info("a request")
    assert said[MOST:] == ["aiohttp.server"]


def test_the_terminal_hears_no_log_after_the_server() -> None:
    said: list[str] = []
    with told(said.append):
        logging.getLogger("asyncio").error("Task exception was never retrieved")
    logging.getLogger("asyncio.after").error("not said")
    assert said == ["asyncio"]
