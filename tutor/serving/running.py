"""The server's life: from a socket that listens to ctrl+c."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable
from contextlib import suppress

from aiohttp import web

from tutor.serving.limits import PATIENCE
from tutor.serving.site import Served, Site
from tutor.serving.troubles import told
from tutor.serving.visitor import Visitor, in_our_version

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_BACKLOG = 128
"""Connections that may wait to be taken."""


def run(
    served: Served, listening: socket.socket, ready: Callable[[], None], tell: Callable[[str], None] = lambda _: None
) -> None:
    """Serve until somebody ends it; ``ready`` is called when the first reader may come, ``tell`` with the kind of an
    error of the server's own."""
    with told(tell), suppress(KeyboardInterrupt, asyncio.CancelledError):  # where the loop knows no signals
        asyncio.run(_run(served, listening, ready))


async def _run(served: Served, listening: socket.socket, ready: Callable[[], None]) -> None:
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        with suppress(NotImplementedError, ValueError):
            loop.add_signal_handler(number, over.set)
    site = Site(served)
    runner = web.AppRunner(site.app(), shutdown_timeout=2 * PATIENCE)
    door: asyncio.Server | None = None
    try:
        await runner.setup()
        server = runner.server
        assert server is not None
        in_our_version(server)
        door = await loop.create_server(
            lambda: Visitor(server, site.plain, loop=loop, access_log=None), sock=listening, backlog=_BACKLOG
        )
        ready()
        await over.wait()
    finally:
        if door is not None:
            door.close()
        await runner.cleanup()
